/**
 * The filters beside the list.
 *
 * In: the view and what it shows. Out: buttons with counts; pressing one changes the view.
 */

import { breathe } from "./breathe.js";
import { element } from "./elements.js";
import { toggleFilter } from "./view.js";

/** @typedef {import("./narrowing.js").Narrowing} Narrowing */
/** @typedef {import("./narrowing.js").FacetCount} FacetCount */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").FilterKind} FilterKind */

/** Values shown before "more". */
const SHOWN = 8;
/** Values shown after it, or that match what is typed. */
const MOST_SHOWN = 60;

/** Papers from which on a filter is only read when its section is opened. */
const LARGE_SITE = 20_000;

/** Those that people open at times. */
const CLOSED = ["collection", "year", "author"];

/** @type {Record<FilterKind, string>} */
export const FACET_NAMES = {
  is: "Marks",
  label: "Your labels",
  topic: "Topics",
  tag: "Tags",
  collection: "Collections",
  year: "Years",
  author: "Authors",
};
const ORDER = /** @type {const} */ (["is", "label", "topic", "tag", "collection", "year", "author"]);

export class FacetPanel {
  /** @type {Map<FilterKind, HTMLDetailsElement>} */
  #sections = new Map();
  /** @type {Map<FilterKind, FacetCount[]>} */
  #values = new Map();
  /** @type {{ view: View, rows: Uint32Array, rowsOfAnyYear: Uint32Array } | null} */
  #shown = null;

  /**
   * @param {HTMLElement} panel
   * @param {Narrowing} narrowing
   * @param {(view: View) => void} change Called with the view that the reader asks for.
   */
  constructor(panel, narrowing, change) {
    this.panel = panel;
    this.narrowing = narrowing;
    this.change = change;
    const isLarge = narrowing.index.papers > LARGE_SITE;
    const isOpen = (/** @type {FilterKind} */ kind) =>
      kind === "is" || kind === "label" || !(isLarge || CLOSED.includes(kind));
    for (const kind of ORDER) {
      const details = element(
        "details",
        { class: "shelf-facet", open: isOpen(kind), toggle: () => details.open && this.#fill(kind) },
        element("summary", {}, FACET_NAMES[kind]),
        element("div", { class: "shelf-facet__values" }),
      );
      this.#sections.set(kind, details);
    }
    panel.replaceChildren(...this.#sections.values());
  }

  /**
   * Show what the list holds now.
   *
   * @param {View} view
   * @param {Uint32Array} rows
   * @param {Uint32Array} rowsOfAnyYear As if the view had no filter of years.
   */
  async show(view, rows, rowsOfAnyYear) {
    this.#shown = { view, rows, rowsOfAnyYear };
    this.#values.clear();
    for (const [kind, details] of this.#sections) {
      await breathe();
      if (details.open || kind === "label") await this.#fill(kind);
    }
  }

  /** Count marks and labels again. */
  async showMarks() {
    for (const kind of /** @type {const} */ (["is", "label"])) {
      this.#values.delete(kind);
      await this.#fill(kind);
    }
  }

  /** @param {FilterKind} kind */
  async #fill(kind) {
    const shown = this.#shown;
    if (!shown) return;
    const values = this.#values.get(kind) ?? (await this.#count(kind, shown));
    if (shown !== this.#shown) return;
    this.#values.set(kind, values);
    const details = this.#sections.get(kind);
    if (!details) return;
    details.hidden = values.length === 0 && !shown.view.filters.some((filter) => filter.kind === kind);
    this.#draw(kind, details, values, shown.view);
  }

  /**
   * @param {FilterKind} kind
   * @param {{ rows: Uint32Array, rowsOfAnyYear: Uint32Array }} shown
   */
  async #count(kind, { rows, rowsOfAnyYear }) {
    if (kind === "is" || kind === "label") return (await this.narrowing.ownCounts(rows))[kind];
    const counts = await this.narrowing.counts(kind, kind === "year" ? rowsOfAnyYear : rows);
    return kind === "year" ? counts.sort((one, other) => Number(other.value) - Number(one.value)) : counts;
  }

  /**
   * @param {FilterKind} kind
   * @param {HTMLElement} details
   * @param {FacetCount[]} values
   * @param {View} view
   */
  #draw(kind, details, values, view) {
    const place = /** @type {HTMLElement} */ (details.querySelector(".shelf-facet__values"));
    const focused = document.activeElement?.getAttribute("data-value") ?? null;
    const list = element("ul", {});
    const fill = (/** @type {FacetCount[]} */ some) => list.replaceChildren(...some.map((value) => this.#item(kind, value, view)));
    // What is set stays in sight, also when nothing has it.
    const set = view.filters
      .filter((filter) => filter.kind === kind && !values.slice(0, SHOWN).some(({ value }) => isSame(value, filter.value)))
      .map(({ value }) => values.find((each) => isSame(each.value, value)) ?? { value, label: value, count: 0 });
    fill([...set, ...values.slice(0, SHOWN)]);
    const parts = /** @type {HTMLElement[]} */ ([list]);
    if (values.length > SHOWN) {
      const find = element("input", {
        type: "search",
        class: "shelf-facet__find",
        placeholder: `Find among ${values.length.toLocaleString("en")}`,
        "aria-label": `Find among ${FACET_NAMES[kind].toLowerCase()}`,
        autocomplete: "off",
        input: () => {
          const typed = find.value.trim().toLowerCase();
          fill(typed ? values.filter(({ label }) => label.toLowerCase().includes(typed)).slice(0, MOST_SHOWN) : [...set, ...values.slice(0, SHOWN)]);
        },
      });
      parts.push(find);
    }
    place.replaceChildren(...parts);
    if (focused !== null) {
      const again = [...list.querySelectorAll("[data-value]")].find((button) => button.getAttribute("data-value") === focused);
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    }
  }

  /**
   * @param {FilterKind} kind
   * @param {FacetCount} facet
   * @param {View} view
   */
  #item(kind, { value, label, count }, view) {
    const set = view.filters.find((filter) => filter.kind === kind && isSame(filter.value, value));
    const press = (/** @type {boolean} */ negated) =>
      this.change(toggleFilter(view, { kind, value: set?.value ?? value, negated }));
    return element(
      "li",
      { class: "shelf-facet__item", "data-set": set ? (set.negated ? "not" : "only") : null },
      element(
        "button",
        {
          type: "button",
          class: "shelf-facet__only",
          "data-value": `${kind} ${value}`,
          "aria-pressed": String(set !== undefined && !set.negated),
          click: (event) => press(event.shiftKey || event.altKey),
        },
        element("span", {}, label),
        " ",
        element("span", { class: "shelf-facet__count" }, count.toLocaleString("en")),
      ),
      element(
        "button",
        {
          type: "button",
          class: "shelf-facet__not",
          "data-value": `not ${kind} ${value}`,
          "aria-pressed": String(set?.negated ?? false),
          "aria-label": `Without ${label}`,
          title: `Without ${label} (Shift and click does the same)`,
          click: () => press(true),
        },
        "−",
      ),
    );
  }
}

/**
 * Return whether two values are one: a link written by hand may have other capitals.
 *
 * @param {string} one
 * @param {string} other
 */
function isSame(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Return the filters that are set, as buttons that take them away.
 *
 * @param {View} view
 * @param {(view: View) => void} change
 */
export function filterChips(view, change) {
  return view.filters.map((filter) =>
    element(
      "button",
      {
        type: "button",
        class: "shelf-chip",
        "aria-label": `Take away the filter ${filter.negated ? "without " : ""}${filter.value}`,
        click: () => change(toggleFilter(view, filter)),
      },
      `${filter.negated ? "not " : ""}${filter.value}`,
      element("span", { "aria-hidden": "true" }, " ×"),
    ),
  );
}
