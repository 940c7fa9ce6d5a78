"""Turns Pagefind's files into scripts that a page on disk may load.

In: the text of Pagefind's ``pagefind.js`` and the bytes of its chunks. Out: the text of classic scripts with the same
content, and what such a script holds.
"""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import cast

from generator.model import Json
from generator.problems import PapershelfError

EXPECTED_VERSION = "1.5.2"
"""The Pagefind whose script the replacements below were written for."""

INDEX_LANGUAGE = "en"
"""The one language that all entries are indexed in, so that there is one index; it decides how words are stemmed."""

_LOADER = Path(__file__).with_name("pagefind_loader.js")
_PLACE_OF_PAGEFIND = "/* pagefind.js stands here */"
_SIGNATURE = b"pagefind_dcd"
_CHUNK_START, _CHUNK_END = "shelfSearch.chunk(", ");\n"

_REPLACEMENTS = (
    # A classic script has no import.meta; the loader knows the script's address.
    ("import.meta.url", "scriptAddress", 4),
    # A page on disk may not fetch; the loader gives the same answer from a script.
    ("await fetch(queued.input)", "await loadChunk(queued.input)", 1),
    # A fragment's name is unique in its shard only.
    ("let res={id:result2.p,", "let res={id:this.basePath+result2.p,", 1),
    # Else the language of the page around would be asked for, and a Chinese page's queries be cut into syllables.
    ("language:detectLanguage()", f'language:"{INDEX_LANGUAGE}"', 2),
)
"""Text in ``pagefind.js``, what takes its place, and how often it must occur."""

_EXPORTS = re.compile(r"export\{([\w$,]+)\};?\s*\Z")


class UnexpectedPagefindError(PapershelfError):
    """Pagefind's script is not the one that Papershelf knows how to rewrite."""

    def __init__(self, missing: str, script: str) -> None:
        version = re.search(r'pagefind_version="([^"]*)"', script)
        self.missing = missing
        self.found_version = version[1] if version else "unknown"
        super().__init__(
            f"the search script of Pagefind {self.found_version} is not the expected one of {EXPECTED_VERSION}: "
            f"{missing}; install pagefind[bin]=={EXPECTED_VERSION}"
        )


class UnreadableChunkError(PapershelfError):
    """A script of a built search index does not hold what it should."""

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: expected a chunk of the search index, but {reason}; build the site again")


def rewrite_script(script: str) -> str:
    """Return ``pagefind.js`` as a classic script that reads chunk scripts and defines ``shelfSearch``.

    Raises:
        UnexpectedPagefindError: The script lacks a text that has to be replaced.
    """
    for old, new, expected in _REPLACEMENTS:
        found = script.count(old)
        if found != expected:
            raise UnexpectedPagefindError(f"{old!r} occurs {found} times, not {expected}", script)
        script = script.replace(old, new)
    exports = _EXPORTS.search(script)
    if exports is None:
        raise UnexpectedPagefindError("it does not end in 'export{…}'", script)
    script = f"{script[: exports.start()]}return{{{exports[1]}}};"
    return _LOADER.read_text(encoding="utf-8").replace(_PLACE_OF_PAGEFIND, script)


def read_pagefind_fragment(content: bytes) -> dict[str, Json]:
    """Return what one of Pagefind's ``.pf_fragment`` files holds: gzip around a signature and JSON."""
    return cast("dict[str, Json]", json.loads(gzip.decompress(content).removeprefix(_SIGNATURE)))


def binary_chunk_script(content: bytes) -> str:
    """Return a script that hands ``content`` over as base64."""
    return f'{_CHUNK_START}"{base64.b64encode(content).decode("ascii")}"{_CHUNK_END}'


def json_chunk_script(content: dict[str, Json]) -> str:
    """Return a script that hands ``content`` over as it is.

    It stays readable text in ASCII: whatever a host says about its encoding, and unlike gzip the same bytes on every
    machine.
    """
    return f"{_CHUNK_START}{json.dumps(content, separators=(',', ':'))}{_CHUNK_END}"


def read_json_chunk(path: Path) -> dict[str, Json]:
    """Return what a script made by `json_chunk_script` holds.

    Raises:
        UnreadableChunkError: The file is missing or something else.
    """
    try:
        script = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableChunkError(path, str(error)) from error
    if not (script.startswith(_CHUNK_START) and script.endswith(_CHUNK_END)):
        raise UnreadableChunkError(path, f"it starts with {script[:40]!r}")
    try:
        content = json.loads(script[len(_CHUNK_START) : -len(_CHUNK_END)])
    except ValueError as error:
        raise UnreadableChunkError(path, f"its JSON is damaged ({error})") from error
    if not isinstance(content, dict):
        raise UnreadableChunkError(path, "it holds no object")
    return cast("dict[str, Json]", content)
