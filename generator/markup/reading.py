"""The one Unicode reading of a formula: a line for search, titles, exports and screen readers.

TeX enters; its reading leaves, from a walk over the MathML that math-core makes of it.
"""

import html
import re
import unicodedata
from functools import lru_cache
from xml.etree import ElementTree

from math_core import LatexError, LatexToMathML

MAX_LEVELS = 400
"""Deepest nesting of MathML elements. Browsers give up at some 500."""

# `convert_with_local_state` keeps nothing between calls.
_CONVERTER = LatexToMathML(fancy_error=False, annotation=False, allow_unreliable_rendering=True)
_NAMED_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z]+;")


@lru_cache(maxsize=65_536)
def read_unicode(tex: str) -> str:
    """Return the Unicode reading of TeX: one line, for search, titles, exports and screen readers.

    Raises:
        LatexError: math-core cannot read it.
    """
    mathml = _CONVERTER.convert_with_local_state(tex, displaystyle=False)
    # math-core writes some of HTML's named entities, which XML does not know.
    named = _NAMED_ENTITY.sub(lambda match: html.unescape(match[0]), mathml)
    try:
        levels = [[ElementTree.fromstring(named)]]  # noqa: S314
    except ElementTree.ParseError as error:  # an attribute twice, seen with \\mathrel\\middle
        raise LatexError(f"no well-formed MathML: {error}") from error
    while inside := [child for element in levels[-1] for child in element]:
        if len(levels) == MAX_LEVELS:
            raise LatexError("nested too deep")
        levels.append(inside)
    readings: dict[ElementTree.Element, str] = {}
    for level in reversed(levels):
        for element in level:
            readings[element] = _read(element, [readings[child] for child in element])
    linear = readings[levels[0][0]]
    text = _APPLICATION.sub(lambda match: " " if match[1] else "", linear).translate(_PLAIN)
    # Letters of mathematical alphabets become plain ones, so that a search for "O(n)" finds a calligraphic O.
    return " ".join(unicodedata.normalize("NFKC", text).split())


_WITH_SCRIPTS = ("msub", "msup", "msubsup", "munder", "mover", "munderover")
_APPLICATION = re.compile("\u2061(?=(\\w)?)")
_PLAIN = {0x2217: "*", 0x2212: "-", **dict.fromkeys([*range(0x2061, 0x2065), *range(0xFE00, 0xFE10)])}
"""Operators as people type them; signs that nobody sees, and those that only choose a letter's shape, are dropped."""

_COMBINING = {
    "˜": "\u0303", "~": "\u0303", "ˆ": "\u0302", "^": "\u0302", "¯": "\u0304", "‾": "\u0304", "→": "\u20d7",
    "⃗": "\u20d7", "˙": "\u0307", "¨": "\u0308", "ˇ": "\u030c", "˘": "\u0306", "´": "\u0301", "`": "\u0300",
}  # fmt: skip


def _read(element: ElementTree.Element, parts: list[str]) -> str:
    """Return the reading of an element from those of its children."""
    match element.tag:
        case "mi" | "mn" | "mo" | "mtext" | "ms":
            return "".join(element.itertext())  # \textbf puts a <b> inside
        case "mspace":
            return " " if element.get("width") else ""
        case "munder" if parts[1] in "_\u0332\u203e\u23df\u23b5":
            return parts[0]
        case "msub" | "munder":
            return parts[0] + "_" + _grouped(parts[1])
        case "msup":
            return parts[0] + _superscript(parts[1])
        case "mover":
            accent = _COMBINING.get(parts[1])
            return parts[0] + accent if accent else parts[0] + _superscript(parts[1])
        case "msubsup" | "munderover":
            return parts[0] + "_" + _grouped(parts[1]) + _superscript(parts[2])
        case "mfrac":
            return _grouped(parts[0]) + "/" + _grouped(parts[1])
        case "msqrt":
            return "√" + _grouped("".join(parts))
        case "mroot":
            return _grouped(parts[1]) + "√" + _grouped(parts[0])
        case "mtr":
            return ", ".join(parts)
        case "mtable":
            return "; ".join(parts)
        case _:
            return _in_a_row(element, parts)


def _in_a_row(element: ElementTree.Element, parts: list[str]) -> str:
    """Join the children of a row, with a blank where they would read as one: ``log n``, ``x_i y``, but ``mc^2``."""
    row = ""
    apart = False  # whether the piece before must not touch a letter or digit
    for child, part in zip(element, parts, strict=True):
        word = len(part) > 1 and part[:2].isalpha() and child.tag != "mn"
        if row and part and (word or apart) and row[-1].isalnum() and part[0].isalnum():
            row += " "
        row += part
        if part:
            apart = (word and child.tag != "mtext") or child.tag in _WITH_SCRIPTS
    return row


def _grouped(part: str) -> str:
    return part if len(part) <= 1 or part.isalnum() else f"({part})"


def _superscript(part: str) -> str:
    return part if part and all(c in "′″‴*†‡∗" for c in part) else "^" + _grouped(part)
