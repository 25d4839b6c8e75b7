// A control that appeared or changed under the finger takes no touch for a moment, so that a bounced tap enters nothing.
// One that is what it was, where it was, takes every touch: fast taps on neighbouring keys are all meant.
// The first moment of a page and of a sheet is guarded in the same way by the stylesheet (see `settle`).
"use strict";
(() => {
  const SETTLE = 400; // ms
  const NEAR = 9; // px
  const CONTROLS = "a[href], button, summary, label";
  const since = new WeakMap(); // when a control came to its place
  let before = []; // the controls before a swap

  const all = () => [...document.querySelectorAll(CONTROLS)];
  const meaning = (control) => (control.name
    ? [control.getAttribute("formaction"), control.name, control.value, control.disabled]
    : [control.pathname, control.getAttribute("aria-label") || control.textContent]).join("|");
  const isNear = (one, two) => Math.hypot(one.x - two.x, one.y - two.y) < NEAR;

  function guard(control, at) {
    since.set(control, at);
    const left = at + SETTLE - performance.now();
    if (left > 0) control.animate([{ pointerEvents: "none" }, { pointerEvents: "none" }], left);
  }

  document.addEventListener("htmx:beforeSwap", () => {
    before = all().map((control) => ({ what: meaning(control), box: control.getBoundingClientRect(), at: since.get(control) ?? -SETTLE }));
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const control of all()) {
      const what = meaning(control);
      const box = control.getBoundingClientRect();
      guard(control, before.find((old) => old.what === what && isNear(old.box, box))?.at ?? performance.now());
    }
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) all().forEach((control) => guard(control, performance.now())); });
})();
