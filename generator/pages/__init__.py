"""Stage *pages*: entries in, Markdown pages out.

Everything the site shows of abstracts is made here: a page each, and the home, index, tag and collection lists. The
text comes from the templates in ``site_templates/pages/``; this module gathers what they print. Sees all papers.
"""

import html
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import jinja2

from generator.markup.gate import GATE_MARK
from generator.markup.markdown import Markdown, quote_url, to_markdown, to_markdown_line
from generator.model import Entry, Json, Page, Related, Tag
from generator.pages.citation import cite
from generator.pages.front_matter import GENERATED, front_matter
from generator.pages.lists import Listing, paginate
from generator.pages.templates import TemplateError
from generator.slugs import slugify_name, unique_slug

GENERATED_FOLDERS = ("abstracts", "topics", "tags", "collections")
"""Folders of ``docs_src/`` that hold generated pages; nothing is removed elsewhere."""

GENERATED_ROOT_PAGES = ("index.md", "search.md")

_DESCRIPTION_LENGTH = 155
"""What search engines show of a description, in characters."""

_SNIPPET_LENGTH = 130
_TAGS_ON_HOME = 60
"""Where there are no topics."""
_TAGS_OF_A_TOPIC_ON_HOME = 6


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection and its entries."""

    name: str
    slug: str
    entries: tuple[Entry, ...]
    """In the order of their sources."""

    @property
    def src_uri(self) -> str:
        """Return its first page's path in ``docs_src/``."""
        return f"collections/{self.slug}.md"


@dataclass(frozen=True, slots=True)
class TagGroup:
    """A tag and the entries that carry it."""

    tag: Tag
    entries: tuple[Entry, ...]

    @property
    def src_uri(self) -> str:
        """Return its first page's path in ``docs_src/``."""
        return f"tags/{self.tag.slug}.md"


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """A topic and its tags."""

    label: str
    slug: str
    groups: tuple[TagGroup, ...]
    """The tag that names the topic first, then the most used."""
    papers: int
    """How many papers carry any of them."""

    @property
    def src_uri(self) -> str:
        """Return its page's path in ``docs_src/``."""
        return f"topics/{self.slug}.md"


def page_address(src_uri: str) -> str:
    """Return the address of the page that MkDocs makes of a file in ``docs_src/``, relative to the site's root."""
    return f"{src_uri.removesuffix('.md')}.html"


def group_by_collection(entries: Sequence[Entry]) -> tuple[Collection, ...]:
    """Return the collections, in reading order, each with all entries that any of its sources holds."""
    members: dict[str, list[Entry]] = {}
    for entry in entries:
        for name in entry.titled.parsed.paper.collections:
            members.setdefault(name, []).append(entry)
    slugs: dict[str, str] = {}
    for name in sorted(members):
        slugs[name] = unique_slug(slugify_name(name, fallback="collection"), set(slugs.values()), name)
    return tuple(Collection(name, slugs[name], tuple(found)) for name, found in members.items())


def group_by_tag(entries: Sequence[Entry]) -> tuple[TagGroup, ...]:
    """Return the tags that entries carry, most used first, then by label."""
    members: dict[str, list[Entry]] = {}
    tags: dict[str, Tag] = {}
    for entry in entries:
        for tag in entry.tags:
            members.setdefault(tag.slug, []).append(entry)
            tags[tag.slug] = tag
    groups = [TagGroup(tags[slug], tuple(found)) for slug, found in members.items()]
    return tuple(sorted(groups, key=lambda group: (-len(group.entries), group.tag.label.casefold(), group.tag.slug)))


def group_by_topic(groups: Sequence[TagGroup]) -> tuple[TopicGroup, ...]:
    """Return the topics of tags, those of most papers first; a topic whose own tag is not given has its largest's name.

    Args:
        groups: The tags, most used first.
    """
    members: dict[str, list[TagGroup]] = {}
    for group in groups:
        if group.tag.topic:
            members.setdefault(group.tag.topic, []).append(group)
    topics = []
    for slug, own in members.items():
        in_order = sorted(own, key=lambda group: group.tag.slug != slug)
        papers = len({entry.id for group in own for entry in group.entries})
        topics.append(TopicGroup(in_order[0].tag.label, slug, tuple(in_order), papers))
    return tuple(sorted(topics, key=lambda topic: (-topic.papers, topic.slug)))


def write_pages(
    entries: Sequence[Entry],
    templates: jinja2.Environment,
    *,
    site_name: str,
    entries_per_page: int,
) -> Iterator[Page]:
    """Yield every generated page: abstracts in the order of ``entries``, then the lists, the home and the search page.

    Raises:
        TemplateError: a template is missing, has a wrong form or uses an unknown name.
    """
    writer = _PageWriter(entries, templates, site_name, entries_per_page)
    yield from writer.abstract_pages()
    yield from writer.list_pages()
    yield writer.home_page()
    yield writer.search_page()


class _PageWriter:
    def __init__(
        self, entries: Sequence[Entry], templates: jinja2.Environment, site_name: str, entries_per_page: int
    ) -> None:
        self.entries = entries
        self.templates = templates
        self.site_name = site_name
        self.entries_per_page = entries_per_page
        self.by_id = {entry.id: entry for entry in entries}
        self.titles = {entry.id: to_markdown_line(entry.titled.title) for entry in entries}
        self.collections = group_by_collection(entries)
        self.tag_groups = group_by_tag(entries)
        self.topics = group_by_topic(self.tag_groups)
        self.topic_of = {group.tag.slug: topic for topic in self.topics for group in topic.groups}
        self.collection_slugs = {collection.name: collection.slug for collection in self.collections}
        self.counts = {
            "abstracts": len(entries),
            "tags": len(self.tag_groups),
            "collections": len(self.collections),
        }

    def _render(self, src_uri: str, template: str, matter: Mapping[str, Json], **values: object) -> Page:
        folder = posixpath.dirname(src_uri)

        def link(target: str) -> Markdown:
            """Return a page's address as a link from this page."""
            if "/" in folder or not folder:
                return Markdown(posixpath.relpath(target, folder or "."))
            # Most pages; a general answer takes a third of this stage.
            return Markdown(target[len(folder) + 1 :] if target.startswith(f"{folder}/") else f"../{target}")

        given = {"link": link, "attribute": _attribute, "site_name": self.site_name, **values}
        try:
            body = self.templates.get_template(template).render(given)
        except Exception as error:
            raise TemplateError(template, error) from error  # it is its user's program, so it can raise anything
        text = f"{front_matter(matter)}\n{GATE_MARK}\n\n{body.strip()}\n"
        return Page(src_uri, text, {**GENERATED, **matter})

    # -- abstracts -----------------------------------------------------------------------------------------------

    def abstract_pages(self) -> Iterator[Page]:
        """Yield the page of each abstract, with its neighbours in its first collection."""
        neighbours = self._neighbours()
        for entry in self.entries:
            yield self._abstract_page(entry, *neighbours[entry.id])

    def _neighbours(self) -> dict[str, tuple[Entry | None, Entry | None]]:
        found: dict[str, tuple[Entry | None, Entry | None]] = {}
        for collection in self.collections:
            own = [e for e in collection.entries if e.titled.parsed.paper.record.collection == collection.name]
            for before, entry, after in zip([None, *own], own, [*own[1:], None], strict=False):
                found[entry.id] = (before, after)
        return found

    def _abstract_page(self, entry: Entry, before: Entry | None, after: Entry | None) -> Page:
        parsed = entry.titled.parsed
        paper = parsed.paper
        matter: dict[str, Json] = {
            "title": entry.titled.title_text,
            "description": _shortened(_one_line(parsed.abstract.plain), _DESCRIPTION_LENGTH),
            "paper_id": entry.id,
        }
        if parsed.authors:
            matter["authors"] = list(parsed.authors)
        if entry.tags:
            matter["tags"] = [tag.label for tag in entry.tags]
        matter["hide"] = ["navigation", "toc"]
        return self._render(
            f"abstracts/{entry.stem}.md",
            "abstract.md.j2",
            matter,
            entry=entry,
            title=self.titles[entry.id],
            title_derived=entry.titled.title_derived,
            abstract=to_markdown(parsed.abstract),
            authors=parsed.authors,
            keywords=parsed.keywords,
            year=paper.record.year,
            url=quote_url(paper.record.url) if paper.record.url else None,
            sources=paper.sources,
            citation=cite(entry),
            collections=[(name, f"collections/{self.collection_slugs[name]}.md") for name in paper.collections],
            tags=[(tag.label, f"tags/{tag.slug}.md") for tag in entry.tags],
            related=[self._related(related) for related in entry.related],
            previous=before and self._reference(before),
            next=after and self._reference(after),
        )

    def _reference(self, entry: Entry) -> dict[str, object]:
        return {"id": entry.id, "title": self.titles[entry.id], "src_uri": f"abstracts/{entry.stem}.md"}

    def _related(self, related: Related) -> dict[str, object]:
        return {**self._reference(self.by_id[related.paper_id]), "terms": related.terms}

    # -- lists ---------------------------------------------------------------------------------------------------

    def list_pages(self) -> Iterator[Page]:
        """Yield the pages of all lists: all abstracts, each collection, each tag, the tags themselves, each topic."""
        yield from self._entry_list("abstracts/index.md", "All abstracts", "list", self.entries)
        for collection in self.collections:
            yield from self._entry_list(collection.src_uri, collection.name, "collection", collection.entries)
        for group in self.tag_groups:
            topic = self.topic_of.get(group.tag.slug)
            yield from self._entry_list(group.src_uri, group.tag.label, "tag", group.entries, topic=topic)
        for part in paginate("tags/index.md", self.tag_groups, self.entries_per_page):
            yield self._list_page(part, "Tags", "tags.md.j2", "tags", groups=part.items)
        for topic in self.topics:
            matter: dict[str, Json] = {"title": _one_line(topic.label), "hide": ["navigation", "toc"]}
            yield self._render(topic.src_uri, "topic.md.j2", matter, topic=topic)

    def _entry_list(
        self, src_uri: str, name: str, kind: str, entries: Sequence[Entry], *, topic: TopicGroup | None = None
    ) -> Iterator[Page]:
        for part in paginate(src_uri, entries, self.entries_per_page):
            items = [self._item(entry) for entry in part.items]
            yield self._list_page(part, name, "list.md.j2", kind, entries=items, topic=topic)

    def _list_page(self, part: Listing, name: str, template: str, kind: str, **values: object) -> Page:
        title = name if part.number == 1 else f"{name}, page {part.number}"
        matter: dict[str, Json] = {"title": _one_line(title), "hide": ["navigation", "toc"]}
        return self._render(part.src_uri, template, matter, name=name, kind=kind, part=part, **values)

    def _item(self, entry: Entry) -> dict[str, object]:
        parsed = entry.titled.parsed
        return {
            **self._reference(entry),
            "authors": parsed.authors,
            "snippet": _shortened(_one_line(parsed.abstract.plain), _SNIPPET_LENGTH),
        }

    # -- single pages --------------------------------------------------------------------------------------------

    def home_page(self) -> Page:
        """Return the home page: where to begin, the collections, and the topics, or the most used tags."""
        return self._render(
            "index.md",
            "home.md.j2",
            {"title": _one_line(self.site_name), "hide": ["navigation", "toc"]},
            counts=self.counts,
            collections=self.collections,
            topics=self.topics,
            tags_of_a_topic=_TAGS_OF_A_TOPIC_ON_HOME,
            groups=self.tag_groups[:_TAGS_ON_HOME],
            groups_total=len(self.tag_groups),
        )

    def search_page(self) -> Page:
        """Return the search page; its parts are in the theme's template."""
        matter: dict[str, Json] = {"title": "Search", "template": "search.html", "hide": ["navigation", "toc"]}
        return self._render("search.md", "search.md.j2", matter, counts=self.counts)


def _attribute(value: str) -> Markdown:
    """Return text as the value of an HTML attribute in double quotes."""
    return Markdown(html.escape(_one_line(value)))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str, length: int) -> str:
    """Return ``text`` cut between words to at most ``length`` characters, with an ellipsis where it was cut."""
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut[length // 2 :] else cut).rstrip(" ,;:") + "…"
