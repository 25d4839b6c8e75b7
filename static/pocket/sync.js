// For the service worker where there is a server: the dealer's phone answers first, and what it wrote is sent.
const PATIENT = 2500; // ms to wait for the server where Python can answer instead
const BRIEF = 500; // ms, where the phone has the page as it was last drawn
const PROBE = 150; // ms for a page to say that it runs Python
const SEND_PATIENCE = 10000;
const AT_ONCE = 100; // rows
const NEEDS_SERVER = /\/(code|handover|take|deals|delete)$/;
const late = (ms) => new Promise((_go, stop) => setTimeout(stop, ms, new Error("late")));
const isAway = (status) => status >= 500 || status === 408 || status === 429;

self.addEventListener("sync", (event) => event.waitUntil(send()));
self.addEventListener("message", (event) => {
  const { data, source } = event;
  if (data === "pocket") source.postMessage({ pocket: OURS.pocket });
  if (data === "send") event.waitUntil(send());
  if (data.tellOf) event.waitUntil(tellOf(data.tellOf));
  if (data.take) event.waitUntil(takeAlong(data.take).then(() => source.postMessage({ taken: data.take })));
});

async function atTable(event, url, id) {
  const { request } = event;
  if (!(await journal.table(id))) return asBefore(event, url);
  if (isPage(request) && isRead(request)) {
    event.waitUntil(pull(id).catch(() => {}));
    return (await hostPage()) || asBefore(event, url);
  }
  if (NEEDS_SERVER.test(url.pathname)) return ofTheServer(event, id);
  if (await journal.unsentCount(id)) {
    if (await pythonIs(event)) return phone(event, request, id);
    await send();
    if (await journal.unsentCount(id)) return park(request, id);
  }
  return (await pythonIs(event)) === "awake" && (await isComplete(request.clone(), id)) ? phone(event, request, id) : serverFirst(event, request, id);
}

async function asBefore(event, url) {
  return forFrame(event.request, await (isRead(event.request) ? page(event, url) : fetch(event.request)));
}

// The copy has every row the page has seen.
const isComplete = async (request, id) => !(Number(new URLSearchParams(await request.text()).get("version")) > (await journal.count(id)));

// While rows are unsent, do not ask whether this phone still deals, and do not hand the deal over.
async function ofTheServer(event, id) {
  const { request } = event;
  const isPoll = request.url.endsWith("deals");
  if (await journal.unsentCount(id)) {
    if (isPoll) return new Response(null, { status: 204 });
    await send();
    if (await journal.unsentCount(id)) return (await pythonIs(event)) ? phone(event, request, id) : Response.error();
  }
  const answer = await serverFirst(event, request, id);
  if (request.url.endsWith("/delete") && answer.type === "opaqueredirect") await drop(id, await journal.count(id));
  if (isPoll && answer.status === 286) await pull(id).catch(() => {});
  return answer;
}

async function serverFirst(event, request, id) {
  const again = request.clone();
  const asked = fetch(request);
  asked.catch(() => {});
  const kept = await keptPage(request);
  try {
    const answer = await Promise.race([asked, late(kept ? BRIEF : PATIENT)]);
    if (isAway(answer.status) && (kept || (await pythonIs(event)))) throw new Error(String(answer.status));
    return heard(event, request, answer, id);
  } catch (error) {
    if (kept) return kept;
    if (await pythonIs(event)) return phone(event, again, id);
    return asked.then((answer) => heard(event, request, answer, id), () => park(again, id));
  }
}

// The row that the server wrote comes with its answer, so the copy is never behind the screen.
async function heard(event, request, answer, id) {
  const row = answer.headers.get("X-Row");
  if (id && request.method === "POST") await (row ? keepRow(id, JSON.parse(row)) : pull(id)).catch(() => {});
  if (!id && request.method === "POST") event.waitUntil(pullAll().catch(() => {})); // a setting may be new
  return forFrame(request, answer);
}

async function phone(event, request, id) {
  const { parked, ...table } = (id && isRead(request) && (await journal.table(id))) || {};
  let given = null;
  for (const { target, headers, body } of parked || []) given = await askPython(new Request(target, { method: "POST", headers, body, referrer: registration.scope }));
  if (given) await journal.write([["tables", "put", table]]);
  const kept = given ? null : await keptPage(request);
  if (kept) return kept;
  given ||= await askPython(request);
  event.waitUntil(given.written || parked ? send() : Promise.resolve());
  return given.response;
}

// A form sent without Python and without a server: keep it until the host page has Python answer it.
async function park(request, id) {
  const table = id && (await journal.table(id));
  if (!table || !isPage(request) || !request.referrer.startsWith(registration.scope) || !(await hasBundle())) return Response.error();
  const form = { target: request.url, headers: [["Content-Type", request.headers.get("Content-Type")]], body: await request.text() };
  await journal.write([["tables", "put", { ...table, parked: [...(table.parked || []), form] }]]);
  return Response.redirect(tables + id, 303);
}

// Allow our own frame to show a page of the server. A redirect cannot be read, and needs no change.
function forFrame({ destination }, answer) {
  if (destination !== "iframe" || answer.type === "opaqueredirect" || answer.type === "error") return answer;
  const headers = new Headers(answer.headers);
  headers.delete("X-Frame-Options");
  headers.set("Content-Security-Policy", headers.get("Content-Security-Policy")?.replace("frame-ancestors 'none'", "frame-ancestors 'self'") ?? "");
  return new Response(answer.body, { status: answer.status, headers });
}

async function hasBundle() {
  const kept = await (await caches.open(BUNDLE)).keys();
  return kept.filter(({ url }) => PACKS.has(new URL(url).pathname)).length === PACKS.size;
}

// "awake" if one of our pages runs Python, "waking" if one is starting it. What is asked in the host page's frame will be
// answered however busy that page is, unless Python has failed there.
async function pythonIs({ clientId, request }) {
  const isFramed = request.destination === "iframe" || (clientId && (await self.clients.get(clientId))?.frameType === "nested");
  return new Promise((go) => {
    const said = new Set();
    setTimeout(() => go(said.has("waking") || (isFramed && !said.has("failed")) ? "waking" : ""), PROBE);
    askPages({ probe: true }, (state) => {
      said.add(state);
      if (state === "awake") go(state);
    });
  });
}

// -- the copy of a table

let taking = null;
async function takeAlong(id) {
  taking ||= fetchBundle().then(dropOldBundles).finally(() => { taking = null; });
  await taking;
  await pull(id).catch(() => {}); // the copy on this phone may be enough
  if (!(await journal.table(id))) throw new Error("no copy");
}

async function keepRow(id, row) {
  if (!(await journal.table(id))) return;
  if ((await journal.count(id)) === row.number - 1) await journal.write([["rows", "add", { ...row, table: id, sent: 1 }]]);
  else await pull(id);
}

async function pullAll() {
  for (const { id } of await journal.tables()) await pull(id);
}

async function pull(id) {
  const have = await journal.count(id);
  const known = await journal.table(id);
  if (await journal.unsentCount(id)) return;
  const answer = await fetch(`${api}/tables/${id}/rows?after=${have}`, { signal: AbortSignal.timeout(SEND_PATIENCE) });
  if (!answer.ok) return;
  const { engine, names, dealer, version, rows, session } = await answer.json();
  if (!dealer || version < have) { // another phone deals now, or the server was restored from a backup: the copy is useless
    if (known) await drop(id, have);
    return;
  }
  if (engine !== OURS.pocket.engine) return; // a newer server: its program comes with the next page
  const before = await journal.session("elsewhere");
  const elsewhere = { ...session, id: "elsewhere" };
  await journal.write([
    ["tables", "put", { copy: Date.now(), ...known, id, names }],
    ["session", "put", elsewhere],
    ...(JSON.stringify(before) === JSON.stringify(elsewhere) ? [] : [["session", "delete", "here"]]), // the newer choice
    ...rows.map((row) => ["rows", "add", { ...row, table: id, sent: 1 }]),
  ]);
}

async function drop(id, rows) {
  await journal.write([["tables", "delete", id], ...Array.from({ length: rows }, (_none, row) => ["rows", "delete", [id, row + 1]])]);
  await tellPages({ left: id });
}

// -- sending, one thing at a time

let sending = null;
let away = false; // whether the last attempt failed
function send() {
  sending ||= sendAll().then(() => { away = false; }, () => { away = true; }).finally(async () => {
    sending = null;
    for (const { id } of await journal.tables()) await tellOf(id);
  });
  return sending;
}

async function tellOf(id) {
  await tellPages({ of: id, unsent: await journal.unsentCount(id), away, refused: Boolean((await journal.table(id))?.refused) });
}

async function sendAll() {
  for (const { id, refused } of await journal.tables()) {
    if (refused) continue;
    for (let rows = await journal.unsent(id); rows.length; rows = await journal.unsent(id)) {
      await tellOf(id);
      if (!(await sendRows(id, rows.slice(0, AT_ONCE)))) break;
    }
  }
}

async function sendRows(id, rows) {
  const table = await journal.table(id);
  const opening = (await journal.row(id, 1)).client;
  const plain = rows.map(({ table: _table, sent: _sent, ...row }) => row);
  const body = JSON.stringify({ engine: OURS.pocket.engine, names: table.names, opening, rows: plain });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${api}/tables/${id}/rows`, { method: "POST", headers, body, signal: AbortSignal.timeout(SEND_PATIENCE) });
  if (isAway(answer.status)) throw new Error(String(answer.status));
  const { taken = 0, message, number } = await answer.json(); // this may be the login page of the pub's network
  const refused = answer.ok ? [] : [["tables", "put", { ...table, refused: { status: answer.status, message, number } }]];
  await journal.write([...rows.slice(0, taken).map((row) => ["rows", "put", { ...row, sent: 1 }]), ...refused]);
  return answer.ok && taken > 0;
}
