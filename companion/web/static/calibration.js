/* Where things lie in the camera's picture, by dragging and tapping; a live picture meanwhile.
   Everything is kept in the page itself: the number fields hold what will be sent, the drawing
   follows them. Without this file the fields and the plain picture do the same. */
(function () {
  "use strict";
  if (!Element.prototype.closest || !window.PointerEvent) return;
  const find = (words, inside) => (inside || document).querySelector(words);
  const all = (words, inside) => Array.from((inside || document).querySelectorAll(words));
  const LIVE = 2500;

  /* ---- what is drawn ------------------------------------------------------ */
  const lay = () => find(".lay-all");
  const handle = (name) => find("[data-handle=" + name + "]", lay());
  const field = (name) => find("#lay-form [name=" + name + "]");

  function placeOf(name) {
    const said = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(handle(name).getAttribute("transform"));
    return { x: parseFloat(said[1]), y: parseFloat(said[2]) };
  }

  function size() {
    const group = lay();
    return { x: Number(group.getAttribute("data-width")), y: Number(group.getAttribute("data-height")) };
  }

  function put(name, place) {
    handle(name).setAttribute("transform", "translate(" + place.x.toFixed(1) + " " + place.y.toFixed(1) + ")");
  }

  function lines() {
    const corners = all("[data-handle^=corner]", lay()).map((corner) => placeOf(corner.getAttribute("data-handle")));
    const points = corners.map((at) => at.x.toFixed(0) + "," + at.y.toFixed(0)).join(" ");
    all("[data-line=area]", lay()).forEach((line) => line.setAttribute("points", points));
    const hub = placeOf("hub");
    all("line[data-line]", lay()).forEach(function (line) {
      const seat = placeOf(line.getAttribute("data-line"));
      line.setAttribute("x1", hub.x);
      line.setAttribute("y1", hub.y);
      line.setAttribute("x2", seat.x);
      line.setAttribute("y2", seat.y);
    });
  }

  /* as far from the hub as the picture has room, like the handles that the companion draws */
  function along(degrees) {
    const whole = size();
    const hub = placeOf("hub");
    const side = Math.min(whole.x, whole.y);
    const way = { x: Math.cos(degrees * Math.PI / 180), y: Math.sin(degrees * Math.PI / 180) };
    let reach = 0.36 * side;
    ["x", "y"].forEach(function (axis) {
      const room = way[axis] > 0 ? whole[axis] - 0.05 * side - hub[axis] : hub[axis] - 0.05 * side;
      if (Math.abs(way[axis]) > 1e-6) reach = Math.max(Math.min(reach, room / Math.abs(way[axis])), 0.08 * side);
    });
    return { x: hub.x + reach * way.x, y: hub.y + reach * way.y };
  }

  function degreesTo(name) {
    const hub = placeOf("hub");
    const seat = placeOf(name);
    return (Math.atan2(seat.y - hub.y, seat.x - hub.x) * 180 / Math.PI + 360) % 360;
  }

  /* seats of which nobody knows lie evenly between the others, clockwise */
  function guess() {
    const seats = all("[data-handle^=seat]", lay());
    const sure = seats.map((each, n) => n).filter((n) => !seats[n].classList.contains("lay-guess"));
    const ways = seats.map((each) => degreesTo(each.getAttribute("data-handle")));
    sure.forEach(function (here, k) {
      const there = k + 1 < sure.length ? sure[k + 1] : sure[0] + seats.length;
      const turn = (ways[there % seats.length] - ways[here] + 360) % 360 || 360;
      for (let n = here + 1; n < there; n += 1) {
        const way = ways[here] + turn * (n - here) / (there - here);
        put(seats[n % seats.length].getAttribute("data-handle"), along(way));
      }
    });
  }

  /* ---- from the drawing to the fields, and back ------------------------------ */
  function tell(moved) {
    const whole = size();
    const kind = moved.replace(/\d+$/, "");
    if (kind === "seat") known(moved);
    all("[data-handle^=" + kind + "]", lay()).forEach(function (each) {
      const name = each.getAttribute("data-handle");
      if (kind === "seat") {
        if (!each.classList.contains("lay-guess")) field(name + "_way").value = degreesTo(name).toFixed(0);
        return;
      }
      const at = placeOf(name);
      field(name + "_x").value = (100 * at.x / whole.x).toFixed(1);
      field(name + "_y").value = (100 * at.y / whole.y).toFixed(1);
    });
    all(".lay-supposed", lay()).forEach(function (item) {
      const own = item.closest("[data-handle]") || find("[data-line]", item) || item;
      const name = own.getAttribute("data-handle") || own.getAttribute("data-line") || "";
      const guessed = kind === "seat" && handle(name) && handle(name).classList.contains("lay-guess");
      if (name.indexOf(kind === "corner" ? "area" : kind) === 0 && !guessed) item.classList.remove("lay-supposed");
    });
    changed();
  }

  /* this seat is no guess any more */
  function known(name) {
    handle(name).classList.remove("lay-guess");
    all(".lay-ask", handle(name)).forEach((mark) => mark.remove());
    guess();
    lines();
  }

  function listen() {
    const whole = size();
    const number = (name) => parseFloat((field(name) || { value: "" }).value.replace(",", "."));
    all("[data-handle]", lay()).forEach(function (each) {
      const name = each.getAttribute("data-handle");
      if (name.indexOf("seat") === 0) return;
      const at = { x: number(name + "_x") * whole.x / 100, y: number(name + "_y") * whole.y / 100 };
      if (isFinite(at.x) && isFinite(at.y)) put(name, at);
    });
    all("[data-handle^=seat]", lay()).forEach(function (each) {
      const name = each.getAttribute("data-handle");
      const degrees = number(name + "_way");
      put(name, along(isFinite(degrees) ? degrees : degreesTo(name)));
      if (isFinite(degrees) && each.classList.contains("lay-guess")) known(name);
    });
    lines();
  }

  function changed() {
    find("#keep").classList.add("button-main");
    find("#find").classList.remove("button-main");
    if (find("#kept")) find("#kept").hidden = true;
  }

  function move(name, place) {
    const whole = size();
    const kind = name.replace(/\d+$/, "");
    place.x = Math.min(Math.max(place.x, 0), whole.x);
    place.y = Math.min(Math.max(place.y, 0), whole.y);
    const ways = all("[data-handle^=seat]", lay()).map((each) => each.getAttribute("data-handle"));
    const before = ways.map(degreesTo);
    put(name, place);
    if (kind === "hub") ways.forEach((way, n) => put(way, along(before[n])));
    lines();
  }

  function settle(name) {
    const kind = name.replace(/\d+$/, "");
    if (kind === "seat") put(name, along(degreesTo(name)));
    lines();
    tell(name);
  }

  /* ---- fingers ------------------------------------------------------------------ */
  function spot(picture, event) {
    const box = picture.getScreenCTM().inverse();
    const point = picture.createSVGPoint();
    point.x = event.clientX;
    point.y = event.clientY;
    const at = point.matrixTransform(box);
    return { x: at.x, y: at.y };
  }

  let held = null;
  document.addEventListener("pointerdown", function (event) {
    const picture = event.target.closest && event.target.closest("svg.lay-photo");
    if (!picture || event.button || !find(".lay-all", picture)) return;
    const grip = event.target.closest("[data-handle]");
    const chosen = find("#lay-form [name=point]:checked");
    const name = grip ? grip.getAttribute("data-handle") : chosen && chosen.value;
    if (!name) return;
    held = { name: name, picture: picture, grip: Boolean(grip), from: spot(picture, event), moved: false };
    const radio = find("#lay-form [name=point][value=" + name + "]");
    if (radio) radio.checked = true;
    if (grip) event.preventDefault();
  });
  document.addEventListener("pointermove", function (event) {
    if (!held || !held.grip) return;
    const at = spot(held.picture, event);
    held.moved = true;
    move(held.name, at);
  });
  document.addEventListener("pointerup", function (event) {
    if (!held) return;
    const now = held;
    held = null;
    if (now.grip && !now.moved) return;
    if (!now.grip) move(now.name, spot(now.picture, event));
    settle(now.name);
    if (!now.grip) onward(now.name);
  });
  document.addEventListener("pointercancel", function () { held = null; });

  /* after a tap the next one is for the next point */
  function onward(name) {
    const radios = all("#lay-form [name=point]");
    const place = radios.findIndex((radio) => radio.value === name);
    radios[(place + 1) % radios.length].checked = true;
  }

  document.addEventListener("input", function (event) {
    if (event.target.closest("#lay-form .input") && lay()) {
      listen();
      changed();
    }
  });

  /* ---- what was moved and is not kept yet: nobody leaves it behind unasked ---------- */
  let leaving = false;
  function unkept() {
    const was = find("#lay-form [name=was]");
    const now = all("#lay-form .input").map((each) => each.value.trim()).join("|");
    return Boolean(was) && !leaving && !find("#lay-form").dataset.sent && now !== was.value;
  }

  document.addEventListener("click", function (event) {
    const link = event.target.closest && event.target.closest("a[href]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || !unkept()) return;
    if (link.id === "leave") {
      leaving = true;
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const notice = find("#unkept");
    const leave = find("#leave");
    leave.href = link.href;
    notice.hidden = leave.hidden = false;
    notice.scrollIntoView({ block: "nearest" });
    notice.focus({ preventScroll: true });
  }, true);
  window.addEventListener("beforeunload", function (event) {
    if (unkept()) event.preventDefault();
  });
  window.addEventListener("pageshow", function () { leaving = false; });

  /* ---- a marker's place: one tap ------------------------------------------------- */
  document.addEventListener("click", function (event) {
    const picture = event.target.closest && event.target.closest("svg[data-place]");
    if (!picture) return;
    const at = spot(picture, event);
    const box = picture.viewBox.baseVal;
    const form = picture.closest("form");
    find("[name=x]", form).value = (100 * at.x / box.width).toFixed(2);
    find("[name=y]", form).value = (100 * at.y / box.height).toFixed(2);
    const cross = find("[data-cross]", picture);
    cross.setAttribute("transform", "translate(" + at.x.toFixed(1) + " " + at.y.toFixed(1) + ")");
    cross.removeAttribute("display");
    find("[data-needs-place]", form).disabled = false;
  });

  /* ---- the live picture ----------------------------------------------------------- */
  let asking = 0;
  function loaded() { asking = 0; }
  setInterval(function () {
    const picture = find("svg[data-live]");
    const shown = picture && find("image", picture);
    if (!shown || held || document.visibilityState !== "visible") return;
    if (asking && Date.now() - asking < 10 * LIVE) return;
    asking = Date.now();
    shown.addEventListener("load", loaded, { once: true });
    shown.addEventListener("error", loaded, { once: true });
    shown.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", picture.getAttribute("data-live") + "?n=" + asking);
  }, LIVE);

  if (lay()) listen();
})();
