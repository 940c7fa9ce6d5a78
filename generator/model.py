"""The types that cross the pipeline's stages.

Each stage has a type of its own and adds to the one before by holding it, so that no field is ever "not yet
filled"; all are frozen. Whatever is made of a record can name its source file and record number.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from generator.markup.tree import MarkupText
from generator.problems import Problem

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
"""What a JSON file can hold."""


@dataclass(frozen=True, slots=True, order=True)
class SourceRef:
    """Where a record was read."""

    file: str
    """The file's name as shown to readers: relative to the project's folder, never absolute."""
    record: int
    """The record's number within its file, from 1."""


@dataclass(frozen=True, slots=True)
class Record:
    """One abstract as a source holds it, nothing interpreted yet."""

    source: SourceRef
    collection: str
    """Name of the collection that the record belongs to, such as ``ICML 2025``; never empty."""
    abstract: str
    """The raw text, mixed markup and all; never blank."""
    title: str | None = None
    """The authors' title, raw; None when the source has none."""
    source_id: str | None = None
    """The source's own id."""
    authors: tuple[str, ...] = ()
    """Names in the source's order, as written."""
    year: int | None = None
    keywords: tuple[str, ...] = ()
    """The authors' own keywords, as written."""
    url: str | None = None
    """An http or https address."""
    extra: Mapping[str, Json] | None = None
    """Fields of the source that Papershelf has no use for, kept for the data file."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """What was found out about one source file; for the report."""

    file: str
    format: str
    """Name of the reader that took it, such as ``text`` or ``jsonl``."""
    encoding: str
    """The encoding it was read in, such as ``utf-8`` or ``cp1252``."""
    records: int
    """Records read, those without an abstract included."""
    collection: str
    """The collection's name."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One abstract, once: all records with the same text are merged into it."""

    id: str
    """12 hex digits of a hash over the abstract's letters and digits; the same text has the same id everywhere."""
    record: Record
    """The first record, its missing fields filled from the later ones."""
    sources: tuple[SourceRef, ...]
    """Every record that holds this text, in reading order; the first is ``record.source``."""
    collections: tuple[str, ...]
    """The collections of those records, each once, in reading order; the first is ``record.collection``."""


@dataclass(frozen=True, slots=True)
class ParsedPaper:
    """A paper whose markup has been understood."""

    paper: Paper
    abstract: MarkupText
    author_title: MarkupText | None
    """The title that the source gives; None when there is none."""
    authors: tuple[str, ...] = ()
    """The authors' names in plain text."""
    keywords: tuple[str, ...] = ()
    """The authors' own keywords in plain text."""


@dataclass(frozen=True, slots=True)
class TitledPaper:
    """A paper with a title to show."""

    parsed: ParsedPaper
    title: MarkupText
    title_derived: bool
    """True when the title was derived from the abstract, so that it is never passed off as the authors'."""

    @property
    def id(self) -> str:
        """Return the paper's id."""
        return self.parsed.paper.id

    @property
    def title_text(self) -> str:
        """Return the title in plain text, on one line."""
        return " ".join(self.title.plain.split())


@dataclass(frozen=True, slots=True)
class Tag:
    """One entry of the tag vocabulary."""

    label: str
    """The form that readers see, such as ``large language models``."""
    slug: str
    """File name of its page without suffix; unique without regard to case, and kept by the lock."""
    terms: tuple[str, ...]
    """The normalised variants that count as this tag, sorted; what they look like is known to ``tags/`` alone."""
    prior: int
    """Log odds, in thousandths, that a paper is about the tag which mentions it once, in passing."""
    bar: int
    """The chance, in ten-thousandths, above which a paper gains by the tag."""
    scale: int
    """How much a chance above the bar counts, from 0 to 1000; tags of few papers have more."""
    context: tuple[tuple[str, int], ...] = ()
    """Words whose company tells that a paper is about the tag, the strongest first, each with its log odds."""
    topic: str = ""
    """Slug of the tag that leads its topic; empty in small vocabularies, which have none."""
    generation: int = 0
    """0 for tags of the first choice; those that later builds add count up, and come after all before them."""
    ruled: bool = False
    """Whether it is there because a rule of the user asks for it, and goes with the rule."""


@dataclass(frozen=True, slots=True)
class Tagging:
    """The vocabulary and who has what."""

    vocabulary: tuple[Tag, ...]
    """Sorted by slug; includes tags that no paper has in this build, since the lock keeps them."""
    tags: tuple[tuple[Tag, ...], ...]
    """One per paper, same order; within a paper the most telling tag comes first."""
    problems: tuple[Problem, ...] = ()
    """The user's rules that could not be followed."""


@dataclass(frozen=True, slots=True)
class Related:
    """One related paper, with the reason."""

    paper_id: str
    score: float
    """Closeness from 0 to 1, higher is closer, of texts and of the company they keep; rounded to three places."""
    terms: tuple[str, ...]
    """Up to four terms or tags that both share, as readers would write them, the most telling first."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper with all that its page, the data file and the search need; all stages before writing end here."""

    titled: TitledPaper
    stem: str
    """File name of its page in ``abstracts/`` without suffix; kept by the lock."""
    added: str
    """The day it was first built, ``YYYY-MM-DD``."""
    tags: tuple[Tag, ...]
    related: tuple[Related, ...]

    @property
    def id(self) -> str:
        """Return the paper's id."""
        return self.titled.id

    @property
    def url(self) -> str:
        """Return the page's address relative to the site's root."""
        return f"abstracts/{self.stem}.html"


@dataclass(frozen=True, slots=True)
class Page:
    """One generated page of ``docs_src/``."""

    src_uri: str
    """Path within ``docs_src/`` with forward slashes, ending in ``.md``."""
    text: str
    """The whole Markdown text, front matter included."""
    matter: Mapping[str, Json]
    """What the front matter says."""

    @property
    def markdown(self) -> str:
        """Return the text after the front matter."""
        return self.text.partition("\n---\n")[2]
