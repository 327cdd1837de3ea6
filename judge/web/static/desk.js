/* The desk with a keyboard. Pages work without this file; it keeps the line ready while results fly in.

   - parts with data-refresh="8" ask for themselves every 8 seconds, unless somebody is typing in them
   - on the results page the line empties as it is sent and comes back if it was refused;
     "?" in an empty line opens the list of keys, "-" takes back the last entry */
"use strict";

function isBusy(part) {
  const inputs = [...part.querySelectorAll("input:not([type=hidden])")];
  return document.hidden || part.matches(":focus-within") || inputs.some((i) => i.value !== i.defaultValue);
}

function keepFresh() {
  const seconds = Math.min(...[...document.querySelectorAll("[data-refresh]")].map((p) => +p.dataset.refresh), 30);
  setTimeout(() => {
    for (const part of document.querySelectorAll("[data-refresh]")) {
      if (!isBusy(part)) part.dispatchEvent(new Event("refresh"));
    }
    keepFresh();
  }, (seconds + Math.random()) * 1000);
}

function prepareLine(form) {
  const line = form.querySelector("#line");
  const keys = document.getElementById("keys");
  form.addEventListener("submit", () => setTimeout(() => { line.value = ""; line.focus(); }, 0));
  line.addEventListener("keydown", (press) => {
    if (line.value !== "") return;
    if (press.key === "?") { press.preventDefault(); keys.open = !keys.open; }
    const undo = document.getElementById("undo-last");
    if (press.key === "-" && undo) { press.preventDefault(); undo.requestSubmit(); }
  });
  new MutationObserver(() => {
    const said = document.querySelector(".entry-says");  // without an id: htmx lends those their old attributes
    if (!said || said.dataset.seen) return;
    said.dataset.seen = "yes";
    if (said.dataset.typed && line.value === "") line.value = said.dataset.typed;
    if ("help" in said.dataset) keys.open = true;
    if (document.activeElement === document.body) line.focus();
  }).observe(document.getElementById("entry-outcome"), { childList: true });
}

document.addEventListener("DOMContentLoaded", () => {
  if (document.querySelector("[data-refresh]")) keepFresh();
  const form = document.getElementById("entry");
  if (form) { prepareLine(form); form.querySelector("#line").select(); }
});
