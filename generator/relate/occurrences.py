"""Enters: the words of all papers' titles and abstracts.

Leaves: where each word and each phrase of two or three words stands in them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.terms import WordTable, idle_keys


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of all texts: words first, then phrases of two words, then of three."""

    table: WordTable
    words: int
    """Numbers below are words (indices into the table's keys); pairs follow."""
    pairs: NDArray[np.int64]
    """Sorted codes of the pairs: first word times number of words plus second word."""
    triples: NDArray[np.int64]
    """Sorted codes of the triples: index of the first two words' pair times number of words plus third word."""
    numbers: NDArray[np.int32]
    """One per occurrence: the term. Those of words come first, then pairs, then triples; each in reading order."""
    places: NDArray[np.int32]
    """One per occurrence: row of its first word in the table."""
    is_part: NDArray[np.bool_]
    """One per word: whether it is mostly a part of hyphenated words, and so no term to show."""

    first_pair: int
    """Number of the first occurrence of a pair."""
    first_triple: int
    """Number of the first occurrence of a triple."""

    @property
    def count(self) -> int:
        """Return the number of terms."""
        return self.words + len(self.pairs) + len(self.triples)

    def words_of(self, term: int) -> tuple[int, ...]:
        """Return the words of a term, as numbers of their keys."""
        if term < self.words:
            return (term,)
        if term < self.words + len(self.pairs):
            return divmod(int(self.pairs[term - self.words]), self.words)
        pair, third = divmod(int(self.triples[term - self.words - len(self.pairs)]), self.words)
        return (*self.words_of(self.words + pair), third)


def find_terms(table: WordTable) -> Terms:
    """Return the terms; a phrase never cuts a hyphenated word, and has three words only around a hyphen.

    A phrase that stands only once in all texts relates nothing, so its occurrence is left out.
    """
    words = len(table.keys)
    idle = idle_keys(table)
    # Three breaks at the end, so that the words after any word can be looked at.
    numbers = np.append(table.key_numbers, np.array([-1, -1, -1], dtype=np.int32))
    tied = np.append(table.hyphened, [False, False, False])
    telling = ~idle[numbers]
    single = np.flatnonzero(telling).astype(np.int32)
    double = np.flatnonzero(telling[:-1] & telling[1:]).astype(np.int32)
    pairs, pair_numbers = _coded(numbers[double], numbers[double + 1], words)
    whole = ~tied[double] & ~tied[double + 2]
    triple = telling[double + 2] & (tied[double + 1] != tied[double + 2]) & ~tied[double]
    triple &= ~tied[np.minimum(double + 3, len(tied) - 1)]
    triples, triple_numbers = _coded(pair_numbers[triple], numbers[double[triple] + 2], words)
    in_compound = np.bincount(numbers[single], weights=tied[single] | tied[single + 1], minlength=words)
    pair_numbers, double_places = _repeated(pair_numbers[whole], double[whole], len(pairs))
    triple_numbers, triple_places = _repeated(triple_numbers, double[triple], len(triples))
    return Terms(
        table,
        words,
        pairs,
        triples,
        np.concatenate([numbers[single], pair_numbers + words, triple_numbers + words + len(pairs)], dtype=np.int32),
        np.concatenate([single, double_places, triple_places], dtype=np.int32),
        in_compound * 2 > np.bincount(numbers[single], minlength=words),
        len(single),
        len(single) + len(pair_numbers),
    )


def _coded(
    first: NDArray[np.int32], second: NDArray[np.int32], words: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the sorted codes of all pairs that occur, and for each occurrence the index of its code."""
    codes, numbers = np.unique(first.astype(np.int64) * words + second, return_inverse=True)
    return codes, numbers.astype(np.int32)


def _repeated(
    numbers: NDArray[np.int32], places: NDArray[np.int32], size: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the occurrences whose number occurs again."""
    kept = np.bincount(numbers, minlength=size)[numbers] > 1
    return numbers[kept], places[kept]
