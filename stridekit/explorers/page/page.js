// @ts-check
// The page of an explorer: controls, a message, the picture, code. What is true is asked of the
// kernel; what is typed, selected or waited for is known here, and shown at once.

/**
 * How long the kernel may take, in milliseconds, before the mark is plain to see, and before the page
 * says that it waits. The mark does not fade in: that would paint the page over and over.
 */
const LATE = 250, LONG = 3000;

/**
 * Up to so many pixels an explorer is narrow: what it has stands in one column, and each tensor has
 * a picture of its own. Beside the fields, which have these parts of the room, a picture is no
 * smaller than so; one that is less than half as high as wide, and fits below, is hardly smaller.
 */
const NARROW = 520, DESK = { least: 196, part: 0.31, most: 300, gap: 14 }, SMALL = 0.58, FLAT = 0.9;

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
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {{control: Control, serial: number, said: string, timer: number} | null} */
    this.playing = null;
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
        this.buttons.set(control.name, button(control.label, () => this.press(control)));
      } else {
        const field = new Field(control, (content) => {
          this.lastField = field;
          return this.send(content);
        });
        this.fields.set(control.name, field);
      }
    }
    this.undo = button("Undo", () => this.send({ do: "undo" }), "Control+Z");
    this.redo = button("Redo", () => this.send({ do: "redo" }), "Control+Shift+Z");
    const reset = button("Reset", () => this.send({ do: "reset" }));
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
    this.nearest = button("Use what works", () => {
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
    this.lead = made("div", { class: "sk-lead" });
    this.picture = new Picture((cell) => this.send({ do: "pick", ...cell }));
    const fields = [...this.fields.values()];
    const [folded, open] = [true, false].map((isFolded) =>
      fields.filter((field) => !!field.control.folded === isFolded).map((field) => field.element));
    const more = made("details", { class: "sk-more" }, [
      made("summary", {}, ["More to set"]), made("div", { class: "sk-fields" }, folded),
    ]);
    root.replaceChildren(
      made("div", { class: "sk-head" }, [made("h3", {}, [what.title]), made("p", {}, [what.about])]),
      made("div", { class: "sk-body" }, [
        made("div", { class: "sk-desk" }, [
          made("div", { class: "sk-fields" }, open),
          this.lead,
          made("div", { class: "sk-controls" }, [
            ...this.buttons.values(), this.undo, this.redo, reset,
            made("label", { class: "sk-check" }, [this.predict, "Predict first"]),
            this.waits,
          ]),
          ...(folded.length ? [more] : []),
          this.hands, this.told,
        ]),
        this.picture.element,
      ]),
      ...this.picture.below,
    );
    this.narrow = false;
    const sized = new ResizeObserver(() => this.fit());
    sized.observe(root);
    root.addEventListener("keydown", (event) => this.key(event));
    root.addEventListener("stridekit-pick", (event) => {
      if (event instanceof CustomEvent) this.send({ do: "pick", ...event.detail });
    });
    const shows = ["change:answer", "change:page"];
    const show = () => this.show(model.get("answer"), model.get("page"));
    for (const each of shows) model.on(each, show);
    this.close = () => {
      this.timers.forEach(clearTimeout);
      this.stop();
      sized.disconnect();
      for (const each of shows) model.off(each, show);
    };
    this.acts = model.get("answer").acts;
    show();
  }

  /**
   * Press a button. One that plays is pressed again after each answer, until nothing changes or
   * anything else is done than what may be done beside.
   * @param {Control} control
   */
  press(control) {
    const { name } = control;
    if (this.playing?.control.name === name) {
      this.stop();
      return;
    }
    const serial = this.send({ do: "press", name });
    if (!(name in (this.shown?.every ?? {}))) return;
    this.playing = { control, serial, said: "", timer: 0 };
    write(this.buttons.get(name), "Stop");
  }

  /** @param {Shown} shown @param {number} heard */
  playOn(shown, heard) {
    const { playing } = this;
    if (!playing || heard < playing.serial || playing.timer) return;
    if (shown.message === playing.said || shown.problem) {
      this.stop();
      return;
    }
    playing.said = shown.message;
    const { name } = playing.control;
    playing.timer = setTimeout(() => {
      playing.timer = 0;
      playing.serial = this.send({ do: "press", name, begins: false }, true);
    }, 1000 * shown.every[name]);
  }

  stop() {
    if (!this.playing) return;
    clearTimeout(this.playing.timer);
    write(this.buttons.get(this.playing.control.name), this.playing.control.label);
    this.playing = null;
  }

  /** @type {Send} */
  send = (content, goesOn = false) => {
    const isBeside = content.do === "choose" && this.playing?.control.beside?.includes(content.name);
    if (!goesOn && !isBeside) this.stop();
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
    if (shown === this.shown && picture === this.picture.showing) return;
    this.shown = shown;
    const heard = shown.heard[this.view] ?? 0;
    const forced = shown.acts !== this.acts;
    this.acts = shown.acts;
    // The picture first: it is what one waits for.
    this.picture.paint(shown, picture, forced);
    this.root.classList.toggle("sk-stale", shown.problem);
    if (this.said.innerHTML !== shown.message) this.said.innerHTML = shown.message;
    if (this.lead.innerHTML !== shown.lead) this.lead.innerHTML = shown.lead;
    for (const [name, field] of this.fields) {
      field.take(shown.texts[name], heard, forced, shown.offers[name]);
      mark(field.input, "aria-invalid", shown.wrong.includes(name) ? "true" : null);
    }
    this.takeHandles(shown.handles, heard);
    this.playOn(shown, heard);
    mark(this.undo, "aria-disabled", `${!shown.undo}`);
    mark(this.redo, "aria-disabled", `${!shown.redo}`);
    this.nearest.classList.toggle("sk-gone", !shown.nearest);
    this.asks.classList.toggle("sk-gone", !shown.asks);
    this.predict.checked = shown.predict;
    if (focusBeside(this.prediction) !== this.prediction || forced) {
      this.prediction.value = shown.prediction;
    }
    // Measured with the frame that is drawn anyway, and not before it.
    requestAnimationFrame(() => {
      this.picture.measure();
      this.picture.edges.take([...this.rows.values()].filter((row) => row instanceof EdgeRow));
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

  /** The page has become wider or narrower: the picture stands beside the fields, or below them. */
  fit() {
    const { root, picture } = this, { clientWidth } = root;
    if (!clientWidth) return;
    const narrow = clientWidth < NARROW, { width, height } = picture.first;
    const desk = Math.min(Math.max(DESK.least, DESK.part * clientWidth), DESK.most);
    const scale = (clientWidth - desk - DESK.gap) / width;
    root.classList.toggle("sk-two", !narrow && scale >= (height < width / 2 ? FLAT : SMALL));
    picture.fit(clientWidth);
    if (narrow === this.narrow) return;
    this.narrow = narrow;
    this.send({ do: "narrow", on: narrow });
  }

  /** @param {Chips | Edges} handle */
  row(handle) {
    if (handle.kind === "edges") {
      return new EdgeRow(handle, this.send, () => this.picture.edges.place());
    }
    return new ChipRow(handle, (text, begins) => this.fields.get(handle.field)?.type(text, begins));
  }

}

/** @param {{model: any, el: HTMLElement}} context */
function render({ model, el }) {
  const root = made("div");
  el.append(root);
  return new Page(model, root).close;
}

export default { render };
