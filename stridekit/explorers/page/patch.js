// @ts-check
// A page becomes another one: what is picked up by the hand stays, and who walks through a picture
// stays in its cell.

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
  for (const { name, value } of drawing.attributes) mark(drawn, name, value);
  drawn.replaceChildren(...drawing.children);
  const data = held?.getAttribute("data-stridekit") ?? "";
  if (!holder || holder.getAttribute("data-stridekit") === data) return;
  holder.setAttribute("data-stridekit", data);
  const touched = /** @type {any} */ (holder)[Symbol.for("stridekit.touch")];
  if (!touched) return;
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
