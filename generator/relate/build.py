"""Enters: all papers with their titles and tags.

Leaves: for each paper up to six related ones, the closest first, each with its score and the terms that both share.
"""

from collections.abc import Sequence

from generator.model import Related, Tag, TitledPaper
from generator.relate.neighbours import HIGHEST_SCORE, find_neighbours
from generator.relate.occurrences import find_terms
from generator.relate.reasons import find_reasons
from generator.relate.weights import weigh_terms
from generator.terms import words_of
from generator.texts import Texts, read_texts

_SHORTEST_TITLE = 4
"""Words of a title that by itself tells two versions of a paper; there are many a "Preface"."""


def relate_papers(
    papers: Sequence[TitledPaper], tags: Sequence[tuple[Tag, ...]] = (), texts: Texts | None = None
) -> list[tuple[Related, ...]]:
    """Return the related papers of each paper: one tuple per input, same order, the closest first.

    Closeness, from 0 to 1, is what their texts share in words and phrases, and what the papers closest to them share;
    equal scores are ordered by id. No paper is related to another version of itself, nor without a reason to show.
    ``tags``, one tuple per paper in the same order, serve as reasons alone. The result for a paper does not depend on
    the order of the input. ``texts`` are those of the papers, where they have been read before.
    """
    if len(papers) < 2:
        return [() for _ in papers]
    texts = texts or read_texts(papers)
    order = texts.order
    in_order = [papers[number] for number in order]
    proses, table = texts.without_keywords()
    terms = find_terms(table)
    weights = weigh_terms(terms, len(papers))
    neighbours = find_neighbours(weights, [_title_key(paper) for paper in in_order], proses[1::2])
    pairs = [(row, other) for row, found in enumerate(neighbours) for other, _ in found]
    reasons = iter(find_reasons(terms, proses, weights.all, pairs, [tags[number] for number in order] if tags else ()))
    result: list[tuple[Related, ...]] = [() for _ in papers]
    for row, found in enumerate(neighbours):
        with_reasons = [(other, score, next(reasons)) for other, score in found]
        result[order[row]] = tuple(
            Related(in_order[other].id, max(0.001, round(score / HIGHEST_SCORE, 3)), shared)
            for other, score, shared in with_reasons
            if shared
        )
    return result


def _title_key(paper: TitledPaper) -> tuple[str, ...] | None:
    """Return what all versions of a paper share in their titles; None when it would tell nothing."""
    keys = tuple(word.key for word in words_of(paper.title.prose))
    return keys if len(keys) >= _SHORTEST_TITLE else None
