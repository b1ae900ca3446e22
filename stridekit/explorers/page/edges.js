// @ts-check
// The edges of slices: sliders in a row for each dim, and handles on the picture itself. They move
// at once, together; what comes of it is asked of the kernel.

/**
 * @typedef {{kind: "edges", dim: number, length: number, start: number, stop: number,
 *   step: number}} Edges
 * @typedef {"start" | "stop" | "step"} Bound
 * @typedef {{x: number[], y: number[], w: number, h: number, i: number[], d: number}} Cells
 * @typedef {{isDown: boolean, shown: number[], from: Map<number, number>, to: Map<number, number>,
 *   side: [number, number], level: number}} Axis where the indices of a dim begin and end along it,
 *   and from where to where its edges reach across; outer dims have a higher level
 */

/** How far an edge sticks out of the grid, and how wide its knob is, in pixels of the screen. */
const KNOB = 24;

/** A slice of one dim: sliders, which browsers move by mouse, by touch and by arrow keys. */
class EdgeRow {
  /**
   * @param {Edges} edges
   * @param {Send} send
   * @param {() => void} moved what else shows it
   */
  constructor(edges, send, moved) {
    this.send = send;
    this.moved = moved;
    this.touched = 0;
    this.begins = true;
    this.dim = edges.dim;
    this.at = edges;
    this.sliders = { start: this.#slider("start"), stop: this.#slider("stop"),
      step: this.#slider("step") };
    this.told = made("output", {});
    this.element = made("div", { class: "sk-handle" }, [
      made("span", {}, [`dim ${edges.dim}`, ": ", this.told]),
      made("div", { class: "sk-slice" }, Object.entries(this.sliders).map(([bound, slider]) =>
        made("label", { class: "sk-bound" }, [bound, slider]))),
    ]);
    this.take(edges, Infinity);
  }

  /** @param {Bound} bound */
  #slider(bound) {
    const slider = made("input", {
      type: "range", min: bound === "step" ? "1" : "0", "aria-label": `dim ${this.dim} ${bound}`,
      "data-lm-suppress-shortcuts": "true", class: `sk-${bound}`,
    });
    slider.addEventListener("pointerdown", () => (this.begins = true));
    slider.addEventListener("keydown", () => (this.begins = true));
    slider.addEventListener("input", () => {
      this.set(bound, +slider.value, this.begins);
      this.begins = false;
    });
    return slider;
  }

  /** @param {Edges} edges @param {number} heard */
  take(edges, heard) {
    if (this.touched > heard) return;
    this.at = edges;
    this.#tell();
  }

  #tell() {
    const { start, stop, step, length } = this.at;
    const { sliders } = this;
    for (const [slider, most] of /** @type {[HTMLInputElement, number][]} */ ([
      [sliders.start, length], [sliders.stop, length], [sliders.step, Math.max(length, step, 1)],
    ])) mark(slider, "max", `${most}`);
    for (const bound of /** @type {Bound[]} */ (["start", "stop", "step"])) {
      const slider = sliders[bound];
      if (+slider.value !== this.at[bound]) slider.value = `${this.at[bound]}`;
    }
    write(this.told, `${start} up to ${stop}${step > 1 ? `, every ${step}` : ""}`);
  }

  /**
   * Move an edge, or change the step. One edge pushes the other.
   * @param {Bound} bound
   * @param {number} value
   * @param {boolean} begins whether a drag or a key begins with it
   */
  set(bound, value, begins) {
    const least = bound === "step" ? 1 : 0;
    const at = { ...this.at, [bound]: Math.min(Math.max(value, least), +this.sliders[bound].max) };
    if (at.start > at.stop) at[bound === "start" ? "stop" : "start"] = at[bound];
    if (at[bound] === this.at[bound]) return;
    this.at = at;
    this.#tell();
    this.moved();
    const { dim, start, stop, step } = at;
    this.touched = this.send({ do: "edges", dim, start, stop, step, begins });
  }
}

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
    const inside = own.filter(({ index }) => index.every((i, other) => {
      const slice = kept.get(other);
      return ways[other] === isDown || !slice || (i >= slice.start && i < slice.stop);
    }));
    const from = new Map(), to = new Map();
    for (const { x, y, index } of own) {
      const [begin, end] = isDown ? [y, y + h] : [x, x + w];
      from.set(index[dim], Math.min(from.get(index[dim]) ?? Infinity, begin));
      to.set(index[dim], Math.max(to.get(index[dim]) ?? -Infinity, end));
    }
    const across = (inside.length ? inside : own).map(({ x, y }) => (isDown ? x : y));
    const level = ways.filter((way, other) => other > dim && way === isDown).length;
    return {
      isDown, from, to, level, shown: [...from.keys()].sort((a, b) => a - b),
      side: [Math.min(...across), Math.max(...across) + (isDown ? w : h)],
    };
  });
}

/**
 * Where an edge stands along its dim, and which numbers it may have there. Where indices are left
 * out, it stands at the next that is shown.
 * @param {Axis} axis
 * @param {Bound} bound
 * @returns {[number, number][]} numbers, and their places
 */
function stopsOf({ shown, from, to }, bound) {
  if (bound === "start") {
    const last = shown[shown.length - 1];
    return [...shown.map((i) => /** @type {[number, number]} */ ([i, from.get(i) ?? 0])),
      [last + 1, to.get(last) ?? 0]];
  }
  return [[shown[0], from.get(shown[0]) ?? 0],
    ...shown.map((i) => /** @type {[number, number]} */ ([i + 1, to.get(i) ?? 0]))];
}

/** The edges of all slices, on the picture of the tensor that is sliced. */
class PictureEdges {
  /** @param {HTMLElement} page where the pictures are */
  constructor(page) {
    this.page = page;
    this.element = made("div", { class: "sk-edges" });
    /** @type {Map<string, HTMLElement>} */
    this.handles = new Map();
    /** @type {Map<number, EdgeRow>} */
    this.rows = new Map();
    /** @type {(Axis | null)[]} */
    this.axes = [];
    this.scale = 1;
    /** Where the picture begins in `element`: it may have been scrolled. */
    this.origin = [0, 0];
    page.addEventListener("scroll", () => this.place(), { capture: true, passive: true });
  }

  /** @param {EdgeRow[]} rows */
  take(rows) {
    this.rows = new Map(rows.map((row) => [row.dim, row]));
    this.place();
  }

  /** Put all where the picture has them: it is asked where that is, so best in a new frame. */
  place() {
    const cells = this.rows.size ? this.#cells() : null;
    const kept = new Map([...this.rows].map(([dim, row]) => [dim, row.at]));
    this.axes = cells ? axesOf(cells, kept) : [];
    const wanted = new Set();
    this.axes.forEach((axis, dim) => {
      const row = this.rows.get(dim);
      if (!row || !axis || !axis.shown.length) return;
      for (const bound of /** @type {Bound[]} */ (["start", "stop"])) {
        wanted.add(`${dim} ${bound}`);
        this.#put(row, axis, bound);
      }
    });
    for (const [key, handle] of this.handles) {
      if (wanted.has(key)) continue;
      handle.remove();
      this.handles.delete(key);
    }
  }

  /** The cells of x, and where its picture is. */
  #cells() {
    for (const holder of this.page.querySelectorAll("[data-stridekit]")) {
      const picture = JSON.parse(holder.getAttribute("data-stridekit") ?? "{}");
      const part = picture.parts?.find((/** @type {any} */ { n, i }) => n === "x" && i);
      const [drawn, frame] = [holder.querySelector("svg.stridekit"), holder.parentElement];
      const over = this.element.offsetParent;
      if (!part || !drawn || !frame || !over) continue;
      const { left, top, width } = drawn.getBoundingClientRect();
      const [clip, under] = [frame.getBoundingClientRect(), over.getBoundingClientRect()];
      this.scale = width / picture.width;
      this.origin = [left - clip.left, top - clip.top];
      Object.assign(this.element.style, {
        left: `${clip.left - under.left}px`, top: `${clip.top - under.top}px`,
        width: `${clip.width}px`, height: `${clip.height}px`,
      });
      return part;
    }
    return null;
  }

  /** @param {EdgeRow} row @param {Axis} axis @param {Bound} bound */
  #put(row, axis, bound) {
    const { at } = row;
    const handle = this.handles.get(`${row.dim} ${bound}`) ?? this.#handle(row.dim, bound);
    const { isDown, level } = axis;
    const stops = stopsOf(axis, bound);
    const place = (bound === "start"
      ? stops.find(([number]) => number >= at.start) ?? stops[stops.length - 1]
      : stops.findLast(([number]) => number <= at.stop) ?? stops[0])[1];
    const [x0, y0] = this.origin;
    const out = KNOB * (level + 1) * (bound === "start" ? -1 : 1);
    const ends = axis.side.map((end) => end * this.scale);
    const [low, high] = bound === "start" ? [ends[0] + out, ends[1]] : [ends[0], ends[1] + out];
    const along = place * this.scale - KNOB / 2;
    Object.assign(handle.style, isDown
      ? { left: `${x0 + low}px`, top: `${y0 + along}px`, width: `${high - low}px`,
        height: `${KNOB}px` }
      : { left: `${x0 + along}px`, top: `${y0 + low}px`, width: `${KNOB}px`,
        height: `${high - low}px` });
    handle.className = `sk-edge sk-${isDown ? "down" : "across"} sk-${bound}`;
    mark(handle, "aria-orientation", isDown ? "vertical" : "horizontal");
    mark(handle, "aria-valuemin", "0");
    mark(handle, "aria-valuemax", `${at.length}`);
    mark(handle, "aria-valuenow", `${at[bound]}`);
    mark(handle, "aria-valuetext", `${at[bound]}: from ${at.start} up to ${at.stop}`);
  }

  /** @param {number} dim @param {Bound} bound */
  #handle(dim, bound) {
    const handle = made("div", {
      role: "slider", tabindex: "0", "aria-label": `dim ${dim} ${bound}, on the picture`,
      title: `dim ${dim} ${bound}: drag, or arrow keys`, "data-lm-suppress-shortcuts": "true",
    }, [made("span", { class: "sk-rule" }), made("span", { class: "sk-knob" })]);
    let isDragged = false, begins = true;
    const set = (/** @type {number} */ value, /** @type {boolean} */ anew) =>
      this.rows.get(dim)?.set(bound, value, anew);
    handle.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      isDragged = begins = true;
      handle.setPointerCapture(event.pointerId);
      handle.focus({ preventScroll: true });
      event.preventDefault();
    });
    handle.addEventListener("pointermove", (event) => {
      const axis = this.axes[dim], row = this.rows.get(dim);
      if (!isDragged || !axis || !row) return;
      const { left, top } = this.element.getBoundingClientRect();
      const [x0, y0] = this.origin;
      const at = axis.isDown ? event.clientY - top - y0 : event.clientX - left - x0;
      const off = (/** @type {[number, number]} */ [, place]) => Math.abs(place * this.scale - at);
      const [number] = stopsOf(axis, bound).reduce((a, b) => (off(b) < off(a) ? b : a));
      if (number === row.at[bound]) return;
      set(number, begins);
      begins = false;
    });
    for (const end of ["pointerup", "pointercancel"]) {
      handle.addEventListener(end, () => (isDragged = false));
    }
    handle.addEventListener("keydown", (event) => {
      const row = this.rows.get(dim);
      if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
      const { [bound]: now, length } = row.at;
      // As they lie on the picture: down and to the right is on.
      const to = { ArrowRight: now + 1, ArrowDown: now + 1, ArrowLeft: now - 1, ArrowUp: now - 1,
        Home: 0, End: length }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      set(to, true);
    });
    this.handles.set(`${dim} ${bound}`, handle);
    this.element.append(handle);
    return handle;
  }
}
