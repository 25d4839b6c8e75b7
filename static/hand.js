// A player's hidden cards stay in this tab. They are subtracted from what the table knows: the unseen cards of each value.
const find = (what) => document.querySelector(what);
const place = `hand ${location.pathname}`;
const count = (cards, value) => cards.filter((card) => card === value).length;
const held = () => Number(find("#public").dataset.held);

function load() {
  const stored = JSON.parse(sessionStorage.getItem(place));
  return stored && stored.round === find("#public").dataset.round ? stored.cards : [];
}

function store(cards) {
  sessionStorage.setItem(place, JSON.stringify({ round: find("#public").dataset.round, cards }));
  draw();
}

function draw() {
  const cards = load();
  const tooMany = cards.length > held();
  const left = {};
  let all = 0;
  for (const key of document.querySelectorAll("[data-card]")) {
    const { card, unseen } = key.dataset;
    left[card] = Number(unseen) - count(cards, card);
    key.disabled = left[card] <= 0 || cards.length >= held();
    all += left[card];
  }
  find("#played").hidden = !tooMany;
  const known = all > 0 && !tooMany; // else the played card counts twice
  for (const danger of document.querySelectorAll("[data-cards]")) {
    const out = danger.dataset.cards.split(" ").reduce((sum, card) => sum + (left[card] ?? 0), 0);
    const counted = danger.querySelector(".counted");
    danger.querySelector(".risk").textContent =
      known ? find("#public").dataset.percent.replace("#", Math.round((100 * out) / all)) : "–";
    if (counted) counted.textContent = known ? counted.dataset.words.replace("#", out).replace("#", all) : "";
  }
  find("#mine").replaceChildren(...cards.map(cardOf));
}

function cardOf(value, index) {
  const item = document.createElement("li");
  const button = Object.assign(document.createElement("button"), { type: "button", className: "card lg", textContent: value });
  button.setAttribute("aria-label", find("#mine").dataset.label.replace("#", value));
  button.addEventListener("click", () => store(load().filter((_card, at) => at !== index)));
  item.append(button);
  return item;
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-card]");
  if (key) store([...load(), key.dataset.card].sort((one, other) => one - other));
});
document.addEventListener("htmx:afterSwap", draw);
draw();
