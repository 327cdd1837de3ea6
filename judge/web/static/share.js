/* Share a ruling by the phone's own sheet, or copy it as text. Without this file neither button is shown. */
"use strict";
for (const tools of document.querySelectorAll(".share-tools")) {
  const { link, title, text } = tools.dataset;
  const whole = [text.trim(), link].filter(Boolean).join("\n");
  const share = tools.querySelector("[data-share]"), copy = tools.querySelector("[data-copy]");
  tools.hidden = false;
  share.hidden = !navigator.share;
  share.addEventListener("click", () => navigator.share({ title, text: text.trim(), ...(link ? { url: link } : {}) }).catch(() => {}));
  copy.addEventListener("click", async () => {
    try { await navigator.clipboard.writeText(whole); } catch (error) {
      const area = document.createElement("textarea");
      area.value = whole;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    const said = copy.textContent;
    copy.textContent = copy.dataset.done;
    setTimeout(() => { copy.textContent = said; }, 2000);
  });
}
