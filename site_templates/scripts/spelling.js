/**
 * Misspelt words.
 *
 * In: a word and known words. Out: the known word that was most likely meant.
 */

/** @typedef {{ word: string, distance: number, count: number }} Near */

/** Letters from which on a word may have one fault, and two. */
const ONE_FAULT = 4;
const TWO_FAULTS = 8;

/**
 * Return the nearest of some words: that of fewest faults, then the commonest.
 *
 * @param {string} word
 * @param {string} letter Only words that begin with it are looked at.
 * @param {string[]} words
 * @param {number[]} counts How often each occurs.
 * @param {Near | null} best What was found before.
 * @returns {Near | null}
 */
export function nearestWord(word, letter, words, counts, best) {
  const most = word.length < ONE_FAULT ? 0 : word.length < TWO_FAULTS ? 1 : 2;
  let found = best;
  for (let at = 0; at < words.length; at += 1) {
    const known = words[at];
    const allowed = found ? found.distance : most;
    if (allowed === 0 || Math.abs(known.length - word.length) > allowed || !known.startsWith(letter)) continue;
    const distance = editDistance(word, known, allowed);
    if (distance > allowed || distance === 0) continue;
    if (!found || distance < found.distance || counts[at] > found.count) {
      found = { word: known, distance, count: counts[at] };
    }
  }
  return found;
}

/**
 * Return how many letters are added, missing, wrong or changed places with the next: optimal string alignment.
 *
 * @param {string} one
 * @param {string} other
 * @param {number} most Where there are more, any larger number is returned.
 * @returns {number}
 */
export function editDistance(one, other, most) {
  let before = new Uint8Array(other.length + 1);
  let last = Uint8Array.from(before, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const current = new Uint8Array(other.length + 1);
    current[0] = row;
    let least = row;
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1];
      let cost = Math.min(last[at] + 1, current[at - 1] + 1, last[at - 1] + (same ? 0 : 1));
      if (row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]) {
        cost = Math.min(cost, before[at - 2] + 1);
      }
      current[at] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    before = last;
    last = current;
  }
  return last[other.length];
}
