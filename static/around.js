// What every board needs around it: it is said aloud, sheets open over it, and the installed app's part follows.
"use strict";
(() => {
  // The style sheet of a wide screen.
  const wide = matchMedia("(min-width: 560px)");
  (wide.onchange = () => {
    const sheet = document.getElementById("wide");
    if (wide.matches && sheet) sheet.outerHTML = sheet.textContent;
  })();
  // Said aloud from a place that stays when the board is another one.
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id === "board") document.getElementById("told").textContent = document.getElementById("board").dataset.told;
  });
  // What is behind a sheet comes with the first one.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const sheet = event.detail.target;
    if (sheet.id !== "sheet") return;
    sheet.dataset.opener = event.detail.pathInfo.requestPath;
    import(sheet.dataset.script).catch(() => location.assign(sheet.dataset.opener)); // no answer: the page may be at hand
  });
  // The installed app's part comes after the board is there.
  window.addEventListener("load", () => setTimeout(() => document.hidden || import(document.documentElement.dataset.pwa).catch(() => {}), 1500));
  window.addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); window.offer = event; });
})();
