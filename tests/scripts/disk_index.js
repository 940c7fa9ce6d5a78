// Opens an index that `papershelf build` wrote, in Node, where there are no script elements.
import { readFileSync } from "node:fs";

globalThis.document ??= { currentScript: null };

/** Returns the content of a part of the index in a folder. */
export function readPart(folder, name) {
  const script = readFileSync(`${folder}/${name}.js`, "utf8");
  return JSON.parse(script.slice("papershelfChunk(".length, script.lastIndexOf(");")));
}

/** Returns the index of a folder, and the names of the parts that were read. */
export async function openIndex(folder) {
  const { SearchIndex } = await import("../../site_templates/scripts/index.js");
  const read = [];
  const load = async (name) => {
    read.push(name);
    return readPart(folder, name);
  };
  return { index: new SearchIndex(readPart(folder, "manifest"), load), read };
}
