/**
 * A long list of which only what is near the screen is in the page.
 *
 * In: how many items there are, and what makes an item. Out: the items in an `<ol>`, whose padding keeps room for all others.
 */

import { element } from "./elements.js";

/** Items that are made and dropped together. */
const BATCH = 10;
/** How far above and below the screen items are made, in screens. */
const MARGIN = 1;
/** Pixels of an item, as long as none was measured. */
const USUAL_HEIGHT = 180;
/** Pixels that all room together may take; browsers know no larger pages. */
const MOST_ROOM = 12_000_000;

/** @typedef {(position: number) => Promise<HTMLLIElement>} MakeItem */

export class ResultList {
  /** @type {Map<number, HTMLLIElement[]>} By the number of the batch; without gaps between the numbers. */
  #shown = new Map();
  /** @type {Map<number, number>} Measured heights of batches. */
  #heights = new Map();
  /** Of a batch that was not measured. */
  #usualHeight = USUAL_HEIGHT * BATCH;
  /** Counts lists: what was made for an older one is dropped. */
  #generation = 0;
  #updating = false;
  #again = false;
  /** @type {MakeItem} */
  #make = async () => element("li");

  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.size = 0;
    // Browsers hold the page still by rules of their own, which know nothing of the room; `#change` does it.
    document.documentElement.style.overflowAnchor = "none";
    addEventListener("scroll", () => this.#update(), { passive: true });
    addEventListener("resize", () => {
      this.#heights.clear();
      this.#update();
    });
  }

  /**
   * Show another list; the promise is kept when its first items stand there.
   *
   * @param {number} size
   * @param {MakeItem} make
   * @param {number} [position] Which item to show at first.
   * @returns {Promise<boolean>} False when yet another list came in between.
   */
  async show(size, make, position = 0) {
    this.#generation += 1;
    const generation = this.#generation;
    const batch = Math.floor(position / BATCH);
    const items = size > 0 ? await this.#itemsOf(batch, size, make) : [];
    if (generation !== this.#generation) return false;
    this.size = size;
    this.#make = make;
    this.#heights.clear();
    this.#shown = new Map(size > 0 ? [[batch, items]] : []);
    this.list.replaceChildren(...items);
    this.#measure();
    this.#update();
    return true;
  }

  /**
   * Return the item of a position once it is in the page, with the page scrolled so that it is seen.
   *
   * @param {number} position From 0.
   * @returns {Promise<HTMLLIElement | null>} Null when there is none, or another list came in between.
   */
  async reach(position) {
    if (position < 0 || position >= this.size) return null;
    const batch = Math.floor(position / BATCH);
    if (!this.#shown.has(batch)) {
      const generation = this.#generation;
      const items = await this.#itemsOf(batch, this.size, this.#make);
      if (generation !== this.#generation) return null;
      this.#place(batch, items);
    }
    const item = this.#shown.get(batch)?.[position % BATCH] ?? null;
    item?.scrollIntoView({ block: "nearest" });
    return item;
  }

  /** All items that are in the page. */
  get items() {
    return [...this.#shown.keys()].sort((one, other) => one - other).flatMap((batch) => this.#shown.get(batch) ?? []);
  }

  /**
   * @param {number} batch
   * @param {number} size
   * @param {MakeItem} make
   */
  #itemsOf(batch, size, make) {
    const length = Math.min(BATCH, size - batch * BATCH);
    return Promise.all(Array.from({ length }, (_, at) => make(batch * BATCH + at)));
  }

  /** Make what has come near the screen, and drop what has gone far from it. */
  async #update() {
    this.#again = true;
    if (this.#updating) return;
    this.#updating = true;
    try {
      while (this.#again) {
        this.#again = false;
        const generation = this.#generation;
        const [first, last] = this.#wanted();
        for (let batch = first; batch <= last; batch += 1) {
          if (this.#shown.has(batch)) continue;
          const items = await this.#itemsOf(batch, this.size, this.#make);
          if (generation !== this.#generation || this.#shown.has(batch)) break;
          this.#place(batch, items);
        }
        if (generation === this.#generation) this.#dropOutside(...this.#wanted());
        else this.#again = true;
      }
    } finally {
      this.#updating = false;
    }
  }

  /**
   * Return the first and last batch that should be in the page; the last is before the first when there are none.
   *
   * @returns {[first: number, last: number]}
   */
  #wanted() {
    const top = -this.list.getBoundingClientRect().top;
    const from = top - MARGIN * innerHeight;
    const to = top + (1 + MARGIN) * innerHeight;
    const batches = Math.ceil(this.size / BATCH);
    let first = batches;
    let last = -1;
    let start = 0;
    for (let batch = 0; batch < batches; batch += 1) {
      const end = start + this.#heightOf(batch);
      if (end > from && start < to) {
        first = Math.min(first, batch);
        last = batch;
      }
      start = end;
      if (start > to) break;
    }
    if (last < 0 && batches > 0) return [batches - 1, batches - 1]; // scrolled to below the list
    return [first, last];
  }

  /**
   * Put a batch into the page; those that would leave a gap to it go.
   *
   * @param {number} batch
   * @param {HTMLLIElement[]} items
   */
  #place(batch, items) {
    this.#change(() => {
      if (this.#shown.has(batch - 1)) this.#shown.get(batch - 1)?.at(-1)?.after(...items);
      else if (this.#shown.has(batch + 1)) this.#shown.get(batch + 1)?.at(0)?.before(...items);
      else {
        this.#shown.forEach((old) => old.forEach((item) => item.remove()));
        this.#shown.clear();
        this.list.prepend(...items);
      }
      this.#shown.set(batch, items);
    });
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  #dropOutside(first, last) {
    const outside = [...this.#shown.keys()].filter((batch) => batch < first || batch > last);
    if (outside.length === 0) return;
    this.#change(() => {
      for (const batch of outside) {
        this.#shown.get(batch)?.forEach((item) => item.remove());
        this.#shown.delete(batch);
      }
    });
  }

  /**
   * Change what is in the page, without moving what the reader sees: heights were estimates until now.
   *
   * @param {() => void} change
   */
  #change(change) {
    const seen = this.items.find((item) => item.getBoundingClientRect().bottom > 0);
    const before = seen?.getBoundingClientRect().top ?? 0;
    change();
    this.#measure();
    if (!seen?.isConnected) return;
    const moved = seen.getBoundingClientRect().top - before;
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
  }

  /** Note how high the batches are, and keep room for those that are not in the page. */
  #measure() {
    for (const [batch, items] of this.#shown) {
      const height = (items.at(-1)?.getBoundingClientRect().bottom ?? 0) - (items[0]?.getBoundingClientRect().top ?? 0);
      if (height > 0) this.#heights.set(batch, height);
    }
    const heights = [...this.#heights.values()];
    if (heights.length > 0) this.#usualHeight = heights.reduce((total, height) => total + height) / heights.length;
    const batches = Math.ceil(this.size / BATCH);
    const shown = [...this.#shown.keys()];
    const first = Math.min(batches, ...shown);
    const last = Math.max(-1, ...shown);
    this.list.style.paddingTop = `${this.#room(0, first)}px`;
    this.list.style.paddingBottom = `${this.#room(last + 1, batches)}px`;
  }

  /**
   * @param {number} first
   * @param {number} end
   */
  #room(first, end) {
    let room = 0;
    for (let batch = first; batch < end; batch += 1) room += this.#heightOf(batch);
    return Math.min(room, MOST_ROOM);
  }

  /** @param {number} batch */
  #heightOf(batch) {
    return this.#heights.get(batch) ?? this.#usualHeight;
  }
}
