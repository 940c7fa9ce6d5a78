/**
 * What a reader decided about papers, and how the site was set, kept in the browser under keys of this site alone.
 *
 * In: the site's id, the browser's storage, and one decision after the other. Out: what holds for each paper, the
 * settings, the day since which papers are new, and one sentence when something cannot be kept.
 */

import { byKey, isPaperId, isRecord, mergeDecisions, NEVER, NOTHING, onOneLine, present, readRow, rowOf, SEEN } from "./decisions.js";
import { Drawer, TROUBLES, VERSION } from "./drawer.js";

/** @typedef {import("./decisions.js").Dated} Dated */
/** @typedef {import("./decisions.js").Decisions} Decisions */
/** @typedef {import("./decisions.js").Mark} Mark */
/** @typedef {import("./decisions.js").Row} Row */
/** @typedef {import("./drawer.js").Shelf} Shelf */

/**
 * @typedef {object} Entry What a reader decided about one paper.
 * @property {Mark} mark
 * @property {boolean} seen Opened, read in place, or marked.
 * @property {string} note Plain text, may have several lines; "" for none.
 * @property {string[]} labels The reader's own, sorted.
 * @property {string} title The reader's correction of a derived title, on one line; "" for none.
 * @property {number} changed When mark, note, labels or title were changed last, in ms since 1970; 0 for never.
 */

/**
 * @typedef {object} Visit A period of activity.
 * @property {string} base Papers added after this day are new; "" for none.
 * @property {number} last When the reader was last active, in ms since 1970; 0 for never.
 * @property {string} newest The newest day on which a paper was added, as known at this visit; "" for unknown.
 */

/**
 * @typedef {object} Settings
 * @property {boolean} keys Whether single keys do something.
 * @property {boolean} hideSeen
 * @property {string} resume The id of the paper looked at last; "" for none.
 * @property {Visit} visit
 */

const PARTS = "0123456789abcdef";
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const LONGEST_PAUSE = 6 * 60 * 60 * 1000;
/** How often activity is noted within a visit, in ms. */
const ACTIVITY_STEP = 10 * 60 * 1000;

/**
 * @typedef {object} Part The papers whose ids begin with one digit. A key press rewrites a sixteenth of what is kept.
 * @property {Drawer} drawer
 * @property {Map<string, Decisions>} papers By id.
 */

/** A reader's marks, notes, labels, own titles and settings for one site. */
export class Marks {
  /** @type {Map<string, Part>} By the first digit of the ids. */
  #parts;
  /** @type {Drawer} */
  #settingsDrawer;
  /** @type {Record<string, unknown>} As stored: those of other versions stay in. */
  #settings = {};
  /** @type {{ id: string, before: string, after: string }[]} Marks given on this page, newest last. */
  #steps = [];
  /** @type {Set<(ids: string[]) => void>} */
  #listeners = new Set();
  /** @type {() => number} */
  #now;

  /**
   * @param {object} options
   * @param {string} options.siteId Under `file://` all sites of a browser share one storage.
   * @param {() => Shelf | null} options.storage Returns the storage; may throw.
   * @param {() => number} [options.now] The time in ms since 1970.
   */
  constructor({ siteId, storage, now = Date.now }) {
    this.#now = now;
    const key = `papershelf.${VERSION}.${siteId}`;
    this.#settingsDrawer = new Drawer(`${key}.settings`, storage, now);
    this.#parts = new Map(
      [...PARTS].map((digit) => [digit, { drawer: new Drawer(`${key}.${digit}`, storage, now), papers: new Map() }]),
    );
    for (const part of this.#parts.values()) {
      this.#takePart(part);
      if (part.drawer.isDamaged) {
        this.#putPart(part);
      }
    }
    // Where nothing was ever kept, something is written now: a refusal shall be known before the first decision.
    this.#takeSettings();
    this.#putSettings();
  }

  /** One sentence for the reader when not everything can be kept; "" when all is well. */
  get trouble() {
    const drawers = this.#drawers();
    for (const [failure, sentence] of TROUBLES) {
      if (drawers.some((drawer) => drawer.failure === failure)) {
        return sentence;
      }
    }
    const aside = drawers.find((drawer) => drawer.aside)?.aside;
    return aside ? `Some of what was kept here could not be read; a copy was put aside as ${aside}.` : "";
  }

  /**
   * Call a function after each change, with the ids of the papers that changed; none when only settings or `trouble`
   * did. Returns what ends that.
   *
   * @param {(ids: string[]) => void} listener
   * @returns {() => void}
   */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Return what was decided about a paper; an empty entry when nothing was.
   *
   * @param {string} id
   * @returns {Entry}
   */
  get(id) {
    const { seen, mark, note, title, labels } = this.#parts.get(id[0])?.papers.get(id) ?? NOTHING;
    return {
      mark: /** @type {Mark} */ (mark[0]),
      seen: seen || mark[0] !== "",
      note: note[0],
      labels: present(labels),
      title: title[0],
      changed: Math.max(mark[1], note[1], title[1], ...[...labels.values()].map(([, time]) => time)),
    };
  }

  /**
   * Return what is kept of all papers, by id and sorted by it; also of papers that this site doesn't have.
   *
   * @returns {[id: string, decisions: Decisions][]}
   */
  all() {
    return [...this.#parts.values()].flatMap(({ papers }) => [...papers].sort(byKey));
  }

  /**
   * Give a paper a mark, or take it away by "".
   *
   * @param {string} id
   * @param {Mark} mark
   */
  mark(id, mark) {
    this.#change(id, (paper) => {
      const before = paper.mark[0];
      if (before === mark) {
        return paper;
      }
      this.#steps.push({ id, before, after: mark });
      return { ...paper, mark: this.#dated(mark, paper.mark) };
    });
  }

  /**
   * Take back the last mark of this page that still holds. Returns the paper's id, or null when there is none.
   *
   * @returns {string | null}
   */
  undo() {
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      const { id, before, after } = step;
      let undone = false;
      this.#change(id, (paper) => {
        undone = paper.mark[0] === after; // else another page has decided otherwise since
        return undone ? { ...paper, mark: this.#dated(before, paper.mark) } : paper;
      });
      if (undone) {
        return id;
      }
    }
    return null;
  }

  /**
   * Note that a paper was opened or read in place.
   *
   * @param {string} id
   */
  see(id) {
    this.#change(id, (paper) => (paper.seen ? paper : { ...paper, seen: true }));
  }

  /**
   * @param {string} id
   * @param {string} text Plain text; a blank one takes the note away.
   */
  setNote(id, text) {
    const note = text.trim() ? text.replace(/\r\n?/g, "\n") : "";
    this.#change(id, (paper) => (paper.note[0] === note ? paper : { ...paper, note: this.#dated(note, paper.note) }));
  }

  /**
   * @param {string} id
   * @param {string[]} labels All labels that the paper shall have.
   */
  setLabels(id, labels) {
    const wanted = new Set(labels.map(onOneLine).filter(Boolean));
    this.#change(id, (paper) => {
      const had = present(paper.labels);
      if (had.length === wanted.size && had.every((label) => wanted.has(label))) {
        return paper;
      }
      const dated = new Map(paper.labels);
      for (const label of had.filter((each) => !wanted.has(each))) {
        dated.set(label, this.#dated("removed", dated.get(label)));
      }
      for (const label of [...wanted].filter((each) => !had.includes(each))) {
        dated.set(label, this.#dated("added", dated.get(label)));
      }
      return { ...paper, labels: dated };
    });
  }

  /**
   * Put a derived title right.
   *
   * @param {string} id
   * @param {string} text Plain text; a blank one takes the correction away.
   */
  setTitle(id, text) {
    const title = onOneLine(text);
    this.#change(id, (paper) =>
      paper.title[0] === title ? paper : { ...paper, title: this.#dated(title, paper.title) },
    );
  }

  /**
   * Return the ids of the papers with a mark, in the order in which they got it.
   *
   * @param {Mark} mark Not "".
   * @returns {string[]}
   */
  ids(mark) {
    return [...this.#parts.values()]
      .flatMap(({ papers }) => [...papers].filter(([, paper]) => paper.mark[0] === mark))
      .sort((a, b) => a[1].mark[1] - b[1].mark[1] || byKey(a, b))
      .map(([id]) => id);
  }

  /**
   * Return how many papers were seen or have each mark.
   *
   * @param {(id: string) => boolean} [known] Which papers count; without it, all of which something is kept.
   */
  counts(known = () => true) {
    const counts = { seen: 0, kept: 0, skipped: 0, later: 0 };
    for (const { papers } of this.#parts.values()) {
      for (const [id, { seen, mark }] of papers) {
        if (!(seen || mark[0]) || !known(id)) {
          continue;
        }
        counts.seen += 1;
        if (mark[0]) {
          counts[/** @type {"kept" | "skipped" | "later"} */ (mark[0])] += 1;
        }
      }
    }
    return counts;
  }

  /**
   * Return every label that a paper has, sorted.
   *
   * @returns {string[]}
   */
  allLabels() {
    const labels = new Set();
    for (const { papers } of this.#parts.values()) {
      for (const paper of papers.values()) {
        present(paper.labels).forEach((label) => labels.add(label));
      }
    }
    return [...labels].sort();
  }

  /**
   * Take in decisions from elsewhere, such as a file. See `mergeDecisions`.
   *
   * @param {Iterable<[id: string, decisions: Decisions]>} entries Ids must be ids of papers, not of this site's only.
   * @returns {{ added: number, changed: number, unchanged: number }} How many papers are new here, were changed, or
   *   had nothing new.
   */
  merge(entries) {
    const counts = { added: 0, changed: 0, unchanged: 0 };
    /** @type {Set<string>} */
    const changed = new Set();
    for (const part of this.#parts.values()) {
      this.#takePart(part).forEach((id) => changed.add(id));
    }
    const touched = new Set();
    for (const [id, decisions] of entries) {
      const part = this.#partOf(id);
      const before = part.papers.get(id);
      const after = mergeDecisions(before ?? NOTHING, decisions);
      if (after === (before ?? NOTHING)) {
        counts.unchanged += 1;
        continue;
      }
      counts[before ? "changed" : "added"] += 1;
      part.papers.set(id, after);
      changed.add(id);
      touched.add(part);
    }
    touched.forEach((part) => this.#save(part));
    this.#tell(changed);
    return counts;
  }

  /**
   * Take in what other pages have kept. To be called with the key of each `storage` event.
   *
   * @param {string | null} [key] What changed; null for everything.
   */
  reload(key = null) {
    const isMeant = (/** @type {Drawer} */ drawer) => key === null || key === drawer.key;
    const settingsMeant = isMeant(this.#settingsDrawer);
    const parts = [...this.#parts.values()].filter(({ drawer }) => isMeant(drawer));
    if (!settingsMeant && parts.length === 0) {
      return;
    }
    if (settingsMeant) {
      this.#takeSettings();
    }
    const changed = parts.flatMap((part) => {
      const ids = this.#takePart(part);
      // Two pages that wrote at once: what the other one has overwritten is put back.
      if (part.drawer.text !== null && part.drawer.text !== partText(part)) {
        this.#save(part);
      }
      return ids;
    });
    this.#tell(changed);
  }

  /**
   * Return a setting, or what holds without one.
   *
   * @template {keyof Settings} Name
   * @param {Name} name
   * @returns {Settings[Name]}
   */
  getSetting(name) {
    /** @type {Settings} */
    const defaults = { keys: true, hideSeen: false, resume: "", visit: { base: "", last: 0, newest: "" } };
    const value = this.#settings[name];
    const usable = name === "visit" ? isVisit(value) : typeof value === typeof defaults[name];
    return usable ? /** @type {Settings[Name]} */ (value) : defaults[name];
  }

  /**
   * @template {keyof Settings} Name
   * @param {Name} name
   * @param {Settings[Name]} value
   */
  setSetting(name, value) {
    this.#takeSettings();
    if (this.getSetting(name) !== value) {
      this.#settings = { ...this.#settings, [name]: value };
      this.#saveSettings();
      this.#tell([]);
    }
  }

  /**
   * Begin a visit, or go on with one after less than six hours. To be called on each page.
   *
   * @param {number} now In ms since 1970.
   * @param {string | null} newestAdded The newest day on which a paper of this site was added, `YYYY-MM-DD`; null when
   *   this page doesn't know.
   * @returns {string | null} The day after which papers were added that are new since the last visit; null when there
   *   was none.
   */
  startVisit(now, newestAdded) {
    this.#takeSettings();
    const visit = this.getSetting("visit");
    const goesOn = visit.last > 0 && Math.abs(now - visit.last) < LONGEST_PAUSE; // a clock may be set back
    const base = goesOn ? visit.base : visit.newest;
    this.setSetting("visit", { base, last: now, newest: newestAdded ?? visit.newest });
    return base || null;
  }

  /** @returns {Drawer[]} */
  #drawers() {
    return [...[...this.#parts.values()].map(({ drawer }) => drawer), this.#settingsDrawer];
  }

  /**
   * @param {string} id
   * @returns {Part}
   */
  #partOf(id) {
    const part = isPaperId(id) ? this.#parts.get(id[0]) : undefined;
    if (!part) {
      throw new RangeError(`expected an id of 12 hex digits, found ${JSON.stringify(id)}`);
    }
    return part;
  }

  /**
   * Change what is kept of a paper, on top of what other pages have kept since.
   *
   * @param {string} id
   * @param {(paper: Decisions) => Decisions} decide Returns the same object for no change.
   */
  #change(id, decide) {
    const part = this.#partOf(id);
    const changed = this.#takePart(part);
    const before = part.papers.get(id) ?? NOTHING;
    const after = decide(before);
    if (after !== before) {
      part.papers.set(id, after);
      changed.push(id);
      this.#save(part);
      this.#stayActive();
    }
    this.#tell(changed);
  }

  /**
   * Return a value with the present time, or with a later one: a decision holds against what it was made upon, also
   * when that comes from a machine whose clock is fast.
   *
   * @param {string} value
   * @param {Dated} [before]
   * @returns {Dated}
   */
  #dated(value, before = NEVER) {
    return [value, Math.min(Math.max(this.#now(), before[1] + 1), Number.MAX_SAFE_INTEGER)];
  }

  #stayActive() {
    const { last } = this.getSetting("visit");
    if (last > 0 && this.#now() - last > ACTIVITY_STEP) {
      this.startVisit(this.#now(), null);
    }
  }

  /**
   * Take in what the storage has of a part. Returns the ids of the papers that this changed.
   *
   * @param {Part} part
   * @returns {string[]}
   */
  #takePart({ drawer, papers }) {
    const content = drawer.take();
    if (!content) {
      return [];
    }
    const { read, wrong } = readPart(content);
    if (wrong) {
      drawer.condemn();
    }
    const changed = [];
    for (const [id, decisions] of read) {
      const before = papers.get(id) ?? NOTHING;
      const after = mergeDecisions(before, decisions);
      if (after !== before) {
        papers.set(id, after);
        changed.push(id);
      }
    }
    return changed;
  }

  /**
   * @param {Part} part
   * @returns {boolean} Whether it was stored.
   */
  #putPart(part) {
    return part.drawer.put(partText(part));
  }

  /**
   * Store a part, and when that works again, also what could not be stored before.
   *
   * @param {Part} part
   */
  #save(part) {
    if (this.#putPart(part)) {
      this.#saveFailed();
    }
  }

  #saveSettings() {
    if (this.#putSettings()) {
      this.#saveFailed();
    }
  }

  #saveFailed() {
    for (const part of this.#parts.values()) {
      if (part.drawer.failure) {
        this.#takePart(part);
        this.#putPart(part);
      }
    }
    if (this.#settingsDrawer.failure) {
      this.#takeSettings();
      this.#putSettings();
    }
  }

  #takeSettings() {
    const content = this.#settingsDrawer.take();
    if (content && !isRecord(content.settings)) {
      this.#settingsDrawer.condemn();
    } else if (content) {
      this.#settings = /** @type {Record<string, unknown>} */ (content.settings);
    }
  }

  #putSettings() {
    return this.#settingsDrawer.put(JSON.stringify({ papershelf: VERSION, settings: this.#settings }));
  }

  /** @param {Iterable<string>} ids */
  #tell(ids) {
    const changed = [...ids];
    this.#listeners.forEach((listener) => listener(changed));
  }
}

/**
 * Return a part as it is stored: the ids of seen papers in a row, and the rows of those with more than that.
 *
 * @param {Part} part
 */
function partText({ papers }) {
  let seen = "";
  /** @type {Record<string, Row>} */
  const rows = {};
  for (const [id, decisions] of [...papers].sort(byKey)) {
    if (decisions.seen) {
      seen += id;
    }
    const row = rowOf(decisions);
    if (Object.keys(row).length > 0) {
      rows[id] = row;
    }
  }
  return JSON.stringify({ papershelf: VERSION, seen, papers: rows });
}

/**
 * Return what a stored part holds, by id, and whether something in it was wrong.
 *
 * @param {Record<string, unknown>} content
 */
function readPart({ seen, papers }) {
  /** @type {Map<string, Decisions>} */
  const read = new Map();
  let wrong = typeof seen !== "string" || !isRecord(papers);
  for (const id of typeof seen === "string" ? (seen.match(/[^]{1,12}/g) ?? []) : []) {
    if (isPaperId(id)) {
      read.set(id, SEEN);
    } else {
      wrong = true;
    }
  }
  for (const [id, row] of Object.entries(isRecord(papers) ? papers : {})) {
    const decisions = isPaperId(id) ? readRow(row, read.has(id)) : null;
    if (decisions) {
      read.set(id, decisions);
    } else {
      wrong = true;
    }
  }
  return { read, wrong };
}

/** @param {unknown} value @returns {value is Visit} */
function isVisit(value) {
  const isDay = (/** @type {unknown} */ day) => day === "" || (typeof day === "string" && DAY.test(day));
  return isRecord(value) && Number.isSafeInteger(value.last) && isDay(value.base) && isDay(value.newest);
}
