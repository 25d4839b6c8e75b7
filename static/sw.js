// The service worker of both editions: who answers, a file, Python on this phone, or the server?
// Above it stand `const OURS = {…}` and its other parts: see companion/web/pwa.py.
const SEEN = "seen"; // copies of the last seen boards, made by app.js; they outlive a version
const places = Object.entries(OURS.places).map(([name, address]) => [name, place(address)]);
const { home, worker, manifest, files, offline, lookup, rules, tables, api } = Object.fromEntries(places);

const isPage = ({ mode, destination }) => mode === "navigate" && destination !== "iframe";
const isFile = (path) => PACKS.has(path) || path.startsWith(files) || path === manifest;
// A table, or the home page with its tables.
const isBoard = (path) => path === home || (path.startsWith(tables) && !path.slice(tables.length).includes("/"));

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === "may you take over?") event.waitUntil(nobodyElseLooks(event));
  if (event.data === "take over") event.waitUntil(self.skipWaiting());
});
self.addEventListener("fetch", (event) => {
  const answer = route(event, new URL(event.request.url));
  if (answer) event.respondWith(answer);
});

// Null: the request goes to the server as if there were no service worker.
function route(event, url) {
  const { request } = event;
  const path = url.pathname;
  if (url.origin !== location.origin || !path.startsWith(home) || path === worker || path.endsWith(".pack")) return null;
  if (isFile(path)) return file(request);
  if (OURS.alone) return isPage(request) ? hostPage() : phoneAlone(request);
  if (path.startsWith(api)) return null;
  if (OURS.packs && tableOf(url)) return atTable(event, url, tableOf(url));
  if (OURS.packs && !isPage(request)) return serverFirst(event, request);
  return isRead(request) ? page(event, url) : null;
}

// A new version of the site waits: see pocket/host.js.
async function install() {
  const ours = await caches.open(OURS.version);
  await ours.addAll(OURS.addresses.map((address) => new Request(new URL(address, registration.scope), { cache: "reload" })));
  await (OURS.alone ? fetchBundle() : self.skipWaiting());
}

async function activate() {
  const old = (await caches.keys()).filter((name) => ![OURS.version, SEEN, BUNDLE].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  if (OURS.alone) await dropOldBundles();
  await self.clients.claim();
}

// Reload a hidden tab; leave a visible one alone.
async function nobodyElseLooks({ source, ports: [port] }) {
  const others = (await tabs()).filter((tab) => tab.frameType === "top-level" && tab.id !== source.id);
  port.postMessage(others.every((tab) => tab.visibilityState !== "visible"));
}

// A file never changes under its versioned address. With no signal another version is better than none.
async function file(request) {
  const find = (cacheName, ignoreSearch) => caches.match(request, { cacheName, ignoreSearch, ignoreVary: true });
  const kept = (await find(OURS.version, !new URL(request.url).search)) || (await find(BUNDLE));
  return kept || fetch(request).catch(async () => (await find(OURS.version, true)) || Response.error());
}

// For every address: the page that shows it in its frame. On the site its own addresses are relative to its base.
async function hostPage() {
  const kept = await caches.match(place(OURS.pocket.host), { cacheName: OURS.version, ignoreVary: true });
  if (!OURS.alone) return (await hasBundle()) && kept;
  const text = (await (kept || (await fetch(home))).text()).replace('<base href="./">', `<base href="${home}">`);
  return new Response(text, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}

const phoneAlone = async (request) => (await keptPage(request)) || (await askPython(request)).response;
