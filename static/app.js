// The board's fingers. Every rule is on the server: this file only sends taps, one after the other.
"use strict";
(() => {
  const SAME_KEY = 300; // ms in which the same key is one tap
  const waiting = []; // taps not sent yet
  let sending = false;
  let down = null; // what the finger went down on
  let last = { what: null, at: 0 };
  let wanted = false; // whether the screen was asked to stay on

  const board = () => document.getElementById("board");
  const words = document.documentElement.dataset;
  const buttonAt = (target) => target && target.closest && target.closest("#board button[name]");
  const addressOf = (button) => button.getAttribute("formaction") || button.form.getAttribute("action");
  const nameOf = (button) => `${addressOf(button)}|${button.name}|${button.value}`;
  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");

  function take(button) {
    const what = nameOf(button);
    const now = performance.now();
    if (what === last.what && now - last.at < SAME_KEY) return;
    last = { what, at: now };
    if (!wanted || button.value.startsWith("game ")) stayAwake();
    const form = button.form;
    const more = {};
    for (const [key, value] of new FormData(form)) if (key !== "version") more[key] = value;
    waiting.push({ to: addressOf(button), values: { ...more, [button.name]: button.value, id: newId() }, says: button.getAttribute("aria-label") || button.textContent });
    button.classList.add("flash");
    setTimeout(() => button.classList.remove("flash"), 150);
    send();
  }

  async function send() {
    if (sending) return;
    sending = true;
    while (waiting.length) {
      const tap = waiting[0];
      const before = board().dataset.version;
      const refused = await post(tap, before);
      waiting.shift();
      if (refused) {
        lose(waiting.splice(0));
        break;
      }
      if (navigator.vibrate && board().dataset.version !== before) navigator.vibrate(12);
    }
    sending = false;
  }

  // Sends one tap; a lost answer is asked for again with the same id, so it is entered once.
  async function post(tap, version) {
    for (let wait = 500; ; wait = Math.min(wait * 2, 8000)) {
      let why = "";
      try {
        const answer = await fetch(tap.to, {
          method: "POST",
          headers: { "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({ ...tap.values, version }),
        });
        if (answer.status === 503 && answer.headers.get("Content-Type").startsWith("text/plain")) why = await answer.text();
        if (answer.status >= 500 || answer.status === 408) throw new Error(String(answer.status));
        show(await answer.text());
        mark(true);
        return !answer.ok;
      } catch (error) {
        mark(false);
        if (why) tell(why);
        await new Promise((go) => setTimeout(go, wait));
      }
    }
  }

  function show(html) {
    htmx.swap("#board", html, { swapStyle: "outerHTML" });
    if (board().classList.contains("watch")) watch();
  }

  // Another phone has taken the deal: this one follows it from now on.
  let watching = false;
  function watch() {
    if (watching) return;
    watching = true;
    setTimeout(() => {
      const script = document.createElement("script");
      script.src = words.watch;
      script.onload = () => window.dispatchEvent(new Event("pageshow"));
      document.head.append(script);
    }, 6000); // time to read what was not entered
  }

  function mark(live) {
    const link = document.getElementById("link");
    if (!link) return;
    link.classList.toggle("off", !live);
    if (!live) link.textContent = words.away;
  }

  // Why nothing is taken now (no room, no database); the next board has the line as it was.
  function tell(why) {
    const line = board().querySelector(".turn .do");
    Object.assign(line, { textContent: why, className: "do alert" }).parentElement.className = "tight";
    line.setAttribute("role", "alert");
  }

  function lose(taps) {
    const alert = document.querySelector("#board [role=alert]");
    if (alert && taps.length) alert.append(` ${words.lost} ${taps.map((tap) => tap.values.entry || tap.says).join(", ")}.`);
  }

  // Asked for in a tap, again on return and for every new game; a refusal is told.
  async function stayAwake() {
    wanted = true;
    let mark = document.getElementById("sleeps");
    try {
      await navigator.wakeLock.request("screen");
      mark?.remove();
    } catch (error) {
      if (mark || document.hidden) return;
      mark = document.createElement("p");
      Object.assign(mark, { id: "sleeps", textContent: words.sleeps });
      mark.setAttribute("role", "status");
      document.body.append(mark);
    }
  }

  document.addEventListener("visibilitychange", () => { if (wanted && !document.hidden) stayAwake(); });
  document.addEventListener("pointerdown", (event) => {
    const button = event.isPrimary === false && down ? null : buttonAt(event.target);
    down = button && !button.disabled ? { id: event.pointerId, what: nameOf(button) } : null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!down || down.id !== event.pointerId) return;
    const button = buttonAt(document.elementFromPoint(event.clientX, event.clientY));
    if (button && !button.disabled && nameOf(button) === down.what) take(button);
    down = null;
  });
  document.addEventListener("pointercancel", () => { down = null; });
  // A click that follows a pointer was handled above; one from the keyboard has no pointer.
  document.addEventListener("click", (event) => {
    const button = buttonAt(event.target);
    if (!button) return;
    event.preventDefault();
    if (event.detail === 0 && !button.disabled) take(button);
  });
  document.addEventListener("submit", (event) => {
    if (event.target.closest("#board")) event.preventDefault();
  });
  // Back and forward may show an old picture of the board: ask for the present one.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && board()) htmx.ajax("GET", location.pathname, { target: "#board", swap: "outerHTML" });
  });
  // The installed app's part comes after the board is there.
  window.addEventListener("load", () => setTimeout(() => document.hidden || import(words.pwa).catch(() => {}), 1500));
  window.addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); window.offer = event; });
})();
