// The journal: this phone's tables on its disk. The service worker and Python's worker share it.
self.journal = (() => {
  const STORES = ["tables", "rows", "session"];
  const opened = new Promise((done, failed) => {
    const asked = indexedDB.open("fifty-five", 1);
    asked.onupgradeneeded = () => {
      const made = asked.result;
      made.createObjectStore("tables", { keyPath: "id" });
      made.createObjectStore("rows", { keyPath: ["table", "number"] }).createIndex("unsent", ["sent", "table", "number"]);
      made.createObjectStore("session", { keyPath: "id" });
    };
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  const result = (asked) => new Promise((done, failed) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => failed(asked.error);
  });
  const read = async (request) => request((await opened).transaction(STORES));
  const rowsOf = (table, after = 0) => IDBKeyRange.bound([table, after + 1], [table, Infinity]);
  const unsentOf = (table) => (table ? IDBKeyRange.bound([0, table, 0], [0, table, Infinity]) : IDBKeyRange.bound([0], [1]));

  return {
    everything: () => read(async (at) => {
      const [tables, rows, session] = await Promise.all(STORES.map((name) => result(at.objectStore(name).getAll())));
      return { tables, rows, session };
    }),
    // The rows of one table that Python lacks; `have` is how many rows of a copy it has.
    since: async (id, have) => read(async (at) => {
      const table = await result(at.objectStore("tables").get(id));
      const all = (name, range) => result(at.objectStore(name).getAll(range));
      return table && { tables: [table], rows: await all("rows", rowsOf(id, have(table.copy))), session: await all("session") };
    }),
    // What a page is drawn from: of one table, or of all.
    facts: (id) => read(async (at) => {
      const tables = at.objectStore("tables");
      const counted = at.objectStore("rows").count(id ? rowsOf(id) : undefined);
      return Promise.all([id ? tables.get(id) : tables.getAll(), counted, at.objectStore("session").getAll()].map(result));
    }),
    row: (id, number) => read((at) => result(at.objectStore("rows").get([id, number]))),
    session: (id) => read((at) => result(at.objectStore("session").get(id))),
    table: (id) => read((at) => result(at.objectStore("tables").get(id))),
    tables: () => read((at) => result(at.objectStore("tables").getAll())),
    count: (id) => read((at) => result(at.objectStore("rows").count(rowsOf(id)))),
    unsent: (id) => read((at) => result(at.objectStore("rows").index("unsent").getAll(unsentOf(id)))),
    unsentCount: (id) => read((at) => result(at.objectStore("rows").index("unsent").count(unsentOf(id)))),
    // Writes everything or nothing, and returns when it is on the disk. `add` refuses a number that exists: of two tabs the first wins.
    write: async (written) => {
      const at = (await opened).transaction(STORES, "readwrite", { durability: "strict" });
      const finished = new Promise((done, failed) => {
        at.oncomplete = done;
        at.onabort = () => failed(at.error);
      });
      for (const [store, how, value] of written) at.objectStore(store)[how](value);
      await finished;
    },
  };
})();
