// @ts-check
// The edges of slices, to take hold of on the picture. They move at once; what comes of it is asked of
// the kernel.

/**
 * @typedef {{kind: "edges", dim: number, length: number, start: number, stop: number}} Edges
 * @typedef {"start" | "stop"} Bound
 * @typedef {{x: number[], y: number[], w: number, h: number, i: number[], d: number}} Cells
 * @typedef {[number, number]} Stop a number that an edge may have, and its place along the dim
 * @typedef {{isDown: boolean, stops: Stop[][], side: number[], level: number}} Axis the stops of a
 *   start and of a stop, and from where to where they reach across; outer dims have a higher level
 */

/** How wide an edge and its knob are to take hold of, in pixels of the screen. What is seen of them
 * is in the picture's own pixels, so that it covers no letter, however small the picture is. */
const KNOB = 24;
const ENDS = /** @type {Bound[]} */ (["start", "stop"]);

/**
 * Where the indices of each dim stand in a grid; null for a dim that does not run in one line.
 * @param {Cells} cells
 * @param {Map<number, Edges>} kept the slices, by their dims
 * @returns {(Axis | null)[]}
 */
function axesOf(cells, kept) {
  const { d, w, h } = cells;
  const spots = cells.x.map((x, n) => ({
    x, y: cells.y[n], index: cells.i.slice(n * d, (n + 1) * d),
  }));
  const dims = [...Array(d).keys()];
  const ways = dims.map((dim) => {
    const line = spots.filter(({ index }) => index.every((i, other) => other === dim || i === 0));
    if (line.length < 2) return dim < d - 1;
    if (line.every(({ x }) => x === line[0].x)) return true;
    return line.every(({ y }) => y === line[0].y) ? false : null;
  });
  return dims.map((dim) => {
    const isDown = ways[dim];
    if (isDown === null) return null;
    const first = (/** @type {number} */ other) => {
      const { start = 0, length = 1 } = kept.get(other) ?? {};
      return start < length ? start : 0;
    };
    // An inner dim has its edges in the first block of the outer ones that is kept.
    const own = spots.filter(({ index }) => index.every((i, other) =>
      other >= dim || ways[other] !== isDown || i === first(other)));
    if (!own.length) return null;
    const inside = own.filter(({ index }) => index.every((i, other) => {
      const slice = kept.get(other);
      return ways[other] === isDown || !slice || (i >= slice.start && i < slice.stop);
    }));
    const across = (inside.length ? inside : own).map(({ x, y }) => (isDown ? x : y));
    const shown = [...new Set(own.map(({ index }) => index[dim]))].sort((a, b) => a - b);
    const along = shown.map((i) => own.filter(({ index }) => index[dim] === i)
      .map(({ x, y }) => (isDown ? y : x)));
    const begins = shown.map((i, n) => /** @type {Stop} */ ([i, Math.min(...along[n])]));
    const ends = shown.map((i, n) =>
      /** @type {Stop} */ ([i + 1, Math.max(...along[n]) + (isDown ? h : w)]));
    return {
      isDown, level: ways.filter((way, other) => other > dim && way === isDown).length,
      // Where indices are left out, an edge stands at the next that is shown.
      stops: [[...begins, ends[ends.length - 1]], [begins[0], ...ends]],
      side: [Math.min(...across), Math.max(...across) + (isDown ? w : h)],
    };
  });
}

/** A slice of one dim: a handle at each of its edges. */
class EdgePair {
  /**
   * @param {Edges} edges
   * @param {Send} send
   * @param {PictureEdges} picture where its handles are
   */
  constructor(edges, send, picture) {
    this.send = send;
    this.picture = picture;
    this.touched = 0;
    /** Whether a drag or a key begins with the next move. */
    this.begins = true;
    this.at = edges;
    /** @type {Axis | null} its place on the picture */
    this.axis = null;
    this.handles = ENDS.map((bound) => this.#handle(bound));
  }

  /** @param {Edges} edges @param {number} heard */
  take(edges, heard) {
    if (this.touched <= heard) this.at = edges;
  }

  /**
   * Move an edge. One pushes the other.
   * @param {Bound} bound
   * @param {number} value
   */
  #set(bound, value) {
    const at = { ...this.at, [bound]: Math.min(Math.max(value, 0), this.at.length) };
    if (at.start > at.stop) at[bound === "start" ? "stop" : "start"] = at[bound];
    if (at[bound] === this.at[bound]) return;
    this.at = at;
    this.picture.place();
    const { dim, start, stop } = at;
    this.touched = this.send({ do: "edges", dim, start, stop, begins: this.begins });
    this.begins = false;
  }

  /** @param {Bound} bound */
  #handle(bound) {
    const handle = made("div", {
      role: "slider", tabindex: "0", "aria-label": `dim ${this.at.dim} ${bound}`,
      title: `dim ${this.at.dim} ${bound}: drag, or arrow keys`,
      "data-lm-suppress-shortcuts": "true",
    }, [made("span", { class: "sk-rule" }), made("span", { class: "sk-knob" })]);
    let isDragged = false;
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      isDragged = this.begins = true;
      handle.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      event.preventDefault();
    });
    handle.addEventListener("pointermove", (event) => {
      if (!isDragged || !this.axis) return;
      const at = this.picture.along(event, this.axis);
      const off = (/** @type {Stop} */ [, place]) => Math.abs(place - at);
      const stops = this.axis.stops[ENDS.indexOf(bound)];
      this.#set(bound, stops.reduce((a, b) => (off(b) < off(a) ? b : a))[0]);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      handle.addEventListener(end, () => (isDragged = false));
    }
    handle.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { [bound]: now, length } = this.at;
      // As they lie on the picture: down and to the right is on.
      const to = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1,
        Home: 0, End: length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.begins = true;
      this.#set(bound, to);
    });
    return handle;
  }

  /**
   * Put the handles where the picture has them.
   * @param {Axis} axis
   * @param {number} scale
   * @param {number[]} origin
   */
  put(axis, scale, [x, y]) {
    const { at, handles } = this, { isDown, level, side } = axis;
    this.axis = axis;
    axis.stops.forEach((stops, n) => {
      const handle = handles[n], bound = ENDS[n], isStart = bound === "start";
      const [, place] = (isStart
        ? stops.find(([number]) => number >= at.start) ?? stops[stops.length - 1]
        : stops.findLast(([number]) => number <= at.stop) ?? stops[0]);
      // Edges of an outer dim have their knobs at the other end: they often lie on those of an inner.
      const isBefore = isStart === (level % 2 === 0);
      const out = KNOB / 2 + 10 * scale + KNOB * Math.floor(level / 2);
      const across = side[0] * scale - (isBefore ? out : 0);
      const along = place * scale - KNOB / 2, long = (side[1] - side[0]) * scale + out;
      const [left, top, width, height] = isDown
        ? [x + across, y + along, long, KNOB] : [x + along, y + across, KNOB, long];
      Object.assign(handle.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`,
        height: `${height}px` });
      handle.className = `sk-edge sk-${isDown ? "down" : "across"}${isBefore ? "" : " sk-after"}`;
      for (const [name, value] of Object.entries({
        orientation: isDown ? "vertical" : "horizontal", valuemin: 0, valuemax: at.length,
        valuenow: at[bound], valuetext: `${at[bound]}: from ${at.start} up to ${at.stop}`,
      })) mark(handle, `aria-${name}`, `${value}`);
    });
  }
}

/** The edges of all slices, on the picture of the tensor that is sliced. */
class PictureEdges {
  /** @param {HTMLElement} page where the pictures are */
  constructor(page) {
    this.page = page;
    this.element = made("div", { class: "sk-edges" });
    /** @type {Map<number, EdgePair>} by the dims */
    this.pairs = new Map();
    this.scale = 1;
    /** Where the picture begins in `element`: it may have been scrolled. */
    this.origin = [0, 0];
    page.addEventListener("scroll", () => this.place(), { capture: true, passive: true });
  }

  /**
   * Edges that stay are moved, and keep the focus.
   * @param {Edges[]} all
   * @param {Send} send
   * @param {number} heard
   */
  take(all, send, heard) {
    const before = this.pairs;
    this.pairs = new Map(all.map((edges) =>
      [edges.dim, before.get(edges.dim) ?? new EdgePair(edges, send, this)]));
    for (const edges of all) this.pairs.get(edges.dim)?.take(edges, heard);
  }

  /** Put all where the picture has them: it is asked where that is, so best in a new frame. */
  place() {
    const pairs = [...this.pairs.values()], cells = pairs.length ? this.#cells() : null;
    const axes = cells ? axesOf(cells, new Map(pairs.map(({ at }) => [at.dim, at]))) : [];
    const there = pairs.flatMap((pair) => {
      const axis = axes[pair.at.dim];
      if (!axis) return [];
      pair.put(axis, this.scale, this.origin);
      return pair.handles;
    });
    const { element } = this;
    for (const each of [...element.children]) if (!there.some((one) => one === each)) each.remove();
    for (const handle of there) if (handle.parentNode !== element) element.append(handle);
  }

  /**
   * Where a pointer is along an axis, in the picture's own pixels.
   * @param {MouseEvent} event
   * @param {Axis} axis
   */
  along({ clientX, clientY }, { isDown }) {
    const { left, top } = this.element.getBoundingClientRect(), [x, y] = this.origin;
    return (isDown ? clientY - top - y : clientX - left - x) / this.scale;
  }

  /** The cells of x, and where its picture is. */
  #cells() {
    for (const holder of this.page.querySelectorAll(HELD)) {
      const picture = JSON.parse(holder.getAttribute("data-stridekit") ?? "{}");
      const part = picture.parts?.find((/** @type {any} */ { n, i }) => n === "x" && i);
      const [drawn, frame] = [holder.querySelector(DRAWN), holder.parentElement];
      const over = this.element.offsetParent;
      if (!part || !drawn || !frame || !over) continue;
      const { left, top, width } = drawn.getBoundingClientRect();
      const [clip, under] = [frame.getBoundingClientRect(), over.getBoundingClientRect()];
      this.scale = width / picture.width;
      this.origin = [left - clip.left, top - clip.top];
      this.element.style.setProperty("--sk-unit", `${this.scale}px`);
      Object.assign(this.element.style, {
        left: `${clip.left - under.left}px`, top: `${clip.top - under.top}px`,
        width: `${clip.width}px`, height: `${clip.height}px`,
      });
      return part;
    }
    return null;
  }
}
