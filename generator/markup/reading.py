"""The one Unicode reading of a formula: a line for search, titles, exports and screen readers.

TeX enters; its reading leaves, from a walk over the MathML that math-core makes of it.
"""

import html
import re
import unicodedata
from functools import lru_cache
from xml.etree import ElementTree

from math_core import LatexError, LatexToMathML

from generator.marks import normalize

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
    return " ".join(normalize("NFKC", text).split())


_WITH_SCRIPTS = ("msub", "msup", "msubsup", "munder", "mover", "munderover")
_APPLICATION = re.compile("\u2061(?=(\\w)?)")
_PLAIN = {0x2217: "*", 0x2212: "-", **dict.fromkeys([*range(0x2061, 0x2065), *range(0xFE00, 0xFE10)])}
"""Operators as people type them; signs that nobody sees, and those that only choose a letter's shape, are dropped."""

_COMBINING = {
    "˜": "\u0303", "~": "\u0303", "ˆ": "\u0302", "^": "\u0302", "¯": "\u0304", "‾": "\u0304", "_": "\u0304",
    "\u0332": "\u0304", "→": "\u20d7", "˙": "\u0307", "¨": "\u0308", "ˇ": "\u030c", "˘": "\u0306", "´": "\u0301",
    "`": "\u0300", "˚": "\u030a",
}  # fmt: skip
_MARKED = re.compile(r"[^\W_](?=[^\W_]*\Z)")
_ROOTS = {"2": "√", "3": "∛", "4": "∜"}
_ORDINALS = frozenset({"th", "st", "nd", "rd"})
_SIGNS_ABOVE = frozenset("′″‴*†‡∗°")
_BRACES = frozenset("_\u0332\u203e\u23de\u23df\u23b4\u23b5")
"""Lines and braces below or above a whole expression, which a line of text leaves out."""


def _read(element: ElementTree.Element, parts: list[str]) -> str:
    """Return the reading of an element from those of its children."""
    match element.tag:
        case "mi" | "mn" | "mo" | "mtext" | "ms":
            return "".join(element.itertext())  # \textbf puts a <b> inside
        case "mspace":
            return " " if element.get("width") else ""
        case "mphantom":
            return ""
        case "munder" if parts[1] in _BRACES:
            return parts[0]
        case "msub" | "munder":
            return parts[0] + "_" + _grouped(parts[1])
        case "msup":
            return _base(element, parts[0]) + _superscript(element[1], parts[1])
        case "mover":
            return _over(element, parts[0], parts[1].strip())
        case "msubsup" | "munderover":
            return parts[0] + "_" + _grouped(parts[1]) + _superscript(element[2], parts[2])
        case "mfrac" if element.get("linethickness") == "0":
            return f"{parts[0]} choose {parts[1]}"
        case "mfrac":
            return _grouped(parts[0]) + "/" + _factor(element[1], parts[1])
        case "msqrt":
            inside = element[0] if len(element) == 1 else element
            return "√" + _factor(inside, "".join(parts))
        case "mroot" if parts[1] in _ROOTS:
            return _ROOTS[parts[1]] + _factor(element[0], parts[0])
        case "mroot":
            return f"{_factor(element[0], parts[0])}^(1/{_grouped(parts[1])})"
        case "mtr":
            aligned = any("right" in cell.get("style", "") for cell in element)
            return ("" if aligned else ", ").join(part for part in parts if part)
        case "mtable":
            return "; ".join(parts)
        case _:
            return _in_a_row(element, parts)


def _in_a_row(element: ElementTree.Element, parts: list[str]) -> str:
    """Join the children of a row, with a blank where they would read as one: ``log n``, ``x_i y``, but ``mc^2``."""
    row = ""
    apart = False  # whether the piece before must not touch a letter or digit
    for number, (child, part) in enumerate(zip(element, parts, strict=True)):
        following = next((other for other in parts[number + 1 :] if other), "")
        if child.tag == "mfrac" and "/" in part and following[:1].isalnum():
            part = f"({part})"  # noqa: PLW2901 - 1/2x would be another number
        word = len(part) > 1 and part[:2].isalpha() and child.tag != "mn"
        if row and part and (word or apart) and row[-1].isalnum() and part[0].isalnum():
            row += " "
        row += part
        if part:
            apart = (word and child.tag != "mtext") or child.tag in _WITH_SCRIPTS
    return row


def _over(element: ElementTree.Element, base: str, above: str) -> str:
    """Return a letter with its accent, or what stands above something else as a superscript."""
    if not above or (above in _BRACES and element.get("accent") != "true") or above in "\u23de\u23b4":
        return base
    if accent := _COMBINING.get(above) or (above if unicodedata.combining(above[0]) and len(above) == 1 else None):
        return _MARKED.sub(lambda letter: letter[0] + accent, base) if base.isalnum() else base + accent
    return base + _superscript(element[1], above)


def _base(element: ElementTree.Element, part: str) -> str:
    """Return the base of a power, in brackets when it is a fraction or a root with an index."""
    return f"({part})" if element[0].tag in ("mfrac", "mroot") else part


def _grouped(part: str) -> str:
    return part if len(part) <= 1 or part.isalnum() else f"({part})"


def _factor(element: ElementTree.Element, part: str) -> str:
    """Return what a root or a fraction's bar holds together: in brackets when it is a product, unless it is ``dx``."""
    product = len(element) > 1 and len(part) > 1 and not (len(part) == 2 and part[0] in "d∂")
    return f"({part})" if product and part.isalnum() else _grouped(part)


def _superscript(element: ElementTree.Element, part: str) -> str:
    part = part.replace("∘", "°") if part in ("∘", "∘C", "∘F") else part
    if part and all(c in _SIGNS_ABOVE for c in part):
        return part
    return "^" + (part if part in _ORDINALS else _factor(element, part))
