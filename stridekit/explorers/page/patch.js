// @ts-check
// A new picture in place of an old one: what is written the same stays as it is. After a key that is
// most of an SVG, and a browser takes long over text that it lays out anew. What is picked up by the
// hand stays, too.

/**
 * A picture as it is sent: what it begins and ends with, its data for the hand, and its drawing, an
 * element after the other; a group with all that stands in it.
 * @typedef {{ends: string, data: string, root: string, elements: string[]}} Drawing
 */

const PICTURE =
  /^(<div class="sk-diagram"[^>]*>)<div(?: data-stridekit='([^']*)')?>(<svg[^>]*>)(.*)<\/svg>(.*)$/s;

/**
 * A picture taken apart; null for another part of a page.
 * @param {string} part
 * @returns {Drawing | null}
 */
function drawingOf(part) {
  const found = PICTURE.exec(part);
  if (!found) return null;
  const [, head, data = "", root, inside, tail] = found;
  /** @type {string[]} */
  const elements = [];
  let depth = 0;
  for (const line of inside.split("\n").filter(Boolean)) {
    if (depth) elements[elements.length - 1] += line;
    else elements.push(line);
    if (/^<(g|defs)\b/.test(line)) depth += 1;
    else if (/^<\/(g|defs)>$/.test(line)) depth -= 1;
  }
  return { ends: head + tail, data, root, elements };
}

/**
 * Let a picture become another one.
 * @param {Element} picture
 * @param {Drawing} old
 * @param {Drawing} now
 */
function renew(picture, old, now) {
  const drawn = picture.querySelector("svg"), holder = picture.firstElementChild;
  if (!drawn || !holder) return;
  const there = [...drawn.children];
  let from = 0;
  const kept = now.elements.map((element) => {
    const at = old.elements.indexOf(element, from);
    if (at >= 0) from = at + 1;
    return there[at];
  });
  // All that is new is read at once, and stands nowhere till it is in its place.
  const read = made("div"), fresh = now.elements.filter((_, at) => !kept[at]).join("");
  read.innerHTML = `<div data-stridekit='${now.data}'>${now.root}${fresh}</svg></div>`;
  const drawing = /** @type {Element} */ (read.querySelector("svg"));
  for (const { name, value } of drawing.attributes) mark(drawn, name, value);
  const staying = new Set(kept);
  for (const element of there) if (!staying.has(element)) element.remove();
  let next = drawn.firstChild;
  for (const element of kept) {
    if (element) next = element.nextSibling;
    else drawn.insertBefore(/** @type {Element} */ (drawing.firstElementChild), next);
  }
  if (old.data === now.data) return;
  const data = read.firstElementChild?.getAttribute("data-stridekit") ?? "";
  holder.setAttribute("data-stridekit", data);
  /** @type {any} */ (holder)[Symbol.for("stridekit.touch")]?.renew?.(data);
}

/** Pictures, a table and facts, of which those stay that can. */
class Parts {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    /** @type {string[]} as they are written; in their texts there is no "<" */
    this.parts = [];
  }

  /** @param {string} html */
  take(html) {
    const { page, parts } = this;
    this.parts = html.split(/(?=<div class="sk-diagram"|<table>|<ul>)/);
    if (this.parts.length !== parts.length) {
      page.innerHTML = html;
      return;
    }
    this.parts.forEach((part, at) => {
      if (part === parts[at]) return;
      const [old, now] = [drawingOf(parts[at]), drawingOf(part)];
      const alike = old && now && old.ends === now.ends && !old.data === !now.data;
      if (alike) renew(page.children[at], old, now);
      else page.children[at].outerHTML = part;
    });
  }
}
