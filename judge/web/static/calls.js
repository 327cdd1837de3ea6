/* Calls for a judge on top of every page of the desk. A new one vibrates and, once the page was touched,
   sounds; without this file the number on the tab tells. */
"use strict";

(() => {
  const banner = document.getElementById("calls-banner");
  if (!banner) return;
  const known = new Set(JSON.parse(sessionStorage.getItem("judge-calls") || "[]"));
  let audio = null;
  document.addEventListener("pointerdown", () => { audio ??= new AudioContext(); }, { once: true });

  function sound() {
    if (navigator.vibrate) navigator.vibrate([250, 120, 250]);
    if (!audio) return;
    const tone = audio.createOscillator(), volume = audio.createGain();
    tone.frequency.value = 740;
    volume.gain.setValueAtTime(0.25, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.6);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.6);
  }

  function look() {
    const calls = [...banner.querySelectorAll("[data-call]")].map((call) => call.dataset.call);
    const isNew = calls.some((call) => !known.has(call));
    calls.forEach((call) => known.add(call));
    sessionStorage.setItem("judge-calls", JSON.stringify([...known].slice(-200)));
    if (isNew) sound();
  }

  new MutationObserver(look).observe(banner, { childList: true, subtree: true });
  look();
})();
