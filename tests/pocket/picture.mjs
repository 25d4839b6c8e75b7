// node picture.mjs <folder of the bundle> <start.js>: take the picture of Python's memory, start twice from it, and from broken ones.
import fs from "node:fs";
const [bundle, script] = process.argv.slice(2);
const { fromFiles, fromPicture, takePicture } = await import(script);
const from = `${bundle}/`;
const read = (name, as) => fs.readFileSync(from + name, as);
const files = { lock: read("lock.json", "utf8"), assets: read("assets.json", "utf8"), program: read("app.zip") };
const about = { root: "", origin: "https://pub.example", served: false };
const cpu = (since) => { const used = process.cpuUsage(since); return (used.user + used.system) / 1e6; };
const SECRETS = "import json, os, random, secrets; json.dumps([random.random(), secrets.token_hex(), os.urandom(8).hex()])";
const HOME = "json.loads(phone.answer('GET', '/', '[]', b''))['body']";
const FAILING = "phone.app.view_functions['lobby.home'] = lambda: [][0]; json.loads(phone.answer('GET', '/', '[]', b''))['status']";

async function timed(start) {
  const began = process.cpuUsage();
  const python = await start();
  return { cpu: cpu(began), tables: python.runPython("len(phone.store.tables())"), secrets: JSON.parse(python.runPython(SECRETS)), home: python.runPython(HOME), failing: python.runPython(FAILING) };
}
const refused = (picture) => fromPicture(from, files, picture).then(() => "", String);

const picture = await takePicture(from, files, { ...about, language: "fr" });
const normal = await timed(() => fromFiles(from, files, about));
const starts = [await timed(() => fromPicture(from, files, picture.slice())), await timed(() => fromPicture(from, files, picture.slice()))];
const broken = [await refused(new Uint8Array(4096)), await refused(picture.slice(0, picture.length >> 1).fill(7, 0, 64))];
console.log(JSON.stringify({ bytes: picture.length, normal, starts, broken }));
