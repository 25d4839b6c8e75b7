// The htmx extension "taps": what is pressed in a form with hx-ext="taps" waits its turn and is sent with htmx.
// Each tap carries an id of its own and the version of the answer before it. A lost answer is asked for again with the
// same id, so it is entered once. A refusal empties the queue and tells what was not entered.
"use strict";
(() => {
  const FIRST_WAIT = 500; // ms before a lost answer is asked for again; doubled each time
  const LONGEST_WAIT = 8000;
  const waiting = []; // taps without an answer; the first one is on its way
  const words = document.documentElement.dataset;
  let answer = null; // the last answer, as htmx had it
  let sending = false;

  const board = () => document.getElementById("board");
  const sender = () => document.getElementById("play"); // it stays when the board is swapped
  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");
  const pause = (ms) => new Promise((go) => setTimeout(go, ms));
  const isLost = (status) => status === 0 || status === 408 || status >= 500;

  htmx.defineExtension("taps", {
    onEvent(name, event) {
      const { elt, triggeringEvent } = event.detail;
      if (name === "htmx:confirm" && triggeringEvent?.type === "submit") {
        waiting.push(tapOf(elt, triggeringEvent.submitter));
        send();
        return false; // it is sent when its turn comes
      }
      if (name === "htmx:configRequest" && elt === sender()) {
        event.detail.path = waiting[0].path;
        event.detail.parameters = { ...waiting[0].values, version: board().dataset.version };
      }
      if (name === "htmx:afterRequest" && elt === sender()) answer = event.detail.xhr;
      return true;
    },
  });

  function tapOf(form, button) {
    const values = Object.fromEntries(new FormData(form, button));
    const path = button.getAttribute("formaction") || form.getAttribute("action");
    return { path, values: { ...values, id: newId() }, says: button.getAttribute("aria-label") || button.textContent };
  }

  async function send() {
    if (sending) return;
    sending = true;
    for (let wait = FIRST_WAIT; waiting.length; ) {
      const before = board().dataset.version;
      await htmx.ajax("POST", waiting[0].path, { source: sender(), target: "#board", swap: "outerHTML" }).catch(() => {});
      if (isLost(answer.status)) {
        tellAway();
        await pause(wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
        continue;
      }
      wait = FIRST_WAIT;
      waiting.shift();
      if (answer.status >= 400) tellNotEntered(waiting.splice(0));
      else if (navigator.vibrate && board()?.dataset.version !== before) navigator.vibrate(12);
    }
    sending = false;
  }

  // Nothing is taken now, and why if the server says so (no room, no database); the next board has the line as it was.
  function tellAway() {
    const link = document.getElementById("link");
    link.classList.add("off");
    link.textContent = words.away;
    if (answer.status !== 503 || !answer.getResponseHeader("Content-Type").startsWith("text/plain")) return;
    const line = board().querySelector(".turn .do");
    Object.assign(line, { textContent: answer.responseText, className: "do alert" }).parentElement.className = "tight";
    line.setAttribute("role", "alert");
  }

  function tellNotEntered(taps) {
    const alert = document.querySelector("#board [role=alert]");
    if (alert && taps.length) alert.append(` ${words.lost} ${taps.map((tap) => tap.values.entry || tap.says).join(", ")}.`);
  }
})();
