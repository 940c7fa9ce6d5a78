/**
 * The index of a site's papers, read in parts when they are asked for.
 *
 * In: what loads a part by its name. Out: which papers hold a term, and where; the words like another; the facets. A
 * paper is told by its row, its number in the order of the sources. `generator/finish/search/` writes the parts.
 */

import { bytesOf, readLists, readVarints } from "./chunks.js";
import { nearestWord } from "./spelling.js";
import { WordRules } from "./words.js";

/** @typedef {import("./chunks.js").Load} Load */

/**
 * @typedef {object} Manifest
 * @property {number} format
 * @property {number} papers
 * @property {string} version Of this build's parts.
 * @property {string[]} terms The first term of each block.
 * @property {string[]} vocabulary The first word of each block.
 * @property {import("./words.js").WordTables} words
 */

/**
 * @typedef {object} Posting The papers that hold a term.
 * @property {Uint32Array} rows Ascending.
 * @property {Uint8Array} impacts How much the term tells of each, 1 to 255; same order.
 */

/**
 * @typedef {object} Facet
 * @property {string[]} labels Those of most papers first.
 * @property {string[]} pages Addresses of the labels' pages; empty where they have none.
 * @property {Uint32Array[]} rows Of each label, ascending.
 */

/** @typedef {"topic" | "tag" | "collection" | "year" | "added" | "author"} FacetName */

/** The format that this script reads; `generator/finish/search/__init__.py` writes its number. */
const FORMAT = 1;

/** Blocks that stay read: those of some queries before. */
const KEPT_BLOCKS = 60;

/** Blocks of the vocabulary that are looked through at most for a misspelt word. */
const MOST_BLOCKS_FOR_SPELLING = 60;

export class SearchIndex {
  /** @type {Map<string, Promise<any>>} What was read, the longest unused first. */
  #blocks = new Map();
  /** @type {Map<string, Promise<any>>} What was read and stays. */
  #whole = new Map();

  /**
   * @param {Manifest} manifest
   * @param {Load} load Loads all other parts.
   */
  constructor(manifest, load) {
    if (manifest.format !== FORMAT) {
      throw new Error(`expected a search index of format ${FORMAT}, found ${manifest.format}`);
    }
    this.manifest = manifest;
    this.load = load;
    this.papers = manifest.papers;
    this.words = new WordRules(manifest.words);
  }

  /**
   * Return the papers that hold a term.
   *
   * @param {string} term
   * @returns {Promise<Posting>}
   */
  async posting(term) {
    const found = await this.#find(term);
    if (!found) return { rows: new Uint32Array(0), impacts: new Uint8Array(0) };
    const { block, at } = found;
    const start = sum(block.sizes, 0, at);
    const size = block.sizes[at];
    block.rows ??= readLists(block.sizes, readVarints(bytesOf(block.gaps)));
    block.bytes ??= bytesOf(block.impacts);
    return { rows: block.rows[at], impacts: block.bytes.subarray(start, start + size) };
  }

  /**
   * Return the places of a term in each paper that holds it.
   *
   * @param {string} term
   * @returns {Promise<Uint32Array[]>} One a row of its posting, same order; places ascend.
   */
  async places(term) {
    const found = await this.#find(term);
    if (!found) return [];
    const { block, number, at } = found;
    const places = await this.#block(`places/${number}`);
    places.lists ??= readLists(readVarints(bytesOf(places.counts)), readVarints(bytesOf(places.places)));
    const start = sum(block.sizes, 0, at);
    return places.lists.slice(start, start + block.sizes[at]);
  }

  /**
   * Return words of the texts that begin like one, the commonest first.
   *
   * @param {string} prefix Folded.
   * @param {number} most How many at most.
   * @returns {Promise<string[]>}
   */
  async wordsWithPrefix(prefix, most) {
    const found = [];
    const first = Math.max(0, blockOf(this.manifest.vocabulary, prefix));
    for (let number = first; number < this.manifest.vocabulary.length; number += 1) {
      if (number > first && !this.manifest.vocabulary[number].startsWith(prefix)) break;
      const { words, counts } = await this.#block(`vocabulary/${number}`);
      for (let at = lowerBound(words, prefix); at < words.length && words[at].startsWith(prefix); at += 1) {
        found.push({ word: words[at], count: counts[at] });
      }
    }
    return found
      .sort((one, other) => other.count - one.count)
      .slice(0, most)
      .map(({ word }) => word);
  }

  /**
   * Return the known word that is nearest to a misspelt one, or null when none is near.
   *
   * @param {string} word Folded.
   * @returns {Promise<string | null>}
   */
  async nearest(word) {
    const [first, second = ""] = Array.from(word);
    // The first letter is right most often; else it is missing, or changed places with the second.
    for (const letter of new Set([first, second])) {
      const found = await this.#nearestWith(word, letter);
      if (found) return found;
    }
    return null;
  }

  /**
   * @param {FacetName} name
   * @returns {Promise<Facet>}
   */
  facet(name) {
    return this.#once(`facet ${name}`, async () => {
      const { labels, pages, sizes, gaps } = await this.load(`facets/${name}`);
      return { labels, pages, rows: readLists(sizes, readVarints(bytesOf(gaps))) };
    });
  }

  /**
   * Return for each row its number in the order of titles.
   *
   * @returns {Promise<Uint32Array>}
   */
  titleRanks() {
    return this.#once("titles", async () => {
      const bytes = bytesOf(await this.load("titles"));
      const rows = new Uint32Array(bytes.buffer); // all machines that browsers run on have the lowest byte first
      const ranks = new Uint32Array(rows.length);
      rows.forEach((row, rank) => {
        ranks[row] = rank;
      });
      return ranks;
    });
  }

  /** @returns {Promise<Ids>} */
  ids() {
    return this.#once("ids", async () => new Ids(bytesOf(await this.load("ids"))));
  }

  /**
   * @param {string} word
   * @param {string} letter
   */
  async #nearestWith(word, letter) {
    const { vocabulary } = this.manifest;
    const start = Math.max(0, blockOf(vocabulary, letter));
    /** @type {{ word: string, distance: number, count: number } | null} */
    let best = null;
    for (let number = start; number < Math.min(vocabulary.length, start + MOST_BLOCKS_FOR_SPELLING); number += 1) {
      if (number > start && !vocabulary[number].startsWith(letter)) break;
      const block = await this.#block(`vocabulary/${number}`);
      best = nearestWord(word, letter, block.words, block.counts, best);
    }
    return best?.word ?? null;
  }

  /** @param {string} term */
  async #find(term) {
    const number = blockOf(this.manifest.terms, term);
    if (number < 0) return null;
    const block = await this.#block(`terms/${number}`);
    const at = lowerBound(block.terms, term);
    return block.terms[at] === term ? { block, number, at } : null;
  }

  /** @param {string} name */
  #block(name) {
    const known = this.#blocks.get(name) ?? this.load(name);
    this.#blocks.delete(name);
    this.#blocks.set(name, known); // now the last one
    const [oldest] = this.#blocks.keys();
    if (this.#blocks.size > KEPT_BLOCKS) this.#blocks.delete(oldest);
    return known;
  }

  /**
   * @template Content
   * @param {string} name
   * @param {() => Promise<Content>} read
   * @returns {Promise<Content>}
   */
  #once(name, read) {
    const known = this.#whole.get(name) ?? read();
    this.#whole.set(name, known);
    return known;
  }
}

/** The ids of all rows: 12 hex digits each. */
export class Ids {
  /** @type {Map<string, number> | null} */
  #rows = null;

  /** @param {Uint8Array} bytes Six an id. */
  constructor(bytes) {
    this.bytes = bytes;
    this.length = bytes.length / 6;
  }

  /** @param {number} row */
  at(row) {
    let id = "";
    for (let at = row * 6; at < row * 6 + 6; at += 1) id += this.bytes[at].toString(16).padStart(2, "0");
    return id;
  }

  /**
   * Return the row of an id, or -1 when no paper of this site has it.
   *
   * @param {string} id
   */
  rowOf(id) {
    this.#rows ??= new Map(Array.from({ length: this.length }, (_, row) => [this.at(row), row]));
    return this.#rows.get(id) ?? -1;
  }
}

/**
 * Return the number of the block that would hold a term, or -1 when it comes before all.
 *
 * @param {string[]} firsts
 * @param {string} term
 */
function blockOf(firsts, term) {
  const at = lowerBound(firsts, term);
  return firsts[at] === term ? at : at - 1;
}

/**
 * Return the number of the first of sorted words that is not before another; words are sorted by code points.
 *
 * @param {string[]} words
 * @param {string} word
 */
function lowerBound(words, word) {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(words[middle], word)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Return whether a word comes before another by code points, where JavaScript itself compares UTF-16 units.
 *
 * @param {string} one
 * @param {string} other
 */
function isBefore(one, other) {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    if (one[at] === other[at]) continue;
    return /** @type {number} */ (one.codePointAt(at)) < /** @type {number} */ (other.codePointAt(at));
  }
  return one.length < other.length;
}

/**
 * @param {number[]} numbers
 * @param {number} start
 * @param {number} end
 */
function sum(numbers, start, end) {
  let total = 0;
  for (let at = start; at < end; at += 1) total += numbers[at];
  return total;
}
