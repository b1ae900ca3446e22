// @ts-check
/**
 * Lets pictures answer to the hand: the cell that is pointed at, or walked to with the arrow
 * keys, lights up in every grid and strip that shows the same memory, and is told in a line.
 *
 * Pictures are `<img data-stridekit>`, or elements with that attribute which hold an inline SVG.
 * The attribute has the places of all cells, as live.py writes them, and `data-stridekit-narrow`
 * those of a form for a phone. Nothing in it is ever read as markup: a picture from elsewhere can
 * only be looked at. In a notebook that is not trusted JupyterLab takes it away.
 *
 * @typedef {{s: number, l: string, n: string, u: number, v: number, w: number, h: number, x: number[],
 *   y: number[], a: (number | string)[], t: string[], o: [number, number], d?: number,
 *   i?: number[], k?: string[], m?: Record<string, string>, f?: (number | null)[]}} Part
 * @typedef {{width: number, height: number, parts: Part[]}} Picture
 * @typedef {{part: Part, number: number, x: number, y: number, w: number, h: number,
 *   first: bigint, last: bigint, shift: bigint}} Spot
 */

const ATTRIBUTE = "data-stridekit";
const SVG = "http://www.w3.org/2000/svg";
// Pages may hold this code several times: once for each notebook.
const TAKEN = Symbol.for("stridekit.touch");
const ROOM = "stridekit-room";
const HELP = "Memory picture. The arrow keys walk its cells, Escape leaves.";
const ALSO_MOST = 4;
const HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)";
/** @type {Record<string, [number, number]>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Let all pictures in a document answer, also those that come later. Gives what ends that.
 *
 * @param {Document} page
 * @returns {() => void}
 */
export function start(page) {
  const take = (/** @type {ParentNode} */ root) => {
    root.querySelectorAll(`[${ATTRIBUTE}]`).forEach(enliven);
    root.querySelectorAll("img.stridekit, .stridekit img").forEach(tellTheme);
  };
  const observer = new MutationObserver((records) => {
    for (const { type, addedNodes } of records) {
      if (type === "attributes") take(page);
      addedNodes.forEach((node) => {
        if (!(node instanceof Element)) return;
        if (node.hasAttribute(ATTRIBUTE)) enliven(node);
        take(node);
      });
    }
  });
  observer.observe(page, { childList: true, subtree: true });
  take(page);
  // Here a theme is named.
  for (const each of [page.documentElement, page.body]) observer.observe(each, { attributes: true });
  return () => observer.disconnect();
}

/** Safari's images cannot see that their page is dark: their address says so. @param {Element} image */
function tellTheme(image) {
  if (!navigator.vendor.startsWith("Apple")) return;
  const mark = getComputedStyle(image).colorScheme === "dark" ? "#dark" : "";
  for (const each of image.closest("picture")?.children ?? [image]) {
    const name = each === image ? "src" : "srcset", was = each.getAttribute(name) ?? "";
    const [address] = was.split("#");
    if (address + mark !== was) each.setAttribute(name, address + mark);
  }
}

/**
 * Let one picture answer.
 *
 * @param {Element} holder
 */
export function enliven(holder) {
  const marked = /** @type {Element & Record<symbol, Touched>} */ (holder);
  if (marked[TAKEN]) return;
  const shown = holder instanceof HTMLImageElement ? holder : holder.querySelector("svg");
  const narrow = holder.closest("picture")?.querySelector("source");
  const isNarrow = narrow && matchMedia(narrow.media);
  const data = () => holder.getAttribute(isNarrow?.matches ? `${ATTRIBUTE}-narrow` : ATTRIBUTE) ?? "";
  const picture = read(data());
  if (!shown || !picture) return;
  const touched = marked[TAKEN] = new Touched(shown, picture);
  isNarrow?.addEventListener("change", () => touched.renew(data()));
}

/**
 * The data of a picture; null if it is none of ours.
 *
 * @param {string} text
 * @returns {Picture | null}
 */
export function read(text) {
  try {
    const found = /** @type {Picture} */ (JSON.parse(text));
    const whole = found.parts.every(({ w, h, u, x, y, a, t, o, d, i, k }) =>
      [x.length, y.length, t.length].every((length) => length === a.length) &&
      [w, h, ...x, ...y, ...(i ?? [])].every(Number.isFinite) &&
      o.length === 2 && o.every(Number.isInteger) && Number.isInteger(u) && a.every((each) => BigInt(each) !== null) &&
      (k ?? []).every((each) => BigInt(each) !== null) &&
      (i === undefined || (i.length === (d ?? 0) * a.length && k?.length === (d ?? 0))));
    return whole && found.width > 0 && found.height > 0 ? found : null;
  } catch {
    return null;
  }
}

/**
 * The cells of a picture, each with its place and its bytes.
 *
 * @param {Picture} picture
 * @returns {Spot[]}
 */
export function spotsOf(picture) {
  return picture.parts.flatMap((part) => part.a.map((address, number) => {
    const unit = BigInt(part.u);
    const first = BigInt(address) * unit;
    return { part, number, x: part.x[number], y: part.y[number], w: part.w, h: part.h,
      first, last: first + unit - 1n, shift: BigInt(part.o[1]) };
  }));
}

/**
 * The cells that show bytes of the same memory as one of them, itself included; and where copies
 * are followed, those with the same element.
 *
 * @param {Spot[]} spots
 * @param {Spot} spot
 * @returns {Spot[]}
 */
export function sameMemory(spots, spot) {
  const from = spot.part.f?.[spot.number] ?? null;
  return spots.filter(({ part, number, first, last, shift }) => {
    const isElement = from !== null && part.f?.[number] === from;
    return isElement || part.o[0] === spot.part.o[0] &&
      first + shift <= spot.last + spot.shift && spot.first + spot.shift <= last + shift;
  });
}

/**
 * The cell to which an arrow key leads: the next one in its line. From the end of a line Left and
 * Right go on in reading order; Up and Down go to what is nearest.
 *
 * @param {Spot[]} spots
 * @param {Spot} spot
 * @param {[number, number]} way
 * @returns {Spot}
 */
export function neighbour(spots, spot, [dx, dy]) {
  const middle = (/** @type {Spot} */ { x, y, w, h }) => [x + w / 2, y + h / 2];
  const [x0, y0] = middle(spot);
  let best = null, least = Infinity;
  for (const other of spots) {
    const [x, y] = middle(other);
    const along = (x - x0) * dx + (y - y0) * dy;
    const across = Math.abs((x - x0) * dy) + Math.abs((y - y0) * dx);
    const inLine = across < (dx ? Math.min(spot.h, other.h) : Math.min(spot.w, other.w)) / 2;
    const far = inLine ? along : dx ? Infinity : along + 2 * across + 1e6;
    if (along > 0.5 && far < least) [best, least] = [other, far];
  }
  if (best) return best;
  return (dx && spots[spots.indexOf(spot) + dx]) || spot;
}

/**
 * What is told of a cell: which index of which tensor, position, bytes, value, which other
 * indices are the same memory, and what it is before or after.
 *
 * @param {Spot[]} lit
 * @param {Spot} spot
 * @returns {string}
 */
export function sentence(lit, spot) {
  const { part, number, first, last } = spot;
  const told = part.l ? [part.l] : [];
  if (part.i) told.push(element(spot));
  if (part.u > 1) {
    told.push(`position ${part.a[number]}${sum(spot)}`, `bytes ${first} to ${last}`);
  } else {
    told.push(part.i ? `position ${part.a[number]}${sum(spot)}, byte ${first}` : `byte ${first}`);
  }
  const words = part.m?.[number];
  if (part.v && !words?.includes("outside")) told.push(`value ${part.t[number]}`);
  if (words) told.push(words);
  const [here, elsewhere] = [true, false].map((isHere) => lit.filter((each) =>
    each !== spot && (each.part.l === part.l) === isHere));
  const others = here.filter((each) => each.part.i).map(element);
  if (others.length) {
    const more = others.length - ALSO_MOST;
    const named = others.slice(0, ALSO_MOST).join(", ") + (more > 0 ? ` and ${more} more` : "");
    told.push(part.i ? `also ${named}` : named);
  }
  // The same before or after: under which index, what it held then, and where a copy has it.
  for (const label of new Set(elsewhere.map((each) => each.part.l))) {
    const there = elsewhere.filter((each) => each.part.l === label);
    const other = there.find((each) => each.part.i) ?? there[0];
    const index = other.part.i ? [element(other)] : [];
    const value = other.part.v ? [`value ${other.part.t[other.number]}`] : [];
    const places = new Set(there.filter((each) => each.part.u === other.part.u)
      .map((each) => each.part.a[each.number]));
    const more = places.size > 1 ? ` and ${places.size - 1} more` : "";
    const isCopied = other.part.o[0] !== part.o[0];
    const what = other.part.u > 1 || other.part.i ? "position" : "byte";
    const place = isCopied ? [`${what} ${other.part.a[other.number]}${more}`] : [];
    told.push(`${label}: ${[...index, ...place, ...value].join(", ")}`);
  }
  return told.join(" · ");
}

/** A cell as one would write it. @param {Spot} spot */
function element(spot) {
  const { n, d } = spot.part;
  return d ? `${n}[${indexOf(spot).join(", ")}]` : n || "the only element";
}

/** The index of a cell. @param {Spot} spot */
function indexOf({ part, number }) {
  const d = part.d ?? 0;
  return (part.i ?? []).slice(number * d, (number + 1) * d);
}

/**
 * How the index of a cell leads to its position: the offset, and a hop for each dim.
 *
 * @param {Spot} spot
 * @returns {string}
 */
function sum(spot) {
  const { part, number } = spot, strides = part.k ?? [];
  if (!strides.length) return "";
  let offset = BigInt(part.a[number]);
  const hops = indexOf(spot).map((index, dim) => {
    offset -= BigInt(index) * BigInt(strides[dim]);
    return ` + ${index}×${strides[dim].startsWith("-") ? `(${strides[dim]})` : strides[dim]}`;
  });
  return ` = offset ${offset}${hops.join("")}`;
}

/**
 * Lines between a cell and its slot, each from x and y to x and y. Where the slot is left out the
 * line leads to the gap; from a slot lines lead to the cells that are lit with it.
 *
 * @param {Spot[]} spots
 * @param {Spot[]} lit
 * @param {Spot} spot
 * @returns {[number, number, number, number][]}
 */
export function ties(spots, lit, spot) {
  const isHere = (/** @type {Spot} */ { part }) => part.s === spot.part.s;
  const slots = spots.filter((each) => isHere(each) && !each.part.i);
  if (!spot.part.i) {
    const cells = lit.filter((each) => isHere(each) && each.part.i).slice(0, ALSO_MOST);
    return cells.map((cell) => tie(cell, spot));
  }
  const slot = slots.find((each) => lit.includes(each));
  if (slot) return [tie(spot, slot)];
  const strip = slots.filter(({ part }) => part === slots[0].part);
  const before = strip.filter(({ last }) => last < spot.first).pop();
  const after = strip.find(({ first }) => first > spot.last);
  // Beside the last slot before it, or the first one behind it.
  if (before) return [tie(spot, { ...before, x: before.x + before.w })];
  return after ? [tie(spot, { ...after, x: after.x - after.w })] : [];
}

/**
 * A line from a cell to a slot, from side to side.
 *
 * @param {Spot} cell
 * @param {Spot} slot
 * @returns {[number, number, number, number]}
 */
function tie(cell, slot) {
  const isBelow = slot.y > cell.y;
  return [cell.x + cell.w / 2, isBelow ? cell.y + cell.h : cell.y,
    slot.x + slot.w / 2, isBelow ? slot.y : slot.y + slot.h];
}

/** A picture that answers. */
class Touched {
  /**
   * @param {HTMLImageElement | SVGSVGElement} shown
   * @param {Picture} picture
   */
  constructor(shown, picture) {
    this.picture = picture;
    this.shown = shown;
    /** @type {Spot[] | null} */
    this.known = null;
    /** @type {Spot | null} */
    this.walked = null;
    /** @type {Spot | null} */
    this.told = null;
    const page = shown.ownerDocument;
    // It is as large as the picture, and takes its place in the line.
    this.frame = page.createElement("span");
    this.frame.style.cssText = "position:relative;display:inline-block;max-width:100%";
    this.layer = page.createElementNS(SVG, "svg");
    this.layer.setAttribute("aria-hidden", "true");
    this.layer.style.cssText =
      "position:absolute;top:0;left:0;width:100%;height:auto;max-width:none;pointer-events:none";
    // White round black: seen on every fill, on a white card and on a dark one.
    this.rings = [["#FFFFFF", 6], ["#000000", 2.5], ["#FFFFFF", 4], ["#000000", 1.5],
      ["#FFFFFF", 8], ["#000000", 4]]
      .map(([colour, width]) => {
        const ring = page.createElementNS(SVG, "path");
        ring.setAttribute("fill", "none");
        ring.setAttribute("stroke", String(colour));
        ring.setAttribute("stroke-width", String(width));
        ring.setAttribute("stroke-linejoin", "round");
        this.layer.append(ring);
        return ring;
      });
    this.keys = page.createElement("span");
    this.keys.className = "stridekit-keys";
    this.keys.tabIndex = 0;
    this.keys.setAttribute("role", "application");
    this.keys.setAttribute("aria-label", HELP);
    // JupyterLab would take the arrow keys for itself.
    this.keys.setAttribute("data-lm-suppress-shortcuts", "true");
    this.keys.style.cssText =
      "position:absolute;top:0;left:0;right:0;pointer-events:none;border-radius:6px";
    // Who listens hears what is walked to, and not what the mouse runs over.
    this.heard = page.createElement("span");
    this.heard.setAttribute("role", "status");
    this.heard.style.cssText = HIDDEN;
    this.line = page.createElement("span");
    this.line.className = "stridekit-line";
    this.line.setAttribute("aria-hidden", "true");
    const whole = shown.closest("picture") ?? shown;
    whole.replaceWith(this.frame);
    this.frame.append(whole, this.layer, this.keys, this.heard);
    this.room = this.reserve();
    this.fit(picture);
    this.listen();
  }

  /** The cells: worked out once a hand comes, for most pictures of an explorer see none. */
  get spots() {
    return (this.known ??= spotsOf(this.picture));
  }

  /** @param {string} text the data of what the picture has become; the focus stays */
  renew(text) {
    const picture = read(text);
    if (picture) this.fit(picture);
  }

  /** @param {Picture} picture */
  fit(picture) {
    this.light(null);
    [this.picture, this.known, this.walked] = [picture, null, null];
    this.layer.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
    this.keys.style.aspectRatio = `${picture.width}/${picture.height}`;
  }

  /** The room for the line: beside "As text", or a line of its own. Nothing moves for it. */
  reserve() {
    const next = this.frame.nextElementSibling;
    this.summary = next instanceof HTMLDetailsElement ? next.querySelector("summary") : null;
    const kept = next instanceof HTMLElement && next.classList.contains(ROOM) ? next : null;
    const room = kept ?? this.frame.ownerDocument.createElement("div");
    room.style.position = "relative";
    // On a phone the line may take a second one; a room that is kept has its own rule for it.
    const folds = !this.summary && matchMedia("(max-width: 440px)").matches;
    if (!kept) room.style.height = this.summary ? "0" : folds ? "40px" : "20px";
    this.line.style.cssText = "position:absolute;top:0;left:0;right:0;line-height:1.5;" +
      `white-space:${folds ? "normal" : "nowrap"};max-height:${folds ? "100%" : "none"};` +
      "overflow:hidden;text-overflow:ellipsis;pointer-events:none;" +
      "font-family:system-ui,sans-serif;font-size:13px";
    room.append(this.line);
    if (!kept) this.frame.after(room);
    return room;
  }

  /** Where the words of "As text" end, the line begins. */
  align() {
    if (!this.summary) return;
    const words = this.frame.ownerDocument.createRange();
    words.selectNodeContents(this.summary);
    const { right, top, height } = words.getBoundingClientRect();
    const place = this.room.getBoundingClientRect();
    this.line.style.left = `${right - place.left + 20}px`;
    this.line.style.top = `${top - place.top}px`;
    this.line.style.lineHeight = `${height}px`;
  }

  listen() {
    const { frame, keys } = this;
    frame.addEventListener("pointermove", (event) => this.light(this.at(event) ?? this.walked));
    frame.addEventListener("pointerleave", () => this.light(this.walked));
    frame.addEventListener("click", (event) => {
      const spot = this.at(event);
      if (!spot) return;
      keys.focus({ preventScroll: true });
      this.walk(spot);
      this.pick();
    });
    keys.addEventListener("focus", () => {
      keys.style.outline = "3px solid #1976d2";
      // Inside: what scrolls cuts off what is outside.
      keys.style.outlineOffset = "-3px";
    });
    keys.addEventListener("blur", () => {
      keys.style.outline = "";
      this.walked = null;
      this.heard.textContent = "";
      this.light(null);
    });
    keys.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const way = WAYS[event.key];
    if (way) {
      this.walk(this.walked ? neighbour(this.spots, this.walked, way) : this.spots[0]);
    } else if (event.key === "Home") {
      this.walk(this.spots[0]);
    } else if (event.key === "End") {
      this.walk(this.spots[this.spots.length - 1]);
    } else if (event.key === "Enter" || event.key === " ") {
      this.pick();
    } else if (event.key === "Escape") {
      // Back to what holds the picture, such as a notebook's cell: the next keys are its own.
      this.keys.blur();
      const outside = this.frame.parentElement?.closest("[tabindex]");
      if (outside instanceof HTMLElement) outside.focus({ preventScroll: true });
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The cell under the pointer. @param {MouseEvent} event */
  at({ clientX, clientY }) {
    const { left, top, width, height } = this.shown.getBoundingClientRect();
    const px = ((clientX - left) / width) * this.picture.width;
    const py = ((clientY - top) / height) * this.picture.height;
    return this.spots.find(({ x, y, w, h }) => x <= px && px < x + w && y <= py && py < y + h);
  }

  /** @param {Spot} spot */
  walk(spot) {
    this.walked = spot;
    this.light(spot);
    this.heard.textContent = this.line.textContent;
  }

  /** Tell the page round the picture which cell is chosen: an explorer takes it as an index. */
  pick() {
    if (!this.walked) return;
    const { part, number } = this.walked;
    const index = part.i ? indexOf(this.walked) : null;
    const detail = { section: part.s, name: part.n, index, address: Number(part.a[number]) };
    this.frame.dispatchEvent(new CustomEvent("stridekit-pick", { bubbles: true, detail }));
  }

  /**
   * Light a cell and all that is the same memory, and tell it; nothing for null.
   *
   * @param {Spot | null} spot
   */
  light(spot) {
    if (spot === this.told) return;
    this.told = spot;
    const lit = spot ? sameMemory(this.spots, spot) : [];
    const round = outline(lit, 1), here = outline(spot ? [spot] : [], 1);
    const tied = (spot ? ties(this.spots, lit, spot) : [])
      .map(([x0, y0, x1, y1]) => `M${x0} ${y0}L${x1} ${y1}`).join("");
    [round, round, tied, tied, here, here].forEach((d, number) =>
      this.rings[number].setAttribute("d", d));
    if (spot) this.align();
    this.line.textContent = spot ? sentence(lit, spot) : "";
  }
}

/**
 * A path round each cell, so many pixels off it.
 *
 * @param {Spot[]} spots
 * @param {number} off
 * @returns {string}
 */
function outline(spots, off) {
  return spots.map(({ x, y, w, h }) =>
    `M${x - off} ${y - off}h${w + 2 * off}v${h + 2 * off}h${-w - 2 * off}z`).join("");
}

export default {
  /**
   * What anywidget calls once for each kernel.
   *
   * @param {{signal?: AbortSignal}} life
   */
  initialize({ signal }) {
    const stop = start(document);
    signal?.addEventListener("abort", stop);
    return stop;
  },
};
