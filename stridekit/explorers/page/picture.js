// @ts-check
// The picture, what is chosen in it, and the lines of code below.

/** A page is narrower by so much at most, in pixels, because a scrollbar came: nothing moves for it. */
const SCROLLBAR = 24;

/**
 * Keep so much room, and never less than before.
 * @param {HTMLElement} element
 * @param {number} height
 */
function keep(element, height) {
  if (height > (parseFloat(element.style.minHeight) || 0)) element.style.minHeight = `${height}px`;
}

/**
 * Lets a picture answer to the hand. It is the code of all pictures, in touch.js, which stands behind
 * this: not every host brings it to the page, and what a document hears ends at a shadow root.
 * @type {(holder: Element) => void}
 */
let enlivened = () => {};

class Picture {
  /**
   * @param {(cell: Record<string, any>) => void} pick tells that a pixel is chosen
   * @param {() => void} changed tells that the page has become wider or narrower
   */
  constructor(pick, changed) {
    this.pick = pick;
    /** The picture that is shown, as it was sent. */
    this.showing = "";
    this.page = made("div", { class: "sk-page" });
    this.parts = new Parts(this.page);
    this.edges = new PictureEdges(this.page);
    this.code = made("pre", { class: "sk-code" });
    this.line = made("pre", { class: "sk-line" });
    this.copying = made("div", { class: "sk-controls sk-copying" }, this.copies());
    const stale = made("div", { class: "sk-label" }, ["last valid"]);
    this.elements = [
      made("div", { class: "sk-picture" }, [stale, this.edges.element, this.page]),
      this.copying, this.code, this.line,
    ];
    this.page.addEventListener("click", (event) => this.pixel(event));
    /** @type {Map<Element, number>} */
    this.heights = new Map();
    // How high each is, is told after a frame: to ask before would lay out all at once.
    let wide = 0;
    const observer = new ResizeObserver((entries) => {
      const { clientWidth } = this.page;
      const kept = [this.page, this.code, this.line];
      const other = wide > 0 && clientWidth > 0 && Math.abs(clientWidth - wide) > SCROLLBAR;
      if (!wide || other) wide = clientWidth || wide;
      // The room that was kept was that of another width, where lines break otherwise.
      if (other) {
        for (const each of kept) each.style.minHeight = "";
        changed();
        // What is told here was seen with that room, and an answer may come before the next frame.
        for (const each of kept) this.heights.set(each, each.getBoundingClientRect().height);
      } else {
        for (const { target, borderBoxSize } of entries) {
          this.heights.set(target, borderBoxSize[0]?.blockSize ?? 0);
        }
      }
      // A window that is made narrower moves the picture.
      this.edges.place();
    });
    for (const each of [this.page, this.code, this.line]) observer.observe(each);
    this.close = () => observer.disconnect();
  }

  /** Copy code and Copy this state, and what came of it. */
  copies() {
    const said = made("span", { role: "status" });
    return [
      ...[{ label: "Copy code", from: this.code }, { label: "Copy this state", from: this.line }]
        .map(({ label, from }) => {
          const copy = button(label, async () => {
            try {
              await navigator.clipboard.writeText(from.textContent ?? "");
              said.textContent = "Copied.";
            } catch {
              said.textContent = "Select the lines and copy them.";
            }
          });
          copy.addEventListener("blur", () => (said.textContent = ""));
          return copy;
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
      this.pick({ section: 0, name, index: [row, column], address: 0 });
    });
  }

  /**
   * The picture, and the lines below it. They keep their room while a field is edited, and while
   * the answer waits.
   * @param {Shown} shown
   * @param {string} picture
   * @param {boolean} forced
   */
  paint(shown, picture, forced) {
    const { page, code, line } = this;
    const heightOf = (/** @type {HTMLElement} */ each) => this.heights.get(each) ?? 0;
    if (forced && !shown.hidden) for (const each of [page, code, line]) each.style.minHeight = "";
    else for (const each of [page, code, line]) keep(each, heightOf(each));
    if (shown.hidden) keep(page, shown.room);
    if (this.showing !== picture) {
      this.showing = picture;
      // Who walks through a picture goes on in the new one.
      const walked = [...page.querySelectorAll(".stridekit-keys")].indexOf(
        focusBeside(page) ?? page);
      this.parts.take(picture);
      page.querySelectorAll("[data-stridekit]").forEach(enlivened);
      if (walked >= 0) setTimeout(() => this.walkOn(walked));
    }
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
}
