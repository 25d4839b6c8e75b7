// Starts Python: from its files, or from a picture of its memory, which takes a fifth of the work. The picture has our
// program in it, ready to answer, and no data of a person. Each phone takes its own.
// Taking and loading it are private functions of Pyodide: tests/pocket/test_picture.py fails when they change.
const OURS = `
import json, os, sys
sys.path.insert(0, os.path.abspath("app.zip"))
from companion.pocket.phone import start
phone = start(*json.loads(settings))
`;

// `files` are the texts "lock" and "assets" and the bytes "program" of the folder `from`; `about` is where and for whom it runs.
export async function fromFiles(from, files, about, options = {}) {
  const python = await load(from, files, options);
  const { root, origin, served } = about;
  python.globals.set("settings", JSON.stringify([root, origin, files.assets, Boolean(served)]));
  python.runPython(OURS);
  return python;
}

export async function fromPicture(from, files, picture) {
  const { default: create } = await import(`${from}pyodide.asm.mjs`);
  const python = await load(from, files, { _loadSnapshot: picture, createPyodideModule: withRoom(create, picture.length) });
  structuredClone(0, { transfer: [picture.buffer] }); // Pyodide keeps it, but it is no longer needed
  python.runPython("phone.wake()");
  return python;
}

export async function takePicture(from, files, about) {
  const python = await fromFiles(from, files, about, { _makeSnapshot: true });
  python.globals.set("language", about.language);
  python.runPython("phone.warm(language)");
  const memory = python.makeMemorySnapshot();
  let end = memory.length;
  while (!memory[end - 1]) end -= 1; // the memory ends with megabytes that nobody has used
  return memory.slice(0, Math.ceil(end / 65536) * 65536);
}

async function load(from, { lock, program }, options) {
  const { loadPyodide } = await import(`${from}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: from, stdLibURL: `${from}stdlib.zip`, lockFileContents: lock, ...options });
  python.FS.writeFile("app.zip", program);
  return python;
}

// Pyodide cannot put back a picture larger than the memory it begins with; and it keeps an error in here to itself.
const withRoom = (create, bytes) => (settings) => new Promise((done, failed) => {
  const { instantiateWasm } = settings;
  settings.instantiateWasm = (imports, take) => instantiateWasm(imports, (instance, module) => {
    try {
      const { memory } = instance.exports;
      memory.grow(Math.max(0, Math.ceil((bytes - memory.buffer.byteLength) / 65536)));
      take(instance, module);
    } catch (error) {
      failed(error);
    }
  });
  create(settings).then(done, failed);
});
