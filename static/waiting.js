// What waits for an answer is seen at once: the card as a ghost where the board says the next one lands, how many wait,
// and, when it takes long, a word in the bar. While nobody answers the keys are dim. taps.js tells what waits.
"use strict";
(() => {
  const LONG = 1000; // ms
  const words = document.documentElement.dataset;
  const find = (what) => document.querySelector(`#board ${what}`);
  let waiting = [];
  let away = false;
  let live = null; // what the bar says when all is well

  function show() {
    const board = document.getElementById("board");
    if (!board) return;
    board.querySelectorAll(".ghost").forEach((ghost) => ghost.remove());
    board.classList.toggle("away", away);
    if (waiting.length) showGhost();
    showLink();
  }

  // Where the second one lands depends on the first: it is counted, and seen when its turn comes.
  function showGhost() {
    const [first, ...rest] = waiting;
    const home = (first.card && find("[data-lands]")) || find(".did");
    if (!home) return; // another phone deals now
    const ghost = document.createElement(home.matches("ol") ? "li" : "span");
    ghost.className = "ghost";
    const card = Object.assign(document.createElement("span"), { className: !first.card ? "" : home.querySelector(".lg") ? "card lg" : "card", textContent: first.says });
    ghost.append(card);
    if (rest.length) ghost.append(Object.assign(document.createElement("small"), { textContent: `+${rest.length}` }));
    home.append(ghost);
  }

  function showLink() {
    const link = document.getElementById("link");
    live ??= link.textContent;
    const slow = waiting.length && Date.now() - waiting[0].at >= LONG;
    const says = away ? words.away : slow ? words.sending : live;
    link.textContent = says.replace("#", waiting.length) + (away && waiting.length ? ` (${waiting.length})` : "");
    link.classList.toggle("off", Boolean(away || slow));
  }

  document.body.addEventListener("taps:wait", (event) => {
    ({ waiting, away } = event.detail);
    show();
    if (waiting.length) setTimeout(showLink, LONG + 10);
  });
  // A board that came otherwise than by a tap knows nothing of what waits. After a tap, taps.js tells.
  document.addEventListener("htmx:afterSwap", (event) => { if (event.detail.requestConfig.elt.id !== "play") show(); });
})();
