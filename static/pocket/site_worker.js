// The service worker of the static site, after worker.js: files come from the cache, everything else from Python.
"use strict";
const HOME = place("./");
const STATIC = place("static/"); // pictures are not cached in advance, but Python does not serve them either
const FILES = new Set(OURS.addresses.map(place));

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === "may you take over?") event.waitUntil(nobodyElseLooks(event));
  if (event.data === "take over") event.waitUntil(self.skipWaiting());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(HOME) || url.pathname === place("sw.js")) return;
  if (request.mode === "navigate" && request.destination === "document") event.respondWith(hostPage());
  else if (PACKS.has(url.pathname) || url.pathname.startsWith(STATIC) || (FILES.has(url.pathname) && url.pathname !== HOME)) event.respondWith(file(url.pathname));
  else event.respondWith(answer(request));
});

async function install() {
  const ours = await caches.open(OURS.version);
  await ours.addAll(OURS.addresses.map((address) => new Request(new URL(address, registration.scope), { cache: "reload" })));
  await fetchBundle();
}

async function activate() {
  const kept = [OURS.version, BUNDLE];
  await Promise.all((await caches.keys()).filter((name) => !kept.includes(name)).map((name) => caches.delete(name)));
  await dropOldBundles();
  await self.clients.claim();
}

async function answer(request) {
  return (await keptPage(request)) || (await askPython(request)).response;
}

// Reload a hidden tab; leave a visible one alone.
async function nobodyElseLooks({ source, ports: [port] }) {
  const others = (await tabs()).filter((page) => page.frameType === "top-level" && page.id !== source.id);
  port.postMessage(others.every((page) => page.visibilityState !== "visible"));
}

// Only from this version's cache: a waiting version has its own.
async function file(path) {
  for (const name of [OURS.version, BUNDLE]) {
    const kept = await (await caches.open(name)).match(path, { ignoreSearch: true, ignoreVary: true });
    if (kept) return kept;
  }
  return fetch(path);
}

// For every address: the host page, which shows it in its frame.
async function hostPage() {
  const kept = await (await caches.open(OURS.version)).match(HOME);
  const page = (await kept.text()).replace('<base href="./">', `<base href="${HOME}">`);
  return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}
