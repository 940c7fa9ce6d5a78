"""Enters: papers.

Leaves: what narrows and orders them: which papers have which tag, topic, collection, year and author, and the day each
was added; packed lists of row numbers, a paper's row being its number in the order of the sources.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from generator.finish.search.chunks import row_lists, to_base64
from generator.finish.search.papers import Paper
from generator.finish.search.words import fold
from generator.model import Json

FACETS = ("topic", "tag", "collection", "year", "added", "author")
"""Names of the facets; each is a file of its own, since few readers use all."""


def build_facets(papers: Sequence[Paper]) -> dict[str, Json]:
    """Return the facets by name; within each the values of most papers come first."""
    return {
        "topic": _facet(papers, lambda paper: paper.topics),
        "tag": _facet(papers, lambda paper: paper.tags),
        "collection": _facet(papers, lambda paper: paper.collections),
        "year": _facet(papers, lambda paper: () if paper.year is None else ((str(paper.year), ""),)),
        "added": _facet(papers, lambda paper: ((paper.added, ""),) if paper.added else ()),
        "author": _facet(papers, lambda paper: tuple((name, "") for name in dict.fromkeys(paper.authors))),
    }


def build_title_order(papers: Sequence[Paper]) -> Json:
    """Return the rows in the order of their titles, four bytes each, the lowest first."""
    keys = [(fold(paper.title), paper.title, row) for row, paper in enumerate(papers)]
    return to_base64(np.array([row for *_, row in sorted(keys)], dtype="<u4").tobytes())


def build_ids(papers: Sequence[Paper]) -> Json:
    """Return the ids of all rows, six bytes each."""
    return to_base64(bytes.fromhex("".join(paper.id for paper in papers)))


def _facet(papers: Sequence[Paper], values_of: Callable[[Paper], Iterable[tuple[str, str]]]) -> Json:
    rows: dict[tuple[str, str], list[int]] = {}
    for row, paper in enumerate(papers):
        for value in values_of(paper):
            rows.setdefault(value, []).append(row)
    order = sorted(rows, key=lambda value: (-len(rows[value]), value))
    return {
        "labels": [label for label, _ in order],
        "pages": [page for _, page in order if page],
        **row_lists([rows[value] for value in order]),
    }
