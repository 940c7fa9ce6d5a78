"""The frame around a page's text, rendered once for all pages that share it, by Material's own templates.

A page enters; its `Frame` leaves, with a hole for each part that is the page's own. The templates see a page that
watches them: where they ask for anything else that differs between pages, the frame is made for pages that are alike in
that too, or there is none, and MkDocs renders the page.
"""

import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import jinja2
from markupsafe import escape
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation

from generator.model import Json


class Hole(Enum):
    """A part of a page that is its own."""

    TITLE = "papershelf-hole-title"
    DESCRIPTION = "papershelf-hole-description"
    CANONICAL = "papershelf-hole-canonical"
    ANCHOR = "papershelf-hole-anchor"
    """The id of the first heading."""
    CONTENT = "papershelf-hole-content"


_SEPARATOR = "\ufdd0"
"""Around what stands in a hole: a non-character, which is in no page."""

_TAG = "<i>"
"""Stands in each hole, so that it shows whether a template escapes the part, or does something else to it."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a frame."""

    hole: Hole
    escaped: bool


_SLOTS = {
    hole.value + tag: Slot(hole, escaped)
    for hole in Hole
    for tag, escaped in ((_TAG, False), (str(escape(_TAG)), True))
}


@dataclass(frozen=True, slots=True)
class Frame:
    """A rendered template with holes."""

    pieces: tuple[str | Slot, ...]

    def fill(self, parts: Mapping[Hole, str]) -> str:
        """Return a whole page: each part in its place, escaped where the template escapes it."""
        return "".join([
            piece
            if isinstance(piece, str)
            else str(escape(parts[piece.hole]))
            if piece.escaped
            else parts[piece.hole]
            for piece in self.pieces
        ])  # fmt: skip


class Frames:
    """Makes the frames of a site.

    Args:
        env: The theme's templates.
        config: MkDocs' configuration.
        nav: The site's navigation.
        documents: All pages as MkDocs knows them.
    """

    def __init__(
        self, env: jinja2.Environment, config: MkDocsConfig, nav: Navigation, documents: Sequence[File]
    ) -> None:
        self._env = env
        self._config = config
        self._nav = nav
        self._documents = documents
        self._asked: set[str] = set()
        self._frames: dict[str, Frame | None] = {}
        self._titles_apart: set[str] = set()

    def frame_of(self, meta: Mapping[str, Json], file: File) -> Frame | None:
        """Return the frame of a page; None when MkDocs must render it.

        Args:
            meta: The page's front matter.
            file: The page as MkDocs knows it.
        """
        if not meta.get("title") or meta["title"] in self._titles_apart or "template" in meta:
            return None
        key = self._key(meta, file)
        if key not in self._frames:
            asked = len(self._asked)
            frame = self._make(meta, file)
            if len(self._asked) > asked:
                self._frames.clear()  # they were told apart by less
                key = self._key(meta, file)
            self._frames[key] = frame
        return None if meta["title"] in self._titles_apart else self._frames[key]

    def _key(self, meta: Mapping[str, Json], file: File) -> str:
        values = [[name, name in meta, meta.get(name)] for name in sorted(self._asked)]
        return json.dumps([posixpath.dirname(file.url), bool(meta.get("description")), values])

    def _make(self, meta: Mapping[str, Json], file: File) -> Frame | None:
        page = _Page(meta, file, self._asked, self._titles_apart, has_address=bool(self._config.site_url))
        context: Any = get_context(self._nav, self._documents, self._config, page)  # type: ignore[arg-type]
        try:
            shown = self._env.get_template("main.html").render(context)
        except _DiffersError:
            return None
        pieces: list[str | Slot] = []
        for index, piece in enumerate(shown.split(_SEPARATOR)):
            if index % 2 == 0:
                if any(hole.value in piece for hole in Hole):
                    return None  # a part that was changed: encoded, say
                pieces.append(piece)
            elif piece in _SLOTS:
                pieces.append(_SLOTS[piece])
            else:
                return None
        return Frame(tuple(pieces))


class _DiffersError(Exception):
    """A template asked for something of a page that has no hole."""


class _Part(str):
    """What stands in a hole. It can be printed and escaped; whoever looks into it would find another page's."""

    __slots__ = ("_compared",)
    _compared: set[str] | None

    def __new__(cls, hole: Hole, compared: set[str] | None = None) -> "_Part":
        """Return it; ``compared`` takes what it is compared with, where that may be."""
        part = super().__new__(cls, f"{_SEPARATOR}{hole.value}{_TAG}{_SEPARATOR}")
        part._compared = compared
        return part

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__") or name == "_compared":
            return super().__getattribute__(name)
        raise _DiffersError(name)

    def __eq__(self, other: object) -> bool:
        if self._compared is None:
            raise _DiffersError("==")
        self._compared.add(str(other))
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __bool__(self) -> bool:
        return True

    def __hash__(self) -> int:
        raise _DiffersError("hash")

    def __len__(self) -> int:
        raise _DiffersError("len")

    def __contains__(self, words: object) -> bool:
        raise _DiffersError("in")

    def __iter__(self) -> Iterator[str]:
        raise _DiffersError("iter")

    def __getitem__(self, index: object) -> str:
        raise _DiffersError("getitem")


class _Content(_Part):
    """A page's HTML, which has a heading of the first level."""

    __slots__ = ()

    def __contains__(self, words: object) -> bool:
        if words == "<h1":
            return True
        raise _DiffersError("in")


class _Meta(dict[str, Json]):
    """Front matter that remembers what it was asked for."""

    def __init__(self, meta: Mapping[str, Json], parts: Mapping[str, str], asked: set[str]) -> None:
        super().__init__({**meta, **{name: part for name, part in parts.items() if meta.get(name)}})
        self._parts = parts
        self._asked_for = asked

    def _ask(self, name: str) -> None:
        if name not in self._parts:  # of those, it is known whether a page has them
            self._asked_for.add(name)

    def __getitem__(self, name: str) -> Json:
        self._ask(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self._ask(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value, as a dict does."""
        self._ask(name)
        return super().get(name, default)

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_") or name == "get":
            return super().__getattribute__(name)
        if hasattr(dict, name):
            raise _DiffersError(name)
        raise AttributeError(name)  # Jinja looks for an item then

    def __iter__(self) -> Iterator[str]:
        raise _DiffersError("iter")


class _Anchors:
    """The table of contents, of which only the first entry's address is known to be there."""

    def __init__(self, first: "_Anchor") -> None:
        self._first = first

    def __iter__(self) -> Iterator["_Anchor"]:
        yield self._first
        raise _DiffersError("toc")

    def __getattr__(self, name: str) -> Any:
        raise _DiffersError(name)


class _Anchor:
    def __init__(self, url: str) -> None:
        self.url = url

    def __getattr__(self, name: str) -> Any:
        raise _DiffersError(name)


class _Page:
    """Stands for every page of a folder that is in no navigation; the templates find in it what such pages share."""

    is_page = True
    is_section = is_link = is_homepage = is_top_level = False
    active = True
    parent = children = previous_page = next_page = edit_url = None

    def __init__(
        self, meta: Mapping[str, Json], file: File, asked: set[str], titles_apart: set[str], *, has_address: bool
    ) -> None:
        title = _Part(Hole.TITLE, titles_apart)
        self.title = title
        self.meta = _Meta(meta, {"title": title, "description": _Part(Hole.DESCRIPTION)}, asked)
        self.content = _Content(Hole.CONTENT)
        self.canonical_url = _Part(Hole.CANONICAL) if has_address else None
        self.toc = _Anchors(_Anchor(f"#{_Part(Hole.ANCHOR)!s}"))
        self.ancestors: list[object] = []
        self.url = f"{posixpath.dirname(file.url)}/{_SEPARATOR}.html"

    def __getattr__(self, name: str) -> Any:
        raise _DiffersError(name)
