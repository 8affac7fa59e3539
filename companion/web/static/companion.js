/* What makes the pages pleasant; everything works without it.
   - follows the game: swaps the parts of the page that changed, never one in which somebody types
   - sends small taps without reloading the page, and no form twice
   - says quietly when the companion cannot be reached
   Parts are elements with an id and data-part. They are compared with a fresh copy of this page. */
(function () {
  "use strict";
  if (!window.fetch || !window.DOMParser || !window.FormData || !Element.prototype.replaceWith) return;

  const body = document.body;
  const strip = document.getElementById("offline");
  let revision = body.dataset.revision;

  /* ---- reaching the companion ------------------------------------------ */
  function reached(yes) {
    if (strip) strip.hidden = yes;
  }

  async function get(address, options) {
    try {
      const answer = await fetch(address, Object.assign({ credentials: "same-origin" }, options));
      reached(true);
      return answer;
    } catch (error) {
      reached(false);
      return null;
    }
  }

  /* ---- swapping parts ---------------------------------------------------- */
  const TYPED = "input:not([type=hidden]), select, textarea";

  function changed(field) {
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.tagName === "SELECT") {
      const chosen = Array.from(field.options).findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(0, chosen);
    }
    return field.value !== field.defaultValue;
  }

  function inUse(part) {
    if (part.hasAttribute("data-keep") || part.querySelector("[data-keep]")) return true;
    const active = document.activeElement;
    if (active && active !== part && part.contains(active) && active.matches(TYPED)) return true;
    return Array.from(part.querySelectorAll(TYPED)).some(changed);
  }

  function text(part, ignored) {
    const copy = part.cloneNode(true);
    copy.classList.remove("fresh");
    copy.querySelectorAll(ignored).forEach((field) => field.remove());
    copy.querySelectorAll("details").forEach((fold) => fold.removeAttribute("open"));
    copy.querySelectorAll("[disabled],[aria-busy]").forEach((item) => item.removeAttribute("aria-busy"));
    return copy.outerHTML;
  }

  function swap(part, fresh) {
    const keys = "[name=once],[name=token]";
    if (text(part, keys) === text(fresh, keys)) return;
    const seen = keys + ",[name=revision]";
    const visible = text(part, seen) !== text(fresh, seen);
    const active = document.activeElement;
    const held = active && part.contains(active) && active.id;
    part.querySelectorAll("details[open][id]").forEach((fold) => {
      const same = fresh.querySelector("#" + CSS.escape(fold.id));
      if (same) same.open = true;
    });
    const scrolled = part.scrollTop;
    const next = document.importNode(fresh, true);
    if (visible && !next.hasAttribute("data-still")) next.classList.add("fresh");
    part.replaceWith(next);
    next.scrollTop = scrolled;
    if (held) {
      const again = document.getElementById(held);
      if (again && !again.disabled) again.focus({ preventScroll: true });
    }
  }

  function show(html, insist) {
    const page = new DOMParser().parseFromString(html, "text/html");
    if (!page.body.dataset.revision) return;
    revision = page.body.dataset.revision;
    body.dataset.revision = revision;
    document.title = page.title;
    document.querySelectorAll("[data-part][id]").forEach((part) => {
      const fresh = page.getElementById(part.id);
      const mine = insist === true || (insist && part.contains(insist));
      if (fresh && (mine || !inUse(part))) swap(part, fresh);
    });
  }

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
      if (answer && answer.ok && location.href === here) show(await answer.text());
    } while (again);
    refreshing = false;
  }

  /* ---- following the game -------------------------------------------------- */
  let stream = null;
  let asking = null;

  function heard(event) {
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
    stream.addEventListener("table", heard);
    stream.addEventListener("hub", refresh);
    stream.onopen = function () {
      reached(true);
      clearInterval(asking);
      asking = null;
    };
    stream.onerror = function () {
      if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 20000);
      ask();
    };
  }

  function ask() {
    if (asking || !body.dataset.table) return;
    asking = setInterval(look, 2000);
    setTimeout(look, 300);
  }

  async function look() {
    const answer = await get(body.dataset.table);
    if (!answer || !answer.ok) return;
    const told = String((await answer.json()).revision);
    if (told !== revision || document.getElementById("camera")) refresh();
  }

  document.addEventListener("visibilitychange", function () {
    if (document.visibilityState !== "visible") return;
    if (!stream || stream.readyState === EventSource.CLOSED) follow();
    refresh();
  });
  window.addEventListener("online", refresh);
  window.addEventListener("offline", () => reached(false));
  window.addEventListener("pagehide", () => stream && stream.close());

  /* ---- taps ------------------------------------------------------------------ */
  let pressed = null;
  document.addEventListener("click", function (event) {
    const button = event.target.closest("button");
    if (button) pressed = button;
  }, true);

  function busy(form, yes) {
    form.querySelectorAll("button").forEach((button) => {
      if (yes) button.setAttribute("aria-busy", "true");
      else button.removeAttribute("aria-busy");
    });
    if (yes) form.dataset.sent = "yes";
    else delete form.dataset.sent;
  }

  async function tap(form, button) {
    const data = new FormData(form);
    const named = button && button.form === form && button.name ? button : null;
    if (named) data.append(named.name, named.value);
    const files = Array.from(data.values()).some((value) => typeof value !== "string");
    const answer = await get(form.action, {
      method: "POST",
      body: files ? data : new URLSearchParams(data),
    });
    busy(form, false);
    if (!answer) return;
    if (!answer.ok) {
      if (named) {
        const field = document.createElement("input");
        field.type = "hidden";
        field.name = named.name;
        field.value = named.value;
        form.appendChild(field);
      }
      form.submit();
      return;
    }
    const there = new URL(answer.url);
    if (there.pathname !== location.pathname) {
      location.assign(answer.url);
      return;
    }
    if (answer.url !== location.href) history.replaceState(null, "", answer.url);
    show(await answer.text(), form);
  }

  document.addEventListener("submit", function (event) {
    const form = event.target;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    const button = event.submitter || pressed;
    if (!form.hasAttribute("data-tap")) {
      form.dataset.sent = "yes";
      setTimeout(() => busy(form, true), 0);
      return;
    }
    event.preventDefault();
    busy(form, true);
    tap(form, button);
  });

  /* a link that only changes parts of this page */
  document.addEventListener("click", async function (event) {
    const link = event.target.closest("a[data-swap]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const address = link.href.baseVal === undefined ? link.href : new URL(link.href.baseVal, location.href).href;
    event.preventDefault();
    const answer = await get(address);
    if (!answer || !answer.ok) {
      location.assign(address);
      return;
    }
    history.pushState(null, "", address);
    show(await answer.text(), true);
    const target = document.getElementById(link.getAttribute("data-swap"));
    if (target) {
      target.scrollIntoView({ block: "nearest" });
      target.focus({ preventScroll: true });
    }
  });
  window.addEventListener("popstate", refresh);

  window.addEventListener("pageshow", function (event) {
    document.querySelectorAll("form[data-sent]").forEach((form) => busy(form, false));
    if (event.persisted) {
      follow();
      refresh();
    }
  });

  /* ---- the new game: the badge follows the chosen look ------------------------ */
  document.addEventListener("change", function (event) {
    const select = event.target;
    if (!select.hasAttribute("data-look")) return;
    const shown = document.getElementById(select.getAttribute("data-look"));
    const use = shown && shown.querySelector("use");
    if (!use) return;
    shown.setAttribute("class", "badge badge-big look-" + select.value);
    use.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", "#shape-" + select.value);
  });

  document.documentElement.classList.add("js");
  follow();
})();
