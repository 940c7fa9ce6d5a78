"""Enters: the forms that concepts have in the texts.

Leaves: the form that readers see, and which labels are part of another.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set

import numpy as np
from numpy.typing import NDArray

from generator.tags.evidence import Evidence
from generator.terms import readable_form, word_set

_SPELLED_OUT = 8
"""A phrase is shown rather than its acronym, unless not one text in so many spells it out."""


def written_forms(evidence: Evidence, texts: Sequence[str], size: int) -> list[Counter[str]]:
    """Return for each of ``size`` entries the forms in which it stands in the texts, with their numbers."""
    forms: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for entry, (text, start, end) in zip(evidence.place_entries.tolist(), evidence.places.tolist(), strict=True):
        forms[entry][texts[text][start:end]] += 1
    return [forms[entry] for entry in range(size)]


_NOUN_ENDINGS = ("ity", "ness", "tion", "sion", "ment", "ance", "ence", "ism", "ics")
_NOUN_SHARE = 8


def label_of(forms: Counter[str]) -> str:
    """Return the most frequent form; a phrase rather than its acronym; empty when no text holds any.

    A word alone is shown as the noun that it is the adjective of (``robustness`` for ``robust``), and a phrase with
    the noun of its last verb (``pre-training`` for ``pre-trained``), unless it is hardly written so.
    """
    if not forms:
        return ""
    phrases = Counter({form: count for form, count in forms.items() if not form.isalnum()})
    if phrases.total() * _SPELLED_OUT >= forms.total():
        label = readable_form(phrases)
        return _with_ending(("ing",), phrases) or label if label.endswith("ed") else label
    return _with_ending(_NOUN_ENDINGS, forms) or readable_form(forms)


def _with_ending(endings: tuple[str, ...], forms: Counter[str]) -> str:
    """Return the most frequent form with one of the endings; empty when there are too few."""
    chosen = Counter({form: count for form, count in forms.items() if form.lower().endswith(endings)})
    return readable_form(chosen) if chosen and chosen.total() * _NOUN_SHARE >= forms.total() else ""


_NO_ADVERBS = word_set("anomaly assembly butterfly family monopoly supply")
_WORD = re.compile(r"\b[a-z]+\b", re.ASCII)
_GOVERNING = re.compile(r"\b([a-z]+) (?:the|a|an|its|their|this|these|our|both|such|how|each|any)\b", re.ASCII)
_VERB_SHARE = 6


def verb_forms(texts: Iterable[str]) -> frozenset[str]:
    """Return the English words, in small letters, that often have an object behind them (``promotes the``)."""
    words: Counter[str] = Counter()
    governing: Counter[str] = Counter()
    for text in texts:
        words.update(_WORD.findall(text))
        governing.update(_GOVERNING.findall(text))
    return frozenset(word for word, count in governing.items() if count > 1 and count * _VERB_SHARE > words[word])


def is_no_noun(label: str, verbs: Set[str]) -> bool:
    """Return whether a label names no subject: an English adverb, a verb, or a clause with one at either end."""
    words = label.lower().split()
    if not words:
        return False
    last = words[-1]
    if last.endswith("ly") and last.isalpha() and len(last) > len("only") and last not in _NO_ADVERBS:
        return True
    # A design and a bridge stand behind their nouns, where a verb has its ending.
    return words[0] in verbs or (last in verbs and last.endswith("s"))


def nested_labels(labels: Sequence[str]) -> NDArray[np.int64]:
    """Return which labels hold another whole, as sorted codes: smaller number times how many there are, plus other."""
    numbers_of: defaultdict[str, list[int]] = defaultdict(list)
    for number, label in enumerate(labels):
        numbers_of[label.casefold()].append(number)
    codes = set()
    for number, label in enumerate(labels):
        words = label.casefold().split(" ")
        for start in range(len(words)):
            for end in range(start + 1, len(words) + 1):
                for other in numbers_of.get(" ".join(words[start:end]), ()):
                    if other != number:
                        codes.add(min(number, other) * len(labels) + max(number, other))
    return np.array(sorted(codes), dtype=np.int64)
