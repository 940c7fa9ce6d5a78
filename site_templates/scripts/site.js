/**
 * What the scripts know of the site. Each build puts its own facts in place of these, see `generator/render/scripts.py`.
 */

/**
 * @type {Readonly<{ id: string, name: string, papers: number, newest: string }>} `id`: 12 hex digits, the same in all
 *   builds; `newest`: the newest day on which a paper was added, or "".
 */
export const SITE = Object.freeze({ id: "000000000000", name: "", papers: 0, newest: "" });
