// Names used before are offered: a tap puts one on the next free seat.
"use strict";
(() => {
  const known = document.querySelector(".known");
  if (!known) return;
  known.hidden = false;
  known.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-name]");
    const free = [...document.querySelectorAll(".seatchips input")].find((input) => !input.value);
    if (!chip || !free) return;
    free.value = chip.dataset.name;
    chip.remove();
  });
})();
