// A watcher's board follows the dealer's: asked for every two seconds while it is looked at, and never shown as fresh when it is not.
"use strict";
(() => {
  const EVERY = 2000;
  const SLOWEST = 30000;
  const OLD = 10; // seconds after which the age turns amber
  let tag = "";
  let fresh = Date.now();
  let wait = EVERY;
  let timer = 0;
  let asking = false;

  const board = () => document.getElementById("board");

  async function ask() {
    if (asking || document.hidden) return;
    asking = true;
    clearTimeout(timer);
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), 5000);
    try {
      const answer = await fetch(location.pathname, {
        headers: { "HX-Request": "true", ...(tag && { "If-None-Match": tag }) },
        cache: "no-store",
        signal: stop.signal,
      });
      if (answer.status === 200) {
        const open = document.activeElement && board().contains(document.activeElement) ? document.activeElement.value : null;
        htmx.swap("#board", await answer.text(), { swapStyle: "outerHTML" });
        if (open) document.querySelector(`#board button[value="${CSS.escape(open)}"]`)?.focus();
        tag = answer.headers.get("ETag") || "";
      } else if (answer.status !== 304) {
        throw new Error(String(answer.status));
      }
      fresh = Date.now();
      wait = EVERY;
    } catch (error) {
      wait = Math.min(wait * 2, SLOWEST);
    }
    clearTimeout(late);
    asking = false;
    tell();
    timer = setTimeout(ask, wait);
  }

  function now() {
    wait = EVERY;
    ask();
  }

  function tell() {
    const age = document.getElementById("age");
    if (!age) return;
    const seconds = Math.round((Date.now() - fresh) / 1000);
    const words = seconds < 3 ? age.dataset.now : seconds < 100 ? age.dataset.seconds : age.dataset.minutes;
    age.textContent = words.replace("#", seconds < 100 ? seconds : Math.round(seconds / 60));
    age.classList.toggle("old", seconds > OLD);
    document.getElementById("link")?.classList.toggle("off", seconds > OLD);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden) now(); });
  window.addEventListener("online", now);
  window.addEventListener("pageshow", now);
  setInterval(tell, 1000);
  // The installed app's part comes after the board is there.
  window.addEventListener("load", () => setTimeout(() => document.hidden || import(document.documentElement.dataset.pwa).catch(() => {}), 1500));
  window.addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); window.offer = event; });
})();
