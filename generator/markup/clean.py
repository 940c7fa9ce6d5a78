"""Unicode repairs before parsing.

A raw text enters; the same text leaves without characters that cannot be seen or that break XML, in NFC, with
typographic ligatures spelled out, together with the names of what was removed.
"""

import re
import unicodedata

_LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}
"""PDF extraction leaves these; spelled out, the words can be searched."""

_BLANK_CONTROLS = re.compile("[\t\x0b\x0c\x1c-\x1f\x85\u2028]")
"""Control characters that separate: a blank takes their place, so that no words are glued."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # C0 and C1 controls; U+0002 stands for a lost hyphen and rejoins its word
    "\u00ad"  # soft hyphen
    "\u200b\u200e\u200f\u2060\ufeff"  # zero-width space, direction marks, word joiner, stray byte order mark
    "\u202a-\u202e\u2066-\u2069"  # bidi controls: they can make text read other than it is
    "\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff"  # interlinear marks and non-characters
    "\ud800-\udfff]"  # lone surrogates cannot be written as UTF-8
)


def clean_unicode(raw: str) -> tuple[str, tuple[str, ...]]:
    """Return the cleaned text and the removed control characters as ``U+XXXX``, each once, sorted.

    Line ends become ``\\n``. Soft hyphens and a stray byte order mark are removed without a word: they never
    carry meaning.
    """
    if raw.isascii() and raw.isprintable():
        return raw, ()
    text = raw.replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n\n")
    found = set(_INVISIBLE.findall(text)) | set(_BLANK_CONTROLS.findall(text))
    if found:
        text = _INVISIBLE.sub("", _BLANK_CONTROLS.sub(" ", text))
    text = unicodedata.normalize("NFC", text.translate(_LIGATURES))
    return text, tuple(sorted(f"U+{ord(c):04X}" for c in found - set("\t\u00ad\ufeff\u2028")))
