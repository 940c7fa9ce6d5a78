"""Which lines of a text are the items of a Markdown list.

A cleaned text enters; the lines that begin an item or end a list leave, by their position. A lone line that looks like
an item is none: abstracts hold too many sentences that begin with a dash or a number.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ListLine:
    """What a line does to a list."""

    does: Literal["open", "item", "end"]
    """Open a list with its first item, go on with the next, or end the list with a line that belongs to none."""
    content: int
    """Where the words of the line begin."""
    ordered: bool = False


_LINE = re.compile(r"[ \t]*+([^\n]*)(?:\n|\Z)")
_BULLET = re.compile(r"(?P<mark>[-*+•‣◦▪])[ \t]+(?=[^\s])(?![-*+•‣◦▪\s]+$)(?:(?<![-+][ \t])|(?!\d))")
_NUMBER = re.compile(r"(?P<number>\d{1,2})(?P<mark>[.)])[ \t]+(?=\S)")
_SENTENCE_END = re.compile(r"[.!?:;][\"”'’)*_]*[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class _Item:
    start: int
    content: int
    mark: str
    number: int


def find_list_lines(text: str) -> dict[int, ListLine]:
    """Return the lines that open, continue or end a list, by the position of their first character that is no blank.

    A list has two items or more, with the same mark, numbers counting from 1. A line without a mark belongs to the
    item above if it is indented, or if the line above it does not end a sentence.
    """
    if "\n" not in text:
        return {}
    found: dict[int, ListLine] = {}
    items: list[_Item] = []

    def end_list(at: int) -> None:
        if len(items) > 1:
            for number, item in enumerate(items):
                found[item.start] = ListLine("item" if number else "open", item.content, ordered=item.number > 0)
            found.setdefault(at, ListLine("end", at))
        items.clear()

    blank_above, line_above = False, ""
    for start, line, indented in _lines(text):
        if not line.strip():
            blank_above = True
            continue
        item = _item(start, line)
        if item:
            if items and not _follows(item, items[-1]):
                end_list(start)
            if items or item.number <= 1:
                items.append(item)
        elif items and not indented and (blank_above or _SENTENCE_END.search(line_above)):
            end_list(start)
        blank_above, line_above = False, line
    end_list(len(text))
    return found


def _lines(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each line's first character that is no blank, what follows it, and whether blanks stand before it."""
    at = 0
    while at < len(text):
        match = _LINE.match(text, at)
        assert match  # noqa: S101 - it matches anything
        yield match.start(1), match[1], match.start(1) > at
        at = match.end()


def _item(start: int, line: str) -> _Item | None:
    if bullet := _BULLET.match(line):
        return _Item(start, start + bullet.end(), bullet["mark"], 0)
    if number := _NUMBER.match(line):
        return _Item(start, start + number.end(), number["mark"], int(number["number"]))
    return None


def _follows(item: _Item, before: _Item) -> bool:
    return item.mark == before.mark and item.number == (before.number + 1 if before.number else 0)
