// The board without a finger: keys of a keyboard, and a focus that stays. It comes a moment after the board (see taps.js).
"use strict";
(() => {
  const find = (what) => document.querySelector(`#board ${what}`);

  // Without a finger: a digit or a letter presses the button that names it.
  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches("input:not([type=radio]), textarea, select")) return;
    const key = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1] ?? event.key;
    const card = `button[data-card="${key === "0" ? 10 : CSS.escape(key)}"]:enabled`;
    const button = find(`:is(${card}, button[aria-keyshortcuts="${CSS.escape(key)}" i]:enabled)`);
    button?.click(); // keys.js takes it as a key that was pressed
  });

  // The focus stays where it was, though the board is another one; if nothing of that name is left, on the board.
  let focused = null;
  document.addEventListener("htmx:beforeSwap", () => {
    const here = document.activeElement?.closest("#board :is(button, a)");
    focused = here && (here.name ? `button[name="${here.name}"][value="${CSS.escape(here.value)}"]` : `a[href="${CSS.escape(here.getAttribute("href"))}"]`);
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (focused && document.activeElement === document.body) (find(focused) || document.getElementById("board")).focus({ preventScroll: true });
    focused = null;
  });
})();
