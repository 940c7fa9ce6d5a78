/**
 * Entry point of all pages: the header, and what the page lists: papers to find, a list of its own, or one abstract.
 *
 * In: the elements of the page. Out: their behaviour.
 */

import { button, element, siteRoot } from "./elements.js";
import { openExports } from "./export_dialog.js";
import { Finder } from "./finder.js";
import { goToSearch, startHeader } from "./header.js";
import { keysButton, listenToKeys } from "./keys.js";
import { openReader } from "./reader.js";
import { SITE } from "./site.js";
import { addButtons, listOfItems, listOfOne } from "./static_list.js";
import { showMark, Triage } from "./triage.js";

/** @typedef {import("./view.js").ViewFilter} ViewFilter */

startHeader();
const reader = openReader();
const { marks } = reader;
const find = (/** @type {string} */ selector) => {
  const found = document.querySelector(selector);
  return found instanceof HTMLElement ? found : null;
};
const place = find("#shelf-finder");
const article = find(".shelf-paper[data-id]");
const listed = find(".shelf-list:has([data-id])");
if (place) startSearch(place);
else if (article) startAbstract(article, article.dataset.id ?? "");
else if (listed) startList(listed);
else listenToKeys(marks, { search: goToSearch });
showProgress();

/** @param {HTMLElement} place */
function startSearch(place) {
  const finder = new Finder(reader, { label: "Words from titles and abstracts, tags, authors" });
  place.append(finder.frame.whole);
  finder.frame.box.focus({ preventScroll: true });
  finder.start();
}

/**
 * @param {HTMLElement} paper
 * @param {string} id
 */
function startAbstract(paper, id) {
  const triage = new Triage(marks, listOfOne(id));
  const actions = { ...triage.actions, search: goToSearch };
  const title = document.querySelector("h1")?.textContent ?? "";
  const bar = triage.buttons(
    id,
    title,
    button("Undo", () => triage.undo()),
    button("Export", () => openExports(marks, [{ label: "This paper", ids: () => [id] }])),
    keysButton(marks, actions),
  );
  bar.classList.add("shelf-marks--page");
  paper.append(bar);
  paper.before(element("div", { class: "shelf-own", "data-id": id }));
  marks.see(id);
  marks.setSetting("resume", id);
  showMark(marks, id);
  listenToKeys(marks, actions);
}

/** @param {HTMLElement} listed */
function startList(listed) {
  const items = [...listed.querySelectorAll("li")].flatMap((item) => {
    const link = item.querySelector("[data-id]");
    item.dataset.id = link?.getAttribute("data-id") ?? "";
    link?.removeAttribute("data-id");
    return link ? [item] : [];
  });
  const pager = find(".shelf-pager");
  const finder = new Finder(reader, {
    label: "Find in this list",
    within: whatAllHave(listed),
    given: {
      elements: pager ? [listed, pager] : [listed],
      papers: listOfItems(items, marks),
      ids: items.map((item) => item.dataset.id ?? ""),
      hideSeen: (hidden) => hideSeen(items, hidden),
    },
  });
  finder.frame.whole.classList.add("shelf-finder--within");
  finder.frame.box.placeholder = "Find in this list"; // the label is for the ear alone
  addButtons(items, marks, finder.triage);
  listed.before(finder.frame.whole);
  finder.start();
}

/**
 * Return what all papers of a page have, of which this list may be a part.
 *
 * @param {HTMLElement} listed
 * @returns {ViewFilter | null}
 */
function whatAllHave(listed) {
  const { kind, value = "" } = listed.dataset;
  return kind === "tag" || kind === "collection" ? { kind, value, negated: false } : null;
}

/**
 * Hide what is seen now; what will be seen stays until the page is opened again, since a list that moves under the
 * reader's finger gets the wrong marks.
 *
 * @param {HTMLElement[]} items
 * @param {boolean} hidden
 */
function hideSeen(items, hidden) {
  for (const item of items) item.hidden = hidden && marks.get(item.dataset.id ?? "").seen;
}

/** On the home page, say how far the reader is. */
function showProgress() {
  const lead = document.querySelector(".shelf-lead");
  const { seen, kept } = marks.counts();
  if (!lead || seen === 0) return;
  lead.after(
    element(
      "p",
      { class: "shelf-progress" },
      `${Math.min(seen, SITE.papers).toLocaleString("en")} of ${SITE.papers.toLocaleString("en")} seen, ${kept.toLocaleString("en")} kept. `,
      element("a", { href: new URL("search.html#resume", siteRoot).href }, "Go on"),
    ),
  );
}
