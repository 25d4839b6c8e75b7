// On the dealer's board, imported by app.js: downloads the program, and says in the bar where the entries are.
import { lend } from "./lend.js";

const SETTLED = 1500; // ms; entries that are sent sooner are not mentioned
const EVERY = 5000;
const SHOWN = 8000;
const page = document.documentElement;
const { serviceWorker } = navigator;
const table = location.pathname.split("/").at(-1);
const isTop = window === top;
let state = {}; // what the service worker says about this table
let shown = false; // whether the refusal was shown on this page
let timer = 0;

export function begin({ python, root, bundle, words }) {
  const say = words[page.lang];
  const ask = (what) => serviceWorker.ready.then(({ active }) => active.postMessage(what));

  function tell() {
    const { unsent, away, refused } = state;
    const isAsleep = top.document.documentElement.dataset.referee === "waking";
    page.dataset.unsent = refused ? say.refused : !unsent ? "" : isAsleep ? say.waking : (away ? say.unsent : page.dataset.sending).replace("#", unsent);
    htmx.trigger(document.body, "taps:link");
    if (refused && !shown) explain();
    shown ||= refused;
  }

  // The word opens a sheet. It cannot be a link, since it is inside the link to the history.
  const explain = () => htmx.ajax("GET", `${location.pathname}/connection`, { target: "#sheet", swap: "innerHTML" });

  function tellOnce() {
    if (localStorage.getItem("announced")) return;
    localStorage.setItem("announced", "1");
    const note = Object.assign(document.createElement("p"), { className: "panel small along", textContent: say.along });
    note.setAttribute("role", "status");
    document.body.append(note);
    setTimeout(() => note.remove(), SHOWN);
  }

  serviceWorker.addEventListener("message", ({ data }) => {
    if (data.left === table) location.reload();
    if (data.taken === table) {
      if (isTop) lend({ python: new URL(python, location).href, root, bundle, served: true }, (now) => { if (now === "awake") tellOnce(); tell(); });
      else tellOnce();
    }
    if (data.of !== table) return;
    const isNew = !state.unsent && data.unsent && !data.away;
    state = data;
    clearTimeout(timer);
    timer = setTimeout(tell, isNew ? SETTLED : 0);
  });
  serviceWorker.startMessages();

  document.addEventListener("click", (event) => {
    if (!event.target.closest("#link")) return;
    event.preventDefault();
    explain();
  });

  // After the first card, and not for people who save data: it is six megabytes.
  function take() {
    const board = document.getElementById("board");
    if (!board || board.matches(".watch") || Number(board.dataset.version) < 2) return;
    if (navigator.connection?.saveData || !navigator.locks) return;
    document.removeEventListener("htmx:afterSwap", take);
    ask({ take: table });
  }
  document.addEventListener("htmx:afterSwap", take);
  take();
  ask({ tellOf: table });
  ask("send");
  setInterval(() => { if (state.unsent) ask("send"); }, EVERY);
  addEventListener("online", () => ask("send"));
}
