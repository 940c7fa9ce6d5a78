"""Enters: ``titles.yml``, the titles that the user gives, and papers with the titles that they have without it.

Leaves: the same papers, the user's title in place of the source's or the derived one wherever there is one.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.files import TITLES_FILE
from generator.markup.macros import Macro
from generator.markup.parse import parse_line
from generator.markup.tree import MarkupText
from generator.merge import letters_and_digits
from generator.model import TitledPaper
from generator.problems import Problem, shorten
from generator.strict_yaml import LineFault, Node, Text, UserFileError, describe, read_pairs

LONGEST_OWN_TITLE = 300
"""Characters, as written and as shown."""

FEWEST_WORDS, FEWEST_LETTERS = 4, 20
"""How much of an abstract's beginning tells which abstract is meant: so many words, or so many letters and digits."""


@dataclass(frozen=True, slots=True)
class OwnTitle:
    """One entry of the file."""

    key: str
    """An id, a source's own id, or the first words of an abstract, as written."""
    title: MarkupText
    """On one line and without links, with a letter or digit."""
    line: int
    """Where it stands in the file, from 1."""


@dataclass(frozen=True, slots=True)
class OwnTitles:
    """What the file says."""

    entries: tuple[OwnTitle, ...] = ()
    """In the file's order; no key stands twice."""
    problems: tuple[Problem, ...] = ()
    """What could not be read in the titles' markup."""


def read_own_titles(path: Path, macros: Mapping[str, Macro]) -> OwnTitles:
    """Return the titles of a file; none when there is no file.

    Args:
        path: The file.
        macros: The user's own LaTeX commands, by name without backslash.

    Raises:
        UserFileError: with every fault.
    """
    faults: list[LineFault] = []
    entries = []
    problems: list[Problem] = []
    for key, value in read_pairs(path, faults):
        if not letters_and_digits(key.text):
            expected = "expected an id or the first words of an abstract before the colon"
            faults.append(LineFault(key.line, f"{expected}, found {describe(key)}"))
        title = _read_title(key, value, macros, faults, problems)
        if title is not None:
            entries.append(OwnTitle(" ".join(key.text.split()), title, key.line))
    if faults:
        raise UserFileError(path, faults)
    return OwnTitles(tuple(entries), tuple(problems))


def use_own_titles(
    papers: Sequence[TitledPaper], own: Sequence[OwnTitle]
) -> tuple[list[TitledPaper], tuple[Problem, ...]]:
    """Return the papers, one per input and in the same order, with the user's titles, and the entries that don't fit.

    An entry's key is an id, else a source's own id, else the first words of an abstract as its source has it or as
    readers see it; of words, only letters and digits are compared, as for ids. One that fits no paper or several
    changes nothing; of two for one paper the first wins.
    """
    if not own:
        return list(papers), ()
    problems = []
    entry_of: dict[int, OwnTitle] = {}
    for entry, found in zip(own, papers_meant(papers, [entry.key for entry in own]), strict=True):
        if len(found) != 1:
            problems.append(_unfit(entry, several=bool(found)))
            continue
        (number,) = found
        first = entry_of.setdefault(number, entry)
        if first is not entry:
            message = f"expected one title for an abstract, found a second one for that of line {first.line}"
            problems.append(_problem("own-title-again", entry, message, "the first one was taken"))
    titled = list(papers)
    for number, entry in entry_of.items():
        titled[number] = replace(papers[number], title=entry.title, title_derived=False)
    return titled, tuple(problems)


def _read_title(
    key: Text, value: Node | None, macros: Mapping[str, Macro], faults: list[LineFault], problems: list[Problem]
) -> MarkupText | None:
    """Return the title of an entry; None, and a fault more, when it is none."""
    if value is None:
        return None  # its fault is known
    if not isinstance(value, Text) or not value.text.strip():
        faults.append(LineFault(key.line, f"expected a title for {describe(key)}, found {describe(value)}"))
        return None
    length = len(" ".join(value.text.split()))
    if length <= LONGEST_OWN_TITLE:  # a megabyte isn't worth parsing
        title, unread = parse_line(value.text, macros)
        length = max(length, len(title.plain))
    if length > LONGEST_OWN_TITLE:
        expected = f"expected a title of at most {LONGEST_OWN_TITLE} characters for {describe(key)}"
        faults.append(LineFault(value.line, f"{expected}, found {length:,}"))
        return None
    if not any(map(str.isalnum, title.plain)):
        faults.append(LineFault(value.line, f"expected a title for {describe(key)}, found {describe(value)}"))
        return None
    for fault in unread:
        message = f"line {value.line}: {fault.message}"
        problems.append(Problem(fault.kind, message, fault.done, TITLES_FILE, None, shorten(fault.fragment)))
    return title.unlinked()


def papers_meant(papers: Sequence[TitledPaper], keys: Sequence[str]) -> list[list[int]]:
    """Return, for each key, the numbers of the papers that it fits; two of them where there are more.

    A key is an id, a source's own id, or the first words of an abstract; with single blanks.
    """
    by_id = {paper.id: [number] for number, paper in enumerate(papers)}
    by_source_id: defaultdict[str, list[int]] = defaultdict(list)
    for number, paper in enumerate(papers):
        source_id = paper.parsed.paper.record.source_id
        if source_id is not None:
            by_source_id[" ".join(source_id.split())].append(number)
    meant = [by_id.get(key.lower()) or by_source_id.get(key, [])[:2] for key in keys]
    words = [
        letters_and_digits(key) if not found and _tells_enough(key) else b""
        for key, found in zip(keys, meant, strict=True)
    ]
    beginnings = _beginnings(papers, reach=max(map(len, words), default=0))
    return [
        _that_begin_with(letters, beginnings) if letters else found for letters, found in zip(words, meant, strict=True)
    ]


def _beginnings(papers: Sequence[TitledPaper], reach: int) -> list[tuple[bytes, int]]:
    """Return the first letters and digits of each abstract, raw and as shown, with the paper's number; sorted."""
    if not reach:
        return []
    return sorted(
        {
            (letters_and_digits(text)[:reach], number)
            for number, paper in enumerate(papers)
            for text in (paper.parsed.paper.record.abstract, paper.parsed.abstract.plain)
        }
    )


def _that_begin_with(letters: bytes, beginnings: Sequence[tuple[bytes, int]]) -> list[int]:
    found: list[int] = []
    for at in range(bisect_left(beginnings, (letters,)), len(beginnings)):
        beginning, number = beginnings[at]
        if not beginning.startswith(letters) or len(found) == 2:
            break
        if number not in found:
            found.append(number)
    return found


def _tells_enough(key: str) -> bool:
    return len(key.split()) >= FEWEST_WORDS or len(letters_and_digits(key).decode()) >= FEWEST_LETTERS


def _unfit(entry: OwnTitle, *, several: bool) -> Problem:
    if several:
        message = "expected one abstract with this id or these first words, found several"
        return _problem("own-title-ambiguous", entry, message, "none of them got the title")
    message = "expected the id or the first words of an abstract, found none that fits"
    if not _tells_enough(entry.key):
        message += f"; words must be {FEWEST_WORDS} or more, or have {FEWEST_LETTERS} letters"
    return _problem("own-title-unmatched", entry, message, "the title was not used")


def _problem(kind: str, entry: OwnTitle, message: str, done: str) -> Problem:
    return Problem(kind, f"line {entry.line}: {message}", done, TITLES_FILE, None, shorten(entry.key))
