// @ts-check
// A page becomes another one: what is the same in a picture stays as it is. After a key that is most
// of an SVG, and a browser takes long over text that it lays out anew. What is picked up by the hand
// stays, too.

const DRAWN = "svg.stridekit", HELD = "[data-stridekit]";

/**
 * Let pictures, a table and facts become others.
 * @param {Element} page
 * @param {string} html
 */
function become(page, html) {
  // In a template nothing is loaded, and what stays as it is is thrown away.
  const template = made("template");
  template.innerHTML = html;
  const read = template.content;
  // A picture that answers to the hand counts 2, another one 1, and all else 0.
  const [there, wanted] = [page, read].map(({ children }) =>
    [...children].map((part) => part.querySelectorAll(`${DRAWN}, ${HELD}`).length).join());
  if (there !== wanted) {
    page.replaceChildren(...read.children);
    return;
  }
  [...read.children].forEach((now, at) => {
    const old = page.children[at];
    const [drawn, drawing] = [old, now].map((part) => part.querySelector(DRAWN));
    const [holder, held] = [old, now].map((part) => part.querySelector(HELD));
    if (!drawn || !drawing) {
      if (!old.isEqualNode(now)) old.replaceWith(now);
      return;
    }
    redraw(drawn, drawing);
    for (const { name, value } of now.attributes) mark(old, name, value);
    const data = held?.getAttribute("data-stridekit") ?? "";
    if (!holder || holder.getAttribute("data-stridekit") === data) return;
    holder.setAttribute("data-stridekit", data);
    const touched = /** @type {any} */ (holder)[Symbol.for("stridekit.touch")];
    if (!touched) return;
    // Who walks through a picture stays in its cell.
    const walked = touched.walked && placeOf(touched.walked);
    touched.renew(data);
    const again = walked && touched.spots.find((/** @type {any} */ spot) => placeOf(spot) === walked);
    if (again) touched.walk(again);
  });
}

/**
 * Which cell of a picture it is: of which tensor at which index, or which slot.
 * @param {any} spot as touch.js has it
 */
const placeOf = ({ part: { s, n, i, d }, number, first }) =>
  `${s} ${n} ${i ? i.slice(number * d, (number + 1) * d) : first}`;

/**
 * Let a drawing become another one; elements that are the same stay, in their order.
 * @param {Element} drawn
 * @param {Element} now
 */
function redraw(drawn, now) {
  for (const { name, value } of now.attributes) mark(drawn, name, value);
  const rest = [...drawn.children];
  for (const element of [...now.children]) {
    const same = rest.findIndex((each) => each.isEqualNode(element));
    if (same < 0) drawn.insertBefore(element, rest[0] ?? null);
    else for (const gone of rest.splice(0, same + 1).slice(0, -1)) gone.remove();
  }
  for (const gone of rest) gone.remove();
}
