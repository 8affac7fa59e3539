/* What makes the pages pleasant; everything works without it.
   - follows the game: swaps the parts of the page that changed, never one in which somebody types,
     and goes along when the page has become another one
   - sends every form, none twice, and keeps page and typing where the companion cannot be reached
   Parts are elements with an id and data-part. They are compared with a fresh copy of this page. */
(function () {
  "use strict";
  if (!window.fetch || !window.DOMParser || !window.FormData || !Element.prototype.replaceWith) return;

  const body = document.body;
  const byId = (id) => document.getElementById(id);
  let revision = body.dataset.revision;

  /* ---- reaching the companion ------------------------------------------ */
  const PATIENCE = 15000;
  const offline = byId("offline");
  const unsent = byId("unsent");
  const moved = byId("moved");
  let lost = false;
  let waiting = null; // a form that did not arrive: its button's id, what it asked for, its once key
  let forgetting = null;

  function say() {
    unsent.hidden = !waiting;
    unsent.textContent = unsent.getAttribute(lost ? "data-lost" : "data-back");
    offline.hidden = !lost || Boolean(waiting);
  }

  function reached(yes) {
    if (lost === !yes) return;
    lost = !yes;
    clearTimeout(forgetting);
    if (yes && waiting) forgetting = setTimeout(arrived, 30000);
    say();
  }

  function arrived() {
    clearTimeout(forgetting);
    waiting = null;
    say();
  }

  function notSent(form, button, out) {
    const once = form.querySelector("[name=once]");
    waiting = { button: button && button.id, asked: form.hasAttribute("data-tap") && asked(button), once: once && once.value };
    lost = !out;
    say();
    keepKey();
    ask();
  }

  async function get(address, options) {
    const stop = window.AbortController ? new AbortController() : null;
    const timer = stop && setTimeout(() => stop.abort(), PATIENCE);
    try {
      const all = Object.assign({ credentials: "same-origin", signal: stop && stop.signal }, options);
      const answer = await fetch(address, all);
      const told = { ok: answer.ok, status: answer.status, url: answer.url, text: await answer.text() };
      told.type = answer.headers.get("Content-Type") || "";
      reached(true);
      told.out = answer.status === 401;
      if (told.out) ask(); // the companion says once more whether this device has to join anew
      return told;
    } catch (error) {
      reached(false);
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /* ---- the page, and what is typed in it ----------------------------------- */
  const TYPED = "input:not([type=hidden]), select, textarea";

  function changed(field) {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") {
      const chosen = Array.from(field.options).findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(0, chosen);
    }
    return field.value !== field.defaultValue;
  }

  function typing() {
    const active = document.activeElement;
    if (active && active.matches("input:not([type=hidden]), textarea") && active.value) return true;
    return Array.from(document.querySelectorAll(TYPED)).some(changed);
  }

  function inUse(part) {
    if (part.hasAttribute("data-keep") || part.querySelector("[data-keep]")) return true;
    const active = document.activeElement;
    if (active && active !== part && part.contains(active) && active.matches(TYPED)) return true;
    return Array.from(part.querySelectorAll(TYPED)).some(changed);
  }

  function parse(answer) {
    if (answer.type.indexOf("text/html") !== 0) return null;
    const page = new DOMParser().parseFromString(answer.text, "text/html");
    return page.body.dataset.revision ? page : null;
  }

  const partsOf = (page) => Array.from(page.querySelectorAll("[data-part][id]"));

  function kind(page) {
    const ids = partsOf(page).map((part) => part.id).sort();
    return [page.documentElement.lang, page.body.dataset.page, page.body.dataset.about].concat(ids).join("|");
  }

  /* whether this answer is the same page as the one that is open */
  function same(page, address) {
    return new URL(address, location.href).pathname === location.pathname && kind(page) === kind(document);
  }

  /* the page is on its way to another one: nothing may lead it elsewhere meanwhile */
  let leaving = null;
  let sending = 0;
  function leave() {
    clearTimeout(leaving);
    leaving = setTimeout(() => { leaving = null; }, 8000);
  }
  window.addEventListener("beforeunload", leave);

  function move(address) {
    leave();
    location.assign(address);
  }

  function go(address) {
    leave();
    const there = new URL(address, location.href);
    if (there.href.split("#")[0] === location.href.split("#")[0]) location.reload();
    else location.replace(there.href);
  }

  /* the page has become another one: go along, but never away from what somebody types or reads */
  function goAlong(address) {
    if (body.dataset.answer || leaving || sending) return;
    if (!typing() && !waiting) return go(address);
    moved.querySelector("a").href = address;
    moved.hidden = false;
  }

  /* ---- a new key: this device has to join anew, and comes back here with what was typed ------- */
  const outside = byId("outside");
  const here = () => location.pathname + location.search;
  const KEPT = "typed";
  let outs = 0; // how often in a row; an answer that was on its way may speak of the key before

  function out() {
    outs += 1;
    if (outs < 2 || leaving || sending) return;
    const door = "/join?next=" + encodeURIComponent(here());
    if (!typing() && !waiting && !body.dataset.answer) return location.replace(door);
    outside.querySelector("a").href = door;
    outside.hidden = false;
  }

  function backIn() {
    if (!outs) return;
    outs = 0;
    outside.hidden = true;
    follow();
    refresh();
  }

  outside.querySelector("a").addEventListener("click", function () {
    const all = Array.from(document.querySelectorAll(TYPED)).map((field, n) => [n, field.name, field.value, field.checked, changed(field)]);
    const typed = all.filter((field) => field[1] && (field[4] || body.dataset.answer));
    try {
      sessionStorage.setItem(KEPT, JSON.stringify([here(), typed]));
    } catch (error) {
      return;
    }
  });

  function bringBack() {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEPT));
      if (!kept || kept[0] !== here()) return;
      sessionStorage.removeItem(KEPT);
      kept[1].forEach(function (typed) {
        const field = document.querySelectorAll(TYPED)[typed[0]];
        if (!field || field.name !== typed[1] || field.type === "file") return;
        field.value = typed[2];
        field.checked = typed[3];
        ["input", "change"].forEach((name) => field.dispatchEvent(new Event(name, { bubbles: true })));
      });
    } catch (error) {
      return;
    }
  }

  /* ---- swapping parts ---------------------------------------------------- */
  const KEYS = "[name=once],[name=token],[name=revision]";

  function text(part, ignored) {
    const copy = part.cloneNode(true);
    copy.classList.remove("fresh");
    copy.querySelectorAll(ignored).forEach((field) => field.remove());
    copy.querySelectorAll("details").forEach((fold) => fold.removeAttribute("open"));
    copy.querySelectorAll("[aria-busy]").forEach((item) => item.removeAttribute("aria-busy"));
    copy.querySelectorAll("[data-sent]").forEach((form) => form.removeAttribute("data-sent"));
    return copy.outerHTML;
  }

  /* what a button asks for, apart from the keys of its form and from what people type */
  function asked(button) {
    const fields = button && button.form ? button.form.querySelectorAll("[type=hidden]") : [];
    const said = Array.from(fields).filter((field) => !field.matches(KEYS)).map((field) => field.name + "=" + field.value);
    return button ? said.concat(button.name, button.value).join("&") : "";
  }

  /* a form that did not arrive keeps its key in the new copy too, so that it counts once; where
     its button asks for something else now, or has gone, nothing is left to be tried again */
  function keepKey() {
    const button = waiting && waiting.button && byId(waiting.button);
    if (!waiting || !waiting.button) return;
    if (waiting.asked && asked(button) !== waiting.asked) return arrived();
    const once = waiting.once && button && button.form && button.form.querySelector("[name=once]");
    if (once) once.value = waiting.once;
  }

  /* nothing to see has changed: only the keys of the forms are renewed */
  function renew(part, fresh) {
    const old = part.querySelectorAll(KEYS);
    const now = fresh.querySelectorAll(KEYS);
    if (old.length === now.length) old.forEach((field, n) => { field.value = now[n].value; });
  }

  /* ears hear only of what changes in a place that stays */
  const LIVE = "[role=status], [aria-live]";
  function tell(part, next) {
    const said = (item) => {
      const live = item.matches(LIVE) ? item : item.querySelector(LIVE);
      return live ? live.textContent.trim() : "";
    };
    if (said(next) && said(next) !== said(part)) byId("ear").textContent = said(next);
  }

  function swap(part, fresh) {
    if (text(part, KEYS) === text(fresh, KEYS)) return renew(part, fresh);
    const active = document.activeElement;
    const held = active && part.contains(active) ? active.id || part.id : null;
    part.querySelectorAll("details[open][id]").forEach((fold) => {
      const again = fresh.querySelector("#" + CSS.escape(fold.id));
      if (again) again.open = true;
    });
    const scrolled = part.scrollTop;
    const next = document.importNode(fresh, true);
    if (!next.hasAttribute("data-still")) next.classList.add("fresh");
    part.replaceWith(next);
    tell(part, next);
    next.scrollTop = scrolled;
    if (held) focusOn(byId(held)) || focusOn(byId(opener)) || focusOn(next.querySelector(CAN)) || focusOn(byId("main"));
  }

  /* symbols are only added: a part that stays may still need the old ones */
  function grow(page) {
    const mine = document.querySelector("#sprite defs");
    page.querySelectorAll("#sprite defs > [id]").forEach((symbol) => {
      if (mine && !byId(symbol.id)) mine.appendChild(document.importNode(symbol, true));
    });
  }

  function show(page, insist) {
    revision = page.body.dataset.revision;
    body.dataset.revision = revision;
    document.title = page.title;
    grow(page);
    partsOf(document).forEach((part) => {
      const fresh = page.getElementById(part.id);
      const mine = insist === true || (insist && part.contains(insist));
      if (fresh && (mine || !inUse(part))) swap(part, fresh);
    });
    keepKey();
  }

  /* ---- where the keyboard is ------------------------------------------------- */
  const CAN = "button:not([disabled]), a[href], [tabindex]";
  let opener = null;

  function focusOn(item) {
    if (!item || item.disabled) return false;
    item.focus({ preventScroll: true });
    return document.activeElement === item;
  }

  function arrive() {
    const refusal = byId("refusal");
    if (refusal) {
      focusOn(refusal);
      refusal.scrollIntoView({ block: "nearest" });
    } else if (document.activeElement === body && !location.hash && document.referrer.indexOf(location.origin + "/") === 0) {
      focusOn(byId("main"));
    }
  }

  /* ---- following the game -------------------------------------------------- */
  let refreshing = false;
  let again = false;
  async function refresh() {
    if (!document.querySelector("[data-part]")) return;
    if (refreshing) {
      again = true;
      return;
    }
    refreshing = true;
    do {
      again = false;
      const here = location.href;
      const answer = await get(here);
      const page = answer && location.href === here && parse(answer);
      if (!page || (!answer.ok && answer.status !== 404)) continue;
      moved.hidden = true;
      if (same(page, answer.url)) show(page);
      else goAlong(answer.url);
    } while (again);
    refreshing = false;
  }

  let stream = null;
  let asking = null;
  let alive = 0; // when the stream said something last: it does so every fifteen seconds

  function heard(event) {
    alive = Date.now();
    reached(true);
    let told = null;
    try {
      told = String(JSON.parse(event.data).revision);
    } catch (error) {
      return;
    }
    if (told !== revision) refresh();
  }

  function follow() {
    if (!window.EventSource || !body.dataset.live) return ask();
    if (stream) stream.close();
    stream = new EventSource(body.dataset.live);
    alive = Date.now();
    stream.addEventListener("table", heard);
    stream.addEventListener("ping", heard);
    stream.addEventListener("hub", refresh);
    stream.onopen = function () {
      alive = Date.now();
      reached(true);
      clearInterval(asking);
      asking = null;
    };
    stream.onerror = function () {
      if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 20000);
      ask();
    };
  }

  /* a stream that has gone silent without a word, as after sleep, is opened anew */
  setInterval(function () {
    if (!stream || stream.readyState !== EventSource.OPEN || Date.now() - alive < 40000) return;
    follow();
    ask();
  }, 5000);

  function ask() {
    if (asking || !body.dataset.health) return;
    asking = setInterval(look, 2000);
    setTimeout(look, 300);
  }

  let seen = null; // what the camera saw when it was asked last
  async function look() {
    const answer = await get(body.dataset.health);
    if (!answer || !answer.ok) return;
    const now = JSON.parse(answer.text);
    if (now.revision === undefined) return out();
    backIn();
    const other = now.seen !== seen && byId("camera");
    seen = now.seen;
    if (String(now.revision) !== revision || other) refresh();
    if (stream && stream.readyState === EventSource.OPEN) {
      clearInterval(asking);
      asking = null;
    }
  }

  document.addEventListener("visibilitychange", function () {
    if (document.visibilityState !== "visible") return;
    if (!stream || stream.readyState === EventSource.CLOSED || Date.now() - alive > 20000) follow();
    refresh();
  });
  window.addEventListener("online", refresh);
  window.addEventListener("offline", () => reached(false));
  window.addEventListener("pagehide", () => stream && stream.close());

  /* ---- sending forms ----------------------------------------------------------- */
  let pressed = null;
  document.addEventListener("click", function (event) {
    const button = event.target.closest("button");
    if (button) pressed = button;
  }, true);
  document.addEventListener("keydown", () => { pressed = null; }, true);

  function busy(form, yes) {
    form.querySelectorAll("button").forEach((button) => {
      if (yes) button.setAttribute("aria-busy", "true");
      else button.removeAttribute("aria-busy");
    });
    if (yes) form.dataset.sent = "yes";
    else delete form.dataset.sent;
  }

  /* leave it to the browser: photos, and answers that are pages of their own */
  function plain(form, button) {
    const field = document.createElement("input");
    field.type = "hidden";
    if (button && button.name) {
      field.name = button.name;
      field.value = button.value;
      form.appendChild(field);
    }
    form.dataset.sent = "yes";
    leave();
    HTMLFormElement.prototype.submit.call(form);
    field.remove();
  }

  async function send(form, button) {
    sending += 1;
    await deliver(form, button);
    sending -= 1;
    if (!sending && !leaving) refresh();
  }

  async function deliver(form, button) {
    stale.hidden = true;
    const data = new FormData(form);
    if (button && button.name) data.append(button.name, button.value);
    const fields = new URLSearchParams();
    let photo = false;
    data.forEach((value, name) => {
      if (typeof value === "string") fields.append(name, value);
      else if (value.size) photo = true;
    });
    const options = { method: "POST", body: fields, keepalive: true, headers: { "X-Companion": "script" } };
    const answer = photo ? await get(body.dataset.table) : await get(form.action, options);
    const page = answer && parse(answer);
    const then = answer && !photo && answer.ok && !page ? whither(answer) : null;
    if (!answer || answer.out || (!photo && !page && !then)) {
      busy(form, false);
      return notSent(form, button, answer && answer.out);
    }
    arrived();
    if (answer.status === 409 && !body.dataset.answer && missed(page)) return busy(form, false);
    if (!then) return plain(form, button);
    await onward(form, new URL(then, location.href));
    if (!leaving) busy(form, false);
  }

  /* the table had moved on: say on this page what was missed, and show it as it is now */
  const stale = byId("stale");
  function missed(page) {
    const lines = page.querySelectorAll(".refused-why, .refused-missed");
    stale.textContent = Array.from(lines, (line) => line.textContent.trim()).join(" ");
    stale.hidden = !lines.length;
    return lines.length > 0;
  }

  function whither(answer) {
    try {
      return JSON.parse(answer.text).then;
    } catch (error) {
      return null;
    }
  }

  /* it counted: show what came of it, in place where that is this page */
  async function onward(form, there) {
    if (there.pathname !== location.pathname || body.dataset.answer) return move(there.href);
    const answer = await get(there.href.split("#")[0]);
    const page = answer && answer.ok && parse(answer);
    if (!page) return;
    if (!same(page, answer.url)) return go(answer.url);
    if (answer.url !== location.href) history.replaceState(null, "", answer.url);
    show(page, form);
  }

  document.addEventListener("submit", function (event) {
    const form = event.target;
    if (form.dataset.sent) return event.preventDefault();
    if (form.method !== "post") return;
    const first = form.querySelector("button:not([type=button]):not([disabled])");
    const button = event.submitter || (pressed && pressed.form === form ? pressed : first);
    event.preventDefault();
    busy(form, true);
    send(form, button);
  });

  /* ---- links: some only change parts of this page, none leads into nowhere -------- */
  document.addEventListener("click", async function (event) {
    const link = event.target.closest("a[href], a[*|href]");
    if (!link || outside.contains(link) || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const address = new URL(link.href.baseVal === undefined ? link.href : link.href.baseVal, location.href);
    const part = link.getAttribute("data-swap");
    if (address.origin !== location.origin || (!part && address.hash && address.pathname === location.pathname)) return;
    if (!part && !lost && !typing()) return leave();
    event.preventDefault();
    const answer = await get(part ? address.href : body.dataset.table);
    if (!answer || answer.out) return;
    const page = part && answer.ok && parse(answer);
    if (!page || !same(page, answer.url)) return move(address.href);
    if (part === "act") opener = link.id || opener;
    history.pushState(null, "", address.href);
    show(page, true);
    const target = byId(part);
    if (target) target.scrollIntoView({ block: "nearest" });
    if (!focusOn(target)) focusOn(byId(opener));
  });
  window.addEventListener("popstate", refresh);

  window.addEventListener("pageshow", function (event) {
    leaving = null;
    document.querySelectorAll("form[data-sent]").forEach((form) => busy(form, false));
    if (event.persisted) {
      follow();
      refresh();
    }
  });

  /* ---- the new game: seats change places by their arrows or by hand ------------ */
  const seats = document.querySelector("[data-seats]");

  /* the other row goes to the far side of this one, which stays where a finger holds it */
  function pass(row, other, down) {
    seats.insertBefore(other, down ? row : row.nextSibling);
    Array.from(seats.children).forEach((each, n) => {
      each.querySelectorAll("[data-seat]").forEach((button) => { button.value = n; });
    });
  }

  function middle(row) {
    const box = row.getBoundingClientRect();
    return (box.top + box.bottom) / 2;
  }

  function carry(row, y) {
    let other;
    while ((other = row.previousElementSibling) && y < middle(other)) pass(row, other, false);
    while ((other = row.nextElementSibling) && y > middle(other)) pass(row, other, true);
    if (y > window.innerHeight - 70) window.scrollBy(0, 12);
    else if (y < 70) window.scrollBy(0, -12);
  }

  if (seats) {
    seats.addEventListener("click", function (event) {
      const arrow = event.target.closest("[data-step]");
      if (!arrow) return;
      const row = arrow.closest("li");
      const down = arrow.getAttribute("data-step") === "1";
      const other = down ? row.nextElementSibling : row.previousElementSibling;
      event.preventDefault();
      if (other) pass(row, other, down);
    });
    seats.addEventListener("pointerdown", function (event) {
      const grip = event.target.closest("[data-grip]");
      if (!grip || event.button) return;
      const row = grip.closest("li");
      const move = (now) => carry(row, now.clientY);
      const drop = function () {
        row.classList.remove("seat-held");
        document.removeEventListener("pointermove", move);
        ["pointerup", "pointercancel"].forEach((end) => document.removeEventListener(end, drop));
      };
      event.preventDefault();
      row.classList.add("seat-held");
      document.addEventListener("pointermove", move);
      ["pointerup", "pointercancel"].forEach((end) => document.addEventListener(end, drop));
    });
  }

  /* ---- the new game: the badge follows the chosen look ------------------------ */
  document.addEventListener("change", function (event) {
    const select = event.target;
    if (!select.hasAttribute("data-look")) return;
    const shown = byId(select.getAttribute("data-look"));
    const use = shown && shown.querySelector("use");
    if (!use) return;
    shown.setAttribute("class", "badge badge-big look-" + select.value);
    use.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", "#shape-" + select.value);
  });

  document.documentElement.classList.add("js");
  document.addEventListener("DOMContentLoaded", bringBack);
  arrive();
  follow();
})();
