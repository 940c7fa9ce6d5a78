/**
 * In: one JSON object on the standard input, `tables` and `texts`. Out: for each text what `words.js` makes of it.
 */

import { readFileSync } from "node:fs";

import { WordRules } from "../../site_templates/scripts/words.js";

const { tables, texts } = JSON.parse(readFileSync(0, "utf8"));
const rules = new WordRules(tables);
const made = texts.map((text) => {
  const words = rules.readWords(text);
  return [rules.fold(text), words, words.map((word) => rules.stem(word)), rules.joinedWords(text)];
});
process.stdout.write(JSON.stringify(made));
