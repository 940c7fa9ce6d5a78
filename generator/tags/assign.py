"""Enters: for each paper and tag that it mentions, the chance that the paper is about the tag.

Leaves: for each paper the few tags that it is about, the most telling first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.tags.likelihood import CERTAIN

FEWEST_TAGS, MOST_TAGS = 3, 5
_BAR_PART = 4
"""A paper joins a tag when its chance is over that part of the tag's best F1: at half of it, it would just not lower
the F1 that is expected, but a tag in doubt also serves readers who would not have listed it."""


@dataclass(frozen=True, slots=True)
class Standards:
    """What a paper's chance is held against, one value a concept."""

    bars: NDArray[np.int64]
    """The chance above which a paper gains by the concept, in parts of `CERTAIN`."""
    scales: NDArray[np.int64]
    """How much a chance above the bar counts, up to 1000 for the smallest: one more paper changes a large one less."""
    masses: NDArray[np.int64]
    """The number of papers that are about it, as expected: the sum of their chances, in parts of `CERTAIN`."""


def expected_standards(entries: NDArray[np.int64], likely: NDArray[np.int64], size: int) -> Standards:
    """Return the standards of ``size`` concepts from the pairs of papers and concepts, as columns in any order.

    If the n likeliest papers of a concept are taken, the F1 of the taken and the right ones is expected to be twice the
    sum of their chances over n plus the sum of all chances; n is where this is highest.
    """
    order = np.lexsort((-likely, entries))
    entries, likely = entries[order], likely[order]
    begins = np.searchsorted(entries, np.arange(size + 1))
    bars, scales, masses = (np.zeros(size, dtype=np.int64) for _ in range(3))
    for concept in range(size):
        sums = np.cumsum(likely[begins[concept] : begins[concept + 1]])
        if not len(sums):
            continue
        masses[concept] = sums[-1]
        scores = 2 * sums * CERTAIN // (np.arange(1, len(sums) + 1) * CERTAIN + sums[-1])
        taken = int(scores.argmax())
        bars[concept] = scores[taken] // _BAR_PART
        scales[concept] = int(1000 / np.sqrt(np.sqrt(max(1.0, taken + 1 + sums[-1] / CERTAIN))))
    return Standards(bars, scales, masses)


def assign_tags(
    papers: NDArray[np.int64],
    entries: NDArray[np.int64],
    gain: NDArray[np.int64],
    nested: NDArray[np.int64],
    size: int,
) -> NDArray[np.bool_]:
    """Return which pairs are taken: up to `MOST_TAGS` a paper, none nested in another.

    The first `FEWEST_TAGS` are the best there are; more only where there is something to gain.

    Args:
        papers: One per pair, rising.
        entries: One per pair.
        gain: One per pair.
        nested: Sorted codes, smaller number times ``size`` plus the other, of entries that must not stand together.
        size: Number of entries.
    """
    order = np.lexsort((entries, -gain, papers))
    papers, entries, gain = papers[order], entries[order], gain[order]
    alive = np.ones(len(papers), dtype=bool)
    taken = np.zeros(len(papers), dtype=bool)
    last_taken = np.full(int(papers.max(initial=0)) + 1, -1, dtype=np.int64)
    for rank in range(MOST_TAGS):
        rows = np.flatnonzero(alive)
        if rank >= FEWEST_TAGS:
            rows = rows[gain[rows] > 0]
        # The first that is left of each paper.
        who = papers[rows]
        best = rows[np.append(True, who[1:] != who[:-1])] if len(rows) else rows
        if not len(best):
            break
        taken[best] = True
        alive[best] = False
        last_taken[:] = -1
        last_taken[papers[best]] = entries[best]
        beside = last_taken[papers]
        codes = np.minimum(beside, entries) * size + np.maximum(beside, entries)
        alive &= (beside >= 0) & ~_is_in(codes, nested)
    result = np.zeros(len(papers), dtype=bool)
    result[order[taken]] = True
    return result


def _is_in(values: NDArray[np.int64], among: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which values stand in a sorted array."""
    if not len(among):
        return np.zeros(len(values), dtype=bool)
    places = np.minimum(np.searchsorted(among, values), len(among) - 1)
    found: NDArray[np.bool_] = among[places] == values
    return found


def tags_by_paper(
    papers: NDArray[np.int64], entries: NDArray[np.int64], gain: NDArray[np.int64], count: int
) -> list[list[int]]:
    """Return the taken entries of each of ``count`` papers, those that gain most first."""
    order = np.lexsort((entries, -gain, papers))
    given: list[list[int]] = [[] for _ in range(count)]
    for paper, entry in zip(papers[order].tolist(), entries[order].tolist(), strict=True):
        given[paper].append(entry)
    return given
