/**
 * The elements that finding needs: a box for words, tools, filters and the list.
 *
 * In: what the page finds among. Out: the elements, empty and not yet in the page.
 */

import { element } from "./elements.js";

/**
 * @typedef {object} FinderFrame
 * @property {HTMLElement} whole What goes into the page.
 * @property {HTMLFormElement} form
 * @property {HTMLInputElement} box
 * @property {HTMLElement} tools
 * @property {HTMLElement} chips The filters that are set.
 * @property {HTMLElement} status What the list holds, in a sentence.
 * @property {HTMLElement} notes What was searched otherwise than typed.
 * @property {HTMLElement} columns Filters, and what was found.
 * @property {HTMLElement} panel
 * @property {HTMLElement} progress How far the reader is.
 * @property {HTMLElement} list
 */

/** @type {readonly (readonly [examples: readonly string[], meaning: string])[]} */
const OPERATORS = [
  [['"graph networks"'], "finds these words in this order"],
  [["-survey"], "leaves papers with the word out"],
  [["tag:robustness", 'author:"Ada Lovelace"', "year:2025", "collection:icml"], "narrow the list, and with - in front leave out"],
];

/**
 * Return new elements.
 *
 * @param {string} label What the box asks for.
 * @returns {FinderFrame}
 */
export function makeFrame(label) {
  const box = element("input", {
    class: "shelf-search__query",
    id: "shelf-query",
    type: "search",
    autocapitalize: "off",
    autocorrect: "off",
    spellcheck: "false",
    enterkeyhint: "search",
    "aria-describedby": "shelf-status",
    "aria-controls": "shelf-results",
  });
  const form = element(
    "form",
    { class: "shelf-search", id: "shelf-search", role: "search", action: "#", autocomplete: "off", "aria-label": label },
    element("label", { class: "shelf-search__label", for: "shelf-query" }, label),
    box,
    element(
      "details",
      { class: "shelf-search__help" },
      element("summary", {}, "How to ask"),
      element("ul", {}, ...OPERATORS.map(([examples, meaning]) =>
        element("li", {}, ...examples.flatMap((example) => [element("code", {}, example), " "]), meaning),
      )),
    ),
  );
  const tools = element("div", { class: "shelf-tools", id: "shelf-tools" });
  const chips = element("div", { class: "shelf-chips", id: "shelf-chips" });
  const status = element("p", { class: "shelf-search__status", id: "shelf-status", role: "status", "aria-live": "polite" });
  const notes = element("div", { class: "shelf-search__notes", id: "shelf-notes", role: "status" });
  const panel = element("aside", { class: "shelf-facets", id: "shelf-facets", "aria-label": "Filters" });
  const progress = element("p", { class: "shelf-progress", id: "shelf-progress" });
  const list = element("ol", { class: "shelf-results", id: "shelf-results", "aria-label": "Results" });
  const columns = element("div", { class: "shelf-columns" }, panel, element("div", { class: "shelf-found" }, progress, list));
  const whole = element("div", { class: "shelf-finder" }, form, tools, chips, status, notes, columns);
  return { whole, form, box, tools, chips, status, notes, columns, panel, progress, list };
}
