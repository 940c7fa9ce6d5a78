/**
 * The reader of this page: what was marked, and the words at the top when that cannot be kept.
 *
 * In: the browser's storage. Out: one `Marks` for all scripts of the page.
 */

import { element } from "./elements.js";
import { saveMarks } from "./export_dialog.js";
import { Marks } from "./marks.js";
import { SITE } from "./site.js";

/**
 * @typedef {object} Reader
 * @property {Marks} marks
 * @property {string | null} since The day after which papers are new; null on a first visit.
 */

/**
 * Open the reader's marks, keep them in step with other pages, and say so when they cannot be kept.
 *
 * @returns {Reader}
 */
export function openReader() {
  const marks = new Marks({ siteId: SITE.id, storage: () => localStorage });
  addEventListener("storage", (event) => marks.reload(event.key));
  // The browser may show a page as it was left; meanwhile other pages have marked.
  addEventListener("pageshow", (event) => event.persisted && marks.reload());
  const since = marks.startVisit(Date.now(), SITE.newest || null);
  showTrouble(marks);
  marks.onChange(() => showTrouble(marks));
  return { marks, since };
}

/** @param {Marks} marks */
function showTrouble(marks) {
  const shown = document.getElementById("shelf-trouble");
  if (shown?.dataset.sentence === marks.trouble || (!shown && !marks.trouble)) return;
  shown?.remove();
  if (!marks.trouble) return;
  const banner = element(
    "div",
    { id: "shelf-trouble", class: "shelf-trouble", role: "alert", "data-sentence": marks.trouble },
    element("p", {}, marks.trouble),
    element("button", { type: "button", class: "md-button", click: () => saveMarks(marks) }, "Save marks to a file"),
  );
  document.querySelector(".md-content__inner")?.prepend(banner);
}
