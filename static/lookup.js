// Steppers move through the tables that are in the page, with no signal too; no rule is here.
"use strict";
(() => {
  const FIRST = 35; // the character for 0 % in the table of second black stones
  const TAKES = 10;
  const LATER = 1500; // ms

  const showTab = () => document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  showTab();
  document.addEventListener("htmx:afterSwap", ({ detail }) => { if (detail.target.id !== "answer") showTab(); });

  const inputOf = (step) => step.querySelector("input");

  function show() {
    document.querySelectorAll("[data-out]").forEach((out) => {
      const [name, column] = out.dataset.out.split(":");
      const table = document.querySelector(`[data-table=${name}]`);
      const key = inputOf(document.querySelector(`[data-step=${table.dataset.key}]`)).value;
      const row = table.querySelector(`[data-row="${key}"]`);
      if (row) out.textContent = row.children[Number(column)].textContent;
    });
    const second = document.querySelector("[data-second]");
    if (!second) return;
    const at = (name) => Number(inputOf(document.querySelector(`[data-step=${name}]`)).value);
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

  // A step of a table that is in the page needs no server; any other is sent by htmx.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("form[data-steps] .step button");
    if (!button || !document.querySelector("[data-out]")) return;
    event.preventDefault();
    const step = button.closest(".step");
    const { least, most, by } = step.dataset;
    const way = button === step.querySelector("button") ? -1 : 1;
    const next = Math.min(Number(most), Math.max(Number(least), Number(inputOf(step).value) + way * Number(by)));
    inputOf(step).value = next;
    step.querySelector("output").textContent = next;
    show();
  });

  // What an installed app can do comes a moment later, unless the page has it already.
  const { htmx: late, pwa } = document.documentElement.dataset;
  if (!late) window.addEventListener("load", () => setTimeout(() => import(pwa).catch(() => {}), LATER));

  // No answer: the form says so where the answer would stand.
  document.addEventListener("htmx:sendError", (event) => {
    const { ask } = event.detail.elt.dataset;
    if (ask) document.getElementById("answer").textContent = ask;
  });
})();
