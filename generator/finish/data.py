"""The data file ``papershelf/abstracts.jsonl``: everything about every abstract, one JSON object a line.

Entries enter; the file's bytes leave.
"""

import json
import re
from collections.abc import Iterable, Iterator

from generator.markup.tree import Items, Link, Node, Styled
from generator.model import Entry, Json

DATA_FILE = "papershelf/abstracts.jsonl"
"""Where it lies within the site."""


def dump_entries(entries: Iterable[Entry]) -> bytes:
    """Return the data file of the entries, in their order, as UTF-8."""
    return "".join(json.dumps(_as_json(entry), ensure_ascii=False) + "\n" for entry in entries).encode()


def _as_json(entry: Entry) -> dict[str, Json]:
    parsed = entry.titled.parsed
    paper = parsed.paper
    record = paper.record
    return {
        "id": entry.id,
        "source_id": record.source_id,
        "url": record.url,
        "page": entry.url,
        "title": entry.titled.title_text,
        "title_derived": entry.titled.title_derived,
        "abstract": parsed.abstract.plain,
        "tags": [tag.label for tag in entry.tags],
        "related": [
            {"id": related.paper_id, "score": related.score, "terms": list(related.terms)} for related in entry.related
        ],
        "collection": record.collection,
        "collections": list(paper.collections),
        "authors": list(parsed.authors),
        "year": record.year,
        "keywords": list(parsed.keywords),
        "links": list(dict.fromkeys(_addresses(parsed.abstract.nodes))),
        "added": entry.added,
        "source": {"file": paper.sources[0].file, "record": paper.sources[0].record},
        "sources": [{"file": source.file, "record": source.record} for source in paper.sources],
        "extra": dict(record.extra or {}),
    }


def _addresses(nodes: Iterable[Node]) -> Iterator[str]:
    """Yield the addresses that a text leads to, in order."""
    for node in nodes:
        if isinstance(node, Link):
            yield re.sub(r"\s", "%20", node.url)
        elif isinstance(node, Styled):
            yield from _addresses(node.children)
        elif isinstance(node, Items):
            for item in node.items:
                yield from _addresses(item)
