"""Enters: all papers with their titles.

Leaves: their texts, cut into words once for tags and relations, which cost more to cut than either costs otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from generator.batches import Workers
from generator.model import TitledPaper
from generator.terms import WordTable, joined_tables, table_of_words

FIELDS = 3
"""Texts of one paper: its title, its abstract, its authors' keywords."""
TITLE, ABSTRACT, KEYWORDS = range(FIELDS)
PROSE_FIELDS = 2
"""Those of them that are prose: the title and the abstract."""


class TitlesAndAbstracts(NamedTuple):
    """The texts without keywords: the title and the abstract of each paper, in turns."""

    texts: list[str]
    table: WordTable


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of all papers, ordered by their ids, so that nothing depends on the order of the sources."""

    order: tuple[int, ...]
    """One per paper in this order: its number in the order of the input."""
    texts: tuple[str, ...]
    """For each paper as many as it has `FIELDS`."""
    table: WordTable

    def without_keywords(self) -> TitlesAndAbstracts:
        """Return the titles and abstracts alone."""
        kept = self.table.text_numbers % FIELDS != KEYWORDS
        papers, fields = np.divmod(self.table.text_numbers[kept], FIELDS)
        table = self.table.rows(kept, papers * PROSE_FIELDS + fields)
        return TitlesAndAbstracts([text for at, text in enumerate(self.texts) if at % FIELDS != KEYWORDS], table)


def read_texts(papers: Sequence[TitledPaper], workers: Workers | None = None) -> Texts:
    """Return the texts of the papers, cut into words by the ``workers`` if there are any."""
    order = tuple(sorted(range(len(papers)), key=lambda number: papers[number].id))
    texts = tuple(text for number in order for text in _texts_of(papers[number]))
    tables = list((workers or Workers(1)).batches(_cut, texts))
    table = joined_tables([table for table, _ in tables], [length for _, length in tables])
    return Texts(order, texts, table)


def _cut(texts: Sequence[str]) -> tuple[WordTable, int]:
    return table_of_words(texts), len(texts)


def _texts_of(paper: TitledPaper) -> tuple[str, str, str]:
    # Semicolons, so that no phrase reaches from one keyword to the next.
    return paper.title.prose, paper.parsed.abstract.prose, " ; ".join(paper.parsed.paper.record.keywords)
