// @ts-check
// The page of an explorer: controls, a message, the picture, code. What is true is asked of the
// kernel; what is typed, selected or waited for is known here, and shown at once.

/**
 * How long the kernel may take, in milliseconds, before the mark is plain to see, and before the page
 * says that it waits. The mark does not fade in: that would paint the page over and over.
 */
const LATE = 250, LONG = 3000;

class Page {
  /**
   * @param {any} model anywidget's: `what` never changes, `answer` is each answer, `page` its
   * picture, which is sent only when it is another one
   * @param {HTMLElement} root
   */
  constructor(model, root) {
    this.model = model;
    this.root = root;
    this.view = newId();
    this.serial = 0;
    this.acts = 0;
    /** @type {Field | null} */
    this.lastField = null;
    /** @type {number[]} what is done if no answer comes */
    this.timers = [];
    this.showing = "";
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {{name: string, title: string, about: string, controls: Control[]}} */
    const what = model.get("what");
    root.classList.add("sk-explorer");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", what.title);
    root.dataset.name = what.name;
    /** @type {Map<string, Field>} */
    this.fields = new Map();
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    for (const control of what.controls) {
      if (control.kind === "button") {
        const { name, label } = control;
        this.buttons.set(name, this.button(label, () => this.send({ do: "press", name })));
      } else {
        const field = new Field(control, (content) => {
          this.lastField = field;
          return this.send(content);
        });
        this.fields.set(control.name, field);
      }
    }
    this.labels = new Map(what.controls.map((each) => [each.name, each.label]));
    this.undo = this.button("Undo", () => this.send({ do: "undo" }), "Control+Z");
    this.redo = this.button("Redo", () => this.send({ do: "redo" }), "Control+Shift+Z");
    const reset = this.button("Reset", () => this.send({ do: "reset" }));
    this.waits = made("span", { class: "sk-waits", role: "status" });
    this.predict = made("input", { type: "checkbox" });
    this.predict.addEventListener("change", () =>
      this.send({ do: "predict", on: this.predict.checked }),
    );
    this.prediction = made("input", {
      type: "text", placeholder: "type it and press Enter", autocomplete: "off",
    });
    this.prediction.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.send({ do: "guess", text: this.prediction.value });
    });
    this.asks = made("label", { class: "sk-asks" }, ["Your prediction", this.prediction]);
    this.said = made("div", { class: "sk-said", role: "status" });
    this.nearest = this.button("Use what works", () => {
      this.send({ do: "nearest" });
      // The button goes, and with it the focus: back to the field.
      (this.lastField?.input ?? reset).focus();
    });
    this.told = made("div", { class: "sk-told" }, [
      this.said, made("div", { class: "sk-side" }, [this.asks, this.nearest]),
    ]);
    /** @type {Map<string, ChipRow | EdgeRow>} */
    this.rows = new Map();
    this.hands = made("div", { class: "sk-hands" });
    this.stale = made("div", { class: "sk-label" }, ["last valid"]);
    this.page = made("div", { class: "sk-page" });
    this.edges = new PictureEdges(this.page);
    this.code = made("pre", { class: "sk-code" });
    this.line = made("pre", { class: "sk-line" });
    this.copying = made("div", { class: "sk-controls sk-copying" }, this.copies());
    root.replaceChildren(
      made("h3", {}, [what.title]),
      made("p", {}, [what.about]),
      made("div", { class: "sk-controls sk-fields" },
        [...this.fields.values()].map((field) => field.element)),
      made("div", { class: "sk-controls" }, [
        ...this.buttons.values(), this.undo, this.redo, reset,
        made("label", { class: "sk-check" }, [this.predict, "Predict first"]),
        this.waits,
      ]),
      this.hands,
      this.told,
      made("div", { class: "sk-picture" }, [this.stale, this.edges.element, this.page]),
      this.copying,
      this.code,
      this.line,
    );
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("stridekit-pick", (event) => {
      if (event instanceof CustomEvent) this.send({ do: "pick", ...event.detail });
    });
    this.page.addEventListener("click", (event) => this.pixel(event));
    // How much room each takes is told after a frame: to ask before would lay out all at once.
    this.heights = new Map();
    const observer = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries) {
        this.heights.set(target, borderBoxSize[0]?.blockSize ?? 0);
      }
      // A window that is made narrower moves the picture.
      this.edges.place();
    });
    for (const each of [this.page, this.code, this.line, this.hands]) observer.observe(each);
    const shows = ["change:answer", "change:page"];
    const show = () => this.show(model.get("answer"), model.get("page"));
    for (const each of shows) model.on(each, show);
    this.close = () => {
      this.timers.forEach(clearTimeout);
      observer.disconnect();
      for (const each of shows) model.off(each, show);
    };
    this.acts = model.get("answer").acts;
    show();
  }

  /** @type {Send} */
  send = (content) => {
    this.serial += 1;
    this.root.classList.add("sk-pending");
    write(this.waits, "");
    this.timers.forEach(clearTimeout);
    this.timers = [
      setTimeout(() => this.root.classList.add("sk-late"), LATE),
      setTimeout(() => {
        this.waits.textContent = "The kernel has not answered yet. The picture is the last one.";
      }, LONG),
    ];
    try {
      this.model.send({ ...content, view: this.view, serial: this.serial });
    } catch {
      // Without a kernel nothing is sent, and the page says so in a while.
    }
    return this.serial;
  };

  /**
   * @param {string} label
   * @param {() => void} act
   * @param {string} [keys]
   */
  button(label, act, keys) {
    const button = made("button", { type: "button" }, [label]);
    if (keys) button.setAttribute("aria-keyshortcuts", keys);
    if (keys) button.title = keys.replace("Control", "Ctrl");
    button.addEventListener("click", () => {
      if (button.getAttribute("aria-disabled") !== "true") act();
    });
    return button;
  }

  /** Copy code and Copy this state, and what came of it. */
  copies() {
    const said = made("span", { role: "status" });
    return [
      ...[{ label: "Copy code", from: this.code }, { label: "Copy this state", from: this.line }]
        .map(({ label, from }) => {
          const button = this.button(label, async () => {
            try {
              await navigator.clipboard.writeText(from.textContent ?? "");
              said.textContent = "Copied.";
            } catch {
              said.textContent = "Select the lines and copy them.";
            }
          });
          button.addEventListener("blur", () => (said.textContent = ""));
          return button;
        }),
      said,
    ];
  }

  /**
   * A pixel of an image is chosen: which one that is, is told by where it was clicked.
   * @param {MouseEvent} event
   */
  pixel({ target, clientX, clientY }) {
    const diagram = target instanceof Element ? target.closest("[data-images]") : null;
    if (!(diagram instanceof HTMLElement)) return;
    /** @type {[string, number, number][]} */
    const known = JSON.parse(diagram.dataset.images ?? "[]");
    diagram.querySelectorAll("image").forEach((image, number) => {
      const [name, rows, columns] = known[number];
      const { left, top, width, height } = image.getBoundingClientRect();
      const row = Math.floor(((clientY - top) / height) * rows);
      const column = Math.floor(((clientX - left) / width) * columns);
      if (row < 0 || row >= rows || column < 0 || column >= columns) return;
      this.send({ do: "pick", section: 0, name, index: [row, column], address: 0 });
    });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const letter = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(letter)) return;
    event.preventDefault();
    event.stopPropagation();
    (letter === "y" || event.shiftKey ? this.redo : this.undo).click();
  }

  /**
   * @param {Shown} shown
   * @param {string} picture
   */
  show(shown, picture) {
    // One message may bring both, and say so twice.
    if (shown === this.shown && picture === this.showing) return;
    this.shown = shown;
    const heard = shown.heard[this.view] ?? 0;
    const forced = shown.acts !== this.acts;
    this.acts = shown.acts;
    // The picture first: it is what one waits for.
    this.paint(shown, picture, forced);
    if (this.said.innerHTML !== shown.message) this.said.innerHTML = shown.message;
    for (const [name, field] of this.fields) {
      field.take(shown.texts[name], heard, forced, shown.offers[name]);
    }
    this.takeHandles(shown.handles, heard);
    for (const [name, button] of this.buttons) {
      write(button, shown.plays === name ? "Stop" : this.labels.get(name) ?? "");
    }
    mark(this.undo, "aria-disabled", `${!shown.undo}`);
    mark(this.redo, "aria-disabled", `${!shown.redo}`);
    this.nearest.classList.toggle("sk-gone", !shown.nearest);
    this.asks.classList.toggle("sk-gone", !shown.asks);
    this.predict.checked = shown.predict;
    if (document.activeElement !== this.prediction || forced) {
      this.prediction.value = shown.prediction;
    }
    // Measured with the frame that is drawn anyway, and not before it.
    requestAnimationFrame(() => {
      this.keep(this.told, this.told.scrollHeight);
      this.edges.take([...this.rows.values()].filter((row) => row instanceof EdgeRow));
    });
    if (heard < this.serial) return;
    this.root.classList.remove("sk-pending", "sk-late");
    write(this.waits, "");
    this.timers.forEach(clearTimeout);
  }

  /**
   * Chips and edges: those that stay are moved, and keep the focus.
   * @param {(Chips | Edges)[]} handles
   * @param {number} heard
   */
  takeHandles(handles, heard) {
    const rows = new Map();
    for (const handle of handles) {
      const key = handle.kind === "chips" ? handle.field : `${handle.dim}`;
      const row = this.rows.get(key) ?? this.row(handle);
      const field = handle.kind === "chips" ? this.fields.get(handle.field) : undefined;
      if (row instanceof EdgeRow && handle.kind === "edges") row.take(handle, heard);
      else if (row instanceof ChipRow && handle.kind === "chips" && (field?.touched ?? 0) <= heard) {
        row.take(handle);
      }
      rows.set(key, row);
    }
    if ([...rows.keys()].join() !== [...this.rows.keys()].join()) {
      this.hands.replaceChildren(...[...rows.values()].map((row) => row.element));
    }
    this.rows = rows;
  }

  /** @param {Chips | Edges} handle */
  row(handle) {
    if (handle.kind === "edges") {
      return new EdgeRow(handle, this.send, () => this.edges.place());
    }
    return new ChipRow(handle, (text, begins) => this.fields.get(handle.field)?.type(text, begins));
  }

  /**
   * The picture, and the lines below it. They keep their room while a field is edited, and while
   * the answer waits.
   * @param {Shown} shown
   * @param {string} picture
   * @param {boolean} forced
   */
  paint(shown, picture, forced) {
    const { page, code, line, hands } = this;
    const heightOf = (/** @type {HTMLElement} */ each) => this.heights.get(each) ?? 0;
    if (forced && !shown.hidden) for (const each of [page, code, line]) each.style.minHeight = "";
    else for (const each of [page, code, line]) this.keep(each, heightOf(each));
    if (shown.hidden) this.keep(page, shown.room);
    hands.style.minHeight = shown.hidden ? `${heightOf(hands)}px` : "";
    if (this.showing !== picture) {
      this.showing = picture;
      // Who walks through a picture goes on in the new one.
      const walked = [...page.querySelectorAll(".stridekit-keys")].indexOf(
        document.activeElement ?? page);
      page.innerHTML = picture;
      if (walked >= 0) setTimeout(() => this.walkOn(walked));
    }
    this.root.classList.toggle("sk-stale", shown.problem);
    mark(page, "role", shown.problem ? "group" : null);
    mark(page, "aria-label", shown.problem ? "last valid" : null);
    write(code, shown.code);
    write(line, shown.line);
    for (const each of [this.copying, code, line]) {
      each.classList.toggle("sk-gone", shown.hidden);
    }
  }

  /**
   * The focus back to a picture, at the cell that is selected there.
   * @param {number} number
   */
  walkOn(number) {
    const keys = this.page.querySelectorAll(".stridekit-keys")[number];
    if (!(keys instanceof HTMLElement)) return;
    keys.focus({ preventScroll: true });
    const holder = keys.closest("[data-stridekit]");
    const touched = /** @type {any} */ (holder)?.[Symbol.for("stridekit.touch")];
    const chosen = touched?.spots?.find((/** @type {any} */ { part, number: at }) =>
      part.i && part.m?.[at]?.includes("selected"));
    if (chosen) touched.walk(chosen);
  }

  /**
   * Keep so much room, and never less than before.
   * @param {HTMLElement} element
   * @param {number} height
   */
  keep(element, height) {
    if (height > (parseFloat(element.style.minHeight) || 0)) element.style.minHeight = `${height}px`;
  }
}

/** @param {{model: any, el: HTMLElement}} context */
function render({ model, el }) {
  const root = made("div");
  el.append(root);
  return new Page(model, root).close;
}

export default { render };
