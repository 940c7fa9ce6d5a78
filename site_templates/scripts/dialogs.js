/**
 * Small windows over the page.
 *
 * In: a heading and what the window holds. Out: the window, open; what had the focus before has it again afterwards.
 */

import { element } from "./elements.js";

/**
 * Open a dialog.
 *
 * @param {string} heading
 * @param {...(Node | string)} content
 * @returns {HTMLDialogElement} It is taken out of the page when it is closed.
 */
export function openDialog(heading, ...content) {
  const id = `shelf-dialog-${document.querySelectorAll("dialog").length}`;
  const close = element("button", { type: "button", class: "shelf-dialog__close", click: () => dialog.close() }, "Close");
  const dialog = element(
    "dialog",
    { class: "shelf-dialog md-typeset", "aria-labelledby": id },
    element("div", { class: "shelf-dialog__head" }, element("h2", { id }, heading), close),
    ...content,
  );
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (event) => event.target === dialog && isOutside(event, dialog) && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Return whether a dialog is open. */
export function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}

/** @type {HTMLElement | null} */
let region = null;

/**
 * Say something in a few words, on the screen and to a screen reader; it goes by itself.
 *
 * @param {string} sentence
 */
export function say(sentence) {
  if (!region) {
    region = element("div", { class: "shelf-said", role: "status" });
    document.body.append(region);
  }
  const said = element("p", {}, sentence);
  region.replaceChildren(said);
  setTimeout(() => said.remove(), 4000);
}

/**
 * @param {MouseEvent} event
 * @param {HTMLElement} dialog
 */
function isOutside({ clientX, clientY }, dialog) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
