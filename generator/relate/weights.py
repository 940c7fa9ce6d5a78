"""Enters: where each term stands in the titles and abstracts.

Leaves: one row of integer weights per paper: how much each term says of it.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from generator.relate.occurrences import Terms
from generator.terms import rarity
from generator.texts import PROSE_FIELDS

UNIT = 4096
"""Weights are rounded to 1/4096 of a row's length: products and their sums are exact in 32-bit integers, so that
neither the order of the sums nor the machine can move a score."""

_TITLE_COUNTS = 3
"""An occurrence in the title counts as that many in the abstract."""
_PHRASE_TENTHS = 13
"""A phrase weighs that many tenths of a word as rare."""
_LONGEST_ROW = 512
"""Terms kept of one paper, the heaviest; more than any abstract has, so that it only bounds what a book would cost."""
_MOST_TELLING = 48
"""The heaviest terms of a paper, by which its candidates are looked up."""
_SMALL = 200
"""Up to so many papers, any term may relate."""
_COMMONEST = 2
"""Above, a term in more than one of so many papers tells nothing,"""
_COMMONEST_TELLING = 10
"""and one in more than one of so many looks up no candidates, if these are more than `_SMALL`."""
_MOST_LOOKED_UP = 2000
"""Nor does a term of more papers than that, which bounds the time of large piles."""
_PAPERS_PER_BLOCK = 1 << 13
"""Papers counted at once: bounds memory."""


@dataclass(frozen=True, slots=True)
class Weights:
    """One row per paper, one column per term."""

    all: sparse.csr_matrix
    """What stands in two papers or more, each row of length `UNIT`."""
    telling: sparse.csr_matrix
    """The part of ``all`` by which candidates are looked up: the heaviest terms that are not too common."""


def weigh_terms(terms: Terms, papers: int) -> Weights:
    """Return the weights of ``papers`` papers, whose titles and abstracts alternate in the texts.

    A term weighs its rarity to the power of 3/4 times 1 + log2 of its count. The power, the title's share and the
    phrase's were chosen on the first half of one conference; see ARCHITECTURE.md.
    """
    rows, columns, counts = _count(terms, papers)
    papers_with = np.bincount(columns, minlength=terms.count)
    rarities = np.zeros(papers + 1, dtype=np.int64)
    for frequency in np.unique(papers_with).tolist():
        if 0 < frequency <= (papers // _COMMONEST if papers > _SMALL else papers):
            # One paper more, so that in a tiny pile what all papers share still weighs a little.
            rare = max(1, rarity(frequency, papers + 1))
            rarities[frequency] = isqrt(rare * isqrt(rare * 1_000_000))
    # Thousandths, so that the tenth mention adds less than the second.
    damped = np.array([0] + [1000 + rarity(1, count) for count in range(1, int(counts.max(initial=1)) + 1)])
    values = rarities[papers_with[columns]] * damped[counts] // 1000
    values[columns >= terms.words] = values[columns >= terms.words] * _PHRASE_TENTHS // 10
    kept = (values > 0) & (papers_with[columns] > 1)
    rows, columns, values = rows[kept], columns[kept], values[kept]
    best_first = np.lexsort((columns, -values, rows))
    rows, columns, values = rows[best_first], columns[best_first], values[best_first]
    kept = _rank_in_row(rows, papers) < _LONGEST_ROW
    rows, columns, values = rows[kept], columns[kept], values[kept]
    squares = _squares(rows, values, papers)
    # Square root, division and rounding of float64 are exactly defined, so these bytes are the same everywhere.
    units = np.rint(values * UNIT / np.sqrt(squares[rows].astype(np.float64))).astype(np.int32)
    highest = min(max(papers // _COMMONEST_TELLING, _SMALL), _MOST_LOOKED_UP)
    telling = np.flatnonzero(papers_with[columns] <= highest)
    telling = telling[_rank_in_row(rows[telling], papers) < _MOST_TELLING]
    shape = (papers, terms.count)
    return Weights(
        _matrix(rows, columns, units, shape),
        _matrix(rows[telling], columns[telling], units[telling], shape),
    )


def _count(terms: Terms, papers: int) -> tuple[NDArray[np.int32], ...]:
    """Return paper, term and weighted count of each term in each paper, by paper and term."""
    size = max(1, terms.count)
    text_numbers = terms.table.text_numbers[terms.places]
    # Words, pairs and triples are each in reading order, so a block of papers is a slice of each.
    starts = (np.flatnonzero(np.diff(text_numbers) < 0) + 1).tolist()
    kinds = list(pairwise([0, *starts, len(text_numbers)]))
    found: list[tuple[NDArray[np.int32], ...]] = []
    for first in range(0, papers, _PAPERS_PER_BLOCK):
        last = min(first + _PAPERS_PER_BLOCK, papers)
        bounds = [first * PROSE_FIELDS, last * PROSE_FIELDS]
        chosen = np.concatenate(
            [np.arange(*(start + np.searchsorted(text_numbers[start:end], bounds))) for start, end in kinds]
        )
        texts = text_numbers[chosen]
        codes = (texts // PROSE_FIELDS).astype(np.int64) * size + terms.numbers[chosen]
        cells, cell_of = np.unique(codes, return_inverse=True)
        counts = np.bincount(cell_of, weights=np.where(texts % PROSE_FIELDS == 0, _TITLE_COUNTS, 1))
        found.append(tuple(part.astype(np.int32) for part in (cells // size, cells % size, counts)))
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))


def _rank_in_row(rows: NDArray[np.int32], papers: int) -> NDArray[np.int64]:
    """Return for each cell how many cells of the same row stand before it; the rows are in order."""
    starts = np.searchsorted(rows, np.arange(papers + 1))
    return np.arange(len(rows)) - starts[rows]


def _squares(rows: NDArray[np.int32], values: NDArray[np.int64], papers: int) -> NDArray[np.int64]:
    """Return the sum of the squares of each row's values; the rows are in order."""
    sums = np.concatenate([[0], np.cumsum(values * values)])
    starts = np.searchsorted(rows, np.arange(papers + 1))
    ends: NDArray[np.int64] = sums[starts]
    return np.diff(ends)


def _matrix(
    rows: NDArray[np.int32], columns: NDArray[np.int32], values: NDArray[np.int32], shape: tuple[int, int]
) -> sparse.csr_matrix:
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=shape, dtype=np.int32)
    matrix.sort_indices()
    return matrix
