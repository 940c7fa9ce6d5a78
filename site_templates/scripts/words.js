/**
 * The words of texts and queries, cut as `generator/finish/search/words.py` cuts them.
 *
 * In: plain text, and the tables that the index's manifest brings. Out: search terms.
 */

/**
 * @typedef {object} WordTables
 * @property {Record<string, string>} letters What stands for letters that Unicode's own folding leaves.
 * @property {Record<string, string>} greek Names of Greek letters.
 * @property {string} unspaced Ranges of scripts without blanks between words.
 * @property {[ending: string, replacement: string, fewest: number][][]} suffixes Endings, in rounds.
 * @property {number} longest Most characters of a term.
 */

/**
 * @typedef {object} FoundWord A word where it stands in a text.
 * @property {string} text As written.
 * @property {number} start In UTF-16 units.
 */

const WORD = /[\p{L}\p{N}]+/gu;
const JOINED = /[\p{L}\p{N}]+(?:[-‐_'’.·/][\p{L}\p{N}]+)+/gu;
const CALL = /(?<![\p{L}\p{N}])[\p{L}\p{Nl}\p{No}]{1,3}\([^()]{1,32}\)/gu;
const VOWEL = /[aeiouy]/;
/** A word of a text that was not folded: marks belong to their letters. */
const SURFACE = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

export class WordRules {
  /** @param {WordTables} tables */
  constructor(tables) {
    this.tables = tables;
    this.symbols = new RegExp(`[${Object.keys(tables.letters).join("")}]`, "gu");
    this.unspaced = new RegExp(`[${tables.unspaced}]+`, "gu");
  }

  /**
   * Return a text in small letters, without accents, ligatures and other variants of letters.
   *
   * @param {string} text
   */
  fold(text) {
    const bare = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/\p{M}/gu, "");
    return bare.replace(this.symbols, (letter) => this.tables.letters[letter]);
  }

  /**
   * Return a folded word without its English endings; words with other letters stay as they are.
   *
   * @param {string} word
   */
  stem(word) {
    if (!/^[a-z]+$/.test(word)) return word;
    for (const endings of this.tables.suffixes) {
      for (const [ending, replacement, fewest] of endings) {
        if (!word.endsWith(ending)) continue;
        const rest = word.slice(0, word.length - ending.length);
        if (rest.length >= fewest && VOWEL.test(rest)) {
          word = rest + replacement;
          break;
        }
        if (ending === replacement) break;
      }
    }
    return word;
  }

  /**
   * Return the words that a row of folded letters and digits counts as: itself, but for symbols and unspaced scripts.
   *
   * @param {string} word
   * @returns {string[]}
   */
  cut(word) {
    if (Object.hasOwn(this.tables.greek, word)) return [this.tables.greek[word]];
    const found = [];
    let end = 0;
    for (const run of word.matchAll(this.unspaced)) {
      if (run.index > end) found.push(this.#shortened(word.slice(end, run.index)));
      const characters = Array.from(run[0]);
      characters.forEach((character, at) => found.push(character + (characters[at + 1] ?? "")));
      end = run.index + run[0].length;
    }
    if (end < word.length) found.push(this.#shortened(word.slice(end)));
    return found;
  }

  /**
   * Return the words of a text in reading order, folded, not stemmed.
   *
   * @param {string} text
   * @returns {string[]}
   */
  readWords(text) {
    return (this.fold(text).match(WORD) ?? []).flatMap((word) => this.cut(word));
  }

  /**
   * Return what finds a text besides its words: `zeroshot` for zero-shot, `o(nlogn)` for O(n log n).
   *
   * @param {string} text
   * @returns {string[]}
   */
  joinedWords(text) {
    const folded = this.fold(text);
    const joined = (folded.match(JOINED) ?? []).map((word) => this.#shortened((word.match(WORD) ?? []).join("")));
    return [...joined, ...(folded.match(CALL) ?? []).map(spellCall)];
  }

  /**
   * Return where function values such as `O(n log n)` stand in a text, with their terms.
   *
   * @param {string} text
   * @returns {{ text: string, start: number, term: string }[]}
   */
  calls(text) {
    return [...text.matchAll(CALL)].map((call) => ({
      text: call[0],
      start: call.index,
      term: spellCall(this.fold(call[0])),
    }));
  }

  /**
   * Return the words of a text where they stand; what of them is a term is for `cut` to say.
   *
   * @param {string} text
   * @returns {FoundWord[]}
   */
  wordsIn(text) {
    return [...text.matchAll(SURFACE)].map((word) => ({ text: word[0], start: word.index }));
  }

  /**
   * Return whether a word is of a script without blanks between words.
   *
   * @param {string} word
   */
  isUnspaced(word) {
    return new RegExp(`^${this.unspaced.source}$`, "u").test(word);
  }

  /** @param {string} word */
  #shortened(word) {
    const { longest } = this.tables;
    return word.length > longest ? Array.from(word).slice(0, longest).join("") : word;
  }
}

/**
 * Return the term of a function's value, such as `o(nlogn)`, from its folded text.
 *
 * @param {string} call
 */
function spellCall(call) {
  const at = call.indexOf("(");
  return `${call.slice(0, at)}(${(call.slice(at).match(WORD) ?? []).join("")})`;
}
