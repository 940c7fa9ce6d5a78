import assert from "node:assert/strict";
import { test } from "node:test";

import { readView, toggleFilter, writeView } from "../../site_templates/scripts/view.js";

const EMPTY = { query: "", exact: false, filters: [], sort: "", ids: [] };

test("view: everything has no fragment", () => {
  assert.equal(writeView(EMPTY), "");
  assert.deepEqual(readView(""), EMPTY);
});

test("view: a fragment reproduces the view, whatever the words and labels", () => {
  const view = {
    query: 'a&b=c #1 100% "x y" -ü 图',
    exact: true,
    filters: [
      { kind: "tag", value: "graph nets & co", negated: false },
      { kind: "tag", value: "-minus", negated: false },
      { kind: "tag", value: "-minus too", negated: true },
      { kind: "tag", value: "=equals", negated: true },
      { kind: "collection", value: "ICML 2025 #2", negated: false },
      { kind: "year", value: "2025", negated: true },
      { kind: "is", value: "kept", negated: false },
      { kind: "label", value: "to read", negated: false },
    ],
    sort: "newest",
    ids: ["0123456789ab", "ffffffffffff"],
  };
  assert.deepEqual(readView(writeView(view)), view);
});

test("view: what nobody wrote is passed over", () => {
  assert.deepEqual(readView("#sort=sideways&is=loved&foo=bar&tag=&ids=!!!&exact=yes"), EMPTY);
});

test("view: pressing a filter sets it, turns it round, and takes it away", () => {
  const only = { kind: "tag", value: "bread", negated: false };
  const without = { ...only, negated: true };
  const once = toggleFilter(EMPTY, only);
  assert.deepEqual(once.filters, [only]);
  assert.deepEqual(toggleFilter(once, without).filters, [without]);
  assert.deepEqual(toggleFilter(once, only).filters, []);
});

test("view: tags add up, a year takes the other's place", () => {
  const tags = toggleFilter(toggleFilter(EMPTY, { kind: "tag", value: "a", negated: false }), {
    kind: "tag",
    value: "b",
    negated: false,
  });
  assert.equal(tags.filters.length, 2);
  const years = toggleFilter(toggleFilter(EMPTY, { kind: "year", value: "2024", negated: false }), {
    kind: "year",
    value: "2025",
    negated: false,
  });
  assert.deepEqual(years.filters, [{ kind: "year", value: "2025", negated: false }]);
});
