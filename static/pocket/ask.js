// For the service worker: Python's files, and requests for Python.
const place = (address) => new URL(address, registration.scope).pathname;
const PACKS = new Map(Object.entries(OURS.packs ?? {}).map(([path, [kind, size]]) => [place(path), { kind, size }]));
const BUNDLE = "python"; // a cache; its files are named after their content, so they never change
const FOLDER = [...PACKS.keys()][0]?.replace(/[^/]*$/, ""); // of all files, and of the picture of Python's memory
const LONG = 3000; // ms for the disk; then Python draws
const NO_BODY = [101, 204, 205, 304];
const tabs = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

async function tellPages(news) {
  for (const page of await tabs()) page.postMessage(news);
}

// Each file is fetched packed, once.
async function fetchBundle() {
  const cache = await caches.open(BUNDLE);
  const total = [...PACKS.values()].reduce((sum, { size }) => sum + size, 0);
  let fetched = 0;
  const count = () => new TransformStream({
    transform(chunk, out) {
      fetched += chunk.length;
      tellPages({ fetched: fetched / total });
      out.enqueue(chunk);
    },
  });
  for (const [path, { kind, size }] of PACKS) {
    if (await cache.match(path)) {
      fetched += size;
      continue;
    }
    const packed = await fetch(`${path}.pack`);
    if (!packed.ok) throw new Error(path);
    const body = packed.body.pipeThrough(count()).pipeThrough(new DecompressionStream("gzip"));
    await cache.put(path, new Response(body, { headers: { "Content-Type": kind } }));
  }
}

async function dropOldBundles() {
  const cache = await caches.open(BUNDLE);
  for (const { url } of await cache.keys()) if (!new URL(url).pathname.startsWith(FOLDER)) await cache.delete(url);
}

// A board or the home page as it was last drawn, if nothing has changed since, and if this browser keeps any.
const keptPage = (request) => Promise.race([findPage(request).catch(() => null), new Promise((go) => setTimeout(go, LONG))]);

async function findPage({ method, mode, url, headers }) {
  const { pathname, search } = new URL(url);
  const id = pathname.startsWith(tables) ? pathname.slice(tables.length) : "";
  if (method !== "GET" || mode !== "navigate" || search || !isBoard(pathname)) return null;
  return pages.find(pathname, await pages.stamp(FOLDER, id, headers.get("Accept-Language") ?? ""));
}

// Every page of ours hears the question, and the one that runs Python answers.
async function askPages(question, hear) {
  for (const page of await tabs()) {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => hear(data);
    page.postMessage(question, [port2]);
  }
}

async function askPython(request) {
  const url = new URL(request.url);
  const from = request.referrer ? new URL(request.referrer).origin : "null"; // a worker sees no Origin
  const headers = [...request.headers, ...(request.method === "GET" ? [] : [["Origin", from]])];
  const asked = { id: crypto.randomUUID(), method: request.method, target: url.pathname + url.search, headers, body: await request.arrayBuffer() };
  const answer = await untilAnswered(asked);
  const { status, written } = answer;
  return { written, response: new Response(NO_BODY.includes(status) ? null : answer.body, { status, headers: answer.headers }) };
}

// Repeated until it is answered. If a page goes away, the next one answers.
const untilAnswered = (asked) => new Promise((go) => {
  let alive = Date.now();
  let wait = 50;
  let next = 0;
  function ask() {
    askPages({ ...asked, silence: Date.now() - alive }, (heard) => {
      alive = Date.now();
      if (heard === "taken") return;
      clearTimeout(next);
      go(heard);
    });
    next = setTimeout(ask, wait);
    wait = Math.min(wait * 2, 1000);
  }
  ask();
});
