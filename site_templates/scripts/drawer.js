/**
 * One key of the browser's storage.
 *
 * In: a text to keep. Out: what is kept, as JSON of this version; what cannot be read is put aside, what is of a newer
 * version stays untouched, and `failure` says why something is not kept.
 */

import { isRecord } from "./decisions.js";

/** @typedef {Pick<Storage, "getItem" | "setItem">} Shelf The part of the browser's storage that is used. */

/** Of what is kept; it stands in the key and in the text. */
export const VERSION = 1;

const LASTS = "lasts until you leave this page; save it to a file";
/** What is said of each failure, the worst first. */
export const TROUBLES = new Map([
  ["refused", `This browser refuses to keep marks for this site (is this a private window?). What you mark ${LASTS}.`],
  ["newer", `The marks kept here are of a newer version, so they stay untouched. What you mark ${LASTS}.`],
  ["damaged", `Some marks kept here cannot be read, and there is no room for a copy. What you mark now ${LASTS}.`],
  ["full", `The browser's storage is full. What you mark now ${LASTS}.`],
]);

/** One key of the storage. Its text is never overwritten when somebody may still need it. */
export class Drawer {
  /** @type {string | null} What the storage held when it was last read or written. */
  text = null;
  /** Why something is not stored, as in `TROUBLES`; "" when all is. */
  failure = "";
  /** The key of the copy of a text that could not be read; "" when there is none. */
  aside = "";
  #unread = false;
  #newer = false;
  /** @type {string | null} A text that could not be read, and has no copy yet. */
  #damaged = null;

  /**
   * @param {string} key
   * @param {() => Shelf | null} storage
   * @param {() => number} now
   */
  constructor(key, storage, now) {
    this.key = key;
    this.storage = storage;
    this.now = now;
  }

  get isDamaged() {
    return this.#damaged !== null;
  }

  /**
   * Return what was stored here since it was last read or written; null for nothing, and for what cannot be read.
   *
   * @returns {Record<string, unknown> | null}
   */
  take() {
    let text;
    try {
      text = this.#shelf().getItem(this.key);
    } catch {
      this.#unread = true;
      this.failure = "refused";
      return null;
    }
    this.#unread = false;
    if (text === this.text) {
      return null;
    }
    this.text = text;
    this.#newer = false;
    this.#damaged = null;
    const content = text === null ? null : parsed(text);
    const version = isRecord(content) ? content.papershelf : undefined;
    if (isRecord(content) && version === VERSION) {
      return content;
    }
    if (typeof version === "number" && version > VERSION) {
      this.#newer = true;
      this.failure = "newer";
    } else {
      this.#damaged = text;
    }
    return null;
  }

  /** Say that what was taken has a wrong shape. */
  condemn() {
    this.#damaged = this.text;
  }

  /**
   * Store a text in place of what was taken last. Returns whether that was done; `failure` says why not.
   *
   * @param {string} text
   */
  put(text) {
    if (this.#unread || this.#newer) {
      return false; // what lies there is not known, or not ours
    }
    if (this.#damaged !== null) {
      const aside = `${this.key}.damaged.${this.now()}`;
      if (!this.#set(aside, this.#damaged)) {
        this.failure = this.failure === "full" ? "damaged" : this.failure;
        return false;
      }
      this.#damaged = null;
      this.aside = aside;
    }
    if (text === this.text && !this.failure) {
      return true;
    }
    if (!this.#set(this.key, text)) {
      return false;
    }
    this.text = text;
    this.failure = "";
    return true;
  }

  /**
   * @param {string} key
   * @param {string} text
   */
  #set(key, text) {
    try {
      this.#shelf().setItem(key, text);
      return true;
    } catch (error) {
      this.failure = isQuotaError(error) ? "full" : "refused";
      return false;
    }
  }

  #shelf() {
    const shelf = this.storage();
    if (!shelf) {
      throw new Error("no storage");
    }
    return shelf;
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return /** @type {unknown} */ (JSON.parse(text));
  } catch {
    return null;
  }
}

/** @param {unknown} error */
function isQuotaError(error) {
  const name = error instanceof Error || isRecord(error) ? String(error.name) : "";
  return name === "QuotaExceededError" || name === "NS_ERROR_DOM_QUOTA_REACHED";
}
