// node golden.mjs <folder of the bundle> <rehearsal.py>: run the rehearsal on the bundle as a phone has it; print the answers and the CPU time.
import fs from "node:fs";
const [bundle, rehearsal] = process.argv.slice(2);
const cpu = (since) => { const used = process.cpuUsage(since); return (used.user + used.system) / 1e6; };
const began = process.cpuUsage();
const { loadPyodide } = await import(`${bundle}/pyodide.mjs`);
const lockFileContents = fs.readFileSync(`${bundle}/lock.json`, "utf8");
const python = await loadPyodide({ indexURL: bundle, stdLibURL: `${bundle}/stdlib.zip`, lockFileContents });
python.FS.writeFile("/app.zip", fs.readFileSync(`${bundle}/app.zip`));
python.FS.writeFile("/rehearsal.py", fs.readFileSync(rehearsal));
python.globals.set("assets", fs.readFileSync(`${bundle}/assets.json`, "utf8"));
python.runPython("import sys; sys.path[:0] = ['/app.zip', '/']; from companion.pocket.phone import start; phone = start('', 'https://pub.example', assets)");
const boot = cpu(began);
const heap = python._module.HEAP8.length;
const started = process.cpuUsage();
const answers = python.runPython("import json; from rehearsal import rehearse; json.dumps(rehearse(phone))");
console.log(JSON.stringify({ answers: JSON.parse(answers), boot, heap, played: cpu(started) }));
