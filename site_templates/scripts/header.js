/**
 * The header of every page: its menu, and its search box, which leads to the search page.
 *
 * In: the elements of the header. Out: their behaviour.
 */

/** Make the header work. */
export function startHeader() {
  const menu = document.querySelector(".shelf-menu");
  const drawer = document.getElementById("__drawer");
  if (menu && drawer instanceof HTMLInputElement) {
    menu.addEventListener("click", () => drawer.click());
    drawer.addEventListener("change", () => menu.setAttribute("aria-expanded", String(drawer.checked)));
  }
  const form = document.querySelector(".shelf-header-search");
  const box = form?.querySelector("input");
  if (!(form instanceof HTMLElement) || !box) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = box.value.trim();
    location.href = `${form.dataset.target}${query && `#q=${encodeURIComponent(query)}`}`;
  });
}

/** Go to the header's search box, or to the search page where there is room for a link only. */
export function goToSearch() {
  const form = document.querySelector(".shelf-header-search");
  const box = form?.querySelector("input");
  if (!(form instanceof HTMLElement) || !box) return;
  if (box.offsetParent) box.focus();
  else location.href = form.dataset.target ?? "";
}
