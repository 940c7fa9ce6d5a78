/**
 * What a reader decides about a paper, how two copies of it become one, and how it is written as JSON.
 *
 * In: decisions of a browser, a file or another page. Out: decisions that hold for all of them. Nothing here keeps
 * anything; see `marks.js`.
 */

/** @typedef {"kept" | "skipped" | "later" | ""} Mark */

/** @typedef {[value: string, time: number]} Dated A value, and when it was given, in ms since 1970. */

/**
 * @typedef {object} Decisions An entry as it is kept: each part with its own time, so that two copies can be merged.
 * @property {boolean} seen Opened or read in place.
 * @property {Dated} mark
 * @property {Dated} note
 * @property {Dated} title
 * @property {ReadonlyMap<string, Dated>} labels "added" or "removed" for each label that there ever was.
 */

/**
 * @typedef {object} Row Decisions as JSON; what was never decided is left out.
 * @property {Dated} [mark]
 * @property {Dated} [note]
 * @property {Dated} [title]
 * @property {Record<string, Dated>} [labels]
 */

const PAPER_ID = /^[0-9a-f]{12}$/;

/** From weak to strong: of two marks given in the same millisecond, the stronger one holds. */
const MARKS = ["", "skipped", "later", "kept"];

/** Stands between notes that were written in the same millisecond. No end of it is its beginning: cuts are clear. */
const NOTE_SEPARATOR = "\n\n--- ";

/** Characters that nobody sees, which would only make two equal titles or labels differ. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** @type {Dated} */
export const NEVER = ["", 0];

/** @type {Decisions} */
export const NOTHING = { seen: false, mark: NEVER, note: NEVER, title: NEVER, labels: new Map() };

/** @type {Decisions} */
export const SEEN = { ...NOTHING, seen: true };

/**
 * Return whether a text is the id of a paper: 12 hex digits.
 *
 * @param {string} text
 */
export function isPaperId(text) {
  return PAPER_ID.test(text);
}

/**
 * Return a text on one line with single blanks, without characters that nobody sees.
 *
 * @param {string} text
 */
export function onOneLine(text) {
  return text.replace(UNSEEN, "").replace(/[\s\p{Cc}]+/gu, " ").trim().normalize("NFC");
}

/**
 * Return the decisions of two copies as one: the newest of each part, all labels that were not removed later, and both
 * notes when they were written in the same millisecond. The order of merging doesn't matter. It is `first` itself when
 * `second` holds nothing new.
 *
 * @param {Decisions} first
 * @param {Decisions} second
 * @returns {Decisions}
 */
export function mergeDecisions(first, second) {
  const merged = {
    seen: first.seen || second.seen,
    mark: newest(first.mark, second.mark, strongerMark),
    note: newest(first.note, second.note, bothNotes),
    title: newest(first.title, second.title, laterText),
    labels: mergeLabels(first.labels, second.labels),
  };
  return isSame(merged, first) ? first : merged;
}

/**
 * Return decisions as JSON keeps them, but for whether the paper was seen.
 *
 * @param {Decisions} decisions
 * @returns {Row}
 */
export function rowOf({ mark, note, title, labels }) {
  return {
    ...(isGiven(mark) && { mark }),
    ...(isGiven(note) && { note }),
    ...(isGiven(title) && { title }),
    ...(labels.size > 0 && { labels: Object.fromEntries([...labels].sort(byKey)) }),
  };
}

/**
 * Return the decisions of a row, or null if it has a wrong shape.
 *
 * @param {unknown} row
 * @param {boolean} seen
 * @returns {Decisions | null}
 */
export function readRow(row, seen) {
  if (!isRecord(row)) {
    return null;
  }
  const { mark = NEVER, note = NEVER, title = NEVER, labels = {} } = row;
  if (!isDated(mark) || !MARKS.includes(mark[0]) || !isDated(note) || !isDated(title) || !isRecord(labels)) {
    return null;
  }
  /** @type {Map<string, Dated>} */
  const dated = new Map();
  for (const [label, state] of Object.entries(labels)) {
    if (!isDated(state) || !["added", "removed"].includes(state[0])) {
      return null;
    }
    dated.set(label, state);
  }
  return { seen, mark, note, title, labels: dated };
}

/**
 * Return whether a value is an object with names, as JSON has them.
 *
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {unknown} value @returns {value is Dated} */
function isDated(value) {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === "string" &&
    Number.isSafeInteger(value[1]) &&
    value[1] >= 0
  );
}

/** @param {Dated} dated */
function isGiven([value, time]) {
  return value !== "" || time > 0;
}

/**
 * @param {Dated} first
 * @param {Dated} second
 * @param {(first: string, second: string) => string} choose Decides between values of the same time.
 * @returns {Dated}
 */
function newest(first, second, choose) {
  if (first[1] !== second[1]) {
    return first[1] > second[1] ? first : second;
  }
  const value = first[0] === second[0] ? first[0] : choose(first[0], second[0]);
  return value === first[0] ? first : [value, first[1]];
}

/** @param {string} first @param {string} second */
function strongerMark(first, second) {
  return MARKS.indexOf(first) > MARKS.indexOf(second) ? first : second;
}

/** @param {string} first @param {string} second */
function laterText(first, second) {
  return first > second ? first : second;
}

/** @param {string} first @param {string} second */
function bothNotes(first, second) {
  const notes = new Set([...first.split(NOTE_SEPARATOR), ...second.split(NOTE_SEPARATOR)].filter(Boolean));
  return [...notes].sort().join(NOTE_SEPARATOR);
}

/** @param {string} first @param {string} second */
function addedRather(first, second) {
  return first === "added" ? first : second;
}

/**
 * @param {ReadonlyMap<string, Dated>} first
 * @param {ReadonlyMap<string, Dated>} second
 * @returns {ReadonlyMap<string, Dated>}
 */
function mergeLabels(first, second) {
  const merged = new Map(first);
  let changed = false;
  for (const [label, state] of second) {
    const before = first.get(label);
    const after = before ? newest(before, state, addedRather) : state;
    changed ||= after !== before;
    merged.set(label, after);
  }
  return changed ? merged : first;
}

/** @param {Decisions} merged @param {Decisions} first Compared by identity: merging keeps what doesn't change. */
function isSame(merged, first) {
  return (
    merged.seen === first.seen &&
    merged.mark === first.mark &&
    merged.note === first.note &&
    merged.title === first.title &&
    merged.labels === first.labels
  );
}

/** @param {ReadonlyMap<string, Dated>} labels */
export function present(labels) {
  return [...labels].flatMap(([label, [state]]) => (state === "added" ? [label] : [])).sort();
}

/** @param {[string, unknown]} first @param {[string, unknown]} second */
export function byKey([first], [second]) {
  return first < second ? -1 : first > second ? 1 : 0;
}
