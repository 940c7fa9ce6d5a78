/**
 * One paper as the site's data holds it, and where that lies.
 *
 * In: a paper's id. Out: its record, read from `papershelf/records/<id>.js` once.
 */

import { loadChunk } from "./chunks.js";
import { siteRoot } from "./elements.js";

/**
 * @typedef {object} PaperRecord
 * @property {string} id 12 hex digits.
 * @property {string} page Its page's address, relative to the site's root.
 * @property {string} title Plain text on one line.
 * @property {boolean} derived Whether the title was derived from the abstract, so that it is not the authors'.
 * @property {string} abstract Plain text; may hold line breaks between paragraphs.
 * @property {string[]} authors Names in the source's order, as written; often none.
 * @property {number | null} year
 * @property {[string, string][]} collections Names of its collections, each with its page's address.
 * @property {[string, string][]} tags Labels of its derived tags, each with its page's address.
 * @property {string[]} keywords The authors' own.
 * @property {string | null} url The paper's own page elsewhere, http or https.
 * @property {string} source Where it was read, such as `papers.txt, record 3`.
 * @property {string | null} sourceId The source's own id.
 * @property {string} added The day it was first built, `YYYY-MM-DD`.
 */

/** Records that stay read. */
const KEPT_RECORDS = 500;

/** @type {Map<string, Promise<PaperRecord>>} */
const records = new Map();

/**
 * Return the record of a paper.
 *
 * @param {string} id
 * @param {string} [version] Of the build, so that no browser shows an older one.
 * @returns {Promise<PaperRecord>} Rejected when the site has none.
 */
export function readRecord(id, version = "") {
  let record = records.get(id);
  if (!record) {
    record = loadChunk(new URL(`papershelf/records/${id}.js${version && `?v=${version}`}`, siteRoot));
    records.set(id, record);
    const [oldest] = records.keys();
    if (records.size > KEPT_RECORDS) records.delete(oldest);
  }
  return record;
}
