// @ts-check
// Dims to put in another order. They move at once; what comes of it is asked of the kernel. It works
// by mouse, by touch and by keyboard.

/**
 * @typedef {{kind: "chips", field: string, label: string, order: number[], labels: string[]}} Chips
 */

/** Dims in an order: drag one to another place, or move it with the Left and Right keys. */
class ChipRow {
  /**
   * @param {Chips} chips
   * @param {Field | undefined} field in which their order is typed
   */
  constructor(chips, field) {
    this.field = field;
    /** @type {number | null} the dim that is dragged */
    this.dragged = null;
    /** Whether an edit of the field begins with the next move. */
    this.begins = true;
    /** @type {number[]} */
    this.order = [];
    /** @type {string[]} */
    this.labels = [];
    this.list = made("span", { class: "sk-chips", role: "group", "aria-label": chips.label });
    this.element = made("div", { class: "sk-handle", title: "drag, or Left and Right" }, [
      made("span", { "aria-hidden": "true" }, [chips.label]), this.list,
    ]);
    this.list.addEventListener("pointermove", (event) => this.#dragOver(event));
    for (const end of ["pointerup", "pointercancel"]) {
      this.list.addEventListener(end, () => (this.dragged = null));
    }
  }

  /** @param {Chips} chips @param {number} heard */
  take({ order, labels }, heard) {
    if (this.dragged !== null || (this.field?.touched ?? 0) > heard) return;
    [this.order, this.labels] = [order, labels];
    this.#draw();
  }

  #draw() {
    const had = this.list.querySelector(":focus")?.getAttribute("data-dim");
    const chips = this.order.map((dim, at) => this.#chip(dim, at));
    this.list.replaceChildren(...chips);
    chips.find((chip) => chip.dataset.dim === had)?.focus();
  }

  /** @param {number} dim @param {number} at its place */
  #chip(dim, at) {
    const label = this.labels[dim];
    const chip = made("button", {
      type: "button", class: "sk-chip", "data-dim": `${dim}`,
      "data-lm-suppress-shortcuts": "true",
      "aria-label": `${label}, place ${at + 1} of ${this.order.length}`,
    }, [label]);
    chip.addEventListener("pointerdown", (event) => {
      this.dragged = dim;
      this.begins = true;
      this.list.setPointerCapture(event.pointerId);
      chip.focus();
      event.preventDefault();
    });
    chip.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.#move(dim, at + by, true);
    });
    return chip;
  }

  /** @param {PointerEvent} event */
  #dragOver(event) {
    if (this.dragged === null) return;
    const chips = [...this.list.children].map((each) => each.getBoundingClientRect());
    const at = chips.findIndex(({ left, right, top, bottom }) =>
      left <= event.clientX && event.clientX <= right &&
      top - 20 <= event.clientY && event.clientY <= bottom + 20);
    if (at >= 0 && this.order[at] !== this.dragged) {
      this.#move(this.dragged, at, this.begins);
      this.begins = false;
    }
  }

  /** @param {number} dim @param {number} place @param {boolean} begins */
  #move(dim, place, begins) {
    if (place < 0 || place >= this.order.length) return;
    const order = this.order.filter((each) => each !== dim);
    order.splice(place, 0, dim);
    this.order = order;
    this.#draw();
    this.field?.type(order.join(", "), begins);
  }
}
