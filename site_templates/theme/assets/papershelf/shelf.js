// On every page: the header's search box leads to the search page, and "/" leads into the box.
"use strict";

(() => {
  const menu = document.querySelector(".shelf-menu");
  menu.addEventListener("keydown", (event) => {
    if (event.key !== " ") return; // Material sees to Enter
    event.preventDefault();
    menu.click();
  });

  const form = document.querySelector(".shelf-header-search");
  const box = form && form.querySelector("input");
  if (!box) return;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = box.value.trim();
    location.href = form.dataset.target + (query ? "#q=" + encodeURIComponent(query) : "");
  });

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (box.offsetParent) box.focus();
    else location.href = form.dataset.target; // on a narrow screen the header has only the link
  });
})();
