// The htmx extension "taps": what is pressed in a form with hx-ext="taps" waits its turn and is sent with htmx.
// Each tap carries an id of its own and the version it was meant for. A lost answer is asked for again with the same id,
// so it is entered once. A refusal empties the queue and tells what was not entered.
// What waits is kept on the phone until it is answered, so that it outlives the page; waiting.js shows it.
"use strict";
(() => {
  const FIRST_WAIT = 500; // ms before a lost answer is asked for again; doubled each time
  const LONGEST_WAIT = 8000;
  const LATER = 1500;
  const words = document.documentElement.dataset;
  const board = () => document.getElementById("board");
  const sender = () => document.getElementById("play"); // it stays when the board is swapped
  const place = `taps ${sender().getAttribute("action")}`;
  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");
  const isLost = (status) => status === 0 || status === 408 || status >= 500;
  const waiting = kept(); // taps without an answer; the first one is on its way
  let answer = null; // the last answer, as htmx had it
  let sending = false;
  let away = false; // nobody answers
  let goOn = () => {};

  function kept() {
    try {
      return JSON.parse(localStorage.getItem(place)) || [];
    } catch (error) {
      return []; // this phone keeps nothing
    }
  }
  function changed() {
    try {
      if (waiting.length) localStorage.setItem(place, JSON.stringify(waiting));
      else localStorage.removeItem(place);
    } catch (error) {
      // then what waits lives as long as the page
    }
    tell();
    bring();
  }
  const tell = () => htmx.trigger(document.body, "taps:wait", { waiting, away, answer });
  // What shows it comes a moment after the board, or with the first tap.
  let brought = null;
  function bring() {
    brought ??= import(words.later).then(tell).catch(() => { brought = null; });
  }

  htmx.defineExtension("taps", {
    onEvent(name, event) {
      const { elt, triggeringEvent } = event.detail;
      if (name === "htmx:confirm" && triggeringEvent?.type === "submit") {
        const tap = tapOf(elt, triggeringEvent.submitter);
        if (waiting.at(-1)?.what === tap.what) brought?.then(() => htmx.trigger(document.body, "taps:again", { tap, take }));
        else take(tap);
        return false; // it is sent when its turn comes
      }
      if (name === "htmx:configRequest" && elt === sender()) {
        event.detail.path = waiting[0].path;
        event.detail.parameters = { ...waiting[0].values, version: waiting[0].version };
      }
      if (name === "htmx:afterRequest" && elt === sender()) answer = event.detail.xhr;
      return true;
    },
  });

  function tapOf(form, button) {
    const values = { ...Object.fromEntries(new FormData(form, button)), id: newId() };
    const path = button.getAttribute("formaction") || form.getAttribute("action");
    const { card } = button.dataset;
    const says = card || button.dataset.says || button.getAttribute("aria-label") || button.textContent;
    return { path, values, what: [path, button.name, button.value].join("|"), says, card };
  }

  // A tap is meant for the table as it will be when all that waits is entered: one version for each.
  function take(tap) {
    const last = waiting.at(-1);
    waiting.push({ ...tap, version: last ? last.version + 1 : Number(board().dataset.version), at: Date.now() });
    navigator.vibrate?.(12);
    changed();
    send();
  }

  async function send() {
    if (sending) return;
    sending = true;
    for (let wait = FIRST_WAIT; waiting.length; ) {
      await htmx.ajax("POST", waiting[0].path, { source: sender(), target: "#board", swap: "outerHTML" }).catch(() => {});
      away = isLost(answer.status);
      if (away) {
        changed();
        await new Promise((go) => { goOn = go; setTimeout(go, wait); });
        wait = Math.min(wait * 2, LONGEST_WAIT);
        continue;
      }
      wait = FIRST_WAIT;
      const done = waiting.shift();
      if (answer.status >= 400) tellNotEntered([...(answer.status === 409 ? [done] : []), ...waiting.splice(0)]);
      changed();
      const [, entered] = /data-version="(\d+)"/.exec(answer.responseText) || [];
      if (entered > Number(board().dataset.version)) htmx.trigger(board(), "look"); // another answer had replaced the board meanwhile
    }
    sending = false;
  }

  function tellNotEntered(taps) {
    const alert = document.querySelector("#board [role=alert]");
    if (alert && taps.length) alert.append(` ${words.lost.replace("{what}", taps.map((tap) => tap.says).join(", "))}`);
  }

  window.addEventListener("load", () => setTimeout(bring, LATER));
  window.addEventListener("offline", () => { away = !words.alone; changed(); });
  window.addEventListener("online", () => { away = false; changed(); goOn(); });
  if (waiting.length) addEventListener("DOMContentLoaded", () => { changed(); send(); });
})();
