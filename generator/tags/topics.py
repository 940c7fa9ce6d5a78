"""Enters: the vocabulary, and the papers of each tag.

Leaves: the vocabulary with a broad topic for each tag: the tag among the large ones that it is closest to.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from generator.model import Tag
from generator.tags.context import PaperWords, rarities

FEWEST_TOPICS, MOST_TOPICS = 12, 40
_TAGS_OF_A_TOPIC = 2
"""A smaller vocabulary than so many tags a topic is a short list by itself."""
_LEADERS_TRIED = 4
"""Tags that may lead a topic, for each topic wanted: the largest."""
_MOST_WORDS = 64
"""Words by which tags are compared."""
_UNIT = 1000


def with_topics(vocabulary: Sequence[Tag], given: Sequence[Sequence[Tag]], words: PaperWords) -> list[Tag]:
    """Return the vocabulary, same order, each tag with the slug of the tag that leads its topic.

    Topics that are there already stay as they are; tags without one join the closest, or the one that they share most
    papers with where no telling word is common. Leaders are chosen one by one, each so that all papers' tags come as
    close to a leader as possible (facility location, greedy).

    Args:
        vocabulary: All tags.
        given: The tags of each paper, in the order of the papers in ``words``.
        words: The words of all papers.
    """
    number_of = {tag.slug: number for number, tag in enumerate(vocabulary)}
    cells = [(number_of[tag.slug], paper) for paper, tags in enumerate(given) for tag in tags]
    if not cells:
        return list(vocabulary)
    entries, papers = np.array(cells, dtype=np.int64).T
    counts = np.bincount(entries, minlength=len(vocabulary))
    leaders = sorted({number_of[tag.topic] for tag in vocabulary if tag.topic in number_of})
    wanted = min(MOST_TOPICS, max(FEWEST_TOPICS, isqrt(len(vocabulary))))
    if not leaders and np.count_nonzero(counts) < wanted * _TAGS_OF_A_TOPIC:
        return list(vocabulary)
    size = (len(vocabulary), words.shares.shape[0])
    has = sparse.csr_array((np.ones(len(entries), dtype=np.int64), (entries, papers)), size)
    likeness = _likeness(has, words)
    if not leaders:
        leaders = _leaders(likeness, counts, wanted)
    shared: NDArray[np.int64] = (has @ has[leaders].T).toarray()
    close = likeness[:, leaders]
    close = np.where(close.max(axis=1, keepdims=True) > 0, close, shared)
    closest = np.array(leaders)[close.argmax(axis=1)]
    closest[leaders] = leaders
    related = close.max(axis=1) > 0
    return [
        replace(tag, topic=vocabulary[closest[number]].slug) if not tag.topic and related[number] else tag
        for number, tag in enumerate(vocabulary)
    ]


def _likeness(has: sparse.csr_array, words: PaperWords) -> NDArray[np.int64]:
    """Return how alike the papers of any two tags are, as a square of whole numbers up to `_UNIT` squared.

    ``has`` is a row of papers a tag, with a one for each that has it.
    """
    size = has.shape[0]
    kept, rare = rarities(words)
    sums = (has @ words.shares[:, kept]).tocsr()
    sums.data *= (rare * rare // 1000)[sums.indices]
    rows, columns, values = [], [], []
    for row in range(size):
        part = slice(sums.indptr[row], sums.indptr[row + 1])
        own, own_columns = sums.data[part], sums.indices[part].astype(np.int64)
        strongest = np.lexsort((own_columns, -own))[:_MOST_WORDS]
        if not len(strongest):
            continue
        shares = own[strongest] * _UNIT // own[strongest[0]]
        rows.append(np.full(len(strongest), row))
        columns.append(own_columns[strongest])
        values.append(shares * _UNIT // isqrt(int((shares * shares).sum())))
    if not rows:
        return np.zeros((size, size), dtype=np.int64)
    matrix = sparse.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), (size, len(kept)), dtype=np.int64
    )
    square: NDArray[np.int64] = (matrix @ matrix.T).toarray()
    return square


def _leaders(likeness: NDArray[np.int64], counts: NDArray[np.int64], wanted: int) -> list[int]:
    """Return the tags that lead ``wanted`` topics, in rising order."""
    tried = np.lexsort((np.arange(len(counts)), -counts))[: wanted * _LEADERS_TRIED]
    reached = np.zeros(len(counts), dtype=np.int64)
    leaders: list[int] = []
    for _ in range(min(wanted, len(tried))):
        gained = (np.maximum(likeness[tried] - reached, 0) * counts).sum(axis=1)
        leader = int(tried[int(gained.argmax())])
        if leader in leaders:
            break
        leaders.append(leader)
        reached = np.maximum(reached, likeness[leader])
    return sorted(leaders)
