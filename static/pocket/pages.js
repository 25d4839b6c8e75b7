// Pages as Python last drew them, to be shown at once while Python wakes. Each has the stamp of all that it was drawn from: with another
// stamp than the journal's it is old, and is not shown. The service worker and Python's worker share this file.
self.pages = (() => {
  const MOST = 12;
  const open = () => caches.open("pages");

  return {
    // `folder` names the program by its content; `id` is the table, or nothing if all of them are on the page.
    async stamp(folder, id, language) {
      const drawnFrom = [folder, language, id || new Date().toDateString(), await journal.facts(id)];
      const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(drawnFrom)));
      return btoa(String.fromCharCode(...new Uint8Array(digest)));
    },
    async find(path, stamp) {
      const kept = await (await open()).match(path);
      return kept?.headers.get("X-Stamp") === stamp ? kept : null;
    },
    async keep(path, stamp, headers, body) {
      const cache = await open();
      await cache.delete(path); // so that it is the newest
      await cache.put(path, new Response(body, { headers: [...headers, ["X-Stamp", stamp]] }));
      for (const old of (await cache.keys()).slice(0, -MOST)) await cache.delete(old);
    },
  };
})();
