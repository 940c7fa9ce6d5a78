"""Enters: an entry.

Leaves: how to cite it, in plain text.
"""

from generator.model import Entry

MOST_AUTHORS = 3
"""More of them are the first one and others."""

DERIVED = "[title derived from the abstract]"
"""Behind a title that is not the authors'."""


def cite(entry: Entry) -> str:
    """Return authors, title, collection, year and address on one line of plain text, as far as they are known."""
    parsed = entry.titled.parsed
    record = parsed.paper.record
    authors = ", ".join(parsed.authors) if len(parsed.authors) <= MOST_AUTHORS else f"{parsed.authors[0]} et al."
    title = entry.titled.title_text + (f" {DERIVED}" if entry.titled.title_derived else "")
    year = None if record.year is None or str(record.year) in record.collection else str(record.year)
    where = ", ".join(part for part in (record.collection, year) if part)
    parts = [part if part[-1] in ".?!" else f"{part}." for part in (authors, title, where) if part]
    return " ".join(" ".join([*parts, record.url or ""]).split())
