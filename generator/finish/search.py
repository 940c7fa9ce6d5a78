"""Builds the search index of a site, and reads a built one back.

In: one `SearchEntry` for each page that can be found. Out: scripts in ``papershelf/search/`` of the site, which
``search.js`` opens over http and from disk alike; `read_search_index` gives back what they find.
"""

import html
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple, cast

import pagefind_bin

from generator.finish.pagefind_script import (
    INDEX_LANGUAGE,
    UnreadableChunkError,
    binary_chunk_script,
    json_chunk_script,
    read_json_chunk,
    read_pagefind_fragment,
    rewrite_script,
)
from generator.model import Json
from generator.problems import PapershelfError

SEARCH_FOLDER = "papershelf/search"
"""Where the index lies within the site; ``search.js`` knows it too."""

SHARD_ENTRIES = 4000
"""Most entries of one shard. Pagefind takes some 100 kB of memory an entry, and a query loads one chunk a word a shard:
smaller shards build in less memory and more in parallel, larger ones answer with fewer files."""

_TITLE_WEIGHT = 4
"""How often a word in the title counts; Pagefind takes 0 to 10."""


class TagLink(NamedTuple):
    """A tag of an entry, as shown with it."""

    label: str
    url: str
    """The tag's page, relative to the site's root."""


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """One page that can be found."""

    id: str
    """Unique in the site; letters, digits, ``-`` and ``_`` only."""
    url: str
    """The page's address relative to the site's root, such as ``abstracts/foo-abc123.html``."""
    title: str
    """Plain text."""
    text: str
    """The abstract as plain text."""
    tags: tuple[TagLink, ...] = ()
    authors: tuple[str, ...] = ()
    year: int | None = None
    collection: str = ""


@dataclass(frozen=True, slots=True)
class SearchIndexSize:
    """What was written; for the report."""

    entries: int
    shards: int
    files: int
    size_in_bytes: int


@dataclass(frozen=True, slots=True, order=True)
class IndexedEntry:
    """One entry as a built index holds it."""

    id: str
    url: str
    title: str


class PagefindFailedError(PapershelfError):
    """The Pagefind program ended without an index."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"Pagefind could not build the search index: {reason.strip() or 'it gave no reason'}")


def build_search_index(
    entries: Sequence[SearchEntry],
    site_dir: Path,
    work_dir: Path,
    *,
    jobs: int = 1,
    advance: Callable[[int], None] | None = None,
) -> SearchIndexSize:
    """Write the index of ``entries`` into the site, in place of an older one, and return its size.

    The files depend on the entries alone: neither on their order nor on ``jobs``.

    Args:
        entries: What can be found.
        site_dir: The built site.
        work_dir: Where a temporary folder may stand while this runs; made when missing.
        jobs: How many shards are indexed at once.
        advance: Called with the number of entries of each shard that is done.

    Raises:
        PagefindFailedError: The program failed; the message holds what it said.
        UnexpectedPagefindError: Another version of Pagefind is installed.
    """
    search_dir = site_dir / SEARCH_FOLDER
    shutil.rmtree(search_dir, ignore_errors=True)
    search_dir.mkdir(parents=True)
    work_dir.mkdir(parents=True, exist_ok=True)
    shards = _cut_into_shards(entries)
    with (
        tempfile.TemporaryDirectory(prefix="search-", dir=work_dir) as temporary,
        ThreadPoolExecutor(max_workers=max(1, jobs)) as pool,
    ):
        running = {
            pool.submit(_build_shard, shard, Path(temporary, str(number)), search_dir, number): shard
            for number, shard in enumerate(shards, start=1)
        }
        try:
            for done in as_completed(running):
                done.result()
                if advance is not None:
                    advance(len(running[done]))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    manifest: dict[str, Json] = {
        "entries": len(entries),
        "shards": [_shard_folder(number) for number in range(1, len(shards) + 1)],
    }
    (search_dir / "manifest.json.js").write_text(json_chunk_script(manifest), encoding="ascii")
    sizes = [file.stat().st_size for file in search_dir.rglob("*") if file.is_file()]
    return SearchIndexSize(entries=len(entries), shards=len(shards), files=len(sizes), size_in_bytes=sum(sizes))


def read_search_index(site_dir: Path) -> list[IndexedEntry]:
    """Return the entries of a built site's index, sorted by id.

    Raises:
        UnreadableChunkError: A file of the index is missing or damaged.
    """
    search_dir = site_dir / SEARCH_FOLDER
    manifest_path = search_dir / "manifest.json.js"
    manifest = read_json_chunk(manifest_path)
    folders = cast("list[str]", manifest.get("shards", []))
    entries = []
    for folder in folders:
        for path in sorted((search_dir / folder / "fragment").glob("*.js")):
            found = read_json_chunk(path).get("meta")
            if not isinstance(found, dict) or not {"id", "url", "title"} <= found.keys():
                raise UnreadableChunkError(path, "it has no id, url and title")
            entries.append(IndexedEntry(str(found["id"]), str(found["url"]), str(found["title"])))
    if len(entries) != manifest.get("entries"):
        reason = f"it promises {manifest.get('entries')} entries, {len(entries)} exist"
        raise UnreadableChunkError(manifest_path, reason)
    return sorted(entries)


def _cut_into_shards(entries: Sequence[SearchEntry]) -> list[list[SearchEntry]]:
    """Return the entries in shards of nearly the same size, sorted by id.

    Ids are hashes, so each shard is a fair sample: a word is about as rare in one as in all, and the scores of
    different shards compare.
    """
    ordered = sorted(entries, key=lambda entry: entry.id)
    count = -(-len(ordered) // SHARD_ENTRIES)
    return [ordered[len(ordered) * n // count : len(ordered) * (n + 1) // count] for n in range(count)]


def _shard_folder(number: int) -> str:
    return f"{number}/"


def _build_shard(shard: Sequence[SearchEntry], temporary: Path, search_dir: Path, number: int) -> None:
    pages_dir, pagefind_dir = temporary / "pages", temporary / "pagefind"
    pages_dir.mkdir(parents=True)
    for entry in shard:
        # A lone surrogate, which JSON may hold, must not end the build.
        (pages_dir / f"{entry.id}.html").write_text(_entry_page(entry), encoding="utf-8", errors="replace")
    _run_pagefind(pages_dir, pagefind_dir)
    shard_dir = search_dir / _shard_folder(number)
    _ship_index(pagefind_dir, shard_dir)
    _ship_fragments(pagefind_dir, shard_dir, {entry.id: entry for entry in shard})
    if number == 1:
        # Every shard comes with the same program; the page runs it once, for all shards.
        _ship_program(pagefind_dir, shard_dir, search_dir)
    shutil.rmtree(temporary)


def _entry_page(entry: SearchEntry) -> str:
    """Return the HTML that Pagefind indexes.

    The abstract comes first, so that Pagefind's word numbers count the words of the abstract from 0. Id and address are
    left out, since everything in the page can be found: with ids in it, ``fed`` would find the id ``fed3ab…``.
    """
    title, text = _escaped(entry.title), _escaped(entry.text)
    others = "".join(f"<p>{_escaped(words)}</p>" for words in (*(tag.label for tag in entry.tags), *entry.authors))
    return (
        '<!doctype html><html><head><meta charset="utf-8"></head><body>'
        f'<p>{text}</p><p data-pagefind-meta="title" data-pagefind-weight="{_TITLE_WEIGHT}">{title}</p>{others}'
        "</body></html>"
    )


def _plain(text: str) -> str:
    """Return ``text`` with single blanks between its words.

    Pagefind and ``search.js`` count words by white space; a zero width space would make Pagefind count otherwise.
    """
    return " ".join(text.replace("\u200b", "").split())


def _escaped(text: str) -> str:
    return html.escape(_plain(text))


def _run_pagefind(pages_dir: Path, pagefind_dir: Path) -> None:
    # Pagefind also takes options from its environment and from a file in the folder it is started in.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAGEFIND_")}
    options = [
        "--site", str(pages_dir.resolve()),
        "--output-path", str(pagefind_dir.resolve()),
        "--force-language", INDEX_LANGUAGE,
        "--silent",
    ]  # fmt: skip
    try:
        ended = subprocess.run(
            [str(pagefind_bin.get_executable()), *options],
            cwd=pages_dir,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise PagefindFailedError(str(error)) from error
    if ended.returncode != 0:
        raise PagefindFailedError(f"exit status {ended.returncode}: {ended.stderr.strip() or ended.stdout.strip()}")


def _ship_index(pagefind_dir: Path, shard_dir: Path) -> None:
    """Write what a query reads before it knows its results: the entry file, the list of chunks and the chunks."""
    (shard_dir / "index").mkdir(parents=True)
    entry = json.loads((pagefind_dir / "pagefind-entry.json").read_text(encoding="utf-8"))
    (shard_dir / "pagefind-entry.json.js").write_text(json_chunk_script(entry), encoding="ascii")
    for path in (*pagefind_dir.glob("pagefind.*.pf_meta"), *pagefind_dir.glob("index/*.pf_index")):
        script = shard_dir / path.relative_to(pagefind_dir).with_name(f"{path.name}.js")
        script.write_text(binary_chunk_script(path.read_bytes()), encoding="ascii")


def _ship_fragments(pagefind_dir: Path, shard_dir: Path, entries: dict[str, SearchEntry]) -> None:
    """Write what a result shows, under the names that Pagefind gave the fragments."""
    (shard_dir / "fragment").mkdir(parents=True)
    fragment_paths = list(pagefind_dir.glob("fragment/*.pf_fragment"))
    if len(fragment_paths) != len(entries):
        raise PagefindFailedError(f"it indexed {len(fragment_paths)} of {len(entries)} pages")
    for path in fragment_paths:
        fragment = read_pagefind_fragment(path.read_bytes())
        entry = entries[PurePosixPath(str(fragment["url"])).stem]
        script = json_chunk_script(_shown_fragment(entry, fragment))
        (shard_dir / "fragment" / f"{path.name}.js").write_text(script, encoding="ascii")


def _shown_fragment(entry: SearchEntry, fragment: Mapping[str, Json]) -> dict[str, Json]:
    """Return Pagefind's ``fragment`` with all that a result shows, and with the abstract as its only content."""
    meta: dict[str, Json] = {
        "id": entry.id,
        "url": entry.url,
        "title": _plain(entry.title),
        "tags": [[tag.label, tag.url] for tag in entry.tags],
        "authors": list(entry.authors),
        "year": entry.year,
        "collection": entry.collection,
    }
    return {**fragment, "content": _plain(entry.text), "meta": meta}


def _ship_program(pagefind_dir: Path, shard_dir: Path, search_dir: Path) -> None:
    wasm = pagefind_dir / f"wasm.{INDEX_LANGUAGE}.pagefind"
    (shard_dir / f"{wasm.name}.js").write_text(binary_chunk_script(wasm.read_bytes()), encoding="ascii")
    script = rewrite_script((pagefind_dir / "pagefind.js").read_text(encoding="utf-8"))
    (search_dir / "pagefind.js").write_text(script, encoding="utf-8")
