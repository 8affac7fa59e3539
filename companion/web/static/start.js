/* Who starts: the engine beside the question is the one that the chosen length begins with.
   Without this file each length shows its own engine. */
(function () {
  "use strict";
  const find = (words) => document.querySelector(words);

  /* two fields of its own come before the choice from the list, as for the companion */
  function first() {
    if (find("#rounds").value || find("#first").value) return find("#first").value;
    const chosen = find("[name=length]:checked");
    return chosen ? chosen.value.split("-")[1] || "" : "";
  }

  function follow() {
    const all = Array.from(document.querySelectorAll("#first-engine [data-engine]"));
    const value = first() || (all[0] && all[0].getAttribute("data-engine"));
    all.forEach(function (each) { each.hidden = each.getAttribute("data-engine") !== value; });
  }

  document.addEventListener("change", function (event) {
    if (event.target.closest && event.target.closest("#start-form")) follow();
  });
  window.addEventListener("pageshow", function () { if (find("#first-engine")) follow(); });
})();
