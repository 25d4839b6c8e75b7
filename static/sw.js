// The service worker of the installed app. The server puts `const OURS = {…}` above it: the version and the addresses.
// It never touches a write, a fragment or the API, so a new one may take over in the middle of a game.
// Where the server offers Python for the phone, pocket/sync.js answers for the dealer's tables.
"use strict";
if (OURS.packs) importScripts(...OURS.pocket.parts);
const SEEN = "seen"; // copies of the last seen boards, made by app.js; they outlive a version
const PATIENCE = 4000;
const { home, offline, lookup, rules, tables, api } = OURS.places;
const LOOSE = { ignoreSearch: true, ignoreVary: true };

// A table, or the home page with its tables.
const isBoard = (path) => path === home || (path.startsWith(tables) && !path.slice(tables.length).includes("/"));
const isFixed = (path) => [lookup, rules].some((place) => path === place || path.startsWith(`${place}/`));

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  if (OURS.packs && pocketAnswers(event)) return;
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith(api)) return;
  if (request.mode === "navigate") event.respondWith(page(event, url.pathname, url.search));
  else if (url.searchParams.has("v")) event.respondWith(file(request));
});

async function install() {
  const ours = await caches.open(OURS.version);
  await ours.addAll(OURS.addresses.map((address) => new Request(address, { cache: "reload" })));
  await self.skipWaiting();
}

async function activate() {
  const old = (await caches.keys()).filter((name) => ![OURS.version, SEEN, "python"].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

// A file of ours never changes under its versioned address; with no signal another version is better than none.
async function file(request) {
  const ours = await caches.open(OURS.version);
  const kept = await ours.match(request, { ignoreVary: true });
  if (kept) return kept;
  try {
    return await fetch(request);
  } catch (error) {
    return (await ours.match(request, LOOSE)) || Response.error();
  }
}

async function page(event, path, search) {
  const copy = (!isFixed(path) && OURS.packs && (await pocketPage(event.request))) || (await copyOf(path));
  const late = () => new Promise((go, stop) => setTimeout(stop, PATIENCE));
  try {
    const asked = ask(event, path, search);
    return await (copy ? Promise.race([asked, late()]) : asked);
  } catch (error) {
    return copy || (await caches.open(OURS.version)).match(offline, LOOSE);
  }
}

async function ask(event, path, search) {
  const answer = await fetch(event.request);
  if (answer.status > 501) throw new Error(String(answer.status)); // a gateway with nobody behind it
  if (answer.status === 200 && isFixed(path) && !search) {
    const copy = answer.clone();
    event.waitUntil(caches.open(OURS.version).then((ours) => ours.put(path, copy)));
  }
  if (answer.status === 404) event.waitUntil(caches.open(SEEN).then((seen) => seen.delete(path)));
  return answer;
}

async function copyOf(path) {
  const ours = await caches.open(OURS.version);
  if (isFixed(path)) return ours.match(path, LOOSE);
  const seen = isBoard(path) && (await (await caches.open(SEEN)).match(path));
  const empty = await ours.match(offline, LOOSE);
  return seen && empty ? withHeadersOf(empty, seen) : null;
}

// The copy comes from a page, which does not know the headers that every page has.
function withHeadersOf(other, copy) {
  const headers = new Headers(other.headers);
  for (const name of ["Content-Encoding", "Content-Length", "ETag"]) headers.delete(name);
  headers.set("Cache-Control", "no-store");
  return new Response(copy.body, { headers });
}
