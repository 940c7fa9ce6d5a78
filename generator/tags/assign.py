"""Enters: where the entries of a vocabulary stand in the papers, and how much each weighs.

Leaves: for each paper the few entries that it is about, the most telling first.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.tags.matching import find_entries, fold_phrases, fold_terms
from generator.tags.phrases import ABSTRACT, FIELDS, KEYWORDS
from generator.terms import WordTable

MOST_TAGS = 5
_TITLE_STRENGTH = 3
_MOST_MENTIONS = 3
"""Mentions in the abstract beyond these add nothing."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Which paper mentions which entry, as columns sorted by paper, then entry."""

    papers: NDArray[np.int64]
    entries: NDArray[np.int64]
    strengths: NDArray[np.int64]
    """How much the paper seems to be about the entry: 1 a mention, more in title or keywords."""
    entry_places: NDArray[np.int64]
    """One per place in any text: the entry found there."""
    places: NDArray[np.int64]
    """One per place: its text's number, start and end in three columns."""


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
    in_abstract = texts % FIELDS == ABSTRACT
    mentions = np.bincount(cell_of[in_abstract], minlength=len(cells))
    titles = np.bincount(cell_of[~in_abstract], minlength=len(cells))
    strengths = np.minimum(mentions, _MOST_MENTIONS) + _TITLE_STRENGTH * np.minimum(titles, 1)
    return Evidence(
        cells // size,
        cells % size,
        strengths.astype(np.int64),
        entries,
        np.stack([texts, folded.starts[rows].astype(np.int64), folded.ends[rows + lengths - 1].astype(np.int64)], 1),
    )


def assign_entries(
    evidence: Evidence,
    weights: Sequence[int],
    nested: Collection[tuple[int, int]],
    allowed: NDArray[np.bool_],
    papers: int,
) -> list[list[int]]:
    """Return the entries of each paper, the most telling first, none nested in another.

    Args:
        evidence: Which paper mentions which entry.
        weights: One per entry: how telling it is.
        nested: Pairs of entries, smaller number first, that must not stand together.
        allowed: One per entry: whether it may be given at all.
        papers: Number of papers; one result for each, those without evidence included.
    """
    kept = allowed[evidence.entries]
    who, what = evidence.papers[kept], evidence.entries[kept]
    scores = evidence.strengths[kept] * np.array([*weights, 0], dtype=np.int64)[what]
    order = np.lexsort((what, -scores, who))
    given: list[list[int]] = [[] for _ in range(papers)]
    for paper, entry in zip(who[order].tolist(), what[order].tolist(), strict=True):
        chosen = given[paper]
        if len(chosen) < MOST_TAGS and not any(
            ((entry, other) if entry < other else (other, entry)) in nested for other in chosen
        ):
            chosen.append(entry)
    return given
