"""Enters: the words of all papers, and how likely each is about each concept.

Leaves: the words that tell papers about a concept from those that only mention it; they tell apart two things of one
name, too.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from generator.tags.evidence import Evidence
from generator.tags.weights import CONTEXT_WEIGHT
from generator.terms import WordTable, idle_keys, rarity
from generator.texts import FIELDS, TITLE

MOST_WORDS = 12
"""Words of a concept's context."""
_COMMONEST = 10
"""Words that more than one paper in so many holds tell no subject."""
_LEAST_COMMON = 5
"""Papers that a word may be in at least, in a small pile."""
_TITLE_COUNTS = 2
_LOGARITHMS = np.array([0, 1000, 1693, 2099, 2386, 2609, 2792, 2946, 3079], dtype=np.int64)
"""One plus the logarithm of a count, in thousandths, and 0 for none; higher counts are as the last."""
_CELLS = 4_000_000
"""Concepts times words at once, which bounds the memory."""


@dataclass(frozen=True, slots=True)
class PaperWords:
    """How much of each paper each word is."""

    keys: tuple[str, ...]
    shares: sparse.csr_array
    """A row per paper, a column per key; a paper's values, in thousandths, are of length one."""


Context = Sequence[tuple[str, int]]
"""Words with the log odds, in thousandths, that a paper made of one word alone would gain by it."""


def words_of_papers(table: WordTable, papers: int) -> PaperWords:
    """Return the topical words of each paper; what stands for a paper depends on no other paper."""
    telling = ~idle_keys(table)[table.key_numbers]
    texts, keys = table.text_numbers[telling].astype(np.int64), table.key_numbers[telling].astype(np.int64)
    counts = np.where(texts % FIELDS == TITLE, _TITLE_COUNTS, 1)
    size = max(1, len(table.keys))
    cells, cell_of = np.unique(texts // FIELDS * size + keys, return_inverse=True)
    totals = np.bincount(cell_of, weights=counts, minlength=len(cells)).astype(np.int64)
    values = _LOGARITHMS[np.minimum(totals, len(_LOGARITHMS) - 1)]
    rows = cells // size
    lengths = np.sqrt(np.bincount(rows, weights=values * values, minlength=papers)).astype(np.int64)
    shares = values * 1000 // np.maximum(lengths[rows], 1)
    matrix = sparse.csr_array((shares, (rows, cells % size)), shape=(papers, size), dtype=np.int64)
    return PaperWords(table.keys, matrix)


def rarities(words: PaperWords) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the words that may tell a subject, as numbers of keys, and how rare each is, in thousandths of log2."""
    papers = words.shares.shape[0]
    counts = np.bincount(words.shares.indices, minlength=len(words.keys))
    kept = np.flatnonzero((counts > 1) & (counts <= max(papers // _COMMONEST, _LEAST_COMMON)))
    return kept, np.array([rarity(count, papers) for count in counts[kept].tolist()], dtype=np.int64)


def find_contexts(
    words: PaperWords, evidence: Evidence, likely: NDArray[np.int64], terms: Sequence[Sequence[str]]
) -> list[Context]:
    """Return the context of each concept, the strongest word first.

    Args:
        words: The words of all papers.
        evidence: Which paper mentions which concept.
        likely: One per pair of the evidence: the chance that the paper is about the concept.
        terms: The variants of each concept; their own words are no context.
    """
    papers = words.shares.shape[0]
    kept, rare = rarities(words)
    shares = words.shares[:, kept]
    column = {words.keys[key]: number for number, key in enumerate(kept.tolist())}
    about = sparse.csr_array((likely, (evidence.entries, evidence.papers)), shape=(len(terms), papers), dtype=np.int64)
    kept_keys = [words.keys[number] for number in kept.tolist()]
    weights = rare * rare // 1000
    contexts: list[Context] = []
    block = max(1, _CELLS // max(1, len(kept)))
    for first in range(0, len(terms), block):
        sums = about[first : first + block] @ shares
        values = sums.data // 1000 * weights[sums.indices]
        ends = sums.indptr.tolist()
        for start, end, variants in zip(ends, ends[1:], terms[first : first + block], strict=False):
            own = {column[key] for term in variants for key in term.split(" ") if key in column}
            contexts.append(_strongest(values[start:end], sums.indices[start:end], own, kept_keys))
    return contexts


def _strongest(values: NDArray[np.int64], columns: NDArray[np.int32], own: Set[int], keys: Sequence[str]) -> Context:
    """Return the keys of the highest values, as a row of length `CONTEXT_WEIGHT`; without the ``own`` columns."""
    most = MOST_WORDS + len(own)
    if len(values) > most:
        # The partition says how high the last one is; which of equal ones it puts first may differ between machines.
        high = values >= np.partition(values, len(values) - most)[len(values) - most]
        values, columns = values[high], columns[high]
    found = sorted(
        (-value, column)
        for value, column in zip(values.tolist(), columns.tolist(), strict=True)
        if value > 0 and column not in own
    )[:MOST_WORDS]
    if not found:
        return ()
    highest = -found[0][0]
    shares = [-value * 1000 // highest for value, _ in found]
    length = isqrt(sum(share * share for share in shares))
    weighed = (
        (keys[column], share * CONTEXT_WEIGHT // length) for (_, column), share in zip(found, shares, strict=True)
    )
    return tuple((key, weight) for key, weight in weighed if weight > 0)


def context_log_odds(words: PaperWords, evidence: Evidence, contexts: Sequence[Context]) -> NDArray[np.int64]:
    """Return how much the company of other words speaks for each pair of the evidence, in thousandths, from 0."""
    number_of = {key: number for number, key in enumerate(words.keys)}
    cells = [
        (entry, number_of[key], value)
        for entry, context in enumerate(contexts)
        for key, value in context
        if key in number_of
    ]
    entries, columns, values = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    wanted = sparse.csr_array((values, (entries, columns)), shape=(max(1, len(contexts)), max(1, len(words.keys))))
    total = np.zeros(len(evidence.papers), dtype=np.int64)
    for first in range(0, len(total), 1 << 17):
        part = slice(first, first + (1 << 17))
        products = words.shares[evidence.papers[part]].multiply(wanted[evidence.entries[part]])
        total[part] = np.asarray(products.sum(axis=1)).ravel()
    return total // 1000
