/* The page of a table without reloading: every form is sent in the order of the taps, the answer is swapped in.
   What cannot be sent because the network is gone is kept in this browser and sent when the server is back;
   nothing is ruled meanwhile, and the page says so. Without this file every tap is an ordinary form.

   Keys: see the list on the page ("?"). */
"use strict";
(() => {
  const part = document.getElementById("table");
  const note = document.getElementById("unsent");
  const address = part.dataset.address;
  const store = "judge-unsent:" + address;
  const FOLDS = "Judge-Folds", PART = { "HX-Request": "true", [FOLDS]: "none" };
  let sending = Promise.resolve(), again = null;

  /* -- sending in order, and keeping what could not be sent -- */
  const kept = () => JSON.parse(localStorage.getItem(store) || "[]");
  function keep(list) {
    if (list.length) localStorage.setItem(store, JSON.stringify(list)); else localStorage.removeItem(store);
    tell(list, list.length === 1 ? note.dataset.one : note.dataset.many.replace("#", list.length));
  }
  /* What waits is told above the bottom bar and shown in the list of events. */
  function tell(list, text) {
    note.hidden = !list.length;
    note.querySelector(".unsent-says").textContent = text;
    const events = part.querySelector(".events");
    if (!events) return;
    for (const line of events.querySelectorAll(".waiting")) line.remove();
    if (note.hidden) return;
    for (const tap of list) {
      const line = document.createElement("li");
      line.className = "line waiting";
      line.textContent = "⏳ " + (tap.says || "…");
      events.append(line);
    }
  }
  const markOf = (tap) => ((tap.body || tap).find(([name]) => name === "once") || [])[1];
  /* Another window of this browser has sent what waited here: show the table as it is now. */
  async function sentElsewhere() {
    keep([]);
    try {
      const answer = await fetch(address, { headers: PART });
      if (answer.ok) swap(await answer.text(), answer);
    } catch (error) { /* away again: the next tap tells */ }
  }
  const mark = () => Date.now().toString(36) + Math.random().toString(36).slice(2, 10);

  /* The server leaves out the content of the folds that are shown here and do not change. */
  const shown = () => [...part.querySelectorAll("[data-fold]")].map((fold) => fold.dataset.fold).join(" ");
  const submit = (body) => fetch(address, { method: "POST", headers: { ...PART, [FOLDS]: shown() }, body: new URLSearchParams(body) });
  async function post(body) {
    let answer = await submit(body);
    if (answer.status === 400) {  /* the session ran out: a new page brings a new token, the tap stays the same */
      const page = await fetch(address, { headers: PART });
      const token = /name="csrf_token" value="([^"]+)"/.exec(await page.text());
      if (token) answer = await submit(body.map(([name, value]) => [name, name === "csrf_token" ? token[1] : value]));
    }
    if (answer.status === 429 || answer.status >= 500) throw new TypeError("the server is away");
    return answer;
  }
  function send(body, says) {
    const list = [...kept(), { body, says }];
    localStorage.setItem(store, JSON.stringify(list));
    if (list.length > 1 || again) keep(list);
    sending = sending.then(flush);
    return sending;
  }
  async function flush() {
    clearTimeout(again); again = null;
    if (!note.hidden && !kept().length) await sentElsewhere();
    for (let list = kept(); list.length; list = kept()) {
      let answer;
      try { answer = await post(list[0].body || list[0]); } catch (error) {
        keep(kept());
        again = setTimeout(() => { sending = sending.then(flush); }, 1500);
        return;
      }
      if ([400, 401, 403, 404].includes(answer.status)) {  /* not accepted: nothing is thrown away */
        tell(kept(), note.dataset.refused);
        again = setTimeout(() => { sending = sending.then(flush); }, 5000);
        return;
      }
      keep(kept().filter((tap) => markOf(tap) !== markOf(list[0])));  /* another window may have sent it too */
      if (answer.headers.get("Content-Type").startsWith("text/html")) swap(await answer.text(), answer);
    }
  }

  /* -- swapping, with the place on the page and the focus kept -- */
  function nameOf(element) {
    if (!element || !part.contains(element)) return null;
    return element.id ? "#" + element.id : element.name && element.value ? `[name="${element.name}"][value='${CSS.escape(element.value)}']` : null;
  }
  /* A line that is being typed in stays the same element, with its letters and its caret; a line that was sent
     is drawn anew, except a claim, which is saved while it is typed. */
  function lineBeingTyped() {
    const line = document.activeElement;
    if (!line || !part.contains(line) || !line.id || !line.matches("textarea, input:not([type=radio]):not([type=checkbox])")) return null;
    return line.form === sent && !line.name.startsWith("claim-") ? null : line;
  }
  /* A fold whose content was left out gets what it had, as if it were drawn anew: nothing open, and nothing entered
     but in the form that is being typed in. */
  function fillAgain(fold, before, typed) {
    if (!before) { location.reload(); return; }
    fold.append(...before.childNodes);
    for (const form of fold.querySelectorAll("form")) if (!typed || form !== typed.form) form.reset();
    for (const inner of fold.querySelectorAll("details[open]")) inner.open = false;
  }
  function swap(text, answer) {
    const had = part.contains(document.activeElement), focus = nameOf(document.activeElement), typed = lineBeingTyped();
    const folds = new Map([...part.querySelectorAll("[data-fold]")].map((fold) => [fold.dataset.fold, fold]));
    part.innerHTML = text;
    for (const fold of part.querySelectorAll("[data-shown]")) fillAgain(fold, folds.get(fold.dataset.fold), typed);
    const drawn = typed && document.getElementById(typed.id);
    if (drawn) {
      drawn.replaceWith(typed);
      for (let fold = typed.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      typed.focus({ preventScroll: true });
    }
    prepare();
    if (kept().length > 1) keep(kept());
    let target = null;
    try { target = !drawn && focus && part.querySelector(focus); } catch (error) { target = null; }
    if (target) target.focus({ preventScroll: true });
    if (!drawn) showQuestion();
    if (had && document.activeElement === document.body) document.getElementById("now").focus({ preventScroll: true });
    speak();
    const timing = answer && answer.headers.get("Server-Timing");
    requestAnimationFrame(() => setTimeout(() => document.dispatchEvent(new CustomEvent("judge:shown", { detail: timing }))));
  }
  /* An open question is brought into view, below what sticks to the top, and gets the focus. */
  function showQuestion() {
    const tried = document.getElementById("tried"), card = document.getElementById("question");
    const open = tried || (card && card.querySelector(".asks, .forge-roll, .copies, .spot") ? card : null)
      || part.querySelector("#now[data-follow] .current");
    if (!open) return;
    const stuck = part.querySelector(".strips"), top = stuck ? stuck.getBoundingClientRect().bottom : 0;
    const box = open.getBoundingClientRect();
    if (box.top < top || box.bottom > innerHeight - 90) scrollBy(0, box.top - top - 8);
    const first = open.querySelector(".dice-form:not(.single) .die-button.next, .single .palette button, .numbers-row button, .event-tools button");
    if (!open.contains(document.activeElement)) (first || open).focus({ preventScroll: true });
  }
  /* What changed is said once, in a region that stays. */
  let said = "";
  function speak() {
    const now = document.getElementById("answer-so-far"), spoken = document.getElementById("spoken");
    const text = now ? now.innerText.replace(/\s+/g, " ").trim() : "";
    if (spoken && text !== said) spoken.textContent = said = text;
  }
  async function go(href) {
    await sending;
    try {
      let answer = await fetch(href, { headers: PART });
      if (answer.status === 429 || answer.status === 503) {  /* busy just now: once more */
        await new Promise((done) => setTimeout(done, 600));
        answer = await fetch(href, { headers: PART });
      }
      if (!answer.ok) { location.href = href; return; }
      swap(await answer.text(), answer);
      history.replaceState(null, "", href);
      document.getElementById("now").scrollIntoView({ block: "nearest" });
    } catch (error) { location.href = href; }  /* the service worker shows what it knows */
  }

  /* What a form that was swapped in leaves out: the token, and where on the page the judge is. */
  function sentAlong(form) {
    const token = form.elements.csrf_token ? [] : [part.querySelector("[name=csrf_token]")];
    const place = form.elements.p ? [] : part.querySelectorAll("#along input:not([name=csrf_token])");
    return [...token, ...place].map((field) => [field.name, field.value]);
  }
  /* A finger that hits twice means one thing, except on a counter. */
  const ONCE = new Set(["add", "roll", "roll-before", "something", "remove", "join", "forge", "token", "answer", "next-attack"]);
  let last = { said: "", at: 0 }, sent = null;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!part.contains(form)) return;
    if (form.method === "get") {
      event.preventDefault();
      find(form);
    } else if (form.method === "post" && form.getAttribute("action") === address) {
      event.preventDefault();
      const body = [...sentAlong(form), ...new FormData(form, event.submitter)].filter(([, value]) => typeof value === "string");
      const said = JSON.stringify(body);
      if (ONCE.has(form.elements.do && form.elements.do.value) && said === last.said && Date.now() - last.at < 450) return;
      last = { said, at: Date.now() };
      sent = form;
      send([...body, ["once", mark()]], event.submitter ? event.submitter.innerText.trim().replace(/\s+/g, " ") : "");
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-part]");
    if (link && !event.ctrlKey && !event.metaKey) { event.preventDefault(); go(link.href); }
    const step = event.target.closest("[data-step]");
    if (step) {
      const input = step.parentElement.querySelector("input");
      input.value = Math.max(0, Number(input.value || 0) + Number(step.dataset.step)) || "";
    }
  });

  /* -- finding by two letters: only the list of finds is swapped, the letters stay -- */
  let typing = 0;
  async function find(form) {
    const turn = ++typing;
    const query = new URLSearchParams(new FormData(form));
    const answer = await fetch(`${address}/find?${query}`, { headers: PART }).catch(() => null);
    if (answer && answer.ok && turn === typing) document.getElementById("found").innerHTML = await answer.text();
  }
  document.addEventListener("input", (event) => {
    if (event.target.id === "q") find(event.target.form);
  });
  /* What somebody claims is saved as it is typed: when the typing pauses, or the line is left. */
  let pause = null;
  const saveClaims = (form) => { clearTimeout(pause); pause = null; if (form.isConnected) form.requestSubmit(); };
  document.addEventListener("input", (event) => {
    if (!event.target.name || !event.target.name.startsWith("claim-")) return;
    clearTimeout(pause);
    pause = setTimeout(saveClaims, 700, event.target.form);
  });
  document.addEventListener("change", (event) => {
    if (pause && event.target.name && event.target.name.startsWith("claim-")) saveClaims(event.target.form);
  });

  /* -- dice: a tap on a die turns it, a tap on a face (or a digit) fills the next one; the last one sends -- */
  function drawDice(form) {
    const sets = [...form.querySelectorAll(".die:not(.forge)")];
    if (!sets.length || form.classList.contains("drawn")) return;
    form.classList.add("drawn");
    form.classList.toggle("single", sets.length === 1);
    const inputs = sets.map((set) => [...set.querySelectorAll("input")]);
    const face = (die, n) => inputs[die][n - 1].closest(".face").querySelector(".die-drawn").cloneNode(true);
    const name = (die, n) => { const unseen = inputs[die][n - 1].closest(".face").querySelector(".unseen"); return unseen ? unseen.textContent : String(n); };
    const shows = (die) => inputs[die].findIndex((input) => input.checked) + 1;
    let next = 0, waiting = null;
    const buttons = sets.map((set, die) => {
      const button = document.createElement("button");
      button.type = "button";
      button.addEventListener("click", () => { put(die, shows(die) % 6 + 1, false); });
      set.append(button);
      return button;
    });
    const palette = document.createElement("div");
    palette.className = "palette";
    for (let n = 1; n <= 6; n += 1) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.face = n;
      button.append(face(0, n));
      button.setAttribute("aria-label", name(0, n));
      button.addEventListener("click", () => put(next, n, true));
      palette.append(button);
    }
    form.querySelector(".dice").after(palette);
    function put(die, n, moves) {
      inputs[die][n - 1].checked = true;
      const unset = sets.findIndex((set, k) => !shows(k));
      next = !moves ? die : unset >= 0 ? unset : (die + 1) % sets.length;
      draw();
      clearTimeout(waiting);
      if (unset >= 0) return;
      if (moves && form.hasAttribute("data-fresh")) form.requestSubmit();
      else waiting = setTimeout(() => { if (form.isConnected) form.requestSubmit(); }, 900);
    }
    function draw() {
      buttons.forEach((button, die) => {
        const n = shows(die);
        button.className = "die-button" + (n ? " set" : "") + (die === next ? " next" : "");
        button.replaceChildren(n ? face(die, n) : "?");
        button.setAttribute("aria-label", form.dataset.say.replace("#", die + 1) + " " + (n ? name(die, n) : "?"));
      });
      form.classList.toggle("whole", sets.every((set, k) => shows(k)));
    }
    form.addEventListener("keydown", (press) => {
      if (!/^[1-6]$/.test(press.key) || digits !== null) return;  /* after # a number is typed */
      press.preventDefault();
      press.stopPropagation();
      put(next, Number(press.key), true);
      if (form.isConnected) buttons[next].focus({ preventScroll: true });
    });
    next = Math.max(0, sets.findIndex((set, k) => !shows(k)));
    draw();
  }
  document.addEventListener("change", (event) => {
    const form = event.target.closest(".dice-form:not(.drawn)");
    if (form && new Set([...form.querySelectorAll(":checked")].map((i) => i.name)).size === Number(form.dataset.dice)) form.requestSubmit();
  });

  /* -- keys; whoever does not want them switches them off, and this browser remembers it -- */
  const LETTERS = "abcdefghijklmnopqrstuvwxyz", KEYS_OFF = "judge-keys-off";
  const help = document.getElementById("keys-help"), useKeys = document.getElementById("use-keys");
  const hasKeys = () => !localStorage.getItem(KEYS_OFF);
  useKeys.checked = hasKeys();
  useKeys.addEventListener("change", () => {
    if (useKeys.checked) localStorage.removeItem(KEYS_OFF); else localStorage.setItem(KEYS_OFF, "1");
    nameKeys();
  });
  const opener = document.getElementById("keys-open");
  opener.hidden = false;
  opener.addEventListener("click", () => help.showModal());
  function prepare() {
    for (const button of part.querySelectorAll("[data-step]")) button.hidden = false;
    for (const form of part.querySelectorAll(".dice-form")) drawDice(form);
    offerSimilar();
    nameKeys();
  }
  function nameKeys() {
    part.querySelectorAll(".offers > .chips .chip").forEach((chip, k) => {
      const letter = hasKeys() && LETTERS[k];
      if (letter) { chip.dataset.letter = letter; chip.setAttribute("aria-keyshortcuts", letter); }
      else { delete chip.dataset.letter; chip.removeAttribute("aria-keyshortcuts"); }
    });
  }
  function typed(number) {
    const fitting = [...part.querySelectorAll(".number-chip")].find((chip) => chip.value === number);
    if (fitting) fitting.click();
  }
  let digits = null;
  document.addEventListener("keydown", (press) => {
    if (press.target.closest("input:not([type=radio]):not([type=checkbox]), textarea, select, dialog") ) {
      if (press.key === "Escape") press.target.blur();
      return;
    }
    if (press.ctrlKey || press.metaKey || !hasKeys()) return;
    const key = press.key;
    const act = (element) => { if (element) { press.preventDefault(); element.click(); } };
    if (digits !== null) {
      if (/^\d$/.test(key)) { digits += key; press.preventDefault(); return; }
      if (key === "Enter") { press.preventDefault(); typed(digits); }
      digits = null;
      return;
    }
    if (press.altKey) {
      if (press.code === "KeyU") act(document.getElementById("undo"));
      if (press.code === "KeyR") act(document.getElementById("redo"));
    } else if (key === "?") { press.preventDefault(); help.open ? help.close() : help.showModal(); }
    else if (key === "/") { press.preventDefault(); document.getElementById("q").focus(); }
    else if (key === "#") { press.preventDefault(); digits = ""; }
    else if (key === "=") act(document.getElementById("to-ruling"));
    else if (key === "+") { press.preventDefault(); const fold = document.getElementById("else"); fold.open = true; fold.querySelector("input:not([type=hidden])").focus(); }
    else if (key === "Backspace") { const last = [...part.querySelectorAll("[id^=remove-]")].pop(); act(last); }
    else if (/^[1-6]$/.test(key) && part.querySelector(`.strip[data-key="${key}"]`)) act(part.querySelector(`.strip[data-key="${key}"]`));
    else if (/^[a-z]$/.test(key)) act(part.querySelector(`.chip[data-letter="${key}"]`));
    else if (key.startsWith("Arrow")) {
      const chips = [...part.querySelectorAll(".offers > .chips .chip, #found .chip")];
      const here = chips.indexOf(document.activeElement), wide = chips.length && Math.round(part.clientWidth / chips[0].offsetWidth) || 1;
      const to = here < 0 ? 0 : here + { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -wide, ArrowDown: wide }[key];
      if (here < 0 && !document.activeElement.matches("body, #now, #question")) return;
      if (chips[to]) { press.preventDefault(); chips[to].focus(); }
    }
  });

  /* -- similar rulings: looked up when the taps have paused, and only if the table is about something else -- */
  const alike = { about: "", html: "", timer: null };
  function offerSimilar() {
    const slot = document.getElementById("similar");
    clearTimeout(alike.timer);
    if (!slot) return;
    const { about, href } = slot.dataset;
    slot.innerHTML = alike.html;
    if (about === alike.about) return;
    alike.timer = setTimeout(async () => {
      const answer = await fetch(href, { headers: PART }).catch(() => null);
      if (!answer || !answer.ok) return;
      Object.assign(alike, { about, html: await answer.text() });
      const now = document.getElementById("similar");
      if (now) now.innerHTML = alike.html;
    }, 500);
  }

  prepare();
  speak();
  if (location.hash === "#question") showQuestion();
  if (kept().length) sending = sending.then(flush);
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("/sw.js").catch(() => {});
  addEventListener("online", () => { sending = sending.then(flush); });
  addEventListener("storage", (event) => { if (event.key === store && !event.newValue && !note.hidden) sending = sending.then(flush); });
})();
