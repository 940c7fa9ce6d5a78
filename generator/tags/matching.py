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
    numbers = {key: number for number, key in enumerate(table.keys)}
    entry_of: dict[tuple[int, ...], int] = {}
    for entry, variants in enumerate(terms):
        for term in variants:
            keys = tuple(numbers.get(key, -1) for key in term.split(" "))
            if -1 not in keys:
                entry_of.setdefault(keys, entry)
    lengths_from: dict[int, list[int]] = {}
    for keys in sorted(entry_of, key=lambda keys: (-len(keys), keys)):
        known = lengths_from.setdefault(keys[0], [])
        if len(keys) not in known:
            known.append(len(keys))
    begins = np.zeros(len(table.keys) + 1, dtype=bool)
    begins[list(lengths_from)] = True
    # Breaks at the end, so that a slice there is as long as any other.
    keys_in_order = table.key_numbers.tolist() + [-1] * max(map(len, entry_of), default=0)
    suffix = np.array([key in _SUFFIXES for key in table.keys] + [False])
    cut_before = np.append(table.hyphened & ~suffix[table.key_numbers], [False] * (len(keys_in_order) + 1)).tolist()
    entries: list[int] = []
    rows: list[int] = []
    lengths: list[int] = []
    free_from = 0
    begin_here = begins[table.key_numbers] & ~(table.hyphened & nested)
    for row in np.flatnonzero(begin_here).tolist():
        if row < free_from:
            continue
        for length in lengths_from[keys_in_order[row]]:
            found = entry_of.get(tuple(keys_in_order[row : row + length]))
            if found is not None and not (nested and cut_before[row + length]):
                entries.append(found)
                rows.append(row)
                lengths.append(length)
                if not nested:
                    free_from = row + length
                    break
    return Matches(np.array(entries, dtype=np.int64), np.array(rows, dtype=np.int64), np.array(lengths, dtype=np.int64))


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
