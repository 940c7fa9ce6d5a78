/**
 * The part of an abstract that shows why it was found.
 *
 * In: a text and the terms that were searched. Out: pieces of the text, those that are hits told apart.
 */

/** @typedef {import("./words.js").WordRules} WordRules */

/**
 * @typedef {object} Piece
 * @property {string} text
 * @property {boolean} hit
 */

const EXCERPT_WORDS = 40;
/** Words that stand before the first hit. */
const LEAD = 6;

/**
 * Return a whole text in pieces.
 *
 * @param {string} text
 * @param {Set<string>} terms Stemmed.
 * @param {WordRules} rules
 * @returns {Piece[]}
 */
export function markedPieces(text, terms, rules) {
  return piecesOf(text, hitsIn(text, terms, rules), 0, text.length);
}

/**
 * Return the window of a text with most of the different terms, then most hits; the beginning when there are none.
 *
 * @param {string} text
 * @param {Set<string>} terms Stemmed.
 * @param {WordRules} rules
 * @returns {Piece[]}
 */
export function excerptOf(text, terms, rules) {
  const hits = hitsIn(text, terms, rules);
  const starts = [...text.matchAll(/\S+/g)].map((word) => word.index);
  const wordOf = (/** @type {number} */ place) => starts.findLastIndex((start) => start <= place);
  const places = hits.map(({ start, term }) => ({ word: wordOf(start), term }));
  let best = { word: 0, different: 0, count: 0 };
  places.forEach(({ word }, at) => {
    const inside = places.slice(at).filter((other) => other.word < word + EXCERPT_WORDS - LEAD);
    const different = new Set(inside.map(({ term }) => term)).size;
    if (different > best.different || (different === best.different && inside.length > best.count)) {
      best = { word, different, count: inside.length };
    }
  });
  const first = Math.max(0, Math.min(best.word - LEAD, starts.length - EXCERPT_WORDS));
  const end = starts[first + EXCERPT_WORDS] === undefined ? text.length : text.slice(0, starts[first + EXCERPT_WORDS]).trimEnd().length;
  const pieces = piecesOf(text, hits, starts[first] ?? 0, end);
  if (first > 0) pieces.unshift({ text: "… ", hit: false });
  // Bound to the last word, so that it never stands on a line of its own.
  if (end < text.length) pieces.push({ text: "\u2060…", hit: false });
  return pieces;
}

/**
 * @param {string} text
 * @param {Set<string>} terms
 * @param {WordRules} rules
 * @returns {{ start: number, end: number, term: string }[]} Ascending, apart from each other.
 */
function hitsIn(text, terms, rules) {
  if (terms.size === 0) return [];
  return rules.wordsIn(text).flatMap(({ text: word, start }) => {
    const folded = rules.readWords(word);
    const term = folded.map((each) => rules.stem(each)).find((each) => terms.has(each));
    if (term === undefined) return [];
    if (folded.length === 1) return [{ start, end: start + word.length, term }];
    // Of an unspaced script only the pairs that were searched are marked.
    return pairsIn(word, terms).map(({ at, length }) => ({ start: start + at, end: start + at + length, term }));
  });
}

/**
 * @param {string} word
 * @param {Set<string>} terms
 * @returns {{ at: number, length: number }[]} Overlapping pairs as one.
 */
function pairsIn(word, terms) {
  const marked = new Uint8Array(word.length);
  for (const term of terms) {
    for (let at = word.indexOf(term); at >= 0; at = word.indexOf(term, at + 1)) marked.fill(1, at, at + term.length);
  }
  /** @type {{ at: number, length: number }[]} */
  const runs = [];
  marked.forEach((is, at) => {
    if (is && marked[at - 1]) runs[runs.length - 1].length += 1;
    else if (is) runs.push({ at, length: 1 });
  });
  return runs;
}

/**
 * @param {string} text
 * @param {{ start: number, end: number }[]} hits
 * @param {number} start
 * @param {number} end
 * @returns {Piece[]}
 */
function piecesOf(text, hits, start, end) {
  const pieces = [];
  let done = start;
  for (const hit of hits) {
    if (hit.start < done || hit.end > end) continue;
    if (hit.start > done) pieces.push({ text: text.slice(done, hit.start), hit: false });
    pieces.push({ text: text.slice(hit.start, hit.end), hit: true });
    done = hit.end;
  }
  if (done < end) pieces.push({ text: text.slice(done, end), hit: false });
  return pieces;
}
