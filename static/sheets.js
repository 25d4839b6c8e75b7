// A page that htmx puts into the dialog is a sheet over the board. Back, Escape, a swipe down or a tap beside it closes it.
// It is loaded by the first link to a sheet (see around.js), so the first page may be there before it.
"use strict";
(() => {
  const FAR = 80; // px a finger moves down to close the sheet
  const sheet = document.getElementById("sheet");
  let start = null; // where the finger went down
  let changed = false; // whether the board behind it is old

  const isForSheet = (event) => event.detail.target === sheet;
  const close = () => history.back(); // the sheet is a step in the history: see popstate

  // The style of the pages comes with the first sheet.
  const styled = new Promise((go) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: sheet.dataset.style });
    link.onload = link.onerror = go;
    document.head.append(link);
  });

  async function open() {
    await styled;
    sheet.setAttribute("aria-label", sheet.querySelector("h1").textContent);
    if (!sheet.open) {
      history.pushState({ sheet: true }, ""); // first: whoever sees the sheet can go back from it
      sheet.showModal();
    }
    sheet.scrollTop = 0;
    sheet.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }

  document.addEventListener("htmx:afterSwap", (event) => {
    if (isForSheet(event)) open();
    else if (sheet.open && event.detail.requestConfig.verb === "post") {
      const { target, xhr } = event.detail;
      if (target.id !== "board") changed = true; // something was entered from it
      else if (xhr.status >= 400 || !sheet.querySelector("#seats")) close(); // on the seats one bet follows another: bets.js
    }
  });
  // No answer: the link leads to the page, which may be at hand without a signal.
  const asPage = () => location.assign(sheet.dataset.opener);
  document.addEventListener("htmx:sendError", (event) => { if (isForSheet(event)) asPage(); });

  window.addEventListener("popstate", () => sheet.close());
  sheet.addEventListener("cancel", (event) => { event.preventDefault(); close(); });
  sheet.addEventListener("close", () => {
    if (changed) htmx.trigger("#board", "look");
    changed = false;
  });
  sheet.addEventListener("close", () => document.querySelector(`#board [href="${CSS.escape(sheet.dataset.opener)}"]`)?.focus());
  sheet.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (event.target === sheet || link?.closest(".bar")) {
      event.preventDefault();
      close();
    } else if (link && !link.hasAttribute("hx-get")) {
      event.preventDefault();
      location.replace(link.href); // in the place of the sheet, so that Back leads to the board
    }
  });
  sheet.addEventListener("touchstart", (event) => {
    start = sheet.scrollTop === 0 && event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  sheet.addEventListener("touchend", (event) => {
    if (!start) return;
    const end = event.changedTouches[0];
    const across = Math.abs(end.clientX - start.clientX);
    if (end.clientY - start.clientY > Math.max(FAR, across)) close();
    start = null;
  });
  if (sheet.firstElementChild) open();
  else if (!document.querySelector('[hx-target="#sheet"].htmx-request')) asPage(); // it had failed before this script came
})();
