"""Enters: nothing; this is the interface between the finding of sources and the readers of one format each.

Leaves: `Reader`, what a new format has to offer, and `Source`, what it gets; readers are named in ``__init__.py``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, TextIO, TypeAlias

from generator.model import Record
from generator.problems import Problem

NO_ABSTRACT = "no-abstract"
"""Kind of the problem that stands for a record without an abstract; such problems are counted."""

LINE_LIMIT = 64 * 2**20
"""Longest line that is read, in characters: no abstract comes near, and one line never fills the memory."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a reader sees of a file before it says whether the file is of its format."""

    name: str
    """The bare file name without ``.gz``; ``-`` for standard input."""
    head: str
    """The first few thousand characters, decoded."""
    named: bool
    """True when the user named this very file, False when it was found in a folder."""

    @property
    def suffix(self) -> str:
        """Return the name's suffix in lower case, such as ``.txt``; empty when there is none."""
        stem, dot, suffix = self.name.rpartition(".")
        return f".{suffix.lower()}" if dot and stem else ""


@dataclass(frozen=True, slots=True)
class Source:
    """One opened file: decompressed, decoded, checked to be readable to its end."""

    file: str
    """The file's name as records and problems show it."""
    candidate: Candidate
    """What the file was recognised by."""
    collection: str
    """The collection's name as far as the file's name tells it; a reader may know better."""
    stream: TextIO
    """The text, line ends made ``\\n``, at its start."""

    def lines(self) -> Iterator[str]:
        """Return the lines one by one, without their ends.

        A line that is longer than `LINE_LIMIT` comes cut to one character more than that; the reader refuses it.
        """
        while line := self.stream.readline(LINE_LIMIT + 1):
            if len(line) > LINE_LIMIT and not line.endswith("\n"):
                self._skip_line()
            # Files put together with `cat` have marks of byte order in their middle.
            yield line.removesuffix("\n").removeprefix("\ufeff")

    def _skip_line(self) -> None:
        while (rest := self.stream.readline(LINE_LIMIT)) and not rest.endswith("\n"):
            pass


ReadItem: TypeAlias = Record | Problem
"""What a reader yields: a record with an abstract, or a problem; `NO_ABSTRACT` for a record that has none."""


class Reader(Protocol):
    """One input format. A new format is a new module with such an object in it, named in ``READERS``."""

    @property
    def name(self) -> str:
        """Return the format's name as the report shows it, such as ``jsonl``."""

    def recognises(self, candidate: Candidate) -> bool:
        """Return whether the file is of this format, by its content first; the suffix is a hint."""

    def read(self, source: Source) -> Iterator[ReadItem]:
        """Yield the file's records in order, numbered from 1, and its problems where they occur.

        A bad record is a problem and the rest is read; a reader never raises for what the text says.
        """
