"""Enters: the paths that the user gave.

Leaves: the files behind them, each once, with the names that the data shows; and their bytes, decompressed.
"""

import gzip
import os
import stat
import sys
import tempfile
import unicodedata
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

from generator.problems import PapershelfError, Problem

STANDARD_INPUT = "-"

UNPACKED_LIMIT = 2 * 2**30
"""Most bytes that a compressed file may unpack to."""

RATIO_LIMIT = 200
"""Largest ratio of unpacked to packed bytes; texts reach 10, exports that repeat themselves 50, bombs 1,000."""

RATIO_FREE = 64 * 2**20
"""Bytes up to which the ratio doesn't matter."""

_GZIP_MAGIC = b"\x1f\x8b"
_CHUNK_SIZE = 2**20
_IN_MEMORY = 32 * 2**20


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file to read."""

    path: Path | None
    """Where it is; None for standard input."""
    given: str
    """The path as the user would write it, for messages."""
    named: bool
    """True when the user named this very file, False when it was found in a folder."""


class UnreadableFileError(PapershelfError):
    """A file whose bytes cannot be had."""

    def __init__(self, given: str, reason: str) -> None:
        self.given = given
        self.reason = reason
        super().__init__(f"expected a readable file, found {reason}: {given}")


def find_files(paths: Sequence[str], passed_over: Collection[Path] = ()) -> tuple[list[FoundFile], list[Problem]]:
    """Return the files behind ``paths``, in their order and each once, folders walked in the order of names.

    Within a folder, hidden files and folders are passed over, and those of ``passed_over``, which are absolute. What is
    missing is a problem.
    """
    finder = _Finder(passed_over)
    for given in paths:
        finder.add(given)
    return finder.files, finder.problems


class _Finder:
    """Collects files, each once, by what the file system knows them by."""

    def __init__(self, passed_over: Collection[Path]) -> None:
        self._passed_over = {path.resolve() for path in passed_over}
        self.files: list[FoundFile] = []
        self.problems: list[Problem] = []
        self._seen: set[tuple[int, int] | str] = set()

    def add(self, given: str) -> None:
        if given == STANDARD_INPUT:
            if self._is_new(STANDARD_INPUT):
                self.files.append(FoundFile(None, given, named=True))
            return
        path = Path(given)
        try:
            status = path.stat()
        except (OSError, ValueError) as error:
            self._report("missing-source", f"expected a file or folder, found {_reason(error)}: {given}", path)
            return
        if stat.S_ISDIR(status.st_mode):
            if self._is_new((status.st_dev, status.st_ino)) and not self._walk(path):
                self._report("empty-folder", f"expected a folder with sources, found none in {given}", path)
        elif self._is_new((status.st_dev, status.st_ino)):
            self.files.append(FoundFile(path, given, named=True))

    def _walk(self, folder: Path) -> bool:
        """Add the folder's files and return whether it holds anything that is not hidden, seen before or not."""
        try:
            entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
        except OSError as error:
            self._report("unreadable", f"expected a readable folder, found {_reason(error)}: {folder}", folder)
            return True
        holds_any = False
        for entry in entries:
            if entry.name.startswith(".") or entry.resolve() in self._passed_over:
                continue
            try:
                status = entry.stat()
            except OSError as error:
                self._report("missing-source", f"expected a file or folder, found {_reason(error)}: {entry}", entry)
                continue
            if not self._is_new((status.st_dev, status.st_ino)):
                holds_any = True
            elif stat.S_ISDIR(status.st_mode):
                holds_any |= self._walk(entry)
            elif stat.S_ISREG(status.st_mode):
                self.files.append(FoundFile(entry, str(entry), named=False))
                holds_any = True
            else:
                # Reading a pipe or a device that nobody named could wait for ever.
                self._report("skipped", f"expected a file, found a pipe or device: {entry}", entry)
        return holds_any

    def _is_new(self, identity: tuple[int, int] | str) -> bool:
        if identity in self._seen:
            return False
        self._seen.add(identity)
        return True

    def _report(self, kind: str, message: str, path: Path) -> None:
        self.problems.append(Problem(kind, printable(message), "it was skipped", printable(path.name) or None))


def show_names(files: Sequence[FoundFile], base_dir: Path) -> list[str]:
    """Return one name a file, same order, no two the same and none absolute: the data has them on any machine.

    A file within ``base_dir`` is shown relative to it; another by the shortest end of its path that tells it apart.
    """
    names: list[str] = []
    # How many more folders of its path each file's name may take; none for names that are settled.
    outside: dict[int, list[str]] = {}
    for index, file in enumerate(files):
        inside = STANDARD_INPUT if file.path is None else _relative_to(file.path, base_dir)
        if inside is None:
            # Not resolved: a link is known by its own name.
            absolute = Path.cwd() / cast("Path", file.path)
            parts = [printable(part) for part in Path(os.path.normpath(absolute)).parts[1:]]
            outside[index] = parts[:-1]
            inside = parts[-1]
        names.append(inside)
    while clashing := _clashing(names):
        longer = [index for index in clashing if outside.get(index)]
        if not longer:
            break
        for index in longer:
            names[index] = f"{outside[index].pop()}/{names[index]}"
    for index in sorted(_clashing(names)):
        count = 2
        while names.index(names[index]) != index:
            names[index] = f"{names[index].removesuffix(f' ({count - 1})')} ({count})"
            count += 1
    return names


def _clashing(names: list[str]) -> set[int]:
    places: dict[str, list[int]] = {}
    for index, name in enumerate(names):
        places.setdefault(name, []).append(index)
    return {index for indexes in places.values() if len(indexes) > 1 for index in indexes}


def _relative_to(path: Path, base_dir: Path) -> str | None:
    # As written first: a folder of links into an archive is inside. Then as the system knows both.
    for resolve in (os.path.abspath, os.path.realpath):
        try:
            relative = Path(resolve(path)).relative_to(resolve(base_dir))
        except ValueError:
            continue
        return printable(PurePosixPath(*relative.parts).as_posix())
    return None


def printable(name: str) -> str:
    r"""Return ``name`` fit for any text: composed (macOS decomposes), what no text can hold written as ``\xff``."""
    whole = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    composed = unicodedata.normalize("NFC", whole)
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in composed)


@contextmanager
def open_bytes(file: FoundFile) -> Iterator[BinaryIO]:
    """Give the file's bytes, decompressed, as a stream that can be read twice.

    Compressed files and standard input go through a temporary file when they are large, so memory stays flat.

    Raises:
        UnreadableFileError: the file cannot be opened or unpacked, or unpacks to too much.
    """
    with ExitStack() as stack:
        try:
            raw = _open_raw(file, stack)
            if not raw.seekable():
                raw = _spool(raw, stack)
            raw.seek(0)
            packed = raw.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
            raw.seek(0)
            stream = _unpack(raw, stack, file.given) if packed else raw
        except OSError as error:
            raise UnreadableFileError(file.given, _reason(error)) from error
        yield stream


def _open_raw(file: FoundFile, stack: ExitStack) -> BinaryIO:
    if file.path is None:
        return sys.stdin.buffer
    return stack.enter_context(file.path.open("rb"))


def _spool(raw: BinaryIO, stack: ExitStack) -> BinaryIO:
    spool = _temporary_stream(stack)
    while chunk := raw.read(_CHUNK_SIZE):
        spool.write(chunk)
    return spool


def _unpack(raw: BinaryIO, stack: ExitStack, given: str) -> BinaryIO:
    packed_size = raw.seek(0, os.SEEK_END)
    raw.seek(0)
    spool = _temporary_stream(stack)
    size = 0
    try:
        with gzip.GzipFile(fileobj=raw, mode="rb") as unpacked:
            while chunk := unpacked.read(_CHUNK_SIZE):
                size += len(chunk)
                if size > UNPACKED_LIMIT or size > max(RATIO_FREE, packed_size * RATIO_LIMIT):
                    limit = min(UNPACKED_LIMIT, max(RATIO_FREE, packed_size * RATIO_LIMIT))
                    reason = f"gzip data of {packed_size:,} bytes that unpacks to more than {limit:,} bytes"
                    raise UnreadableFileError(given, reason)
                spool.write(chunk)
    except EOFError:
        raise UnreadableFileError(given, f"gzip data that is cut off, after {size:,} unpacked bytes") from None
    except (zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableFileError(given, f"damaged gzip data, after {size:,} unpacked bytes ({error})") from None
    spool.seek(0)
    return spool


def _temporary_stream(stack: ExitStack) -> BinaryIO:
    spool = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - the stack closes it
    return cast("BinaryIO", stack.enter_context(spool))


def _reason(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error).lower()
