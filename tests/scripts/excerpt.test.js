import assert from "node:assert/strict";
import { test } from "node:test";

import { excerptOf, markedPieces } from "../../site_templates/scripts/excerpt.js";
import { WordRules } from "../../site_templates/scripts/words.js";
import { TABLES } from "./tables.js";

const rules = new WordRules(TABLES);

/** Returns pieces as one text, hits in brackets. */
function shown(pieces) {
  return pieces.map(({ text, hit }) => (hit ? `[${text}]` : text)).join("");
}

test("marks: words are marked in all their forms, and nothing else", () => {
  const text = "Loaves of bread: baking BREADS, not breadth (or <b>bread</b>).";
  const marked = shown(markedPieces(text, new Set(["bread", "bak"]), rules));
  assert.equal(marked, "Loaves of [bread]: [baking] [BREADS], not breadth (or <b>[bread]</b>).");
});

test("marks: accents and ligatures are marked whole", () => {
  assert.equal(shown(markedPieces("An eﬃcient café", new Set(["efficient", "cafe"]), rules)), "An [eﬃcient] [café]");
});

test("marks: of an unspaced script the searched pairs are marked", () => {
  assert.equal(shown(markedPieces("我们的图神经网络方法", new Set(["图神", "神经"]), rules)), "我们的[图神经]网络方法");
});

test("excerpts: a short text is shown whole", () => {
  assert.equal(shown(excerptOf("Bread rises.", new Set(["bread"]), rules)), "[Bread] rises.");
});

test("excerpts: the window with most different words wins", () => {
  const filler = Array.from({ length: 60 }, () => "and").join(" ");
  const text = `yeast yeast yeast ${filler} yeast rises in bread ${filler}`;
  const excerpt = shown(excerptOf(text, new Set(["yeast", "bread"]), rules));
  assert.ok(excerpt.includes("[yeast] rises in [bread]"), excerpt);
  assert.ok(excerpt.startsWith("… ") && excerpt.endsWith("…"));
  assert.ok(excerpt.split(/\s+/).length <= 43);
});

test("excerpts: without hits the text begins", () => {
  assert.ok(shown(excerptOf(`First of all ${"and ".repeat(80)}`, new Set(), rules)).startsWith("First of all and"));
});

test("excerpts: an empty text has none", () => {
  assert.equal(shown(excerptOf("", new Set(["bread"]), rules)), "");
});
