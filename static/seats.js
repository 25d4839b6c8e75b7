// The seats over the board. Bets and names go through the queue of taps: a bet once, after its last step, the names all in one
// when the sheet closes. Other changes wait for them. Without scripts every step is a form, and so are the names.
const find = (what) => document.querySelector(what);
const sheet = find("#sheet");
if (sheet) changeSeats();

function changeSeats() {
  const LEFT_ALONE = 2000; // ms
  let stepped = null; // the form of a bet that is not sent
  let timer = 0;
  let held = null; // another change to the seats waits for bets and names
  let named = ""; // names were sent: where to ask for the seats again

  function step(button) {
    const form = button.form;
    if (stepped !== form) send();
    stepped = form;
    const steps = form.dataset.steps.split(" ");
    const [less, more] = form.querySelectorAll("button");
    const place = steps.indexOf(form.dataset.bet) + (button === more ? 1 : -1);
    form.dataset.sent ??= form.dataset.bet;
    form.dataset.bet = form.querySelector("output").value = steps[place];
    less.disabled = place === 0;
    more.disabled = place === steps.length - 1;
    clearTimeout(timer);
    timer = setTimeout(send, LEFT_ALONE);
  }

  function send() {
    sendBet();
    sendNames();
  }

  function sendBet() {
    const form = stepped;
    stepped = null;
    clearTimeout(timer);
    if (!form || form.dataset.bet === form.dataset.sent) return;
    form.dataset.sent = form.dataset.bet;
    const button = form.querySelector("button:enabled");
    button.value = button.value.replace(/\w+$/, form.dataset.bet);
    button.dataset.says = `${form.dataset.name} ${form.dataset.bet}`;
    form.requestSubmit(button);
  }

  function sendNames() {
    const fields = [...sheet.querySelectorAll(".called input")];
    if (fields.every((field) => field.value === field.defaultValue)) return;
    fields.forEach((field) => { field.defaultValue = field.value; });
    const { form } = fields[0];
    named = form.action.replace(/names$/, "seats");
    form.requestSubmit(form.querySelector("button"));
  }

  // Board and sheet share the version after an entry of this phone, but not after another phone's, which they do not show.
  function agree() {
    const fields = [...sheet.querySelectorAll("#seats [name=version]")];
    const newest = Math.max(find("#board").dataset.version, ...fields.map((field) => field.value));
    find("#board").dataset.version = newest;
    fields.forEach((field) => { field.value = newest; });
  }

  sheet.addEventListener("click", (event) => {
    const button = event.target.closest(".bet button, #names button");
    if (!button) return;
    event.preventDefault();
    if (button.closest(".bet")) step(button);
    else history.back(); // closes the sheet
  });
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".called input")) return;
    event.preventDefault();
    const fields = [...sheet.querySelectorAll(".called input")];
    const next = fields[fields.indexOf(event.target) + 1];
    if (next) next.focus();
    else history.back();
  });
  document.addEventListener("pointerdown", (event) => { if (event.target.closest?.(".bet") !== stepped) sendBet(); }, true);
  sheet.addEventListener("close", send);
  addEventListener("pagehide", send);
  document.addEventListener("visibilitychange", send); // a phone may end a hidden page without notice
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.requestConfig.verb === "post" && sheet.querySelector("#seats")) agree();
  });
  document.addEventListener("taps:wait", (event) => {
    if (event.detail.waiting.length || !(held || named)) return;
    agree();
    if (held) held();
    else if (sheet.open) htmx.ajax("GET", named, { target: "#seats", swap: "outerHTML" });
    held = null;
    named = "";
  });
  sheet.addEventListener("htmx:confirm", (event) => {
    if (!event.target.closest("#seats form:not(.bet, #names)")) return;
    send();
    if (!Number(find("#play").dataset.waiting)) return;
    event.preventDefault();
    held ??= () => event.detail.issueRequest(true);
  });
}
