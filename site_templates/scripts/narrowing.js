/**
 * Which papers pass a view's filters, and how many each further filter would leave.
 *
 * In: rows that answer a query, filters, and the reader's marks. Out: rows in their order, and counts.
 */

import { rowsWhere } from "./search.js";
import { MARK_FILTERS } from "./view.js";

/** @typedef {import("./index.js").SearchIndex} SearchIndex */
/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").ViewFilter} ViewFilter */
/** @typedef {import("./view.js").FilterKind} FilterKind */

/**
 * @typedef {object} FacetCount
 * @property {string} value
 * @property {string} label
 * @property {number} count
 */

const MARK_LABELS = { kept: "Kept", later: "Later", skipped: "Skipped", unread: "Unread", new: "New since your last visit" };

export class Narrowing {
  /**
   * @param {SearchIndex} index
   * @param {Marks} marks
   * @param {object} options
   * @param {string | null} options.since The day after which papers are new; null when nothing is known.
   * @param {ViewFilter | null} options.within What all papers of the page have; null for a page of all papers.
   */
  constructor(index, marks, { since, within }) {
    this.index = index;
    this.within = within;
    this.marks = marks;
    this.since = since;
  }

  /**
   * Return 1 for each row that is among the page's papers.
   *
   * @returns {Promise<Uint8Array>}
   */
  async among() {
    if (!this.within) return new Uint8Array(this.index.papers).fill(1);
    const among = new Uint8Array(this.index.papers);
    (await this.#rowsOf(this.within)).forEach((row) => (among[row] = 1));
    return among;
  }

  /**
   * Return those of some rows that pass the filters, in their order.
   *
   * @param {Uint32Array | null} rows Null for all papers of the page, in the order of their sources.
   * @param {View} view
   * @param {{ hideSeen: boolean, without?: FilterKind }} options `without`: filters of this kind don't count.
   * @returns {Promise<Uint32Array>}
   */
  async narrow(rows, view, { hideSeen, without }) {
    if (rows && view.filters.length === 0 && !hideSeen && view.ids.length === 0) return rows;
    const allowed = await this.among();
    for (const filter of view.filters) {
      if (filter.kind === without) continue;
      const own = new Uint8Array(this.index.papers);
      (await this.#rowsOf(filter)).forEach((row) => (own[row] = 1));
      own.forEach((is, row) => (allowed[row] &= filter.negated ? 1 - is : is));
    }
    if (hideSeen) (await this.#seenRows()).forEach((row) => (allowed[row] = 0));
    if (view.ids.length > 0) {
      const ids = await this.index.ids();
      const wanted = view.ids.map((id) => ids.rowOf(id)).filter((row) => row >= 0 && allowed[row]);
      if (!rows) return Uint32Array.from(wanted);
      const among = new Set(wanted);
      return rows.filter((row) => among.has(row));
    }
    return rows ? rows.filter((row) => allowed[row]) : rowsWhere(allowed);
  }

  /**
   * Return rows in the order that a view asks for.
   *
   * @param {Uint32Array} rows The best first.
   * @param {View} view
   * @returns {Promise<Uint32Array>}
   */
  async sort(rows, { sort }) {
    if (sort === "source") return rows.toSorted();
    if (sort === "title") return sortedBy(rows, await this.index.titleRanks());
    if (sort === "unread") {
      const seen = new Set(await this.#seenRows());
      return Uint32Array.from([...rows.filter((row) => !seen.has(row)), ...rows.filter((row) => seen.has(row))]);
    }
    if (sort === "newest") return sortedBy(rows, await this.#age());
    return rows;
  }

  /**
   * Return how many of some rows have each value of a facet, the commonest first; values of none are left out, and the
   * one that all papers of the page have.
   *
   * @param {Exclude<FilterKind, "is" | "label">} name
   * @param {Uint32Array} rows
   * @returns {Promise<FacetCount[]>}
   */
  async counts(name, rows) {
    const facet = await this.index.facet(name);
    const among = new Uint8Array(this.index.papers);
    rows.forEach((row) => (among[row] = 1));
    const found = facet.labels.map((label, at) => {
      let count = 0;
      for (const row of facet.rows[at]) count += among[row];
      return { value: label, label, count };
    });
    const isPlain = (/** @type {string} */ value) => this.within?.kind === name && this.within.value === value;
    return found.filter(({ value, count }) => count > 0 && !isPlain(value)).sort((one, other) => other.count - one.count);
  }

  /**
   * Return how many of some rows have each mark, and each label of the reader.
   *
   * @param {Uint32Array} rows
   * @returns {Promise<{ is: FacetCount[], label: FacetCount[] }>}
   */
  async ownCounts(rows) {
    const among = new Uint8Array(this.index.papers);
    rows.forEach((row) => (among[row] = 1));
    const count = async (/** @type {ViewFilter} */ filter) => {
      let total = 0;
      for (const row of await this.#rowsOf(filter)) total += among[row];
      return total;
    };
    const is = MARK_FILTERS.map(async (value) => ({
      value,
      label: MARK_LABELS[value],
      count: await count({ kind: "is", value, negated: false }),
    }));
    const label = this.marks.allLabels().map(async (value) => ({
      value,
      label: value,
      count: await count({ kind: "label", value, negated: false }),
    }));
    const counted = { is: await Promise.all(is), label: await Promise.all(label) };
    return {
      is: counted.is.filter((each) => each.count > 0),
      label: counted.label.filter((each) => each.count > 0),
    };
  }

  /**
   * @param {ViewFilter} filter
   * @returns {Promise<Uint32Array>} In no order.
   */
  async #rowsOf({ kind, value }) {
    if (kind === "label") return this.#rowsOfIds(this.marks.all().map(([id]) => id).filter((id) => this.marks.get(id).labels.includes(value)));
    if (kind !== "is") {
      const facet = await this.index.facet(kind);
      // A link written by hand may have other capitals.
      const same = facet.labels.indexOf(value);
      const folded = this.index.words.fold(value);
      const at = same >= 0 ? same : facet.labels.findIndex((label) => this.index.words.fold(label) === folded);
      return facet.rows[at] ?? new Uint32Array(0);
    }
    if (value === "new") {
      const { since } = this;
      if (since === null) return new Uint32Array(0);
      const added = await this.index.facet("added");
      return joined(added.rows.filter((_, at) => added.labels[at] > since));
    }
    if (value === "unread") {
      const unread = new Uint8Array(this.index.papers).fill(1);
      (await this.#seenRows()).forEach((row) => (unread[row] = 0));
      return rowsWhere(unread);
    }
    return this.#rowsOfIds(this.marks.ids(/** @type {"kept" | "later" | "skipped"} */ (value)));
  }

  #seenRows() {
    return this.#rowsOfIds(this.marks.all().map(([id]) => id).filter((id) => this.marks.get(id).seen));
  }

  /** @param {string[]} ids */
  async #rowsOfIds(ids) {
    if (ids.length === 0) return new Uint32Array(0);
    const known = await this.index.ids();
    return Uint32Array.from(ids.map((id) => known.rowOf(id)).filter((row) => row >= 0));
  }

  /** Return for each row a number that is the smaller, the newer the paper is. */
  async #age() {
    const [years, added] = await Promise.all([this.index.facet("year"), this.index.facet("added")]);
    const ages = new Float64Array(this.index.papers).fill(1e9);
    years.rows.forEach((rows, at) => rows.forEach((row) => (ages[row] = (9999 - Number(years.labels[at])) * 1e5)));
    const days = added.labels.toSorted().reverse();
    added.rows.forEach((rows, at) => {
      const age = days.indexOf(added.labels[at]);
      rows.forEach((row) => (ages[row] += age));
    });
    return ages;
  }
}

/**
 * @param {Uint32Array} rows
 * @param {ArrayLike<number>} keys By row; equal ones keep the rows' order.
 */
function sortedBy(rows, keys) {
  return Uint32Array.from([...rows].sort((one, other) => keys[one] - keys[other]));
}

/** @param {Uint32Array[]} lists */
function joined(lists) {
  return Uint32Array.from(lists.flatMap((rows) => [...rows]));
}
