// Quick reference: steppers move through the tables in the page, without a signal. For other figures htmx asks the server.
const find = (what) => document.querySelector(what);
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
    row.children[2].textContent = "";
    row.children[3].firstElementChild.textContent = percent.format(code / 100);
  });
}

document.addEventListener("click", (event) => {
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
document.addEventListener("htmx:sendError", ({ detail }) => { if (detail.elt.dataset.ask) find("#answer").textContent = detail.elt.dataset.ask; });
