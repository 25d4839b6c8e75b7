// Names used before are offered: a tap puts one on the next free seat. A number that the chosen game is not for cannot be tapped.
"use strict";
(() => {
  const games = document.querySelector(".games");
  const known = document.querySelector(".known");

  function offerNumbers() {
    const { least, most } = games.querySelector(":checked").dataset;
    for (const number of document.querySelectorAll(".pick .btn")) number.disabled = number.value < least || number.value > most;
  }

  games.addEventListener("change", offerNumbers);
  window.addEventListener("pageshow", offerNumbers); // back and forward keep the chosen game
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
