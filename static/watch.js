// The board asks for itself with htmx (see hx-trigger in _board.html). This file keeps a hidden page from asking, asks at
// once when the page is looked at again, waits longer while nobody answers, and tells how old the board is.
"use strict";
(() => {
  const EVERY = 2000;
  const SLOWEST = 30000;
  const OLD = 10; // seconds after which the age turns amber
  let fresh = Date.now();
  let wait = EVERY; // ms between two questions while nobody answers
  let next = 0; // when the next question may be asked

  const board = () => document.getElementById("board");
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
    tellAge();
    const now = turn();
    if (!now || now === buzzed) return;
    buzzed = now;
    if (touched) navigator.vibrate?.([200, 100, 200]);
  });

  function look() {
    next = 0;
    wait = EVERY;
    if (board()) htmx.trigger(board(), "look");
  }

  function tellAge() {
    const age = document.getElementById("age");
    if (!age) return;
    const seconds = Math.round((Date.now() - fresh) / 1000);
    const words = seconds < 3 ? age.dataset.now : seconds < 100 ? age.dataset.seconds : age.dataset.minutes;
    age.textContent = words.replace("#", seconds < 100 ? seconds : Math.round(seconds / 60));
    age.classList.toggle("old", seconds > OLD);
    document.getElementById("link")?.classList.toggle("off", seconds > OLD);
  }

  document.addEventListener("visibilitychange", () => { if (!document.hidden && isWatcher()) look(); });
  window.addEventListener("online", () => { if (isWatcher()) look(); });
  // Back and forward may show an old picture of the board.
  window.addEventListener("pageshow", (event) => { if (event.persisted || isWatcher()) look(); });
  setInterval(tellAge, 1000);
})();
