"""Enters: values of JSON, and rows of numbers.

Leaves: scripts that hand them to a page, since a page on disk may load scripts but may not fetch; and what such a
script holds. Numbers are packed into bytes, and these written as base64: a fifth of the size of JSON.
"""

import base64
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generator.model import Json
from generator.problems import PapershelfError

_START, _END = "papershelfChunk(", ");\n"


class UnreadableChunkError(PapershelfError):
    """A script of a built index does not hold what it should."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: expected a part of the search index, but {reason}; build the site again")


def chunk_script(content: Json) -> bytes:
    """Return a script that hands ``content`` over; ASCII, whatever a host says about its encoding."""
    return f"{_START}{json.dumps(content, separators=(',', ':'))}{_END}".encode("ascii")


def read_chunk(path: Path) -> Json:
    """Return what a script made by `chunk_script` holds.

    Raises:
        UnreadableChunkError: the file is missing or something else.
    """
    try:
        script = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableChunkError(path, str(error)) from error
    if not (script.startswith(_START) and script.endswith(_END)):
        raise UnreadableChunkError(path, f"it starts with {script[:40]!r}")
    try:
        content: Json = json.loads(script[len(_START) : -len(_END)])
    except ValueError as error:
        raise UnreadableChunkError(path, f"its JSON is damaged ({error})") from error
    return content


def to_base64(data: bytes) -> str:
    """Return the text of some bytes."""
    return base64.b64encode(data).decode("ascii")


def varints(numbers: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return whole numbers from 0 to 2^35 as bytes of seven bits each, the lowest first, and how many each takes.

    All but a number's last byte have the eighth bit set (LEB128).
    """
    lengths = np.ones(len(numbers), dtype=np.int64)
    for bits in (7, 14, 21, 28):
        lengths += numbers >= (1 << bits)
    ends = np.cumsum(lengths)
    packed = np.zeros(int(ends[-1]) if len(ends) else 0, dtype=np.uint8)
    starts = ends - lengths
    for place in range(int(lengths.max()) if len(lengths) else 0):
        has = lengths > place
        part = (numbers[has] >> (7 * place)) & 0x7F
        more = (lengths[has] > place + 1).astype(np.int64) << 7
        packed[starts[has] + place] = (part | more).astype(np.uint8)
    return packed, lengths


def row_lists(lists: list[list[int]]) -> dict[str, Json]:
    """Return lists of ascending row numbers, packed: how long each is, and the gaps between their rows."""
    sizes = np.array([len(rows) for rows in lists], dtype=np.int64)
    flat = np.array([row for rows in lists for row in rows], dtype=np.int64)
    packed, _ = varints(gaps(flat, sizes))
    return {"sizes": [int(size) for size in sizes], "gaps": to_base64(packed.tobytes())}


def gaps(rows: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each row minus the one before it in its list; the first of a list as it is.

    Args:
        rows: The lists one after the other, each ascending.
        sizes: How long each is.
    """
    found = np.diff(rows, prepend=0)
    starts = (np.cumsum(sizes) - sizes)[sizes > 0]
    found[starts] = rows[starts]
    return found
