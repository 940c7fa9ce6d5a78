"""The table of contents: the stages of a build, in order, and how one abstract travels through them.

Stages that see one abstract (markup, titles) run in batches over processes; the others (merge, tags, relate, pages)
need all of them. Each takes what the ones before gave and returns new values; nothing is filled in later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from rich.console import Console

from generator.addresses import assign_addresses
from generator.batches import Workers
from generator.exchange import exchange_site, repair_site, staging_folder
from generator.files import empty_scratch, write_if_changed, write_whole
from generator.finish.data import DATA_FILE, dump_entries
from generator.finish.search import build_search_index
from generator.finish.search.papers import papers_of
from generator.lock import Address, Lock, choose_site_id, dump_lock, read_lock
from generator.markup.papers import parse_papers
from generator.merge import Merged, merge_records
from generator.model import Entry, Related, Tag, Tagging, TitledPaper
from generator.pages import write_pages
from generator.pages.templates import page_templates, template_folders
from generator.problems import PapershelfError, Problem
from generator.progress import StageTimer, peak_rss_mb
from generator.project import BuildRequest, Project, open_project
from generator.relate import relate_papers
from generator.render import render_site
from generator.render.scripts import SiteFacts
from generator.render.theme import write_theme
from generator.report import Report
from generator.sources import SourcesRead, read_sources
from generator.tags import tag_papers
from generator.tags.changes import TagChanges, compare
from generator.tags.explain import explain_paper, explain_vocabulary
from generator.tags.rules import TagRules, read_tag_rules
from generator.texts import Texts, read_texts
from generator.titles import add_titles
from generator.titles.own import papers_meant, read_own_titles, use_own_titles
from generator.write import write_docs


@dataclass(frozen=True, slots=True)
class _Tagged:
    """What is known of the papers after the stage *tags*."""

    read: SourcesRead
    merged: Merged
    papers: list[TitledPaper]
    texts: Texts
    tagging: Tagging
    tag_changes: TagChanges | None
    problems: list[Problem]


def explain_tags(request: BuildRequest, console: Console, paper: str | None) -> Iterator[str]:
    """Yield lines that say why tags are what they are, as a build would choose them now; nothing is written.

    Args:
        request: Which project, and which sources.
        console: Where progress is shown.
        paper: The id, the source's own id or the first words of an abstract whose tags are to be explained; None for
            the vocabulary.

    Raises:
        PapershelfError: the project or its sources can't be read, or no abstract or several are meant.
    """
    project = open_project(request)
    rules = read_tag_rules(project.tags_file)
    with Workers(request.jobs) as workers:
        tagged = _tag(project, request, read_lock(project.lock_file), rules, workers, StageTimer(console))
    if paper is None:
        yield from explain_vocabulary(tagged.texts, tagged.tagging, rules)
        return
    (found,) = papers_meant(tagged.papers, [" ".join(paper.split())])
    if len(found) != 1:
        raise PaperMeantError(paper, several=bool(found))
    yield f"{tagged.papers[found[0]].id}  {tagged.papers[found[0]].title_text}"
    yield from explain_paper(tagged.texts, tagged.tagging, rules, found[0])


class PaperMeantError(PapershelfError):
    """One abstract was asked for, and none or several fit."""

    def __init__(self, key: str, *, several: bool) -> None:
        found = "several that fit" if several else "none"
        super().__init__(
            f"expected the id or the first words (four or more) of one abstract, found {found} for {key!r}"
        )


def _tag(
    project: Project, request: BuildRequest, lock: Lock, rules: TagRules, workers: Workers, timer: StageTimer
) -> _Tagged:
    """Return the papers of the sources with titles and tags: all stages up to *tags*."""
    own_titles = read_own_titles(project.titles_file, project.settings.macros)

    with timer.stage("sources") as advance:
        read = read_sources(
            project.sources, base_dir=project.site.project_dir, passed_over=project.own_files, advance=advance
        )
        merged = merge_records(read.records)
    problems = [*own_titles.problems, *read.problems]

    with timer.stage("markup", len(merged.papers)) as advance:
        parse = partial(parse_papers, macros=project.settings.macros)
        results = workers.run(parse, merged.papers, advance)
        parsed = [paper for paper, _ in results]
        problems += [problem for _, found in results for problem in found]

    with timer.stage("titles", len(parsed)) as advance:
        titled = workers.run(add_titles, parsed, advance)
        papers, unfit = use_own_titles(titled, own_titles.entries)
    problems += unfit

    with timer.stage("tags"):
        texts = read_texts(papers, workers)
        tagging = tag_papers(papers, () if request.refresh_tags else lock.vocabulary, rules, texts)
        changes = None
        if request.refresh_tags and lock.vocabulary:
            changes = compare(tag_papers(papers, lock.vocabulary, rules, texts), tagging)
    problems += tagging.problems
    return _Tagged(read, merged, papers, texts, tagging, changes, problems)


def build_site(project: Project, request: BuildRequest, date: str, console: Console) -> Report:
    """Build the site from the sources, and return what was done.

    Args:
        project: The project, whose build lock is held.
        request: What is asked for.
        date: The build's, ``YYYY-MM-DD``.
        console: Where progress is shown.

    Raises:
        PapershelfError: nothing was built; the last good site stays.
    """
    with Workers(request.jobs) as workers:
        return _build(project, request, date, workers, StageTimer(console))


def _build(project: Project, request: BuildRequest, date: str, workers: Workers, timer: StageTimer) -> Report:
    site, lock = project.site, read_lock(project.lock_file)
    tagged = _tag(project, request, lock, read_tag_rules(project.tags_file), workers, timer)
    read, merged, papers, tagging = tagged.read, tagged.merged, tagged.papers, tagged.tagging
    problems = tagged.problems

    with timer.stage("relate"):
        related = relate_papers(papers, tagging.tags, tagged.texts)

    with timer.stage("pages"):
        addresses = assign_addresses(papers, lock.addresses, today=date)
        entries = _entries(papers, addresses, tagging.tags, related)
        folders = template_folders(site.project_dir)
        pages = tuple(
            write_pages(
                entries,
                page_templates(folders),
                site_name=site.site_name,
                entries_per_page=project.settings.entries_per_page,
            )
        )

    with timer.stage("write"):
        written = write_docs(pages, site.docs_dir, project.scratch)
        site_id = lock.site or choose_site_id(site.site_name, lock.addresses or addresses)
        write_if_changed(project.lock_file, dump_lock(Lock(addresses, tagging.vocabulary, site_id)), project.scratch)
        newest = max((entry.added for entry in entries), default="")
        write_theme(
            folders, site.project_dir, project.scratch, SiteFacts(site_id, site.site_name, len(entries), newest)
        )

    staging = staging_folder(project.site_dir)
    staging.parent.mkdir(parents=True, exist_ok=True)
    try:
        with timer.stage("render", len(pages)) as advance:
            problems += render_site(site, pages, staging, workers, advance)

        with timer.stage("finish", len(entries)) as advance:
            write_whole(staging / DATA_FILE, dump_entries(entries), project.scratch)
            if request.search and project.settings.search:
                build_search_index(papers_of(entries), staging, workers=workers, advance=advance)
        exchange_site(staging, project.site_dir)
    finally:
        # However the build ended: nothing stays beside the site, and a half-done exchange loses nothing of the old.
        repair_site(project.site_dir)
        empty_scratch(project.scratch)

    counts = {
        "records": read.read,
        "without_abstract": read.without_abstract,
        "duplicates": merged.duplicates,
        "abstracts": len(entries),
        "titles_derived": sum(paper.title_derived for paper in papers),
        "tags": len({tag for entry in entries for tag in entry.tags}),
        "collections": len({name for paper in merged.papers for name in paper.collections}),
        "pages": len(pages),
        "pages_written": written.written,
        "pages_unchanged": written.unchanged,
        "pages_removed": written.removed,
        "problems": len(problems),
    }
    return Report(
        counts, {**timer.seconds, "total": timer.total}, peak_rss_mb(), read.files, problems, tagged.tag_changes
    )


def _entries(
    papers: Sequence[TitledPaper],
    addresses: dict[str, Address],
    tags: Sequence[tuple[Tag, ...]],
    related: Sequence[tuple[Related, ...]],
) -> list[Entry]:
    return [
        Entry(paper, addresses[paper.id].stem, addresses[paper.id].added, own_tags, own_related)
        for paper, own_tags, own_related in zip(papers, tags, related, strict=True)
    ]
