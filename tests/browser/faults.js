/* What a person would call a fault of this page, one line each; called with what to look for.
   "large" text has twice its size: it may need more room, but nothing of it is lost. */
({ large }) => {
  const faults = [];
  const TOUCH = 48;
  const LETTER = 16;
  const words = (text) => JSON.stringify(text.trim().replace(/\s+/g, " ").slice(0, 40));
  const name = (e) => {
    const kind = (e.getAttribute("class") || "").split(" ")[0];
    return e.localName + (e.id ? "#" + e.id : kind ? "." + kind : "");
  };
  const px = (number) => Math.round(number * 10) / 10 + " px";
  const style = new Map();
  const look = (e) => style.get(e) || style.set(e, getComputedStyle(e)).get(e);
  const above = (e) => {
    const line = [];
    for (; e && e !== document.body; e = e.parentElement) line.push(e);
    return line;
  };

  /* ---- the page as a whole ---- */
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push(`the page scrolls sideways by ${px(wide)}`);

  /* ---- every line of text, where it can be seen ---- */
  const forEars = (e) => above(e).some((a) => a.matches(".skip, .sprite") || /^rect/.test(look(a).clip));
  const lines = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const e = node.parentElement;
    if (!node.data.trim() || e.closest("script, style, noscript, option, title, desc")) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || forEars(e)) continue;
    const svg = e.closest("svg");
    if (svg && !e.getScreenCTM) continue;
    const ctm = svg ? e.getScreenCTM() : null;
    const size = parseFloat(look(e).fontSize) * (svg ? Math.hypot(ctm.a, ctm.b) : 1);
    /* a label on a photo is as small as its tile; the tiles stand beside it again */
    if (size < LETTER - 0.05 && !large && !e.closest("svg.photo")) faults.push(`text of ${px(size)}: ${words(node.data)} in ${name(e)}`);
    const range = document.createRange();
    range.selectNodeContents(node);
    if (!svg && !large) (node.data.match(/[\p{L}\p{N}]+/gu) || []).reduce((from, word) => {
      const at = node.data.indexOf(word, from);
      range.setStart(node, at);
      range.setEnd(node, at + word.length);
      const tops = Array.from(range.getClientRects(), (b) => Math.round(b.top));
      if (new Set(tops).size > 1) faults.push(`breaks the word ${words(word)} in ${name(e)}`);
      return at + word.length;
    }, 0);
    range.selectNodeContents(node);
    const boxes = Array.from(range.getClientRects());
    const turned = svg && Math.abs(ctm.b) > 0.01;
    boxes.filter((b) => b.width > 1 && b.height > 1 && !turned).forEach((b) => {
      lines.push({ e, text: node.data, svg, left: b.left, right: b.right, top: b.top + b.height * 0.22, bottom: b.bottom - b.height * 0.22 });
    });
  }

  /* ---- nothing is cut, nothing runs out of its box ---- */
  const boxed = (e) => {
    const s = look(e);
    const painted = s.backgroundColor !== "rgba(0, 0, 0, 0)" || parseFloat(s.borderLeftWidth) > 0;
    return s.display !== "inline" && (painted || /^(td|th)$/.test(e.localName));
  };
  lines.forEach((line) => {
    const out = (b, by) => [b.left - line.left, line.right - b.right, b.top - line.top, line.bottom - b.bottom].some((d) => d > by);
    let scrolls = false;
    let inside = false;
    line.layer = null;
    for (const a of above(line.svg || line.e)) {
      const s = look(a);
      const b = a.getBoundingClientRect();
      if (!inside && boxed(a)) {
        inside = true;
        if (!scrolls && out(b, 1.5)) faults.push(`runs out of ${name(a)}: ${words(line.text)}`);
      }
      if (!scrolls && /hidden|clip/.test(s.overflowX + s.overflowY) && out(b, 1.5)) faults.push(`cut by ${name(a)}: ${words(line.text)}`);
      if (/auto|scroll/.test(s.overflowX + s.overflowY)) {
        scrolls = true;
        line.left = Math.max(line.left, b.left);
        line.right = Math.min(line.right, b.right);
        line.top = Math.max(line.top, b.top);
        line.bottom = Math.min(line.bottom, b.bottom);
      }
      if (/sticky|fixed/.test(s.position) && !line.layer) line.layer = a;
    }
    if (!scrolls && (line.left < -0.5 || line.right > innerWidth + 0.5)) faults.push(`off the screen: ${words(line.text)}`);
  });

  /* ---- no text lies over other text ---- */
  const shown = lines.filter((l) => l.right - l.left > 2 && l.bottom - l.top > 2);
  shown.sort((a, b) => a.top - b.top);
  shown.forEach((one, n) => {
    for (let m = n + 1; m < shown.length && shown[m].top < one.bottom - 1; m++) {
      const other = shown[m];
      if (other.e === one.e || other.layer !== one.layer) continue;
      if (one.svg && one.e.closest("text") === other.e.closest("text")) continue;
      const over = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      if (over > 1.5) faults.push(`${words(one.text)} lies over ${words(other.text)}`);
    }
  });

  /* ---- what is touched is large enough for a finger ---- */
  const TARGETS = "a[href], svg a, button, summary, select, textarea, input:not([type=hidden]), [role=button], [role=switch], [tabindex='0']";
  const inSentence = (e) => {
    if (look(e).display !== "inline" || e.closest("svg")) return false;
    return e.parentElement.textContent.trim().length > e.textContent.trim().length;
  };
  /* what is drawn with a broad pen can be touched as broad as it is */
  const area = (e) => {
    const b = e.getBoundingClientRect();
    if (!e.getScreenCTM || look(e).stroke === "none") return b;
    const pen = parseFloat(look(e).strokeWidth) * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b);
    return { width: b.width + pen, height: b.height + pen };
  };
  if (!large) document.querySelectorAll(TARGETS).forEach((e) => {
    if (!e.checkVisibility({ visibilityProperty: true }) || forEars(e) || e.getAttribute("aria-hidden") === "true") return;
    if (inSentence(e)) return;
    const label = e.closest("label") || (e.labels && e.labels[0]);
    const ways = e.matches("input") && label ? [label, e] : [e];
    const boxes = ways.concat(e.closest("svg") ? Array.from(e.querySelectorAll("path")) : []).map(area);
    const b = boxes[0];
    if (boxes.every((box) => box.width < TOUCH - 0.5 || box.height < TOUCH - 0.5)) faults.push(`${name(e)} ${words(e.textContent || e.value || "")} is ${px(b.width)} by ${px(b.height)} to touch`);
  });

  /* ---- nothing moves for who wants it still ---- */
  document.getAnimations().filter((a) => a.playState === "running").forEach((a) => {
    faults.push(`${name(a.effect.target)} moves: ${a.animationName || a.transitionProperty}`);
  });
  return Array.from(new Set(faults));
}
