"""Enters: where each term stands.

Leaves: the whole phrase that readers miss in a part of it, as ``Policy`` in ``Group Relative``.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from generator.relate.occurrences import Terms
from generator.terms import idle_keys

_LONGEST = 4
"""Words of a phrase that is made whole."""


class Completions:
    """What mostly stands before and behind each pair of words.

    Args:
        terms: the terms of all texts.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        of_pair = terms.numbers[terms.first_pair : terms.first_triple].astype(np.int64) - terms.words
        places = terms.places[terms.first_pair : terms.first_triple]
        idle = idle_keys(terms.table)
        counts = np.bincount(of_pair, minlength=len(terms.pairs))
        keys = np.append(terms.table.key_numbers, np.int32(-1))
        self._before, self._behind = (_commonest(of_pair, keys[places + step], counts, idle) for step in (-1, 2))
        self.complete = lru_cache(maxsize=1 << 16)(self._complete)

    def _complete(self, term: int) -> tuple[int, ...]:
        """Return the words, as numbers of their keys, of the phrase that a phrase mostly is a part of; else its own."""
        words = self._terms.words_of(term)
        if len(words) == 1:
            return words
        while len(words) < _LONGEST and (behind := self._next(self._behind, words[-2:])) not in {-1, *words}:
            words = (*words, behind)
        while len(words) < _LONGEST and (before := self._next(self._before, words[:2])) not in {-1, *words}:
            words = (before, *words)
        return words

    def _next(self, neighbours: NDArray[np.int32], pair: tuple[int, ...]) -> int:
        code = pair[0] * self._terms.words + pair[1]
        place = int(np.searchsorted(self._terms.pairs, code))
        known = place < len(self._terms.pairs) and int(self._terms.pairs[place]) == code
        return int(neighbours[place]) if known else -1


def _commonest(
    of_pair: NDArray[np.int64], keys: NDArray[np.int32], counts: NDArray[np.int64], idle: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Return for each pair the word that stands beside more than half of its occurrences; -1 where none does."""
    telling = ~idle[keys]
    codes, found = np.unique(of_pair[telling] * len(idle) + keys[telling], return_counts=True)
    pairs = codes // len(idle)
    most = found * 2 > counts[pairs]
    neighbours = np.full(len(counts), -1, dtype=np.int32)
    neighbours[pairs[most]] = codes[most] % len(idle)
    return neighbours
