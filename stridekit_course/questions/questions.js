// @ts-check
/**
 * Questions on a page. What is right is known to Python alone; this asks, sends, and shows what
 * was said. Fields stay as they are while an answer is on its way.
 *
 * @typedef {[boolean, string]} Part  Whether it is code, and the text.
 * @typedef {{text: Part[], choices: [string, boolean][], field: string}} Asked
 * @typedef {{right: boolean | null, words: Part[], code: string} | null} Told
 * @typedef {{
 *   get(name: string): any,
 *   on(event: string, act: () => void): void,
 *   off(event: string, act: () => void): void,
 *   send(message: object): void,
 * }} Model
 */

let boxes = 0;

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

/** @param {Part[]} parts */
function marked(parts) {
  return parts.map(([isCode, text]) => (isCode ? made("code", { textContent: text }) : text));
}

/**
 * One question, and a function that shows what was said to it.
 * @param {Asked} asked @param {number} number @param {string} name @param {Model} model
 * @returns {{place: HTMLElement, show(told: Told): void}}
 */
function question(asked, number, name, model) {
  const said = made("div", { className: "sk-q-said" });
  said.setAttribute("role", "status");
  const radios = asked.choices.map(([value]) =>
    made("input", { type: "radio", name, value }),
  );
  const field = asked.field ? made("input", { type: "text", autocomplete: "off", maxLength: 99 }) : null;
  const check = made("button", { type: "submit", textContent: "Check" });
  const tell = made("button", { type: "button", textContent: "Show the answer", hidden: true });
  const row = made("div", { className: "sk-q-row" });
  if (radios.length) {
    const choices = asked.choices.map(([value, isCode], i) =>
      made("label", {}, [radios[i], ...marked([[isCode, value]])]),
    );
    row.append(made("div", { className: "sk-q-choices" }, choices));
  }
  if (field) row.append(made("label", {}, [asked.field, field]));
  row.append(check, tell);
  const form = made("form", {}, [
    made("fieldset", {}, [made("legend", {}, marked(asked.text)), row, said]),
  ]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = radios.find((radio) => radio.checked)?.value ?? "";
    model.send({ do: "answer", number, chosen, written: field?.value ?? "" });
  });
  // JupyterLab has its own use for Enter and for arrows. Ctrl+S is told to it from outside.
  form.addEventListener("keydown", (event) => {
    event.stopPropagation();
    const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s";
    if (isSave && !form.parentElement?.dispatchEvent(new KeyboardEvent("keydown", event))) {
      event.preventDefault();
    }
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.setAttribute("data-lm-suppress-shortcuts", "true");
  tell.addEventListener("click", () => model.send({ do: "show", number }));
  let last = "null";
  return {
    place: form,
    show(told) {
      // What has not changed is not announced again.
      if (JSON.stringify(told) === last) return;
      last = JSON.stringify(told);
      said.replaceChildren(...(told ? marked(told.words) : []));
      if (told?.code) said.append(made("pre", { textContent: told.code }));
      said.dataset.right = told ? { true: "yes", false: "no", null: "" }[`${told.right}`] : "";
      // Focus must not be lost with the button.
      if (told?.right && document.activeElement === tell) check.focus();
      tell.hidden = told?.right !== false;
    },
  };
}

/** @param {{model: Model, el: HTMLElement}} view */
function render({ model, el }) {
  el.classList.add("sk-questions");
  /** @type {ReturnType<typeof question>[]} */
  let shown = [];
  const list = made("div");
  const score = made("span");
  score.setAttribute("role", "status");
  const draw = made("button", { type: "button", textContent: "Other questions" });
  draw.addEventListener("click", () => model.send({ do: "draw" }));
  el.append(list);
  if (model.get("others")) el.append(made("div", { className: "sk-q-row" }, [draw, score]));

  function tell() {
    /** @type {Told[]} */
    const told = model.get("told");
    shown.forEach((each, number) => each.show(told[number] ?? null));
    const right = told.filter((each) => each?.right).length;
    score.textContent = right ? `${right} of ${told.length} answered.` : "";
  }
  function ask() {
    boxes += 1;
    /** @type {Asked[]} */
    const asked = model.get("asked");
    shown = asked.map((each, number) => question(each, number, `sk-q-${boxes}-${number}`, model));
    list.replaceChildren(...shown.map((each) => each.place));
    tell();
  }
  ask();
  model.on("change:asked", ask);
  model.on("change:told", tell);
  return () => {
    model.off("change:asked", ask);
    model.off("change:told", tell);
  };
}

export default { render };
