"""Enters: the texts of all papers.

Leaves: which acronym stands for which phrase, taken from pairs such as ``large language models (LLMs)``.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from generator.terms import STOP_WORDS, Word, words_of

Expansions = Mapping[str, tuple[str, ...]]
"""The key of each acronym, with the keys of the phrase that it stands for."""

_ACRONYM = re.compile(r"\(\s?([A-Z][A-Za-z0-9]{0,3}(?:-?[A-Z][A-Za-z0-9]{0,2}){0,4}s?)\s?[);,]")
_LONGEST_EXPANSION = 90
"""Characters before the parenthesis that may hold what the acronym stands for."""
_LEAST_PREFIX = 3
"""Letters before the second part of a compound may start."""
_CLEAR_SHARE = 0.6
"""An acronym is joined only when this share of its explanations means the same phrase; else it stays by itself."""


@dataclass(frozen=True, slots=True)
class Acronyms:
    """What the acronyms of a corpus stand for."""

    expansions: Expansions
    ambiguous: frozenset[str]
    """Keys of those that papers explain, and not as one phrase: alone they name no subject."""


def read_acronyms(texts: Iterable[str], least_texts: int) -> Acronyms:
    """Return what acronyms stand for, by the texts that explain them.

    One text counts once a pair, and an acronym needs ``least_texts`` that agree.
    """
    counts = count_pairs(texts)
    chosen: dict[str, tuple[str, ...]] = {}
    ambiguous: set[str] = set()
    for acronym in sorted(counts):
        expansions = counts[acronym]
        best = min(expansions, key=lambda keys: (-expansions[keys], keys))
        if expansions[best] < _CLEAR_SHARE * expansions.total():
            ambiguous.add(acronym)
        elif expansions[best] >= least_texts:
            chosen[acronym] = best
    return Acronyms(chosen, frozenset(ambiguous))


def count_pairs(texts: Iterable[str]) -> dict[str, Counter[tuple[str, ...]]]:
    """Return how many texts explain an acronym as a phrase, by the acronym's key and the phrase's keys."""
    counts: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    for text in texts:
        for acronym, expansion in sorted(set(_pairs_in(text))):
            counts[acronym][expansion] += 1
    return dict(counts)


def _pairs_in(text: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    for match in _ACRONYM.finditer(text):
        acronym = match[1]
        singular = acronym.removesuffix("s") if acronym[-2:-1].isupper() else acronym
        capitals = re.sub(r"[^A-Z2]", "", singular).replace("2", "T").lower()
        letters = re.sub(r"[^a-z2]", "", singular.lower()).replace("2", "t")
        if len(letters) < 2:
            continue
        before = text[max(0, match.start() - _LONGEST_EXPANSION) : match.start()]
        words = words_of(before)
        keys = _spelled_by(before, words, letters)
        if not keys and len(capitals) > 1:
            # Small letters may be from inside of a word (LoRA: low-rank adaptation).
            keys = _spelled_by(before, words, capitals)
        if keys:
            acronym_keys = [word.key for word in words_of(acronym)]
            if len(acronym_keys) == 1:
                yield acronym_keys[0], keys


def _spelled_by(text: str, words: list[Word], letters: str) -> tuple[str, ...]:
    """Return the keys of the last words whose initials are ``letters``.

    Stop words between may be skipped, and a compound may give two letters (SAE: sparse autoencoder).
    """
    # Ways to read it that are left to try: where they have come to, and the letters that are still to be found.
    ways = [(len(words), letters)]
    tried = set()
    while ways:
        at, left = way = ways.pop()
        if way in tried:  # many ways meet where stop words begin with the letters
            continue
        tried.add(way)
        if not left:
            # A hyphen before it would make it the end of a name.
            if not words[at].hyphened:
                return tuple(word.key for word in words[at:])
            continue
        at -= 1
        if at < 0 or (at + 1 < len(words) and not words[at + 1].joined):
            continue
        word = text[words[at].start : words[at].end].lower()
        if word[0] == left[-1]:
            ways.append((at, left[:-1]))
        elif len(left) > 1 and word[0] == left[-2] and left[-1] in word[_LEAST_PREFIX:]:
            ways.append((at, left[:-2]))
        # The last way is tried first: a stop word is skipped where what is before it can be read without.
        if words[at].key.rstrip("-") in STOP_WORDS and at + 1 < len(words):
            ways.append((at, left))
    return ()


def spellings(key: str, expansions: Expansions) -> set[str]:
    """Return all rows of keys that mean the same as ``key``: itself, and what it stands for with acronyms inside."""
    found = {key}
    phrase = expansions.get(key)
    if phrase is None:
        return found
    found |= {" ".join(phrase), " ".join(part.rstrip("-") for part in phrase)}
    for acronym, inner in expansions.items():
        if acronym == key or len(inner) >= len(phrase):
            continue
        for at in range(len(phrase) - len(inner) + 1):
            if phrase[at : at + len(inner)] == inner:
                found.add(" ".join((*phrase[:at], acronym, *phrase[at + len(inner) :])))
    return found
