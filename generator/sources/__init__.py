"""Enters: the paths that the user gave: files, folders, standard input.

Leaves: the records in them, in order, what was found out about each file, and the problems.
"""

import io
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from generator.model import Record, SourceFile
from generator.problems import PapershelfError, Problem
from generator.sources.collection_names import collection_from_file_name, first_spellings
from generator.sources.encoding import Encoding, UndecodableError, find_encoding
from generator.sources.files import (
    STANDARD_INPUT,
    FoundFile,
    UnreadableFileError,
    find_files,
    open_bytes,
    printable,
    show_names,
)
from generator.sources.jsonl import JsonLinesReader
from generator.sources.reader import NO_ABSTRACT, Candidate, Reader, Source
from generator.sources.text import TextReader

__all__ = ["READERS", "NothingToReadError", "SourcesRead", "read_sources"]

READERS: tuple[Reader, ...] = (JsonLinesReader(), TextReader())
"""Every format, asked in this order; text comes last, since all of them are text."""

_HEAD_LENGTH = 16 * 2**10
_RECORDS_A_STEP = 100
_PROBLEMS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class SourcesRead:
    """All that was read."""

    records: tuple[Record, ...]
    """The records that have an abstract, in the order of files and of records within them."""
    files: tuple[SourceFile, ...]
    """The files that were read, in that order."""
    read: int
    """Number of records read, those without an abstract included."""
    without_abstract: int
    """Number of records that have no abstract; each is a problem, too."""
    problems: tuple[Problem, ...]


class NothingToReadError(PapershelfError):
    """No source, none that can be read, or no abstract in any of them."""

    def __init__(self, summary: str, problems: Sequence[Problem] = ()) -> None:
        self.problems = tuple(problems)
        lines = [summary, *(f"  {problem}" for problem in self.problems[:_PROBLEMS_SHOWN])]
        if len(self.problems) > _PROBLEMS_SHOWN:
            lines.append(f"  … and {len(self.problems) - _PROBLEMS_SHOWN:,} more")
        super().__init__("\n".join(lines))


def read_sources(
    paths: Sequence[str],
    *,
    base_dir: Path,
    passed_over: Collection[Path] = (),
    advance: Callable[[int], None] | None = None,
) -> SourcesRead:
    """Return the records of all sources, in order, with one spelling for each collection.

    Args:
        paths: files, folders (walked in the order of names, hidden files passed over) or ``-`` for standard input;
            relative ones are relative to the current folder. A file that is named twice is read once.
        base_dir: the folder of mkdocs.yml, which shown file names are relative to.
        passed_over: files and folders that are no sources although a folder that is one holds them.
        advance: called with the number of records read since its last call.

    Raises:
        NothingToReadError: there is no source, none that can be read, or no abstract at all.
    """
    if not paths:
        raise NothingToReadError("nothing to read: expected a file, a folder or - for standard input")
    found, problems = find_files(paths, passed_over)
    records: list[Record] = []
    files: list[SourceFile] = []
    without_abstract = 0
    for file, name in zip(found, show_names(found, base_dir), strict=True):
        result = _read_file(file, name, advance or (lambda _count: None))
        records += result.records
        problems += result.problems
        without_abstract += result.without_abstract
        if result.file:
            files.append(result.file)
    if not files:
        raise NothingToReadError("nothing to read: no source could be read", problems)
    if not records:
        raise NothingToReadError("nothing to build: the sources hold no abstract", problems)
    spelling = first_spellings([record.collection for record in records] + [file.collection for file in files])
    return SourcesRead(
        records=tuple(_spell(record, spelling[record.collection]) for record in records),
        files=tuple(replace(file, collection=spelling[file.collection]) for file in files),
        read=len(records) + without_abstract,
        without_abstract=without_abstract,
        problems=tuple(problems),
    )


def _spell(record: Record, collection: str) -> Record:
    return record if record.collection == collection else replace(record, collection=collection)


@dataclass(frozen=True, slots=True)
class _FileRead:
    """What one file gave."""

    file: SourceFile | None
    """None when the file was not read."""
    records: list[Record]
    without_abstract: int
    problems: list[Problem]


def _read_file(file: FoundFile, name: str, advance: Callable[[int], None]) -> _FileRead:
    try:
        with open_bytes(file) as stream:
            return _read_stream(stream, file, name, advance)
    except (UnreadableFileError, UndecodableError, UnicodeDecodeError, OSError) as error:
        # The last two only when the file changes under our hands, for it was read to its end before.
        message = str(error)
        if file.given not in {name, *message.split(": ")}:
            # The shown name is only as long as it needs to be; this one leads to the file.
            message = f"{message}: {file.given}"
        return _FileRead(None, [], 0, [Problem("unreadable", printable(message), "the file was skipped", name)])


def _read_stream(stream: BinaryIO, file: FoundFile, name: str, advance: Callable[[int], None]) -> _FileRead:
    encoding = find_encoding(stream)
    bare_name = STANDARD_INPUT if file.path is None else _without_gz(printable(file.path.name))
    text = _open_text(stream, encoding)
    try:
        candidate = Candidate(bare_name, text.read(_HEAD_LENGTH), file.named)
    finally:
        text.detach()
    reader = next((reader for reader in READERS if reader.recognises(candidate)), None)
    if reader is None:
        message = f"expected {' or '.join(known.name for known in READERS)}, found another format"
        return _FileRead(None, [], 0, [Problem("skipped", message, "the file was skipped", name)])
    text = _open_text(stream, encoding)
    try:
        source = Source(name, candidate, collection_from_file_name(bare_name), text)
        return _collect(reader, source, encoding, advance)
    finally:
        # The stream belongs to who opened it: closing standard input, say, is not for us.
        text.detach()


def _open_text(stream: BinaryIO, encoding: Encoding) -> io.TextIOWrapper:
    stream.seek(encoding.mark_length)
    return io.TextIOWrapper(stream, encoding=encoding.name, errors="strict", newline=None)


def _collect(reader: Reader, source: Source, encoding: Encoding, advance: Callable[[int], None]) -> _FileRead:
    records: list[Record] = []
    problems: list[Problem] = []
    without_abstract = unreported = 0
    for item in reader.read(source):
        if isinstance(item, Record):
            records.append(item)
            unreported += 1
        else:
            problems.append(item)
            if item.kind == NO_ABSTRACT:
                without_abstract += 1
                unreported += 1
        if unreported == _RECORDS_A_STEP:
            advance(unreported)
            unreported = 0
    if unreported:
        advance(unreported)
    if not records and not problems:
        problems.append(Problem("no-text", "expected abstracts, found none", "nothing came of the file", source.file))
    described = SourceFile(
        file=source.file,
        format=reader.name,
        encoding=encoding.name,
        records=len(records) + without_abstract,
        collection=records[0].collection if records else source.collection,
    )
    return _FileRead(described, records, without_abstract, problems)


def _without_gz(name: str) -> str:
    return name[:-3] if name.lower().endswith(".gz") and len(name) > len(".gz") else name
