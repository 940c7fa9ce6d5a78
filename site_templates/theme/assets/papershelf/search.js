/*
 * The search page: asks the index for what stands in the box and shows the answers.
 *
 * In: the words typed into #shelf-query, or `#q=…` in the address. Out: the list in #shelf-results, whose `data-query`
 * is the query that the list answers, set once the list is final.
 *
 * Texts of abstracts reach the page as text nodes only; nothing here ever writes HTML.
 */
(() => {
  "use strict";

  /** The site's root; this script stands two folders below it. */
  const siteRoot = new URL("../../", document.currentScript.src);

  /** Results shown at first, and added by each "Show more". */
  const RESULTS_PER_STEP = 20;
  /** Words of an excerpt. */
  const EXCERPT_WORDS = 40;
  /** Words of an excerpt that stand before its first hit. */
  const EXCERPT_LEAD = 6;
  /** Milliseconds that the box must rest: shorter than the pause after a word, longer than that between two keys. */
  const TYPING_PAUSE = 60;
  /** Answers for single words that are kept, so that a further word costs one search only. */
  const KEPT_ANSWERS = 60;

  /**
   * Pagefind's weights. By itself it adds a bonus for a word in the title that outweighs everything else: with 500
   * authors' titles as queries over derived titles, MRR@10 fell from 0.95 to 0.36. The index weighs titles by itself.
   */
  const RANKING = { metaWeights: { title: 0 } };

  /** Words that say nothing about a paper; they are asked for only when a query has no other. */
  const STOP_WORDS = new Set(
    (
      "a about above after all also am an and any are as at be because been before being below between both but by " +
      "can could did do does doing during each few for from further had has have having he her here hers him his how " +
      "i if in into is it its itself just me more most my no nor not of off on once only or other our ours out over " +
      "own same she should so some such than that the their theirs them then there these they this those through to " +
      "too under until up upon us very via was we were what when where which while who whom why will with within " +
      "without would you your yours"
    ).split(" "),
  );

  /**
   * One page that answers a query.
   *
   * @typedef {object} Hit
   * @property {() => Promise<object>} load Reads the page's fragment.
   * @property {number} matched How many of the query's words it holds.
   * @property {number} score Sum over those words of the square root of its score; higher is better. The root keeps
   *   one rare word from outweighing several common ones.
   * @property {Map<number, number>} found Position of each hit among the page's words, with the number of the
   *   query's word that was found there. The abstract's words come first, from 0.
   */

  // ---------------------------------------------------------------------------------------------- words

  /**
   * Return the words of a query that are worth a search, each once, in the order typed.
   *
   * Words are cut as the index cuts them: at whatever is neither a letter, a digit nor a mark.
   *
   * @param {string} query As typed.
   * @returns {string[]}
   */
  function contentWords(query) {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}\p{M}\p{Pc}]+/gu) ?? [])];
    const telling = words.filter((word) => !STOP_WORDS.has(word) && (word.length > 1 || !/^[a-z]$/.test(word)));
    return telling.length > 0 ? telling : words;
  }

  // ---------------------------------------------------------------------------------------------- searching

  /** The index, asked one word at a time: Pagefind by itself only finds pages with all words of a query. */
  class WordIndex {
    /** @param {object} pagefind An open Pagefind instance. */
    constructor(pagefind) {
      this.pagefind = pagefind;
      /** @type {Map<string, Promise<object[]>>} */
      this.answers = new Map();
    }

    /** Return Pagefind's results for one word. */
    resultsFor(word) {
      const known = this.answers.get(word) ?? this.pagefind.search(word).then((answer) => answer.results);
      // Deleted and set again, so that the first one in the map is the one not used for longest.
      this.answers.delete(word);
      this.answers.set(word, known);
      if (this.answers.size > KEPT_ANSWERS) this.answers.delete(this.answers.keys().next().value);
      return known;
    }

    /**
     * Return the pages that hold any of the words: those with all of them first, then by score.
     *
     * @param {string[]} words
     * @returns {Promise<Hit[]>}
     */
    async hitsFor(words) {
      const answers = await Promise.all(words.map((word) => this.resultsFor(word)));
      /** @type {Map<string, Hit>} */
      const hits = new Map();
      answers.forEach((results, number) => {
        for (const result of results) {
          let hit = hits.get(result.id);
          if (hit === undefined) {
            hit = { load: result.data, matched: 0, score: 0, found: new Map() };
            hits.set(result.id, hit);
          }
          hit.matched += 1;
          hit.score += Math.sqrt(result.score);
          for (const position of result.words) hit.found.set(position, number);
        }
      });
      const complete = (hit) => Number(hit.matched === words.length);
      return [...hits.values()].sort((one, other) => complete(other) - complete(one) || other.score - one.score);
    }
  }

  /** Run the index's script, which defines `shelfSearch`, and open the index. */
  async function openIndex() {
    const script = document.createElement("script");
    script.src = new URL("papershelf/search/pagefind.js", siteRoot).href;
    await new Promise((resolve, reject) => {
      script.addEventListener("load", resolve);
      script.addEventListener("error", () => reject(new Error(`no ${script.src}`)));
      document.head.append(script);
    });
    const { index, entries } = await globalThis.shelfSearch.open(RANKING);
    return { words: index === null ? null : new WordIndex(index), entries };
  }

  // ---------------------------------------------------------------------------------------------- excerpts

  /**
   * Return where the excerpt should start: the window with most of the query's words, then with most hits.
   *
   * @param {number} length Number of words in the abstract.
   * @param {Map<number, number>} found See {@link Hit}.
   * @returns {number}
   */
  function excerptStart(length, found) {
    const positions = [...found.keys()].filter((position) => position < length).sort((a, b) => a - b);
    let best = { start: 0, different: 0, hits: 0 };
    positions.forEach((start, first) => {
      const inside = positions.slice(first).filter((position) => position < start + EXCERPT_WORDS - EXCERPT_LEAD);
      const different = new Set(inside.map((position) => found.get(position))).size;
      if (different > best.different || (different === best.different && inside.length > best.hits)) {
        best = { start, different, hits: inside.length };
      }
    });
    return Math.max(0, Math.min(best.start - EXCERPT_LEAD, length - EXCERPT_WORDS));
  }

  /**
   * Return the part of an abstract that shows the hits, as nodes: text, and `<mark>` around each word found.
   *
   * @param {string} text The abstract, single blanks between its words.
   * @param {Map<number, number>} found See {@link Hit}.
   * @returns {DocumentFragment}
   */
  function excerptOf(text, found) {
    const words = text.split(" ");
    const start = excerptStart(words.length, found);
    const end = Math.min(words.length, start + EXCERPT_WORDS);
    const excerpt = document.createDocumentFragment();
    if (start > 0) excerpt.append("… ");
    for (let position = start; position < end; position += 1) {
      if (position > start) excerpt.append(" ");
      excerpt.append(...(found.has(position) ? markedWord(words[position]) : [words[position]]));
    }
    if (end < words.length) excerpt.append(" …");
    excerpt.normalize();
    return excerpt;
  }

  /** Return a found word with its letters marked and the punctuation around it left plain. */
  function markedWord(word) {
    const [, before, core, after] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su.exec(word);
    const mark = document.createElement("mark");
    mark.textContent = core;
    return [before, mark, after];
  }

  // ---------------------------------------------------------------------------------------------- showing

  /**
   * Return a new element with a class and children; strings become text nodes.
   *
   * @param {string} name
   * @param {string} className
   * @param {...(Node | string)} children
   */
  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  function link(address, className, text) {
    const made = element("a", className, text);
    made.href = new URL(address, siteRoot).href;
    return made;
  }

  /** Return the list item of one result. */
  function resultItem(hit, fragment) {
    const { id, url, title, tags, authors, year, collection } = fragment.meta;
    const item = element("li", "shelf-result", link(url, "shelf-result__title", title));
    item.dataset.id = id;
    // "ICML 2025" says the year already.
    const told = year !== null && collection.includes(String(year));
    const origin = [shortNames(authors), collection, told || year === null ? "" : String(year)].filter(Boolean);
    if (origin.length > 0) item.append(element("p", "shelf-result__origin", origin.join(" · ")));
    item.append(element("p", "shelf-result__excerpt", excerptOf(fragment.content, hit.found)));
    if (tags.length > 0) {
      const list = element("ul", "shelf-result__tags");
      list.setAttribute("aria-label", "Tags");
      list.append(...tags.map(([label, address]) => element("li", "", link(address, "md-tag", label))));
      item.append(list);
    }
    return item;
  }

  function shortNames(authors) {
    return authors.length > 3 ? `${authors[0]} and ${authors.length - 1} others` : authors.join(", ");
  }

  /** Say how many pages were found, and how many of them hold every word. */
  function countSentence(hits, words) {
    if (hits.length === 0) return "Nothing found. Try fewer or shorter words: “optim” finds “optimization”, too.";
    const total = hits.length === 1 ? "1 result" : `${hits.length} results`;
    if (words.length < 2) return total;
    const complete = hits.findIndex((hit) => hit.matched < words.length);
    if (complete === -1) return `${total} with all ${words.length} words`;
    return complete === 0 ? `${total}, none with all ${words.length} words` : `${total}, ${complete} with all words`;
  }

  // ---------------------------------------------------------------------------------------------- the page

  /** The page's elements and what they do. */
  class SearchPage {
    constructor() {
      this.form = document.getElementById("shelf-search");
      this.box = document.getElementById("shelf-query");
      this.status = document.getElementById("shelf-status");
      this.list = document.getElementById("shelf-results");
      this.more = document.getElementById("shelf-more");
      /** Counts queries; an answer whose number is not the latest comes too late and is dropped. */
      this.latest = 0;
      /** @type {number | undefined} */
      this.timer = undefined;
      /** @type {Hit[]} */
      this.hits = [];
      this.shown = 0;
      this.opening = openIndex();
      this.opening.catch((error) => {
        console.error(error);
        this.say("There is no search index here. Run “papershelf build” to make it.");
      });
    }

    /** Begin to listen, and answer the query in the address. */
    start() {
      this.box.addEventListener("input", () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.answer(), this.box.value === "" ? 0 : TYPING_PAUSE);
      });
      this.form.addEventListener("submit", (event) => {
        event.preventDefault();
        this.openFirst();
      });
      this.more.addEventListener("click", () => this.showMore());
      document.addEventListener("keydown", (event) => this.press(event));
      window.addEventListener("hashchange", () => this.readAddress());
      this.readAddress();
    }

    say(sentence) {
      if (this.status.textContent !== sentence) this.status.textContent = sentence;
    }

    /** Take the query from `#q=…`, and answer it. */
    readAddress() {
      const query = new URLSearchParams(location.hash.slice(1)).get("q");
      if (query !== null) this.box.value = query;
      if (this.box.value !== this.list.dataset.query) this.answer();
    }

    /** Write the query into the address, so that going back to this page, or a bookmark, shows it again. */
    writeAddress(query) {
      const fragment = query === "" ? "" : `#${new URLSearchParams({ q: query })}`;
      if (location.hash !== fragment) {
        history.replaceState(history.state, "", location.pathname + location.search + fragment);
      }
    }

    /**
     * Answer what stands in the box.
     *
     * @returns {Promise<boolean>} Whether the list now answers it; false when a later query came in between.
     */
    async answer() {
      clearTimeout(this.timer);
      const query = this.box.value;
      const number = (this.latest += 1);
      const words = contentWords(query);
      const loading = setTimeout(() => number === this.latest && this.say("Loading…"), 150);
      try {
        const { words: index, entries } = words.length === 0 ? { words: null, entries: null } : await this.opening;
        if (number !== this.latest) return false;
        const hits = index === null ? [] : await index.hitsFor(words);
        if (number !== this.latest) return false;
        const items = await this.itemsFor(hits.slice(0, RESULTS_PER_STEP));
        if (number !== this.latest) return false;
        clearTimeout(loading);
        this.hits = hits;
        this.shown = items.length;
        this.list.replaceChildren(...items);
        this.more.hidden = this.shown >= hits.length;
        this.say(this.summary(words, entries));
        this.writeAddress(query);
        this.list.dataset.query = query;
        return true;
      } catch (error) {
        if (number === this.latest) this.fail(error);
        return false;
      } finally {
        clearTimeout(loading);
      }
    }

    summary(words, entries) {
      if (words.length === 0) return "";
      if (entries === 0) return "This site has no abstracts yet.";
      const damage = globalThis.shelfSearch.failed.length;
      const warning = damage > 0 ? " A part of the search index is missing; run “papershelf build” again." : "";
      return countSentence(this.hits, words) + warning;
    }

    fail(error) {
      console.error(error);
      this.hits = [];
      this.shown = 0;
      this.list.replaceChildren();
      this.more.hidden = true;
      this.say("The search index is missing or damaged. Run “papershelf build” to make it anew.");
    }

    /** @param {Hit[]} hits */
    itemsFor(hits) {
      return Promise.all(hits.map(async (hit) => resultItem(hit, await hit.load())));
    }

    async showMore() {
      const number = this.latest;
      const items = await this.itemsFor(this.hits.slice(this.shown, this.shown + RESULTS_PER_STEP));
      if (number !== this.latest) return;
      this.shown += items.length;
      this.list.append(...items);
      this.more.hidden = this.shown >= this.hits.length;
      items[0]?.querySelector("a").focus();
    }

    /** Open the first result, once there is one for what stands in the box. */
    async openFirst() {
      if (this.list.dataset.query !== this.box.value && !(await this.answer())) return;
      this.titles()[0]?.click();
    }

    /** @returns {HTMLAnchorElement[]} */
    titles() {
      return [...this.list.querySelectorAll(".shelf-result__title")];
    }

    /** @param {KeyboardEvent} event */
    press(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const inBox = event.target === this.box;
      const inList = this.list.contains(event.target);
      const writing = event.target.matches?.("input, textarea, select, [contenteditable]") ?? false;
      if (event.key === "/" && !writing) {
        this.focusBox();
      } else if (event.key === "Escape" && inList) {
        this.focusBox();
      } else if (event.key === "ArrowDown" && (inBox || inList)) {
        this.move(1, event.target);
      } else if (event.key === "ArrowUp" && inList) {
        this.move(-1, event.target);
      } else {
        return;
      }
      event.preventDefault();
    }

    focusBox() {
      this.box.focus();
      this.box.select();
    }

    /**
     * Move on to the next or previous result, or from the first one back to the box.
     *
     * @param {1 | -1} step
     * @param {HTMLElement} from What has the focus now.
     */
    move(step, from) {
      const titles = this.titles();
      const here = titles.indexOf(from.closest(".shelf-result")?.querySelector(".shelf-result__title"));
      const next = here + step;
      if (next < 0) this.focusBox();
      else (titles[next] ?? (this.more.hidden ? from : this.more)).focus();
    }
  }

  new SearchPage().start();
})();
