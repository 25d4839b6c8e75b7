// Lends Python to the service worker. Of all our pages the one that holds the lock runs it, for every tab.
const STOLEN_AFTER = 3000; // ms without a sign of life from the page that has the lock: it is frozen in the background

export function lend({ python, root, bundle, served }, tell) {
  const taken = new Set(); // the service worker repeats a request until it is answered
  const name = JSON.stringify({ root, bundle, served });
  let worker = null;
  const change = (state) => {
    document.documentElement.dataset.referee = state;
    tell(state);
  };

  function run() {
    return new Promise((end) => {
      worker = new Worker(python, { type: "module", name });
      worker.onmessage = ({ data }) => {
        if (data === "kept") keep();
        else change(data.failed ? "failed" : data);
        if (data.failed) end();
      };
      worker.onerror = () => { change("failed"); end(); };
      change("waking");
    });
  }

  // Once something is kept here, the browser is asked not to clear it away when the phone gets full.
  let asked = false;
  async function keep() {
    if (asked) return;
    asked = true;
    if (!(await navigator.storage?.persisted?.())) navigator.storage?.persist?.();
  }

  function stop() {
    worker?.terminate();
    worker = null;
  }

  const hold = (options) => navigator.locks.request("python", options, run).then(stop, stop);

  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    const { referee } = document.documentElement.dataset;
    if (data.probe && referee !== "failed") port.postMessage(referee);
    if (!data.target) return;
    if (!worker) {
      if (data.silence > STOLEN_AFTER && !document.hidden) hold({ steal: true });
      return;
    }
    port.postMessage("taken");
    if (taken.has(data.id)) return;
    taken.add(data.id);
    worker.postMessage(data, [data.body, port]);
  });
  navigator.serviceWorker.startMessages();
  change("waking");
  hold({});
}
