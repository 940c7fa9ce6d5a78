"""The options under ``extra.papershelf`` in mkdocs.yml.

Whatever YAML holds there enters; `Settings` leave, or one error that names every fault.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from generator.markup.macros import Macro, read_macros
from generator.problems import PapershelfError

MOST_ENTRIES = 200
"""Most entries on one page of a list; a longer page is slow to open on a phone."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every option, with its default; the line under it is what the documentation says."""

    sources: tuple[str, ...] = ()
    """Files and folders to read when ``papershelf build`` is given none; relative to mkdocs.yml."""
    entries_per_page: int = MOST_ENTRIES
    """Entries on one page of an index, tag or collection list, from 10 to 200."""
    search: bool = True
    """Whether to build the search index."""
    macros: Mapping[str, Macro] = field(default_factory=dict)
    """The authors' own LaTeX commands, by name: ``{R: "\\mathbb{R}", norm: "\\|#1\\|"}``."""


class SettingsError(PapershelfError):
    """Options that are not what they should be."""

    def __init__(self, file: str, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"{file}: under extra.papershelf:" + "".join(f"\n  {fault}" for fault in faults))


def read_settings(options: object, *, file: str) -> Settings:
    """Return the settings.

    Args:
        options: The value of ``extra.papershelf``; None when it is missing.
        file: Name of the file it comes from, for the message.

    Raises:
        SettingsError: with every fault.
    """
    if options is None:
        return Settings()
    if not isinstance(options, Mapping):
        raise SettingsError(file, [f"expected options with values, found {options!r}"])
    known = [field.name for field in fields(Settings)]
    faults = [f"{name!s}: no such option; there are {', '.join(known)}" for name in options if name not in known]
    sources = options.get("sources", [])
    if isinstance(sources, str):
        sources = [sources]
    if sources is None:
        sources = []
    if not isinstance(sources, list) or not all(isinstance(source, str) and source for source in sources):
        faults.append(f"sources: expected a list of files and folders, found {sources!r}")
        sources = []
    entries = options.get("entries_per_page", MOST_ENTRIES)
    if isinstance(entries, bool) or not isinstance(entries, int) or not 10 <= entries <= MOST_ENTRIES:
        faults.append(f"entries_per_page: expected a whole number from 10 to {MOST_ENTRIES}, found {entries!r}")
    search = options.get("search", True)
    if not isinstance(search, bool):
        faults.append(f"search: expected true or false, found {search!r}")
    macros, macro_faults = read_macros(options.get("macros"))
    faults += macro_faults
    if faults:
        raise SettingsError(file, faults)
    return Settings(sources=tuple(sources), entries_per_page=entries, search=search, macros=macros)
