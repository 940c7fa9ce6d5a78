/**
 * What single keys do, and the page that tells.
 *
 * In: key presses. Out: calls of the page's own actions. Keys can be switched off; nothing is done by a key alone that
 * no button or link does.
 */

import { isDialogOpen, openDialog } from "./dialogs.js";
import { element } from "./elements.js";

/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {"next" | "previous" | "keep" | "skip" | "later" | "undo" | "open" | "search" | "read" | "note" | "help"} Action */
/** @typedef {Partial<Record<Action, () => unknown>>} Actions What this page can do. */

/** @type {readonly (readonly [keys: readonly string[], action: Action, meaning: string])[]} */
const KEYS = [
  [["j"], "next", "Next paper"],
  [["k"], "previous", "Previous paper"],
  [["s"], "keep", "Keep"],
  [["x"], "skip", "Skip"],
  [["l"], "later", "Later"],
  [["u"], "undo", "Undo the last mark"],
  [["o", "Enter"], "open", "Open the paper"],
  [["e"], "read", "Read the abstract in place"],
  [["n"], "note", "Note, labels and title"],
  [["/"], "search", "Search"],
  [["?"], "help", "These keys"],
];

/**
 * Listen to keys, as long as the reader has not switched them off.
 *
 * @param {Marks} marks
 * @param {Actions} actions
 */
export function listenToKeys(marks, actions) {
  const all = { help: () => openHelp(marks, actions), ...actions };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isDialogOpen()) return;
    if (!marks.getSetting("keys") || isWriting(event.target)) return;
    // Enter on a link or button is the browser's.
    if (event.key === "Enter" && event.target instanceof Element && event.target.closest("a, button, summary")) return;
    const action = KEYS.find(([keys]) => keys.includes(event.key))?.[1];
    const act = action && all[action];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/**
 * Return the button that opens the window of keys.
 *
 * @param {Marks} marks
 * @param {Actions} actions
 */
export function keysButton(marks, actions) {
  return element(
    "button",
    { type: "button", class: "shelf-keys-button", title: "j, k, s, x, l …", click: () => openHelp(marks, actions) },
    "Keys",
  );
}

/**
 * @param {Marks} marks
 * @param {Actions} actions
 */
function openHelp(marks, actions) {
  const rows = KEYS.filter(([, action]) => action === "help" || actions[action]).map(([keys, , meaning]) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, ...keys.flatMap((key, at) => [at > 0 ? " or " : "", element("kbd", {}, key)])),
      element("td", {}, meaning),
    ),
  );
  const box = element("input", {
    type: "checkbox",
    change: () => marks.setSetting("keys", box.checked),
  });
  box.checked = marks.getSetting("keys");
  openDialog(
    "Keys",
    element("table", { class: "shelf-keys" }, element("tbody", {}, ...rows)),
    element("p", {}, element("label", {}, box, " Single keys do this")),
    element("p", { class: "shelf-note" }, "Without them, everything can be done by the buttons and links."),
  );
}

/** @param {EventTarget | null} target */
function isWriting(target) {
  return target instanceof Element && target.matches("textarea, select, [contenteditable], input:not([type=checkbox])");
}
