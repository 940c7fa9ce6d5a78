"""Stage *write*: pages in, files in ``docs_src/`` out; the only writer there.

A page is written when its bytes differ; a generated page that is no longer wanted is removed. A file without the
generated mark is never touched: it stops the build when it stands in the way, but for the user's own home page.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from generator.files import write_if_changed
from generator.model import Page
from generator.pages import GENERATED_FOLDERS, GENERATED_ROOT_PAGES
from generator.pages.front_matter import is_generated
from generator.problems import PapershelfError

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""Suffixes that MkDocs takes for Markdown."""


@dataclass(frozen=True, slots=True)
class Written:
    """What the write stage did."""

    written: int
    unchanged: int
    removed: int


class PageClashError(PapershelfError):
    """Hand-written files stand where generated pages belong."""

    def __init__(self, clashes: list[tuple[Path, Path]]) -> None:
        self.clashes = clashes
        lines = [f"  {own} (yours) and {generated} (generated)" for own, generated in clashes]
        super().__init__(
            "hand-written files stand in the way of generated pages; move or rename them:\n" + "\n".join(lines)
        )


def write_docs(pages: Iterable[Page], docs_dir: Path, scratch: Path) -> Written:
    """Write the generated pages, and remove generated ones that are not among them.

    Raises:
        PageClashError: a hand-written file has the address of a generated page; nothing has been written then.
    """
    wanted = {page.src_uri: page.text for page in pages}
    own, generated = files_in(docs_dir)
    if any(_is_home(src_uri) for src_uri in own):
        wanted.pop("index.md", None)
    clashes = [(docs_dir / file, docs_dir / page) for file, page in _clashes(sorted(own), sorted(wanted))]
    if clashes:
        raise PageClashError(clashes)
    written = 0
    for src_uri, text in wanted.items():
        written += write_if_changed(docs_dir / src_uri, text.encode(), scratch)
    stale = sorted(generated - wanted.keys())
    for src_uri in stale:
        (docs_dir / src_uri).unlink()
    _remove_empty_folders(docs_dir)
    return Written(written, len(wanted) - written, len(stale))


def files_in(docs_dir: Path) -> tuple[set[str], set[str]]:
    """Return the paths of hand-written files and of generated pages, relative to ``docs_dir``."""
    own: set[str] = set()
    generated: set[str] = set()
    for path in docs_dir.rglob("*"):
        if not path.is_file():
            continue
        src_uri = path.relative_to(docs_dir).as_posix()
        ours = src_uri in GENERATED_ROOT_PAGES or src_uri.split("/")[0] in GENERATED_FOLDERS
        if ours and path.suffix == ".md" and is_generated(_head(path)):
            generated.add(src_uri)
        else:
            own.add(src_uri)
    return own, generated


def _head(path: Path) -> str:
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.read(4096)


def _is_home(src_uri: str) -> bool:
    """Return whether a hand-written page is the home page, and so wins over the generated one."""
    stem, dot, suffix = src_uri.partition(".")
    return stem in ("index", "README") and dot + suffix in _MARKDOWN


def _clashes(own: list[str], wanted: list[str]) -> list[tuple[str, str]]:
    """Return the pairs of a hand-written file and a generated page that cannot both be."""
    by_address = {_address(src_uri): src_uri for src_uri in own}
    by_path = {src_uri.casefold(): src_uri for src_uri in own}
    clashes = []
    for page in wanted:
        # A file can also stand where a folder is needed.
        folders = [by_path.get("/".join(page.split("/")[:depth])) for depth in range(1, page.count("/") + 1)]
        file = by_address.get(_address(page)) or next(filter(None, folders), None)
        if file is not None:
            clashes.append((file, page))
    return clashes


def _address(src_uri: str) -> str:
    """Return where MkDocs will put a file, without regard to case."""
    folder, _, name = src_uri.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    if dot + suffix in _MARKDOWN:
        name = "index.html" if stem == "README" else f"{stem}.html"
    return f"{folder}/{name}".lstrip("/").casefold()


def _remove_empty_folders(docs_dir: Path) -> None:
    for folder in GENERATED_FOLDERS:
        for path in sorted((docs_dir / folder).rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
