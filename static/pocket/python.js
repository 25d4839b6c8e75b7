// Python in a worker, one request at a time. The journal is the truth; Python's memory is a copy of it.
// With `isTaking` in its name, the worker only takes the picture for later starts.
import "./journal.js";
import "./pages.js";
import { fromFiles, fromPicture, takePicture } from "./start.js";

const { root, bundle, served, isTaking, isPlain } = JSON.parse(self.name); // not from the address, which is the one the file was cached under
const from = new URL(`${root}${bundle}`, self.location).href;
const PICTURE = `${from}memory`;
const LEAST_LEFT = 150_000_000; // bytes; with less free space no picture is stored
const OF_A_TABLE = /\/(?:t|tables)\/([^/?]+)/;
const SOON = 150; // ms without a question, then the board is drawn for the next start
const LATER = 1500; // then the home page, which needs all tables
const cache = caches.open("python");
let work = Promise.resolve();
let shown = ""; // the table that was last asked for
let language = ""; // as the browser says it with each question
let drawing = 0; // a timer

self.onmessage = ({ data, ports: [port] }) => {
  clearTimeout(drawing);
  work = work.then(() => serve(data, port)).catch((error) => port.postMessage({ status: 500, headers: [], body: String(error) }));
};

async function files() {
  const fetched = ["lock.json", "assets.json", "app.zip"].map((name) => fetch(from + name));
  const [lock, assets, program] = await Promise.all(fetched);
  return { lock: await lock.text(), assets: await assets.text(), program: new Uint8Array(await program.arrayBuffer()) };
}

async function boot() {
  const about = { root, origin: self.location.origin, served };
  const [read, kept] = await Promise.all([files(), isPlain ? null : cache.then((found) => found.match(PICTURE))]);
  const python = (kept && (await usePicture(read, kept))) || (await fromFiles(from, read, about));
  const phone = python.globals.get("phone");
  phone.restore(JSON.stringify(await journal.everything()));
  return phone;
}

// If the picture is damaged, start without it, and store an empty one: this version makes no other.
async function usePicture(read, kept) {
  const picture = new Uint8Array(await kept.arrayBuffer());
  if (!picture.length) return null;
  try {
    return await fromPicture(from, read, picture);
  } catch (error) {
    await (await cache).put(PICTURE, new Response(""));
    return null;
  }
}

async function take() {
  const { quota = 0, usage = 0 } = (await navigator.storage.estimate?.()) ?? {};
  if (quota - usage < LEAST_LEFT) return (await cache).delete(PICTURE);
  if (await (await cache).match(PICTURE)) return false;
  const { session } = await journal.everything();
  const language = session.find((part) => part.language)?.language ?? navigator.language;
  const picture = await takePicture(from, await files(), { root, origin: self.location.origin, served, language });
  return (await cache).put(PICTURE, new Response(picture, { headers: { "Content-Length": picture.length } }));
}

async function serve({ method, target, headers, body }, port) {
  const phone = await awake;
  const id = OF_A_TABLE.exec(target)?.[1];
  if (id) await catchUp(phone, id);
  const asked = JSON.stringify(headers);
  const answer = await answerOnDisk(phone, asked, () => JSON.parse(phone.answer(method, target, asked, new Uint8Array(body))));
  port.postMessage({ ...answer, written: answer.written.length });
  shown = id || shown;
  language = headers.find(([name]) => name.toLowerCase() === "accept-language")?.[1] ?? "";
  clearTimeout(drawing);
  drawing = setTimeout(drawAtLeisure, SOON);
}

// What another tab entered, or the server.
async function catchUp(phone, id) {
  const news = await journal.since(id, (copy) => phone.version(id, copy));
  if (news) phone.catch_up(JSON.stringify(news));
}

// A page that cannot be kept is drawn when it is asked for.
function drawAtLeisure() {
  if (shown) work = work.then(() => draw(`${root}t/${shown}`, [shown], shown)).catch(() => {});
  drawing = setTimeout(async () => {
    const tables = (await journal.tables()).map(({ id }) => id);
    work = work.then(() => draw(root, tables)).catch(() => {});
  }, LATER);
}

async function draw(path, tables, id) {
  const phone = await awake;
  const stamp = await pages.stamp(new URL(from).pathname, id, language);
  if (await pages.find(path, stamp)) return;
  for (const table of tables) await catchUp(phone, table);
  const asked = JSON.stringify(language ? [["Accept-Language", language]] : []);
  const { status, headers, body, written } = JSON.parse(phone.answer("GET", path, asked, new Uint8Array()));
  if (written.length) phone.restore(JSON.stringify(await journal.everything())); // something that is said once: not now
  else if (status === 200) await pages.keep(path, stamp, headers, body);
}

// If another tab was faster or the disk is full, the rows that Python has in memory are not in the journal.
async function answerOnDisk(phone, asked, ask) {
  for (;;) {
    const answer = ask();
    try {
      if (answer.written.length) await journal.write(answer.written);
      if (answer.written.some(([store]) => store === "rows")) self.postMessage("kept");
      return answer;
    } catch (error) {
      phone.restore(JSON.stringify(await journal.everything()));
      const again = error.name === "ConstraintError" || (await (await cache).delete(PICTURE)); // a table is more important
      if (!again) return JSON.parse(phone.no_room(asked));
    }
  }
}

const awake = isTaking ? take() : boot();
awake.then(() => self.postMessage(isTaking ? "taken" : "awake"), (error) => self.postMessage({ failed: String(error) }));
