/* The desk keeps itself up to date. Pages work without this file: parts with data-refresh="8" ask for
   themselves every 8 seconds, unless somebody is typing in them. */
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

document.addEventListener("DOMContentLoaded", () => {
  if (document.querySelector("[data-refresh]")) keepFresh();
});
