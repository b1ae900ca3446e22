// Lets the pictures of a page answer, and what is panned be panned by keyboard.
import { start } from "../touch.js";

start(document);

// What is wider than its place can be reached by Tab; what is not would only be in the way.
const watched = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
document.querySelectorAll("pre, .table-wrapper, .output").forEach((each) => watched.observe(each));
