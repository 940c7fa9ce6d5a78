/**
 * Papers on paper.
 *
 * In: papers as they are exported. Out: the browser's print window, with a plain list of them.
 */

import { element } from "./elements.js";
import { SITE } from "./site.js";

/** @typedef {import("./exports.js").ExportedPaper} ExportedPaper */

/**
 * Print papers in the given order, with notes and labels.
 *
 * @param {ExportedPaper[]} papers
 */
export function printPapers(papers) {
  const section = element(
    "section",
    { class: "shelf-print md-typeset" },
    element("h1", {}, SITE.name),
    ...papers.map(printed),
  );
  document.body.append(section);
  document.body.classList.add("shelf-printing");
  const end = () => {
    section.remove();
    document.body.classList.remove("shelf-printing");
    removeEventListener("afterprint", end);
  };
  addEventListener("afterprint", end);
  print();
}

/** @param {ExportedPaper} paper */
function printed({ record, note, labels, title }) {
  const origin = [record.authors.join(", "), ...record.collections.map(([name]) => name), record.year ?? ""];
  const remark = title ? " (title by the reader)" : record.derived ? " (derived title)" : "";
  return element(
    "article",
    {},
    element("h2", {}, (title || record.title) + remark),
    element("p", { class: "shelf-note" }, origin.filter(Boolean).join(" · ")),
    labels.length > 0 ? element("p", {}, `Labels: ${labels.join(", ")}`) : null,
    note ? element("p", { class: "shelf-own__note" }, note) : null,
    element("p", {}, record.abstract),
  );
}
