"""Enters: plain text, an optional heading and then one abstract a paragraph.

Leaves: one record a paragraph, its lines joined; the heading names the collection.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice, pairwise

from generator.model import Record, SourceRef
from generator.problems import Problem, shorten
from generator.sources.collection_names import clean_collection_name, names_a_list
from generator.sources.reader import LINE_LIMIT, Candidate, ReadItem, Source

HEADING_LIMIT = 100
"""Longest line that is taken for a heading, in characters; the shortest abstracts of ICML 2025 have 400."""

UNWRAPPED_LENGTH = 300
"""A line longer than this, in characters, was never wrapped by hand or by an editor, which do it at 60 to 200."""

_PARAGRAPH_LIMIT = LINE_LIMIT

# Suffixes that mean plain text. In a folder only these are read: it holds LICENSE and Makefile, too.
_TEXT_SUFFIXES = frozenset({".txt", ".text"})
# Tables and pages have no sign of their own at their start, or one that a text may have.
_FOREIGN_SUFFIXES = frozenset(
    {".csv", ".tsv", ".html", ".htm", ".tex", ".bib", ".ris", ".nbib", ".xml", ".yml", ".yaml"}
)
# How files of other formats start; read as text, their fields would become abstracts.
_FOREIGN_START = re.compile(
    r"""\s*(?:
        <\?xml | <!doctype | <html | <rss | <feed
      | @(?:article|inproceedings|incollection|proceedings|book|inbook|misc|phdthesis|mastersthesis|techreport|online
          |string|comment|preamble|unpublished|conference|thesis|report)\s*[{(]
      | TY\ \ -\s | PMID-\s | %0\ [A-Z] | \\documentclass | \{\\rtf | \{\s*" | \[\s*\{
    )""",
    re.IGNORECASE | re.VERBOSE,
)

_LINE_SEPARATORS = re.compile("[\u2028\u0085]")
_PLAIN_RULE = re.compile(r"[\s\-–—*_=~#+.·•]+")
_UNDERLINE = re.compile(r"=+|-{3,}")
_MARKED_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*")
# Marks that end a sentence, or that say it goes on; quotes and brackets may follow them.
_SENTENCE_END = re.compile(r"[.!?…。！？．;；,，、][\"'”’)\]）」』*_]*$")
# Scripts that are written without blanks between words (Hangul is not), and their punctuation.
_UNSPACED = re.compile(
    "[\u2e80-\u30ff\u3105-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]"
    "|[\U00020000-\U0003ffff]"
)
# U+00AD is the soft hyphen; PDF readers put U+0002 where they lost one.
_LOST_HYPHENS = ("\u00ad", "\u0002")
_HYPHENS = ("-", "‐")


class TextReader:
    """Reads plain text: an optional heading, then one abstract a paragraph."""

    name = "text"

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file is text and no other format that starts in a way of its own."""
        if _FOREIGN_START.match(candidate.head):
            return False
        if candidate.named:
            return candidate.suffix not in _FOREIGN_SUFFIXES
        return candidate.suffix in _TEXT_SUFFIXES

    def read(self, source: Source) -> Iterator[ReadItem]:
        """Yield one record a paragraph; ``record`` counts the abstracts, not the heading or rules between them."""
        paragraphs = split_paragraphs(source.lines())
        opening = list(islice(paragraphs, 3))
        heading, opening = take_heading(opening)
        collection = clean_collection_name(heading) if heading else source.collection
        if len(opening) == 1 and _is_list_of_lines(opening[0]):
            yield Problem(
                kind="lines-as-abstracts",
                message=f"expected blank lines between abstracts, found {len(opening[0])} long lines without any",
                done="each line was read as one abstract",
                file=source.file,
            )
            opening = [[line] for line in opening[0]]
        number = 0
        for lines in chain(opening, paragraphs):
            text = join_lines(lines)
            if not any(map(str.isalnum, text)):
                if not _PLAIN_RULE.fullmatch(text):
                    yield Problem(
                        kind="no-text",
                        message="a paragraph without any letter or digit",
                        done="it was not taken for an abstract",
                        file=source.file,
                        fragment=shorten(text),
                    )
                continue
            number += 1
            if len(text) > _PARAGRAPH_LIMIT:
                yield Problem(
                    kind="too-long",
                    message=f"a paragraph of more than {_PARAGRAPH_LIMIT:,} characters",
                    done="it was skipped",
                    file=source.file,
                    record=number,
                    fragment=shorten(text),
                )
                continue
            yield Record(source=SourceRef(source.file, number), collection=collection, abstract=text)


def split_paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Yield the paragraphs, each a list of its lines without the blanks around them; none is empty.

    A line of blanks only separates paragraphs like an empty one, and so does U+2029.
    """
    paragraph: list[str] = []
    length = 0
    for physical in lines:
        for position, block in enumerate(physical.split("\u2029")):
            if position and paragraph:
                yield paragraph
                paragraph, length = [], 0
            for line in _LINE_SEPARATORS.split(block):
                if stripped := line.strip():
                    # What is longer than a paragraph may be is refused later, so it need not be held.
                    if length <= _PARAGRAPH_LIMIT:
                        paragraph.append(stripped)
                        length += len(stripped) + 1
                elif paragraph:
                    yield paragraph
                    paragraph, length = [], 0
    if paragraph:
        yield paragraph


def take_heading(opening: list[list[str]]) -> tuple[str | None, list[list[str]]]:
    """Return the heading that the first of these paragraphs is or starts with, or None; and what follows it.

    A heading is one short line that doesn't end as a sentence does and that more text follows. Marks of Markdown
    (``#`` before it, ``===`` under it) make it one in any case, and go.
    """
    if not opening:
        return None, opening
    first, rest = opening[0], opening[1:]
    marked = _MARKED_HEADING.fullmatch(first[0])
    underlined = len(first) > 1 and _UNDERLINE.fullmatch(first[1])
    line = marked[1] if marked else first[0]
    below = first[2 if underlined else 1 :]
    followed = bool(below or rest)
    if len(line) > HEADING_LIMIT or not any(map(str.isalnum, line)):
        return None, opening
    if not (followed or names_a_list(line)):
        return None, opening
    if not (marked or underlined) and (below or _SENTENCE_END.search(line)):
        return None, opening
    return line, [below, *rest] if below else rest


def join_lines(lines: list[str]) -> str:
    """Return the lines of one paragraph as one line; every character of theirs is kept.

    Lines join with a blank, except between characters of scripts that have none, and after a hyphen that follows
    a letter, whether it belongs to the word or only to the line: to take it out could change the word.
    """
    parts = [lines[0]]
    for previous, line in pairwise(lines):
        if not _joins_without_blank(previous, line):
            parts.append(" ")
        parts.append(line)
    return "".join(parts)


def _joins_without_blank(previous: str, line: str) -> bool:
    if previous.endswith(_LOST_HYPHENS):
        return True
    if previous.endswith(_HYPHENS):
        return previous[-2:-1].isalpha() and line[0].isalnum()
    return bool(_UNSPACED.match(previous[-1]) and _UNSPACED.match(line[0]))


def _is_list_of_lines(lines: list[str]) -> bool:
    # The only paragraph of a file, and most of its lines were never wrapped: a list with one abstract a line. In a
    # file that does have blank lines they are what separates, and long lines within are an abstract's own breaks.
    return len(lines) > 1 and sum(len(line) > UNWRAPPED_LENGTH for line in lines) * 2 > len(lines)
