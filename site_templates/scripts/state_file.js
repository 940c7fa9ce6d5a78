/**
 * A reader's decisions on their way to another browser: as a file, as a link, and as entries for `titles.yml`.
 *
 * In: what is kept of papers, or a file's or link's text. Out: that text, or what it holds.
 */

import { isPaperId, isRecord, onOneLine, readRow, rowOf } from "./decisions.js";

/** @typedef {import("./decisions.js").Decisions} Decisions */

/**
 * @typedef {object} ReadState What a file holds.
 * @property {[id: string, decisions: Decisions][]} entries Those that could be read.
 * @property {number} wrong How many entries could not.
 * @property {string} problem A sentence about those, with the first of them; "" when all were right.
 * @property {string} siteId The site that wrote the file; "" for unknown.
 * @property {string} siteName
 */

/** Longest file that is read, in bytes; the decisions on 64,000 papers, each with a note, take a third. */
export const MOST_STATE_BYTES = 50 * 2 ** 20;

const FORMAT = "papershelf-marks";
const STATE_VERSION = 1;
const ABOUT =
  'What a reader decided, one paper a line, by its id. "seen": opened. "mark": kept, later, skipped or "" for taken ' +
  'away. "note", "title" (a correction), "labels" (added or removed). Numbers say when, in milliseconds since 1970. ' +
  "Of two files the newest of each holds.";

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Most characters of a title that `titles.yml` takes, as written. */
const LONGEST_TITLE = 300;

/** A file that holds no decisions; its message says what was expected and what was found. */
export class StateFileError extends Error {
  name = "StateFileError";
}

/**
 * Return decisions as the text of a file: JSON with one paper a line, sorted by id, the same text for the same
 * decisions, site and time.
 *
 * @param {[id: string, decisions: Decisions][]} entries Sorted by id, as `Marks.all` gives them.
 * @param {{ siteName: string, siteId: string, now: number }} about `now` in ms since 1970.
 * @returns {string}
 */
export function dumpState(entries, { siteName, siteId, now }) {
  const lines = entries.map(([id, decisions]) => {
    const row = { ...(decisions.seen && { seen: true }), ...rowOf(decisions) };
    return `\n    ${JSON.stringify(id)}: ${JSON.stringify(row)}`;
  });
  const head = {
    format: FORMAT,
    version: STATE_VERSION,
    about: ABOUT,
    site: { id: siteId, name: siteName },
    saved: new Date(now).toISOString(),
  };
  const fields = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n${fields.join("")}  "papers": {${lines.join(",")}\n  }\n}\n`;
}

/**
 * Return what a file written by `dumpState` holds. Entries of a wrong shape are left out and counted.
 *
 * @param {string} text
 * @returns {ReadState}
 * @throws {StateFileError} It is no such file.
 */
export function readState(text) {
  refuseGiant(text.length);
  const content = parsedState(text);
  if (!isRecord(content) || content.format !== FORMAT) {
    const found = isRecord(content) ? "JSON of another kind" : "JSON without names";
    throw new StateFileError(`Expected a file of marks saved by Papershelf, found ${found}.`);
  }
  const { version, papers } = content;
  if (typeof version === "number" && version > STATE_VERSION) {
    throw new StateFileError(
      `Expected marks of version ${STATE_VERSION}, found version ${version}: a newer Papershelf wrote this file.`,
    );
  }
  if (version !== STATE_VERSION) {
    const found = version === undefined ? "none" : JSON.stringify(version).slice(0, 40);
    throw new StateFileError(`Expected marks of version ${STATE_VERSION}, found ${found} as version.`);
  }
  if (!isRecord(papers)) {
    throw new StateFileError('Expected the papers by their ids under "papers" in this file, found none.');
  }
  /** @type {[string, Decisions][]} */
  const entries = [];
  /** @type {string[]} */
  const wrong = [];
  for (const [id, row] of Object.entries(papers)) {
    const { seen = false } = isRecord(row) ? row : {};
    const decisions = isPaperId(id) && typeof seen === "boolean" ? readRow(row, seen) : null;
    if (decisions) {
      entries.push([id, decisions]);
    } else {
      wrong.push(id);
    }
  }
  const site = isRecord(content.site) ? content.site : {};
  return {
    entries,
    wrong: wrong.length,
    problem: wrong.length === 0 ? "" : problemOf(wrong),
    siteId: typeof site.id === "string" ? site.id : "",
    siteName: typeof site.name === "string" ? site.name : "",
  };
}

/**
 * Refuse a file that is too large to be one of marks; to be asked before it is read.
 *
 * @param {number} bytes
 * @throws {StateFileError}
 */
export function refuseGiant(bytes) {
  if (bytes > MOST_STATE_BYTES) {
    const found = Math.ceil(bytes / 2 ** 20);
    throw new StateFileError(`Expected a file of at most ${MOST_STATE_BYTES / 2 ** 20} MB, found ${found} MB.`);
  }
}

/**
 * Return ids as text for an address: 8 letters, digits, `-` or `_` each.
 *
 * @param {string[]} ids
 * @returns {string}
 */
export function keptLink(ids) {
  return ids.map((id) => id.replace(/[0-9a-f]{3}/g, twoCharacters)).join("");
}

/**
 * Return the ids of a text that `keptLink` made, each once, and how many pieces of it could not be read.
 *
 * @param {string} text
 * @returns {{ ids: string[], wrong: number }}
 */
export function readKeptLink(text) {
  const pieces = text.match(/[^]{1,8}/g) ?? [];
  const right = pieces.filter((piece) => /^[\w-]{8}$/.test(piece));
  const ids = right.map((piece) => piece.replace(/../g, threeDigits));
  return { ids: [...new Set(ids)], wrong: pieces.length - right.length };
}

/**
 * Return the text of a `titles.yml` that gives papers these titles, as plain text: nothing in them is read as markup.
 * A title that such a file can't hold stands in a comment that says so.
 *
 * @param {{ id: string, title: string }[]} entries
 * @returns {string}
 */
export function titlesYaml(entries) {
  const lines = entries.map(({ id, title }) => {
    const written = asMarkup(onOneLine(title));
    const line = `${JSON.stringify(id)}: ${JSON.stringify(written)}\n`;
    const length = [...written].length;
    if (length > LONGEST_TITLE) {
      const reason = `a title has at most ${LONGEST_TITLE} characters as written, this one has ${length}`;
      return `# Left out: ${reason}.\n# ${line}`;
    }
    return /[\p{L}\p{N}]/u.test(title) ? line : `# Left out: a title has a letter or digit.\n# ${line}`;
  });
  return lines.join("");
}

/** @param {string} text */
function parsedState(text) {
  try {
    return /** @type {unknown} */ (JSON.parse(text.replace(/^\ufeff/, ""))); // some editors add it
  } catch {
    const found = text.trim() ? "text that is no JSON" : "nothing";
    throw new StateFileError(`Expected a file of marks saved by Papershelf, found ${found}.`);
  }
}

/** @param {string[]} wrong Ids of entries that could not be read. */
function problemOf(wrong) {
  const [first] = wrong;
  const shown = JSON.stringify(first.length > 40 ? `${first.slice(0, 40)}…` : first);
  const others = wrong.length > 1 ? ` and ${wrong.length - 1} more` : "";
  return (
    'Expected an id of 12 hex digits with "seen", "mark", "note", "title" or "labels", ' +
    `found something else for ${shown}${others}; left out.`
  );
}

/** @param {string} digits Three hex digits. */
function twoCharacters(digits) {
  const number = parseInt(digits, 16);
  return BASE64URL[number >> 6] + BASE64URL[number & 63];
}

/** @param {string} characters Two of base64url. */
function threeDigits(characters) {
  const number = BASE64URL.indexOf(characters[0]) * 64 + BASE64URL.indexOf(characters[1]);
  return number.toString(16).padStart(3, "0");
}

/**
 * Return plain text as markup of the same meaning. Entities stand for characters that may begin a mark, since those
 * mean one thing everywhere, while a backslash before them can make an accent or a formula. The last kind could pass for
 * the first byte of a character that was decoded by the wrong encoding.
 *
 * @param {string} text
 */
function asMarkup(text) {
  return text.replace(
    /[$\\`*_{[<~%]|&(?=[#a-z])|h(?=ttps?:)|(?<=doi|arxiv):|(?<=')'|(?<=-)-|(?<=‘)‘|(?<=’)’|[Â-ô](?=[^\x00-\x7f])/gi,
    (character) => `&#${character.codePointAt(0)};`,
  );
}
