/**
 * Entry point of all pages but the search page: the header, and marks on abstracts and lists of them.
 */

import { counted, element, siteRoot } from "./elements.js";
import { openExports } from "./export_dialog.js";
import { goToSearch, startHeader } from "./header.js";
import { keysButton, listenToKeys } from "./keys.js";
import { openReader } from "./reader.js";
import { SITE } from "./site.js";
import { addButtons, listOfItems, listOfOne } from "./static_list.js";
import { showMark, Triage } from "./triage.js";

startHeader();
const { marks } = openReader();
const article = document.querySelector(".shelf-paper[data-id]");
const listed = document.querySelector(".shelf-list");
if (article instanceof HTMLElement) startAbstract(article, article.dataset.id ?? "");
else if (listed instanceof HTMLElement) startList(listed);
else listenToKeys(marks, { search: goToSearch });
showProgress();

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
    const id = item.querySelector("[data-id]")?.getAttribute("data-id");
    if (!id) return [];
    item.querySelector("[data-id]")?.removeAttribute("data-id");
    item.dataset.id = id;
    return [item];
  });
  if (items.length === 0) return listenToKeys(marks, { search: goToSearch });
  const triage = new Triage(marks, listOfItems(items, marks));
  const actions = { ...triage.actions, search: goToSearch };
  addButtons(items, marks, triage);
  const ids = items.map((item) => item.dataset.id ?? "");
  const hide = element("input", {
    type: "checkbox",
    change: () => {
      marks.setSetting("hideSeen", hide.checked);
      hideSeen(items, hide.checked);
    },
  });
  hide.checked = marks.getSetting("hideSeen");
  hideSeen(items, hide.checked);
  listed.before(
    element(
      "div",
      { class: "shelf-tools" },
      narrowingLink(listed),
      element("label", {}, hide, " Hide seen"),
      button("Undo", () => triage.undo()),
      button("Export", () => openExports(marks, [{ label: counted(ids.length, "paper") + " of this page", ids: () => ids }])),
      keysButton(marks, actions),
    ),
  );
  listenToKeys(marks, actions);
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

/**
 * Return a link to the search page with this page's list in it.
 *
 * @param {HTMLElement} listed
 */
function narrowingLink(listed) {
  const { kind = "", value = "" } = listed.dataset;
  const fragment = kind === "tag" || kind === "collection" ? `#${new URLSearchParams({ [kind]: value })}` : "";
  return element("a", { class: "shelf-narrow", href: new URL(`search.html${fragment}`, siteRoot).href }, "Search and filter this list");
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

/**
 * @param {string} label
 * @param {() => unknown} click
 */
function button(label, click) {
  return element("button", { type: "button", click }, label);
}
