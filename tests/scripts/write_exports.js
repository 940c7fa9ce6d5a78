/**
 * In: lines on the standard input, each a JSON object with `papers` and `context`. Out: a line for each, a JSON object
 * with the text of every export format under its name.
 */

import { createInterface } from "node:readline";

import { EXPORT_FORMATS, exportPapers } from "../../site_templates/scripts/exports.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { papers, context } = JSON.parse(line);
  const files = EXPORT_FORMATS.map(({ name }) => [name, exportPapers(name, papers, context)]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries(files))}\n`);
}
