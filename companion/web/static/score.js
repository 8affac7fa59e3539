/* Scoring by thumb: a keypad with sums, tiles to tap, photos that are sent as soon as they are
   chosen, and the wait for their reader.
   Written for old tablets too; without it the plain form does the same. */
(function () {
  "use strict";
  var root = document.documentElement;
  root.className += " thumbs";

  function byId(id) {
    return document.getElementById(id);
  }

  /* ---- the keypad -------------------------------------------------------- */
  var pad = byId("keypad");
  var field = pad && byId(pad.getAttribute("data-for"));
  var words = byId("typed-sum");

  /* what saves has nothing to save yet; the bar that it stands in may be a fresh one by now */
  function nothing(yet) {
    ["save", "save-next", "correct-save"].forEach(function (id) {
      if (byId(id)) byId(id).disabled = yet;
    });
  }

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
    nothing(!field.value.trim());
  }

  function press(key) {
    var text = field.value;
    if (key === "back") text = text.slice(0, -1);
    else if (key === "+") text = /\d$/.test(text) ? text + "+" : text;
    else text = (text + key).replace(/(^|\+)0+(?=\d)/g, "$1");
    field.value = text.slice(0, 60);
    show();
  }

  if (field && words) {
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

  /* ---- tiles by finger: the total, what is picked, one end at a time where columns are narrow -- */
  var grid = byId("grid");
  var card = byId("grid-card");
  var NARROW = 48;

  function boxes() {
    return [].slice.call(card.querySelectorAll("#grid input"));
  }

  function add() {
    var total = 0;
    var says = [];
    var strip = byId("grid-picked");
    strip.textContent = "";
    var picked = boxes().filter(function (box) { return box.checked; });
    picked.forEach(function (box) {
      total += Number(box.getAttribute("data-points"));
      if (box.getAttribute("data-says")) says.push(box.getAttribute("data-says"));
      var out = document.createElement("button");
      out.type = "button";
      out.className = "tile-tap grid-out";
      out.setAttribute("data-tile", box.value);
      out.setAttribute("aria-label", box.value);
      out.appendChild(box.parentNode.querySelector("svg").cloneNode(true));
      strip.appendChild(out);
    });
    if (byId("grid-total")) byId("grid-total").textContent = picked.length ? total : "–";
    byId("grid-says").textContent = says.join(" ");
    nothing(!picked.length);
  }

  function lay() {
    var columns = card.querySelectorAll(".grid-end").length;
    var text = parseFloat(getComputedStyle(root).fontSize) || 18;
    var narrow = byId("grid-part").clientWidth / columns < Math.max(NARROW, 2.6 * text);
    byId("grid-ends").hidden = !narrow;
    if (narrow) card.className = card.className.replace(/ by-end|$/, " by-end");
    else card.className = card.className.replace(/ by-end| ends-\d+/g, "");
    if (narrow && !/ends-/.test(card.className)) choose(String(columns - 1));
  }

  function choose(end) {
    card.className = card.className.replace(/ ends-\d+|$/, "") + " ends-" + end;
    [].forEach.call(card.querySelectorAll(".grid-end"), function (button) {
      button.setAttribute("aria-pressed", String(button.getAttribute("data-end") === end));
    });
  }

  if (grid && card) {
    card.addEventListener("change", add);
    card.addEventListener("click", function (event) {
      var button = event.target;
      while (button && button !== card && button.nodeName !== "BUTTON") button = button.parentNode;
      if (!button || button === card) return;
      if (button.getAttribute("data-end")) choose(button.getAttribute("data-end"));
      if (!button.getAttribute("data-tile")) return;
      var left = null;
      boxes().forEach(function (box) {
        if (box.value === button.getAttribute("data-tile")) left = box;
      });
      left.checked = false;
      add();
      var next = byId("grid-picked").querySelector("button") || card.querySelector(".grid-end[aria-pressed=true]");
      (next && next.offsetParent ? next : left).focus(); // the keyboard stays on the page
    });
    window.addEventListener("pageshow", add);
    window.addEventListener("resize", lay);
    lay();
    add();
  }

  /* ---- waiting for the reader: ask again, and go on when the photo has been read -------- */
  var waiting = byId("waiting");
  var pause = waiting && Number(waiting.getAttribute("data-again"));

  function ask() {
    var asked = new XMLHttpRequest();
    asked.open("GET", location.href);
    asked.timeout = 15000;
    asked.onloadend = function () {
      var page = asked.status ? new DOMParser().parseFromString(asked.responseText, "text/html") : null;
      var fresh = page && page.getElementById("waiting");
      if (page && (!fresh || !fresh.getAttribute("data-again"))) return location.reload();
      if (fresh) {
        byId("waiting-words").textContent = fresh.querySelector("#waiting-words").textContent;
        byId("waiting-bar").value = fresh.querySelector("#waiting-bar").value;
      }
      setTimeout(ask, pause);
    };
    asked.send();
  }
  if (pause) setTimeout(ask, pause);

  /* ---- photos ---------------------------------------------------------------- */
  document.addEventListener("change", function (event) {
    var file = event.target;
    var id = file.getAttribute && file.getAttribute("data-send");
    if (!id || !file.files || !file.files.length) return;
    var others = document.querySelectorAll("input[data-send]");
    for (var i = 0; i < others.length; i += 1) if (others[i] !== file) others[i].value = "";
    say(true);
    byId(id).click();
  });
  window.addEventListener("pageshow", function () { say(false); });

  function say(sends) {
    var words = byId("sending");
    if (words) words.textContent = sends ? words.getAttribute("data-words") : "";
  }
})();
