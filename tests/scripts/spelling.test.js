import assert from "node:assert/strict";
import { test } from "node:test";

import { editDistance, nearestWord } from "../../site_templates/scripts/spelling.js";

const WORDS = ["diffuse", "diffusion", "dilution", "fusion", "infusion", "difference"];
const COUNTS = [3, 50, 4, 9, 1, 20];

test("distance: added, missing, wrong and swapped letters count one each", () => {
  assert.equal(editDistance("diffusion", "diffusion", 2), 0);
  assert.equal(editDistance("difusion", "diffusion", 2), 1);
  assert.equal(editDistance("diffussion", "diffusion", 2), 1);
  assert.equal(editDistance("diffasion", "diffusion", 2), 1);
  assert.equal(editDistance("diffuison", "diffusion", 2), 1);
  assert.equal(editDistance("dfiufsion", "diffusion", 2), 2);
});

test("distance: more than asked for is only told to be more", () => {
  assert.ok(editDistance("pottery", "diffusion", 2) > 2);
});

test("nearest: the word of fewest faults, then the commonest", () => {
  assert.equal(nearestWord("difusion", "d", WORDS, COUNTS, null)?.word, "diffusion");
  assert.equal(nearestWord("bake", "b", ["bale", "bare"], [2, 30], null)?.word, "bare");
});

test("nearest: short words are left alone, far ones are not taken", () => {
  assert.equal(nearestWord("cat", "c", ["car", "cart"], [9, 9], null), null);
  assert.equal(nearestWord("qqqqqqqqq", "q", ["quiver", "quantity"], [9, 9], null), null);
  assert.equal(nearestWord("bread", "b", ["broth"], [9], null), null);
});

test("nearest: what was found before stays when it is nearer", () => {
  const before = { word: "diffusion", distance: 1, count: 50 };
  assert.deepEqual(nearestWord("difusion", "d", ["dilusion"], [99], before)?.word, "dilusion");
  assert.deepEqual(nearestWord("difusion", "d", ["delusion"], [99], before), before);
});
