"""Addresses: which are followed, and how they are written.

An address as a text has it enters; it leaves without escapes, or as it can stand in a page.
"""

import re
from urllib.parse import quote

from generator.markup.clean import clean_unicode
from generator.markup.entities import unescape_entities

_SAFE = "/:?#@!&'*+,;=%~-._"
_BALANCED = re.compile(r"[^()]*(?:\([^()]*\)[^()]*)*+")
_ESCAPE = re.compile(r"\\([_%&#~$])(?:\{\})?")


def is_followed(url: str) -> bool:
    """Return whether an address may become a link: one of the web or of mail, no other."""
    return url.lower().startswith(("http://", "https://", "mailto:"))


def read_address(source: str) -> str:
    """Return an address without LaTeX's backslashes, HTML's entities, and whatever cannot be seen."""
    url = _ESCAPE.sub(r"\1", unescape_entities(source))
    return "".join(clean_unicode(url)[0].split())


def quote_address(url: str) -> str:
    """Return an address with odd characters percent-encoded; brackets only where they have no partner."""
    return quote(url, safe=_SAFE + "()" if _BALANCED.fullmatch(url) else _SAFE)
