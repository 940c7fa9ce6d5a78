/**
 * Taking papers along: exports, a print view, a link, and the marks themselves out and in.
 *
 * In: the reader's marks and the papers that the page shows. Out: files, made in the browser.
 */

import { openDialog, say } from "./dialogs.js";
import { counted, element, siteRoot } from "./elements.js";
import { EXPORT_FORMATS, exportPapers } from "./exports.js";
import { copyText, fileStem, saveFile } from "./files.js";
import { printPapers } from "./print.js";
import { readRecord } from "./records.js";
import { SITE } from "./site.js";
import { dumpState, keptLink, readState, refuseGiant, titlesYaml } from "./state_file.js";

/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {import("./exports.js").ExportedPaper} ExportedPaper */

/**
 * @typedef {object} Choice Papers that can be taken along.
 * @property {string} label
 * @property {() => Promise<string[]> | string[]} ids
 */

/** Records that are read at once. */
const AT_ONCE = 50;

/**
 * Open the window of exports.
 *
 * @param {Marks} marks
 * @param {Choice[]} views What the page shows; the first is chosen when nothing is kept.
 */
export function openExports(marks, views) {
  const kept = marks.ids("kept");
  /** @type {Choice[]} */
  const choices = [{ label: counted(kept.length, "kept paper"), ids: () => kept }, ...views];
  const whose = element(
    "select",
    { id: "shelf-export-what" },
    ...choices.map(({ label }, at) => element("option", { value: at, selected: at === (kept.length > 0 ? 0 : 1) }, label)),
  );
  const done = element("p", { role: "status", class: "shelf-note" });
  const papers = async () => papersOf(marks, await choices[Number(whose.value)].ids(), done);
  const formats = EXPORT_FORMATS.map(({ name, label, extension, type }) =>
    element(
      "button",
      {
        type: "button",
        class: "md-button",
        click: async () => {
          const chosen = await papers();
          const text = exportPapers(name, chosen, { siteName: SITE.name, address: siteRoot.href });
          saveFile(`${fileStem(SITE.name)}.${extension}`, type, text);
          done.textContent = `${counted(chosen.length, "paper")} written as ${label}.`;
        },
      },
      label,
    ),
  );
  const print = element("button", { type: "button", class: "md-button", click: async () => printPapers(await papers()) }, "Print");
  openDialog(
    "Take papers along",
    element("label", { for: "shelf-export-what" }, "What"),
    whose,
    element("p", { class: "shelf-buttons" }, ...formats, print),
    done,
    element("h3", {}, "Your marks"),
    element("p", { class: "shelf-buttons" }, ...stateButtons(marks, kept, done)),
    element(
      "p",
      { class: "shelf-note" },
      "Marks, notes and labels are kept in this browser alone. The file moves them to another; there they are merged.",
    ),
  );
}

/**
 * Save the reader's marks as a file.
 *
 * @param {Marks} marks
 */
export function saveMarks(marks) {
  const text = dumpState(marks.all(), { siteName: SITE.name, siteId: SITE.id, now: Date.now() });
  saveFile(`${fileStem(SITE.name)}-marks.json`, "application/json", text);
}

/**
 * @param {Marks} marks
 * @param {string[]} kept
 * @param {HTMLElement} done
 */
function stateButtons(marks, kept, done) {
  const input = element("input", {
    type: "file",
    accept: ".json,application/json",
    hidden: true,
    "aria-label": "File of marks",
    change: async () => {
      const [file] = input.files ?? [];
      if (file) done.textContent = await loadMarks(marks, file);
      input.value = "";
    },
  });
  const corrected = marks.all().flatMap(([id]) => (marks.get(id).title ? [{ id, title: marks.get(id).title }] : []));
  const button = (/** @type {string} */ label, /** @type {() => unknown} */ click) =>
    element("button", { type: "button", class: "md-button", click }, label);
  return [
    button("Save marks to a file", () => saveMarks(marks)),
    button("Load marks from a file", () => input.click()),
    input,
    ...(kept.length > 0
      ? [
          button("Copy a link to the kept", () =>
            copyText(new URL(`search.html#ids=${keptLink(kept)}`, siteRoot).href, "The link was copied"),
          ),
        ]
      : []),
    ...(corrected.length > 0
      ? [button("Titles for titles.yml", () => saveFile("titles.yml", "text/yaml", titlesYaml(corrected)))]
      : []),
  ];
}

/**
 * Merge a file of marks into those of this browser, and return a sentence about it.
 *
 * @param {Marks} marks
 * @param {File} file
 */
async function loadMarks(marks, file) {
  try {
    refuseGiant(file.size);
    const { entries, problem, siteId, siteName } = readState(await file.text());
    const { added, changed, unchanged } = marks.merge(entries);
    const from = siteId && siteId !== SITE.id ? ` The file is of another site, “${siteName}”.` : "";
    return `${counted(added, "paper")} added, ${changed} changed, ${unchanged} as before.${from} ${problem}`.trim();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Return papers with what the reader made of them; those that the site doesn't have are left out, and that is said.
 *
 * @param {Marks} marks
 * @param {string[]} ids
 * @param {HTMLElement} done
 * @returns {Promise<ExportedPaper[]>}
 */
async function papersOf(marks, ids, done) {
  /** @type {ExportedPaper[]} */
  const papers = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const part = ids.slice(at, at + AT_ONCE);
    const records = await Promise.all(part.map((id) => readRecord(id).catch(() => null)));
    for (const record of records) {
      if (!record) continue;
      const { note, labels, mark, title } = marks.get(record.id);
      papers.push({ record, note, labels, mark, title });
    }
    if (ids.length > AT_ONCE) done.textContent = `${papers.length} of ${ids.length} …`;
  }
  const missing = ids.length - papers.length;
  if (missing > 0) say(`${counted(missing, "paper")} left out: this site has them no longer.`);
  return papers;
}
