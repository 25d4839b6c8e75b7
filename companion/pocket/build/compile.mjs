// node compile.mjs <folder of the runtime> <work folder>: compiles the bundle with the Python that will run it.
import fs from "node:fs";
const [runtime, work] = process.argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
const { info } = JSON.parse(fs.readFileSync(`${runtime}/pyodide-lock.json`));
const lockFileContents = JSON.stringify({ info, packages: {} });
const python = await loadPyodide({ indexURL: runtime, lockFileContents, env: { PYTHONHASHSEED: "0" } });
for (const folder of ["/job", "/scripts"]) python.FS.mkdirTree(folder);
python.FS.mount(python.FS.filesystems.NODEFS, { root: work }, "/job");
for (const name of ["rehearsal.py", "in_browser_python.py"]) {
  python.FS.writeFile(`/scripts/${name}`, fs.readFileSync(new URL(name, import.meta.url)));
}
python.runPython("import sys; sys.path.insert(0, '/scripts'); import in_browser_python");
