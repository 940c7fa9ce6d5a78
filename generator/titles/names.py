"""Enters: an abstract's words.

Leaves: the name that it gives to its own method, data set or benchmark, and where it says what that is.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from generator.terms import STOP_WORDS
from generator.titles.reading import Reading, Token, clause_end
from generator.titles.words import CALLED, KINDS, NO_NAMES, PROPOSE, SUBJECTS, SURELY_PROPOSE


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an abstract gives to something of its own."""

    text: str
    start: int
    end: int
    described: tuple[int, ...]
    """Where in the text stretches start that say what it is."""


_PLURAL_ACRONYM = re.compile(r"[A-Z]s$")
_NO_NAME_ENDS = (
    "-based",
    "-like",
    "-level",
    "-free",
    "-aware",
    "-style",
    "-driven",
    "-guided",
    "-specific",
    "-trained",
    "-tuned",
)


@lru_cache(maxsize=1 << 16)
def _looks_like_name(word: str) -> bool:
    """Return whether a word is written as names of methods are: capitals or digits inside."""
    bare = word.strip("$\\*'’")
    if len(bare) < 2 or bare in NO_NAMES or not any(c.isalpha() for c in bare):
        return False
    if _PLURAL_ACRONYM.search(bare) or bare.lower().endswith(_NO_NAME_ENDS):
        return False
    capitals = sum(c.isupper() for c in bare)
    if bare[0].isdigit() and capitals == 0:
        return False
    if capitals >= 2:
        # Two-Stage is a title-case compound; GraphRAG-V is a name.
        parts = re.split(r"[-‐‑/]", bare)
        return not all(part[1:].islower() or len(part) < 2 for part in parts)
    return capitals == 1 and (bare[0].islower() or any(c.isdigit() for c in bare) or bare.endswith(("+", "*")))


def find_name(reading: Reading) -> Name | None:
    """Return the name that the abstract gives to its own method, data set or benchmark, if it gives one."""
    best: tuple[int, int, Name] | None = None
    mentions = Counter(word.text for word in reading.words)
    for number, surety, described in _name_places(reading):
        word = reading.words[number]
        score = surety + min(mentions[word.text], 4) * 10 - 25 * (len(word.text) < 3)
        found = Name(word.text, word.start, word.end, tuple(reading.words[first].start for first, _ in described))
        if best is None or score > best[0]:
            best = (score, number, found)
    return best[2] if best and best[0] >= 60 else None


def _name_places(reading: Reading) -> Iterator[tuple[int, int, tuple[tuple[int, int], ...]]]:
    words = reading.words
    for number, word in enumerate(words):
        name_like = _looks_like_name(word.text)
        capital = word.text[:1].isupper() and word.lower not in STOP_WORDS and word.text not in NO_NAMES
        if not name_like and not capital:
            continue
        before = words[number - 1] if number else None
        after = words[number + 1] if number + 1 < len(words) else None
        same = before is not None and before.sentence == word.sentence
        opened = "(" in word.breaks
        closed = after is None or ")" in after.breaks[:1] or after.breaks[:2] in ("*)", "})")
        cue = _proposing_cue(words, number)
        following = _described_after(words, number)
        if opened and closed and name_like:
            expansion = _expansion_before(words, number)
            if expansion is not None:
                start = expansion[0]
                cue = _proposing_cue(words, start)
                yield number, (90 if cue else 5) + (15 if following else 0), (expansion, *following)
                continue
            if cue or _proposing_cue_in_sentence(words, number):
                yield number, 75, (*_described_before(words, number), *following)
                continue
        if not same or before is None:
            if name_like and after is not None and after.lower == "is" and following:
                yield number, 60, following
            continue
        called = before.lower in CALLED or (
            before.lower in ("as", "the")
            and number > 1
            and words[number - 2].lower in ("called", "to", "denoted", "named", "dubbed")
            and (words[number - 2].lower != "to" or words[max(0, number - 3)].lower == "referred")
        )
        if called and (
            name_like
            or (
                before.lower in CALLED
                and after is not None
                and after.breaks[:1] in (",", ".", ":", ")", "”", "'", '"', "*")
            )
        ):
            yield number, 80 + 10 * name_like, (*_described_before(words, number), *following)
        elif cue == "direct" and name_like:
            yield number, 75 + (20 if following else 0), following
        elif cue == "direct" and following and after is not None and after.breaks:
            yield number, 85, following
        elif (
            before.lower in KINDS
            and name_like
            and number > 1
            and (_owned(words, number - 1) or _proposing_cue_in_sentence(words, number))
        ):
            yield number, 70, following or _described_before(words, number)
        elif (
            name_like
            and word.breaks.startswith(("–", "—", "-", ":", ","))
            and _proposing_cue_in_sentence(words, number)
            and (before.lower in KINDS or (after is not None and after.breaks))
        ):
            yield number, 45, (*_described_before(words, number), *following)


def _owned(words: Sequence[Token], kind: int) -> bool:
    """Return whether "our", "proposed" or "this" stands a few words before the word numbered ``kind``."""
    return any(word.lower in ("our", "proposed", "this") for word in words[max(0, kind - 3) : kind])


def _proposing_cue(words: Sequence[Token], number: int) -> str:
    """Return ``direct`` when a proposing verb stands right before the word, articles and kinds aside; else nothing."""
    at = number - 1
    while at >= 0 and words[at + 1].sentence == words[at].sentence and number - at < 6:
        if words[at].lower in PROPOSE:
            return "direct"
        if (
            words[at].lower not in ("a", "an", "the", "our", "new", "novel", "simple", "here")
            and words[at].lower not in KINDS
        ):
            return ""
        at -= 1
    return ""


def _proposing_cue_in_sentence(words: Sequence[Token], number: int) -> bool:
    sentence = words[number].sentence
    at = number - 1
    while at >= 0 and words[at].sentence == sentence:
        if words[at].lower in SURELY_PROPOSE and (at == 0 or words[at - 1].lower in SUBJECTS):
            return True
        at -= 1
    return False


def _expansion_before(words: Sequence[Token], number: int) -> tuple[int, int] | None:
    """Return the words before a name in parentheses whose initials spell it, as word numbers."""
    letters = re.sub(r"[^a-z]", "", words[number].lower)
    if len(letters) < 2:
        return None
    sentence = words[number].sentence
    # The longest stretch of which each word in capitals, or each word's beginning, feeds the letters in order.
    for length in range(2, min(12, number) + 1):
        start = number - length
        if words[start].sentence != sentence or any(w.breaks.strip("*'’") for w in words[start + 1 : number]):
            break
        if words[start].lower[:1] != letters[:1] or words[start].lower in STOP_WORDS:
            continue
        joined = [part for word in words[start:number] for part in re.split(r"[-‐‑]", word.lower) if part]
        if _spells(joined, letters):
            return start, number
    return None


def _spells(parts: Sequence[str], letters: str) -> bool:
    """Return whether the letters can be taken, in order, from the words' beginnings; stop words may be left out."""
    if not parts:
        return not letters
    first, rest = parts[0], parts[1:]
    if first in STOP_WORDS and _spells(rest, letters):
        return True
    for count in range(min(4, len(first), len(letters)), 0, -1):
        if letters.startswith(first[:count]) and _spells(rest, letters[count:]):
            return True
    return False


def _described_after(words: Sequence[Token], number: int) -> tuple[tuple[int, int], ...]:
    """Return what follows as ``NAME, a …`` or ``NAME is a …``: the words behind the article."""
    at = number + 1
    if at < len(words) and words[at].breaks[:1] == "(" and at + 1 < len(words):
        # NAME (Full Name), a …
        while at < len(words) and ")" not in words[at].breaks:
            at += 1
    if at >= len(words) - 2 or words[at].sentence != words[number].sentence:
        return ()
    if words[at].lower in ("is", "as"):
        at += 1
        if words[at].lower in STOP_WORDS - {"a", "an", "the"}:
            return ()
    elif not words[at].breaks.strip("*}'’”\")"):
        return ()
    if words[at].lower not in ("a", "an", "the"):
        return ()
    return ((at + 1, clause_end(words, at + 1)),)


def _described_before(words: Sequence[Token], number: int) -> tuple[tuple[int, int], ...]:
    """Return what stands before as ``propose a … called NAME``: the words behind the verb's article."""
    sentence = words[number].sentence
    at = number - 1
    while (
        at > 0
        and words[at - 1].sentence == sentence
        and (
            words[at].lower in CALLED or words[at].lower in ("which", "we", "to", "as", "is", "referred", "the", "and")
        )
    ):
        at -= 1
    end = at + 1
    while at > 0 and words[at].sentence == sentence:
        if words[at].lower in PROPOSE:
            start = at + 1
            if start < end and words[start].lower in ("a", "an", "the"):
                start += 1
            return ((start, end),) if end - start >= 2 else ()
        at -= 1
    return ()
