// @ts-check
// Fields: the page owns what is typed in them. An answer of the kernel that is older than the last
// key is dropped, and what follows from elsewhere is offered where the focus is, never forced.

/**
 * @typedef {{name: string, label: string, kind: "text" | "choice" | "button",
 *   hint?: string, least?: number | null, options?: string[], folded?: boolean,
 *   every?: number | null}} Control
 * @typedef {{heard: Record<string, number>, acts: number, texts: Record<string, any>,
 *   offers: Record<string, string[]>, message: string, lead: string, problem: boolean,
 *   wrong: string[], nearest: boolean,
 *   code: string, line: string, predict: boolean, asks: boolean,
 *   prediction: string, hidden: boolean, undo: boolean, redo: boolean,
 *   handles: (Chips | Edges)[]}} Shown
 * @typedef {(content: Record<string, any>, goesOn?: boolean) => number} Send
 */

/**
 * An element, with attributes and what stands in it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} [inside]
 * @returns {HTMLElementTagNameMap[K]}
 */
function made(tag, attributes = {}, inside = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

/**
 * Write a text, if it is another one: what is written anew is laid out anew.
 * @param {Element | undefined} element
 * @param {string} text
 */
function write(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/**
 * Give an attribute a value, or take it away, if it is another one.
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
function mark(element, name, value) {
  if (element.getAttribute(name) === value) return;
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/**
 * What has the focus where an element stands: a host may keep it in a shadow root.
 * @param {Element} element
 * @returns {Element | null}
 */
const focusBeside = (element) =>
  /** @type {Document | ShadowRoot} */ (element.getRootNode()).activeElement ?? null;

/** An id that no other explorer on the page has: each has its own copy of this module. */
const newId = () => `sk-${Math.random().toString(36).slice(2)}`;

/**
 * A button; it may be disabled for all, and stay in the line of what Tab reaches.
 * @param {string} label
 * @param {() => void} act
 * @param {string} [keys]
 */
function button(label, act, keys) {
  const element = made("button", { type: "button" }, [label]);
  if (keys) element.setAttribute("aria-keyshortcuts", keys);
  if (keys) element.title = keys.replace("Control", "Ctrl");
  element.addEventListener("click", ({ detail }) => {
    // On a Mac, Safari and Firefox do not give it the focus; here a key belongs to what was clicked.
    if (detail) element.focus({ preventScroll: true });
    if (element.getAttribute("aria-disabled") !== "true") act();
  });
  return element;
}

/** A control that holds a value, and what is known of who set it last. */
class Field {
  /**
   * @param {Control} control
   * @param {Send} send sends what is done here, and gives its serial number
   */
  constructor(control, send) {
    this.control = control;
    this.send = send;
    /** The serial number of the last key here. */
    this.touched = 0;
    /** Whether the next key begins a new edit: the first one after the focus has come. */
    this.begins = true;
    /** @type {string | null} what follows from elsewhere, and waits until the focus goes */
    this.waiting = null;
    const id = newId();
    this.offer = made("span", { class: "sk-offer", id: `${id}-offer` });
    this.input = this.#input(id);
    const label = made("label", { for: id }, [control.label]);
    const isLong = control.options?.some((each) => each.length > 10);
    this.element = made("div", { class: isLong ? "sk-field sk-long" : "sk-field" }, [
      made("div", { class: "sk-name" }, [label, this.offer]),
      this.input,
    ]);
    this.input.addEventListener("focus", () => (this.begins = true));
    this.input.addEventListener("blur", () => this.#takeWaiting());
  }

  /** @param {string} id */
  #input(id) {
    const { control } = this;
    if (control.kind === "choice") {
      // In a dropdown the arrow keys choose, and do not lead to JupyterLab's next cell.
      const select = made("select", { id, "data-lm-suppress-shortcuts": "true" });
      this.#fill(select, control.options ?? []);
      select.addEventListener("change", () => {
        this.touched = this.send({ do: "choose", name: control.name, value: select.value });
      });
      return select;
    }
    const input = made("input", {
      id, type: "text", placeholder: control.hint ?? "", autocomplete: "off",
      autocapitalize: "off", spellcheck: "false", "aria-describedby": `${id}-offer`,
    });
    input.addEventListener("input", () => this.#typed());
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    return input;
  }

  /** @param {HTMLSelectElement} select @param {string[]} options */
  #fill(select, options) {
    if ([...select.options].map((each) => each.value).join("\n") === options.join("\n")) return;
    const chosen = select.value;
    select.replaceChildren(...options.map((each) => made("option", { value: each }, [each])));
    select.value = chosen;
  }

  #typed() {
    this.#wait(null);
    const { begins } = this;
    this.begins = false;
    const { name } = this.control;
    this.touched = this.send({ do: "type", name, text: this.input.value, begins });
  }

  /**
   * Type a text, as hands on the picture do. `begins` makes it an edit of its own.
   * @param {string} text
   * @param {boolean} [begins]
   */
  type(text, begins = true) {
    if (text === this.input.value) return;
    this.input.value = text;
    this.begins = begins;
    this.#typed();
  }

  /**
   * What the kernel says that stands here.
   * @param {any} value
   * @param {number} heard up to which of this page's keys the kernel has heard
   * @param {boolean} forced by something that was done on purpose: a preset, Undo, Reset
   * @param {string[]} [options]
   */
  take(value, heard, forced, options) {
    if (this.touched > heard) return;
    const { input } = this;
    if (input instanceof HTMLSelectElement) {
      if (options) this.#fill(input, options);
      if (input.value !== value) input.value = value;
    } else if (input.value === value) {
      this.#wait(null);
    } else if (focusBeside(input) === input && !forced) {
      this.#wait(value);
    } else {
      this.#wait(null);
      input.value = value;
    }
  }

  /** @param {string | null} text */
  #wait(text) {
    if (this.waiting === text) return;
    this.waiting = text;
    this.offer.textContent = text === null ? "" : `Enter: ${text}`;
  }

  #takeWaiting() {
    if (this.waiting !== null) this.input.value = this.waiting;
    this.#wait(null);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && !event.shiftKey) this.#takeWaiting();
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by && this.#nudge(by)) event.preventDefault();
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const isHere = focusBeside(this.input) === this.input && !event.ctrlKey && event.deltaY;
    if (isHere && this.#nudge(event.deltaY < 0 ? 1 : -1)) event.preventDefault();
  }

  /**
   * The number at the caret, one more or one less.
   * @param {number} by
   */
  #nudge(by) {
    const input = /** @type {HTMLInputElement} */ (this.input);
    const caret = input.selectionStart ?? 0;
    const numbers = [...input.value.matchAll(/(?<!\d)-?\d+/g)];
    const at = numbers.find((each) => each.index + each[0].length >= caret) ?? numbers.at(-1);
    if (!at || !Number.isSafeInteger(+at[0])) return false;
    const other = Math.max(+at[0] + by, this.control.least ?? -Infinity);
    const before = input.value.slice(0, at.index);
    const after = input.value.slice(at.index + at[0].length);
    this.type(`${before}${other}${after}`, this.begins);
    input.setSelectionRange(before.length, before.length + `${other}`.length);
    return true;
  }
}
