// The board asks for itself with htmx (see hx-trigger in _board.html). This file keeps a hidden page from asking, asks at
// once when the page is looked at again, waits longer while nobody answers, and tells how old the board is, and for how
// long nothing new has come although the server answers: the dealer may think, or have no signal.
"use strict";
(() => {
  const EVERY = 2000;
  const SLOWEST = 30000;
  const OLD = 10; // seconds after which the age turns amber
  const QUIET = 30; // seconds without news after which the bar says so
  let fresh = Date.now(); // when the server last answered
  let changed = fresh; // when something new last came
  let looked = fresh; // when the page last came into sight: a hidden one does not ask, and has lost nothing
  let wait = EVERY; // ms between two questions while nobody answers
  let next = 0; // when the next question may be asked

  const board = () => document.getElementById("board");
  const version = () => board()?.dataset.version;
  let shown = version();
  // After a swap the event comes from elsewhere: the board that asked is gone.
  const isPoll = (event) => event.detail.requestConfig.elt.id === "board";
  const isWatcher = () => board()?.classList.contains("watch");

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (isPoll(event) && (document.hidden || Date.now() < next)) event.preventDefault();
    // Whether this phone still deals: it knows once it watches.
    if (event.detail.elt.id === "deals" && (document.hidden || isWatcher())) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!isPoll(event)) return;
    const { status } = event.detail.xhr;
    if (status === 200 || status === 204) {
      fresh = Date.now();
      wait = EVERY;
    } else {
      wait = Math.min(wait * 2, SLOWEST);
      next = Date.now() + wait - EVERY;
    }
    tellAge();
  });

  // His own phone buzzes once as his turn comes. A browser lets only a page buzz that was touched.
  const turn = () => document.querySelector(".yours")?.dataset.turn;
  let touched = false;
  let buzzed = turn();
  document.addEventListener("pointerup", () => { touched = true; });
  document.addEventListener("htmx:afterSwap", () => {
    if (shown !== version()) changed = Date.now();
    shown = version();
    tellAge();
    const now = turn();
    if (!now || now === buzzed) return;
    buzzed = now;
    if (touched) navigator.vibrate?.([200, 100, 200]);
  });

  function look() {
    looked = Date.now();
    next = 0;
    wait = EVERY;
    tellAge();
    if (board()) htmx.trigger(board(), "look");
  }

  const past = (when) => Math.round((Date.now() - when) / 1000);
  const say = (element, words) => { if (element.textContent !== words) element.textContent = words; };
  const counted = (seconds, inSeconds, inMinutes) =>
    seconds < 100 ? inSeconds.replace("#", seconds) : inMinutes.replace("#", Math.round(seconds / 60));

  function tellAge() {
    const age = document.getElementById("age");
    if (!age) return;
    const { now, seconds, minutes, away, quiet, quietMinutes } = age.dataset;
    const answered = past(fresh);
    say(age, answered < 3 ? now : counted(answered, seconds, minutes));
    age.classList.toggle("old", answered > OLD);
    const link = document.getElementById("link");
    const lost = Math.min(answered, past(looked)) > OLD;
    const silent = past(changed) - (past(changed) % 10); // a figure that moves every second draws the eye
    link.dataset.live ??= link.textContent;
    say(link, lost ? away : silent < QUIET || fresh < looked ? link.dataset.live : counted(silent, quiet, quietMinutes));
    link.classList.toggle("off", lost);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden && isWatcher()) look(); });
  window.addEventListener("online", () => { if (isWatcher()) look(); });
  // Back and forward may show an old picture of the board.
  window.addEventListener("pageshow", (event) => { if (event.persisted || isWatcher()) look(); });
  setInterval(tellAge, 1000);
})();
