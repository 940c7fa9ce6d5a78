"""Enters: the table of all papers' words, and the terms of a vocabulary.

Leaves: where each entry of the vocabulary stands; or the table with each spelled-out phrase as one word.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.terms import WordTable, key_of_word, word_set

_SUFFIXES = frozenset(
    map(
        key_of_word,
        word_set(
            """
            aided assisted augmented aware based centric conditioned dependent driven enabled enhanced equipped
            focused free friendly generated guided informed inspired integrated level like oriented powered related
            specific style to type wise
            """
        ),
    )
)
"""What a hyphen ties to a name without making another name of it (``LLM-based``)."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Places where entries of a vocabulary stand, in reading order, as columns."""

    entries: NDArray[np.int64]
    """One per place: the entry's number."""
    rows: NDArray[np.int64]
    """One per place: the table's row of its first word."""
    lengths: NDArray[np.int64]
    """One per place: the number of its words."""


def find_entries(table: WordTable, terms: Sequence[Collection[str]], *, nested: bool) -> Matches:
    """Return where the entries stand; ``terms`` holds for each entry the variants that count as it.

    Args:
        table: The words of all texts.
        terms: Rows of keys with blanks between; a variant of two entries belongs to the first.
        nested: Whether to find entries inside of longer ones too (``agents`` in ``LLM agents``), but in no part of a
            hyphenated word (``multi`` in ``multi-agent``) unless a mere suffix follows (``LLM`` in ``LLM-based``);
            otherwise the longest wins at each word, and its words are used up.
    """
    steps, entry_of_node = _trie(table, terms)
    codes = np.fromiter(steps, dtype=np.int64, count=len(steps))
    nodes = np.fromiter(steps.values(), dtype=np.int64, count=len(steps))
    in_order = np.argsort(codes)
    codes, nodes = codes[in_order], nodes[in_order]
    # A break at the end, which no term goes over.
    keys = np.append(table.key_numbers, np.int32(-1))
    suffix = np.array([key in _SUFFIXES for key in table.keys] + [False])
    cut_before = np.append(table.hyphened & ~suffix[table.key_numbers], False)
    rows = np.flatnonzero((table.key_numbers >= 0) & ~(table.hyphened & nested))
    at = np.zeros(len(rows), dtype=np.int64)
    found = [np.empty((0, 3), dtype=np.int64)]
    length = 0
    while len(rows) and len(codes):
        # All rows go one word further down the trie, and those with no way to go are left behind.
        ahead = keys[rows + length]
        wanted = at * len(table.keys) + ahead
        place = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
        goes_on = (codes[place] == wanted) & (ahead >= 0)
        rows, at = rows[goes_on], nodes[place[goes_on]]
        length += 1
        ends = entry_of_node[at] >= 0
        if nested:
            ends &= ~cut_before[rows + length]
        found.append(np.stack([rows[ends], np.full(int(ends.sum()), -length), entry_of_node[at[ends]]], 1))
    places = np.concatenate(found)
    places = places[np.lexsort((places[:, 1], places[:, 0]))]
    if not nested:
        places = places[_without_overlaps(places[:, 0].tolist(), (-places[:, 1]).tolist())]
    return Matches(places[:, 2], places[:, 0], -places[:, 1])


def _trie(table: WordTable, terms: Sequence[Collection[str]]) -> tuple[dict[int, int], NDArray[np.int64]]:
    """Return the terms as a trie: where each step, node × keys + key, leads; and the entry of each node or -1."""
    numbers = {key: number for number, key in enumerate(table.keys)}
    steps: dict[int, int] = {}
    entries = [-1]
    for entry, variants in enumerate(terms):
        for term in variants:
            keys = [numbers.get(key, -1) for key in term.split(" ")]
            if -1 in keys:
                continue
            node = 0
            for key in keys:
                node = steps.setdefault(node * len(numbers) + key, len(entries))
                if node == len(entries):
                    entries.append(-1)
            if entries[node] < 0:
                entries[node] = entry
    return steps, np.array(entries, dtype=np.int64)


def _without_overlaps(rows: Sequence[int], lengths: Sequence[int]) -> list[int]:
    """Return the numbers of the places that stay when each takes its words, in reading order, the longest first."""
    kept = []
    free_from = 0
    for number, (row, length) in enumerate(zip(rows, lengths, strict=True)):
        if row >= free_from:
            kept.append(number)
            free_from = row + length
    return kept


def fold_phrases(table: WordTable, variants: Mapping[str, Collection[str]]) -> WordTable:
    """Return the table with every variant as one word that has the key it is a variant of.

    So ``large language model agents`` and ``LLM agents`` become one phrase of two words.
    """
    if not variants:
        return table
    names = sorted(variants)
    matches = find_entries(table, [sorted(variants[name]) for name in names], nested=False)
    keys = tuple(sorted({*table.keys, *names}))
    number_of = {key: number for number, key in enumerate(keys)}
    renumbered = np.array([number_of[key] for key in table.keys] + [-1], dtype=np.int32)
    key_numbers = renumbered[table.key_numbers]
    ends = table.ends.copy()
    key_numbers[matches.rows] = np.array([number_of[name] for name in names], dtype=np.int32)[matches.entries]
    ends[matches.rows] = table.ends[matches.rows + matches.lengths - 1]
    kept = np.ones(len(key_numbers), dtype=bool)
    for offset in range(1, int(matches.lengths.max(initial=1))):
        kept[(matches.rows + offset)[matches.lengths > offset]] = False
    return WordTable(
        keys, key_numbers[kept], table.text_numbers[kept], table.starts[kept], ends[kept], table.hyphened[kept]
    )


def fold_terms(terms: Sequence[Sequence[str]]) -> tuple[dict[str, set[str]], list[list[str]]]:
    """Return by which variants a table must be folded for a vocabulary, and the vocabulary's terms after that.

    An entry with a variant of one word, mostly an acronym, is folded into that word, so that ``language models`` is
    not found inside ``large language models``.
    """
    variants: dict[str, set[str]] = {}
    for known in terms:
        words = sorted(term for term in known if " " not in term)
        phrases = {term for term in known if " " in term}
        if words and phrases:
            variants.setdefault(words[0], set()).update(phrases)
    name_of = {tuple(variant.split(" ")): name for name in sorted(variants, reverse=True) for variant in variants[name]}
    return variants, [sorted({_fold_keys(term.split(" "), name_of) for term in known}) for known in terms]


def _fold_keys(keys: Sequence[str], name_of: Mapping[tuple[str, ...], str]) -> str:
    folded: list[str] = []
    at = 0
    while at < len(keys):
        for end in range(len(keys), at, -1):
            name = name_of.get(tuple(keys[at:end]))
            if name is not None:
                folded.append(name)
                at = end
                break
        else:
            folded.append(keys[at])
            at += 1
    return " ".join(folded)
