"""Stage *markup*: raw texts in, inline trees out.

Papers enter; `ParsedPaper`s leave, one per input and in the same order, with the problems found in their texts.
Sees one paper at a time.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from generator.markup.faults import Fault
from generator.markup.macros import Macro
from generator.markup.parse import parse_line, parse_markup
from generator.model import Paper, ParsedPaper
from generator.problems import Problem, shorten


def parse_papers(
    papers: Sequence[Paper], macros: Mapping[str, Macro] = MappingProxyType({})
) -> list[tuple[ParsedPaper, tuple[Problem, ...]]]:
    """Return each paper with its markup understood and what could not be read; one per input, same order.

    Args:
        papers: Their texts as the sources have them.
        macros: The user's own LaTeX commands, by name without backslash.
    """
    return [_parse(paper, macros) for paper in papers]


def _parse(paper: Paper, macros: Mapping[str, Macro]) -> tuple[ParsedPaper, tuple[Problem, ...]]:
    record = paper.record
    faults: list[Fault] = []
    abstract, found = parse_markup(record.abstract, macros)
    faults += found
    title = None
    if record.title is not None:
        title, found = parse_line(record.title, macros)
        faults += found
        if not title.plain.strip():
            title = None
    problems = tuple(
        Problem(
            kind=fault.kind,
            message=fault.message,
            done=fault.done,
            file=record.source.file,
            record=record.source.record,
            fragment=shorten(fault.fragment),
        )
        for fault in faults
    )
    parsed = ParsedPaper(
        paper=paper,
        abstract=abstract,
        author_title=title,
        authors=_names(record.authors),
        keywords=_names(record.keywords),
    )
    return parsed, problems


def _names(raw: Sequence[str]) -> tuple[str, ...]:
    """Return names in their plain view, such as ``Paul Erdős`` for ``Paul Erd\\H{o}s``; empty ones are left out."""
    return tuple(name for text in raw if (name := parse_line(text)[0].plain))
