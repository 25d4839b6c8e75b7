// The storage page: how much space of the phone is used, and what can be deleted.
const place = document.querySelector("#space");
const { used, quick, safe, loose } = place.dataset;
const size = (bytes) => (bytes / 1e6).toLocaleString(document.documentElement.lang, { maximumFractionDigits: 1 });

// The bytes of the picture of Python's memory; see pocket/start.js.
async function picture() {
  const cache = window.caches && (await caches.open("python"));
  const memory = (await cache?.keys())?.find(({ url }) => url.split("/").pop() === "memory");
  return memory && Number((await cache.match(memory)).headers.get("Content-Length"));
}

async function tell() {
  const { usage } = (await navigator.storage?.estimate?.()) ?? {};
  if (!usage) return;
  const bytes = await picture();
  const kept = (await navigator.storage.persisted()) ? safe : loose;
  place.textContent = [used.replace("#", size(usage)), bytes && quick.replace("#", size(bytes)), kept].filter(Boolean).join(" ");
  place.hidden = false;
}

tell();
