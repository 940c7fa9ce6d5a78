/**
 * The parts of the index as they lie beside the page: scripts, since a page on disk may not fetch files.
 *
 * In: a part's address. Out: its content; rows of numbers are unpacked here, see `generator/finish/search/chunks.py`.
 */

/** @typedef {(name: string) => Promise<any>} Load Returns the content of a part by its name, such as `terms/3`. */

/** What each script that is on its way will be given to. */
const waiting = new WeakMap();

Object.assign(globalThis, {
  papershelfChunk(/** @type {unknown} */ content) {
    waiting.get(/** @type {object} */ (document.currentScript))?.(content);
  },
});

/**
 * Return the content of a script that calls `papershelfChunk` with it.
 *
 * @param {URL} address
 * @returns {Promise<any>} Rejected when there is no such script, or it holds something else.
 */
export function loadChunk(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    waiting.set(script, resolve);
    script.addEventListener("load", () => {
      reject(new Error(`${address} holds no part of the index`)); // does nothing when it was handed over
      script.remove();
    });
    script.addEventListener("error", () => {
      reject(new Error(`there is no ${address}`));
      script.remove();
    });
    script.src = address.href;
    document.head.append(script);
  });
}

/**
 * Return the bytes of a base64 text.
 *
 * @param {string} text
 * @returns {Uint8Array}
 */
export function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/**
 * Return the whole numbers of bytes in LEB128.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint32Array}
 */
export function readVarints(bytes) {
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let shift = 0;
  for (const byte of bytes) {
    numbers[count] += (byte & 0x7f) * 2 ** shift;
    if (byte & 0x80) {
      shift += 7;
    } else {
      shift = 0;
      count += 1;
    }
  }
  return numbers.subarray(0, count);
}

/**
 * Return lists of ascending numbers from their gaps.
 *
 * @param {ArrayLike<number>} sizes How long each list is.
 * @param {Uint32Array} gaps Of all lists, one after the other; changed.
 * @returns {Uint32Array[]} One a size, same order.
 */
export function readLists(sizes, gaps) {
  const lists = [];
  let start = 0;
  for (let list = 0; list < sizes.length; list += 1) {
    const end = start + sizes[list];
    for (let at = start + 1; at < end; at += 1) gaps[at] += gaps[at - 1];
    lists.push(gaps.subarray(start, end));
    start = end;
  }
  return lists;
}
