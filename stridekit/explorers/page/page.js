// @ts-check
// The page of an explorer: controls, a message, the picture, code. What is true is asked of the
// kernel; what is typed, selected or waited for is known here, and shown at once.

/**
 * How long the kernel may take, in milliseconds, before the mark is plain to see, and before the page
 * says that it waits. The mark does not fade in: that would paint the page over and over.
 */
const LATE = 250, LONG = 3000;

/**
 * Up to so many pixels an explorer is narrow: what it has stands in one column, and its picture is
 * laid out for that (markup.py). Beside the fields, which have these parts of the room, a picture is no
 * smaller than so; one that is less than half as high as wide, and fits below, is hardly smaller.
 */
const NARROW = 520, DESK = { least: 196, part: 0.31, most: 300, gap: 14 }, SMALL = 0.55, FLAT = 0.9;

/** What every explorer has, before its fields and buttons. */
const PAGE = `
<div class="sk-head"><h3></h3><p></p></div>
<div class="sk-body">
  <div class="sk-desk">
    <div class="sk-fields"></div>
    <div class="sk-lead"></div>
    <div class="sk-controls">
      <label class="sk-check"><input type="checkbox">Predict first</label>
      <span class="sk-waits" role="status"></span>
    </div>
    <details class="sk-more"><summary>More to set</summary><div class="sk-fields"></div></details>
    <div class="sk-hands"></div>
    <div class="sk-told">
      <div class="sk-said" role="status"></div>
      <div class="sk-side"><label class="sk-asks">Your prediction<input type="text"
        placeholder="type it and press Enter" autocomplete="off"></label></div>
    </div>
  </div>
  <div class="sk-picture"><div class="sk-label">last valid</div><div class="sk-page"></div></div>
</div>
<div class="sk-controls sk-copying"><span role="status"></span></div>
<pre class="sk-code"></pre><pre class="sk-line"></pre>`;

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
    this.acts = model.get("answer").acts;
    this.narrow = false;
    /** @type {Field | null} */
    this.lastField = null;
    /** @type {number[]} what is done if no answer comes */
    this.timers = [];
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {{control: Control, serial: number, said: string, timer: number} | null} */
    this.playing = null;
    /** @type {{name: string, title: string, about: string, controls: Control[]}} */
    const { name, title, about, controls } = model.get("what");
    root.innerHTML = PAGE;
    root.className = "sk-explorer";
    root.dataset.name = name;
    mark(root, "role", "group");
    mark(root, "aria-label", title);
    const the = (/** @type {string} */ part) => /** @type {HTMLElement} */ (
      root.querySelector(part));
    write(the("h3"), title);
    write(the("p"), about);
    /** @type {Map<string, Field>} */
    this.fields = new Map();
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    for (const control of controls) {
      if (control.kind === "button") {
        this.buttons.set(control.name, button(control.label, () => this.press(control)));
        continue;
      }
      const field = new Field(control, (content) => {
        this.lastField = field;
        return this.send(content);
      });
      this.fields.set(control.name, field);
      the(control.folded ? ".sk-more > .sk-fields" : ".sk-fields").append(field.element);
    }
    if (!controls.some(({ folded }) => folded)) the(".sk-more").remove();
    this.undo = button("Undo", () => this.send({ do: "undo" }), "Control+Z");
    this.redo = button("Redo", () => this.send({ do: "redo" }), "Control+Shift+Z");
    const reset = button("Reset", () => this.send({ do: "reset" }));
    the(".sk-controls").prepend(...this.buttons.values(), this.undo, this.redo, reset);
    this.lead = the(".sk-lead");
    this.hands = the(".sk-hands");
    this.said = the(".sk-said");
    this.asks = the(".sk-asks");
    this.waits = the(".sk-waits");
    this.predict = /** @type {HTMLInputElement} */ (the(".sk-check > input"));
    this.predict.addEventListener("change", () =>
      this.send({ do: "predict", on: this.predict.checked }),
    );
    this.prediction = /** @type {HTMLInputElement} */ (the(".sk-asks > input"));
    this.prediction.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.send({ do: "guess", text: this.prediction.value });
    });
    this.nearest = button("Use what works", () => {
      this.send({ do: "nearest" });
      // The button goes, and with it the focus: back to the field.
      (this.lastField?.input ?? reset).focus();
    });
    the(".sk-side").append(this.nearest);
    /** @type {Map<string, ChipRow>} by their fields */
    this.chips = new Map();
    this.picture = new Picture(the);
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
      this.wait(false);
      this.stop();
      sized.disconnect();
      for (const each of shows) model.off(each, show);
    };
    show();
  }

  /**
   * Press a button. One that plays is pressed again after each answer, until nothing changes or
   * anything else is done.
   * @param {Control} control
   */
  press(control) {
    const { name } = control;
    if (this.playing?.control.name === name) {
      this.stop();
      return;
    }
    const serial = this.send({ do: "press", name });
    if (!control.every) return;
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
    const { name, every } = playing.control;
    playing.timer = setTimeout(() => {
      playing.timer = 0;
      playing.serial = this.send({ do: "press", name, begins: false }, true);
    }, 1000 * (every ?? 0));
  }

  stop() {
    if (!this.playing) return;
    clearTimeout(this.playing.timer);
    write(this.buttons.get(this.playing.control.name), this.playing.control.label);
    this.playing = null;
  }

  /** @type {Send} */
  send = (content, goesOn = false) => {
    if (!goesOn) this.stop();
    this.serial += 1;
    this.wait(true);
    this.post(content);
    return this.serial;
  };

  /** @param {Record<string, any>} content */
  post(content) {
    try {
      this.model.send({ ...content, view: this.view, serial: this.serial });
    } catch {
      // Without a kernel nothing is sent, and the page says so in a while.
    }
  }

  /** @param {boolean} isOn whether an answer is waited for from now on, or no more */
  wait(isOn) {
    const { classList } = this.root;
    classList.toggle("sk-pending", isOn);
    if (!isOn) classList.remove("sk-late");
    write(this.waits, "");
    this.timers.forEach(clearTimeout);
    this.timers = !isOn ? [] : [
      setTimeout(() => classList.add("sk-late"), LATE),
      setTimeout(() => write(this.waits,
        "The kernel has not answered yet. The picture is the last one."), LONG),
    ];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const letter = event.key.toLowerCase(), isHeld = event.ctrlKey || event.metaKey;
    const { target } = event;
    if (isHeld && target instanceof Element && target.hasAttribute("data-lm-suppress-shortcuts")) {
      // What keeps arrow keys from JupyterLab keeps Ctrl+S from it, too: it is told from outside.
      event.stopPropagation();
      if (!this.root.dispatchEvent(new KeyboardEvent("keydown", event))) event.preventDefault();
      return;
    }
    // At a button, a letter would be a command to JupyterLab: x cuts the cell.
    if (!isHeld && !event.altKey && letter.length === 1) event.stopPropagation();
    if (!isHeld || event.altKey || !["z", "y"].includes(letter)) return;
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
    // With the frame that is drawn anyway, and not before it.
    requestAnimationFrame(() => this.picture.edges.place());
    if (heard >= this.serial) this.wait(false);
  }

  /**
   * Chips and edges: those that stay are moved, and keep the focus.
   * @param {(Chips | Edges)[]} handles
   * @param {number} heard
   */
  takeHandles(handles, heard) {
    this.picture.edges.take(handles.filter((each) => each.kind === "edges"), this.send, heard);
    const before = this.chips, all = handles.filter((each) => each.kind === "chips");
    this.chips = new Map(all.map((chips) =>
      [chips.field, before.get(chips.field) ?? new ChipRow(chips, this.fields.get(chips.field))]));
    for (const chips of all) this.chips.get(chips.field)?.take(chips, heard);
    const rows = [...this.chips.values()];
    if (rows.length !== before.size) {
      this.hands.replaceChildren(...rows.map((row) => row.element));
    }
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
    // Nobody did anything, so nobody waits for what comes of it.
    this.post({ do: "narrow", on: narrow });
  }
}

/** @param {{model: any, el: HTMLElement}} context */
function render({ model, el }) {
  const root = made("div");
  el.append(root);
  return new Page(model, root).close;
}

export default { render };
