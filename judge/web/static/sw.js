/* Keeps what a judge needs without a network: the pages seen, the rule book and the heroes. Everything is asked of
   the server first; only if it does not answer, the last copy is shown, or a page that says what is there.
   Taps are not its business: the page of a table keeps and sends them itself. */
"use strict";
const STORE = "judge-1";
const KNOWN = /^\/(rule|rules|heroes|tools|answers|r|static|drawings\.svg|offline)(\/|\?|$)/;
const FIRST = ["/offline", "/rule", "/rules", "/heroes", "/tools"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => Promise.all(FIRST.map((page) => store.add(page).catch(() => {})))));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== STORE).map((name) => caches.delete(name)))));
  self.clients.claim();
});
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const isPage = request.mode === "navigate";
  if (!isPage && !KNOWN.test(url.pathname)) return;
  event.respondWith(answer(request, isPage, KNOWN.test(url.pathname)));
});
async function answer(request, isPage, isKept) {
  try {
    const fresh = await fetch(request);
    if (isKept && fresh.ok && !fresh.redirected) {
      const copy = fresh.clone();
      caches.open(STORE).then((store) => store.put(request, copy)).catch(() => {});
    }
    return fresh;
  } catch (error) {
    const store = await caches.open(STORE);
    const kept = await store.match(request) || (isPage && await store.match(request, { ignoreSearch: true }));
    if (kept) return kept;
    if (isPage) { const page = await store.match("/offline"); if (page) return page; }
    throw error;
  }
}
