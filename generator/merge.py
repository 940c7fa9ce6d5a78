"""Enters: all records, in reading order.

Leaves: one paper for each distinct text, with the fields, sources and collections of all records that hold it.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.marks import normalize
from generator.model import Json, Paper, Record

ID_DIGITS = 12
"""Length of an id in hex digits: among 100,000 papers, two share one by chance in 1 of 56,000 sites."""


# Deleting bytes takes a fifth of the time of asking each character, and most abstracts are ASCII.
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())


@dataclass(frozen=True, slots=True)
class Merged:
    """The papers, and how many records were no papers of their own."""

    papers: tuple[Paper, ...]
    """One per distinct id, in the order of their first records."""
    duplicates: int
    """Number of records that went into the paper of an earlier one."""


def merge_records(records: Sequence[Record]) -> Merged:
    """Return one paper for each distinct text among ``records``, in the order in which they first appear."""
    records_by_id: dict[str, list[Record]] = {}
    for record in records:
        records_by_id.setdefault(paper_id(record.abstract), []).append(record)
    papers = tuple(_merge(id_, group) for id_, group in records_by_id.items())
    return Merged(papers, len(records) - len(papers))


def paper_id(abstract: str) -> str:
    """Return 12 hex digits for the raw abstract, the same for all texts that have the same letters and digits.

    So blanks, punctuation, letters' case and markup signs don't matter. A text that has neither letter nor digit
    is taken as it is.
    """
    significant = letters_and_digits(abstract)
    return hashlib.blake2b(significant or abstract.encode(), digest_size=ID_DIGITS // 2).hexdigest()


def letters_and_digits(text: str) -> bytes:
    """Return what is compared of a text: its letters and digits in NFKC, case-folded, as UTF-8."""
    # Folding case can undo composition and composing can make capitals, hence twice:
    # https://www.unicode.org/versions/Unicode16.0.0/core-spec/chapter-3/#G53513
    folded = normalize("NFKC", normalize("NFKC", text).casefold())
    significant = folded.encode().translate(None, _ASCII_SIGNS)
    if not significant.isascii():
        significant = "".join(filter(str.isalnum, significant.decode())).encode()
    return significant


def _merge(id_: str, group: list[Record]) -> Paper:
    first = group[0]
    if len(group) == 1:
        return Paper(id_, first, (first.source,), (first.collection,))
    extra: dict[str, Json] = {}
    for record in group:
        for name, value in (record.extra or {}).items():
            extra.setdefault(name, value)
    filled = replace(
        first,
        title=next((record.title for record in group if record.title), None),
        source_id=next((record.source_id for record in group if record.source_id), None),
        authors=next((record.authors for record in group if record.authors), ()),
        year=next((record.year for record in group if record.year is not None), None),
        keywords=next((record.keywords for record in group if record.keywords), ()),
        url=next((record.url for record in group if record.url), None),
        extra=extra or None,
    )
    sources = tuple(record.source for record in group)
    return Paper(id_, filled, sources, tuple(dict.fromkeys(record.collection for record in group)))
