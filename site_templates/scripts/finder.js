/**
 * Finding papers, narrowing and deciding on them, among all of the site or within one page's list.
 *
 * In: the words in #shelf-query and the view in the address. Out: the list in #shelf-results, whose `data-query` is the
 * query that the list answers, set once the list is final. A page that lists papers by itself shows its own list as long
 * as nothing is asked for, and until then no index is read.
 */

import { breathe } from "./breathe.js";
import { loadChunk } from "./chunks.js";
import { button, counted, element, siteRoot } from "./elements.js";
import { openExports } from "./export_dialog.js";
import { FacetPanel, filterChips } from "./facet_panel.js";
import { makeFrame } from "./finder_frame.js";
import { SearchIndex } from "./index.js";
import { keysButton, listenToKeys } from "./keys.js";
import { Narrowing } from "./narrowing.js";
import { readRecord } from "./records.js";
import { makeResult } from "./result_item.js";
import { ResultList } from "./result_list.js";
import { search } from "./search.js";
import { SITE } from "./site.js";
import { showMarkOn, Triage } from "./triage.js";
import { isViewFragment, readView, writeView } from "./view.js";

/** @typedef {import("./search.js").Answer} Answer */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./view.js").ViewFilter} ViewFilter */
/** @typedef {import("./records.js").PaperRecord} PaperRecord */
/** @typedef {import("./reader.js").Reader} Reader */
/** @typedef {import("./triage.js").PaperList} PaperList */

/**
 * @typedef {object} GivenList What a page lists by itself.
 * @property {HTMLElement[]} elements Hidden while something else is listed.
 * @property {PaperList} papers
 * @property {string[]} ids In the order of the page.
 * @property {(hidden: boolean) => void} hideSeen
 */

/** Milliseconds that the box must rest: shorter than the pause after a word, longer than that between two keys. */
const TYPING_PAUSE = 60;
/** Milliseconds after which the page says that it is at work. */
const PATIENCE = 150;

const INDEX_FOLDER = "papershelf/search/";

/** @returns {Promise<SearchIndex>} */
async function openIndex() {
  // The manifest tells the build's version; it must not be an older one itself.
  const manifest = await loadChunk(new URL(`${INDEX_FOLDER}manifest.js?t=${Date.now()}`, siteRoot));
  const load = (/** @type {string} */ name) =>
    loadChunk(new URL(`${INDEX_FOLDER}${name}.js?v=${manifest.version}`, siteRoot));
  return new SearchIndex(manifest, load);
}

export class Finder {
  /** Counts views; what comes late for an older one is dropped. */
  #latest = 0;
  /** @type {number | undefined} */
  #timer = undefined;
  /** @type {Promise<{ index: SearchIndex, narrowing: Narrowing }> | null} Null until something is asked for. */
  #opened = null;
  /**
   * The papers that were found, in their order.
   *
   * @type {Uint32Array}
   */
  #rows = new Uint32Array(0);
  /** Which of them keys are about; -1 for none yet. */
  #position = -1;
  /** @type {FacetPanel | null} */
  #facets = null;
  /** Whether the page's own list has to stand back, also for a view of all its papers. */
  #isOpen;
  #sort = element("select", {
    "aria-label": "Order",
    change: () => this.#ask({ ...this.view, sort: /** @type {View["sort"]} */ (this.#sort.value) }),
  });
  #filters = element(
    "button",
    {
      type: "button",
      class: "shelf-filters-button",
      "aria-expanded": "false",
      "aria-controls": "shelf-facets",
      click: () => this.#toggleFilters(),
    },
    "Filters",
  );
  #hide = element("input", { type: "checkbox", change: () => this.#hideSeen(this.#hide.checked) });

  /**
   * @param {Reader} reader
   * @param {object} options
   * @param {string} options.label What the box asks for.
   * @param {ViewFilter | null} [options.within] What all papers of the page have; null for a page of all papers.
   * @param {GivenList | null} [options.given]
   */
  constructor({ marks, since }, { label, within = null, given = null }) {
    this.marks = marks;
    this.since = since;
    this.within = within;
    this.given = given;
    this.#isOpen = given === null;
    this.frame = makeFrame(label);
    this.results = new ResultList(this.frame.list);
    this.view = readView("");
    /** @type {PaperList} */
    this.found = {
      current: () => this.#currentId(),
      first: () => this.#select(0),
      move: (step) => this.#move(step),
      select: (id) => this.#selectId(id),
      open: () => this.#currentItem()?.querySelector("a")?.click(),
      read: () => this.#toggleText(),
      goesOn: true,
    };
    this.triage = new Triage(marks, given?.papers ?? this.found);
    this.actions = { ...this.triage.actions, search: () => this.focusBox() };
    marks.onChange((ids) => {
      if (ids.length === 0 || !this.#opened) return;
      this.#showProgress();
      this.#facets?.showMarks();
    });
  }

  /** Listen to the reader, and show what the address asks for. `frame.whole` must be in the page. */
  start() {
    const { box, form, list } = this.frame;
    this.#makeTools();
    box.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#takeQuery(), box.value === "" ? 0 : TYPING_PAUSE);
    });
    box.addEventListener("keydown", (event) => this.#pressInBox(event));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.#takeQuery();
      this.triage.list.first();
    });
    list.addEventListener("keydown", (event) => this.#pressInList(event));
    list.addEventListener("focusin", (event) => this.#noteFocus(event));
    window.addEventListener("hashchange", () => isViewFragment(location.hash) && this.#readAddress());
    listenToKeys(this.marks, this.actions);
    this.#readAddress();
  }

  focusBox() {
    this.frame.box.focus();
    this.frame.box.select();
  }

  // ---- the view

  /** Take the view from the address, and the place in it from the history. */
  async #readAddress() {
    const resume = location.hash === "#resume";
    const view = readView(resume ? "" : location.hash);
    this.frame.box.value = view.query;
    await this.show(view, { position: Number(history.state?.position ?? -1) });
    if (resume) await this.#resume();
  }

  async #takeQuery() {
    clearTimeout(this.#timer);
    const query = this.frame.box.value;
    if (query === this.frame.list.dataset.query && query === this.view.query) return;
    await this.show({ ...this.view, query, exact: false });
  }

  /**
   * Show a view that the reader asks for by more than words: of all papers, too, as a list that can be narrowed.
   *
   * @param {View} view
   */
  #ask(view) {
    this.#isOpen = true;
    return this.show(view);
  }

  /**
   * Show a view; one that asks for nothing is the page's own list, where there is one.
   *
   * @param {View} view
   * @param {{ position?: number }} [options] Which paper to go to.
   */
  async show(view, { position = -1 } = {}) {
    const number = (this.#latest += 1);
    this.view = view;
    if (this.given && !this.#isOpen && writeView(view) === "") return this.#showGiven(this.given);
    const loading = setTimeout(() => number === this.#latest && this.#say("Loading …"), PATIENCE);
    try {
      const { index, narrowing } = await this.#open();
      const hideSeen = this.marks.getSetting("hideSeen");
      const answer = await search(index, view.query, { exact: view.exact, among: await narrowing.among() });
      await breathe();
      const narrowed = await narrowing.narrow(answer.rows, view, { hideSeen });
      await breathe();
      const rows = await narrowing.sort(narrowed, view);
      if (number !== this.#latest) return;
      const ids = await index.ids();
      this.#position = -1;
      this.frame.columns.hidden = false;
      const shown = await this.results.show(
        rows.length,
        async (at) => this.#makeItem(index, await readRecord(ids.at(rows[at]), index.manifest.version), at, rows.length, answer),
        Math.min(Math.max(0, position), Math.max(0, rows.length - 1)),
      );
      if (!shown || number !== this.#latest) return;
      this.#rows = rows;
      this.#standBack(true);
      clearTimeout(loading);
      this.#say(this.#summary(answer, rows, hideSeen));
      this.#showNotes(answer);
      this.#showTools(answer);
      this.#writeAddress();
      this.frame.list.dataset.query = view.query;
      if (position >= 0) await this.#select(position);
      const anyYear = view.filters.some(({ kind }) => kind === "year")
        ? await narrowing.narrow(answer.rows, view, { hideSeen, without: "year" })
        : rows;
      if (number !== this.#latest) return;
      await breathe();
      this.#facets ??= new FacetPanel(this.frame.panel, narrowing, (wanted) => this.#ask(wanted));
      await this.#facets.show(view, rows, anyYear);
      await breathe();
      await this.#showProgress();
    } catch (error) {
      if (number === this.#latest) this.#fail(error);
    } finally {
      clearTimeout(loading);
    }
  }

  #open() {
    this.#opened ??= openIndex().then((index) => ({
      index,
      narrowing: new Narrowing(index, this.marks, { since: this.since, within: this.within }),
    }));
    return this.#opened;
  }

  /** @param {GivenList} given */
  async #showGiven(given) {
    given.hideSeen(this.marks.getSetting("hideSeen"));
    this.#standBack(false);
    this.frame.columns.hidden = true;
    this.frame.notes.replaceChildren();
    this.#say("");
    this.#showTools(null);
    this.#writeAddress();
    await this.results.show(0, async () => element("li"));
    this.frame.list.dataset.query = "";
  }

  /**
   * Put what was found in the place of the page's own list, or the other way round.
   *
   * @param {boolean} back Whether the page's own list stands back.
   */
  #standBack(back) {
    for (const each of this.given?.elements ?? []) each.hidden = back;
    this.triage.list = this.given && !back ? this.given.papers : this.found;
  }

  /** Write the view into the address, so that a link, or going back to this page, shows it again. */
  #writeAddress() {
    const fragment = writeView(this.view);
    // A fragment that is no view leads to a heading.
    if (location.hash === fragment || (fragment === "" && !isViewFragment(location.hash))) return;
    history.replaceState({ position: -1 }, "", location.pathname + location.search + fragment);
  }

  // ---- what the page says

  /** @param {string} sentence */
  #say(sentence) {
    if (this.frame.status.textContent !== sentence) this.frame.status.textContent = sentence;
  }

  /** @param {unknown} error */
  #fail(error) {
    console.error(error);
    if (this.given) this.#showGiven(this.given);
    else this.results.show(0, async () => element("li"));
    this.#say("The search index is missing or damaged. Build it anew with “papershelf build”.");
  }

  /**
   * @param {Answer} answer
   * @param {Uint32Array} rows
   * @param {boolean} hideSeen
   */
  #summary({ rows: found, complete, words }, rows, hideSeen) {
    if (SITE.papers === 0) return "This site has no abstracts yet.";
    if (rows.length === 0) {
      if (found && found.length === 0) return "Nothing found. Try fewer or other words, or only the beginning of one.";
      const what = [this.view.filters.length > 0 ? "filters" : "", hideSeen ? "“Hide seen”" : ""].filter(Boolean);
      return `${found ? `${counted(found.length, "paper")} found, but none passes` : "No paper passes"} the ${what.join(" and ") || "filters"}.`;
    }
    const total = found ? counted(rows.length, "result") : counted(rows.length, "paper");
    if (!found || words < 2 || rows.length !== found.length) return total;
    if (complete === rows.length) return `${total} with all words`;
    return complete === 0 ? `${total}, none with all words` : `${total}, ${complete.toLocaleString("en")} with all words`;
  }

  /** @param {Answer} answer */
  #showNotes({ corrected, relaxed }) {
    const notes = [];
    if (corrected.length > 0) {
      const words = corrected.map(({ from, to }) => `“${to}” for “${from}”`).join(", ");
      const back = linkButton("Search for exactly what I typed", () => this.show({ ...this.view, exact: true }));
      notes.push(element("p", {}, `Searched ${words}, which no paper has. `, back));
    }
    if (relaxed.length > 0) {
      notes.push(element("p", {}, `No paper fits ${relaxed.join(" and ")}: searched as plain words.`));
    }
    if (this.view.ids.length > 0) {
      const all = linkButton("Keep them all", () => this.view.ids.forEach((id) => this.marks.mark(id, "kept")));
      notes.push(element("p", {}, `A list of ${counted(this.view.ids.length, "paper")} from a link. `, all));
    }
    this.frame.notes.replaceChildren(...notes);
  }

  #makeTools() {
    this.#hide.checked = this.marks.getSetting("hideSeen");
    this.frame.tools.replaceChildren(
      this.#filters,
      this.#sort,
      element("label", {}, this.#hide, " Hide seen"),
      button("Undo", () => this.triage.undo()),
      button("Export", () => this.#openExports()),
      keysButton(this.marks, this.actions),
    );
  }

  #toggleFilters() {
    const open = this.frame.panel.classList.toggle("shelf-facets--open");
    this.#filters.setAttribute("aria-expanded", String(open));
    if (open && this.triage.list !== this.found) this.#ask(this.view);
  }

  /** @param {boolean} hidden */
  #hideSeen(hidden) {
    this.marks.setSetting("hideSeen", hidden);
    this.show(this.view);
  }

  /** @param {Answer | null} answer Null for the page's own list. */
  #showTools(answer) {
    const ranked = (answer?.rows ?? null) !== null;
    /** @type {[View["sort"], string][]} */
    const sorts = [
      ...(ranked ? /** @type {[View["sort"], string][]} */ ([["", "Best first"]]) : []),
      [ranked ? "source" : "", "Source order"],
      ["newest", "Newest first"],
      ["title", "By title"],
      ["unread", "Unread first"],
    ];
    this.#sort.replaceChildren(...sorts.map(([value, label]) => element("option", { value }, label)));
    this.#sort.value = sorts.some(([value]) => value === this.view.sort) ? this.view.sort : "";
    this.frame.chips.replaceChildren(...filterChips(this.view, (view) => this.show(view)));
  }

  async #showProgress() {
    const { index, narrowing } = await this.#open();
    const [ids, among] = await Promise.all([index.ids(), narrowing.among()]);
    const isHere = (/** @type {string} */ id) => among[ids.rowOf(id)] === 1;
    const { seen, kept } = this.marks.counts(isHere);
    const { progress } = this.frame;
    if (seen === 0) return progress.replaceChildren();
    const papers = among.reduce((total, is) => total + is, 0);
    const goOn = isHere(this.marks.getSetting("resume")) ? linkButton("Go on where you stopped", () => this.#resume()) : "";
    const sentence = `${seen.toLocaleString("en")} of ${papers.toLocaleString("en")} seen, ${kept.toLocaleString("en")} kept. `;
    progress.replaceChildren(sentence, goOn);
  }

  #openExports() {
    const rows = this.#rows;
    const found = async () => {
      const ids = await (await this.#open()).index.ids();
      return Array.from(rows, (row) => ids.at(row));
    };
    const listed =
      this.given && this.triage.list === this.given.papers
        ? { label: `${counted(this.given.ids.length, "paper")} of this page`, ids: () => this.given?.ids ?? [] }
        : { label: `${counted(rows.length, "paper")} of this list`, ids: found };
    const current = this.triage.list.current();
    openExports(this.marks, [listed, ...(current ? [{ label: "The chosen paper", ids: () => [current] }] : [])]);
  }

  // ---- the paper that keys are about

  #currentItem() {
    return this.results.items.find((item) => Number(item.getAttribute("aria-posinset")) === this.#position + 1) ?? null;
  }

  #currentId() {
    return this.#currentItem()?.dataset.id ?? null;
  }

  /**
   * Go to the paper of a position, from 0; before the first one is the box.
   *
   * @param {number} position
   * @returns {Promise<void>}
   */
  async #select(position) {
    if (position < 0) return this.focusBox();
    const item = await this.results.reach(position);
    if (!item) return;
    this.#setCurrent(item, position);
    item.querySelector("a")?.focus({ preventScroll: true });
  }

  /**
   * Go to the next or previous paper; when the chosen one is far from the screen, to the first that is on it.
   *
   * @param {1 | -1} step
   */
  async #move(step) {
    if (this.#position < 0) return this.#select(0);
    if (this.#currentItem()) return this.#select(Math.max(this.#position + step, -1));
    const seen = this.results.items.find((item) => item.getBoundingClientRect().top >= 0);
    if (seen) await this.#select(Number(seen.getAttribute("aria-posinset")) - 1);
  }

  /** @param {string} id */
  async #selectId(id) {
    const row = (await (await this.#open()).index.ids()).rowOf(id);
    const position = this.#rows.indexOf(row);
    if (position >= 0) await this.#select(position);
  }

  /** Go to where the reader stopped: in this list, or in that of all papers. */
  async #resume() {
    const id = this.marks.getSetting("resume");
    const row = (await (await this.#open()).index.ids()).rowOf(id);
    if (row < 0) return;
    if (!this.#rows.includes(row)) {
      this.frame.box.value = "";
      await this.#ask(readView(""));
    }
    await this.#selectId(id);
  }

  /**
   * @param {HTMLElement} item
   * @param {number} position
   */
  #setCurrent(item, position) {
    this.#currentItem()?.removeAttribute("aria-current");
    this.#position = position;
    item.setAttribute("aria-current", "true");
    this.marks.setSetting("resume", item.dataset.id ?? "");
    history.replaceState({ position }, "");
  }

  /** @param {FocusEvent} event */
  #noteFocus({ target }) {
    const item = target instanceof Element ? target.closest("li[data-id]") : null;
    const position = Number(item?.getAttribute("aria-posinset") ?? 0) - 1;
    if (item instanceof HTMLElement && position !== this.#position) this.#setCurrent(item, position);
  }

  /** @param {KeyboardEvent} event */
  #pressInBox(event) {
    if (event.key === "Escape" && this.frame.box.value === "") this.frame.box.blur();
    if (event.key !== "ArrowDown" || event.isComposing) return;
    event.preventDefault();
    this.triage.list.first();
  }

  /** @param {KeyboardEvent} event */
  #pressInList(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Escape") this.focusBox();
    else if (event.key in steps) this.#select(this.#position + steps[/** @type {"ArrowDown"} */ (event.key)]);
    else return;
    event.preventDefault();
  }

  // ---- items

  /**
   * @param {SearchIndex} index
   * @param {PaperRecord} record
   * @param {number} position
   * @param {number} size
   * @param {Answer} answer
   */
  #makeItem(index, record, position, size, { terms }) {
    const { id, title } = record;
    const { item, read } = makeResult(record, terms, index.words, () => this.marks.see(id));
    item.setAttribute("aria-posinset", String(position + 1));
    item.setAttribute("aria-setsize", String(size));
    item.append(this.triage.buttons(id, title, read), element("div", { class: "shelf-own" }));
    if (position === this.#position) item.setAttribute("aria-current", "true");
    showMarkOn(this.marks, item, id);
    return item;
  }

  #toggleText() {
    const read = this.#currentItem()?.querySelector(".shelf-read");
    if (read instanceof HTMLElement) read.click();
  }
}

/**
 * Return a button that looks like a link within a sentence.
 *
 * @param {string} label
 * @param {() => unknown} click
 */
function linkButton(label, click) {
  return element("button", { type: "button", class: "shelf-plain", click }, label);
}
