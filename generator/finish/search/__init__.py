"""Builds what the search page reads, and reads it back.

In: the papers of a site. Out: scripts in ``papershelf/search/`` and a record for each paper in ``papershelf/records/``,
which ``site_templates/scripts/`` opens over http and from disk alike; `read_search_index` gives back whom they find.
Sees all papers.
"""

import base64
import hashlib
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

from generator.batches import Workers
from generator.finish.search.chunks import UnreadableChunkError, chunk_script, read_chunk
from generator.finish.search.facets import FACETS, build_facets, build_ids, build_title_order
from generator.finish.search.papers import Paper, as_record
from generator.finish.search.postings import build_postings
from generator.finish.search.words import GREEK, LETTERS, LONGEST_TERM, SUFFIXES, UNSPACED
from generator.model import Json

SEARCH_FOLDER = "papershelf/search"
"""Where the index lies within the site; ``index.js`` knows it too."""

RECORDS_FOLDER = "papershelf/records"
"""Where the papers' records lie within the site."""

_FORMAT = 1
"""Changes when pages of an older build could not read the index."""


@dataclass(frozen=True, slots=True)
class SearchIndexSize:
    """What was written; for the report."""

    papers: int
    files: int
    size_in_bytes: int


class IndexedPaper(NamedTuple):
    """One paper as a built index finds it."""

    id: str
    page: str
    title: str


def build_search_index(
    papers: Sequence[Paper],
    site_dir: Path,
    *,
    workers: Workers | None = None,
    advance: Callable[[int], None] | None = None,
) -> SearchIndexSize:
    """Write the index and the records of ``papers`` into the site, in place of older ones, and return their size.

    Args:
        papers: What can be found, in the order of their sources; ids are different.
        site_dir: The built site.
        workers: Processes that write the records.
        advance: Called with a number of papers that are done.
    """
    search_dir, records_dir = site_dir / SEARCH_FOLDER, site_dir / RECORDS_FOLDER
    shutil.rmtree(search_dir, ignore_errors=True)
    shutil.rmtree(records_dir, ignore_errors=True)
    records_dir.mkdir(parents=True)
    # Begun first, so that other processes write the many small files while this one makes the index.
    sizes = (workers or Workers(1)).batches(partial(_write_records, folder=records_dir), papers)
    parts = _parts(papers, advance)
    size = sum(sizes)
    for name, content in parts.items():
        path = search_dir / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        size += path.write_bytes(content)
    return SearchIndexSize(papers=len(papers), files=len(parts) + len(papers), size_in_bytes=size)


def _write_records(papers: Sequence[Paper], *, folder: Path) -> int:
    """Write a file for each paper, and return their size in bytes."""
    return sum((folder / f"{paper.id}.js").write_bytes(chunk_script(as_record(paper))) for paper in papers)


def read_search_index(site_dir: Path) -> list[IndexedPaper]:
    """Return the papers that a built site's index finds, in its order.

    Raises:
        UnreadableChunkError: a file of the index is missing or damaged.
    """
    search_dir = site_dir / SEARCH_FOLDER
    manifest = _as_mapping(read_chunk(search_dir / "manifest.js"), search_dir / "manifest.js")
    ids_path = search_dir / "ids.js"
    ids = read_ids(read_chunk(ids_path), ids_path)
    if len(ids) != manifest.get("papers"):
        raise UnreadableChunkError(ids_path, f"it has {len(ids)} ids, the manifest says {manifest.get('papers')}")
    for folder, blocks in (("terms", "terms"), ("places", "terms"), ("vocabulary", "vocabulary")):
        for number in range(len(cast("list[Json]", manifest.get(blocks, [])))):
            read_chunk(search_dir / folder / f"{number}.js")
    for name in ("titles", *(f"facets/{facet}" for facet in FACETS)):
        read_chunk(search_dir / f"{name}.js")
    found = []
    for id_ in ids:
        path = site_dir / RECORDS_FOLDER / f"{id_}.js"
        record = _as_mapping(read_chunk(path), path)
        if record.get("id") != id_ or not {"page", "title"} <= record.keys():
            raise UnreadableChunkError(path, "it is not the record of its paper")
        found.append(IndexedPaper(id_, str(record["page"]), str(record["title"])))
    return found


def read_ids(content: Json, path: Path) -> list[str]:
    """Return the ids that ``ids.js`` holds.

    Raises:
        UnreadableChunkError: it holds something else.
    """
    try:
        digits = base64.b64decode(str(content), validate=True).hex()
    except ValueError as error:
        raise UnreadableChunkError(path, f"it holds no ids ({error})") from error
    return re.findall(".{12}", digits)


def _as_mapping(content: Json, path: Path) -> Mapping[str, Json]:
    if not isinstance(content, dict):
        raise UnreadableChunkError(path, "it holds no object")
    return content


def _parts(papers: Sequence[Paper], advance: Callable[[int], None] | None) -> dict[str, bytes]:
    """Return the files of the index, by name without suffix."""
    postings = build_postings(papers, advance)
    parts: dict[str, Json] = {
        **{f"terms/{number}": block.content for number, block in enumerate(postings.terms)},
        **{f"places/{number}": block.content for number, block in enumerate(postings.places)},
        **{f"vocabulary/{number}": block.content for number, block in enumerate(postings.vocabulary)},
        **{f"facets/{name}": content for name, content in build_facets(papers).items()},
        "ids": build_ids(papers),
        "titles": build_title_order(papers),
    }
    scripts = {name: chunk_script(content) for name, content in parts.items()}
    manifest: Json = {
        "format": _FORMAT,
        "papers": len(papers),
        # Parts are asked for by it, so that no browser mixes those of two builds.
        "version": hashlib.sha256(b"".join(scripts[name] for name in sorted(scripts))).hexdigest()[:12],
        "terms": [block.first for block in postings.terms],
        "vocabulary": [block.first for block in postings.vocabulary],
        "words": {
            "letters": dict(LETTERS),
            "greek": dict(GREEK),
            "unspaced": UNSPACED,
            "suffixes": [[list(ending) for ending in endings] for endings in SUFFIXES],
            "longest": LONGEST_TERM,
        },
    }
    return {**scripts, "manifest": chunk_script(manifest)}
