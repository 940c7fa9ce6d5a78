"""Enters: entries.

Leaves: papers as the browser shows, searches and exports them: each one record, one file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.model import Entry, Json
from generator.pages import group_by_collection, group_by_tag, group_by_topic, page_address


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as the browser has it; all texts are plain."""

    id: str
    """12 hex digits, unique in the site."""
    page: str
    """Its page's address relative to the site's root, such as ``abstracts/foo-abc123.html``."""
    title: str
    derived: bool
    abstract: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    collections: tuple[tuple[str, str], ...] = ()
    """Names of its collections, each with its page's address."""
    tags: tuple[tuple[str, str], ...] = ()
    """Labels of its tags, each with its page's address."""
    topics: tuple[tuple[str, str], ...] = ()
    """Labels of its tags' topics, each with its page's address."""
    keywords: tuple[str, ...] = ()
    url: str | None = None
    source: str = ""
    source_id: str | None = None
    added: str = ""
    """The day it was first built, ``YYYY-MM-DD``."""


def papers_of(entries: Sequence[Entry]) -> list[Paper]:
    """Return the paper of each entry, same order."""
    collections = {group.name: page_address(group.src_uri) for group in group_by_collection(entries)}
    topics = {topic.slug: (topic.label, page_address(topic.src_uri)) for topic in group_by_topic(group_by_tag(entries))}
    return [_paper_of(entry, collections, topics) for entry in entries]


def _paper_of(entry: Entry, collections: Mapping[str, str], topics: Mapping[str, tuple[str, str]]) -> Paper:
    parsed = entry.titled.parsed
    paper, record = parsed.paper, parsed.paper.record
    found = {topics[tag.topic]: None for tag in entry.tags if tag.topic in topics}
    return Paper(
        id=entry.id,
        page=entry.url,
        title=entry.titled.title_text,
        derived=entry.titled.title_derived,
        abstract=parsed.abstract.plain,
        authors=parsed.authors,
        year=record.year,
        collections=tuple((name, collections[name]) for name in paper.collections),
        tags=tuple((tag.label, f"tags/{tag.slug}.html") for tag in entry.tags),
        topics=tuple(found),
        keywords=parsed.keywords,
        url=record.url,
        source=f"{record.source.file}, record {record.source.record}",
        source_id=record.source_id,
        added=entry.added,
    )


def as_record(paper: Paper) -> dict[str, Json]:
    """Return what ``papershelf/records/<id>.js`` holds; ``records.js`` describes it."""
    return {
        "id": paper.id,
        "page": paper.page,
        "title": paper.title,
        "derived": paper.derived,
        "abstract": paper.abstract,
        "authors": list(paper.authors),
        "year": paper.year,
        "collections": [[name, address] for name, address in paper.collections],
        "tags": [[label, address] for label, address in paper.tags],
        "keywords": list(paper.keywords),
        "url": paper.url,
        "source": paper.source,
        "sourceId": paper.source_id,
        "added": paper.added,
    }
