/**
 * Deciding on papers: the buttons below each, and what they and the keys do.
 *
 * In: the reader's marks and a page's list of papers. Out: marks given, shown and taken back.
 */

import { say } from "./dialogs.js";
import { element } from "./elements.js";
import { openNote } from "./notes.js";

/** @typedef {import("./marks.js").Marks} Marks */
/** @typedef {import("./decisions.js").Mark} Mark */

/**
 * @typedef {object} PaperList What a page lists, be it one paper.
 * @property {() => string | null} current The id of the paper that keys are about.
 * @property {() => unknown} first To the first paper.
 * @property {(step: 1 | -1) => unknown} move To the next or previous paper.
 * @property {(id: string) => unknown} select
 * @property {() => unknown} open
 * @property {(() => unknown) | null} read Shows or hides the abstract in place; null where it stands anyhow.
 * @property {boolean} goesOn Whether to go to the next paper after each mark.
 */

/** @type {readonly (readonly [mark: Exclude<Mark, "">, label: string, said: string])[]} */
const MARK_BUTTONS = [
  ["kept", "Keep", "Kept"],
  ["later", "Later", "For later"],
  ["skipped", "Skip", "Skipped"],
];

export class Triage {
  /**
   * @param {Marks} marks
   * @param {PaperList} list
   */
  constructor(marks, list) {
    this.marks = marks;
    this.list = list;
    marks.onChange((ids) => ids.forEach((id) => showMark(marks, id)));
  }

  /** @returns {import("./keys.js").Actions} */
  get actions() {
    return {
      next: () => this.list.move(1),
      previous: () => this.list.move(-1),
      keep: () => this.#mark("kept"),
      skip: () => this.#mark("skipped"),
      later: () => this.#mark("later"),
      undo: () => this.undo(),
      open: () => this.list.open(),
      ...(this.list.read && { read: () => this.list.read?.() }),
      note: () => {
        const id = this.list.current();
        if (id) openNote(this.marks, id);
      },
    };
  }

  /** Take back the last mark of this page. */
  undo() {
    const id = this.marks.undo();
    if (id) this.list.select(id);
    say(id ? "Taken back" : "Nothing to undo on this page");
  }

  /**
   * Return the buttons of one paper.
   *
   * @param {string} id
   * @param {string} title
   * @param {...HTMLElement} others Further buttons.
   */
  buttons(id, title, ...others) {
    const group = element(
      "div",
      { class: "shelf-marks", role: "group", "aria-label": `Marks of ${title}` },
      ...MARK_BUTTONS.map(([mark, label]) =>
        element(
          "button",
          { type: "button", "data-set": mark, "aria-pressed": "false", click: () => this.#toggle(id, mark) },
          label,
        ),
      ),
      ...others,
      element("button", { type: "button", click: () => openNote(this.marks, id) }, "Note"),
    );
    return group;
  }

  /** @param {Exclude<Mark, "">} mark */
  #mark(mark) {
    const id = this.list.current();
    if (!id) {
      this.list.move(1);
      return;
    }
    this.marks.mark(id, mark);
    say(MARK_BUTTONS.find(([each]) => each === mark)?.[2] ?? "");
    if (this.list.goesOn) this.list.move(1);
  }

  /**
   * @param {string} id
   * @param {Exclude<Mark, "">} mark
   */
  #toggle(id, mark) {
    const had = this.marks.get(id).mark === mark;
    this.marks.mark(id, had ? "" : mark);
    say(had ? "No mark" : (MARK_BUTTONS.find(([each]) => each === mark)?.[2] ?? ""));
  }
}

/**
 * Show on a page what is marked about a paper; elements that carry its `data-id` get `data-mark` and `data-seen`.
 *
 * @param {Marks} marks
 * @param {string} id
 */
export function showMark(marks, id) {
  for (const found of document.querySelectorAll(`[data-id="${id}"]`)) {
    if (found instanceof HTMLElement) showMarkOn(marks, found, id);
  }
}

/**
 * @param {Marks} marks
 * @param {HTMLElement} item
 * @param {string} id
 */
export function showMarkOn(marks, item, id) {
  const { mark, seen, note, labels, title } = marks.get(id);
  item.dataset.mark = mark;
  item.toggleAttribute("data-seen", seen);
  for (const button of item.querySelectorAll("[data-set]")) {
    button.setAttribute("aria-pressed", String(button.getAttribute("data-set") === mark));
  }
  const own = item.matches(".shelf-own") ? item : item.querySelector(".shelf-own");
  own?.replaceChildren(
    ...(title ? [element("p", { class: "shelf-own__title" }, `Your title: ${title}`)] : []),
    ...(labels.length > 0 ? [element("p", { class: "shelf-own__labels" }, `Your labels: ${labels.join(", ")}`)] : []),
    ...(note ? [element("p", { class: "shelf-own__note" }, note)] : []),
  );
}
