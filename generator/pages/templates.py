"""The Jinja2 templates that write Markdown.

Whatever a template prints is escaped as Markdown, unless it is Markdown already: a template cannot forget it.
"""

from collections.abc import Sequence
from pathlib import Path

import jinja2

from generator.markup.markdown import Markdown, escape_markdown
from generator.problems import PapershelfError

BUNDLED_TEMPLATES = Path(__file__).resolve().parents[2] / "site_templates"
"""The templates that come with Papershelf; beside the package in a checkout and when installed."""


class TemplateError(PapershelfError):
    """A page template cannot be used."""

    def __init__(self, template: str, error: Exception) -> None:
        place = template
        if isinstance(error, jinja2.TemplateSyntaxError):
            place = f"{error.filename or error.name}, line {error.lineno}"
        super().__init__(f"the page template {place} fails: {error or type(error).__name__}")


def template_folders(project_dir: Path) -> tuple[Path, ...]:
    """Return the folders that hold templates, the user's own first: a file there replaces the bundled one."""
    own = project_dir / "site_templates"
    return (own, BUNDLED_TEMPLATES) if own.is_dir() and own.resolve() != BUNDLED_TEMPLATES else (BUNDLED_TEMPLATES,)


def page_templates(folders: Sequence[Path]) -> jinja2.Environment:
    """Return the environment of the page templates in ``pages/`` of the given folders."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([folder / "pages" for folder in folders]),
        finalize=_as_markdown,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - it writes Markdown; `finalize` escapes for that
    )


def _as_markdown(value: object) -> str:
    if isinstance(value, jinja2.Undefined):
        return str(value)  # raises, naming the variable
    if isinstance(value, Markdown):
        return value
    return escape_markdown("" if value is None else str(value))
