// Lends Python to the service worker. The page that holds the lock runs it for all tabs.
const STOLEN_AFTER = 3000; // ms without an answer from the page that has the lock: then it is frozen in the background
const TOO_LONG = 120_000; // ms for a start
const LEISURE = 10_000; // ms without a request, then a picture of Python's memory is taken for later starts
const MOST_UNFINISHED = 3; // failed starts in a row; the next one does without the picture

export function lend({ python, root, bundle, served }, tell) {
  const unfinished = `starts ${root}`;
  let worker = null;
  let taken = new Set(); // requests this worker has got: the service worker repeats a request until it is answered
  let lastAsked = 0;
  let isStealing = false;
  const change = (state) => {
    document.documentElement.dataset.referee = state;
    tell(state);
  };
  const workerFor = (what) => new Worker(python, { type: "module", name: JSON.stringify({ root, bundle, served, ...what }) });

  async function hold(options) {
    let mine = null;
    const run = () => new Promise((end) => {
      isStealing = false;
      mine = begin(() => { change("failed"); end("failed"); });
    });
    const ended = await navigator.locks.request("python", options, run).catch(({ name }) => name);
    mine?.terminate();
    if (worker === mine) worker = null;
    if (ended === "AbortError") hold({}); // another page took the lock; this one is the next. (A page that was left may not ask.)
  }

  function begin(fail) {
    const starts = Number(localStorage.getItem(unfinished));
    localStorage.setItem(unfinished, starts + 1);
    const mine = workerFor({ isPlain: starts >= MOST_UNFINISHED });
    const late = setTimeout(fail, TOO_LONG);
    mine.onmessage = ({ data }) => {
      if (data === "kept") keep();
      if (data.failed) fail();
      if (data !== "awake") return;
      clearTimeout(late);
      localStorage.removeItem(unfinished);
      change("awake");
      setTimeout(atLeisure, LEISURE);
    };
    mine.onerror = fail;
    worker = mine;
    taken = new Set();
    change("waking");
    return mine;
  }

  // In a separate worker, whose memory holds no data of a person.
  function atLeisure() {
    if (Date.now() - lastAsked < LEISURE) return void setTimeout(atLeisure, LEISURE);
    const taking = workerFor({ isTaking: true });
    taking.onmessage = taking.onerror = () => taking.terminate();
  }

  // After the first entry, ask the browser not to delete our data when the phone gets full.
  let asked = false;
  async function keep() {
    if (asked) return;
    asked = true;
    if (!(await navigator.storage?.persisted?.())) navigator.storage?.persist?.();
  }

  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    const { referee } = document.documentElement.dataset;
    if (data.probe) port.postMessage(referee);
    if (!data.target) return;
    lastAsked = Date.now();
    if (worker) {
      port.postMessage("taken");
      if (!taken.has(data.id)) worker.postMessage(data, [data.body, port]);
      taken.add(data.id);
    } else if (data.silence > STOLEN_AFTER && !document.hidden && !isStealing) {
      isStealing = true;
      hold({ steal: true });
    }
  });
  navigator.serviceWorker.startMessages();
  change("waking");
  hold({});
}
