// @ts-check
// A new picture in place of an old one: what says the same stays as it is. Most lines of an SVG do,
// and a browser takes long over text that it lays out anew. Others change in an attribute or two:
// an element is sooner changed than made. What is picked up by the hand stays, too.

/**
 * A line of a picture, or a group with all that stands in it. `node` is missing until it is there.
 * @typedef {{line: string, inner: Piece[] | null, node?: Element, element?: Told | null}} Piece
 * What an element of a line says: its kind, and what may change in it.
 * @typedef {{kind: string, names: string[], values: string[], text: string | undefined}} Told
 * A picture as it was sent: what stands before and behind its drawing, its data for the hand.
 * @typedef {{head: string, data: string, tail: string, root: string, pieces: Piece[]}} Drawing
 */

const ELEMENT = /^<([\w-]+)((?: [\w-]+="[^"]*")*)(\/?)>(?:([^<]*)<\/\1>)?$/;
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;
const GROUPS = /^<(g|defs)\b/, PICTURE = /^(<div class="sk-diagram"[^>]*><div)( data-stridekit='[^']*')?>$/;

/**
 * The parts of a page: pictures, a table, facts. In texts there is no "<".
 * @param {string} html
 */
const partsOf = (html) => html.split(/(?=<div class="sk-diagram"|<table>|<ul>)/);

/**
 * A picture taken apart; null for another part, and for one that is written otherwise.
 * @param {string} html
 * @returns {Drawing | null}
 */
function drawingOf(html) {
  const begins = html.indexOf("<svg"), ends = html.lastIndexOf("</svg>");
  const found = begins < 0 ? null : PICTURE.exec(html.slice(0, begins));
  if (!found) return null;
  const [root, ...lines] = html.slice(begins, ends).trimEnd().split("\n");
  /** @type {Piece[][]} */
  const open = [[]];
  for (const line of lines) {
    if (!line) continue;
    if (line === "</g>" || line === "</defs>") {
      open.pop();
      if (!open.length) return null;
      continue;
    }
    const piece = { line, inner: GROUPS.test(line) ? /** @type {Piece[]} */ ([]) : null };
    open[open.length - 1].push(piece);
    if (piece.inner) open.push(piece.inner);
  }
  if (open.length !== 1) return null;
  return { head: found[1], data: found[2] ?? "", tail: html.slice(ends), root, pieces: open[0] };
}

/**
 * Know which element each piece is. False where they are not one for one: then nothing is reused.
 * @param {Piece[]} pieces
 * @param {Element} parent
 * @returns {boolean}
 */
function bind(pieces, parent) {
  const { children } = parent;
  if (children.length !== pieces.length) return false;
  return pieces.every((piece, at) => {
    piece.node = children[at];
    return !piece.inner || bind(piece.inner, piece.node);
  });
}

/** @param {Piece} piece @returns {string} */
const written = ({ line, inner }) => inner
  ? `${line}${inner.map(written).join("")}${line.startsWith("<g") ? "</g>" : "</defs>"}` : line;

/** What text stands for in HTML. @param {string} text */
const plain = (text) => text.includes("&")
  ? text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&#x27;", "'").replaceAll("&amp;", "&")
  : text;

/**
 * One element as it is written: what is there of it, and what that says. Null for more than one.
 * @param {string} line
 * @returns {Told | null}
 */
function elementOf(line) {
  const found = ELEMENT.exec(line);
  if (!found) return null;
  const [, tag, written, closed, text] = found;
  const parts = [...written.matchAll(ATTRIBUTE)];
  const names = parts.map(([, name]) => name), values = parts.map(([, , value]) => value);
  return { kind: [tag, ...names, closed, text === undefined].join(" "), names, values, text };
}

/**
 * Let an old piece become a new one of its kind: some attributes change, or its text.
 * @param {Piece} old
 * @param {Piece} piece
 * @param {(() => void)[]} changes what is to be done then
 * @returns {boolean} whether it can
 */
function become(old, piece, changes) {
  if (!old.inner !== !piece.inner) return false;
  // A line is compared with several, and with those of the next picture again.
  old.element ??= elementOf(old.line);
  piece.element ??= elementOf(piece.line);
  const [before, after] = [old.element, piece.element];
  if (!before || !after || before.kind !== after.kind) return false;
  const { node } = old;
  after.values.forEach((value, at) => {
    if (value !== before.values[at]) {
      changes.push(() => node?.setAttribute(after.names[at], plain(value)));
    }
  });
  if (after.text !== before.text) {
    changes.push(() => node && (node.textContent = plain(after.text ?? "")));
  }
  return true;
}

/**
 * What is new among some pieces, in its order. What is kept takes its element along: what says the
 * same, and between two of those what can become another.
 * @param {Piece[]} old
 * @param {Piece[]} now
 * @param {(() => void)[]} changes what is to be done with elements that are kept
 * @returns {Piece[]}
 */
function news(old, now, changes) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  old.forEach(({ line }, at) => {
    const known = places.get(line);
    if (known) known.push(at);
    else places.set(line, [at]);
  });
  let next = 0;
  const same = now.map((piece) => {
    const at = places.get(piece.line)?.find((each) => each >= next) ?? -1;
    if (at >= 0) next = at + 1;
    return at;
  });
  // Up to where the others may look: the next that says the same.
  let end = old.length;
  const ends = same.map(() => 0);
  for (let at = now.length - 1; at >= 0; at -= 1) {
    ends[at] = end;
    if (same[at] >= 0) end = same[at];
  }
  next = 0;
  return now.flatMap((piece, number) => {
    let at = same[number];
    if (at < 0) {
      at = next;
      while (at < ends[number] && !become(old[at], piece, changes)) at += 1;
      if (at >= ends[number]) return [piece];
    }
    next = at + 1;
    piece.node = old[at].node;
    return piece.inner ? news(old[at].inner ?? [], piece.inner, changes) : [];
  });
}

/**
 * Let just these stand in an element, in this order: each is new, or follows the one before there.
 * @param {Element} parent
 * @param {Piece[]} pieces
 */
function settle(parent, pieces) {
  let at = parent.firstChild;
  for (const { node, inner } of pieces) {
    if (!node) continue;
    if (node.parentNode !== parent) {
      parent.insertBefore(node, at);
      continue;
    }
    at = removedUpTo(at, node)?.nextSibling ?? null;
    if (inner) settle(node, inner);
  }
  removedUpTo(at, null);
}

/**
 * Remove an element and those after it, up to one that stays.
 * @param {ChildNode | null} at
 * @param {Element | null} end
 */
function removedUpTo(at, end) {
  while (at && at !== end) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
  return at;
}

/** One part of a page: a picture that can become another one, or HTML. */
class Part {
  /** @param {string} html @param {Element} element what it has become */
  constructor(html, element) {
    this.html = html;
    this.element = element;
    this.drawing = drawingOf(html);
    this.svg = element.querySelector("svg");
    if (this.drawing && !(this.svg && bind(this.drawing.pieces, this.svg))) this.drawing = null;
  }

  /**
   * Become another part; false where that has to be made anew.
   * @param {string} html
   * @returns {boolean}
   */
  take(html) {
    if (html === this.html) return true;
    const { svg, drawing: old } = this;
    const now = old && drawingOf(html);
    if (!svg || !old || !now || now.head !== old.head || now.tail !== old.tail
      || !now.data !== !old.data) return false;
    // All that is new is read at once, and stands nowhere till it is in its place.
    /** @type {(() => void)[]} */
    const changes = [];
    const fresh = news(old.pieces, now.pieces, changes);
    const holder = document.createElement("div");
    holder.innerHTML = `${now.root}${fresh.map(written).join("")}</svg>`;
    const read = holder.firstElementChild;
    if (!read || !bind(fresh, read)) return false;
    for (const { name, value } of read.attributes) mark(svg, name, value);
    for (const change of changes) change();
    settle(svg, now.pieces);
    if (now.data !== old.data) this.#renew(now.data);
    [this.html, this.drawing] = [html, now];
    return true;
  }

  /** @param {string} data as it was sent: an attribute */
  #renew(data) {
    const holder = this.element.querySelector("[data-stridekit]");
    const text = plain(data.slice(data.indexOf("'") + 1, -1));
    holder?.setAttribute("data-stridekit", text);
    /** @type {any} */ (holder)?.[Symbol.for("stridekit.touch")]?.renew?.(text);
  }
}

/** Pictures, a table and facts, of which those stay that can. */
class Parts {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    /** @type {Part[]} */
    this.parts = [];
  }

  /** @param {string} html */
  take(html) {
    const wanted = html ? partsOf(html) : [];
    const { page, parts } = this;
    const alike = wanted.length === parts.length;
    if (alike && wanted.every((each, at) => parts[at].take(each) || this.#put(at, each))) return;
    page.innerHTML = html;
    const { children } = page;
    this.parts = children.length === wanted.length
      ? wanted.map((each, at) => new Part(each, children[at])) : [];
  }

  /**
   * Another part in the place of one.
   * @param {number} at
   * @param {string} html
   * @returns {boolean}
   */
  #put(at, html) {
    const holder = document.createElement("div");
    holder.innerHTML = html;
    const element = holder.firstElementChild;
    if (!element || holder.children.length !== 1) return false;
    this.parts[at].element.replaceWith(element);
    this.parts[at] = new Part(html, element);
    return true;
  }
}
