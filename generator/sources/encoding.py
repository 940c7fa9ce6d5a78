"""Enters: bytes, or a binary stream that can be read twice.

Leaves: the text and the name of its encoding; or an error that says at which byte and why there is no text.
"""

import codecs
import io
import re
from dataclasses import dataclass
from typing import BinaryIO

from generator.problems import PapershelfError
from generator.sources.legacy import guess_legacy_encoding

HEAD_SIZE = 64 * 2**10
"""Bytes at the start that tell binary data and the width of characters."""

SAMPLE_SIZE = 2**20
"""Bytes that a legacy encoding is guessed from."""

_CHUNK_SIZE = 2**20

# Longer marks first: the mark of UTF-32 LE starts with the one of UTF-16 LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
# Starts of files that people keep beside their texts: https://en.wikipedia.org/wiki/List_of_file_signatures
_SIGNATURES = (
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive or an office document"),
    (b"PK\x05\x06", "a zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old office document"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"SQLite format 3\x00", "a database"),
    (b"\x7fELF", "a program"),
)
# One NUL now and then is a glyph that a PDF reader lost; more of them is no text.
_BYTES_A_NUL = 512
# Tab, line ends, form feed, the end of file of DOS and the escape of ISO 2022 are controls that texts have.
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x19\x1c-\x1f\x7f]")
_BYTES_A_CONTROL = 50
# https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G27506, table 3-7
_UTF8_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_HIGH = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class Encoding:
    """How the bytes of one stream are read."""

    name: str
    """The codec's name, such as ``utf-8``, ``utf-16-le`` or ``cp1252``."""
    mark_length: int = 0
    """Bytes of the mark of byte order before the text."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and what it was encoded in."""

    text: str
    encoding: str


class UndecodableError(PapershelfError):
    """Bytes that cannot be read as text."""

    def __init__(self, reason: str, offset: int, found: bytes = b"") -> None:
        self.reason = reason
        self.offset = offset
        """Of the first byte that cannot be read, from 0."""
        self.found = found
        shown = f" (0x{found.hex()})" if found else ""
        super().__init__(f"expected text, found {reason} at byte {offset}{shown}")


def decode(data: bytes) -> Decoded:
    """Return the text in ``data``, its mark of byte order removed, and the encoding's name.

    Raises:
        UndecodableError: the bytes are no text, or hold some that their encoding doesn't have.
    """
    encoding = find_encoding(io.BytesIO(data))
    return Decoded(data[encoding.mark_length :].decode(encoding.name), encoding.name)


def find_encoding(stream: BinaryIO) -> Encoding:
    """Return the encoding that the whole of ``stream`` can be read in, from its start; memory use is bounded.

    The order is: a mark of byte order; UTF-16 and UTF-32 by where their NULs stand; UTF-8; a legacy encoding.

    Raises:
        UndecodableError: the bytes are no text, or hold some that their encoding doesn't have.
    """
    stream.seek(0)
    head = stream.read(HEAD_SIZE)
    for mark, name in _MARKS:
        if head.startswith(mark):
            encoding = Encoding(name, len(mark))
            _check(stream, encoding)
            return encoding
    for signature, what in _SIGNATURES:
        if head.startswith(signature):
            raise UndecodableError(what, 0)
    if b"\x00" in head:
        if wide := _find_wide(head):
            encoding = Encoding(wide)
            _check(stream, encoding)
            return encoding
        if head.count(b"\x00") * _BYTES_A_NUL > len(head):
            raise UndecodableError("binary data", head.index(b"\x00"), b"\x00")
    if b"\x1b$" in head and head.isascii():
        encoding = Encoding("iso2022_jp")
        _check(stream, encoding)
        return encoding
    broken = _find_fault(stream, Encoding("utf-8"))
    if broken is None:
        if len(_CONTROLS.findall(head)) * 2 > len(head):
            raise UndecodableError("binary data", 0)
        return Encoding("utf-8")
    return _find_legacy(stream, broken)


def _find_legacy(stream: BinaryIO, broken: UndecodableError) -> Encoding:
    sample = _whole_lines_around(stream, broken.offset)
    if len(_CONTROLS.findall(sample)) * _BYTES_A_CONTROL > len(sample):
        raise UndecodableError("binary data", broken.offset, broken.found)
    sequences = len(_UTF8_SEQUENCE.findall(sample))
    others = len(_HIGH.findall(_UTF8_SEQUENCE.sub(b"", sample)))
    # By chance, bytes form a character of UTF-8 in one of six pairs of GBK and hardly ever in other encodings, so
    # where most do, the others are damage.
    if sequences >= others:
        raise broken
    name = guess_legacy_encoding(sample)
    # E2 80 starts the dashes and curly quotes of UTF-8; nobody writes what it is in a Western code page.
    looks_cut = sequences * 4 >= others or b"\xe2\x80" in sample
    if name is None or (name == "cp1252" and looks_cut):
        raise broken
    encoding = Encoding(name)
    _check(stream, encoding)
    return encoding


def _whole_lines_around(stream: BinaryIO, offset: int) -> bytes:
    # Whole lines, so that no character is cut; none of the legacy encodings has a line end within a character.
    start = max(0, offset - SAMPLE_SIZE // 2)
    stream.seek(start)
    sample = stream.read(SAMPLE_SIZE)
    if start and b"\n" in sample[: offset - start]:
        sample = sample[sample.index(b"\n") + 1 :]
    if len(sample) > SAMPLE_SIZE // 2 and stream.read(1):
        sample = sample[: sample.rfind(b"\n") + 1] or sample
    return sample


def _check(stream: BinaryIO, encoding: Encoding) -> None:
    if fault := _find_fault(stream, encoding):
        raise fault


def _find_fault(stream: BinaryIO, encoding: Encoding) -> UndecodableError | None:
    decoder = codecs.getincrementaldecoder(encoding.name)()
    stream.seek(encoding.mark_length)
    position = encoding.mark_length
    while True:
        chunk = stream.read(_CHUNK_SIZE)
        try:
            decoder.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:
            # The decoder keeps the start of a character that the last chunk cut.
            kept = len(error.object) - len(chunk)
            reason = f"bytes that are no {encoding.name}"
            return UndecodableError(reason, position - kept + error.start, error.object[error.start : error.end][:4])
        if not chunk:
            return None
        position += len(chunk)


def _find_wide(head: bytes) -> str | None:
    best, best_count = None, 0
    for name in _WIDE:
        try:
            text = codecs.getincrementaldecoder(name)().decode(head)
        except UnicodeDecodeError:
            continue
        # Read in the wrong order, blanks and letters become characters from all over Unicode, and NULs stay NULs.
        count = sum(1 for char in text if char in "\n\r\t" or " " <= char <= "~")
        if count > best_count and not _looks_binary(text):
            best, best_count = name, count
    return best


def _looks_binary(text: str) -> bool:
    odd = sum(1 for char in text if not char.isprintable() and char not in "\n\r\t\f\u3000\u00a0")
    return odd * 20 > len(text)
