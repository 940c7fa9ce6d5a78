"""Enters: what a command asks for.

Leaves: the project's folder, read and checked.
"""

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from generator.files import STATE_FOLDER, TAGS_FILE, TITLES_FILE
from generator.lock import LOCK_NAME
from generator.problems import PapershelfError
from generator.settings import Settings, read_settings
from generator.site_config import SiteConfig, read_site_config


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
    cache: bool = True
    """Whether to use what is known of the build before; changes no byte of the result."""


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


def today() -> str:
    """Return the build's date as ``YYYY-MM-DD``: that of SOURCE_DATE_EPOCH when it is set, else today's (UTC)."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if not epoch:
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        raise BuildDateError(epoch) from None
