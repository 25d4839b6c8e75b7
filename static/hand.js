// A player's hidden cards. They are kept in this tab, nothing of them is sent. The page tells what the table knows of each
// value: how many are unseen, and whether one more would put the player out. Here his own cards are only subtracted.
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const place = `hand ${location.pathname}`;
  const count = (cards, value) => cards.filter((card) => card === value).length;
  const held = () => Number(find("public").dataset.held);

  function load() {
    const kept = JSON.parse(sessionStorage.getItem(place));
    return kept && kept.round === find("public").dataset.round ? kept.cards : [];
  }

  function keep(cards) {
    sessionStorage.setItem(place, JSON.stringify({ round: find("public").dataset.round, cards }));
    draw();
  }

  function draw() {
    const cards = load();
    const tooMany = cards.length > held();
    let all = 0;
    let out = 0;
    for (const key of document.querySelectorAll("[data-card]")) {
      const left = Number(key.dataset.unseen) - count(cards, key.dataset.card);
      key.disabled = left <= 0 || cards.length >= held();
      all += left;
      if ("pairs" in key.dataset) out += left;
    }
    find("played").hidden = !tooMany;
    const known = all > 0 && !tooMany; // until the played card is taken away it would be counted twice
    find("risk").textContent = known ? find("risk").dataset.words.replace("#", Math.round((100 * out) / all)) : "–";
    find("counted").textContent = known ? find("counted").dataset.words.replace("#", out).replace("#", all) : "";
    find("mine").replaceChildren(...cards.map(cardOf));
  }

  function cardOf(value, index) {
    const item = document.createElement("li");
    const button = Object.assign(document.createElement("button"), { type: "button", className: "card lg", textContent: value });
    button.setAttribute("aria-label", find("mine").dataset.label.replace("#", value));
    button.addEventListener("click", () => keep(load().filter((_card, at) => at !== index)));
    item.append(button);
    return item;
  }

  document.addEventListener("click", (event) => {
    const key = event.target.closest("[data-card]");
    if (key) keep([...load(), key.dataset.card].sort((one, other) => one - other));
  });
  document.addEventListener("htmx:afterSwap", draw);
  find("without-scripts")?.remove();
  if (find("public")) draw();
})();
