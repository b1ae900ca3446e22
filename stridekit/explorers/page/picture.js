// @ts-check
// The picture, what is chosen in it, and the lines of code below.

/** A page is narrower by so much at most, in pixels, because a scrollbar came: nothing moves for it. */
const SCROLLBAR = 24;

/**
 * Lets a picture answer to the hand. It is the code of all pictures, in touch.js, which stands behind
 * this: not every host brings it to the page, and what a document hears ends at a shadow root.
 * @type {(holder: Element) => void}
 */
let enlivened = () => {};

class Picture {
  /** @param {(part: string) => HTMLElement} the gives a part of the explorer */
  constructor(the) {
    /** The picture that is shown, as it was sent; and how large the first one was. */
    this.showing = "";
    this.first = { width: 0, height: 0 };
    /** How much smaller than it is drawn it is shown. */
    this.scaled = 1;
    this.room = 0;
    this.wide = 0;
    this.page = the(".sk-page");
    this.code = the(".sk-code");
    this.line = the(".sk-line");
    /** What keeps its room while a field is edited. */
    this.kept = [this.page, this.code, this.line];
    this.copying = the(".sk-copying");
    this.copying.prepend(...this.copies(the(".sk-copying > span")));
    this.edges = new PictureEdges(this.page);
    this.page.before(this.edges.element);
    this.page.addEventListener("click", (event) => this.pixel(event));
  }

  /**
   * The page has another width: the room that was kept was that of lines that broke otherwise.
   * @param {number} width
   */
  fit(width) {
    if (Math.abs(width - this.wide) > SCROLLBAR) {
      this.wide = width;
      for (const each of this.kept) each.style.minHeight = "";
      this.room = this.page.clientWidth;
      this.scale(true);
    }
    this.edges.place();
  }

  /**
   * The picture as large as there is room. What is held in the hand keeps its size, if it can.
   * @param {boolean} isFree
   */
  scale(isFree) {
    /** @type {SVGSVGElement | null} */
    const drawn = this.page.querySelector(DRAWN);
    if (!drawn) return;
    const { width, height } = drawn.viewBox.baseVal;
    if (!this.first.width) this.first = { width, height };
    // Off the screen it is not told yet how much room there is.
    if (!this.room) return;
    const fits = Math.min(1, this.room / width);
    this.scaled = isFree ? fits : Math.min(this.scaled, fits);
    drawn.style.width = `${this.scaled * width}px`;
  }

  /**
   * Copy code and Copy this state.
   * @param {HTMLElement} said where it is said what came of it
   */
  copies(said) {
    const sources = { "Copy code": this.code, "Copy this state": this.line };
    return Object.entries(sources).map(([label, from]) => {
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
    });
  }

  /**
   * A pixel of the first image is chosen: which one that is, is told by where it was clicked.
   * @param {MouseEvent} event
   */
  pixel({ target, clientX, clientY }) {
    const diagram = target instanceof Element ? target.closest("[data-image]") : null;
    const image = diagram?.querySelector("image");
    if (!diagram || !image) return;
    const [name, rows, columns] = JSON.parse(diagram.getAttribute("data-image") ?? "[]");
    const { left, top, width, height } = image.getBoundingClientRect();
    const row = Math.floor(((clientY - top) / height) * rows);
    const column = Math.floor(((clientX - left) / width) * columns);
    if (row < 0 || row >= rows || column < 0 || column >= columns) return;
    const detail = { section: 0, name, index: [row, column], address: 0 };
    image.dispatchEvent(new CustomEvent("stridekit-pick", { bubbles: true, detail }));
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
    const isFree = forced && !shown.hidden;
    // How high each is, is known: nothing was changed yet since the last frame.
    const heights = this.kept.map((each) => each.offsetHeight);
    this.kept.forEach((each, n) => (each.style.minHeight = isFree ? "" : `${heights[n]}px`));
    if (this.showing !== picture) {
      this.showing = picture;
      become(page, picture);
      page.querySelectorAll(HELD).forEach(enlivened);
      this.scale(isFree);
    }
    mark(page, "role", shown.problem ? "group" : null);
    mark(page, "aria-label", shown.problem ? "last valid" : null);
    write(code, shown.code);
    write(line, shown.line);
    for (const each of [this.copying, code, line]) {
      each.classList.toggle("sk-gone", shown.hidden);
    }
  }
}
