// What the pages do beyond HTML and htmx: one function a section, in the order of the page.
const words = document.documentElement.dataset;
const find = (what) => document.querySelector(what);
const board = () => find("#board");
const isDealer = () => Boolean(find("#board:not(.watch)"));
const on = (name, act) => document.addEventListener(name, act);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
const kept = find("[data-kept]"); // the page comes from the cache

guardControls();
if (find("#play") && !kept) {
  sayAloud();
  callOut();
  sendTaps();
  takeFingers();
  showWaiting();
  takeKeyboard();
  watchTable();
  openSheets();
}
find("#without-scripts")?.remove();
stepTables();
offerNames();
addToNumbers();
if (find(".games")) setUpTable();
beInstalled();

// ---- every page ----

// A control that appeared or changed under the finger takes no touch for a moment: a bounced tap enters nothing.
// For a new page or sheet app.css does this (`settle`).
function guardControls() {
  const SETTLE = 400; // ms
  const NEAR = 9; // px
  const since = new WeakMap();
  let before = [];

  const all = () => [...document.querySelectorAll("a[href], button, summary, label")];
  const meaning = (control) => (control.name
    ? [control.getAttribute("formaction"), control.name, control.value, control.disabled]
    : [control.pathname, control.getAttribute("aria-label") || control.textContent]).join("|");
  const isNear = (one, two) => Math.hypot(one.x - two.x, one.y - two.y) < NEAR;

  function guard(control, at) {
    since.set(control, at);
    const left = at + SETTLE - performance.now();
    if (left > 0) control.animate([{ pointerEvents: "none" }, { pointerEvents: "none" }], left);
  }

  on("htmx:beforeSwap", () => {
    before = all().map((control) => ({ what: meaning(control), box: control.getBoundingClientRect(), at: since.get(control) ?? -SETTLE }));
  });
  on("htmx:afterSwap", () => {
    for (const control of all()) {
      const what = meaning(control);
      const box = control.getBoundingClientRect();
      guard(control, before.find((old) => old.what === what && isNear(old.box, box))?.at ?? performance.now());
    }
  });
  addEventListener("pageshow", (event) => { if (event.persisted) all().forEach((control) => guard(control, performance.now())); });
}

// ---- the board ----

// For screen readers, from an element that is not swapped.
function sayAloud() {
  on("htmx:afterSwap", ({ detail }) => { if (detail.target.id === "board") find("#announced").textContent = board().dataset.announcement; });
}

// The caller: the phone's own voice says each entry and each refusal. It is off until somebody switches it on in the menu.
function callOut() {
  const ON = "caller";
  const voice = window.speechSynthesis;
  const isOn = () => localStorage.getItem(ON) === "on";
  const version = () => board().dataset.version;
  let shown = version();
  let refused = "";
  let heard = false; // some browsers speak only after a touch of this page
  if (!voice) return;

  function say(text) {
    voice.cancel(); // the newest sentence counts
    voice.speak(Object.assign(new SpeechSynthesisUtterance(text), { lang: document.documentElement.lang }));
    heard = true;
  }

  function showSwitch() {
    const toggle = find("#caller");
    if (!toggle) return;
    toggle.hidden = false;
    toggle.setAttribute("aria-checked", isOn());
    toggle.querySelector("small").textContent = isOn() ? toggle.dataset.on : toggle.dataset.off;
  }

  on("click", (event) => {
    if (!event.target.closest("#caller")) return;
    localStorage.setItem(ON, isOn() ? "off" : "on");
    showSwitch();
    if (isOn()) say(board().dataset.announcement);
    else voice.cancel();
  });
  on("pointerup", () => { if (isOn() && !heard) say(""); });
  on("htmx:afterSwap", () => {
    showSwitch();
    if (!board()) return;
    const alert = find("#board [role=alert]")?.firstChild.data.trim() ?? "";
    const isNew = version() !== shown || (alert && alert !== refused);
    shown = version();
    refused = alert;
    if (isNew && isOn()) say(alert || board().dataset.announcement);
  });
}

// The htmx extension "taps": the dealer's taps are queued and sent one by one, each with an id and the version it was meant
// for. After a lost answer the tap is sent again with the same id. A refusal empties the queue. It outlives the page.
function sendTaps() {
  const FIRST_WAIT = 500; // ms before a tap is sent again; doubled each time
  const LONGEST_WAIT = 8000;
  const sender = find("#play"); // the form around the board
  const place = `taps ${sender.getAttribute("action")}`;
  const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (n) => n.toString(16).padStart(2, "0")).join("");
  const isLost = (status) => status === 0 || status === 408 || status >= 500;
  const waiting = load(); // taps without an answer
  let answer = null; // the last one
  let sending = false;
  let away = false; // nobody answers
  let goOn = () => {};

  function load() {
    try {
      return JSON.parse(localStorage.getItem(place)) || [];
    } catch (error) {
      return [];
    }
  }
  function changed() {
    sender.dataset.waiting = waiting.length;
    try {
      if (waiting.length) localStorage.setItem(place, JSON.stringify(waiting));
      else localStorage.removeItem(place);
    } catch (error) {
      // the queue ends with the page
    }
    htmx.trigger(document.body, "taps:wait", { waiting, away, answer });
  }

  htmx.defineExtension("taps", {
    onEvent(name, event) {
      const { elt, triggeringEvent } = event.detail;
      if (name === "htmx:confirm" && triggeringEvent?.type === "submit" && (isDealer() || waiting.length)) {
        const tap = tapOf(elt, triggeringEvent.submitter);
        if (waiting.at(-1)?.what === tap.what) htmx.trigger(document.body, "taps:again", { tap, take });
        else take(tap);
        return false; // sent in its turn
      }
      if (name === "htmx:configRequest" && elt === sender && waiting.length) {
        event.detail.path = waiting[0].path;
        event.detail.parameters = { ...waiting[0].values, version: waiting[0].version };
      }
      if (name === "htmx:afterRequest" && elt === sender) answer = event.detail.xhr;
      return true;
    },
  });

  function tapOf(form, button) {
    const values = { ...Object.fromEntries(new FormData(form, button)), id: newId() };
    const path = button.getAttribute("formaction") || form.getAttribute("hx-post");
    const { card } = button.dataset;
    const says = card || button.dataset.says || button.getAttribute("aria-label") || button.textContent;
    return { path, values, what: [path, button.name, button.value].join("|"), says, card };
  }

  // Each waiting tap will add one version.
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
      await htmx.ajax("POST", waiting[0].path, { source: sender, target: "#board", swap: "outerHTML" }).catch(() => {});
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
      if (entered > Number(board().dataset.version)) htmx.trigger(board(), "refresh"); // an older answer came later
    }
    sending = false;
  }

  function tellNotEntered(taps) {
    const alert = find("#board [role=alert]");
    if (alert && taps.length) alert.append(` ${words.lost.replace("{what}", taps.map((tap) => tap.says).join(", "))}`);
  }

  addEventListener("offline", () => { away = !words.alone; changed(); });
  addEventListener("online", () => { away = false; changed(); goOn(); });
  if (waiting.length) on("DOMContentLoaded", () => { changed(); send(); });
}

// A key of the dealer's board acts when the finger leaves it, and the screen stays on.
function takeFingers() {
  const SAME_KEY = 300; // ms in which a second touch is a bounce
  const FLASH = 150; // ms
  let down = null; // the key under the finger
  let last = { what: null, at: 0 };
  let wanted = false;
  let film = null;

  const buttonAt = (target) => target?.closest?.("#board:not(.watch) button[name]");
  const nameOf = (button) => `${button.getAttribute("formaction")}|${button.name}|${button.value}`;

  function press(button, at) {
    const what = nameOf(button);
    if (what === last.what && at - last.at < SAME_KEY) return;
    last = { what, at };
    if (!wanted || button.value.startsWith("game ")) stayAwake();
    button.classList.add("flash");
    setTimeout(() => button.classList.remove("flash"), FLASH);
    button.form.requestSubmit(button);
  }

  // The board may be swapped meanwhile: the same key must be under the finger when it leaves.
  on("pointerdown", (event) => {
    const button = event.isPrimary === false && down ? null : buttonAt(event.target);
    down = button && !button.disabled ? { id: event.pointerId, what: nameOf(button) } : null;
  });
  on("pointerup", (event) => {
    if (!down || down.id !== event.pointerId) return;
    const button = buttonAt(document.elementFromPoint(event.clientX, event.clientY));
    if (button && !button.disabled && nameOf(button) === down.what) press(button, event.timeStamp);
    down = null;
  });
  on("pointercancel", () => { down = null; });
  // A click from the keyboard has no pointer.
  on("click", (event) => {
    const button = buttonAt(event.target);
    if (!button) return;
    event.preventDefault();
    if (event.detail === 0 && !button.disabled) press(button, event.timeStamp);
  });

  // Allowed in a tap only, and lost when the page is hidden.
  async function stayAwake() {
    wanted = true;
    let mark = find("#sleeps");
    try {
      await (navigator.wakeLock ? navigator.wakeLock.request("screen") : playFilm());
      mark?.remove();
    } catch (error) {
      if (mark || document.hidden) return;
      mark = make("p", { id: "sleeps", className: "hide", textContent: words.sleeps });
      mark.setAttribute("role", "status");
      document.body.append(mark);
    }
  }

  // Over plain http there is no wake lock, but a film keeps the screen on as well.
  function playFilm() {
    if (!film) {
      const canvas = make("canvas", { width: 2, height: 2 });
      const draw = () => canvas.getContext("2d").fillRect(0, 0, 2, 2);
      film = make("video", { id: "film", muted: true, playsInline: true });
      draw();
      film.srcObject = canvas.captureStream(1);
      film.setAttribute("aria-hidden", "true");
      document.body.append(film);
      setInterval(draw, 1000);
    }
    return film.play();
  }
  on("visibilitychange", () => { if (wanted && !document.hidden) stayAwake(); });
  on("click", (event) => { if (event.target.closest(".sleepy")) find("#sleepy").showModal(); });
}

// A waiting tap is seen at once: the card as a ghost where it will land, how many more wait, later a word in the bar.
function showWaiting() {
  const LONG = 1000; // ms
  let waiting = [];
  let away = false;
  let live = null;

  function show() {
    if (!isDealer()) return;
    document.querySelectorAll("#board .ghost").forEach((ghost) => ghost.remove());
    board().classList.toggle("away", away);
    if (waiting.length) showGhost();
    showLink();
  }

  // Only the first: it decides where the second one lands.
  function showGhost() {
    const [first, ...rest] = waiting;
    const home = (first.card && find("#board [data-lands]")) || find("#board .did");
    if (!home) return;
    const ghost = document.createElement(home.matches("ol") ? "li" : "span");
    const size = !first.card ? "" : home.querySelector(".lg") ? "card lg" : "card";
    ghost.className = "ghost";
    ghost.append(make("span", { className: size, textContent: first.says }));
    if (rest.length) ghost.append(make("small", { textContent: `+${rest.length}` }));
    home.append(ghost);
  }

  function showLink() {
    const link = find("#link");
    if (!isDealer()) return;
    live ??= link.textContent;
    const slow = waiting.length && Date.now() - waiting[0].at >= LONG;
    const says = away ? words.away : slow ? words.sending : words.unsent || live; // pocket/board.js sets `unsent`
    link.textContent = says.replace("#", waiting.length) + (away && waiting.length ? ` (${waiting.length})` : "");
    link.classList.toggle("off", Boolean(away || slow || words.unsent));
  }

  // The server's reason, e.g. no database.
  function showWhy(answer) {
    if (answer?.status !== 503 || !answer.getResponseHeader("Content-Type").startsWith("text/plain")) return;
    const line = find("#board .turn .do");
    Object.assign(line, { textContent: answer.responseText, className: "do alert" }).parentElement.className = "tight";
    line.setAttribute("role", "alert");
  }

  // The same key again: perhaps the dealer only saw nothing happen.
  on("taps:again", ({ detail: { tap, take } }) => {
    const dialog = find("#again");
    const question = dialog.firstElementChild;
    question.textContent = (tap.card ? question.dataset.card : question.dataset.other).replace("#", () => tap.says);
    dialog.returnValue = "";
    dialog.onclose = () => { if (dialog.returnValue === "yes") take(tap); };
    dialog.showModal();
  });

  on("taps:wait", (event) => {
    ({ waiting, away } = event.detail);
    if (!waiting.length && top.document.documentElement.dataset.referee === "awake") away = false; // the phone answers
    show();
    if (away) showWhy(event.detail.answer);
    if (waiting.length) setTimeout(showLink, LONG + 10);
  });
  on("taps:link", showLink);
  on("htmx:afterSwap", ({ detail }) => { if (detail.requestConfig.elt.id !== "play") show(); });
}

// A digit or a letter presses its button, and the focus outlives a swap.
function takeKeyboard() {
  on("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || find("dialog[open]")) return;
    if (event.target.matches("input:not([type=radio]), textarea, select")) return;
    const key = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? event.key;
    const card = `button[data-card="${key === "0" ? 10 : CSS.escape(key)}"]:enabled`;
    find(`#board :is(${card}, button[aria-keyshortcuts="${CSS.escape(key)}" i]:enabled)`)?.click();
  });

  let focused = null;
  on("htmx:beforeSwap", () => {
    const here = document.activeElement?.closest("#board :is(button, a)");
    focused = here && (here.name ? `button[name="${here.name}"][value="${CSS.escape(here.value)}"]` : `a[href="${CSS.escape(here.getAttribute("href"))}"]`);
  });
  on("htmx:afterSwap", () => {
    if (focused && document.activeElement === document.body) (find(`#board ${focused}`) || board()).focus({ preventScroll: true });
    focused = null;
  });
}

// A watching board polls with htmx (hx-trigger in board/_board.html): not while it is hidden, at once when it is
// seen again, less often while nobody answers. It says how old it is, and for how long nothing new has come.
function watchTable() {
  const EVERY = 2000; // ms
  const SLOWEST = 30000;
  const OLD = 10; // s
  const QUIET = 30; // s without news
  let fresh = Date.now(); // the last answer
  let changed = fresh; // the last news
  let looked = fresh; // when the page came into sight
  let wait = EVERY;
  let next = 0; // no question before this time

  const version = () => board()?.dataset.version;
  let shown = version();
  const isPoll = ({ detail }) => detail.requestConfig.elt.id === "board"; // after a swap the event comes from elsewhere
  const isWatcher = () => find("#board.watch");

  on("htmx:beforeRequest", (event) => {
    if (isPoll(event) && (document.hidden || Date.now() < next)) event.preventDefault();
    if (event.detail.elt.id === "deals" && (document.hidden || isWatcher())) event.preventDefault();
  });
  on("htmx:afterRequest", (event) => {
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

  // A player's own phone buzzes when the turn comes. Browsers allow it after a touch.
  const turn = () => find(".yours")?.dataset.turn;
  let touched = false;
  let buzzed = turn();
  on("pointerup", () => { touched = true; });
  on("htmx:afterSwap", () => {
    if (shown !== version()) changed = Date.now();
    shown = version();
    tellAge();
    const now = turn();
    if (!now || now === buzzed) return;
    buzzed = now;
    if (touched) navigator.vibrate?.([200, 100, 200]);
  });

  function refresh() {
    looked = Date.now();
    next = 0;
    wait = EVERY;
    tellAge();
    if (board()) htmx.trigger(board(), "refresh");
  }

  const past = (when) => Math.round((Date.now() - when) / 1000);
  const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };
  const counted = (seconds, inSeconds, inMinutes) =>
    seconds < 100 ? inSeconds.replace("#", seconds) : inMinutes.replace("#", Math.round(seconds / 60));

  function tellAge() {
    const age = find("#age");
    if (!age) return;
    const { now, seconds, minutes, away, quiet, quietMinutes } = age.dataset;
    const answered = past(fresh);
    say(age, answered < 3 ? now : counted(answered, seconds, minutes));
    age.classList.toggle("old", answered > OLD);
    const link = find("#link");
    const lost = Math.min(answered, past(looked)) > OLD;
    const silent = past(changed) - (past(changed) % 10); // moves every 10 s
    link.dataset.live ??= link.textContent;
    say(link, lost ? away : silent < QUIET || fresh < looked ? link.dataset.live : counted(silent, quiet, quietMinutes));
    link.classList.toggle("off", lost);
  }

  on("visibilitychange", () => { if (!document.hidden && isWatcher()) refresh(); });
  addEventListener("online", () => { if (isWatcher()) refresh(); });
  addEventListener("pageshow", (event) => { if (event.persisted || isWatcher()) refresh(); }); // Back may show an old board
  setInterval(tellAge, 1000);
}

// ---- sheets over the board ----

// A page that htmx puts into the dialog is a sheet. Back, Escape, a swipe down or a tap beside it closes it.
function openSheets() {
  const FAR = 80; // px
  const sheet = find("#sheet");
  let start = null;
  let changed = false; // the board behind it is old

  const isForSheet = (event) => event.detail.target === sheet;
  const close = () => history.back(); // the sheet is a step in the history: see popstate

  function open() {
    if (!sheet.open) {
      history.pushState({ sheet: true }, "");
      sheet.showModal();
    }
    sheet.scrollTop = 0;
    showTab();
  }

  on("htmx:beforeRequest", (event) => { if (isForSheet(event)) sheet.dataset.opener = event.detail.pathInfo.requestPath; });
  on("htmx:afterSwap", (event) => {
    sheet.setAttribute("aria-label", sheet.querySelector("h1")?.textContent ?? "");
    if (isForSheet(event)) open();
    else if (sheet.open && event.detail.requestConfig.verb === "post") {
      const { target, xhr } = event.detail;
      if (target.id !== "board") changed = true;
      else if (xhr.status >= 400 || !sheet.querySelector("#seats")) close(); // on the seats one bet follows another
    }
  });
  // No answer: the link leads to the page, which may be in the cache.
  on("htmx:sendError", (event) => { if (isForSheet(event)) location.assign(sheet.dataset.opener); });

  addEventListener("popstate", () => sheet.close());
  sheet.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
  sheet.addEventListener("close", () => {
    if (changed) htmx.trigger("#board", "refresh");
    changed = false;
    find(`#board [href="${CSS.escape(sheet.dataset.opener)}"]`)?.focus();
  });
  sheet.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (event.target === sheet || link?.closest(".bar")) {
      event.preventDefault();
      close();
    } else if (link && !link.hasAttribute("hx-get")) {
      event.preventDefault();
      location.replace(link.href); // in place of the sheet, so that Back leads to the board
    }
  });
  sheet.addEventListener("touchstart", (event) => {
    start = sheet.scrollTop === 0 && event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  sheet.addEventListener("touchend", (event) => {
    if (!start) return;
    const end = event.changedTouches[0];
    const across = Math.abs(end.clientX - start.clientX);
    if (end.clientY - start.clientY > Math.max(FAR, across)) close();
    start = null;
  });
}

// ---- the pages behind the board ----

function showTab() {
  find(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
}

// Quick reference: steppers move through the tables in the page, without a signal. For other figures htmx asks the server.
function stepTables() {
  const FIRST = 35; // the character for 0 % in the table of second black stones
  const TAKES = 10;
  const inputOf = (name) => find(`[data-step=${name}] input`);

  function show() {
    document.querySelectorAll("[data-out]").forEach((out) => {
      const [name, column] = out.dataset.out.split(":");
      const table = find(`[data-table=${name}]`);
      const row = table.querySelector(`[data-row="${inputOf(table.dataset.key).value}"]`);
      if (row) out.textContent = row.children[Number(column)].textContent;
    });
    const second = find("[data-second]");
    if (!second) return;
    const at = (name) => Number(inputOf(name).value);
    const start = ((at("white") * 2 + at("held")) * 11 + at("black")) * TAKES;
    const marks = second.dataset.second.slice(start, start + TAKES);
    const percent = new Intl.NumberFormat(document.documentElement.lang, { style: "percent" });
    [...second.tBodies[0].rows].forEach((row, index) => {
      const code = marks.charCodeAt(index) - FIRST;
      row.hidden = code < 0;
      row.querySelector("progress").value = code / 100;
      row.children[2].firstElementChild.textContent = percent.format(code / 100);
    });
  }

  on("click", (event) => {
    const button = event.target.closest("form[data-steps] .step button");
    if (!button) return;
    event.preventDefault();
    const step = button.closest(".step");
    const { least, most, by } = step.dataset;
    const input = step.querySelector("input");
    const way = button === step.querySelector("button") ? -1 : 1;
    input.value = Math.min(Number(most), Math.max(Number(least), Number(input.value) + way * Number(by)));
    step.querySelector("output").textContent = input.value;
    if (find("[data-out]")) show();
    else htmx.ajax("GET", button.form.getAttribute("hx-get"), { source: input });
  });
  on("htmx:sendError", ({ detail }) => { if (detail.elt.dataset.ask) find("#answer").textContent = detail.elt.dataset.ask; });
  on("htmx:afterSwap", ({ detail }) => { if (detail.target.id === "lookup") showTab(); });
  showTab();
}

// The keys beside a number add to it.
function addToNumbers() {
  on("click", (event) => {
    const { add } = event.target.closest("[data-add]")?.dataset ?? {};
    if (!add) return;
    const field = event.target.closest(".amount").querySelector("input");
    field.value = Math.max(Number(field.dataset.least), Number(field.value) + Number(add));
  });
}

// A tap on a name used before fills the next free seat.
function offerNames() {
  const show = () => document.querySelectorAll(".known").forEach((known) => { known.hidden = false; });

  on("click", (event) => {
    const chip = event.target.closest(".known [data-name]");
    const free = [...document.querySelectorAll(":is(.seatchips, .called) input")].find((field) => !field.value);
    if (!chip || !free) return;
    free.value = chip.dataset.name;
    chip.remove();
  });
  on("htmx:afterSwap", show);
  show();
}

// Grey out numbers of players the game does not allow.
function setUpTable() {
  const games = find(".games");

  function offerNumbers() {
    const { least, most } = games.querySelector(":checked").dataset;
    for (const number of document.querySelectorAll(".pick .btn")) number.disabled = number.value < least || number.value > most;
  }

  games.addEventListener("change", offerNumbers);
  addEventListener("pageshow", offerNumbers); // Back keeps the chosen game
}

// ---- the installed app ----

function beInstalled() {
  const MOST_KEPT = 12;
  const SOON = 500; // ms without a change, then the board is kept
  const AGAIN = 5000;
  const LATER = 1500; // ms after the page
  const { home, worker } = words;
  const { serviceWorker } = navigator;
  let offer = top.offer; // see pocket/host.js
  let timer = 0;

  // A copy for sw.js to show without a signal. It says how old it is, and nothing on it can be pressed.
  async function keep(path, copy, when) {
    const banner = find("#no-signal").content.firstElementChild.cloneNode(true);
    const time = banner.querySelector("time");
    banner.dataset.kept = time.dateTime = when.toISOString();
    time.textContent = when.toLocaleString(copy.lang, { dateStyle: "short", timeStyle: "short" });
    copy.querySelectorAll("dialog, .ghost, #sleeps, #film").forEach((one) => one.remove());
    copy.querySelectorAll("button").forEach((button) => { button.disabled = true; });
    copy.querySelectorAll("#age").forEach((age) => { age.textContent = ""; });
    copy.querySelectorAll("#link").forEach((link) => Object.assign(link, { className: "link off", textContent: find("#no-signal").dataset.link }));
    copy.querySelector("body").setAttribute("hx-disable", "");
    copy.querySelector("main").before(banner);
    const seen = await caches.open("seen");
    await seen.put(path, new Response(`<!doctype html>\n${copy.outerHTML}`));
    const all = await seen.keys();
    await Promise.all(all.slice(0, Math.max(0, all.length - MOST_KEPT)).map((old) => seen.delete(old)));
  }

  function changed(when) {
    const keepThis = () => keep(location.pathname, document.documentElement.cloneNode(true), new Date(when));
    clearTimeout(timer);
    if (window.caches && !words.alone) timer = setTimeout(() => keepThis().catch(() => {}), SOON);
    hint();
  }

  // People who came by a link to a table have not seen the home page, but sw.js has it.
  async function keepHome() {
    const seen = await caches.open("seen");
    const answer = !(await seen.match(home)) && (await caches.match(home, { ignoreVary: true }));
    if (answer) await keep(home, new DOMParser().parseFromString(await answer.text(), "text/html").documentElement, new Date());
  }

  // Once, after the first finished game; on the home page (`first`) as long as the phone has no table.
  function hint() {
    const place = find("#install");
    const apple = navigator.standalone === false;
    const isFirst = place?.classList.contains("first");
    if (!place || !(offer || apple) || (!isFirst && localStorage.getItem("hinted"))) return;
    if (!isFirst) localStorage.setItem("hinted", "1");
    place.hidden = false;
    place.querySelector(offer ? "button" : "span").hidden = false;
  }

  function tellAge() {
    const minutes = Math.round((Date.now() - Date.parse(kept.dataset.kept)) / 60000);
    const [count, unit] = minutes < 100 ? [minutes, "minute"] : minutes < 2880 ? [Math.round(minutes / 60), "hour"] : [Math.round(minutes / 1440), "day"];
    const text = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "always" }).format(-count, unit);
    const time = kept.querySelector("time");
    if (time.textContent !== text) time.textContent = text;
  }

  async function comeBack() {
    const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer?.status < 500) location.reload();
  }

  top.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event;
    hint();
  });
  // The installed app has a storage of its own.
  if (find("#bring")) find("#bring").hidden = !(navigator.standalone || top.matchMedia("(display-mode: standalone)").matches);
  on("click", (event) => {
    if (event.target.closest("#install button") && offer) {
      offer.prompt();
      offer = null;
      find("#install").hidden = true;
    }
    const share = event.target.closest("[data-share]");
    if (share) navigator.share({ title: document.title, url: share.dataset.share }).catch(() => {});
  });
  if (navigator.share) document.querySelectorAll("[data-share]").forEach((button) => { button.hidden = false; });
  if (!isSecureContext && find("#plain")) find("#plain").hidden = false;

  if (kept && location.pathname !== kept.dataset.own) {
    if (kept.dataset.kept) {
      tellAge();
      setInterval(tellAge, AGAIN);
    }
    setInterval(comeBack, AGAIN);
    addEventListener("online", comeBack);
  } else if (board() || location.pathname === home) {
    changed(performance.timeOrigin);
    on("htmx:afterSwap", () => changed(Date.now()));
  }

  function register() {
    fetch(worker, { method: "HEAD" }).then(() => serviceWorker.register(worker)).catch(() => {});
  }

  // sw.js knows whether there is a program for the phone itself.
  function askForPocket() {
    serviceWorker.addEventListener("message", ({ data: { pocket } }) => { if (pocket) import(pocket.script).then(({ begin }) => begin(pocket)); });
    serviceWorker.startMessages();
    serviceWorker.ready.then(({ active }) => active.postMessage("pocket"));
  }

  if (!isSecureContext || !serviceWorker) return;
  addEventListener("load", () => setTimeout(() => {
    if (isDealer() && !kept) askForPocket();
    if (!serviceWorker.controller) register();
    serviceWorker.ready.then(keepHome).catch(() => {});
  }, LATER));
}
