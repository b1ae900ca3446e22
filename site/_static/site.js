// Lets pictures and questions of a page answer, and what is panned be panned by keyboard.
import { answering } from "./answers.js";
import questions from "./questions.js";
import { start } from "./touch.js";

start(document);

// In place of closed answers. What is said once more, for whoever has no kernel, is not needed.
document.querySelectorAll(".sk-asked").forEach((place) => {
  const draws = JSON.parse(place.querySelector("script").textContent);
  place.replaceChildren();
  questions.render({ model: answering(draws), el: place });
  document.querySelectorAll("summary").forEach((each) => {
    if (each.textContent.startsWith("Without a kernel")) each.parentElement.hidden = true;
  });
});

// What is wider than its place can be reached by Tab; what is not would only be in the way.
const watched = new ResizeObserver((changes) => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
    else target.removeAttribute("tabindex");
  }
});
const panned = document.querySelectorAll("pre, .table-wrapper, .output, .sk-picture");
panned.forEach((each) => watched.observe(each));

// What somebody chose, or else what the browser is set to.
function isDark() {
  const chosen = document.body.dataset.theme;
  return chosen === "dark"
    || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
}

// Of the console that shows an explorer, the explorer alone is seen, from edge to edge.
const BARE = `
  .jp-CodeConsole-input, .lm-SplitPanel-handle, .jp-OutputPrompt, .jp-CodeConsole-content .jp-Collapser
    { display: none !important; }
  .jp-CodeConsole-content { padding: 4px !important; top: 0 !important; height: 100% !important; }`;

// As high as what is in it, which changes as one plays: so nothing scrolls inside of what scrolls.
function fit(frame) {
  const inside = frame.contentDocument;
  const style = inside.createElement("style");
  style.textContent = BARE;
  inside.head.append(style);
  const waits = new MutationObserver(() => {
    const explorer = inside.querySelector(".sk-explorer");
    const around = explorer?.closest(".jp-CodeConsole-content");
    if (!around) return;
    waits.disconnect();
    const resized = new frame.contentWindow.ResizeObserver(() => {
      const others = frame.clientHeight - around.clientHeight;
      frame.style.height = `${Math.ceil(explorer.offsetHeight + others + 40)}px`;
      around.scrollTop = 0;
    });
    resized.observe(explorer);
  });
  waits.observe(inside.body, { childList: true, subtree: true });
}

// An explorer comes when it is asked for: with it, a whole Python.
document.querySelectorAll("button.sk-try").forEach((button) => {
  button.addEventListener("click", () => {
    const page = new URL("../lite/repl/index.html", import.meta.url);
    const asked = {
      kernel: "python", toolbar: 1, code: button.dataset.code, showBanner: 0, hideCodeInput: 1,
      theme: isDark() ? "JupyterLab Dark" : "JupyterLab Light",
    };
    for (const [name, value] of Object.entries(asked)) page.searchParams.set(name, value);
    const frame = document.createElement("iframe");
    frame.className = "sk-frame";
    frame.title = button.dataset.title;
    frame.src = page.href;
    frame.addEventListener("load", () => fit(frame));
    button.replaceWith(frame);
    frame.focus();
  });
});
