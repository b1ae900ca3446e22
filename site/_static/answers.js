// Judges answers on a page without Python, as `stridekit_course/questions/question.py` does, whose
// sentences and rules these are: a test compares the two. `questions.js` asks, and shows what is said.

const GROUPS = /[,_\s'’]/g;
const ONE = /^[+-]?[0-9]{1,3}(?:[,_\s'’][0-9]{3})+$/;
const NUMBER = /[+-]?[0-9]{1,18}/g;
const UNIT = /(?<=\d)\s*(?:byte|element|slot|number|token)s?$/i;
const AROUND = /(?:torch\.)?size|[\s,;()[\]{}x×，、（）]/giu;

// Texts in parts, each with whether it is code, which stands between backticks.
function inParts(text) {
  return text.split(/`([^`]+)`/).map((part, at) => [at % 2 === 1, part]).filter(([, part]) => part);
}

function several(text) {
  if (!/[\d()[\]]/.test(text) || text.replace(NUMBER, "").replace(AROUND, "")) return null;
  return (text.match(NUMBER) ?? []).map((each) => BigInt(each.replace("+", "")));
}

function one(text) {
  const numbers = several(ONE.test(text) ? text.replace(GROUPS, "") : text);
  return numbers?.length === 1 ? numbers[0] : null;
}

function spelled(number) {
  const text = String(number);
  return text.replace("-", "").length > 4 ? text.replace(/\B(?=(\d{3})+$)/g, ",") : text;
}

// What was given, as the page's data names answers, and in words; null where it cannot be read.
function read(question, chosen, written) {
  // Digits of full width are digits, too.
  const text = written.trim().replaceAll("−", "-")
    .replace(/[０-９]/g, (each) => String.fromCharCode(each.charCodeAt(0) - 0xfee0)).replace(UNIT, "");
  if (question.kind === "bool") return { name: chosen, said: `"${capital(chosen)}"` };
  if (question.kind === "str") {
    const isCode = question.asked.choices.some(([choice, code]) => choice === chosen && code);
    return { name: chosen, said: isCode ? `\`${chosen}\`` : `"${chosen}"` };
  }
  if (question.kind === "tuple") {
    const numbers = several(text);
    const said = numbers?.length === 1 ? `(${numbers},)` : `(${numbers?.join(", ")})`;
    return numbers && { name: `${numbers}`, said };
  }
  const number = one(text);
  if (number === null) return null;
  if (question.kind === "int") return { name: `${number}`, said: spelled(number) };
  const rank = BigInt(question.rank);
  const where = -rank <= number && number < 0n ? number + rank : number;
  return { name: `${chosen} ${where}`, said: `${capital(chosen)}, ${number}` };
}

function capital(text) {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function judge(question, chosen, written) {
  const choices = question.asked.choices.map(([choice]) => choice);
  if (choices.length && !choices.includes(chosen)) return told(null, question.unchosen);
  const given = read(question, chosen, written);
  if (!given) return told(null, question.unread);
  if (given.name === question.right) return told(true, ...question.said);
  if (question.kind === "Spot" && question.right.startsWith(`${chosen} `)) {
    return told(false, `"${capital(chosen)}" is right, but the number is not. ${question.hint}`);
  }
  const hint = Object.hasOwn(question.mistakes, given.name)
    ? question.mistakes[given.name] : question.hint;
  return told(false, `${given.said} is not it. ${hint}`);
}

function told(right, words, code = "") {
  return { right, words: inParts(words), code };
}

// What `questions.js` takes for a widget. It has some draws of questions; the first is chance.
export function answering(draws) {
  const heard = { "change:asked": [], "change:told": [] };
  let at = Math.floor(Math.random() * draws.length);
  let said = draws[at].map(() => null);
  const known = {
    asked: () => draws[at].map((each) => each.asked), told: () => said,
    others: () => draws.length > 1,
  };
  const changed = (name) => heard[`change:${name}`].forEach((act) => act());
  return {
    get: (name) => known[name](),
    on: (event, act) => heard[event].push(act),
    off: () => {},
    send({ do: what, number, chosen, written }) {
      if (what === "draw") {
        at = (at + 1) % draws.length;
        said = draws[at].map(() => null);
        changed("asked");
        return;
      }
      const question = draws[at][number];
      const answer = what === "show" ? told(true, ...question.shown)
        : judge(question, chosen, written);
      said = said.map((each, other) => (other === number ? answer : each));
      changed("told");
    },
  };
}
