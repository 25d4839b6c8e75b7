// The import: a link that carries a table has it behind the #, which no server sees.
const { form } = document.querySelector("form [name=record]");
function arrive() {
  if (!location.hash.startsWith("#r=")) return;
  form.record.value = location.hash;
  history.replaceState(null, "", location.pathname); // Back leads to the form, not here again
  form.requestSubmit(form.preview);
}
addEventListener("hashchange", arrive);
arrive();
