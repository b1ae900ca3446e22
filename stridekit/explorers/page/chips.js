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
   * @param {(text: string, begins: boolean) => void} type types the order into its field
   */
  constructor(chips, type) {
    this.type = type;
    /** @type {number | null} the dim that is dragged */
    this.dragged = null;
    this.order = chips.order;
    this.list = made("span", { class: "sk-chips", role: "group", "aria-label": chips.label });
    this.element = made("div", { class: "sk-handle", title: "drag, or Left and Right" }, [
      made("span", { "aria-hidden": "true" }, [chips.label]), this.list,
    ]);
    this.list.addEventListener("pointermove", (event) => this.#dragOver(event));
    for (const end of ["pointerup", "pointercancel"]) {
      this.list.addEventListener(end, () => (this.dragged = null));
    }
    this.take(chips);
  }

  /** @param {Chips} chips */
  take(chips) {
    if (this.dragged !== null) return;
    this.order = chips.order;
    this.labels = chips.labels;
    this.#draw();
  }

  #draw() {
    const focused = focusBeside(this.list);
    const had = focused instanceof HTMLElement && this.list.contains(focused)
      ? focused.dataset.dim : undefined;
    this.list.replaceChildren(...this.order.map((dim) => this.#chip(dim)));
    const chip = [...this.list.children].find((each) =>
      each instanceof HTMLElement && each.dataset.dim === had);
    if (had !== undefined && chip instanceof HTMLElement) chip.focus();
  }

  /** @param {number} dim */
  #chip(dim) {
    const place = this.order.indexOf(dim) + 1;
    const chip = made("button", {
      type: "button", class: "sk-chip", "data-dim": `${dim}`,
      "data-lm-suppress-shortcuts": "true",
      "aria-label": `${this.labels?.[dim]}, place ${place} of ${this.order.length}`,
    }, [this.labels?.[dim] ?? ""]);
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
      this.#move(dim, this.order.indexOf(dim) + by, true);
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
      this.#move(this.dragged, at, this.begins ?? true);
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
    this.type(order.join(", "), begins);
  }
}
