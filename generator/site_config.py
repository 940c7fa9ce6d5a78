"""Reading mkdocs.yml the way MkDocs does.

The path of a configuration file enters; the `SiteConfig` leaves: what the other stages need to know of it.
"""

import logging
from dataclasses import dataclass
from pathlib import Path

import yaml
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError

from generator.files import THEME_FOLDER
from generator.problems import PapershelfError

EXTENSIONS = ("attr_list", "md_in_html", "papershelf")
"""The Python-Markdown extensions that generated pages are written for."""

ALL_EXTENSIONS = ("toc", "tables", "fenced_code", *EXTENSIONS)
"""These and the ones that MkDocs always takes."""


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """What mkdocs.yml says."""

    file: Path
    site_name: str
    docs_dir: Path
    site_dir: Path
    options: object
    """The value of ``extra.papershelf``, unchecked; None when it is missing."""
    theme_dirs: tuple[Path, ...] = ()
    """Where MkDocs looks for templates."""
    is_self_contained: bool = False
    """Whether a site is made of the project's files alone: no plugin or hook may look elsewhere, nor an extension."""

    @property
    def project_dir(self) -> Path:
        """Return the folder that mkdocs.yml is in."""
        return self.file.parent


class ConfigFileError(PapershelfError):
    """The configuration cannot be used."""

    def __init__(self, file: Path, reason: str) -> None:
        super().__init__(f"{file}: {reason}")


def read_site_config(file: Path) -> SiteConfig:
    """Return what mkdocs.yml says.

    Raises:
        ConfigFileError: there is no such file, or MkDocs refuses it; with MkDocs' reasons.
    """
    config = load_mkdocs_config(file)
    if config.theme.name != "material":
        raise ConfigFileError(file, f"expected under theme: `name: material`, found {config.theme.name!r}")
    return SiteConfig(
        file=file.resolve(),
        site_name=str(config.site_name),
        docs_dir=Path(config.docs_dir),
        site_dir=Path(config.site_dir),
        options=config.extra.get("papershelf"),
        theme_dirs=tuple(Path(folder) for folder in config.theme.dirs),
        is_self_contained=_is_self_contained(config),
    )


def has_own_extensions_only(config: MkDocsConfig) -> bool:
    """Return whether Markdown is what generated pages are written for: `ALL_EXTENSIONS`, without options."""
    options = {name: values for name, values in config.mdx_configs.items() if values}
    return set(config.markdown_extensions) == set(ALL_EXTENSIONS) and not options


def _is_self_contained(config: MkDocsConfig) -> bool:
    text = Path(config.config_file_path).read_text(encoding="utf-8")
    elsewhere = config.plugins or config.hooks or "!ENV" in text or "INHERIT" in text
    return not elsewhere and has_own_extensions_only(config)


def load_mkdocs_config(file: Path, *, site_dir: Path | None = None) -> MkDocsConfig:
    """Return MkDocs' own configuration object, checked.

    Raises:
        ConfigFileError: as `read_site_config`.
    """
    if not file.is_file():
        raise ConfigFileError(file, "there is no such file; `papershelf new DIR` makes a folder with one")
    # MkDocs insists that the theme's folder exists; it is filled by each build.
    (file.resolve().parent / THEME_FOLDER).mkdir(parents=True, exist_ok=True)
    reasons = _Messages()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(reasons)
    try:
        # Given whole, since MkDocs would make it relative to the current folder.
        config = load_config(str(file.resolve()), **({"site_dir": str(site_dir)} if site_dir else {}))
    except (Abort, ConfigurationError, yaml.YAMLError, OSError, UnicodeDecodeError) as error:
        raise ConfigFileError(file, "; ".join(reasons.found) or str(error)) from error
    finally:
        logger.removeHandler(reasons)
    return config


class _Messages(logging.Handler):
    """Collects errors that MkDocs logs before it gives up."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(record.getMessage())
