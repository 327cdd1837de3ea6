/* Choosing a hero by typing. Pages work without this file: a browser then offers the names itself.

   - over tiles (.choose-hero) the line narrows the tiles; a single one that is left is chosen
   - whoever still has to choose further down finds the season open that was chosen from: a box serves a table
   - under any other line or text area with list or data-list "hero-names" the fitting names can be tapped
   Names are compared without accents and capitals, from the beginning of each word. */
"use strict";

const SHOWN = 6;

function simple(text) {
  const plain = text.toLocaleLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  return plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function fits(names, typed) {
  return ` ${names} `.includes(` ${typed}`);
}

function prepareTiles(part) {
  const line = part.querySelector(".hero-line");
  const groups = [...part.querySelectorAll(".season")];
  const recent = part.querySelector(":scope > .tiles");
  const wereOpen = groups.map((group) => group.open);
  line.removeAttribute("list");

  function narrow() {
    const typed = simple(line.value);
    let left = [];
    groups.forEach((group, n) => {
      const tiles = [...group.querySelectorAll(".tile")];
      for (const tile of tiles) tile.hidden = typed !== "" && !fits(tile.dataset.find, typed);
      const shown = tiles.filter((tile) => !tile.hidden);
      group.hidden = shown.length === 0;
      group.open = typed === "" ? wereOpen[n] : true;
      left = left.concat(shown);
    });
    if (recent) recent.hidden = typed !== "";
    part.querySelector(".no-hero").hidden = typed === "" || left.length > 0;
    if (typed.length > 1 && left.length === 1) left[0].querySelector("input").checked = true;
    else if (typed !== "") for (const input of part.querySelectorAll("input:checked")) input.checked = false;
  }

  line.addEventListener("input", narrow);
  part.addEventListener("change", (change) => {
    if (change.target.type !== "radio") return;
    line.value = "";
    narrow();
    for (const group of groups) if (!group.contains(change.target)) group.open = false;
    openBelow(part, groups.findIndex((group) => group.contains(change.target)));
  });
}

function openBelow(part, season) {
  const parts = [...document.querySelectorAll(".choose-hero")];
  for (const other of parts.slice(parts.indexOf(part) + 1)) {
    const group = other.querySelectorAll(".season")[season];
    if (group && !other.querySelector("input:checked")) group.open = true;
  }
}

function prepareOffers(offers) {
  const field = document.getElementById(offers.dataset.for);
  const names = [...document.querySelectorAll("#hero-names option")].map((option) => option.value);
  const isArea = field.tagName === "TEXTAREA";
  field.removeAttribute("list");

  function offer() {
    const lines = field.value.split("\n");
    const typed = simple(lines.at(-1));
    const fitting = typed === "" ? [] : names.filter((name) => fits(simple(name), typed));
    const isDone = fitting.length > 0 && fitting.includes(lines.at(-1).trim());
    offers.replaceChildren(...(isDone ? [] : fitting.slice(0, SHOWN)).map((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "small";
      button.textContent = name;
      button.addEventListener("click", () => {
        field.value = [...lines.slice(0, -1), name].join("\n") + (isArea ? "\n" : "");
        offers.replaceChildren();
        field.focus();
      });
      return button;
    }));
  }

  field.addEventListener("input", offer);
}

for (const part of document.querySelectorAll(".choose-hero")) prepareTiles(part);
for (const offers of document.querySelectorAll(".hero-offers")) prepareOffers(offers);
