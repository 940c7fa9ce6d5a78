"""Enters: papers.

Leaves: what finds them by words: the postings (which papers hold a term, and how much it tells there), the places of
the terms for phrases, and the vocabulary, for prefixes and misspelt words. All are cut into blocks in the terms' order,
so that a query reads the blocks of its own words and no more.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.finish.search.chunks import gaps, to_base64, varints
from generator.finish.search.papers import Paper
from generator.finish.search.words import joined_words, read_words, stem
from generator.model import Json

TITLE_WEIGHT = 2
"""How often a word in the title counts."""

SATURATION, LENGTH_SHARE, USUAL_LENGTH = 0.8, 0.4, 150
"""BM25's k1 and b, and the number of words of an abstract of average length. That is fixed, since an average over all
papers would change every posting with every paper. Of 400 authors' titles as queries over abstracts, MRR@10 lies
between 0.963 and 0.971 for k1 from 0.3 to 1.2 and b from 0.3 to 0.75."""

_FIELD_GAP = 8
"""Places left free between a paper's fields, so that no phrase runs from one into the next."""

_BLOCK_BYTES = 12_000
"""Least size of a block before base64: small ones waste little, large ones are few files."""
_VOCABULARY_BLOCK = 2_000
"""Words of a block of the vocabulary."""
_TOKENS_AT_ONCE = 1_000_000
"""Tokens, sorted by term, that are packed together; bounds the memory that this takes."""


@dataclass(frozen=True, slots=True)
class Block:
    """One file of the index."""

    first: str
    """Its first term; terms are in the order of their code points."""
    content: Json


@dataclass(frozen=True, slots=True)
class Postings:
    """The index of all words."""

    terms: tuple[Block, ...]
    places: tuple[Block, ...]
    """One per block of terms, same order."""
    vocabulary: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Tokens:
    """Every word of every paper, one row each, in reading order."""

    surfaces: tuple[str, ...]
    """The different words, folded, in the order of their first occurrence."""
    surface: NDArray[np.int32]
    paper: NDArray[np.int32]
    place: NDArray[np.int32]
    weight: NDArray[np.uint8]
    lengths: NDArray[np.int64]
    """Words of each paper's abstract."""


def build_postings(papers: Sequence[Paper], advance: Callable[[int], None] | None = None) -> Postings:
    """Return the index; papers are numbered from 0 in their order."""
    tokens = _read_tokens(papers, advance)
    stems = [stem(surface) for surface in tokens.surfaces]
    terms = sorted(set(stems))
    number = {term: at for at, term in enumerate(terms)}
    term = np.array([number[found] for found in stems], dtype=np.int32)[tokens.surface]
    # Tokens stand in the order of papers and places, and a stable sort keeps it within each term.
    order = np.argsort(term, kind="stable").astype(np.int32)
    ends = np.cumsum(np.bincount(term, minlength=len(terms)))
    term_blocks: list[Block] = []
    place_blocks: list[Block] = []
    first = start = 0
    while first < len(terms):
        last = max(first + 1, int(np.searchsorted(ends, start + _TOKENS_AT_ONCE, side="right")))
        part = order[start : ends[last - 1]]
        packed, places = _term_blocks(terms[first:last], term[part] - first, part, tokens)
        term_blocks += packed
        place_blocks += places
        first, start = last, int(ends[last - 1])
    return Postings(tuple(term_blocks), tuple(place_blocks), _vocabulary_blocks(tokens))


def _read_tokens(papers: Sequence[Paper], advance: Callable[[int], None] | None) -> _Tokens:
    numbers: dict[str, int] = {}
    surface, place, weight = array("I"), array("I"), array("B")
    sizes, lengths = [], []
    for at, paper in enumerate(papers):
        before, end = len(surface), 0
        fields = [(paper.abstract, 1), (paper.title, TITLE_WEIGHT)]
        fields += [(text, 1) for text in (*(label for label, _ in paper.tags), *paper.keywords, *paper.authors)]
        for text, weighs in fields:
            words = read_words(text)
            others = list(joined_words(text))
            surface.extend([numbers.setdefault(word, len(numbers)) for word in (*words, *others)])
            place.extend(range(end, end + len(words)))
            # Where joined words stand does not matter: no phrase asks for them.
            place.extend([end + len(words)] * len(others))
            weight.extend([weighs] * (len(words) + len(others)))
            if end == 0:
                lengths.append(len(words))
            end += len(words) + _FIELD_GAP
        sizes.append(len(surface) - before)
        if advance is not None and (at % 256 == 255 or at == len(papers) - 1):
            advance(at % 256 + 1)
    return _Tokens(
        surfaces=tuple(numbers),
        surface=np.array(surface, dtype=np.int32),
        paper=np.repeat(np.arange(len(papers), dtype=np.int32), np.array(sizes, dtype=np.int64)),
        place=np.array(place, dtype=np.int32),
        weight=np.array(weight, dtype=np.uint8),
        lengths=np.array(lengths, dtype=np.int64),
    )


def _term_blocks(
    terms: Sequence[str], term: NDArray[np.int32], part: NDArray[np.int32], tokens: _Tokens
) -> tuple[list[Block], list[Block]]:
    """Return the blocks of some terms, and those of their places.

    Args:
        terms: The terms.
        term: The number of each token's term among them, ascending.
        part: Which tokens these are.
        tokens: All tokens.
    """
    paper = tokens.paper[part]
    new = np.ones(len(term), dtype=bool)
    new[1:] = (np.diff(term) != 0) | (np.diff(paper) != 0)
    starts = np.flatnonzero(new)
    posting_term, posting_paper = term[starts], paper[starts]
    weights = np.add.reduceat(tokens.weight[part].astype(np.int64), starts)
    impacts = _impacts(weights, tokens.lengths[posting_paper])
    papers_of_term = np.bincount(posting_term, minlength=len(terms))
    packed_gaps, gap_lengths = varints(gaps(posting_paper.astype(np.int64), papers_of_term))

    counts = np.diff(np.append(starts, len(term)))
    packed_counts, count_lengths = varints(counts)
    packed_places, place_lengths = varints(gaps(tokens.place[part].astype(np.int64), counts))

    gap_ends = np.append(0, np.cumsum(gap_lengths))
    count_ends = np.append(0, np.cumsum(count_lengths))
    place_ends = np.append(0, np.cumsum(place_lengths))
    posting_ends = np.append(0, np.cumsum(papers_of_term))
    token_ends = np.append(starts, len(term))
    term_blocks: list[Block] = []
    place_blocks: list[Block] = []
    for first, last in _cut(np.diff(gap_ends[posting_ends]) + papers_of_term):
        postings = slice(int(posting_ends[first]), int(posting_ends[last]))
        tokens_of_block = slice(int(token_ends[postings.start]), int(token_ends[postings.stop]))
        sizes: list[Json] = [int(size) for size in papers_of_term[first:last]]
        block_gaps = packed_gaps[gap_ends[postings.start] : gap_ends[postings.stop]]
        content: Json = {
            "terms": list(terms[first:last]),
            "sizes": sizes,
            "gaps": to_base64(block_gaps.tobytes()),
            "impacts": to_base64(impacts[postings].tobytes()),
        }
        term_blocks.append(Block(terms[first], content))
        block_counts = packed_counts[count_ends[postings.start] : count_ends[postings.stop]]
        block_places = packed_places[place_ends[tokens_of_block.start] : place_ends[tokens_of_block.stop]]
        where: Json = {"counts": to_base64(block_counts.tobytes()), "places": to_base64(block_places.tobytes())}
        place_blocks.append(Block(terms[first], where))
    return term_blocks, place_blocks


def _impacts(weights: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return BM25's share of a term in a paper, without the term's rarity, from 1 to 255."""
    norms = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * lengths / USUAL_LENGTH)
    return np.ceil(255 * weights / (weights + norms)).astype(np.uint8)


def _cut(sizes: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return where blocks start and end, so that each has at least `_BLOCK_BYTES`, the last perhaps fewer."""
    found, start, filled = [], 0, 0
    for at, size in enumerate(sizes):
        filled += int(size)
        if filled >= _BLOCK_BYTES:
            found.append((start, at + 1))
            start, filled = at + 1, 0
    if start < len(sizes):
        found.append((start, len(sizes)))
    return found


def _vocabulary_blocks(tokens: _Tokens) -> tuple[Block, ...]:
    counts = np.bincount(tokens.surface, minlength=len(tokens.surfaces))
    words = sorted(zip(tokens.surfaces, (int(count) for count in counts), strict=True))
    blocks = []
    for at in range(0, len(words), _VOCABULARY_BLOCK):
        part = words[at : at + _VOCABULARY_BLOCK]
        blocks.append(Block(part[0][0], {"words": [word for word, _ in part], "counts": [count for _, count in part]}))
    return tuple(blocks)
