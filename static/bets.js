// A bet is stepped on the sheet of the seats: the steps are counted here, and the bet is sent once, when it is left alone or
// anything else is touched. It goes through the queue of taps, before the next card. Without this file every step is a form.
"use strict";
(() => {
  const LEFT_ALONE = 2000; // ms
  const sheet = document.getElementById("sheet");
  const board = () => document.getElementById("board");
  let stepped = null; // the form of a bet that was not sent yet
  let left = 0; // the timer
  let waiting = 0; // bets on their way
  let held = null; // another change to the seats: it comes after the bets. The first one counts: its answer draws the sheet anew

  function step(button) {
    const form = button.form;
    if (stepped !== form) send();
    stepped = form;
    const steps = form.dataset.steps.split(" ");
    const [less, more] = form.querySelectorAll("button");
    const place = steps.indexOf(form.dataset.bet) + (button === more ? 1 : -1);
    form.dataset.sent ??= form.dataset.bet;
    form.dataset.bet = form.querySelector("output").value = steps[place];
    less.disabled = place === 0;
    more.disabled = place === steps.length - 1;
    clearTimeout(left);
    left = setTimeout(send, LEFT_ALONE);
  }

  function send() {
    const form = stepped;
    stepped = null;
    clearTimeout(left);
    if (!form || form.dataset.bet === form.dataset.sent) return;
    form.dataset.sent = form.dataset.bet;
    form.elements.back?.remove(); // the answer is the board
    const button = form.querySelector("button:enabled");
    button.value = button.value.replace(/\w+$/, form.dataset.bet);
    button.dataset.says = `${form.dataset.name} ${form.dataset.bet}`;
    form.requestSubmit(button);
  }

  // What is entered from sheet or board changes the table of both: what comes next from either is meant for that table. What
  // others entered is not: a board that does not show it must not pass for one that does.
  function agree() {
    const fields = [...sheet.querySelectorAll("#seats [name=version]")];
    const newest = Math.max(board().dataset.version, ...fields.map((field) => field.value));
    board().dataset.version = newest;
    fields.forEach((field) => { field.value = newest; });
  }

  sheet.addEventListener("click", (event) => {
    const button = event.target.closest(".bet button");
    if (!button) return;
    event.preventDefault();
    step(button);
  });
  document.addEventListener("pointerdown", (event) => { if (event.target.closest?.(".bet") !== stepped) send(); }, true);
  sheet.addEventListener("close", send);
  window.addEventListener("pagehide", send);
  document.addEventListener("visibilitychange", send); // a phone may end a page that is out of sight, and not say so
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.requestConfig.verb === "post" && sheet.querySelector("#seats")) agree();
  });
  document.body.addEventListener("taps:wait", (event) => {
    waiting = event.detail.waiting.length;
    if (waiting || !held) return;
    agree();
    held();
    held = null;
  });
  sheet.addEventListener("htmx:confirm", (event) => {
    if (!event.target.closest("#seats form:not(.bet)")) return;
    send();
    if (!waiting) return;
    event.preventDefault();
    held ??= () => event.detail.issueRequest(true);
  });
})();
