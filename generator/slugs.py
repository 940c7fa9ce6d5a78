"""Enters: a name as readers see it, in any script.

Leaves: a short ASCII file name for it that every file system and every list of pages accepts.
"""

import hashlib
import re

import text_unidecode
from slugify import slugify

_SPELLED_OUT = (("++", " plus plus"), ("#", " sharp"), ("&", " and "), ("%", " percent"), ("@", " at "))
"""Signs that tell names apart, so they must not vanish: C, C++ and C# are three names."""

_APOSTROPHES = re.compile(r"['’ʼ`]")

_RESERVED = frozenset(
    ("index", "con", "prn", "aux", "nul", *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(10)))
)
"""``index`` is the list's own page; the rest are devices under Windows, whatever their suffix."""


def slugify_name(text: str, *, fallback: str, max_length: int = 60) -> str:
    """Return a file name without suffix for ``text``: lower-case ASCII letters, digits and single hyphens.

    Args:
        text: The name; may be blank, long or in any script.
        fallback: What the name is of, such as ``tag``; used alone for a text without a letter or digit, and as a
            prefix for names that are numbers alone (page numbers of lists), ``index`` or reserved by Windows.
        max_length: Longest result; the cut is made between words where that is possible.
    """
    for sign, words in _SPELLED_OUT:
        text = text.replace(sign, words + " " if not words.endswith(" ") else words)
    # Transliterated here, since python-slugify takes whichever of three packages happens to be installed.
    ascii_text = text_unidecode.unidecode(_APOSTROPHES.sub("", text))
    slug = slugify(
        ascii_text.replace("'", ""),
        entities=False,
        decimal=False,
        hexadecimal=False,
        max_length=max_length,
        word_boundary=True,
        save_order=True,
    )
    if not slug:
        return fallback
    if slug.isdigit() or slug in _RESERVED:
        return f"{fallback}-{slug}"[:max_length].rstrip("-")
    return slug


def unique_slug(slug: str, taken: set[str], text: str) -> str:
    """Return ``slug``, or ``slug`` with a suffix from a hash of ``text`` when it is taken; ``taken`` stays as it is.

    The suffix depends on ``text`` alone, so that a neighbour that comes or goes changes at most who has none.
    Slugs differ without regard to case, as file names do under Windows and macOS; ``taken`` holds slugs in lower case.
    """
    if slug.lower() not in taken:
        return slug
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    for length in range(6, len(digest) + 1, 6):
        candidate = f"{slug}-{digest[:length]}"
        if candidate.lower() not in taken:
            return candidate
    # Only the same text asked for again and again comes here.
    number = 2
    while f"{slug}-{digest[:12]}-{number}".lower() in taken:
        number += 1
    return f"{slug}-{digest[:12]}-{number}"
