import assert from "node:assert/strict";
import { test } from "node:test";

import { asPlainWords, hasOperators, parseQuery } from "../../site_templates/scripts/query.js";
import { WordRules } from "../../site_templates/scripts/words.js";
import { TABLES } from "./tables.js";

const rules = new WordRules(TABLES);

/** Returns the words of each clause, with its operator in front and `…` behind a word that is still typed. */
function planned(text) {
  const { clauses, filters } = parseQuery(text, rules);
  return [
    ...clauses.map(({ kind, words, joined, negated, open }) => {
      const inside = kind === "phrase" ? `"${words.join(" ")}"` : words.join("+") + (joined && `|${joined}`);
      return `${negated ? "-" : ""}${inside}${open ? "…" : ""}`;
    }),
    ...filters.map(({ name, value, negated }) => `${negated ? "-" : ""}${name}=${value}`),
  ];
}

const CASES = [
  ["words are clauses, the last is still typed", "graph pruning", ["graph", "pruning…"]],
  ["a blank ends the last word", "graph pruning ", ["graph", "pruning"]],
  ["stop words are left out", "the pruning of graphs ", ["pruning", "graphs"]],
  ["stop words alone are searched", "to be or not to be ", ["to", "be", "or", "not"]],
  ["a word typed twice counts once", "graph Graph graph ", ["graph"]],
  ["hyphens make one clause of parts and the whole", "zero-shot k-NN ", ["zero+shot|zeroshot", "k+nn|knn"]],
  ["a phrase keeps its stop words", '"attention is all" you ', ['"attention is all"']],
  ["a phrase that isn't closed is words", 'graph "neural net', ["graph", "neural", "net…"]],
  ["empty quotes are nothing", 'graph "" ', ["graph"]],
  ["a minus leaves out", 'graph -survey -"state space" ', ['-"state space"', "graph", "-survey"]],
  ["a minus between words is a hyphen", "bag-of-words ", ["bag+of+words|bagofwords"]],
  ["a minus alone is nothing", "graph - neural ", ["graph", "neural"]],
  ["fields filter", "year:2025 tag:robust graph ", ["graph", "year=2025", "tag=robust"]],
  ["fields take quotes and a minus", '-author:"Ada Laib" TAG:"graph nets"', ["-author=Ada Laib", "tag=graph nets"]],
  ["a field without a value is a word", "tag: graph ", ["tag", "graph"]],
  ["an unknown field is two words", "foo:bar ", ["foo", "bar"]],
  ["functions are one term", "sorting in O(n log n) time", ["o(nlogn)", "sorting", "time…"]],
  ["Greek letters have names", "ε-greedy ", ["epsilon+greedy|εgreedy"]],
  ["accents and ligatures are folded", "Straße eﬃcient naïve ", ["strasse", "efficient", "naive"]],
  ["unspaced scripts are pairs", "图神经 ", ["图神+神经"]],
  ["one character of them stands for longer words", "图 ", ["图"]],
  ["punctuation is nothing", "?! … () ", []],
  ["nothing is nothing", "   ", []],
];

for (const [name, text, expected] of CASES) {
  test(`query: ${name}`, () => assert.deepEqual(planned(text), expected));
}

test("query: one of only excluded words has no other words", () => {
  assert.deepEqual(planned("-survey "), ["-survey"]);
});

test("query: a pasted abstract is cut", () => {
  const text = Array.from({ length: 500 }, (_, at) => `word${at}`).join(" ");
  assert.equal(parseQuery(text, rules).clauses.length, 40);
});

test("query: operators become plain words", () => {
  const query = parseQuery('"graph nets" -survey year:2025 ', rules);
  assert.ok(hasOperators(query));
  const plain = asPlainWords(query, rules);
  assert.ok(!hasOperators(plain));
  assert.deepEqual(plain.clauses.map(({ words }) => words.join(" ")), ["graph", "nets", "survey", "2025"]);
});
