// What Material's own script expects to find: remembered settings, under a key of this site alone.
// Under file:// every folder shares one storage; it can also be refused, and then nothing is remembered.
"use strict";

var __md_scope = new URL(document.currentScript.dataset.base, location);

/** Return a short number that changes with the text. */
function __md_hash(text) {
  let hash = 0;
  for (const character of text) hash = ((hash << 5) - hash + character.charCodeAt(0)) | 0;
  return hash;
}

/** Return the remembered value, or null when there is none or it cannot be read. */
function __md_get(name, storage, scope = __md_scope) {
  try {
    return JSON.parse((storage ?? localStorage).getItem(`${scope.pathname}.${name}`));
  } catch {
    return null;
  }
}

/** Remember a value; nothing happens where storage is refused or full. */
function __md_set(name, value, storage, scope = __md_scope) {
  try {
    (storage ?? localStorage).setItem(`${scope.pathname}.${name}`, JSON.stringify(value));
  } catch {
    // The setting then lasts for this page only.
  }
}
