"""Enters: the weights of all papers' terms, and their titles.

Leaves: for each paper the papers to show with it, the closest first, with their scores.

Four steps, each on what the one before has left: look up candidates by the most telling terms; compare whole texts;
drop what is the same paper again; and let the company that a paper keeps speak for it.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from generator.relate.weights import UNIT, Weights
from generator.terms import is_stop_key, words_of

MOST_RELATED = 6
HIGHEST_SCORE = 3 * 6 * UNIT**2
"""No score is higher: closeness twice and company once, each up to `UNIT` squared, and six fifths of it in the end."""

_CANDIDATES = 64
"""Papers compared with one in full."""
_COMPANY = 20
"""The closest papers of a paper, by which it is compared a second time."""
_SELF_TENTHS = 3
"""How much a paper belongs to its own company, in tenths of the highest closeness."""
_MUTUAL_FIFTHS = 6
"""A paper that has this one among its first six counts that many fifths: readers then find their way back."""
_SHARED_TENTHS = 6
"""Abstracts that have so many tenths of their different words in common are versions of one paper. In the ACL
Anthology such pairs were just that, or this and last year's report of one shared task; below 5, they never were."""
_LEAST_CLOSENESS = UNIT**2 * 4 // 10
"""Words of less close pairs aren't compared: none that had so many in common was below 6 tenths of `UNIT` squared."""
_CELLS_PER_BLOCK = 1 << 23
"""Scores held at once: bounds memory whatever the number of papers."""


def find_neighbours(
    weights: Weights, titles: Sequence[Hashable | None], abstracts: Sequence[str]
) -> list[list[tuple[int, int]]]:
    """Return for each row its neighbours with their scores, from 1 to `HIGHEST_SCORE`, best first, equal ones by row.

    Rows that have a title in common, or nearly all words of their abstracts, are versions of one paper: none is
    another's neighbour, and no row has two of them. None as a title is nobody's.
    """
    papers = weights.all.shape[0]
    candidates = _candidates(weights.telling, weights.telling, np.arange(papers))
    closeness = _products(weights.all, candidates)
    versions = _versions(titles, abstracts, candidates, closeness)
    candidates, closeness = _drop_versions(weights, versions, candidates, closeness)
    candidates, closeness = _best_first(candidates, closeness)
    # Twice what the texts say, once what their company says: the best mixture of those tried.
    scores = 2 * closeness + _products(_company(candidates, closeness), candidates)
    scores[closeness == 0] = 0
    last_of_list = -np.sort(-scores, axis=1)[:, min(MOST_RELATED, scores.shape[1]) - 1]
    # Where the other lists this paper, this one shall list the other.
    scores *= np.where(scores >= last_of_list[candidates], _MUTUAL_FIFTHS, 5)
    candidates, scores = _best_first(candidates, scores)
    return [
        [(other, score) for other, score in zip(others, own, strict=True) if score > 0]
        for others, own in zip(candidates[:, :MOST_RELATED].tolist(), scores[:, :MOST_RELATED].tolist(), strict=True)
    ]


def _candidates(rows: sparse.csr_matrix, among: sparse.csr_matrix, own: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each of ``rows`` the closest ones ``among`` others, as numbers of these; -1 where there are no more.

    ``own`` is the number of each row among the others, which is left out; -1 for none.
    """
    others = among.shape[0]
    by_term = among.T.tocsr()
    height = max(1, _CELLS_PER_BLOCK // others)
    found = np.full((rows.shape[0], max(1, min(_CANDIDATES, others))), -1, dtype=np.int64)
    for first in range(0, rows.shape[0], height):
        scores = rows[first : first + height] @ by_term
        for row, (start, end) in enumerate(pairwise(scores.indptr.tolist()), first):
            columns = scores.indices[start:end].astype(np.int64)
            # The column in the low digits makes every value different: the order has no ties left to chance.
            ranked = scores.data[start:end] * np.int64(others) + (others - 1 - columns)
            ranked = ranked[columns != own[row]]
            if len(ranked) > _CANDIDATES:
                ranked = np.partition(ranked, len(ranked) - _CANDIDATES)[-_CANDIDATES:]
            ranked = ranked[ranked >= others]
            found[row, : len(ranked)] = others - 1 - np.sort(ranked)[::-1] % others
    return found


def _products(matrix: sparse.csr_matrix, candidates: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the product of each row of ``matrix`` with each of its candidates; 0 where there is none."""
    products = np.zeros(candidates.shape, dtype=np.int64)
    # One row at full width at a time: looking cells up in it is faster than merging sorted rows.
    full = np.zeros(matrix.shape[1], dtype=np.int32)
    for row, (start, end) in enumerate(pairwise(matrix.indptr.tolist())):
        present = candidates[row] >= 0
        columns = matrix.indices[start:end]
        full[columns] = matrix.data[start:end]
        products[row, present] = matrix[candidates[row, present]] @ full
        full[columns] = 0
    return products


def _versions(
    titles: Sequence[Hashable | None],
    abstracts: Sequence[str],
    candidates: NDArray[np.int64],
    closeness: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Return a number for each row, the same for rows that are versions of one paper."""

    @lru_cache(maxsize=1 << 12)
    def words_in(row: int) -> frozenset[str]:
        return frozenset(word.key for word in words_of(abstracts[row].casefold()) if not is_stop_key(word.key))

    pairs = []
    for row, place in np.argwhere(closeness >= _LEAST_CLOSENESS).tolist():
        other = int(candidates[row, place])
        both = len(words_in(row) & words_in(other))
        if both and both * 10 >= _SHARED_TENTHS * (len(words_in(row)) + len(words_in(other)) - both):
            pairs.append((row, other))
    rows_of_title: defaultdict[Hashable, list[int]] = defaultdict(list)
    for row, title in enumerate(titles):
        if title is not None:
            rows_of_title[title].append(row)
    pairs += [pair for rows in rows_of_title.values() for pair in pairwise(rows)]
    first, second = [row for row, _ in pairs], [row for _, row in pairs]
    papers = len(titles)
    graph = sparse.csr_matrix((np.ones(len(pairs), dtype=np.int8), (first, second)), shape=(papers, papers))
    versions: NDArray[np.int32] = connected_components(graph, directed=False)[1]
    return versions


def _drop_versions(
    weights: Weights, versions: NDArray[np.int32], candidates: NDArray[np.int64], closeness: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the candidates and their closeness without the row's own versions, and one version of each other paper.

    Where so many versions crowd the others out that too few are left, one version of each paper is looked up anew.
    """
    several = np.bincount(versions) > 1
    if not several.any():
        return candidates, closeness
    candidates, closeness = candidates.copy(), closeness.copy()
    crowded = []
    for row in np.flatnonzero((several[versions[candidates]] & (candidates >= 0)).any(axis=1)).tolist():
        seen = {int(versions[row])}
        full = candidates[row, -1] >= 0
        for place in np.lexsort((candidates[row], -closeness[row])).tolist():
            version = int(versions[candidates[row, place]])
            if version in seen:
                candidates[row, place], closeness[row, place] = -1, 0
            seen.add(version)
        if full and int((candidates[row] >= 0).sum()) < _COMPANY:
            crowded.append(row)
    if crowded:
        _, firsts = np.unique(versions, return_index=True)
        own = np.searchsorted(firsts, firsts[versions[crowded]])
        found = _candidates(weights.telling[crowded], weights.telling[firsts], own)
        anew = np.full((len(candidates), found.shape[1]), -1, dtype=np.int64)
        anew[crowded] = np.where(found >= 0, firsts[found], -1)
        candidates[crowded], closeness[crowded] = -1, 0
        width = found.shape[1]
        candidates[crowded, :width] = anew[crowded]
        closeness[:, :width] += _products(weights.all, anew)
    return candidates, closeness


def _company(candidates: NDArray[np.int64], closeness: NDArray[np.int64]) -> sparse.csr_matrix:
    """Return a row of length `UNIT` for each paper, of the papers closest to it and of itself.

    Two papers in the same company are alike even where they use other words: the similarity by shared neighbours of
    R. A. Jarvis and E. A. Patrick (1973, https://doi.org/10.1109/T-C.1973.223640), weighted by closeness.
    """
    papers = len(candidates)
    own = np.full((papers, 1), UNIT**2 * _SELF_TENTHS // 10, dtype=np.int64)
    values = np.hstack([own, closeness[:, :_COMPANY]]).astype(np.float64)
    columns = np.hstack([np.arange(papers)[:, None], candidates[:, :_COMPANY]])
    # Integers below 2^53 in all sums, so float64 is exact but for square root and division, which are defined exactly.
    lengths = np.sqrt((values // UNIT) ** 2 @ np.ones(values.shape[1]))
    units = np.rint(values // UNIT * UNIT / lengths[:, None]).astype(np.int32)
    rows = np.repeat(np.arange(papers), values.shape[1]).reshape(values.shape)
    kept = units > 0
    matrix = sparse.csr_matrix((units[kept], (rows[kept], columns[kept])), shape=(papers, papers), dtype=np.int32)
    matrix.sort_indices()
    return matrix


def _best_first(
    candidates: NDArray[np.int64], scores: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return both with each row in the order of its scores, the highest first, equal ones by number."""
    order = np.lexsort((candidates, -scores), axis=1)
    return np.take_along_axis(candidates, order, axis=1), np.take_along_axis(scores, order, axis=1)
