"""HTML's entities, by their full names only.

A text enters; it leaves with each entity as its character. Unlike browsers, it reads none that lacks its semicolon, so
``&copy=3`` in an address stays.
"""

import re
from html import unescape
from html.entities import html5

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|([A-Za-z][A-Za-z0-9]{1,31}));")


def unescape_entities(text: str) -> str:
    """Return ``text`` with its entities as characters, be they escaped once or twice."""
    return _once(_once(text)) if "&" in text else text


def _once(text: str) -> str:
    return _ENTITY.sub(lambda m: unescape(m[0]) if not m[1] or m[1] + ";" in html5 else m[0], text)
