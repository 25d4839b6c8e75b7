// The host page. It owns Python and shows the application's pages in its frame, under their address and title.
import { lend } from "./lend.js";

const at = (address) => new URL(address, document.baseURI);
const words = document.documentElement.dataset;
const root = at(words.root).pathname;
const wait = document.getElementById("wait");
const QUIET = 10_000; // ms without a touch
const REMEMBERED = 3000; // ms for a new version to take over
const bar = document.querySelector("progress");
const language = (chosenBefore("language") || navigator.language || "").startsWith("fr") ? "fr" : "en";
const say = (what) => { wait.textContent = JSON.parse(wait.dataset[language])[what]; };

words.theme = chosenBefore("theme");
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  window.offer = event; // for the page in the frame
});
start().catch(() => say("cannot"));

function chosenBefore(setting) {
  try {
    return localStorage.getItem(setting) ?? "";
  } catch (error) {
    return ""; // this browser stores nothing
  }
}

async function start() {
  if (!isSecureContext || !navigator.serviceWorker || !navigator.locks) throw new Error("plain http, or an old browser");
  const { serviceWorker } = navigator;
  if (!serviceWorker.controller) words.first = "yes";
  say(serviceWorker.controller ? "waking" : "fetching");
  serviceWorker.addEventListener("message", ({ data }) => {
    if (!data.fetched) return;
    bar.hidden = false;
    bar.value = data.fetched;
  });
  const known = await serviceWorker.getRegistration(root); // without a signal nothing can be registered
  const registration = known || await serviceWorker.register(at(words.worker), { scope: root, updateViaCache: "none" });
  if (!serviceWorker.controller) {
    const controlled = new Promise((go) => serviceWorker.addEventListener("controllerchange", go, { once: true }));
    await Promise.race([controlled, failure(registration.installing)]);
  }
  if (!words.served) serviceWorker.addEventListener("controllerchange", () => location.reload());
  await takeOver(registration);
  say("waking");
  bar.hidden = true;
  const frame = show(registration);
  lend({ python: at(words.python).href, root, bundle: words.bundle, served: words.served }, (state) => {
    dim(frame);
    if (state === "failed") renew(frame);
    if (state === "awake" && !registration.waiting) sessionStorage.removeItem("renewed");
  });
  if (words.served) setInterval(() => serviceWorker.controller?.postMessage("send"), 5000);
}

// Program, pages and service worker are one version. A new one takes over when the app is opened, on its first page, and
// between rounds while nobody touches the phone: never during a tap, nor while another tab is visible.
async function takeOver({ waiting }, frame) {
  if (!waiting || (frame && loadedAnew())) return; // it did not take over although the page was reloaded for it
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((go) => {
    port1.onmessage = ({ data }) => go(data);
    setTimeout(go, REMEMBERED, false); // it may have ended, or be of a version that does not know the question
  });
  waiting.postMessage("may you take over?", [port2]);
  if (!(await answered)) return;
  // No request may come in from now on: Chromium would forget the new one until a page is loaded, or for good.
  frame?.remove();
  delete words.shown;
  say("waking");
  waiting.postMessage("take over");
  await new Promise((go) => setTimeout(go, REMEMBERED));
  if (loadAnew()) await new Promise(() => {});
}

function renewBetweenRounds(frame, registration) {
  let touched = Date.now();
  const check = () => {
    const shown = frame.contentDocument; // null if the frame was removed
    const between = shown?.querySelector("#board .ended") && !shown.querySelector("dialog[open]"); // something may have been typed into a sheet
    if (registration.waiting && between && (document.hidden || Date.now() - touched > QUIET)) takeOver(registration, frame);
  };
  frame.addEventListener("load", () => frame.contentWindow.addEventListener("pointerdown", () => { touched = Date.now(); }, true));
  document.addEventListener("visibilitychange", check);
  setInterval(check, QUIET / 2);
}

const failure = (worker) => new Promise((_go, stop) => worker?.addEventListener("statechange", () => {
  if (worker.state === "redundant") stop(new Error("not fetched"));
}));

// Python did not start. Its files may belong to an old version: start again with the current one.
function renew(frame) {
  if (loadAnew() || words.served) return;
  frame.remove();
  delete words.shown;
  say("cannot");
}

const loadedAnew = () => sessionStorage.getItem("renewed");

// Only once, until Python was awake and no new version waits.
function loadAnew() {
  if (loadedAnew()) return false;
  sessionStorage.setItem("renewed", "1");
  location.reload();
  return true;
}

function show(registration) {
  const frame = document.createElement("iframe");
  frame.title = "Fifty-Five";
  frame.allow = "screen-wake-lock; clipboard-write";
  frame.src = at(location.hash.startsWith("#/") ? root + location.hash.slice(2) : location.pathname + location.search + location.hash);
  frame.addEventListener("load", () => {
    words.shown = "yes";
    dim(frame);
    const { pathname, search, hash } = frame.contentWindow.location;
    document.title = frame.contentDocument.title;
    document.documentElement.lang = frame.contentDocument.documentElement.lang;
    localStorage.setItem("language", document.documentElement.lang);
    words.theme = frame.contentDocument.documentElement.dataset.theme ?? "";
    localStorage.setItem("theme", words.theme);
    history.replaceState(null, "", pathname + search + hash);
    if (pathname === root) takeOver(registration, frame);
  });
  document.body.append(frame);
  renewBetweenRounds(frame, registration);
  return frame;
}

// A kept page is there before Python: app.css shows what has to wait for it.
function dim(frame) {
  const shown = frame.contentDocument?.documentElement;
  if (shown) shown.dataset.referee = words.referee;
}
