// Puts the remembered colours on the page. Material's script writes them when the reader presses the button.
"use strict";

(() => {
  const palette = __md_get("__palette");
  if (!palette || !palette.color) return;
  const color = { ...palette.color };
  if (color.media === "(prefers-color-scheme)") {
    const wanted = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const option = document.querySelector(`[data-md-color-media="(prefers-color-scheme: ${wanted})"]`);
    for (const name of option ? ["scheme", "primary", "accent"] : []) {
      color[name] = option.getAttribute(`data-md-color-${name}`);
    }
  }
  for (const [name, value] of Object.entries(color)) document.body.setAttribute(`data-md-color-${name}`, value);
})();
