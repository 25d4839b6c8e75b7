// For a server's service worker: pages with no signal, on phones where Python is not.
const PATIENCE = 4000;
const LOOSE = { ignoreSearch: true, ignoreVary: true };
const isRead = ({ method, mode }) => method === "GET" && mode === "navigate";
const isFixed = (path) => [lookup, rules].some((page) => path === page || path.startsWith(`${page}/`));
const tableOf = ({ pathname, searchParams }) => (pathname.startsWith(tables) ? pathname.slice(tables.length).split("/")[0] : searchParams.get("table"));

async function page(event, url) {
  const isHosted = OURS.packs && isPage(event.request) && !tableOf(url) && !isFixed(url.pathname);
  const copy = (isHosted && (await hostPage())) || (await copyOf(url.pathname));
  const late = () => new Promise((go, stop) => setTimeout(stop, PATIENCE));
  try {
    const asked = ask(event, url);
    return await (copy ? Promise.race([asked, late()]) : asked);
  } catch (error) {
    return copy || (await caches.open(OURS.version)).match(offline, LOOSE);
  }
}

async function ask(event, { pathname: path, search }) {
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
