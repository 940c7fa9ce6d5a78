"""TeX formulas, by way of math-core.

TeX enters; a `Formula` with its Unicode reading leaves, or a `BrokenFormula` with the reason; `to_mathml` gives the
MathML of a formula once it is shown.
"""

import html
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from xml.etree import ElementTree

from math_core import LatexError, LatexToMathML

from generator.markup.tree import BrokenFormula, Formula

MAX_TEX = 20_000
"""Longest TeX that is handed to math-core, in characters; nobody reads a longer formula."""

MAX_DEPTH = 200
"""Deepest nesting of braces, environments and delimiters. math-core crashes the process at some 3,000."""

MAX_COMMANDS = 1_500
"""Most commands and scripts in one formula: they nest without braces too, as in ``\\frac1\\frac1\\frac1``."""

MAX_LEVELS = 400
"""Deepest nesting of MathML elements. Browsers give up at some 500."""

MAX_WORK = 1 << 22
"""Most characters that math-core may have to read, some 0.05 s. After an opening bracket that nothing closes it reads
the rest twice, so its time doubles with each: 24 take a second, 40 a day."""

# `convert_with_local_state` keeps nothing between calls.
_CONVERTER = LatexToMathML(fancy_error=False, annotation=True, allow_unreliable_rendering=True)
_BARE_CONVERTER = LatexToMathML(fancy_error=False, annotation=False, allow_unreliable_rendering=True)

_NESTING = re.compile(r"\\(?:begin|left)(?![A-Za-z])|(?<!\\)\{|\\(?:end|right)(?![A-Za-z])|(?<!\\)\}")
_DEFINITION = re.compile(r"\\(?:(?:re)?newcommand|providecommand|def|let|global)(?![A-Za-z])")
_CLOSED_BY = {
    "(": ")", "[": "]", r"\{": r"\}", r"\lbrace": r"\rbrace", r"\lbrack": r"\rbrack", r"\langle": r"\rangle",
    r"\lceil": r"\rceil", r"\lfloor": r"\rfloor", r"\lvert": r"\rvert", r"\lVert": r"\rVert",
}  # fmt: skip
"""Brackets that are known to close each other; any other opening one counts as one that nothing closes."""

_OPENING = (
    r"[(\[⌈⌊⌜⌞⎰❲⟅⟦⟨⟪⟬⟮〈⦃⦅⦇⦉⦋⦍⦏⦑⦓⦕⦗⧘⧚⧼]|\\\{|\\(?:l(?:[Bb]race|brack|paren|[Aa]ngle|ang|langle|ceil|floor|[Vv]ert|group"
    r"|moustache|lbracket|lparenthesis)|ulcorner|llcorner|mathopen|[Bb]ra|[Bb]raket|[Ss]et|p?mod|pod)(?![A-Za-z])"
)
_CLOSING = r"[)\]]|\\\}|\\r(?:brace|brack|angle|ceil|floor|vert|Vert)(?![A-Za-z])"
_FENCE = r"(?![A-Za-z])\s*(?:\\[A-Za-z]+|\\.|[^\\{}])?"
_OPEN = re.compile(rf"\\[Bb]igg?l{_FENCE}|{_OPENING}")
_BRACKET = re.compile(
    rf"(?P<open>\\[Bb]igg?l{_FENCE}|{_OPENING})|(?P<close>\\[Bb]igg?r{_FENCE}|{_CLOSING})"
    rf"|(?P<fence>\\[Bb]igg?m?{_FENCE})|(?P<begin>\{{|\\left{_FENCE}|\\begin(?![A-Za-z]))"
    rf"|(?P<end>\}}|\\right{_FENCE}|\\end(?![A-Za-z]))|(?P<divide>&|\\\\|\\middle{_FENCE})"
    r"|(?P<two>\\(?:[cdt]?frac|[dt]?binom|overset|underset|stackrel|textcolor)(?![A-Za-z]))"
    r"|(?P<one>\\[A-Za-z]+|[\^_])|(?P<other>\\.|\S)",
    re.DOTALL,
)
_UNSURE = re.compile(r"(?<!\\)%|\\(?:sqrt|x[A-Za-z]+)\s*\[|\\(?:genfrac|prescript|sideset|mathchoice)(?![A-Za-z])")
"""Where brackets are arguments, or comments, in ways that are not worth following."""

_DOUBLED = re.compile(r"\\\\(?=[A-Za-z]{2}|[%#&_$])")
_STYLE = re.compile(r'(<[a-z]+(?: [a-z-]+="[^"<>]*")*?) style="[^"]*"')
_NAMED_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z]+;")
_TEXT_SYMBOL = re.compile(
    r"(\\text(?:less|greater|e[mn]dash|bullet|degree|ellipsis|asciitilde|quote[a-z]+))(?![A-Za-z])(?:\{\})?"
)
_TEXT_WITH_MATH = re.compile(r"\\text(?:rm|bf|it|tt|sf|sc|normal)?\{([^{}]*\$[^{}]*)\}")


def _split_text(match: re.Match[str]) -> str:
    pieces = match[1].split("$")
    return "".join(piece if index % 2 else f"\\text{{{piece}}}" for index, piece in enumerate(pieces) if piece)


REPAIRS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("entities of HTML inside a formula", html.unescape),
    ("\\mbox and \\textnormal, unknown to math-core", lambda t: re.sub(r"\\(?:mbox|textnormal)\b", r"\\text", t)),
    ("backslashes doubled by an export", lambda t: re.sub(r"\\\\(?=[A-Za-z%#&_$])", r"\\", t)),
    ("$ inside \\text, which math-core does not know", lambda t: _TEXT_WITH_MATH.sub(_split_text, t)),
    ("characters of text, which math-core knows inside \\text only", lambda t: _TEXT_SYMBOL.sub(r"\\text{\1}", t)),
    ("\\* of escaped Markdown", lambda t: t.replace("\\*", "*").replace("\\_", "_")),
)
"""What is tried, one after the other and each on top of the ones before, when math-core refuses a formula."""


def read_formula(tex: str, *, display: bool, source: str) -> Formula | BrokenFormula:
    """Return the formula, repaired if need be, or why it cannot be read.

    Args:
        tex: TeX between the delimiters.
        display: Whether it stands on a line of its own.
        source: The text as written, delimiters included; shown when the formula cannot be read.
    """
    candidate = " ".join(tex.split())
    if "\\begin" not in candidate:
        # Outside a table, `\\\\mathsf` and `\\\\%` are doubled by an export; math-core would break the line.
        candidate = _DOUBLED.sub(r"\\", candidate)
    reason = _refusal(candidate)
    if reason:
        return BrokenFormula(source, reason)
    try:
        return Formula(candidate, display, _reading(candidate))
    except LatexError as error:
        reason = str(error)
    for _, repair in REPAIRS:
        repaired = repair(candidate)
        if repaired == candidate:
            continue
        candidate = repaired
        if reason_now := _refusal(candidate):
            return BrokenFormula(source, reason_now)
        try:
            return Formula(candidate, display, _reading(candidate))
        except LatexError:
            continue
    return BrokenFormula(source, reason)


def to_mathml(tex: str, *, display: bool) -> str:
    """Return the MathML Core of TeX, the TeX as its annotation, without any style attribute.

    Raises:
        ValueError: math-core cannot read it, or it is too long or nested too deep to be tried.
    """
    reason = _refusal(tex)
    if reason:
        raise ValueError(reason)
    try:
        mathml = _CONVERTER.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        raise ValueError(str(error)) from error
    # \color writes a style attribute, which the content security policy forbids.
    return _STYLE.sub(r"\1", mathml)


@lru_cache(maxsize=512)
def symbol(command: str) -> str | None:
    """Return the one character that a TeX command without arguments stands for, such as ``α``; else None."""
    try:
        reading = _reading(command)
    except LatexError:
        return None
    return reading if len(reading) == 1 else None


def _refusal(tex: str) -> str | None:
    """Return why this TeX must not reach math-core; None when it may."""
    if not tex.strip():
        return "an empty formula"
    if len(tex) > MAX_TEX:
        return f"longer than {MAX_TEX:,} characters"
    depth = deepest = 0
    for match in _NESTING.finditer(tex):
        depth += 1 if match[0] == "{" or match[0] in ("\\begin", "\\left") else -1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        return f"nested more than {MAX_DEPTH} deep"
    if tex.count("\\") + tex.count("^") + tex.count("_") > MAX_COMMANDS:
        return f"more than {MAX_COMMANDS:,} commands"
    if _DEFINITION.search(tex):
        return "it defines commands"
    brackets = len(_OPEN.findall(tex))
    if len(tex) << brackets > MAX_WORK and len(tex) << _unclosed_brackets(tex) > MAX_WORK:
        return "too many brackets that nothing closes"
    return None


def _unclosed_brackets(tex: str) -> int:
    """Return how many opening brackets have no closing one of their kind within their group.

    Rather too many than too few: a bracket that may be the argument of a command, as in ``\\hat)``, closes nothing.
    """
    if _UNSURE.search(tex):
        return len(_OPEN.findall(tex))
    unclosed = 0
    waiting: list[str] = []  # what would close the brackets open in this group, innermost last
    arguments = 0  # of a command, still to come
    outer: list[tuple[list[str], int]] = []
    for match in _BRACKET.finditer(tex):
        kind = match.lastgroup
        if kind == "begin":
            outer.append((waiting, max(0, arguments - 1)))
            waiting, arguments = [], 0
        elif kind in ("end", "divide"):
            unclosed += len(waiting)
            waiting, arguments = outer.pop() if outer and kind == "end" else ([], 0)
        elif kind == "one":
            arguments = max(1, arguments)
        elif kind == "two":
            arguments = max(0, arguments - 1) + 2
        else:
            if kind == "open":
                waiting.append("big" if match[0].lower().startswith(r"\big") else _CLOSED_BY.get(match[0], ""))
            elif kind == "close" and not arguments and waiting:
                closer = "big" if match[0].lower().startswith(r"\big") else match[0]
                if waiting[-1] == closer:
                    waiting.pop()
            arguments = max(0, arguments - 1)
    return unclosed + len(waiting) + sum(len(brackets) for brackets, _ in outer)


@lru_cache(maxsize=65_536)
def _reading(tex: str) -> str:
    """Return the Unicode reading of TeX: one line, for search, titles, exports and screen readers.

    Raises:
        LatexError: math-core cannot read it.
    """
    mathml = _BARE_CONVERTER.convert_with_local_state(tex, displaystyle=False)
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
_PLAIN = {0x2217: "*", 0x2212: "-", **dict.fromkeys(range(0xFE00, 0xFE10))}
"""Operators as people type them; variation selectors, which only choose a letter's shape, are dropped."""

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
