"""Enters: the plain view of one abstract.

Leaves: its words with their sentences and the punctuation before each.
"""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from generator.terms import STOP_WORDS, key_of_word


class Token(NamedTuple):
    """One word of an abstract."""

    text: str
    lower: str
    start: int
    end: int
    sentence: int
    """Number of its sentence."""
    breaks: str
    """Punctuation between the token before and this one, blanks removed."""
    keys: tuple[str, ...]
    """Normalised topical words in it; none for a stop word."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An abstract with what all rules need to know of it."""

    text: str
    words: tuple[Token, ...]
    sentences: int
    bold: tuple[tuple[int, int], ...]
    """Offsets of what the author set in bold or italics."""


# SE(3)-equivariant is one word.
_WORD = re.compile(
    r"(?:[^\W_]++|(?<=[^\W_])\([^\W_]{1,4}\)(?=[-‐‑][^\W_])"
    r"|[_\\$^+*#/@&'’′~‐‑\-](?=[^\W_{])|\.(?=\w)|(?<=[\w+])[+#*%](?![^\W_*]))+"
)
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|et al|etc|vs|cf|resp|w\.r\.t|Fig|Eq|Sec|No|Dr|St|approx)|\b[A-Z])\.$")
_ENDS_SENTENCE = re.compile(r"['’”\")\]}*$%]*[.!?]['’”\")\]}*]*\s+['‘“\"(\[{*$]*$")


def read(text: str, bold: tuple[tuple[int, int], ...] = ()) -> Reading:
    """Return the words of a plain text, of which the stretches ``bold`` were set apart by the author."""
    words: list[Token] = []
    sentence = 0
    last = 0
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = match[0]
        gap = text[last:start]
        breaks = "" if gap == " " else "".join(gap.split())
        if (
            breaks
            and words
            and len(gap) > len(breaks)
            and not breaks.isalpha()
            and _ENDS_SENTENCE.match(gap)
            and not _ABBREVIATION.search(text[max(0, last - 8) : last + 1])
        ):
            sentence += 1
        words.append(Token(word, word.lower(), start, end, sentence, breaks, _topical_keys(word)))
        last = end
    return Reading(text, tuple(words), sentence + 1, bold)


def without_asides(reading: Reading) -> Reading:
    """Return the reading without acronyms in parentheses, such as ``(LLMs)``: titles are better without."""
    kept: list[Token] = []
    words = reading.words
    left_out: Token | None = None
    for number, found in enumerate(words):
        word = found
        following = words[number + 1].breaks if number + 1 < len(words) else reading.text[word.end :].strip()[:2]
        # SE(3) is no aside: nothing parts it from its bracket.
        apart = reading.text[word.start - 2 : word.start - 1].isspace()
        if word.breaks[-1:] == "(" and apart and following[:1] == ")" and kept:
            left_out = word
            continue
        if left_out is not None:
            word = word._replace(breaks=left_out.breaks[:-1] + word.breaks[1:])
            left_out = None
        kept.append(word)
    return replace(reading, words=tuple(kept))


@lru_cache(maxsize=1 << 16)
def _topical_keys(word: str) -> tuple[str, ...]:
    parts = re.split(r"[-‐‑/]", word)
    return tuple(key_of_word(part) for part in parts if part and part.lower() not in STOP_WORDS and not part.isdigit())
