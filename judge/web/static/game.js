/* A game followed with the arrow keys: left and right step to the event before and after, Home and End to the
   beginning and the end. Not while something is being typed or chosen. */
"use strict";
document.addEventListener("keydown", (press) => {
  if (localStorage.getItem("judge-keys-off")) return;  /* switched off at the table */
  if (press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return;
  if (press.target.closest("input, textarea, select, [contenteditable]")) return;
  const step = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[press.key];
  const link = step && document.querySelector(`.stepper a[data-step="${step}"]`);
  if (link) { press.preventDefault(); link.click(); }
});
