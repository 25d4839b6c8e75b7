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
  let all = 0;
  let out = 0;
  for (const key of document.querySelectorAll("[data-card]")) {
    const left = Number(key.dataset.unseen) - count(cards, key.dataset.card);
    key.disabled = left <= 0 || cards.length >= held();
    all += left;
    if ("pairs" in key.dataset) out += left;
  }
  find("#played").hidden = !tooMany;
  const known = all > 0 && !tooMany; // else the played card counts twice
  find("#risk").textContent = known ? find("#risk").dataset.words.replace("#", Math.round((100 * out) / all)) : "–";
  find("#counted").textContent = known ? find("#counted").dataset.words.replace("#", out).replace("#", all) : "";
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
