// What waits for an answer is seen at once: the card as a ghost where the board says the next one lands, how many wait,
// and, when it takes long, a word in the bar. While nobody answers the keys are dim. taps.js tells what waits, and brings this.
"use strict";
(() => {
  const LONG = 1000; // ms
  const words = document.documentElement.dataset;
  const find = (what) => document.querySelector(`#board ${what}`);
  let waiting = [];
  let away = false;
  // The board's own style has only what the first moment needs. A ghost without this one would push the keys from under the finger.
  const href = document.getElementById("sheet").dataset.style;
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: show });
  document.head.append(style);
  let live = null; // what the bar says when all is well

  function show() {
    const board = document.getElementById("board");
    if (!board) return;
    board.querySelectorAll(".ghost").forEach((ghost) => ghost.remove());
    board.classList.toggle("away", away);
    if (waiting.length && style.sheet) showGhost();
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
    const says = away ? words.away : slow ? words.sending : words.kept || live; // pocket_page.js tells what is kept
    link.textContent = says.replace("#", waiting.length) + (away && waiting.length ? ` (${waiting.length})` : "");
    link.classList.toggle("off", Boolean(away || slow || words.kept));
  }

  // Why nothing is taken, if the server says so (no room, no database); the next board has the line as it was.
  function showWhy(answer) {
    if (answer?.status !== 503 || !answer.getResponseHeader("Content-Type").startsWith("text/plain")) return;
    const line = find(".turn .do");
    Object.assign(line, { textContent: answer.responseText, className: "do alert" }).parentElement.className = "tight";
    line.setAttribute("role", "alert");
  }

  // The same again while the first one waits: perhaps the dealer only saw nothing happen.
  document.body.addEventListener("taps:again", ({ detail: { tap, take } }) => {
    const dialog = document.getElementById("again");
    const question = dialog.firstElementChild;
    question.textContent = (tap.card ? question.dataset.card : question.dataset.other).replace("#", () => tap.says);
    dialog.returnValue = "";
    dialog.onclose = () => { if (dialog.returnValue === "yes") take(tap); };
    dialog.showModal();
  });

  document.body.addEventListener("taps:wait", (event) => {
    ({ waiting, away } = event.detail);
    if (!waiting.length && top.document.documentElement.dataset.referee === "awake") away = false; // the phone answers
    show();
    if (away) showWhy(event.detail.answer);
    if (waiting.length) setTimeout(showLink, LONG + 10);
  });
  document.body.addEventListener("taps:link", showLink);
  // A board that came otherwise than by a tap knows nothing of what waits. After a tap, taps.js tells.
  document.addEventListener("htmx:afterSwap", (event) => { if (event.detail.requestConfig.elt.id !== "play") show(); });
})();
