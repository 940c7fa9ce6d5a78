/**
 * The papers that a page holds already: a list of a tag or a collection, or the one paper of an abstract page.
 *
 * In: the elements of the page. Out: what keys and buttons need of a list of papers.
 */

import { element } from "./elements.js";
import { readRecord } from "./records.js";
import { showMarkOn } from "./triage.js";

/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {import("./triage.js").PaperList} PaperList */
/** @typedef {import("./triage.js").Triage} Triage */

/**
 * Return the list of the items that carry a `data-id`.
 *
 * @param {HTMLElement[]} items
 * @param {Marks} marks
 * @returns {PaperList}
 */
export function listOfItems(items, marks) {
  let at = -1;
  const idAt = (/** @type {number} */ position) => items[position]?.dataset.id ?? null;
  const select = (/** @type {number} */ position) => {
    items[at]?.removeAttribute("aria-current");
    at = Math.max(0, Math.min(position, items.length - 1));
    items[at].setAttribute("aria-current", "true");
    items[at].querySelector("a")?.focus({ preventScroll: true });
    items[at].scrollIntoView({ block: "nearest" });
  };
  items.forEach((item, position) => item.addEventListener("focusin", () => at !== position && select(position)));
  return {
    current: () => idAt(at),
    first: () => visibleFrom(items, -1, 1, select),
    move: (step) => visibleFrom(items, at, step, select),
    select: (id) => select(items.findIndex((item) => item.dataset.id === id)),
    open: () => items[at]?.querySelector("a")?.click(),
    read: () => {
      const id = idAt(at);
      if (id) readInPlace(items[at], id, marks);
    },
    goesOn: true,
  };
}

/**
 * Return the list of an abstract page, whose neighbours are its links to other papers.
 *
 * @param {string} id
 * @returns {PaperList}
 */
export function listOfOne(id) {
  return {
    current: () => id,
    first: () => {},
    move: (step) => click(step > 0 ? "a.shelf-next" : "a.shelf-previous"),
    select: () => {},
    open: () => click("a.shelf-paper-link"),
    read: null,
    goesOn: false,
  };
}

/**
 * Give each item its buttons.
 *
 * @param {HTMLElement[]} items
 * @param {Marks} marks
 * @param {Triage} triage
 */
export function addButtons(items, marks, triage) {
  for (const item of items) {
    const { id = "" } = item.dataset;
    const title = item.querySelector("a")?.textContent ?? "";
    const read = element(
      "button",
      { type: "button", class: "shelf-read", "aria-expanded": "false", click: () => readInPlace(item, id, marks) },
      "Read",
    );
    item.append(triage.buttons(id, title, read), element("div", { class: "shelf-own" }));
    showMarkOn(marks, item, id);
  }
}

/**
 * Show or hide the abstract of an item.
 *
 * @param {HTMLElement} item
 * @param {string} id
 * @param {Marks} marks
 */
async function readInPlace(item, id, marks) {
  const button = item.querySelector(".shelf-read");
  const shown = item.querySelector(".shelf-in-place");
  if (shown) {
    shown.remove();
    button?.setAttribute("aria-expanded", "false");
    return;
  }
  button?.setAttribute("aria-expanded", "true");
  const place = element("p", { class: "shelf-in-place", dir: "auto" }, "…");
  item.querySelector(".shelf-marks")?.before(place);
  try {
    place.textContent = (await readRecord(id)).abstract;
    marks.see(id);
  } catch {
    place.textContent = "The abstract is missing from this site’s data. Build the site again.";
  }
}

/**
 * @param {HTMLElement[]} items
 * @param {number} at
 * @param {1 | -1} step
 * @param {(position: number) => void} select
 */
function visibleFrom(items, at, step, select) {
  for (let next = at + step; next >= 0 && next < items.length; next += step) {
    if (items[next].offsetParent) return select(next);
  }
}

/** @param {string} selector */
function click(selector) {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) found.click();
}
