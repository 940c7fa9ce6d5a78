/**
 * Elements made by script. Texts of abstracts reach the page as text nodes only; nothing here ever writes HTML.
 *
 * In: names, attributes and children. Out: elements, and addresses within the site.
 */

/** The site's root: the scripts stand two folders below it. */
export const siteRoot = new URL("../../", /** @type {HTMLScriptElement} */ (document.currentScript).src);

/** @typedef {Record<string, string | number | boolean | null | ((event: any) => void)>} Attributes */

/**
 * Return a new element. An attribute that is true stands without a value, one that is false or null is left out, and a
 * function is called on the event of that name; strings among the children become text nodes.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== false && value !== null) made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * @param {string} label
 * @param {() => unknown} click
 */
export function button(label, click) {
  return element("button", { type: "button", click }, label);
}

/**
 * Return a link to a page of the site.
 *
 * @param {string} page Relative to the site's root.
 * @param {Attributes} attributes
 * @param {...(Node | string)} children
 */
export function pageLink(page, attributes, ...children) {
  return element("a", { href: new URL(page, siteRoot).href, ...attributes }, ...children);
}

/**
 * Return a number as it is read, and what it counts.
 *
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
