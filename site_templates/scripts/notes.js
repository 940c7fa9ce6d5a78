/**
 * What a reader writes about a paper: a note, labels, and a title put right.
 *
 * In: a paper's id. Out: a window to write in; it is kept as it is written.
 */

import { openDialog, say } from "./dialogs.js";
import { copyText } from "./files.js";
import { element } from "./elements.js";
import { readRecord } from "./records.js";
import { titlesYaml } from "./state_file.js";

/** @typedef {import("./marks.js").Marks} Marks */

/**
 * Open the window of a paper.
 *
 * @param {Marks} marks
 * @param {string} id
 */
export async function openNote(marks, id) {
  const record = await readRecord(id).catch(() => null);
  const entry = marks.get(id);
  const note = element("textarea", { rows: 5, id: "shelf-note-text", change: () => marks.setNote(id, note.value) });
  note.value = entry.note;
  const labels = element("input", {
    id: "shelf-note-labels",
    list: "shelf-note-known",
    autocomplete: "off",
    change: () => marks.setLabels(id, labels.value.split(",")),
  });
  labels.value = entry.labels.join(", ");
  const known = element(
    "datalist",
    { id: "shelf-note-known" },
    ...marks.allLabels().map((label) => element("option", { value: label })),
  );
  const dialog = openDialog(
    record?.title ?? "Note",
    element("label", { for: "shelf-note-text" }, "Note"),
    note,
    element("label", { for: "shelf-note-labels" }, "Your labels, with commas between them"),
    labels,
    known,
    ...(record?.derived ? titleFields(marks, id, record.title) : []),
    element("p", { class: "shelf-note" }, "Kept in this browser as you write; the exports have it too."),
  );
  dialog.addEventListener("close", () => {
    marks.setNote(id, note.value);
    marks.setLabels(id, labels.value.split(","));
    if (marks.trouble) say(marks.trouble);
  });
  note.focus();
}

/**
 * @param {Marks} marks
 * @param {string} id
 * @param {string} derived The title as it was derived.
 */
function titleFields(marks, id, derived) {
  const title = element("input", {
    id: "shelf-note-title",
    placeholder: derived,
    autocomplete: "off",
    input: () => marks.setTitle(id, title.value === derived ? "" : title.value),
  });
  title.value = marks.get(id).title;
  const copy = element(
    "button",
    {
      type: "button",
      click: () => copyText(titlesYaml([{ id, title: marks.get(id).title || derived }]), "The entry was copied"),
    },
    "Copy the entry for titles.yml",
  );
  return [
    element("label", { for: "shelf-note-title" }, "The title was derived. A better one:"),
    title,
    element("p", {}, copy),
  ];
}
