// How much room we take on this phone, as far as its browser tells, and whether it keeps it.
"use strict";
(async () => {
  const place = document.getElementById("space");
  const { usage } = (await navigator.storage?.estimate?.()) ?? {};
  if (!usage) return;
  const used = (usage / 1e6).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });
  const { safe, loose } = place.dataset;
  place.textContent = `${place.dataset.used.replace("#", used)} ${(await navigator.storage.persisted()) ? safe : loose}`;
  place.hidden = false;
})();
