// Measures every board of a page. The boards are one below the other, each as high as the screen.
// Returns, for each board, the places of its controls and a list of faults in words.
(() => {
  const WIDE = innerWidth;
  const HIGH = innerHeight;
  // Text that may be cut off with three dots: names, and text that is repeated elsewhere.
  const SHORTENED = ".name, .who, .did > span, bdi, .bar p, .bar h1";
  const BOXES = ".card, .btn, .key, .chip, .stonekey, .seat, .mid, .turn > div, .deck, .risk, .say, .fines > div, .panel, .bar, .again, .scores, .takes";

  function texts(board) {
    const walker = document.createTreeWalker(board, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.data.trim() || node.parentElement.closest(".hide")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()].filter((rect) => rect.width && rect.height);
      if (rects.length) found.push({ node, parent: node.parentElement, rects });
    }
    return found;
  }

  // A line box is higher than its letters, so a third of it may overlap a neighbour.
  const letters = (rect) => ({ left: rect.left + 0.5, right: rect.right - 0.5, top: rect.top + rect.height * 0.22, bottom: rect.bottom - rect.height * 0.2 });
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const name = (element) => `${element.tagName.toLowerCase()}.${element.className.baseVal ?? element.className}`;

  const clipping = (element) => (getComputedStyle(element).overflow === "visible" && element.parentElement ? clipping(element.parentElement) : element);

  function faultsOf(board) {
    const faults = [];
    const top = board.getBoundingClientRect().top;
    const tall = board.getBoundingClientRect().height;
    if (Math.abs(tall - HIGH) > 0.6) faults.push(`the board is ${Math.round(tall)} high`);
    for (const control of board.querySelectorAll("button, a, label, summary")) {
      const rect = control.getBoundingClientRect();
      const room = control.closest(".chips")?.getBoundingClientRect(); // scrolls within itself
      if (!rect.width || control.closest("p.do, .foot") || (room && rect.bottom > room.bottom + 1)) continue;
      const what = `${name(control)} ${control.getAttribute("value") ?? control.innerText.slice(0, 12)}`;
      if (rect.top - top < -0.5 || rect.bottom - top > HIGH + 0.5 || rect.left < -0.5 || rect.right > WIDE + 0.5) faults.push(`${what} is beyond the edge, ${Math.round(rect.bottom - top)}`);
      if (rect.height < 43.9) faults.push(`${what} is only ${Math.round(rect.height)} high`);
      if (rect.width < (control.matches(".horde .card") ? 28 : 43.9)) faults.push(`${what} is only ${Math.round(rect.width)} wide`);
    }
    const parts = [...board.children].filter((part) => part.getClientRects().length);
    parts.forEach((part, index) => {
      const rect = part.getBoundingClientRect();
      if (rect.bottom - top > HIGH + 0.5) faults.push(`${name(part)} ends at ${Math.round(rect.bottom - top)}`);
      for (const other of parts.slice(index + 1)) if (over(rect, other.getBoundingClientRect()) && Math.min(rect.bottom, other.getBoundingClientRect().bottom) - Math.max(rect.top, other.getBoundingClientRect().top) > 1) faults.push(`${name(part)} overlaps ${name(other)}`);
    });
    const all = texts(board);
    for (const { node, parent, rects } of all) {
      const box = parent.closest(BOXES);
      if (!box || parent.closest(SHORTENED)) continue;
      const edge = box.getBoundingClientRect();
      for (const rect of rects) {
        const ink = letters(rect);
        if (ink.left < edge.left - 1 || ink.right > edge.right + 1 || ink.top < edge.top - 1 || ink.bottom > edge.bottom + 1) faults.push(`“${node.data.trim()}” sticks out of ${name(box)} by ${[edge.left - ink.left, ink.right - edge.right, edge.top - ink.top, ink.bottom - edge.bottom].map(Math.round)}`);
      }
      const clip = parent.closest(".do, .p, .pts, small, b, .fig");
      if (clip && getComputedStyle(clip).overflow !== "visible" && clip.scrollWidth > clip.clientWidth + 1) faults.push(`“${node.data.trim()}” is cut off`);
    }
    for (const box of board.querySelectorAll(".seat, .turn, .act > *, .key, .mid, .turn > div")) {
      if (box.scrollHeight > box.clientHeight + 2 && !box.querySelector(".low, .advice") && getComputedStyle(box).overflow !== "visible") faults.push(`${name(box)} hides ${box.scrollHeight - box.clientHeight} of its height`);
    }
    // A card that covers another leaves its value visible.
    for (const row of board.querySelectorAll(".stack, .hand")) {
      const cards = [...row.querySelectorAll(".card")];
      cards.slice(0, -1).forEach((card, index) => {
        const range = document.createRange();
        range.selectNodeContents(card.firstChild);
        const ink = range.getBoundingClientRect();
        const next = cards[index + 1].getBoundingClientRect();
        if (next.top < ink.bottom - 2 && ink.right > next.left + 1.5) faults.push(`a card's value ${card.innerText} is covered by ${Math.round(ink.right - next.left)}`);
      });
    }
    // No two texts overlap; cards that cover one another were checked above.
    const spots = all.filter(({ parent }) => !parent.closest(".stack, .hand")).flatMap(({ node, parent, rects }) => {
      const hidden = parent.closest(SHORTENED) && clipping(parent).getBoundingClientRect();
      return rects.map((rect) => {
        const ink = letters(rect);
        return { node, ...ink, right: hidden ? Math.min(ink.right, hidden.right) : ink.right };
      });
    });
    for (let i = 0; i < spots.length; i += 1) {
      for (let j = i + 1; j < spots.length; j += 1) {
        if (spots[i].node !== spots[j].node && over(spots[i], spots[j])) faults.push(`“${spots[i].node.data.trim()}” lies over “${spots[j].node.data.trim()}”`);
      }
    }
    return [...new Set(faults)];
  }

  function placesOf(board) {
    const top = board.getBoundingClientRect().top;
    const places = {};
    for (const control of board.querySelectorAll(".key, [name=undo], .bar .icon, .deck")) {
      const rect = control.getBoundingClientRect();
      const label = control.matches(".key") ? `key ${control.value.replace("play ", "")}` : control.matches("[name=undo]") ? "undo" : control.matches(".deck") ? "deck" : null;
      if (label) places[label] = control.matches(".deck") ? [Math.round(rect.top - top)] : [rect.left, rect.top - top, rect.width, rect.height].map(Math.round);
    }
    return places;
  }

  return [...document.querySelectorAll(".board")].map((board) => {
    const least = [...board.querySelectorAll(".stack .card")].reduce((small, card) => Math.min(small, parseFloat(getComputedStyle(card).fontSize)), 99);
    const totals = [...board.querySelectorAll(".pts b")].map((total) => parseFloat(getComputedStyle(total).fontSize));
    return { faults: faultsOf(board), places: placesOf(board), least, total: totals.length ? Math.min(...totals) : 0, dealer: !board.matches(".watch") };
  });
})();
