"""Enters: papers whose markup has been understood, with or without a title.

Leaves: papers with a title each; where the source gives none, the best stretches of the abstract's own words.
"""

from collections.abc import Sequence

from generator.markup.tree import MarkupText, join
from generator.model import ParsedPaper, TitledPaper
from generator.titles.names import find_name
from generator.titles.reading import Reading, read, without_asides
from generator.titles.spans import best_span, is_balanced
from generator.titles.words import NEVER_LAST

LONGEST_TITLE = 110
"""Characters of plain text."""
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
    reading = read(text)
    if not reading.words:
        start, end = _trim_to_fit(text, len(text) - len(text.lstrip()), len(text.rstrip()), LONGEST_TITLE)
        return abstract.slice(start, end)
    name = find_name(reading)
    room = LONGEST_TITLE - (len(name.text) + 2 if name else 0)
    best = best_span(without_asides(reading), name, room)
    if best is None:
        return abstract.slice(name.start, name.end) if name else _leading_words(abstract, reading)
    span = join(part for start, end in best for part in (" ", abstract.slice(start, end)))
    span = span.slice(1, len(span.plain)).capitalized()
    return join([abstract.slice(name.start, name.end), ": ", span]) if name else span


def _leading_words(abstract: MarkupText, reading: Reading) -> MarkupText:
    """Return the first sentence's leading words."""
    words = [word for word in reading.words if word.sentence == 0]
    start = words[0].start
    while len(words) > 1 and (
        words[-1].end - start > LONGEST_TITLE
        or len(words) > _MOST_LEADING_WORDS
        or words[-1].lower in NEVER_LAST
        or not is_balanced(reading.text[start : words[-1].end])
    ):
        words.pop()
    start, end = _trim_to_fit(reading.text, start, words[-1].end, LONGEST_TITLE)
    return abstract.slice(start, end).capitalized()


def _trim_to_fit(text: str, start: int, end: int, room: int) -> tuple[int, int]:
    """Return the offsets, the end moved so that at most ``room`` characters are left, between words if possible."""
    if end - start > room:
        cut = text.rfind(" ", start, start + room)
        end = cut if cut > start else start + room
    return start, end
