// The page that stays. It owns Python; the application's pages come and go in its frame, and this page wears their address.
import { lend } from "./pocket.js";

const at = (address) => new URL(address, document.baseURI);
const words = document.documentElement.dataset;
const root = at(words.root).pathname;
const wait = document.getElementById("wait");
const QUIET = 10_000; // ms without a touch
const language = (chosenBefore() || navigator.language || "").startsWith("fr") ? "fr" : "en";
const say = (what, more = "") => { wait.textContent = `${JSON.parse(wait.dataset[language])[what]} ${more}`; };

start().catch(() => say("cannot"));

function chosenBefore() {
  try {
    return localStorage.getItem("language");
  } catch (error) {
    return ""; // this browser keeps nothing
  }
}

async function start() {
  if (!isSecureContext || !navigator.serviceWorker || !navigator.locks) throw new Error("plain http, or an old browser");
  const { serviceWorker } = navigator;
  say(serviceWorker.controller ? "waking" : "fetching");
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data.fetched) say("fetching", data.fetched.toLocaleString(language, { style: "percent" }));
  });
  const known = words.served && (await serviceWorker.getRegistration(root)); // without a signal nothing can be registered
  const registration = known || await serviceWorker.register(at(words.worker), { scope: root, updateViaCache: "none" });
  if (!serviceWorker.controller) {
    const controlled = new Promise((go) => serviceWorker.addEventListener("controllerchange", go, { once: true }));
    await Promise.race([controlled, failure(registration.installing)]);
  }
  if (!words.served) serviceWorker.addEventListener("controllerchange", () => location.reload());
  await takeOver(registration);
  say("waking");
  lend({ python: at(words.python).href, root, bundle: words.bundle, served: words.served }, (state) => { if (state === "failed") renew(); });
  show(registration);
  if (words.served) setInterval(() => serviceWorker.controller?.postMessage("send"), 5000);
}

// Program, pages and service worker are one version. A new one takes over when the app is opened, on its first page, and
// between rounds while nobody touches the phone: never under a tap, nor while another tab is in sight.
async function takeOver({ waiting }) {
  if (!waiting) return;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((go) => { port1.onmessage = ({ data }) => go(data); });
  waiting.postMessage("take over", [port2]);
  if ((await answered) === "now") await new Promise(() => {}); // this page is about to be loaded anew
}

function renewBetweenRounds(frame, registration) {
  let touched = Date.now();
  const look = async () => {
    if (!registration.waiting || !(document.hidden || Date.now() - touched > QUIET)) return;
    const { pathname } = frame.contentWindow.location;
    const [, table] = /\/t\/([^/]+)$/.exec(pathname) || [];
    if (!table) return; // something may have been typed there
    const { phase } = await (await fetch(`${root}api/tables/${table}`)).json();
    if (phase?.endsWith("over")) takeOver(registration);
  };
  frame.addEventListener("load", () => frame.contentWindow.addEventListener("pointerdown", () => { touched = Date.now(); }, true));
  document.addEventListener("visibilitychange", look);
  setInterval(look, QUIET / 2);
}

const failure = (worker) => new Promise((_go, stop) => worker?.addEventListener("statechange", () => {
  if (worker.state === "redundant") stop(new Error("not fetched"));
}));

// Python did not start. Its files may belong to a version that has gone: once more from the beginning, but once only.
function renew() {
  if (sessionStorage.getItem("renewed")) say("cannot");
  else {
    sessionStorage.setItem("renewed", "1");
    location.reload();
  }
}

function show(registration) {
  const frame = document.createElement("iframe");
  frame.title = "Fifty-Five";
  frame.allow = "screen-wake-lock; clipboard-write";
  frame.src = at(location.hash.startsWith("#/") ? root + location.hash.slice(2) : location.pathname + location.search + location.hash);
  frame.addEventListener("load", () => {
    wait.hidden = true;
    sessionStorage.removeItem("renewed");
    const { pathname, search, hash } = frame.contentWindow.location;
    document.title = frame.contentDocument.title;
    document.documentElement.lang = frame.contentDocument.documentElement.lang;
    localStorage.setItem("language", document.documentElement.lang);
    history.replaceState(null, "", pathname + search + hash);
    if (pathname === root) takeOver(registration);
  });
  document.body.append(frame);
  renewBetweenRounds(frame, registration);
}
