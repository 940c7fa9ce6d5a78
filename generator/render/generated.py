"""Generated pages on their short way through MkDocs: read by `fast_markdown`, put into `frames`, in batches.

MkDocs builds the rest of a site around them. It knows them as files, so links to them are resolved, but neither reads
nor renders them. A page that is not understood here takes MkDocs' own way, so the bytes are the same in any case.
"""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import jinja2
from markdown import Markdown
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.utils import get_relative_url
from mkdocs.utils.templates import TemplateContext

from generator.batches import Shared, Workers
from generator.model import Page
from generator.render.fast_markdown import FastMarkdown, first_anchor
from generator.render.frames import Frame, Frames, Hole
from generator.site_config import ALL_EXTENSIONS, has_own_extensions_only


class _GeneratedFile(File):
    """A page that MkDocs can link to, and otherwise leaves alone unless it must render it after all."""

    page: MkDocsPage
    rendered = True

    def is_documentation_page(self) -> bool:
        return not self.rendered

    def copy_file(self, dirty: bool = False) -> None:
        """Do nothing: it is no file to copy."""


@dataclass(frozen=True, slots=True)
class _Job:
    """A page to be rendered."""

    src_uri: str
    markdown: str
    frame: Frame
    title: str
    description: str
    canonical: str


@dataclass(slots=True)
class _Shelf:
    """What every batch needs to know."""

    known: frozenset[str]
    """The Markdown files that links may lead to."""
    out_dir: Path
    _converters: dict[str, FastMarkdown] = field(default_factory=dict)

    def converter(self, folder: str) -> FastMarkdown:
        if folder not in self._converters:
            self._converters[folder] = FastMarkdown(partial(self._resolve, folder), Markdown(extensions=ALL_EXTENSIONS))
        return self._converters[folder]

    def _resolve(self, folder: str, target: str) -> str | None:
        if "/" not in target:  # most are
            return f"{target.removesuffix('.md')}.html" if f"{folder}/{target}" in self.known else None
        src_uri = posixpath.normpath(posixpath.join(folder, target))
        if src_uri not in self.known:
            return None
        return get_relative_url(f"{src_uri.removesuffix('.md')}.html", f"{folder}/-.html")


def is_possible(config: MkDocsConfig) -> bool:
    """Return whether the short way gives what MkDocs gives: no plugins or hooks, no other Markdown."""
    return has_own_extensions_only(config) and not any(config.plugins.events.values())


class GeneratedPages:
    """Takes the generated pages out of a build of MkDocs', by its events, and renders them.

    Args:
        pages: The pages, as they were written to ``docs_src/``.
        workers: Processes to render them in.
        advance: Called with the number of pages rendered since its last call.
    """

    def __init__(self, pages: Sequence[Page], workers: Workers, advance: Callable[[int], None]) -> None:
        self._pages = {page.src_uri: page for page in pages}
        self._workers = workers
        self._advance = advance
        self._files: list[_GeneratedFile] = []
        self._documents: list[File] = []
        self._nav = Navigation([], [])

    def register(self, config: MkDocsConfig) -> None:
        """Listen to the events of a build with this configuration."""
        events = config.plugins.events
        events["files"].append(self._on_files)
        events["nav"].append(self._on_nav)
        events["env"].append(self._on_env)
        events["template_context"].append(self._on_context)
        events["page_context"].append(self._on_context)

    def _on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        in_nav = set(_strings(config.nav))
        self._documents = list(files.documentation_pages())
        for file in self._documents:
            if file.src_uri in self._pages and file.src_uri not in in_nav:
                _ = file.url  # MkDocs works it out when it is first asked for, and must still see a document
                file.__class__ = _GeneratedFile  # thus it keeps its place among the files
                page = MkDocsPage(None, file, config)
                page.markdown, page.meta = "", dict(self._pages[file.src_uri].matter)  # for templates that list pages
        self._files = [file for file in self._documents if isinstance(file, _GeneratedFile)]
        return files

    def _on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:  # noqa: ARG002
        self._nav = nav
        return nav

    def _on_env(self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files) -> jinja2.Environment:
        for file in self._render(Frames(env, config, self._nav, self._documents), Path(config.site_dir)):
            file.rendered = False
            file.page.read_source(config)
            file.page.render(config, files)
        return env

    def _on_context(self, context: TemplateContext, **_: object) -> TemplateContext:
        context["pages"] = self._documents  # those rendered here too, for the site map
        return context

    def _render(self, frames: Frames, out_dir: Path) -> list[_GeneratedFile]:
        """Render what can be rendered here, and return what cannot."""
        jobs: list[_Job] = []
        with_jobs: list[_GeneratedFile] = []
        left: list[_GeneratedFile] = []
        for file in self._files:
            page = self._pages[file.src_uri]
            frame = None if file.page.edit_url else frames.frame_of(page.matter, file)
            if frame is None:
                left.append(file)
                continue
            title, description = str(page.matter["title"]), str(page.matter.get("description", ""))
            jobs.append(_Job(file.src_uri, page.markdown, frame, title, description, file.page.canonical_url or ""))
            with_jobs.append(file)
        for folder in {posixpath.dirname(job.src_uri) for job in jobs}:
            (out_dir / folder).mkdir(parents=True, exist_ok=True)
        known = frozenset(f.src_uri for f in self._documents if f.url == f"{f.src_uri.removesuffix('.md')}.html")
        with Shared(_Shelf(known, out_dir)) as shelf:
            done = self._workers.run(partial(_render_batch, shelf=shelf), jobs, self._advance)
        return left + [file for file, rendered in zip(with_jobs, done, strict=True) if not rendered]


def _render_batch(jobs: Sequence[_Job], shelf: Shared[_Shelf]) -> list[bool]:
    """Write the pages, and return of each whether it could be done."""
    return [_render_page(job, shelf.value) for job in jobs]


def _render_page(job: _Job, shelf: _Shelf) -> bool:
    content = shelf.converter(posixpath.dirname(job.src_uri)).convert(job.markdown)
    anchor = first_anchor(content) if content else None
    if content is None or anchor is None or "<h1" not in content:
        return False
    parts: Mapping[Hole, str] = {
        Hole.TITLE: job.title,
        Hole.DESCRIPTION: job.description,
        Hole.CANONICAL: job.canonical,
        Hole.ANCHOR: anchor,
        Hole.CONTENT: content,
    }
    html = job.frame.fill(parts).encode("utf-8", errors="xmlcharrefreplace")
    (shelf.out_dir / f"{job.src_uri.removesuffix('.md')}.html").write_bytes(html)
    return True


def _strings(nav: object) -> list[str]:
    """Return all texts of a navigation in mkdocs.yml, the paths among them."""
    if isinstance(nav, str):
        return [nav]
    if isinstance(nav, Mapping):
        return [text for value in nav.values() for text in _strings(value)]
    return [text for value in nav for text in _strings(value)] if isinstance(nav, Sequence) else []
