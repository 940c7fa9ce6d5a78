/*
 * Opens the search index that lies beside this script, over http and from disk alike.
 *
 * Chunks come as scripts, since a page on disk may load scripts but may not fetch. Pagefind's own code stands in the
 * middle, rewritten by pagefind_script.py; the names below are what the rewritten code refers to.
 */
(() => {
  "use strict";

  const scriptAddress = document.currentScript.src;
  const folder = new URL("./", scriptAddress).href;

  /** Chunk scripts that have not run yet, each with the function that takes its bytes. */
  const waiting = new Map();

  /** Addresses of the chunks that could not be read; Pagefind only writes those to the console. */
  const failed = [];

  /**
   * Load one chunk: `…/name?ts=1` is the script `…/name.js?ts=1`.
   *
   * @param {string} address Where Pagefind expects the plain file.
   * @returns {Promise<{json?: Function, arrayBuffer: Function}>} What Pagefind uses of a `fetch`'s answer.
   */
  function loadChunk(address) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      const [path, query] = address.split("?");
      script.src = query === undefined ? `${path}.js` : `${path}.js?${query}`;
      const fail = () => {
        waiting.delete(script);
        script.remove();
        failed.push(path);
        reject(new Error(`The search index has no readable ${path}.js`));
      };
      script.addEventListener("error", fail);
      script.addEventListener("load", () => {
        // A script that ran without handing over a chunk is something else, such as a host's error page.
        if (waiting.has(script)) fail();
        else script.remove();
      });
      waiting.set(script, resolve);
      document.head.append(script);
    });
  }

  /**
   * Take over one chunk; every chunk script calls this once.
   *
   * @param {string | object} content Bytes in base64, or an object that is to be read as JSON.
   */
  function chunk(content) {
    const script = document.currentScript;
    const resolve = waiting.get(script);
    if (resolve === undefined) return;
    waiting.delete(script);
    resolve(typeof content === "string" ? binaryResponse(content) : jsonResponse(content));
  }

  /** Answer like a `fetch` of bytes. */
  function binaryResponse(base64) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return { arrayBuffer: async () => bytes.buffer };
  }

  /** Answer like a `fetch` of JSON; as bytes it starts with the signature that Pagefind looks for in a fragment. */
  function jsonResponse(content) {
    return {
      json: async () => content,
      arrayBuffer: async () => new TextEncoder().encode(`pagefind_dcd${JSON.stringify(content)}`).buffer,
    };
  }

  const pagefind = (() => {
    /* pagefind.js stands here */
  })();

  /**
   * Open the index with all its shards.
   *
   * @param {object} ranking Pagefind's ranking options; each shard has to be told.
   * @returns {Promise<{index: object | null, entries: number}>} A Pagefind instance, null when there is no entry.
   */
  async function open(ranking) {
    const manifest = await (await loadChunk(`${folder}manifest.json?ts=${Date.now()}`)).json();
    const [first, ...others] = manifest.shards;
    if (first === undefined) return { index: null, entries: 0 };
    // A worker may not start from disk, so there is none over http either.
    const index = pagefind.createInstance({ basePath: folder + first, noWorker: true, ranking });
    // An empty search waits until the instance is ready and, unlike mergeIndex, reports why it never will be.
    await index.search("");
    await Promise.all(others.map((shard) => index.mergeIndex(folder + shard, { ranking })));
    return { index, entries: manifest.entries };
  }

  globalThis.shelfSearch = Object.freeze({ open, chunk, failed });
})();
