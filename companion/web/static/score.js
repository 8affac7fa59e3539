/* Scoring by thumb: a keypad with sums, and photos that are sent as soon as they are chosen.
   Written for old tablets too; without it the plain form does the same. */
(function () {
  "use strict";
  var root = document.documentElement;
  root.className += " thumbs";

  function byId(id) {
    return document.getElementById(id);
  }

  /* ---- the keypad -------------------------------------------------------- */
  var field = byId("typed");
  var pad = byId("keypad");
  var words = byId("typed-sum");
  var save = byId("save");

  function sum(text) {
    var parts = text.replace(/[+\s]+$/, "").split("+");
    var total = 0;
    for (var i = 0; i < parts.length; i += 1) {
      if (!/^\s*\d{1,6}\s*$/.test(parts[i])) return null;
      total += parseInt(parts[i], 10);
    }
    return total;
  }

  function show() {
    var total = sum(field.value);
    var several = field.value.indexOf("+") > 0 && total !== null;
    words.textContent = several ? words.getAttribute("data-sum") + " " + total : words.getAttribute("data-hint");
    words.className = several ? "typed-sum typed-made" : "typed-sum hint";
    save.disabled = !field.value.trim();
  }

  function press(key) {
    var text = field.value;
    if (key === "back") text = text.slice(0, -1);
    else if (key === "+") text = /\d$/.test(text) ? text + "+" : text;
    else text = (text + key).replace(/(^|\+)0+(?=\d)/g, "$1");
    field.value = text.slice(0, 60);
    show();
  }

  if (field && pad && words && save) {
    words.setAttribute("data-hint", words.textContent);
    pad.removeAttribute("hidden");
    field.setAttribute("inputmode", "none");
    pad.addEventListener("click", function (event) {
      var key = event.target;
      while (key && key !== pad && !key.getAttribute("data-key")) key = key.parentNode;
      if (key && key !== pad) press(key.getAttribute("data-key"));
    });
    field.addEventListener("input", show);
    window.addEventListener("pageshow", show);
    show();
  }

  /* ---- photos ---------------------------------------------------------------- */
  var sending = byId("sending");
  document.addEventListener("change", function (event) {
    var file = event.target;
    var id = file.getAttribute && file.getAttribute("data-send");
    if (!id || !file.files || !file.files.length) return;
    var others = document.querySelectorAll("input[data-send]");
    for (var i = 0; i < others.length; i += 1) if (others[i] !== file) others[i].value = "";
    if (sending) sending.textContent = sending.getAttribute("data-words");
    byId(id).click();
  });
  window.addEventListener("pageshow", function () {
    if (sending) sending.textContent = "";
  });
})();
