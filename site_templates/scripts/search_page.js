/**
 * Entry point of the search page, where papers are found, narrowed and decided on.
 *
 * In: the words in #shelf-query and the view in the address. Out: the list in #shelf-results, whose `data-query` is the
 * query that the list answers, set once the list is final.
 */

import { breathe } from "./breathe.js";
import { loadChunk } from "./chunks.js";
import { byId, counted, element, pageLink, siteRoot } from "./elements.js";
import { excerptOf, markedPieces } from "./excerpt.js";
import { openExports } from "./export_dialog.js";
import { FacetPanel, filterChips } from "./facet_panel.js";
import { startHeader } from "./header.js";
import { SearchIndex } from "./index.js";
import { keysButton, listenToKeys } from "./keys.js";
import { Narrowing } from "./narrowing.js";
import { openReader } from "./reader.js";
import { readRecord } from "./records.js";
import { ResultList } from "./result_list.js";
import { search } from "./search.js";
import { SITE } from "./site.js";
import { showMarkOn, Triage } from "./triage.js";
import { readView, writeView } from "./view.js";

/** @typedef {import("./search.js").Answer} Answer */
/** @typedef {import("./view.js").View} View */
/** @typedef {import("./records.js").PaperRecord} PaperRecord */
/** @typedef {import("./excerpt.js").Piece} Piece */

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

class SearchPage {
  box = /** @type {HTMLInputElement} */ (byId("shelf-query"));
  status = byId("shelf-status");
  notes = byId("shelf-notes");
  chips = byId("shelf-chips");
  tools = byId("shelf-tools");
  panel = byId("shelf-facets");
  list = byId("shelf-results");
  results = new ResultList(this.list);
  /** Counts views; what comes late for an older one is dropped. */
  latest = 0;
  /** @type {number | undefined} */
  timer = undefined;
  /**
   * The papers that are listed, in their order.
   *
   * @type {Uint32Array}
   */
  rows = new Uint32Array(0);
  /** Which of them keys are about; -1 for none yet. */
  position = -1;
  /** @type {FacetPanel | null} */
  facets = null;

  constructor() {
    const { marks, since } = openReader();
    this.marks = marks;
    this.opening = openIndex();
    this.narrowing = this.opening.then((index) => new Narrowing(index, marks, since));
    this.opening.catch((error) => this.fail(error));
    this.view = readView(location.hash);
    this.triage = new Triage(marks, {
      current: () => this.currentId(),
      move: (step) => this.move(step),
      select: (id) => this.selectId(id),
      open: () => this.currentItem()?.querySelector("a")?.click(),
      read: () => this.toggleText(),
      goesOn: true,
    });
    this.actions = { ...this.triage.actions, search: () => this.focusBox() };
    this.sort = element(
      "select",
      { "aria-label": "Order", change: () => this.show({ ...this.view, sort: /** @type {View["sort"]} */ (this.sort.value) }) },
    );
    this.hide = element("input", {
      type: "checkbox",
      change: () => {
        marks.setSetting("hideSeen", this.hide.checked);
        this.show(this.view);
      },
    });
    marks.onChange((ids) => {
      if (ids.length === 0) return;
      this.showProgress();
      this.facets?.showMarks();
    });
  }

  start() {
    this.makeTools();
    this.box.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.takeQuery(), this.box.value === "" ? 0 : TYPING_PAUSE);
    });
    this.box.addEventListener("keydown", (event) => this.pressInBox(event));
    byId("shelf-search").addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.takeQuery();
      this.select(0);
    });
    this.list.addEventListener("keydown", (event) => this.pressInList(event));
    this.list.addEventListener("focusin", (event) => this.noteFocus(event));
    // The link that skips to the content has a fragment, too; it asks for no other view.
    window.addEventListener("hashchange", () => location.hash !== "#search" && this.readAddress());
    listenToKeys(this.marks, this.actions);
    this.readAddress();
  }

  // ---- the view

  /** Take the view from the address, and the place in it from the history. */
  readAddress() {
    const resume = location.hash === "#resume";
    const view = readView(resume ? "" : location.hash);
    this.box.value = view.query;
    const position = Number(history.state?.position ?? -1);
    this.show(view, { position }).then(() => (resume ? this.resume() : undefined));
  }

  takeQuery() {
    clearTimeout(this.timer);
    const query = this.box.value;
    if (query === this.list.dataset.query && query === this.view.query) return Promise.resolve();
    return this.show({ ...this.view, query, exact: false });
  }

  /**
   * Show a view.
   *
   * @param {View} view
   * @param {{ position?: number }} [options] Which paper to go to.
   */
  async show(view, { position = -1 } = {}) {
    const number = (this.latest += 1);
    this.view = view;
    const loading = setTimeout(() => number === this.latest && this.say("Loading …"), PATIENCE);
    try {
      const [index, narrowing] = await Promise.all([this.opening, this.narrowing]);
      const hideSeen = this.marks.getSetting("hideSeen");
      const answer = await search(index, view.query, { exact: view.exact });
      await breathe();
      const narrowed = await narrowing.narrow(answer.rows, view, { hideSeen });
      await breathe();
      const rows = await narrowing.sort(narrowed, view);
      if (number !== this.latest) return;
      const ids = await index.ids();
      this.position = -1;
      const shown = await this.results.show(
        rows.length,
        async (at) => this.makeItem(index, await readRecord(ids.at(rows[at]), index.manifest.version), at, rows.length, answer),
        Math.min(Math.max(0, position), Math.max(0, rows.length - 1)),
      );
      if (!shown || number !== this.latest) return;
      this.rows = rows;
      clearTimeout(loading);
      this.say(this.summary(answer, rows, hideSeen));
      this.showNotes(answer);
      this.showTools(answer);
      this.writeAddress();
      this.list.dataset.query = view.query;
      if (position >= 0) await this.select(position);
      const anyYear = view.filters.some(({ kind }) => kind === "year")
        ? await narrowing.narrow(answer.rows, view, { hideSeen, without: "year" })
        : rows;
      if (number !== this.latest) return;
      await breathe();
      this.facets ??= new FacetPanel(this.panel, narrowing, (wanted) => this.show(wanted));
      await this.facets.show(view, rows, anyYear);
      await breathe();
      await this.showProgress();
    } catch (error) {
      if (number === this.latest) this.fail(error);
    } finally {
      clearTimeout(loading);
    }
  }

  /** Write the view into the address, so that a link, or going back to this page, shows it again. */
  writeAddress() {
    const fragment = writeView(this.view);
    if (location.hash !== fragment) {
      history.replaceState({ position: -1 }, "", location.pathname + location.search + fragment);
    }
  }

  // ---- what the page says

  /** @param {string} sentence */
  say(sentence) {
    if (this.status.textContent !== sentence) this.status.textContent = sentence;
  }

  /** @param {unknown} error */
  fail(error) {
    console.error(error);
    this.results.show(0, async () => element("li"));
    this.say("The search index is missing or damaged. Build it anew with “papershelf build”.");
  }

  /**
   * @param {Answer} answer
   * @param {Uint32Array} rows
   * @param {boolean} hideSeen
   */
  summary({ rows: found, complete, words }, rows, hideSeen) {
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
  showNotes({ corrected, relaxed }) {
    const notes = [];
    if (corrected.length > 0) {
      const words = corrected.map(({ from, to }) => `“${to}” for “${from}”`).join(", ");
      const back = element(
        "button",
        { type: "button", class: "shelf-plain", click: () => this.show({ ...this.view, exact: true }) },
        "Search for exactly what I typed",
      );
      notes.push(element("p", {}, `Searched ${words}, which no paper has. `, back));
    }
    if (relaxed.length > 0) {
      notes.push(element("p", {}, `No paper fits ${relaxed.join(" and ")}: searched as plain words.`));
    }
    if (this.view.ids.length > 0) {
      const all = element(
        "button",
        {
          type: "button",
          class: "shelf-plain",
          click: () => this.view.ids.forEach((id) => this.marks.mark(id, "kept")),
        },
        "Keep them all",
      );
      notes.push(element("p", {}, `A list of ${counted(this.view.ids.length, "paper")} from a link. `, all));
    }
    this.notes.replaceChildren(...notes);
  }

  makeTools() {
    this.hide.checked = this.marks.getSetting("hideSeen");
    const filters = element(
      "button",
      {
        type: "button",
        class: "shelf-filters-button",
        "aria-expanded": "false",
        "aria-controls": "shelf-facets",
        click: () => {
          const open = this.panel.classList.toggle("shelf-facets--open");
          filters.setAttribute("aria-expanded", String(open));
        },
      },
      "Filters",
    );
    const button = (/** @type {string} */ label, /** @type {() => unknown} */ click) =>
      element("button", { type: "button", click }, label);
    this.tools.replaceChildren(
      filters,
      this.sort,
      element("label", {}, this.hide, " Hide seen"),
      button("Undo", () => this.triage.undo()),
      button("Export", () => this.openExports()),
      keysButton(this.marks, this.actions),
    );
  }

  /** @param {Answer} answer */
  showTools({ rows }) {
    /** @type {[View["sort"], string][]} */
    const sorts = [
      ...(rows ? /** @type {[View["sort"], string][]} */ ([["", "Best first"]]) : []),
      [rows ? "source" : "", "Source order"],
      ["newest", "Newest first"],
      ["title", "By title"],
      ["unread", "Unread first"],
    ];
    this.sort.replaceChildren(...sorts.map(([value, label]) => element("option", { value }, label)));
    this.sort.value = sorts.some(([value]) => value === this.view.sort) ? this.view.sort : "";
    this.chips.replaceChildren(...filterChips(this.view, (view) => this.show(view)));
  }

  async showProgress() {
    const index = await this.opening;
    const ids = await index.ids();
    const { seen, kept } = this.marks.counts((id) => ids.rowOf(id) >= 0);
    const place = byId("shelf-progress");
    if (seen === 0) return place.replaceChildren();
    const resume = this.marks.getSetting("resume");
    const goOn = element("button", { type: "button", class: "shelf-plain", click: () => this.resume() }, "Go on where you stopped");
    place.replaceChildren(
      `${seen.toLocaleString("en")} of ${index.papers.toLocaleString("en")} seen, ${kept.toLocaleString("en")} kept. `,
      ...(ids.rowOf(resume) >= 0 ? [goOn] : []),
    );
  }

  openExports() {
    const { rows } = this;
    const ids = async () => {
      const known = await (await this.opening).ids();
      return Array.from(rows, (row) => known.at(row));
    };
    const current = this.currentId();
    openExports(this.marks, [
      { label: `${counted(rows.length, "paper")} of this list`, ids },
      ...(current ? [{ label: "The chosen paper", ids: () => [current] }] : []),
    ]);
  }

  // ---- the paper that keys are about

  currentItem() {
    return this.results.items.find((item) => Number(item.getAttribute("aria-posinset")) === this.position + 1) ?? null;
  }

  currentId() {
    return this.currentItem()?.dataset.id ?? null;
  }

  /**
   * Go to the paper of a position, from 0; before the first one is the box.
   *
   * @param {number} position
   * @returns {Promise<void>}
   */
  async select(position) {
    if (position < 0) return this.focusBox();
    const item = await this.results.reach(position);
    if (!item) return;
    this.setCurrent(item, position);
    item.querySelector("a")?.focus({ preventScroll: true });
  }

  /**
   * Go to the next or previous paper; when the chosen one is far from the screen, to the first that is on it.
   *
   * @param {1 | -1} step
   */
  async move(step) {
    if (this.position < 0 || this.currentItem()) return this.select(Math.max(this.position + step, this.position < 0 ? 0 : -1));
    const seen = this.results.items.find((item) => item.getBoundingClientRect().top >= 0);
    if (seen) await this.select(Number(seen.getAttribute("aria-posinset")) - 1);
  }

  /** @param {string} id */
  async selectId(id) {
    const row = (await (await this.opening).ids()).rowOf(id);
    const position = this.rows.indexOf(row);
    if (position >= 0) await this.select(position);
  }

  /** Go to where the reader stopped: in this list, or in that of all papers. */
  async resume() {
    const id = this.marks.getSetting("resume");
    const row = (await (await this.opening).ids()).rowOf(id);
    if (row < 0) return;
    if (!this.rows.includes(row)) {
      this.box.value = "";
      await this.show({ ...this.view, query: "", filters: [], sort: "", ids: [] });
    }
    await this.selectId(id);
  }

  /**
   * @param {HTMLElement} item
   * @param {number} position
   */
  setCurrent(item, position) {
    this.currentItem()?.removeAttribute("aria-current");
    this.position = position;
    item.setAttribute("aria-current", "true");
    this.marks.setSetting("resume", item.dataset.id ?? "");
    history.replaceState({ position }, "");
  }

  /** @param {FocusEvent} event */
  noteFocus({ target }) {
    const item = target instanceof Element ? target.closest("li[data-id]") : null;
    const position = Number(item?.getAttribute("aria-posinset") ?? 0) - 1;
    if (item instanceof HTMLElement && position !== this.position) this.setCurrent(item, position);
  }

  focusBox() {
    this.box.focus();
    this.box.select();
  }

  /** @param {KeyboardEvent} event */
  pressInBox(event) {
    if (event.key === "Escape" && this.box.value === "") this.box.blur();
    if (event.key !== "ArrowDown" || event.isComposing) return;
    event.preventDefault();
    this.select(0);
  }

  /** @param {KeyboardEvent} event */
  pressInList(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key === "Escape") this.focusBox();
    else if (event.key in steps) this.select(this.position + steps[/** @type {"ArrowDown"} */ (event.key)]);
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
  makeItem(index, record, position, size, { terms }) {
    const { id, page, title, derived, authors, year, collections, tags, abstract } = record;
    const text = element("p", { class: "shelf-result__excerpt", dir: "auto" }, ...nodes(excerptOf(abstract, terms, index.words)));
    const read = element("button", { type: "button", class: "shelf-read", "aria-expanded": "false" }, "Read");
    read.addEventListener("click", () => {
      const open = read.getAttribute("aria-expanded") === "false";
      const pieces = open ? markedPieces(abstract, terms, index.words) : excerptOf(abstract, terms, index.words);
      text.replaceChildren(...nodes(pieces));
      read.setAttribute("aria-expanded", String(open));
      if (open) this.marks.see(id);
    });
    const names = collections.map(([name]) => name);
    // "ICML 2025" says the year already.
    const told = year !== null && names.some((name) => name.includes(String(year)));
    const origin = [shortNames(authors), ...names, told || year === null ? "" : String(year), derived ? "derived title" : ""];
    const item = element(
      "li",
      { class: "shelf-result", "data-id": id, "aria-posinset": position + 1, "aria-setsize": size },
      pageLink(page, { class: "shelf-result__title", dir: "auto" }, ...nodes(markedPieces(title, terms, index.words))),
      element("p", { class: "shelf-result__origin" }, origin.filter(Boolean).join(" · ")),
      text,
      tags.length > 0 ? tagList(tags) : null,
      this.triage.buttons(id, title, read),
      element("div", { class: "shelf-own" }),
    );
    if (position === this.position) item.setAttribute("aria-current", "true");
    showMarkOn(this.marks, item, id);
    return item;
  }

  toggleText() {
    const button = this.currentItem()?.querySelector(".shelf-read");
    if (button instanceof HTMLElement) button.click();
  }
}

/** @param {[string, string][]} tags */
function tagList(tags) {
  return element(
    "ul",
    { class: "shelf-result__tags", "aria-label": "Derived tags" },
    ...tags.map(([label, page]) => element("li", {}, pageLink(page, { class: "md-tag" }, label))),
  );
}

/** @param {string[]} authors */
function shortNames(authors) {
  return authors.length > 3 ? `${authors[0]} and ${authors.length - 1} others` : authors.join(", ");
}

/** @param {Piece[]} pieces */
function nodes(pieces) {
  return pieces.map(({ text, hit }) => (hit ? element("mark", {}, text) : text));
}

startHeader();
new SearchPage().start();
