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

// An explorer comes when it is asked for: with it, a whole Python.
document.querySelectorAll("button.sk-try").forEach((button) => {
  button.addEventListener("click", () => {
    const page = new URL("../lite/repl/index.html", import.meta.url);
    page.searchParams.set("kernel", "python");
    page.searchParams.set("toolbar", "1");
    page.searchParams.set("code", button.dataset.code);
    const frame = document.createElement("iframe");
    frame.className = "sk-frame";
    frame.title = button.dataset.title;
    frame.src = page.href;
    button.replaceWith(frame);
    frame.focus();
  });
});
