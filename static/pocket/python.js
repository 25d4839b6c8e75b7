// Python in a worker, one request at a time. The journal is the truth; Python's memory is a copy of it.
import "./journal.js";

const { root, bundle, served } = JSON.parse(self.name); // not from the address: that is the one the file was cached under
const from = new URL(`${root}${bundle}`, self.location).href;
const OF_A_TABLE = /\/(?:t|tables)\/([^/?]+)/;
let work = Promise.resolve();

self.onmessage = ({ data, ports: [port] }) => {
  work = work.then(() => serve(data, port)).catch((error) => port.postMessage({ status: 500, headers: [], body: String(error) }));
};

async function boot() {
  const text = (name) => fetch(from + name).then((answer) => answer.text());
  const [{ loadPyodide }, lockFileContents, assets, program] = await Promise.all([
    import(`${from}pyodide.mjs`),
    text("lock.json"),
    text("assets.json"),
    fetch(`${from}app.zip`).then((answer) => answer.arrayBuffer()),
  ]);
  const python = await loadPyodide({ indexURL: from, stdLibURL: `${from}stdlib.zip`, lockFileContents });
  python.FS.writeFile("app.zip", new Uint8Array(program));
  python.runPython("import os, sys; sys.path.insert(0, os.path.abspath('app.zip')); from companion.pocket.phone import start");
  const phone = python.globals.get("start")(root, self.location.origin, assets, Boolean(served));
  phone.restore(JSON.stringify(await journal.everything()));
  return phone;
}

async function serve({ method, target, headers, body }, port) {
  const phone = await awake;
  const id = OF_A_TABLE.exec(target)?.[1];
  const news = id && (await journal.since(id, (copy) => phone.version(id, copy))); // from another tab, or from the server
  if (news) phone.catch_up(JSON.stringify(news));
  const ask = () => JSON.parse(phone.answer(method, target, JSON.stringify(headers), new Uint8Array(body)));
  let found = ask();
  try {
    if (found.written.length) await journal.write(found.written);
    if (found.written.some(([store]) => store === "rows")) self.postMessage("kept");
  } catch (error) {
    // Another tab was faster, or the disk is full: what Python thinks it wrote is not there.
    phone.restore(JSON.stringify(await journal.everything()));
    found = error.name === "ConstraintError" ? ask() : JSON.parse(phone.no_room(JSON.stringify(headers)));
    if (found.written.length) await journal.write(found.written);
  }
  port.postMessage({ ...found, written: found.written.length });
}

const awake = boot();
awake.then(() => self.postMessage("awake"), (error) => self.postMessage({ failed: String(error) }));
