"""Enters: an abstract's words.

Leaves: the name that it gives to its own method, data set or benchmark, and where it says what that is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from generator.terms import STOP_WORDS, word_set
from generator.titles.lexicon import NAME_TRAITS, STEMS
from generator.titles.reading import Reading, Token
from generator.titles.words import CALLED, KINDS, MAY_FOLLOW, NO_NAMES, PROPOSE, SUBJECTS, SURELY_PROPOSE


@dataclass(frozen=True, slots=True)
class Name:
    """A name that an abstract gives to something of its own."""

    text: str
    start: int
    end: int
    described: tuple[int, ...]
    """Where in the text stretches start that say what it is."""
    expansion: tuple[int, int] | None
    """Where in the text its full name stands, if it is an acronym."""
    keys: tuple[str, ...]
    """Normalised topical words in it."""


@dataclass(slots=True)
class Clues:
    """What is known of a word that could be the name."""

    number: int
    """Of its first place among the words."""
    traits: set[str]
    described: list[int]
    """Numbers of the words where stretches start that say what it is."""
    expansion: tuple[int, int] | None = None
    """Numbers of the first word of its full name, and behind the last."""
    said: int = 0


LEAST_SURETY = -2600
"""Log odds, in thousandths, from which a word is taken for the name."""

_NO_NAME_ENDS = tuple(
    sorted(
        word_set(
            """
            -based -like -level -free -aware -style -driven -guided -specific -trained -tuned -generated -assisted
            -powered -informed -augmented -enhanced -supervised -agnostic -only -wise -shot -time -oriented -induced
            -centric
            """
        )
    )
)
_CLOSERS = (",", ".", ":", ")", "”", "'", '"', "*")
_ARTICLES = ("a", "an", "the")
_MOST_PLACES = 6
"""How many places of one word are looked at."""


@lru_cache(maxsize=1 << 16)
def _shape(word: str) -> str:
    """Return how a word is written.

    ``name`` with capitals or digits inside, as names are; ``plural`` as an acronym in the plural; ``capital``,
    ``small``, or ``digits`` in small letters; ``no`` for what is no name.
    """
    bare = word.strip("$\\*'’")
    letters = sum(c.isalpha() for c in bare)
    if len(bare) < 2 or not letters or len(bare) > 40 or "(" in bare or bare in NO_NAMES or bare.lower() in STOP_WORDS:
        return "no"
    if bare.lower().endswith(_NO_NAME_ENDS):
        return "no"
    capitals = sum(c.isupper() for c in bare)
    if capitals == 0:
        return "digits" if any(c.isdigit() for c in bare) and bare[0].isalpha() else "small"
    if capitals >= 2:
        # Two-Stage is a title-case compound; GraphRAG-V is a name.
        parts = re.split(r"[-‐‑/]", bare)
        compound = all(part[1:].islower() or len(part) < 2 for part in parts)
        return "capital" if compound else "plural" if re.search("[A-Z]s$", bare) else "name"
    if bare[0].islower() or any(c.isdigit() for c in bare) or bare.endswith(("+", "*")):
        return "name" if not bare[0].isdigit() else "no"
    return "capital" if bare[0].isupper() else "no"


def find_name(reading: Reading) -> Name | None:
    """Return the name that the abstract gives to its own method, data set or benchmark, if it gives one."""
    best: tuple[int, int, str] | None = None
    candidates = name_clues(reading)
    for text, clues in candidates.items():
        surety = sum(NAME_TRAITS.get(trait, 0) for trait in clues.traits)
        if surety >= LEAST_SURETY and (best is None or (-surety, clues.number) < best[:2]):
            best = (-surety, clues.number, text)
    if best is None:
        return None
    clues = candidates[best[2]]
    words = reading.words
    word = words[clues.number]
    expansion = clues.expansion
    return Name(
        word.text,
        word.start,
        word.end,
        tuple(words[number].start for number in clues.described),
        (words[expansion[0]].start, words[expansion[1] - 1].end) if expansion else None,
        word.keys,
    )


def name_clues(reading: Reading) -> dict[str, Clues]:
    """Return for each word that could be the name, in reading order, what is known of it."""
    words = reading.words
    found: dict[str, Clues] = {}
    cue_sentences = _proposing_sentences(words)
    first_cue = min(cue_sentences, default=-1)
    for number, word in enumerate(words):
        text = word.text
        clues = found.get(text)
        if clues is not None:
            clues.said += 1
            if clues.said <= _MOST_PLACES:
                places = _traits_of_place(words, number, clues)
                clues.traits.update(f"later {trait}" for trait in places if not trait.startswith("behind"))
            continue
        shape = _shape(text)
        if shape == "no":
            continue
        if shape != "name" and not _may_be_named(words, number, shape):
            continue
        clues = Clues(number, set(), [])
        traits = set(_traits_of_place(words, number, clues))
        if shape != "name" and not traits & _SURE_TRAITS:
            continue
        if shape == "capital" and word.keys[:1] and word.keys[0] in STEMS and not traits & {"called", "described"}:
            continue  # an ordinary word
        clues.traits = traits
        clues.said = 1
        found[text] = clues
        traits.add(f"shape {shape}")
        traits.add(f"first in {min(word.sentence, 6)}")
        if word.sentence in cue_sentences:
            traits.add("in cue sentence")
        elif word.sentence < first_cue:
            traits.add("before cue")
        elif first_cue >= 0:
            traits.add("after cue")
        traits.update(_traits_of_shape(text))
        if any(start <= word.start < end for start, end in reading.bold):
            traits.add("bold")
    # Words of a full name are no names beside its acronym.
    for start, end in [clues.expansion for clues in found.values() if clues.expansion]:
        for text in {words[number].text for number in range(start, min(end, start + 20))}:
            if text in found and start <= found[text].number < end:
                del found[text]
    for clues in found.values():
        clues.traits.add(f"said {min(clues.said, 5)}")
        clues.traits.add("bias")
    return found


def _may_be_named(words: Sequence[Token], number: int, shape: str) -> bool:
    """Return whether a word that is not written as names are stands where a name may; a quick look."""
    if number + 1 >= len(words):
        return False
    word, after = words[number], words[number + 1]
    same = number > 0 and words[number - 1].sentence == word.sentence
    before = words[number - 1].lower if same else ""
    cued = before in PROPOSE or before in CALLED or before in KINDS or before in _FILLERS
    if shape in ("small", "digits"):
        return cued and after.breaks[:1] == "," and after.lower in _ARTICLES
    if shape == "capital" and not after.breaks and (after.text[:1].isupper() or after.lower not in MAY_FOLLOW | KINDS):
        return False  # the first word of a name of several, or an ordinary word
    return cued or "(" in word.breaks or after.breaks[-1:] == "(" or before == "as" or (same and after.lower in KINDS)


OWN_TRAITS = frozenset(("cue direct", "called", "paren cue direct", "paren cue", "kind owned"))
"""What only names have that the abstract gives itself."""
_SURE_TRAITS = OWN_TRAITS | {"paren strict", "paren loose", "expansion after"}


def _traits_of_shape(text: str) -> Iterator[str]:
    yield f"letters {min(len(text), 9)}"
    if text.isupper():
        yield "capitals"
    if any(c.isdigit() for c in text):
        yield "digit"
    if re.search(r"-\d|\d[BMbk]$|\d\.\d", text):
        yield "version"
    if "-" in text:
        yield "hyphen"
    if re.search("(?i)bench|eval|arena|gym|net|former|gen|agent|rag$", text):
        yield "coined"


def _traits_of_place(words: Sequence[Token], number: int, clues: Clues) -> Iterator[str]:
    word = words[number]
    before = words[number - 1] if number and words[number - 1].sentence == word.sentence else None
    after = words[number + 1] if number + 1 < len(words) else None
    same_after = after is not None and after.sentence == word.sentence
    closed = after is None or ")" in after.breaks[:3]
    following = _described_after(words, number)
    cue = _follows_cue(words, number)
    if following:
        clues.described.append(following)
        yield "described"
    if "(" in word.breaks and closed:
        expansion, strict = _expansion_before(words, number)
        if expansion is None:
            yield "paren cue" if before and _follows_cue_loosely(words, number) else "paren"
            if before is not None:
                start = _described_before(words, number)
                clues.described += [start] if start else []
        else:
            clues.expansion = clues.expansion or expansion
            clues.described.insert(0, expansion[0])
            yield "paren strict" if strict else "paren loose"
            if _follows_cue(words, expansion[0]):
                yield "paren cue direct"
            elif _follows_cue_loosely(words, number):
                yield "paren cue"
    elif same_after and after is not None and after.breaks[-1:] == "(":
        end = number + 1
        while end < len(words) and end < number + 12 and ")" not in words[end].breaks:
            end += 1
        if end > number + 2 and _spelled(words[number + 1 : end], word.text):
            clues.expansion = clues.expansion or (number + 1, end)
            clues.described.insert(0, number + 1)
            yield "expansion after"
    if before is None:
        yield "opens sentence"
        if after is not None and after.lower == "is" and following:
            yield "is described"
        return
    lower = before.lower
    if lower in CALLED or (
        lower in ("as", "the")
        and number > 1
        and words[number - 2].lower in ("called", "denoted", "named", "dubbed", "to")
        and (words[number - 2].lower != "to" or words[max(0, number - 3)].lower == "referred")
    ):
        yield "called"
        start = _described_before(words, number)
        clues.described += [start] if start else []
    elif cue:
        yield "cue direct"
        if after is not None and after.breaks[:1] in _CLOSERS:
            yield "cue direct, closed"
    elif lower in KINDS or (after is not None and after.lower in KINDS and not after.breaks):
        owned = _owned(words, number - 1) or _follows_cue_loosely(words, number)
        yield "kind owned" if owned else "kind"
        if owned and not following:
            start = _described_before(words, number)
            clues.described += [start] if start else []
    elif lower == "our":
        yield "our"
    elif lower in ("with", "via", "through", "by", "of", "on", "and", "or", "like", "as"):
        yield f"behind {lower}"
    if word.breaks.startswith(("–", "—", "-", ":")):
        yield "apposed"
        if not following:
            start = _described_before(words, number)
            clues.described += [start] if start else []


def _proposing_sentences(words: Sequence[Token]) -> set[int]:
    return {
        word.sentence
        for number, word in enumerate(words)
        if number and word.lower in SURELY_PROPOSE and words[number - 1].lower in SUBJECTS
    }


def _owned(words: Sequence[Token], kind: int) -> bool:
    """Return whether "our", "proposed" or "this" stands a few words before the word numbered ``kind``."""
    return any(word.lower in ("our", "proposed", "this") for word in words[max(0, kind - 3) : kind + 1])


def _follows_cue(words: Sequence[Token], number: int) -> bool:
    """Return whether a proposing verb stands right before the word, articles and kinds aside."""
    at = number - 1
    while at >= 0 and words[at].sentence == words[number].sentence and number - at < 6:
        lower = words[at].lower
        if lower in PROPOSE:
            return True
        if lower not in _FILLERS and lower not in KINDS:
            return False
        at -= 1
    return False


_FILLERS = word_set("a an the our new novel simple here")


def _follows_cue_loosely(words: Sequence[Token], number: int) -> bool:
    """Return whether a clause that proposes something leads to the word, within its sentence."""
    sentence = words[number].sentence
    for at in range(number - 1, max(-1, number - 40), -1):
        if words[at].sentence != sentence:
            return False
        if words[at].lower in SURELY_PROPOSE and (at == 0 or words[at - 1].lower in SUBJECTS):
            return True
    return False


def _expansion_before(words: Sequence[Token], number: int) -> tuple[tuple[int, int] | None, bool]:
    """Return the words before a name in parentheses whose letters spell it, as word numbers.

    And whether each letter begins a word or follows such letters, rather than standing anywhere in the words.
    """
    letters = re.sub(r"[^a-z0-9]", "", words[number].lower)
    if len(letters) < 2 or len(letters) > 20:
        return None, False
    if letters[-1] == "s" and words[number].text[-1] == "s":
        letters = letters[:-1]
    sentence = words[number].sentence
    loose: tuple[int, int] | None = None
    for length in range(1, min(12, number) + 1):
        start = number - length
        first = words[start]
        if first.sentence != sentence or (
            any(w.breaks.strip("*'’") for w in words[start + 1 : start + 2]) and length > 1
        ):
            break
        if first.lower[:1] != letters[:1] or first.lower in STOP_WORDS:
            continue
        parts = [part for word in words[start:number] for part in re.split(r"[-‐‑]", word.lower) if part]
        if len(parts) > 1 and _spells(parts, letters):
            return (start, number), True
        if length > 1 and first.text[:1].isupper() and _holds(parts, letters):
            loose = (start, number)
    return loose, False


def _spelled(words: Sequence[Token], name: str) -> bool:
    letters = re.sub(r"[^a-z0-9]", "", name.lower())
    parts = [part for word in words for part in re.split(r"[-‐‑]", word.lower) if part]
    return (
        2 <= len(letters) <= 20 and parts[0][:1] == letters[:1] and (_spells(parts, letters) or _holds(parts, letters))
    )


def _spells(parts: Sequence[str], letters: str) -> bool:
    """Return whether the letters can be taken, in order, from the words' beginnings; stop words may be left out."""
    reached = {0}
    for part in parts:
        further = set(reached) if part in STOP_WORDS else set()
        for at in reached:
            for count in range(1, min(4, len(part), len(letters) - at) + 1):
                if not letters.startswith(part[:count], at):
                    break
                further.add(at + count)
        reached = further
        if not reached:
            return False
    return len(letters) in reached


def _holds(parts: Sequence[str], letters: str) -> bool:
    """Return whether the letters stand in the words in this order, and in most of the topical words."""
    at = used = 0
    for part in parts:
        before = at
        for character in part:
            if at < len(letters) and character == letters[at]:
                at += 1
        used += at > before
    return at == len(letters) and 2 * used > sum(part not in STOP_WORDS for part in parts)


def _described_after(words: Sequence[Token], number: int) -> int:
    """Return the word behind the article of ``NAME, a …`` or ``NAME is a …``; 0 for none."""
    at = number + 1
    if at < len(words) and words[at].breaks[-1:] == "(":
        # NAME (Full Name), a …
        while at < len(words) and at < number + 20 and ")" not in words[at].breaks:
            at += 1
    if at >= len(words) - 2 or words[at].sentence != words[number].sentence:
        return 0
    if words[at].lower in ("is", "as"):
        at += 1
        if words[at].lower in STOP_WORDS and words[at].lower not in _ARTICLES:
            return 0
    elif not words[at].breaks.strip("*}'’”\")"):
        return 0
    return at + 1 if words[at].lower in _ARTICLES else 0


def _described_before(words: Sequence[Token], number: int) -> int:
    """Return the word behind the article of ``propose a … called NAME``; 0 for none."""
    sentence = words[number].sentence
    at = number - 1
    while at > max(0, number - 8) and words[at - 1].sentence == sentence:
        if words[at].lower not in CALLED and words[at].lower not in _BETWEEN:
            break
        at -= 1
    end = at + 1
    for start in range(at, max(0, at - 40), -1):
        if words[start].sentence != sentence:
            return 0
        if words[start].lower in PROPOSE:
            article = start + 1 < end and words[start + 1].lower in _ARTICLES
            first = start + 1 + article
            return first if end - first >= 2 else 0
    return 0


_BETWEEN = word_set("which we to as is referred the and")
