"""Stage *render*: ``docs_src/`` in, a built site out; the only part that knows MkDocs.

Any builder that takes Markdown, front matter and Material's templates could stand here.
"""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from mkdocs.commands.build import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError, MkDocsException

from generator.batches import Workers
from generator.files import THEME_FOLDER
from generator.model import Page
from generator.pages import GENERATED_FOLDERS
from generator.problems import PapershelfError, Problem
from generator.render.generated import GeneratedPages, is_possible
from generator.site_config import EXTENSIONS, SiteConfig, load_mkdocs_config

__all__ = ["RenderError", "render_site"]


class RenderError(PapershelfError):
    """MkDocs gave up."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"MkDocs could not build the site: {reason}")


def render_site(
    site: SiteConfig, pages: Sequence[Page], out_dir: Path, workers: Workers, advance: Callable[[int], None]
) -> tuple[Problem, ...]:
    """Build the site into ``out_dir``, and return what MkDocs warned of, such as a link that leads nowhere.

    Args:
        site: The site's configuration.
        pages: The generated pages, which lie in ``docs_src/``.
        out_dir: An empty or missing folder.
        workers: Processes to render generated pages in.
        advance: Called with the number of pages written since its last call.

    Raises:
        RenderError: MkDocs cannot build it.
    """
    config = load_mkdocs_config(site.file, site_dir=out_dir)
    problems = _settle(config, site)
    if is_possible(config):
        GeneratedPages(pages, workers, advance).register(config)
    progress = _Progress(advance)
    config.plugins.events["post_page"].append(progress.post_page)
    warnings = _Warnings()
    logger = logging.getLogger("mkdocs")
    handlers, logger.handlers = logger.handlers, [warnings]
    propagate, logger.propagate = logger.propagate, False
    try:
        build(config)
    except (MkDocsException, BuildError) as error:
        raise RenderError("; ".join([*warnings.errors, str(error)])) from error
    except Exception as error:  # templates, extensions and plugins are their users' programs: they can raise anything
        raise RenderError("; ".join([*warnings.errors, f"{type(error).__name__}: {error}"])) from error
    finally:
        logger.handlers, logger.propagate = handlers, propagate
        config.plugins.events["post_page"].remove(progress.post_page)
        progress.finish()
    # The packed copy holds the time of its making, so its bytes differ from build to build.
    (out_dir / "sitemap.xml.gz").unlink(missing_ok=True)
    return (*problems, *warnings.problems)


def _settle(config: MkDocsConfig, site: SiteConfig) -> list[Problem]:
    """Give the configuration what the pages rely on, and return what had to be changed."""
    problems = []
    if config.nav is None:
        config.nav = _default_nav(site.docs_dir)
    config.theme["font"] = False  # else Material asks Google
    config.repo_url = None  # else Material asks the code host for stars
    theme_dir = str(site.project_dir / THEME_FOLDER)
    if theme_dir not in config.theme.dirs:
        # After a folder of the user's own, before Material's.
        config.theme.dirs.insert(1 if config.theme.custom_dir else 0, theme_dir)
    if config.use_directory_urls:
        config.use_directory_urls = False
        problems.append(
            Problem(
                "mkdocs",
                "expected use_directory_urls: false in mkdocs.yml",
                "it was taken as false: links end in .html",
            )
        )
    missing = [name for name in EXTENSIONS if name not in config.markdown_extensions]
    if missing:
        config.markdown_extensions = [*config.markdown_extensions, *missing]
        problems.append(
            Problem(
                "mkdocs", f"expected {', '.join(missing)} under markdown_extensions in mkdocs.yml", "they were added"
            )
        )
    return problems


class _Progress:
    """Counts pages in steps, since a call a page would cost more than it shows."""

    STEP = 50

    def __init__(self, advance: Callable[[int], None]) -> None:
        self.advance = advance
        self.count = 0

    def post_page(self, output: str, **_: object) -> str:
        self.count += 1
        if self.count == self.STEP:
            self.finish()
        return output

    def finish(self) -> None:
        self.advance(self.count)
        self.count = 0


class _Warnings(logging.Handler):
    """Turns MkDocs' warnings into problems."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.problems: list[Problem] = []
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno >= logging.ERROR:
            self.errors.append(message)
        else:
            self.problems.append(Problem("mkdocs", message, "the page was built as it is"))


def _default_nav(docs_dir: Path) -> list[dict[str, str] | str]:
    """Return a navigation without papers: left to itself, MkDocs lists every page on every page."""
    own = sorted(
        path.relative_to(docs_dir).as_posix()
        for path in docs_dir.rglob("*.md")
        if path.relative_to(docs_dir).parts[0] not in (*GENERATED_FOLDERS, "index.md", "README.md", "search.md")
    )
    return ["index.md", {"Abstracts": "abstracts/index.md"}, {"Tags": "tags/index.md"}, *own, {"Search": "search.md"}]
