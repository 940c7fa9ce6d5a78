/**
 * What a reader typed, understood.
 *
 * In: the text of the search box. Out: clauses, which papers are found and ranked by, and filters, which they must pass.
 */

/** @typedef {import("./words.js").WordRules} WordRules */

/**
 * @typedef {object} Clause
 * @property {"word" | "phrase"} kind
 * @property {string} text As typed, without its operator.
 * @property {string[]} words Folded, in reading order; at least one.
 * @property {string} joined All of them written together, when they are so typed with hyphens or the like; else "".
 * @property {boolean} negated Papers with it are left out.
 * @property {boolean} open Whether it is still being typed, so that its last word may be longer.
 */

/** @typedef {"tag" | "topic" | "author" | "year" | "collection"} FilterName */

/**
 * @typedef {object} Filter
 * @property {FilterName} name
 * @property {string} value As typed.
 * @property {boolean} negated
 */

/**
 * @typedef {object} Query
 * @property {Clause[]} clauses
 * @property {Filter[]} filters
 */

/** Words that say nothing about a paper; they are asked for only when a query has no other, and within phrases. */
const STOP_WORDS = new Set(
  (
    "a about above after all also am an and any are as at be because been before being below between both but by " +
    "can could did do does doing during each few for from further had has have having he her here hers him his how " +
    "i if in into is it its itself just me more most my no nor not of off on once only or other our ours out over " +
    "own same she should so some such than that the their theirs them then there these they this those through to " +
    "too under until up upon us very via was we were what when where which while who whom why will with within " +
    "without would you your yours"
  ).split(" "),
);

const FILTER = /(?<=^|\s)(-?)(tag|topic|author|year|collection):(?:"([^"]*)"|([^\s"]+))/giu;
const PHRASE = /(?<=^|\s)(-?)"([^"]+)"/gu;
const CHUNK = /(-?)(\S+)/gu;
/** Words that hyphens and the like hold together. */
const COMPOUND = /[\p{L}\p{N}]+(?:[-‐_'’.·/][\p{L}\p{N}]+)*/gu;

/** Most clauses that are looked at; a pasted abstract is no query. */
const MOST_CLAUSES = 40;

/**
 * Return what a query means.
 *
 * @param {string} text As typed; when it doesn't end with a blank, its last word is still being typed.
 * @param {WordRules} rules
 * @returns {Query}
 */
export function parseQuery(text, rules) {
  /** @type {Filter[]} */
  const filters = [];
  /** @type {Clause[]} */
  const clauses = [];
  let rest = text.replace(FILTER, (_, minus, name, quoted, bare) => {
    const value = (quoted ?? bare).trim();
    if (value) filters.push({ name: name.toLowerCase(), value, negated: minus !== "" });
    return " ".repeat(_.length);
  });
  rest = rest.replace(PHRASE, (whole, minus, inside) => {
    const words = rules.readWords(inside);
    if (words.length > 0) {
      clauses.push({ kind: "phrase", text: inside.trim(), words, joined: "", negated: minus !== "", open: false });
    }
    return " ".repeat(whole.length);
  });
  for (const call of rules.calls(rest)) {
    clauses.push({ kind: "word", text: call.text, words: [call.term], joined: "", negated: false, open: false });
    rest = rest.slice(0, call.start) + " ".repeat(call.text.length) + rest.slice(call.start + call.text.length);
  }
  for (const chunk of rest.matchAll(CHUNK)) {
    const open = chunk.index + chunk[0].length === text.length;
    clauses.push(...wordClauses(chunk[2], rules, chunk[1] !== "", open));
  }
  return { clauses: withoutStopWords(clauses).slice(0, MOST_CLAUSES), filters };
}

/**
 * Return a query without operators: their words stand for themselves.
 *
 * @param {Query} query
 * @param {WordRules} rules
 * @returns {Query}
 */
export function asPlainWords({ clauses, filters }, rules) {
  const texts = [...clauses.flatMap((clause) => clause.text), ...filters.map(({ value }) => value)];
  return { clauses: withoutStopWords(texts.flatMap((text) => wordClauses(text, rules, false, false))), filters: [] };
}

/**
 * Return whether a query has anything that can empty the list by itself.
 *
 * @param {Query} query
 */
export function hasOperators({ clauses, filters }) {
  return filters.length > 0 || clauses.some(({ kind, negated }) => negated || kind === "phrase");
}

/**
 * @param {string} text
 * @param {WordRules} rules
 * @param {boolean} negated
 * @param {boolean} open Whether the text's last word is still being typed.
 * @returns {Clause[]}
 */
function wordClauses(text, rules, negated, open) {
  const folded = rules.fold(text);
  const compounds = [...folded.matchAll(COMPOUND)];
  return compounds.map((found, at) => {
    const parts = found[0].match(/[\p{L}\p{N}]+/gu) ?? [];
    const last = at === compounds.length - 1 && found.index + found[0].length === folded.length;
    return {
      kind: "word",
      text: compounds.length === 1 ? text : found[0],
      words: parts.flatMap((part) => searchedWords(part, rules)),
      joined: parts.length > 1 ? parts.join("") : "",
      negated,
      open: open && last,
    };
  });
}

/**
 * Return the words that find a row of letters. In unspaced scripts the pairs do; the last character alone, which texts
 * have for queries of one character, would only find what ends with it.
 *
 * @param {string} part
 * @param {WordRules} rules
 */
function searchedWords(part, rules) {
  const words = rules.cut(part);
  return words.filter((word, at) => {
    const before = words[at - 1] ?? "";
    return !(rules.isUnspaced(word) && before !== word && before.endsWith(word) && rules.isUnspaced(before));
  });
}

/**
 * @param {Clause[]} clauses
 * @returns {Clause[]} Each once, the last of equal ones, since that may still be open.
 */
function withoutStopWords(clauses) {
  const telling = clauses.filter(
    ({ kind, words, joined, negated }) =>
      kind === "phrase" || negated || joined !== "" || words.some((word) => !STOP_WORDS.has(word) && !/^[a-z]$/.test(word)),
  );
  const wanted = telling.some(({ negated }) => !negated) ? telling : clauses;
  const last = new Map(wanted.map((clause) => [`${clause.kind} ${clause.negated} ${clause.words.join(" ")}`, clause]));
  return [...last.values()];
}
