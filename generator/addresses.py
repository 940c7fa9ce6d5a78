"""Stage *addresses*: which file each paper's page is.

Titled papers and the lock enter; the lock's addresses, extended, leave. Sees all papers.
"""

from collections.abc import Mapping, Sequence

from generator.lock import Address
from generator.model import TitledPaper
from generator.slugs import slugify_name

_SHORT_ID = 6


def assign_addresses(papers: Sequence[TitledPaper], known: Mapping[str, Address], *, today: str) -> dict[str, Address]:
    """Return an address for every paper, and all known ones as they were.

    A new paper gets ``<slug of its title>-<first 6 digits of its id>``; where that is taken, all 12 digits.

    Args:
        papers: Papers with different ids.
        known: Addresses by paper id, from the lock.
        today: The build's date, ``YYYY-MM-DD``, for papers that are new.
    """
    addresses = dict(known)
    taken = {address.stem.lower() for address in known.values()}
    for paper in sorted(papers, key=lambda paper: paper.id):  # so that the order of sources does not matter
        if paper.id in addresses:
            continue
        slug = slugify_name(paper.title.plain, fallback="abstract")
        stem = f"{slug}-{paper.id[:_SHORT_ID]}"
        if stem.lower() in taken:
            stem = f"{slug}-{paper.id}"
        taken.add(stem.lower())
        addresses[paper.id] = Address(stem, today)
    return addresses
