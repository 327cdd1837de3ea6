/* The results line on a slow or lost network. Pages work without this file.

   - every line waits in a queue that survives a reload, and is sent again until the server has answered;
     entering a result twice changes nothing, so a lost answer loses and doubles nothing
   - a few lines are on their way at a time, but never two of one table, and an undo goes alone
   - a line that is refused comes back: into the empty line, and always into the list with its reason
   - "?" in an empty line opens the list of keys, "-" takes back the last entry */
"use strict";

const ON_THE_WAY = 4, PATIENCE = 12000, LONGEST_WAIT = 8000;

class EntryLine {
  constructor(form) {
    this.form = form;
    this.line = form.querySelector("#line");
    this.outcome = document.getElementById("entry-outcome");
    this.waiting = document.getElementById("waiting-lines");
    this.refused = document.getElementById("refused-lines");
    this.keys = document.getElementById("keys");
    this.store = "judge-line:" + new URL(form.action).pathname;
    this.queue = JSON.parse(localStorage.getItem(this.store) || "[]");
    this.sending = new Set();
    this.failures = 0;
    this.stopped = "";
    form.addEventListener("submit", (event) => { event.preventDefault(); this.take(this.line.value); });
    this.line.addEventListener("keydown", (press) => this.press(press));
    document.addEventListener("submit", (event) => {
      if (event.target.id === "undo-last") { event.preventDefault(); this.take("-"); }
    });
    window.addEventListener("beforeunload", (event) => { if (this.queue.length) event.preventDefault(); });
    window.addEventListener("online", () => this.pump());
    this.draw();
    this.pump();
  }

  press(press) {
    if (this.line.value !== "") return;
    if (press.key === "?") { press.preventDefault(); this.keys.open = !this.keys.open; }
    if (press.key === "-") { press.preventDefault(); this.take("-"); }
  }

  take(text) {
    text = text.trim();
    this.line.value = "";
    this.line.focus();
    if (text === "") return;
    if (text === "?") { this.keys.open = true; return; }
    for (const item of [...this.refused.children]) {
      if (subject(item.dataset.line) === subject(text)) item.remove();
    }
    this.queue.push({ id: `${Date.now()}-${Math.random()}`, line: text });
    this.stopped = "";
    this.keep();
    this.pump();
  }

  keep() {
    localStorage.setItem(this.store, JSON.stringify(this.queue));
    this.draw();
  }

  next() {
    const subjects = this.queue.filter((item) => this.sending.has(item.id)).map((item) => subject(item.line));
    for (const item of this.queue) {
      if (this.sending.has(item.id)) continue;
      if (isUndo(item.line)) return this.sending.size === 0 && item === this.queue[0] ? item : null;
      if (!subjects.includes(subject(item.line))) return item;
    }
    return null;
  }

  pump() {
    while (!this.stopped && this.sending.size < ON_THE_WAY) {
      const item = this.next();
      if (!item) return;
      this.sending.add(item.id);
      this.send(item);
    }
  }

  async send(item) {
    const body = new URLSearchParams({ csrf_token: this.form.elements.csrf_token.value, line: item.line });
    const last = this.outcome.querySelector("[data-last]");
    if (isUndo(item.line)) {
      item.entry ??= last ? last.dataset.last : "";  // the same one when it is sent again
      body.set("entry", item.entry);
      this.keep();
    }
    try {
      const answer = await fetch(this.form.action, {
        method: "POST", body, headers: { "HX-Request": "true" }, signal: AbortSignal.timeout(PATIENCE),
      });
      const said = await answer.text();
      if (answer.redirected || answer.status === 400 || answer.status === 403) this.stop(item);
      else if (answer.ok || answer.status === 409 || answer.status === 422) this.answered(item, answer, said);
      else this.later(item);
    } catch { this.later(item); }
  }

  answered(item, answer, said) {
    this.failures = 0;
    this.sending.delete(item.id);
    this.queue = this.queue.filter((other) => other.id !== item.id);
    this.outcome.innerHTML = said;
    if (!answer.ok) this.giveBack(item);
    if ("help" in (this.outcome.querySelector(".entry-says")?.dataset ?? {})) this.keys.open = true;
    this.keep();
    clearTimeout(this.soon);
    this.soon = setTimeout(() => document.body.dispatchEvent(new Event("entered", { bubbles: true })), 300);
    this.pump();
  }

  giveBack(item) {
    const says = this.outcome.querySelector(".entry-says");
    const typed = says?.dataset.typed || item.line;
    const entry = document.createElement("li");
    entry.dataset.line = item.line;
    const line = document.createElement("kbd"), why = document.createElement("span"), again = document.createElement("button");
    line.textContent = item.line;
    why.textContent = says?.textContent.trim() ?? "";
    again.textContent = this.form.dataset.again;
    again.type = "button";
    again.addEventListener("click", () => { this.line.value = typed; this.line.focus(); entry.remove(); });
    entry.append(line, " ", why, " ", again);
    this.refused.append(entry);
    if (this.line.value === "") { this.line.value = typed; this.line.select(); }
  }

  later(item) {
    this.sending.delete(item.id);
    this.failures += 1;
    this.draw();
    setTimeout(() => this.pump(), Math.min(LONGEST_WAIT, 400 * 2 ** Math.min(this.failures, 5)) * (0.5 + Math.random()));
  }

  stop(item) {
    this.sending.delete(item.id);
    this.stopped = this.form.dataset.stopped;
    this.draw();
  }

  draw() {
    const count = this.queue.length;
    const state = this.stopped || (this.failures ? this.form.dataset.lost : this.form.dataset.waits);
    this.waiting.hidden = count === 0;
    this.waiting.textContent = count ? `${state} ${this.queue.map((item) => item.line).join(" · ")}` : "";
    this.waiting.classList.toggle("warn", Boolean(this.stopped || this.failures));
  }
}

function subject(line) { return line.trim().toLowerCase().split(/\s+/)[0]; }
function isUndo(line) { return ["-", "u"].includes(line.trim().toLowerCase()); }

document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("entry");
  if (form) { new EntryLine(form); form.querySelector("#line").select(); }
});
