"""Enters: the table of all papers' words, and the terms of a vocabulary.

Leaves: which paper mentions which entry of the vocabulary, where and how often.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.tags.matching import find_entries, fold_phrases, fold_terms
from generator.terms import WordTable
from generator.texts import ABSTRACT, FIELDS, KEYWORDS, TITLE

WHOLE = 1000
"""The length of any abstract in the unit of places."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Which paper mentions which entry, as columns sorted by paper, then entry: one row a pair."""

    papers: NDArray[np.int64]
    entries: NDArray[np.int64]
    in_title: NDArray[np.bool_]
    in_keywords: NDArray[np.bool_]
    mentions: NDArray[np.int64]
    """Mentions in the abstract."""
    first: NDArray[np.int64]
    """Where in the abstract the first mention stands, in thousandths of its length; `WHOLE` when there is none."""
    last: NDArray[np.int64]
    """Where the last one stands; 0 when there is none."""
    place_entries: NDArray[np.int64]
    """One per place in any text: the entry found there."""
    places: NDArray[np.int64]
    """One per place: its text's number, start and end in three columns."""

    @property
    def is_central(self) -> NDArray[np.bool_]:
        """Return whether the paper says more of the entry than a word in passing: one value a pair."""
        return self.in_title | self.in_keywords | (self.mentions > 1)

    def from_entry(self, first: int) -> "Evidence":
        """Return the evidence for the entries from ``first`` on, numbered from 0."""
        pairs, places = self.entries >= first, self.place_entries >= first
        return Evidence(
            self.papers[pairs],
            self.entries[pairs] - first,
            self.in_title[pairs],
            self.in_keywords[pairs],
            self.mentions[pairs],
            self.first[pairs],
            self.last[pairs],
            self.place_entries[places] - first,
            self.places[places],
        )


def gather_evidence(table: WordTable, terms: Sequence[Sequence[str]]) -> Evidence:
    """Return the evidence for the entries; ``terms`` holds for each entry the variants that count as it."""
    variants, folded_terms = fold_terms(terms)
    folded = fold_phrases(table, variants)
    matches = find_entries(folded, folded_terms, nested=True)
    texts = folded.text_numbers[matches.rows].astype(np.int64)
    letters = np.array([all(len(term) == 1 for term in variants) for variants in terms] + [False])
    # A letter alone is a name among keywords only.
    kept = ~letters[matches.entries] | (texts % FIELDS == KEYWORDS)
    texts, entries, rows, lengths = texts[kept], matches.entries[kept], matches.rows[kept], matches.lengths[kept]
    size = max(1, len(terms))
    cells, cell_of = np.unique(texts // FIELDS * size + entries, return_inverse=True)
    fields = texts % FIELDS
    in_abstract = fields == ABSTRACT
    text_ends = np.ones(int(folded.text_numbers.max(initial=0)) + 1, dtype=np.int64)
    np.maximum.at(text_ends, folded.text_numbers, folded.ends)
    starts, ends = folded.starts[rows].astype(np.int64), folded.ends[rows + lengths - 1].astype(np.int64)
    place = (starts * WHOLE // text_ends[texts])[in_abstract]
    first = np.full(len(cells), WHOLE, dtype=np.int64)
    last = np.zeros(len(cells), dtype=np.int64)
    np.minimum.at(first, cell_of[in_abstract], place)
    np.maximum.at(last, cell_of[in_abstract], place)
    return Evidence(
        papers=cells // size,
        entries=cells % size,
        in_title=np.bincount(cell_of[fields == TITLE], minlength=len(cells)) > 0,
        in_keywords=np.bincount(cell_of[fields == KEYWORDS], minlength=len(cells)) > 0,
        mentions=np.bincount(cell_of[in_abstract], minlength=len(cells)),
        first=first,
        last=last,
        place_entries=entries,
        places=np.stack([texts, starts, ends], 1),
    )
