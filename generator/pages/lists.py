"""Lists in pages.

The entries of a list enter; its parts leave, each with the paths of its neighbours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of a list."""

    src_uri: str
    """Its own path in ``docs_src/``."""
    number: int
    """From 1."""
    last: int
    """Number of the list's last page."""
    total: int
    """Entries of the whole list."""
    first_entry: int
    """Number of its first entry within the list, from 1; 0 when the list is empty."""
    items: Sequence[Any]
    """Its entries."""
    src_uris: tuple[str, ...]
    """The paths of all pages of the list, in order."""

    @property
    def previous(self) -> str | None:
        """Return the path of the page before, None on the first."""
        return self.src_uris[self.number - 2] if self.number > 1 else None

    @property
    def next(self) -> str | None:
        """Return the path of the page after, None on the last."""
        return self.src_uris[self.number] if self.number < self.last else None


def paginate(src_uri: str, items: Sequence[Any], entries_per_page: int) -> Iterator[Listing]:
    """Yield the pages of a list; an empty list is one empty page.

    Page n of ``tags/gpt.md`` is ``tags/gpt/n.md``, and of ``tags/index.md`` it is ``tags/n.md``: so page 2 of ``gpt``
    never meets the tag ``gpt-2``.
    """
    stem = src_uri.removesuffix("/index.md") if src_uri.endswith("/index.md") else src_uri.removesuffix(".md")
    last = max(1, -(-len(items) // entries_per_page))
    src_uris = (src_uri, *(f"{stem}/{number}.md" for number in range(2, last + 1)))
    for number in range(1, last + 1):
        start = (number - 1) * entries_per_page
        yield Listing(
            src_uri=src_uris[number - 1],
            number=number,
            last=last,
            total=len(items),
            first_entry=start + 1 if items else 0,
            items=items[start : start + entries_per_page],
            src_uris=src_uris,
        )
