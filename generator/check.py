"""Judging a built site from outside: links, search entries, requests that would leave it.

A site's folder enters; the faults in it leave. It reads only what a browser would.
"""

import json
import posixpath
import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from generator.finish.data import DATA_FILE
from generator.finish.search import SEARCH_FOLDER, read_search_index
from generator.finish.search.chunks import UnreadableChunkError
from generator.problems import PapershelfError

_FETCHED = {
    "img": ("src",), "script": ("src",), "iframe": ("src",), "embed": ("src",), "object": ("data",),
    "audio": ("src",), "video": ("src", "poster"), "source": ("src",), "track": ("src",), "input": ("src",),
    "use": ("href", "xlink:href"), "image": ("href", "xlink:href"), "form": ("action",), "base": ("href",),
}  # fmt: skip
"""Attributes whose address a browser asks for without a click."""

_LINK_FETCHES = frozenset(
    {"stylesheet", "icon", "preload", "prefetch", "modulepreload", "preconnect", "dns-prefetch", "manifest"}
)
_MISSING_PAGE = "404.html"
"""The only page whose links start at the host's root, since it is shown at any depth."""

_CSS_ADDRESS = re.compile(r"""(?:url\(\s*|@import\s+)['"]?((?:https?:)?//[^'")\s]+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True, order=True)
class SiteFault:
    """Something wrong in a built site."""

    kind: str
    """``link``, ``outside``, ``search``, ``data`` or ``unreachable``."""
    file: str
    """Path within the site."""
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at, and what is wrong."""

    pages: int
    links: int
    entries: int
    """Abstracts in the data file."""
    faults: tuple[SiteFault, ...]


class NoSiteError(PapershelfError):
    """There is no site to check or pack."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder}: expected a built site, found none; run `papershelf build` first")


@dataclass(slots=True)
class _PageRead:
    """What a page refers to."""

    links: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    outside: list[str] = field(default_factory=list)


def check_site(site_dir: Path, *, search: bool = True, advance: Callable[[int], None] | None = None) -> Checked:
    """Return what is wrong in a built site.

    Args:
        site_dir: The site's folder.
        search: Whether it should have a search index.
        advance: Called with the number of pages read since its last call.

    Raises:
        NoSiteError: the folder holds no site.
    """
    if not (site_dir / "index.html").is_file():
        raise NoSiteError(site_dir)
    files = {path.relative_to(site_dir).as_posix() for path in site_dir.rglob("*") if path.is_file()}
    pages: dict[str, _PageRead] = {}
    faults: list[SiteFault] = []
    for name in sorted(name for name in files if name.endswith(".html")):
        pages[name] = _read_page((site_dir / name).read_text(encoding="utf-8", errors="replace"))
        if advance:
            advance(1)
    for name in sorted(name for name in files if name.endswith(".css")):
        found = _CSS_ADDRESS.findall((site_dir / name).read_text(encoding="utf-8", errors="replace"))
        faults += [SiteFault("outside", name, f"would ask {address}") for address in found]
    targets: dict[str, set[str]] = {}
    links = 0
    for name, page in pages.items():
        faults += [SiteFault("outside", name, f"would ask {address}") for address in page.outside]
        targets[name] = set()
        for link in page.links:
            links += 1
            target, fault = _follow(name, link, files, pages)
            if fault:
                faults.append(SiteFault("link", name, fault))
            elif target:
                targets[name].add(target)
    entries, data_faults = _read_data(site_dir)
    faults += data_faults
    faults += _check_reached(entries, targets, files)
    if search:
        faults += _check_search(site_dir, entries)
    return Checked(len(pages), links, len(entries), tuple(sorted(set(faults))))


class _Reader(HTMLParser):
    def __init__(self, page: _PageRead) -> None:
        super().__init__(convert_charrefs=True)
        self.page = page
        self.in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attrs if value is not None}
        if "id" in values:
            self.page.anchors.add(values["id"])
        if tag == "a" and "name" in values:
            self.page.anchors.add(values["name"])
        if tag in ("a", "area") and "href" in values:
            self.page.links.append(values["href"])
        self.in_style = tag == "style"
        fetched = [values[name] for name in _FETCHED.get(tag, ()) if name in values]
        fetched += [part.split()[0] for part in values.get("srcset", "").split(", ") if part.strip()]
        if tag == "link" and "href" in values and _LINK_FETCHES & set(values.get("rel", "").lower().split()):
            fetched.append(values["href"])
        if tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            fetched += re.findall(r"url\s*=\s*(\S+)", values.get("content", ""), re.IGNORECASE)
        for address in fetched:
            self._fetch(address.strip())
        self.page.outside += _CSS_ADDRESS.findall(values.get("style", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - whichever it is, it ends a style
        self.in_style = False

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.page.outside += _CSS_ADDRESS.findall(data)

    def _fetch(self, address: str) -> None:
        try:
            parts = urlsplit(address)
        except ValueError:
            self.page.links.append(address)  # where it is found to be no address
            return
        if parts.scheme in ("data", "blob", "javascript"):
            return
        if parts.scheme or parts.netloc:
            self.page.outside.append(address)
        elif address:
            self.page.links.append(address)


def _read_page(text: str) -> _PageRead:
    page = _PageRead()
    reader = _Reader(page)
    reader.feed(text)
    reader.close()
    return page


def _follow(name: str, link: str, files: set[str], pages: dict[str, _PageRead]) -> tuple[str | None, str | None]:
    """Return the file that a link leads to and what is wrong with it; both None for a link that leaves the site."""
    try:
        parts = urlsplit(link)
    except ValueError:
        return None, f"no address: {link!r}"
    if parts.scheme or parts.netloc:
        known = parts.scheme in ("http", "https", "mailto", "tel")
        return None, None if known else f"a link of an unexpected kind: {link!r}"
    path = unquote(parts.path)
    if path.endswith("/"):
        path += "index.html"
    if not path:
        target = name
    elif path.startswith("/"):
        if name != _MISSING_PAGE:
            return None, f"a link that does not work from disk: {link!r}"
        target = _from_the_host(path, files)
    else:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(name), path))
    if target == ".." or target.startswith("../"):
        return None, f"a link leads out of the site: {link!r}"
    if target not in files:
        return None, f"a link leads nowhere: {link!r}"
    anchor = unquote(parts.fragment)
    if anchor not in ("", "top") and target in pages and "=" not in anchor and anchor not in pages[target].anchors:
        return target, f"a link leads to a part that is not there: {link!r}"
    return target, None


def _from_the_host(path: str, files: set[str]) -> str:
    """Return the file that a path from the host's root leads to, wherever on the host the site is put."""
    parts = path.lstrip("/").split("/")
    places = ["/".join(parts[start:]) for start in range(len(parts))]
    return next((place for place in places if place in files), places[0])


def _read_data(site_dir: Path) -> tuple[dict[str, str], list[SiteFault]]:
    """Return the pages of the data file's abstracts by id, and its faults."""
    found: dict[str, str] = {}
    faults: list[SiteFault] = []
    try:
        # Not splitlines(), which would also divide at signs within a text, such as U+2028.
        lines = (site_dir / DATA_FILE).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        return found, [SiteFault("data", DATA_FILE, f"cannot be read: {error}")]
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            id_, page = str(record["id"]), str(record["page"])
        except (ValueError, KeyError, TypeError) as error:
            faults.append(SiteFault("data", DATA_FILE, f"line {number} is no abstract: {error!r}"))
            continue
        if id_ in found:
            faults.append(SiteFault("data", DATA_FILE, f"line {number}: the id {id_} stands twice"))
        found[id_] = page
    return found, faults


def _check_reached(entries: dict[str, str], targets: dict[str, set[str]], files: set[str]) -> Iterator[SiteFault]:
    """Yield the abstracts whose page is missing or cannot be reached by links from the home page."""
    reached = {"index.html"}
    waiting = deque(reached)
    while waiting:
        for target in targets.get(waiting.popleft(), ()):
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    for id_, page in entries.items():
        if page not in files:
            yield SiteFault("data", page, f"the page of abstract {id_} is missing")
        elif page not in reached:
            yield SiteFault("unreachable", page, "no chain of links leads here from index.html")


def _check_search(site_dir: Path, entries: dict[str, str]) -> Iterator[SiteFault]:
    """Yield the differences between the search index and the data file."""
    if not (site_dir / SEARCH_FOLDER).is_dir():
        yield SiteFault("search", SEARCH_FOLDER, "there is no search index; `check --no-search` is for sites without")
        return
    try:
        indexed = read_search_index(site_dir)
    except (UnreadableChunkError, OSError, ValueError) as error:
        yield SiteFault("search", SEARCH_FOLDER, f"the index cannot be read: {error}")
        return
    seen: set[str] = set()
    for entry in indexed:
        if entry.id in seen:
            yield SiteFault("search", entry.page, f"abstract {entry.id} stands in the index twice")
        seen.add(entry.id)
        if entries.get(entry.id) != entry.page:
            yield SiteFault("search", entry.page, f"the index leads abstract {entry.id} here, the data file does not")
    for id_ in sorted(entries.keys() - seen):
        yield SiteFault("search", entries[id_], f"abstract {id_} is not in the index")
