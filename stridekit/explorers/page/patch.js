// @ts-check
// A page becomes another one: what is the same in a picture stays as it is, for a browser takes long
// over text that it lays out anew; and what is picked up by the hand stays, too.

const DRAWN = "svg.stridekit", HELD = "[data-stridekit]";

/**
 * Let a picture, and what stands below it, become others.
 * @param {Element} page
 * @param {string} html
 */
function become(page, html) {
  // In a template nothing is loaded.
  const template = made("template");
  template.innerHTML = html;
  const read = template.content;
  const [drawn, drawing] = [page, read].map((each) => each.querySelector(DRAWN));
  const [holder, held] = [page, read].map((each) => each.querySelector(HELD));
  if (!drawn || !drawing || !holder !== !held) {
    page.replaceChildren(...read.children);
    return;
  }
  const [old, ...below] = page.children, [now, ...others] = read.children;
  for (const each of below) each.remove();
  page.append(...others);
  for (const { name, value } of now.attributes) mark(old, name, value);
  redraw(drawn, drawing);
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
