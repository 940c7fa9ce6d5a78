/**
 * What a list shows: words, filters and order, as they stand in the address after `#`.
 *
 * In: an address' fragment. Out: the view, and the fragment again; a link shows the same view elsewhere.
 */

import { keptLink, readKeptLink } from "./state_file.js";

/** @typedef {"tag" | "topic" | "collection" | "year" | "author" | "is" | "label"} FilterKind */

/**
 * @typedef {object} ViewFilter
 * @property {FilterKind} kind
 * @property {string} value A label; for `is` one of `MARK_FILTERS`.
 * @property {boolean} negated
 */

/** @typedef {"relevance" | "newest" | "title" | "source" | "unread"} Sort */

/**
 * @typedef {object} View
 * @property {string} query As typed.
 * @property {boolean} exact Whether misspelt words stay as they are.
 * @property {ViewFilter[]} filters
 * @property {Sort | ""} sort "" for the usual one.
 * @property {string[]} ids Only these papers, in this order; empty for all.
 */

export const FILTER_KINDS = /** @type {const} */ (["topic", "tag", "collection", "year", "author", "is", "label"]);
export const MARK_FILTERS = /** @type {const} */ (["kept", "later", "skipped", "unread", "new"]);
export const SORTS = /** @type {const} */ (["relevance", "newest", "title", "source", "unread"]);

/**
 * Return the view of a fragment; what it doesn't know is passed over.
 *
 * @param {string} fragment With or without `#`.
 * @returns {View}
 */
export function readView(fragment) {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const sort = /** @type {Sort} */ (parameters.get("sort") ?? "");
  return {
    query: parameters.get("q") ?? "",
    exact: parameters.get("exact") === "1",
    filters: FILTER_KINDS.flatMap((kind) => parameters.getAll(kind).map((text) => readFilter(kind, text))).filter(
      ({ kind, value }) => value !== "" && (kind !== "is" || MARK_FILTERS.some((known) => known === value)),
    ),
    sort: SORTS.includes(sort) ? sort : "",
    ids: readKeptLink(parameters.get("ids") ?? "").ids,
  };
}

/**
 * Return whether a fragment asks for a view; others lead to a heading.
 *
 * @param {string} fragment As `location.hash` has it.
 */
export function isViewFragment(fragment) {
  return fragment === "" || fragment === "#resume" || fragment.includes("=");
}

/**
 * Return a view as a fragment; empty for a view of everything.
 *
 * @param {Partial<View>} view
 * @returns {string} Begins with `#`, or is empty.
 */
export function writeView({ query = "", exact = false, filters = [], sort = "", ids = [] }) {
  const parameters = new URLSearchParams();
  if (query) parameters.set("q", query);
  if (exact) parameters.set("exact", "1");
  for (const { kind, value, negated } of filters) parameters.append(kind, writeFilter(value, negated));
  if (sort) parameters.set("sort", sort);
  if (ids.length > 0) parameters.set("ids", keptLink(ids));
  const text = parameters.toString();
  return text ? `#${text}` : "";
}

/**
 * Return a view with one filter more, or with it turned round, or without it when it was there already. A paper has one
 * year, so that another one takes the first one's place.
 *
 * @param {View} view
 * @param {ViewFilter} filter
 * @returns {View}
 */
export function toggleFilter(view, filter) {
  const others = view.filters.filter(
    ({ kind, value, negated }) =>
      !(kind === filter.kind && value === filter.value) &&
      !(kind === "year" && filter.kind === "year" && !negated && !filter.negated),
  );
  const was = view.filters.find(({ kind, value }) => kind === filter.kind && value === filter.value);
  return { ...view, filters: was && was.negated === filter.negated ? others : [...others, filter] };
}

/**
 * @param {FilterKind} kind
 * @param {string} text
 * @returns {ViewFilter}
 */
function readFilter(kind, text) {
  const negated = text.startsWith("-");
  const value = negated ? text.slice(1) : text;
  return { kind, value: value.startsWith("=") ? value.slice(1) : value, negated };
}

/**
 * @param {string} value
 * @param {boolean} negated
 */
function writeFilter(value, negated) {
  const text = /^[-=]/.test(value) ? `=${value}` : value; // else it would read as negated
  return negated ? `-${text}` : text;
}
