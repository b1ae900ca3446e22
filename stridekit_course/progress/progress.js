// @ts-check
/**
 * A learner's progress on a page. It asks the kernel when it is opened, and on request; Clear asks
 * once more before it says so to the kernel. Nothing of it stays in the notebook.
 *
 * @typedef {{mark: string, words: string, functions: [string, string][]}} Group
 * @typedef {{
 *   did: string, summary: string, problem: string, place: string, can_clear: boolean,
 *   lessons: {name: string, mark: string, words: string}[],
 *   exercises: {name: string, passing: number, count: number, groups: Group[]}[],
 * }} Told
 * @typedef {{
 *   on(event: string, act: (message: any) => void): void,
 *   off(event: string, act: (message: any) => void): void,
 *   send(message: object): void,
 * }} Model
 */

const PATIENCE_MS = 8000;

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Partial<HTMLElementTagNameMap[K]>} [said]
 * @param {(Node | string)[]} [inside]
 * @returns {HTMLElementTagNameMap[K]}
 */
function made(tag, said = {}, inside = []) {
  const element = Object.assign(document.createElement(tag), said);
  element.append(...inside);
  return element;
}

/** A mark for the eye; what it means stands beside it. @param {string} text */
function mark(text) {
  const span = made("span", { className: "sk-p-mark", textContent: text });
  span.setAttribute("aria-hidden", "true");
  return span;
}

/** @param {string} title @param {string[]} heads @param {HTMLElement[][]} rows */
function table(title, heads, rows) {
  const columns = heads.map((head) => made("th", { scope: "col", textContent: head }));
  return made("table", {}, [
    made("caption", { textContent: title }),
    made("thead", {}, [made("tr", {}, columns)]),
    made("tbody", {}, rows.map((cells) => made("tr", {}, cells))),
  ]);
}

/** @param {Group} group */
function group({ mark: sign, words, functions }) {
  const names = functions.flatMap(([name, aside], number) => [
    number ? ", " : "",
    made("code", { textContent: name }),
    aside ? ` (${aside})` : "",
  ]);
  return made("div", {}, [mark(sign), ` ${words}: `, ...names]);
}

/** @param {Told} told */
function tables(told) {
  const lessons = told.lessons.map((row) => [
    made("th", { scope: "row", textContent: row.name }),
    made("td", {}, [mark(row.mark), ` ${row.words}`]),
  ]);
  const exercises = told.exercises.map((row) => [
    made("th", { scope: "row", textContent: row.name }),
    made("td", { textContent: `${row.passing} of ${row.count}` }),
    made("td", {}, row.groups.map(group)),
  ]);
  return [
    table("Lessons", ["Lesson", "Run"], lessons),
    table("Exercises", ["Assignment", "Passing", "Functions"], exercises),
  ];
}

/** @param {{model: Model, el: HTMLElement}} view */
function render({ model, el }) {
  el.classList.add("sk-progress");
  el.setAttribute("data-lm-suppress-shortcuts", "true");
  const summary = made("p", { className: "sk-p-summary", textContent: "Asking the kernel…" });
  const problem = made("p", { className: "sk-p-problem", hidden: true });
  const list = made("div", { className: "sk-p-tables" });
  const place = made("p");
  const again = made("button", { type: "button", textContent: "Look again" });
  const clear = made("button", { type: "button", textContent: "Clear…" });
  const yes = made("button", { type: "button", textContent: "Yes, clear it" });
  const no = made("button", { type: "button", textContent: "Keep it" });
  const sure = made("span", { className: "sk-p-sure", hidden: true }, [
    "Forget all of it? This cannot be undone.", yes, no,
  ]);
  sure.setAttribute("role", "group");
  sure.setAttribute("aria-label", "Forget all of it? This cannot be undone.");
  const did = made("span");
  for (const each of [summary, problem, did]) each.setAttribute("role", "status");
  el.append(
    summary, problem, list, place,
    made("div", { className: "sk-p-row" }, [again, clear, sure, did]),
  );

  /** @param {boolean} asks Whether Clear asks once more. */
  function ask(asks) {
    sure.hidden = !asks;
    clear.hidden = asks;
  }
  let waits = 0;
  function waiting() {
    clearTimeout(waits);
    waits = window.setTimeout(() => {
      summary.textContent = "No kernel answers. Run this cell again.";
    }, PATIENCE_MS);
  }
  /** @param {"look" | "clear"} wish */
  function wish(wish) {
    waiting();
    model.send({ do: wish });
  }
  /** @param {Told} told */
  function heard(told) {
    clearTimeout(waits);
    summary.textContent = told.summary;
    problem.textContent = told.problem;
    problem.hidden = !told.problem;
    place.textContent = told.place;
    did.textContent = told.did;
    clear.disabled = !told.can_clear;
    list.replaceChildren(...tables(told));
  }
  again.addEventListener("click", () => {
    ask(false);
    wish("look");
  });
  clear.addEventListener("click", () => {
    did.textContent = "";
    sure.hidden = false;
    // Who presses Enter twice has not thought twice.
    no.focus();
    ask(true);
  });
  yes.addEventListener("click", () => {
    // First: when what has the focus is hidden, JupyterLab takes the focus for itself.
    again.focus();
    ask(false);
    wish("clear");
  });
  function keep() {
    clear.hidden = false;
    clear.focus();
    ask(false);
  }
  no.addEventListener("click", keep);
  el.addEventListener("keydown", (event) => {
    // JupyterLab has its own use for Enter and for letters. Ctrl+S is told to it from outside.
    event.stopPropagation();
    const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
    if (isSave && !el.parentElement?.dispatchEvent(new KeyboardEvent("keydown", event))) {
      event.preventDefault();
    }
    if (event.key === "Escape" && !sure.hidden) keep();
  });
  model.on("msg:custom", heard);
  wish("look");
  return () => {
    clearTimeout(waits);
    model.off("msg:custom", heard);
  };
}

export default { render };
