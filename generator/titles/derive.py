"""Enters: papers whose markup has been understood, with or without a title.

Leaves: papers with a title each; where the source gives none, the best stretches of the abstract's own words.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from generator.markup.tree import MarkupText, Styled, join, plain_text
from generator.model import ParsedPaper, TitledPaper
from generator.titles.names import Name, find_name
from generator.titles.reading import Reading, Token, read, without_asides
from generator.titles.spans import Traits, is_balanced, scored_candidates, stretches_of, thesis_of
from generator.titles.words import NEVER_LAST, PROPER
from generator.titles.worth import worths

LONGEST_TITLE = 110
"""Characters of plain text."""
MOST_STRETCHES = 4
"""Pieces of the abstract that a title may be made of; more would be a salad."""
_MOST_TRIED = 50
"""Candidates that are tried for their formulas and length before the first words are taken instead."""
_FEWEST_LEADING_WORDS = 2
_FULL_STOP = re.compile("(?<=[^。！？])[。！？]")
"""Ends a sentence without a blank behind it, in scripts that have no blanks between words."""
_MOST_COUNTED = 20
"""Candidates of more stretches of which is counted whether fewer would do, which takes a search of the abstract."""
_MOST_LEADING_WORDS = 12


def add_titles(parsed: Sequence[ParsedPaper]) -> list[TitledPaper]:
    """Return the papers with titles: one per input, same order; a title that the source gives wins."""
    titled = []
    for paper in parsed:
        given = paper.author_title
        if given is not None and given.plain.strip():
            titled.append(TitledPaper(paper, given.unlinked(), title_derived=False))
        else:
            titled.append(TitledPaper(paper, derive_title(paper.abstract).unstyled(), title_derived=True))
    return titled


def derive_title(abstract: MarkupText) -> MarkupText:
    """Return a title made of the abstract's own words: ``Name: what it is``, or what the paper does or studies.

    At most `LONGEST_TITLE` characters of plain text, never empty for an abstract that is not blank; markup is kept.
    """
    text = abstract.plain
    reading, name = read_abstract(abstract)
    thesis = thesis_of(reading, LONGEST_TITLE)
    if thesis and len(abstract.slice(*thesis).plain) <= LONGEST_TITLE:
        return abstract.slice(*thesis).capitalized()
    if not reading.words:
        start, end = _trim_to_fit(text, len(text) - len(text.lstrip()), len(text.rstrip()), LONGEST_TITLE)
        return _of_limited_length(abstract.slice(start, end))
    for stretches in islice(_best_first(reading, name), _MOST_TRIED):
        span = _joined(abstract, reading, stretches)
        if span is None:
            continue
        title = span.capitalized()
        if name:
            title = join([abstract.slice(name.start, name.end), ": ", title])
        if len(title.plain) <= LONGEST_TITLE:
            return title
    return abstract.slice(name.start, name.end) if name else _leading_words(abstract, reading)


def _best_first(reading: Reading, name: Name | None) -> Iterator[list[tuple[int, int]]]:
    """Yield what could stand in the title, as offsets of its stretches, best first."""
    counted = 0
    for candidate in scored_candidates(Traits(reading, name, worths(reading, name))):
        stretches = stretches_of(reading, candidate)
        if stretches is None or sum(end - start for start, end in stretches) > LONGEST_TITLE:
            continue
        if len(stretches) + bool(name) > MOST_STRETCHES:
            counted += 1
            if counted > _MOST_COUNTED or _pieces(reading, name, stretches) > MOST_STRETCHES:
                continue
        yield stretches


def _pieces(reading: Reading, name: Name | None, stretches: Sequence[tuple[int, int]]) -> int:
    """Return of how few rows of words of the abstract the title can be made."""
    title = " ".join([name.text if name else "", *(reading.text[start:end] for start, end in stretches)])
    words = _ALPHANUMERIC.findall(title.lower())
    text = f" {' '.join(_ALPHANUMERIC.findall(reading.text.lower()))} "
    count = at = 0
    while at < len(words):
        length = 1
        while at + length < len(words) and f" {' '.join(words[at : at + length + 1])} " in text:
            length += 1
        at += length
        count += 1
    return count


_ALPHANUMERIC = re.compile(r"\w+")


def _joined(abstract: MarkupText, reading: Reading, stretches: Sequence[tuple[int, int]]) -> MarkupText | None:
    """Return the stretches as one line; None if one would cut a formula.

    A capital that only the beginning of a sentence asked for is undone.
    """
    parts: list[MarkupText | str] = []
    begins = {word.start: number for number, word in enumerate(reading.words)} if len(stretches) > 1 else {}
    for start, end in stretches:
        if parts and reading.text[start] not in "-‐‑":
            parts.append(" ")
        if _cuts_formula(abstract, reading, start, end):
            return None
        undone = bool(parts) and _is_capital_by_place(reading.words, begins[start])
        if undone:
            parts.append(reading.text[start].lower())
        parts.append(abstract.slice(start + undone, end))
    return join(parts)


def _is_capital_by_place(words: Sequence[Token], number: int) -> bool:
    """Return whether only the beginning of a sentence gives the word its capital."""
    word = words[number]
    first, rest = word.text[0], word.text[1:]
    if not first.isupper() or not rest.islower() or word.text in PROPER:
        return False
    if number and words[number - 1].sentence == word.sentence:
        return False
    after = words[number + 1] if number + 1 < len(words) else word
    return rest.endswith("ing") or not after.text[:1].isupper()


def read_abstract(abstract: MarkupText) -> tuple[Reading, Name | None]:
    """Return an abstract's words, asides left out, and the name that it gives to its own."""
    reading = read(abstract.plain, bold_places(abstract))
    name = find_name(reading)
    if name and abstract.slice(name.start, name.end).plain != name.text:
        name = None  # a part of a formula
    return without_asides(reading), name


def bold_places(abstract: MarkupText) -> tuple[tuple[int, int], ...]:
    """Return the offsets of what stands in bold or italics, lists left out."""
    places = []
    at = 0
    for node in abstract.nodes:
        length = len(plain_text((node,)))
        if isinstance(node, Styled) and node.style in ("strong", "emphasis", "smallcaps"):
            places.append((at, at + length))
        at += length
    return tuple(places)


def _leading_words(abstract: MarkupText, reading: Reading) -> MarkupText:
    """Return the first sentence's leading words."""
    words = [word for word in reading.words if word.sentence == 0]
    start = words[0].start
    while len(words) > _FEWEST_LEADING_WORDS and (
        words[-1].end - start > LONGEST_TITLE
        or len(words) > _MOST_LEADING_WORDS
        or words[-1].lower in NEVER_LAST
        or not is_balanced(reading.text[start : words[-1].end])
    ):
        words.pop()
    while len(words) > _FEWEST_LEADING_WORDS and _cuts_formula(abstract, reading, start, words[-1].end):
        words.pop()
    end = words[-1].end
    full_stop = _FULL_STOP.search(reading.text, start, end)
    start, end = _trim_to_fit(reading.text, start, full_stop.start() if full_stop else end, LONGEST_TITLE)
    return _of_limited_length(abstract.slice(start, end).capitalized())


def _cuts_formula(abstract: MarkupText, reading: Reading, start: int, end: int) -> bool:
    """Return whether a stretch begins or ends inside a formula, which then would come whole."""
    return abstract.slice(start, end).plain != reading.text[start:end]


def _of_limited_length(title: MarkupText) -> MarkupText:
    """Return a title as it is, or, when a formula of its is too long for any, its cut plain reading."""
    if len(title.plain) <= LONGEST_TITLE:
        return title
    return MarkupText.of_plain(title.plain[: LONGEST_TITLE - 1].rstrip() + "…")


def _trim_to_fit(text: str, start: int, end: int, room: int) -> tuple[int, int]:
    """Return the offsets, the end moved so that at most ``room`` characters are left, between words if possible."""
    if end - start > room:
        cut = text.rfind(" ", start, start + room)
        end = cut if cut > start else start + room
    return start, end
