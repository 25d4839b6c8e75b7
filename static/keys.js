// The dealer's fingers: a key acts when the finger leaves it, and the screen stays on. htmx and taps.js send what is pressed.
"use strict";
(() => {
  const SAME_KEY = 300; // ms in which the same key is one tap
  const FLASH = 150; // ms a key that was taken is lit
  const words = document.documentElement.dataset;
  let down = null; // what the finger went down on
  let last = { what: null, at: 0 };
  let wanted = false; // whether the screen was asked to stay on

  const buttonAt = (target) => target && target.closest && target.closest("#board button[name]");
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

  // The board may be swapped while the finger is down: what counts is that the same key is under it when it leaves.
  document.addEventListener("pointerdown", (event) => {
    const button = event.isPrimary === false && down ? null : buttonAt(event.target);
    down = button && !button.disabled ? { id: event.pointerId, what: nameOf(button) } : null;
  });
  document.addEventListener("pointerup", (event) => {
    if (!down || down.id !== event.pointerId) return;
    const button = buttonAt(document.elementFromPoint(event.clientX, event.clientY));
    if (button && !button.disabled && nameOf(button) === down.what) press(button, event.timeStamp);
    down = null;
  });
  document.addEventListener("pointercancel", () => { down = null; });
  // A click that follows a pointer was handled above; one from the keyboard has no pointer.
  document.addEventListener("click", (event) => {
    const button = buttonAt(event.target);
    if (!button) return;
    event.preventDefault();
    if (event.detail === 0 && !button.disabled) press(button, event.timeStamp);
  });

  // Asked for in a tap, again on return and for every new game; a refusal is told.
  async function stayAwake() {
    wanted = true;
    let mark = document.getElementById("sleeps");
    try {
      if (navigator.wakeLock) await navigator.wakeLock.request("screen");
      else await (await import(words.awake)).playFilm();
      mark?.remove();
    } catch (error) {
      if (mark || document.hidden) return;
      mark = document.createElement("p");
      Object.assign(mark, { id: "sleeps", className: "hide", textContent: words.sleeps }); // heard; seen in the bar
      mark.setAttribute("role", "status");
      document.body.append(mark);
    }
  }
  document.addEventListener("visibilitychange", () => { if (wanted && !document.hidden) stayAwake(); });
})();
