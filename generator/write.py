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

HOME_PAGES = ("index.md", "README.md")
"""A hand-written one of these wins over the generated home page; MkDocs takes either for ``index.html``."""


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
    own, generated = _existing(docs_dir)
    own_addresses = {_address(src_uri): src_uri for src_uri in sorted(own)}
    if any(home in own for home in HOME_PAGES):
        wanted.pop("index.md", None)
    clashes = [
        (docs_dir / own_addresses[address], docs_dir / src_uri)
        for src_uri in sorted(wanted)
        if (address := _address(src_uri)) in own_addresses
    ]
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


def _existing(docs_dir: Path) -> tuple[set[str], set[str]]:
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


def _address(src_uri: str) -> str:
    """Return where MkDocs will put a file, without regard to case."""
    folder, _, name = src_uri.rpartition("/")
    if name.endswith(".md"):
        name = "index.html" if name == "README.md" else name.removesuffix(".md") + ".html"
    return f"{folder}/{name}".lstrip("/").casefold()


def _remove_empty_folders(docs_dir: Path) -> None:
    for folder in GENERATED_FOLDERS:
        for path in sorted((docs_dir / folder).rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
