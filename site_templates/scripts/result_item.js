/**
 * One paper in the list of what was found.
 *
 * In: its record, and the terms that were searched. Out: an item with title, origin, excerpt and tags; buttons are added
 * by who takes decisions.
 */

import { element, pageLink, siteRoot } from "./elements.js";
import { excerptOf, markedPieces } from "./excerpt.js";
import { writeView } from "./view.js";

/** @typedef {import("./records.js").PaperRecord} PaperRecord */
/** @typedef {import("./excerpt.js").Piece} Piece */
/** @typedef {import("./words.js").WordRules} WordRules */

/** Authors of whom more are only counted. */
const MOST_AUTHORS = 3;

/**
 * Return the item of a paper, and its button that shows or hides the whole abstract in place.
 *
 * @param {PaperRecord} record
 * @param {Set<string>} terms Stemmed terms to mark.
 * @param {WordRules} words
 * @param {() => void} onRead Called when the abstract is shown.
 * @returns {{ item: HTMLLIElement, read: HTMLButtonElement }}
 */
export function makeResult({ id, page, title, derived, authors, year, collections, tags, abstract }, terms, words, onRead) {
  const text = element("p", { class: "shelf-result__excerpt", dir: "auto" }, ...nodes(excerptOf(abstract, terms, words)));
  const read = element("button", { type: "button", class: "shelf-read", "aria-expanded": "false" }, "Read");
  read.addEventListener("click", () => {
    const open = read.getAttribute("aria-expanded") === "false";
    text.replaceChildren(...nodes(open ? markedPieces(abstract, terms, words) : excerptOf(abstract, terms, words)));
    read.setAttribute("aria-expanded", String(open));
    if (open) onRead();
  });
  const names = collections.map(([name]) => name);
  // "ICML 2025" says the year already.
  const told = year !== null && names.some((name) => name.includes(String(year)));
  const origin = [...names, told || year === null ? "" : String(year), derived ? "derived title" : ""].filter(Boolean).join(" · ");
  const byline = authorLinks(authors);
  const item = element(
    "li",
    { class: "shelf-result", "data-id": id },
    pageLink(page, { class: "shelf-result__title", dir: "auto" }, ...nodes(markedPieces(title, terms, words))),
    element("p", { class: "shelf-result__origin" }, ...byline, byline.length > 0 && origin ? " · " : "", origin),
    text,
    tags.length > 0 ? tagList(tags) : null,
  );
  return { item, read };
}

/**
 * Return names as links to all papers of each, with commas between; of many the first alone.
 *
 * @param {string[]} authors
 * @returns {(HTMLElement | string)[]}
 */
export function authorLinks(authors) {
  const shown = authors.length > MOST_AUTHORS ? authors.slice(0, 1) : authors;
  const links = shown.flatMap((name, at) => [...(at > 0 ? [", "] : []), authorLink(name)]);
  return shown.length < authors.length ? [...links, ` and ${authors.length - shown.length} others`] : links;
}

/** @param {string} name */
function authorLink(name) {
  const fragment = writeView({ filters: [{ kind: "author", value: name, negated: false }] });
  return element("a", { class: "shelf-author", href: new URL(`search.html${fragment}`, siteRoot).href }, name);
}

/** @param {[string, string][]} tags */
function tagList(tags) {
  return element(
    "ul",
    { class: "shelf-result__tags", "aria-label": "Derived tags" },
    ...tags.map(([label, page]) => element("li", {}, pageLink(page, { class: "md-tag" }, label))),
  );
}

/** @param {Piece[]} pieces */
function nodes(pieces) {
  return pieces.map(({ text, hit }) => (hit ? element("mark", {}, text) : text));
}
