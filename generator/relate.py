"""Enters: all papers with their titles.

Leaves: for each paper up to six related ones, the closest first, each with its score and the terms that both share.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from generator.model import Related, TitledPaper
from generator.terms import WordTable, is_stop_key, rarity, readable_form, table_of_words

MOST_RELATED = 6
MOST_TERMS = 4

_FIELDS = 2
"""Texts of one paper: its title and its abstract."""
_TITLE_COUNTS = 2
"""An occurrence in the title counts as that many in the abstract."""
_LONGEST_ROW = 64
"""Terms kept of one paper, the most telling ones: the rest costs time and hardly moves the order."""
_COMMONEST = 0.1
"""A term in more than this share of the papers tells nothing; above a few hundred papers."""
_SMALL = 200
"""Below this number of papers, any term of at most half of them may relate."""
_UNIT = 1024
"""Weights are rounded to 1/1024 of a row's length: products and their sums are exact in 32-bit integers, so that
neither the order of the sums nor the machine can move a score."""
_PHRASE_CREDIT = 3
"""Halves: a phrase says more to readers than its words, so it is shown for two thirds of their share in the score."""
_CELLS_PER_BLOCK = 1 << 23
"""Scores held at once: bounds memory whatever the number of papers."""


def relate_papers(papers: Sequence[TitledPaper]) -> list[tuple[Related, ...]]:
    """Return the related papers of each paper: one tuple per input, same order, the closest first.

    Closeness is the cosine between the papers' weighted terms (words and pairs of words of title and abstract), from 0
    to 1; only papers that share a term are related, and equal scores are ordered by id. The result for a paper does
    not depend on the order of the input.
    """
    if len(papers) < 2:
        return [() for _ in papers]
    order = sorted(range(len(papers)), key=lambda number: papers[number].id)
    in_order = [papers[number] for number in order]
    texts = [text for paper in in_order for text in (paper.title.prose, paper.parsed.abstract.prose)]
    terms = _terms_of(texts)
    weights = _weigh(terms, len(papers))
    neighbours = _nearest(weights)
    reasons = _shared_terms(weights, neighbours, terms.words)
    shown = _forms_shown(terms, texts, {term for chosen in reasons for term in chosen})
    result: list[tuple[Related, ...]] = [() for _ in papers]
    at = 0
    for row, found in enumerate(neighbours):
        related = []
        for other, score in found:
            names = _without_nested(terms, reasons[at], shown)
            related.append(Related(in_order[other].id, round(min(score / _UNIT**2, 1.0), 3), names))
            at += 1
        result[order[row]] = tuple(related)
    return result


@dataclass(frozen=True, slots=True)
class _Terms:
    """The terms of all texts: words first, then phrases of two words, then of three."""

    table: WordTable
    words: int
    """Numbers below are words (indices into the table's keys); pairs follow."""
    pairs: NDArray[np.int64]
    """Sorted codes of the pairs: first word times number of words plus second word."""
    triples: NDArray[np.int64]
    """Sorted codes of the triples: index of the first two words' pair times number of words plus third word."""
    numbers: NDArray[np.int64]
    """One per occurrence: the term."""
    places: NDArray[np.int64]
    """One per occurrence: row of its first word in the table."""
    lengths: NDArray[np.int64]
    """One per occurrence: its number of words."""
    is_part: NDArray[np.bool_]
    """One per word: whether it is mostly a part of hyphenated words, and so no term to show."""

    @property
    def count(self) -> int:
        """Return the number of terms."""
        return self.words + len(self.pairs) + len(self.triples)

    def keys_of(self, term: int) -> tuple[str, ...]:
        """Return the keys of a term's words."""
        if term < self.words:
            return (self.table.keys[term],)
        if term < self.words + len(self.pairs):
            first, second = divmod(int(self.pairs[term - self.words]), self.words)
            return (self.table.keys[first], self.table.keys[second])
        pair, third = divmod(int(self.triples[term - self.words - len(self.pairs)]), self.words)
        return (*self.keys_of(self.words + pair), self.table.keys[third])


def _terms_of(texts: Sequence[str]) -> _Terms:
    """Return the terms; a phrase never cuts a hyphenated word, and has three words only around a hyphen."""
    table = table_of_words(texts)
    words = len(table.keys)
    idle = np.array([is_stop_key(key) or len(key) == 1 for key in table.keys] + [True])
    # Three breaks at the end, so that the words after any word can be looked at.
    numbers = np.append(table.key_numbers.astype(np.int64), [-1, -1, -1])
    tied = np.append(table.hyphened, [False, False, False])
    telling = ~idle[numbers]
    single = np.flatnonzero(telling)
    double = np.flatnonzero(telling[:-1] & telling[1:])
    pairs, pair_numbers = np.unique(numbers[double] * words + numbers[double + 1], return_inverse=True)
    whole = ~tied[double] & ~tied[double + 2]
    triple = telling[double + 2] & (tied[double + 1] != tied[double + 2]) & ~tied[double]
    triple &= ~tied[np.minimum(double + 3, len(tied) - 1)]
    triples, triple_numbers = np.unique(pair_numbers[triple] * words + numbers[double[triple] + 2], return_inverse=True)
    in_compound = np.bincount(numbers[single], weights=tied[single] | tied[single + 1], minlength=words)
    return _Terms(
        table,
        words,
        pairs,
        triples,
        np.concatenate(
            [numbers[single], pair_numbers[whole] + words, triple_numbers + words + len(pairs)], dtype=np.int64
        ),
        np.concatenate([single, double[whole], double[triple]]),
        np.repeat(np.array([1, 2, 3]), [len(single), int(whole.sum()), int(triple.sum())]),
        in_compound * 2 > np.bincount(numbers[single], minlength=words),
    )


def _weigh(terms: _Terms, papers: int) -> sparse.csr_matrix:
    """Return one row per paper: rounded integer weights of its most telling terms, each row of length `_UNIT`."""
    text_numbers = terms.table.text_numbers[terms.places].astype(np.int64)
    size = terms.count
    cells, cell_of = np.unique((text_numbers // _FIELDS) * size + terms.numbers, return_inverse=True)
    counted = np.where(text_numbers % _FIELDS == 0, _TITLE_COUNTS, 1)
    counts = np.bincount(cell_of, weights=counted).astype(np.int64)
    rows, columns = cells // size, cells % size
    papers_with = np.bincount(columns, minlength=size)
    highest = papers * _COMMONEST if papers > _SMALL else papers / 2
    rarities = np.zeros(papers + 1, dtype=np.int64)
    for frequency in np.unique(papers_with).tolist():
        # What stands in one paper relates it to no other, and would only make its row longer.
        if 2 <= frequency <= max(2, highest):
            rarities[frequency] = max(1, rarity(frequency, papers))
    # Thousandths of 1 + log2(count), so that the tenth mention adds less than the second.
    damped = np.array([0] + [1000 + rarity(1, count) for count in range(1, int(counts.max(initial=1)) + 1)])
    values = rarities[papers_with[columns]] * damped[counts] // 1000
    kept = values > 0
    rows, columns, values = rows[kept], columns[kept], values[kept]
    best_first = np.lexsort((columns, -values, rows))
    rows, columns, values = rows[best_first], columns[best_first], values[best_first]
    starts = np.searchsorted(rows, np.arange(papers + 1))
    within = np.arange(len(rows)) - starts[rows]
    kept = within < _LONGEST_ROW
    rows, columns, values = rows[kept], columns[kept], values[kept]
    squares = np.zeros(papers, dtype=np.int64)
    np.add.at(squares, rows, values * values)
    # Square root, division and rounding of float64 are exactly defined, so these bytes are the same everywhere.
    units = np.rint(values * _UNIT / np.sqrt(squares[rows].astype(np.float64))).astype(np.int32)
    matrix = sparse.csr_matrix((units, (rows, columns)), shape=(papers, size), dtype=np.int32)
    matrix.sort_indices()
    return matrix


def _nearest(weights: sparse.csr_matrix) -> list[list[tuple[int, int]]]:
    """Return for each row its closest rows with their scores, best first, equal ones by row."""
    papers = weights.shape[0]
    by_term = weights.T.tocsr()
    height = max(1, _CELLS_PER_BLOCK // papers)
    count = min(MOST_RELATED, papers - 1)
    found: list[list[tuple[int, int]]] = []
    backwards = papers - 1 - np.arange(papers, dtype=np.int64)
    for first in range(0, papers, height):
        scores = (weights[first : first + height] @ by_term).toarray().astype(np.int64)
        here = np.arange(len(scores))
        scores[here, first + here] = 0
        # The row's number in the low digits makes every value different: the order has no ties left to chance.
        ranked = scores * papers + backwards
        top = np.partition(ranked, papers - count, axis=1)[:, papers - count :]
        top = -np.sort(-top, axis=1)
        for values in top.tolist():
            # One row's values are too few for anything faster.
            found.append([(papers - 1 - value % papers, value // papers) for value in values if value >= papers])  # noqa: PERF401
    return found


def _shared_terms(
    weights: sparse.csr_matrix, neighbours: Sequence[Sequence[tuple[int, int]]], words: int
) -> list[list[int]]:
    """Return for each pair of neighbours, in order, the terms that contributed to its score, the most first."""
    columns, values, starts = weights.indices.tolist(), weights.data.tolist(), weights.indptr.tolist()
    rows = [dict(zip(columns[a:b], values[a:b], strict=True)) for a, b in pairwise(starts)]
    reasons = []
    for row, found in enumerate(neighbours):
        own = rows[row]
        for other, _ in found:
            others = rows[other]
            shared = [
                (-value * others[term] * (_PHRASE_CREDIT if term >= words else 2), term)
                for term, value in own.items()
                if term in others
            ]
            # More than are shown, since nested ones drop out later.
            reasons.append([term for _, term in sorted(shared)[: 3 * MOST_TERMS]])
    return reasons


def _forms_shown(terms: _Terms, texts: Sequence[str], wanted: set[int]) -> dict[int, str]:
    """Return the form in which readers see each wanted term."""
    mask = np.zeros(terms.count, dtype=bool)
    mask[sorted(wanted)] = True
    chosen = np.flatnonzero(mask[terms.numbers])
    places = terms.places[chosen]
    forms: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for term, text, start, end in zip(
        terms.numbers[chosen].tolist(),
        terms.table.text_numbers[places].tolist(),
        terms.table.starts[places].tolist(),
        terms.table.ends[places + terms.lengths[chosen] - 1].tolist(),
        strict=True,
    ):
        forms[term][texts[text][start:end]] += 1
    return {term: readable_form(counts) for term, counts in forms.items()}


def _without_nested(terms: _Terms, reasons: Sequence[int], shown: Mapping[int, str]) -> tuple[str, ...]:
    """Return the first terms that share no word with one before; parts of hyphenated words only for want of better."""
    whole = [term for term in reasons if term >= terms.words or not terms.is_part[term]]
    chosen: list[str] = []
    seen: set[str] = set()
    for term in whole or reasons:
        keys = terms.keys_of(term)
        if seen.isdisjoint(keys):
            chosen.append(shown[term])
            seen.update(keys)
        if len(chosen) == MOST_TERMS:
            break
    return tuple(chosen)
