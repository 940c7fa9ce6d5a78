/**
 * Texts on their way out of the page: into a file, or to the clipboard.
 *
 * In: a text. Out: a download, or a copy.
 */

import { openDialog, say } from "./dialogs.js";
import { element } from "./elements.js";

/**
 * Offer a text as a file.
 *
 * @param {string} name
 * @param {string} type MIME type.
 * @param {string} text
 */
export function saveFile(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // a slow disk may still be reading it
}

/**
 * Copy a text; where the browser refuses, show it so that the reader can.
 *
 * @param {string} text
 * @param {string} said What to say then.
 */
export async function copyText(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    say(said);
  } catch {
    const box = element("textarea", { rows: 6, readonly: true, "aria-label": "Text to copy" });
    box.value = text;
    openDialog("Copy this", box);
    box.select();
  }
}

/**
 * Return a site's name as part of a file's name.
 *
 * @param {string} name
 */
export function fileStem(name) {
  const stem = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return stem.slice(0, 60) || "papershelf";
}
