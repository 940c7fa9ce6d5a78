"""Enters: plain text.

Leaves: its search terms. What is typed is cut by the same rules, in ``site_templates/scripts/words.js``; the tables
here reach it through the index's manifest, so that index and page never disagree.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache

LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h", "ŋ": "n",
    "ς": "σ", "√": " sqrt ", "∞": " infinity ", "∇": " nabla ", "∂": " partial ", "∑": " sum ", "∏": " product ",
    "∫": " integral ",
}  # fmt: skip
"""What Unicode's own folding leaves, and how people type it."""

GREEK = {
    letter: unicodedata.name(letter).removeprefix("GREEK SMALL LETTER ").replace("LAMDA", "LAMBDA").lower()
    for letter in "αβγδεζηθικλμνξοπρστυφχψω"
}
"""A Greek letter that stands alone is a symbol, and found by its name."""

UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\U00020000-\U000323af"
)
"""Ranges of scripts that put no blanks between words (Thai, Lao, Burmese, Khmer, Japanese, Chinese); their terms are
pairs of neighbouring characters."""

SUFFIXES: tuple[tuple[tuple[str, str, int], ...], ...] = (
    (("sses", "ss", 2), ("ies", "y", 2), ("yses", "ysis", 2), ("heses", "hesis", 1), ("ss", "ss", 1), ("us", "us", 1),
     ("is", "is", 1), ("ias", "ias", 1), ("s", "", 3)),
    (("eed", "ee", 1), ("ising", "iz", 4), ("ised", "iz", 4), ("ingly", "", 3), ("edly", "", 3), ("ying", "y", 2),
     ("ied", "y", 2), ("ing", "", 3), ("ed", "", 3)),
    (("bb", "b", 2), ("dd", "d", 2), ("gg", "g", 2), ("mm", "m", 2), ("nn", "n", 2), ("pp", "p", 2), ("rr", "r", 2),
     ("tt", "t", 2), ("ise", "iz", 4), ("e", "", 3)),
    (("ization", "iz", 3), ("isation", "iz", 3), ("izer", "iz", 3), ("ational", "at", 3),
     ("ation", "at", 3), ("ator", "at", 3), ("ativ", "at", 3), ("fulness", "ful", 3), ("ousness", "ous", 3),
     ("iveness", "iv", 3), ("ivity", "iv", 3), ("ability", "abl", 3), ("ibility", "ibl", 3), ("ality", "al", 4),
     ("arity", "ar", 4), ("ically", "ic", 3), ("ical", "ic", 3), ("fully", "ful", 3), ("lessly", "less", 3),
     ("ously", "ous", 3), ("ively", "iv", 3), ("ally", "al", 4), ("ly", "", 4), ("ement", "e", 4), ("ment", "", 4),
     ("ness", "", 4), ("ency", "ent", 4), ("ancy", "ant", 4), ("enc", "ent", 4), ("anc", "ant", 4)),
)  # fmt: skip
"""Endings of English, in rounds: of each round the first that fits is replaced, where so many letters stay before it
and one of them is a vowel. Shorter than Porter's (1980), of which it is a selection that fits into a table."""

LONGEST_TERM = 64
"""Characters; the rest of a longer one is not looked at."""

_VOWEL = re.compile("[aeiouy]")
_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile(r"[^\W_]+(?:[-‐_'’.·/][^\W_]+)+")
"""Hyphenated words and the like; they are found written together, too."""
_CALL = re.compile(r"(?<![^\W_])[^\W\d_]{1,3}\([^()]{1,32}\)")
"""Such as ``O(n log n)``."""
_SYMBOLS = re.compile(f"[{''.join(letter for letter in LETTERS)}]")
_UNSPACED = re.compile(f"[{UNSPACED}]+")


@lru_cache(maxsize=1)  # each text is folded for its words, then for those that are joined
def fold(text: str) -> str:
    """Return ``text`` in small letters, without accents, ligatures and other variants of letters."""
    if text.isascii():
        return text.lower()
    parts = unicodedata.normalize("NFKD", text)
    marks = {ord(character): None for character in set(parts) if _is_mark(character)}
    return _SYMBOLS.sub(lambda found: LETTERS[found[0]], parts.translate(marks).lower())


@cache
def _is_mark(character: str) -> bool:
    return unicodedata.combining(character) > 0 or unicodedata.category(character).startswith("M")


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return a folded word without its English endings; words with other letters stay as they are."""
    if not (word.isascii() and word.isalpha()):
        return word
    for endings in SUFFIXES:
        for ending, replacement, fewest in endings:
            rest = word.removesuffix(ending)
            if rest != word and len(rest) >= fewest and _VOWEL.search(rest):
                word = rest + replacement
                break
            if rest != word and ending == replacement:
                break
    return word


def cut(word: str) -> tuple[str, ...]:
    """Return the words that a row of letters and digits counts as: itself, but for symbols and unspaced scripts."""
    if word.isascii():
        return (word[:LONGEST_TERM],)
    if word in GREEK:
        return (GREEK[word],)
    if not _UNSPACED.search(word):
        return (word[:LONGEST_TERM],)
    found: list[str] = []
    end = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > end:
            found.append(word[end : run.start()][:LONGEST_TERM])
        characters = run[0]
        found += [characters[at : at + 2] for at in range(len(characters))]
        end = run.end()
    if end < len(word):
        found.append(word[end:][:LONGEST_TERM])
    return tuple(found)


_cut_word = lru_cache(maxsize=1 << 16)(cut)


def read_words(text: str) -> list[str]:
    """Return the words of a text in reading order, folded, not stemmed; a word's place is its number here."""
    folded = fold(text)
    if folded.isascii():
        return [word[:LONGEST_TERM] for word in _WORD.findall(folded)]
    return [part for word in _WORD.findall(folded) for part in _cut_word(word)]


def joined_words(text: str) -> Iterator[str]:
    """Yield what can be found besides the words: ``zeroshot`` for zero-shot, ``o(nlogn)`` for O(n log n)."""
    folded = fold(text)
    # Most words have nothing but letters, and need no second look.
    for joined in _JOINED.findall(" ".join(part for part in folded.split() if not part.isalnum())):
        yield "".join(_WORD.findall(joined))[:LONGEST_TERM]
    if "(" in folded:
        for call in _CALL.findall(folded):
            yield spell_call(call)


def spell_call(call: str) -> str:
    """Return the term of a function's value, such as ``o(nlogn)``, from its folded text."""
    name, inside = call[:-1].split("(", 1)
    return f"{name}({''.join(_WORD.findall(inside))})"
