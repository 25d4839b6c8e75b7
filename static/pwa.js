// What only an installed app can do: work without a signal, keep the last seen board, offer itself once.
// A board loads it a moment later than itself, see the end of around.js.
"use strict";
(() => {
  const MOST_KEPT = 12;
  const SOON = 500; // ms without a change, then the board is kept
  const AGAIN = 5000;
  const LATER = 1500;
  const { home, worker, htmx: late } = document.documentElement.dataset;
  const find = (what) => document.querySelector(what);
  const away = find("[data-kept]"); // the worker's mark: this page is not fresh
  let offer = window.offer || null;
  let timer = 0;

  async function keep(when) {
    const seen = await caches.open("seen");
    const copy = document.documentElement.cloneNode(true);
    copy.querySelectorAll("dialog, .ghost").forEach((one) => one.remove());
    const page = `<!doctype html>\n${copy.outerHTML}`;
    await seen.put(location.pathname, new Response(page, { headers: { "X-Seen": when } }));
    const all = await seen.keys();
    await Promise.all(all.slice(0, Math.max(0, all.length - MOST_KEPT)).map((old) => seen.delete(old)));
  }

  function changed(when) {
    clearTimeout(timer);
    if (window.caches) timer = setTimeout(() => keep(new Date(when).toISOString()).catch(() => {}), SOON);
    hint();
  }

  // Only after the first finished game, and only where it can be done.
  function hint() {
    const place = find("#install");
    const apple = navigator.standalone === false;
    if (!place || !(offer || apple) || localStorage.getItem("hinted")) return;
    localStorage.setItem("hinted", "1");
    place.hidden = false;
    place.querySelector(offer ? "button" : "span").hidden = false;
  }

  function age() {
    const minutes = Math.round((Date.now() - Date.parse(away.dataset.kept)) / 60000);
    const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" });
    const [count, unit] = minutes < 100 ? [minutes, "minute"] : minutes < 2880 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
    const text = words.format(-count, unit);
    const time = away.querySelector("time");
    if (time && time.textContent !== text) time.textContent = text;
  }

  async function back() {
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
      if (answer.status < 500) location.reload();
    } catch (error) {
      // still away
    }
  }

  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    hint();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("#install button") && offer) {
      offer.prompt();
      offer = null;
      find("#install").hidden = true;
    }
    const share = event.target.closest("[data-share]");
    if (share) navigator.share({ title: document.title, url: share.dataset.share }).catch(() => {});
  });
  if (navigator.share) document.querySelectorAll("[data-share]").forEach((button) => { button.hidden = false; });
  if (!isSecureContext && find("#plain")) find("#plain").hidden = false;

  if (away && location.pathname !== away.dataset.own) {
    if (away.dataset.kept) {
      age();
      setInterval(age, AGAIN);
    }
    setInterval(back, AGAIN);
    addEventListener("online", back);
  } else if (find("#board") || location.pathname === home) {
    changed(performance.timeOrigin);
    document.addEventListener("htmx:afterSwap", () => changed(Date.now()));
  }

  // Where htmx is only a comfort it comes a moment later, or with the first touch. What was chosen before it was there is
  // told to it then.
  function bringHtmx() {
    let chosen = null;
    const note = (event) => { chosen = event.target; };
    const bring = () => import(late).then(() => {
      document.removeEventListener("change", note);
      chosen?.dispatchEvent(new Event("change", { bubbles: true }));
      chosen = null;
    }).catch(() => {});
    document.addEventListener("change", note);
    document.addEventListener("pointerdown", bring, { once: true });
    addEventListener("load", () => setTimeout(bring, LATER));
  }
  if (late) bringHtmx();

  // Where the server offers a referee for the phone itself, the worker knows of it.
  if (isSecureContext && navigator.serviceWorker && find("#board:not(.watch)")) {
    navigator.serviceWorker.addEventListener("message", ({ data: { pocket } }) => { if (pocket) import(pocket.script).then(({ begin }) => begin(pocket)); });
    navigator.serviceWorker.startMessages();
    navigator.serviceWorker.ready.then(({ active }) => active.postMessage("pocket"));
  }

  // A worker that is there looks for a newer one by itself.
  if (isSecureContext && navigator.serviceWorker && !navigator.serviceWorker.controller) {
    const register = () => fetch(worker, { method: "HEAD" }).then(() => navigator.serviceWorker.register(worker)).catch(() => {});
    if (document.readyState === "complete") register();
    else addEventListener("load", () => setTimeout(register, LATER));
  }
})();
