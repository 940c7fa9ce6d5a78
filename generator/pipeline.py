"""The table of contents: the stages of a build, in order, and how one abstract travels through them.

Stages that see one abstract (markup, titles) run in batches over processes; the others (merge, tags, relate, pages)
need all of them. Each takes what the ones before gave and returns new values; nothing is filled in later.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rich.console import Console

from generator.addresses import assign_addresses
from generator.batches import Workers
from generator.build_lock import build_lock
from generator.exchange import check_replaceable, exchange_site, repair_site, staging_folder
from generator.files import STATE_FOLDER, empty_scratch, write_if_changed, write_whole
from generator.finish.data import DATA_FILE, dump_entries
from generator.finish.search import build_search_index
from generator.finish.search.papers import papers_of
from generator.lock import LOCK_NAME, Address, Lock, choose_site_id, dump_lock, read_lock
from generator.markup.papers import parse_papers
from generator.merge import Merged, merge_records
from generator.model import Entry, Related, Tag, Tagging, TitledPaper
from generator.pages import write_pages
from generator.pages.templates import page_templates, template_folders
from generator.problems import PapershelfError, Problem
from generator.progress import StageTimer, peak_rss_mb
from generator.relate import relate_papers
from generator.render import render_site
from generator.render.config import SiteConfig, read_site_config
from generator.render.scripts import SiteFacts
from generator.render.theme import SITE_MARK, write_theme
from generator.report import Report
from generator.settings import Settings, read_settings
from generator.sources import SourcesRead, read_sources
from generator.tags import tag_papers
from generator.tags.changes import TagChanges, compare
from generator.tags.explain import explain_paper, explain_vocabulary
from generator.tags.rules import TAGS_FILE, TagRules, read_tag_rules
from generator.texts import Texts, read_texts
from generator.titles import add_titles
from generator.titles.own import TITLES_FILE, papers_meant, read_own_titles, use_own_titles
from generator.write import write_docs


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What a command asks of a build."""

    config_file: Path
    sources: tuple[str, ...] = ()
    """Files, folders or ``-``, relative to the current folder; empty takes those of mkdocs.yml."""
    site_dir: Path | None = None
    """Where the site goes; None takes mkdocs.yml's."""
    jobs: int = 1
    """Processes to use, from 1; changes no byte of the result."""
    search: bool = True
    refresh_tags: bool = False
    """Whether to choose the tag vocabulary anew instead of extending the lock's."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project's folder, read and checked."""

    site: SiteConfig
    settings: Settings
    site_dir: Path
    sources: tuple[str, ...]

    @property
    def state_dir(self) -> Path:
        """Return the folder for what is not the user's: the build lock, drafts and the theme."""
        return self.site.project_dir / STATE_FOLDER

    @property
    def lock_file(self) -> Path:
        """Return where the lock file is; there may be none yet."""
        return self.site.project_dir / LOCK_NAME

    @property
    def titles_file(self) -> Path:
        """Return where the titles are that the user gives; there may be no such file."""
        return self.site.project_dir / TITLES_FILE

    @property
    def tags_file(self) -> Path:
        """Return where the user's rules for tags are; there may be no such file."""
        return self.site.project_dir / TAGS_FILE

    @property
    def own_files(self) -> tuple[Path, ...]:
        """Return what is the project's, not a source, although it may lie in a folder of sources."""
        site = self.site
        own = (site.file, self.lock_file, site.project_dir / "site_templates", site.docs_dir)
        return (*own, self.titles_file, self.tags_file, self.site_dir, site.site_dir)

    @property
    def scratch(self) -> Path:
        """Return the folder that files are written in before they are moved to their place."""
        return self.state_dir / "scratch"


class BuildDateError(PapershelfError):
    """SOURCE_DATE_EPOCH is no date."""

    def __init__(self, value: str) -> None:
        super().__init__(f"SOURCE_DATE_EPOCH: expected seconds since 1970 as a whole number, found {value!r}")


def open_project(request: BuildRequest) -> Project:
    """Return the project of a request.

    Raises:
        PapershelfError: mkdocs.yml is missing or wrong.
    """
    site = read_site_config(request.config_file)
    settings = read_settings(site.options, file=request.config_file.name)
    own_sources = tuple(str(site.project_dir / source) for source in settings.sources)
    site_dir = (request.site_dir or site.site_dir).resolve()  # a link is not exchanged, its target is
    return Project(site, settings, site_dir, request.sources or own_sources)


def build(request: BuildRequest, console: Console) -> Report:
    """Build the site, and return what was done.

    Raises:
        PapershelfError: nothing was built; the last good site stays.
    """
    project = open_project(request)
    with build_lock(project.state_dir, "papershelf build"):
        repair_site(project.site_dir)
        empty_scratch(project.scratch)
        check_replaceable(project.site_dir, SITE_MARK, (project.site.docs_dir.resolve(), project.state_dir))
        with Workers(request.jobs) as workers:
            return _build(project, request, workers, StageTimer(console))


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


def _build(project: Project, request: BuildRequest, workers: Workers, timer: StageTimer) -> Report:
    site, lock = project.site, read_lock(project.lock_file)
    today = _today()
    tagged = _tag(project, request, lock, read_tag_rules(project.tags_file), workers, timer)
    read, merged, papers, tagging = tagged.read, tagged.merged, tagged.papers, tagged.tagging
    problems = tagged.problems

    with timer.stage("relate"):
        related = relate_papers(papers, tagging.tags, tagged.texts)

    with timer.stage("pages"):
        addresses = assign_addresses(papers, lock.addresses, today=today)
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
                build_search_index(papers_of(entries), staging, advance=advance)
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


def _today() -> str:
    """Return the build's date as ``YYYY-MM-DD``: that of SOURCE_DATE_EPOCH when it is set, else today's (UTC)."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise BuildDateError(epoch) from None
