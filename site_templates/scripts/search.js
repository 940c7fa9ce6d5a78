/**
 * Finding papers.
 *
 * In: a query and the index. Out: the rows of the papers that answer it, the best first: those that hold all of its
 * words, then by how much the words tell of each (BM25, summed).
 */

import { breathe } from "./breathe.js";
import { asPlainWords, hasOperators, parseQuery } from "./query.js";

/** @typedef {import("./index.js").SearchIndex} SearchIndex */
/** @typedef {import("./query.js").Clause} Clause */
/** @typedef {import("./query.js").Query} Query */
/** @typedef {import("./query.js").Filter} Filter */

/**
 * @typedef {object} Answer
 * @property {Uint32Array | null} rows The best first; null when the query asks for nothing, so that every paper answers.
 * @property {number} complete How many of the rows, from the first, hold all words.
 * @property {number} words How many words, or groups of them, were asked for.
 * @property {Set<string>} terms Stemmed terms to mark in texts.
 * @property {{ from: string, to: string }[]} corrected Misspelt words, and what was searched instead.
 * @property {string[]} relaxed Operators that would have emptied the list, as typed; they were taken as plain words.
 */

/** @typedef {Map<number, number>} Scores */

/**
 * @typedef {object} Found Papers that hold a clause.
 * @property {Uint32Array} rows Ascending.
 * @property {Float32Array} scores Same order.
 * @property {Uint8Array} complete 1 where all of the clause is there; same order.
 * @property {string[]} terms
 * @property {{ from: string, to: string }[]} corrected
 */

/** Words that a word being typed may become. */
const EXPANSIONS = 8;
/** What a longer word counts, of what the same word would. */
const EXPANSION_WEIGHT = 0.7;

/**
 * Return the papers that answer a query.
 *
 * @param {SearchIndex} index
 * @param {string} text As typed.
 * @param {{ exact?: boolean, among?: Uint8Array | null }} [options] `exact`: misspelt words are not corrected; `among`: 1
 *   for each row that may be found, null for all.
 * @returns {Promise<Answer>}
 */
export async function search(index, text, { exact = false, among = null } = {}) {
  const query = parseQuery(text, index.words);
  const all = among ?? new Uint8Array(index.papers).fill(1);
  const { answer, missing } = await answerTo(index, query, exact, all);
  if (!hasOperators(query) || (answer.rows?.length ?? 1) > 0) return answer;
  const plain = await answerTo(index, asPlainWords(query, index.words), exact, all);
  const relaxed = missing.length > 0 ? missing : operatorsOf(query);
  return { ...plain.answer, relaxed: (plain.answer.rows?.length ?? 0) > 0 ? relaxed : [] };
}

/**
 * @param {SearchIndex} index
 * @param {Query} query
 * @param {boolean} exact
 * @param {Uint8Array} among 1 for each row that may be found.
 * @returns {Promise<{ answer: Answer, missing: string[] }>} `missing`: operators that no such paper fits.
 */
async function answerTo(index, { clauses, filters }, exact, among) {
  const wanted = clauses.filter(({ negated }) => !negated);
  const [found, unwanted, filtered] = await Promise.all([
    Promise.all(wanted.map((clause) => papersWith(index, clause, exact))),
    Promise.all(clauses.filter(({ negated }) => negated).map((clause) => papersWith(index, clause, true))),
    Promise.all(filters.map((filter) => rowsOfFilter(index, filter))),
  ]);
  await breathe();
  const allowed = among.slice();
  const isMissing = (/** @type {Uint32Array} */ rows) => !rows.some((row) => among[row]);
  const missing = [];
  for (const [at, { rows }] of found.entries()) {
    if (wanted[at].kind === "phrase") {
      intersect(allowed, rows);
      if (isMissing(rows)) missing.push(`“${wanted[at].text}”`);
    }
  }
  for (const [at, rows] of filtered.entries()) {
    const { name, value, negated } = filters[at];
    if (negated) rows.forEach((row) => (allowed[row] = 0));
    else intersect(allowed, rows);
    if (isMissing(rows) && !negated) missing.push(`${name}:${value}`);
  }
  for (const { rows, complete } of unwanted) rows.forEach((row, at) => complete[at] && (allowed[row] = 0));
  /** @type {Answer} */
  const answer = {
    rows: null,
    complete: 0,
    words: wanted.length,
    terms: new Set(found.flatMap(({ terms }) => terms)),
    corrected: found.flatMap(({ corrected }) => corrected),
    relaxed: [],
  };
  if (wanted.length > 0) Object.assign(answer, ranked(found, allowed));
  else if (filters.length > 0 || unwanted.length > 0) answer.rows = rowsWhere(allowed);
  if (wanted.length === 0 && answer.rows) answer.complete = answer.rows.length;
  return { answer, missing };
}

/**
 * Return the rows that hold any of what was found, those with all of it first, then by their scores, then as they are.
 *
 * @param {Found[]} found
 * @param {Uint8Array} allowed 1 for each row that may be among them.
 */
function ranked(found, allowed) {
  const scores = new Float32Array(allowed.length);
  const matched = new Uint8Array(allowed.length);
  for (const clause of found) {
    clause.rows.forEach((row, at) => {
      scores[row] += clause.scores[at];
      matched[row] += clause.complete[at];
    });
  }
  let complete = 0;
  const candidates = [];
  for (let row = 0; row < allowed.length; row += 1) {
    if (!allowed[row] || scores[row] === 0) continue;
    candidates.push(row);
    if (matched[row] === found.length) complete += 1;
  }
  // Numbers sort much faster than by a function: the key holds what counts, and the row in its lowest bits.
  const size = 2 ** Math.ceil(Math.log2(allowed.length + 1));
  const keys = Float64Array.from(candidates, (row) => {
    const score = Math.min(Math.round(scores[row] * 4096), 2 ** 24 - 1) + (matched[row] === found.length ? 2 ** 24 : 0);
    return score * size + (size - 1 - row);
  }).sort();
  return { rows: Uint32Array.from(keys, (_, at) => size - 1 - (keys[keys.length - 1 - at] % size)), complete };
}

/**
 * @param {SearchIndex} index
 * @param {Clause} clause
 * @param {boolean} exact
 * @returns {Promise<Found>}
 */
async function papersWith(index, clause, exact) {
  return clause.kind === "phrase" ? papersWithPhrase(index, clause) : papersWithWords(index, clause, exact);
}

/**
 * Return the papers that hold any of the clause's words, complete where they hold all, or the joined word.
 *
 * @param {SearchIndex} index
 * @param {Clause} clause
 * @param {boolean} exact
 * @returns {Promise<Found>}
 */
async function papersWithWords(index, { words, joined, open }, exact) {
  const parts = await Promise.all(
    words.map((word, at) => papersWithWord(index, word, open && at === words.length - 1, exact || joined !== "")),
  );
  if (!joined) return parts.length === 1 ? parts[0] : together(index, parts);
  const whole = await papersWithWord(index, joined, open, true);
  const asParts = parts.some(({ rows }) => rows.length === 0) && whole.rows.length === 0 && !exact
    ? await Promise.all(words.map((word) => papersWithWord(index, word, false, false)))
    : parts;
  const all = together(index, asParts);
  return either(index, all, whole);
}

/**
 * @param {SearchIndex} index
 * @param {string} word Folded.
 * @param {boolean} open
 * @param {boolean} exact
 * @returns {Promise<Found>}
 */
async function papersWithWord(index, word, open, exact) {
  const term = index.words.stem(word);
  await breathe();
  const same = await index.posting(term);
  if (!open && same.rows.length > 0) return foundBy(index, [{ term, ...same, weight: 1 }]);
  const isTyped = open || index.words.isUnspaced(word);
  // A word that no text holds may be the beginning of one, as “optim” is.
  const longer = isTyped || word.length >= 4 ? await longerWords(index, word, term, same.rows.length > 0) : [];
  await breathe();
  if (longer.length > 0 || same.rows.length > 0) return foundBy(index, [{ term, ...same, weight: 1 }, ...longer]);
  const meant = exact ? null : await index.nearest(word);
  if (meant === null) return foundBy(index, []);
  const meantTerm = index.words.stem(meant);
  const found = foundBy(index, [{ term: meantTerm, ...(await index.posting(meantTerm)), weight: 1 }]);
  return { ...found, corrected: [{ from: word, to: meant }] };
}

/**
 * @param {SearchIndex} index
 * @param {string} prefix
 * @param {string} term The prefix' own.
 * @param {boolean} known Whether the prefix is a word itself; then it needs three letters to stand for others.
 */
async function longerWords(index, prefix, term, known) {
  if (known && prefix.length < 3) return [];
  const words = await index.wordsWithPrefix(prefix, EXPANSIONS);
  const terms = [...new Set(words.map((word) => index.words.stem(word)))].filter((other) => other !== term);
  return Promise.all(
    terms.map(async (other) => {
      await breathe();
      return { term: other, ...(await index.posting(other)), weight: EXPANSION_WEIGHT };
    }),
  );
}

/**
 * Return the papers that hold any of some terms; of several in a paper the best counts. Longer words are taken as one,
 * whose rarity is that of all of them together.
 *
 * @param {SearchIndex} index
 * @param {{ term: string, rows: Uint32Array, impacts: Uint8Array, weight: number }[]} terms Weighing 1, or less if longer.
 * @returns {Found}
 */
function foundBy(index, terms) {
  const held = terms.filter(({ rows }) => rows.length > 0);
  const scores = new Float32Array(index.papers);
  for (const { rows } of held) rows.forEach((row) => (scores[row] = 1));
  const all = held.length === 1 ? held[0].rows : rowsWhere(scores);
  scores.fill(0);
  for (const { rows, impacts, weight } of held) {
    const rarity = rarityOf(weight === 1 ? rows.length : all.length, index.papers);
    rows.forEach((row, at) => {
      scores[row] = Math.max(scores[row], (impacts[at] / 255) * weight * rarity);
    });
  }
  return {
    rows: all,
    scores: Float32Array.from(all, (row) => scores[row]),
    complete: new Uint8Array(all.length).fill(1),
    terms: held.map(({ term }) => term),
    corrected: [],
  };
}

/**
 * Return BM25's weight of a term: the fewer papers hold it, the more it tells.
 *
 * @param {number} holding
 * @param {number} papers
 */
function rarityOf(holding, papers) {
  return Math.log(1 + (papers - holding + 0.5) / (holding + 0.5));
}

/**
 * Return the papers that hold any of some parts, complete where they hold all.
 *
 * @param {SearchIndex} index
 * @param {Found[]} parts
 * @returns {Found}
 */
function together(index, parts) {
  const scores = new Float32Array(index.papers);
  const held = new Uint8Array(index.papers);
  for (const { rows, scores: own } of parts) {
    rows.forEach((row, at) => {
      scores[row] += own[at];
      held[row] += 1;
    });
  }
  const rows = rowsWhere(held);
  return {
    rows,
    scores: Float32Array.from(rows, (row) => scores[row]),
    complete: Uint8Array.from(rows, (row) => (held[row] === parts.length ? 1 : 0)),
    terms: parts.flatMap(({ terms }) => terms),
    corrected: parts.flatMap(({ corrected }) => corrected),
  };
}

/**
 * Return the papers that hold one or the other; the better counts.
 *
 * @param {SearchIndex} index
 * @param {Found} one
 * @param {Found} other
 * @returns {Found}
 */
function either(index, one, other) {
  const scores = new Float32Array(index.papers);
  const complete = new Uint8Array(index.papers);
  for (const found of [one, other]) {
    found.rows.forEach((row, at) => {
      scores[row] = Math.max(scores[row], found.scores[at]);
      complete[row] = Math.max(complete[row], found.complete[at]);
    });
  }
  const rows = rowsWhere(scores);
  return {
    rows,
    scores: Float32Array.from(rows, (row) => scores[row]),
    complete: Uint8Array.from(rows, (row) => complete[row]),
    terms: [...one.terms, ...other.terms],
    corrected: one.corrected,
  };
}

/**
 * @param {SearchIndex} index
 * @param {Clause} clause
 * @returns {Promise<Found>}
 */
async function papersWithPhrase(index, { words }) {
  const terms = words.map((word) => index.words.stem(word));
  const parts = await Promise.all(
    terms.map(async (term) => ({ term, posting: await index.posting(term), places: await index.places(term) })),
  );
  const [first, ...others] = parts;
  const positions = parts.map(({ posting }) => new Map(Array.from(posting.rows, (row, at) => [row, at])));
  const rows = [...first.posting.rows].filter((row, at) => {
    if (others.some((_, other) => !positions[other + 1].has(row))) return false;
    const sets = others.map(
      ({ places }, other) => new Set(places[/** @type {number} */ (positions[other + 1].get(row))]),
    );
    return first.places[at].some((place) => sets.every((set, other) => set.has(place + other + 1)));
  });
  const scores = rows.map((row) =>
    parts.reduce((total, { posting }, part) => {
      const at = /** @type {number} */ (positions[part].get(row));
      return total + (posting.impacts[at] / 255) * rarityOf(posting.rows.length, index.papers);
    }, 0),
  );
  return {
    rows: Uint32Array.from(rows),
    scores: Float32Array.from(scores),
    complete: new Uint8Array(rows.length).fill(1),
    terms,
    corrected: [],
  };
}

/**
 * Return the papers of a filter: a label that is the value, else all labels that hold its words, or their beginnings.
 *
 * @param {SearchIndex} index
 * @param {Filter} filter
 * @returns {Promise<Uint32Array>}
 */
async function rowsOfFilter(index, { name, value }) {
  const facet = await index.facet(name);
  const folded = index.words.fold(value);
  const labels = facet.labels.map((label) => index.words.fold(label));
  const same = labels.flatMap((label, at) => (label === folded ? [at] : []));
  const words = index.words.readWords(value);
  const meant = same.length > 0 || words.length === 0 ? same : labels.flatMap((label, at) => {
    const own = index.words.readWords(label);
    return words.every((word) => own.some((each) => each.startsWith(word))) ? [at] : [];
  });
  const held = new Uint8Array(index.papers);
  for (const at of meant) facet.rows[at].forEach((row) => (held[row] = 1));
  return rowsWhere(held);
}

/** @param {Query} query */
function operatorsOf({ clauses, filters }) {
  return [
    ...clauses.filter(({ negated, kind }) => negated || kind === "phrase").map(
      ({ text, kind, negated }) => `${negated ? "-" : ""}${kind === "phrase" ? `“${text}”` : text}`,
    ),
    ...filters.map(({ name, value, negated }) => `${negated ? "-" : ""}${name}:${value}`),
  ];
}

/**
 * @param {Uint8Array} allowed Changed.
 * @param {Uint32Array} rows
 */
function intersect(allowed, rows) {
  const own = new Uint8Array(allowed.length);
  rows.forEach((row) => (own[row] = 1));
  own.forEach((is, row) => (allowed[row] &= is));
}

/**
 * Return the rows of a table that are not 0.
 *
 * @param {Uint8Array | Float32Array} table
 * @returns {Uint32Array}
 */
export function rowsWhere(table) {
  const rows = new Uint32Array(table.length);
  let count = 0;
  for (let row = 0; row < table.length; row += 1) {
    if (table[row]) {
      rows[count] = row;
      count += 1;
    }
  }
  return rows.slice(0, count);
}
