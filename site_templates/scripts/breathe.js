/**
 * Pauses in long work, in which the browser takes keys and draws.
 *
 * In: calls between the steps of the work. Out: a pause, when the last one is a while ago.
 */

/** Milliseconds of work between pauses; steps are shorter than that but for the largest sites. */
const LONGEST_STRETCH = 16;

let last = 0;

/** Give way to the browser if it waits; to be awaited between steps. */
export async function breathe() {
  if (performance.now() - last < LONGEST_STRETCH) return;
  await new Promise((resolve) => setTimeout(resolve));
  last = performance.now();
}
