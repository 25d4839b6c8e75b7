// A link that carries a table has it behind the #, which no server is told. It is put into the form, and looked at first.
"use strict";
(() => {
  const form = document.querySelector("form.setup");
  function arrive() {
    if (!location.hash.startsWith("#r=")) return;
    form.record.value = location.hash;
    history.replaceState(null, "", location.pathname); // Back leads to the form, not here again
    form.requestSubmit(form.look);
  }
  document.getElementById("without-scripts").remove();
  window.addEventListener("hashchange", arrive);
  arrive();
})();
