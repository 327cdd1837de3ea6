/* Turns the big screen's panels, each cut into pages of what fits. live.js brings new content and says when
   the network is lost; what is shown stays. */
(() => {
  "use strict";
  const SECONDS = { pairings: 12, names: 12, standings: 10, bracket: 12, podium: 20, clock: 10, welcome: 30 };
  let panel = 0, page = 0, timer = null;

  const panels = () => [...document.querySelectorAll(".panel")];

  /* How many lines stand in the box without being cut off, over all its columns. */
  function fitting(list) {
    const lines = [...list.children];
    lines.forEach((line) => { line.hidden = false; });
    if (!lines.length) return 1;
    list.classList.add("single"); /* few lines: one column, larger */
    const one = Math.floor(list.clientHeight / (lines[0].getBoundingClientRect().height || 1));
    list.classList.toggle("single", lines.length <= one);
    const height = lines[0].getBoundingClientRect().height || 1;
    list.classList.toggle("few", lines.length * height <= list.clientHeight); // one wide column, whole names
    const width = lines[0].getBoundingClientRect().width || list.clientWidth;
    const columns = Math.max(1, Math.floor((list.clientWidth + 2) / width));
    return Math.max(1, Math.floor(list.clientHeight / height) * columns);
  }

  /* Show one page of the panel; returns how many there are. */
  function lay(shown) {
    const list = shown.querySelector("[data-pages]");
    if (!list) return 1;
    const size = fitting(list), lines = [...list.children], count = Math.ceil(lines.length / size) || 1;
    page = Math.min(page, count - 1);
    lines.forEach((line, n) => { line.hidden = Math.floor(n / size) !== page; });
    const note = shown.querySelector(".panel-page");
    if (note) note.textContent = count > 1 ? `${page + 1} / ${count}` : "";
    return count;
  }

  function show() {
    const all = panels();
    if (!all.length) return 1;
    panel %= all.length;
    all.forEach((one, n) => one.classList.toggle("on", n === panel));
    return lay(all[panel]);
  }

  function turn() {
    const count = show();
    page += 1;
    if (page >= count) { page = 0; panel += 1; }
    show();
    wait();
  }

  function wait() {
    clearTimeout(timer);
    const shown = document.querySelector(".panel.on");
    timer = setTimeout(turn, 1000 * (SECONDS[shown && shown.dataset.panel] || 10));
  }

  document.body.classList.add("turning");
  document.addEventListener("judge:swapped", show);
  window.addEventListener("resize", show);
  show();
  wait();
})();
