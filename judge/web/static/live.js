/* Keeps a public page up to date and its clock running. Without this file the page is right when it is loaded.

   [data-live]   is swapped when the server says that it changed (If-None-Match; 304 costs next to nothing)
   [data-clock]  counts down to the server's end time, by the server's clock: X-Now corrects this device's
   [data-find]   filters the tables as one types; Enter asks the server */
(() => {
  "use strict";
  const EVERY = 3500, JITTER = 1000, SLOWEST = 20000;
  const live = document.querySelector("[data-live]");
  let tag = live && live.dataset.tag, skew = 0, best = Infinity, failures = 0, seen = Date.now();

  const given = document.querySelector("[data-now]"); /* a page that is made anew each time says its moment */
  if (given) skew = Number(given.dataset.now) - Date.now();
  const now = () => Date.now() + skew;

  function setClockBy(answer, sent) {
    const server = Number(answer.headers.get("X-Now")), way = (Date.now() - sent) / 2;
    if (server && way <= best * 1.5) { best = Math.min(best, way); skew = server + way - Date.now(); }
  }

  function showLost(isLost) {
    const line = document.querySelector(".lost");
    if (!line) return;
    line.hidden = !isLost;
    if (isLost) line.querySelector("time").textContent = new Date(seen).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  }

  function swap(text) {
    live.innerHTML = text;
    const note = document.querySelector("[data-changed]");
    if (note) note.textContent = note.dataset.changed;
    filter();
    tick();
    document.dispatchEvent(new CustomEvent("judge:swapped"));
  }

  async function poll() {
    const sent = Date.now();
    try {
      const headers = tag ? { "If-None-Match": tag } : {};
      const answer = await fetch(live.dataset.live, { headers, cache: "no-store", signal: AbortSignal.timeout(10000) });
      setClockBy(answer, sent);
      if (answer.status === 200) {
        tag = answer.headers.get("ETag");
        swap(await answer.text());
      } else if (answer.status === 404 || answer.status === 410) { location.reload(); return; }
      else if (answer.status !== 304) throw new Error(answer.status);
      failures = 0; seen = Date.now(); showLost(false);
    } catch (error) { failures += 1; if (failures > 1) showLost(true); }
    const wait = EVERY + Math.random() * JITTER;
    setTimeout(poll, document.hidden ? SLOWEST : Math.min(wait * Math.max(1, failures), SLOWEST));
  }

  /* -- the clock -- */
  const two = (n) => String(n).padStart(2, "0");
  function written(seconds) {
    const s = Math.abs(seconds), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
    return (seconds < 0 ? "−" : "") + (h ? h + ":" + two(m) : m) + ":" + two(s % 60);
  }
  function tick() {
    for (const clock of document.querySelectorAll("[data-clock][data-ends]")) {
      const t = now(), setup = Number(clock.dataset.setupEnds || 0), inSetup = t < setup;
      const left = Math.ceil(((inSetup ? setup : Number(clock.dataset.ends)) - t) / 1000);
      const phase = inSetup ? "setup" : left > 0 ? "round" : "over";
      clock.dataset.phase = phase;
      clock.querySelector(".clock-says").textContent = clock.dataset["says" + phase[0].toUpperCase() + phase.slice(1)];
      clock.querySelector(".clock-time").textContent = written(left);
      clock.classList.toggle("clock-soon", phase === "round" && left <= 300);
    }
  }

  /* -- find my name -- */
  const find = document.querySelector("[data-find]");
  function filter() {
    if (!find || new URLSearchParams(location.search).get("q")) return;
    const wanted = find.value.trim().toLocaleLowerCase(), isNumber = /^\d+$/.test(wanted);
    for (const row of live.querySelectorAll(".pairs tbody tr")) {
      const text = isNumber ? row.querySelector("th, .num").textContent.trim() : row.textContent.toLocaleLowerCase();
      row.hidden = Boolean(wanted) && !(isNumber ? text === wanted : text.includes(wanted));
    }
  }
  if (find) find.addEventListener("input", filter);

  if (live) { setTimeout(poll, 200 + Math.random() * 800); }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) tick(); });
  tick();
  setInterval(tick, 250);
})();
