"""TeX formulas, by way of math-core.

TeX enters; a `Formula` with its Unicode reading leaves, or a `BrokenFormula` with the reason; `to_mathml` gives the
MathML of a formula once it is shown.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape

from math_core import LatexError, LatexToMathML

from generator.markup.entities import unescape_entities
from generator.markup.guard import MAX_TEX, refusal
from generator.markup.reading import read_unicode
from generator.markup.tree import BrokenFormula, Formula

__all__ = ["MAX_TEX", "REPAIRS", "read_formula", "symbol", "to_mathml"]

# `convert_with_local_state` keeps nothing between calls.
_CONVERTER = LatexToMathML(fancy_error=False, annotation=True, allow_unreliable_rendering=True)

_DOUBLED = re.compile(r"\\\\(?=[A-Za-z]{2}|[%#&_${}|])")
_STYLE = re.compile(r'(<[a-z]+(?: [a-z-]+="[^"<>]*")*?) style="[^"]*"')
_TEXT = r"\\(?:text(?:rm|bf|it|tt|sf|sc|normal|up|md)?|mbox|hbox|emph)"
_TEXT_COMMAND = re.compile(r"\\(?:mbox|hbox|textnormal|textup|textmd)(?![A-Za-z])")
_TEXT_START = re.compile(_TEXT + r"\s*\{")
_TEXT_SYMBOL = re.compile(
    r"(\\text(?:less|greater|e[mn]dash|bullet|degree|ellipsis|asciitilde|quote[a-z]+))(?![A-Za-z])(?:\{\})?"
)
_OTHER_NAMES = {
    r"\textlangle": r"\langle ", r"\textrangle": r"\rangle ", r"\textperthousand": "‰", r"\textpercent": r"\%",
    r"\textdollar": r"\$", r"\textunderscore": r"\_", r"\textasteriskcentered": "*", r"\textbackslash": r"\backslash ",
    r"\textpm": r"\pm ", r"\texttimes": r"\times ", r"\textmu": "µ", r"\textalpha": r"\alpha ",
    r"\textbeta": r"\beta ", r"\thicksim": r"\sim ", r"\thickapprox": r"\approx ", r"\varlimsup": r"\limsup ",
    r"\varliminf": r"\liminf ", r"\bigtimes": "⨉", r"\bbone": "𝟙", r"\ds": "", r"\xspace": "", r"\mathellipsis": "…",
}  # fmt: skip
_OTHER_NAME = re.compile("(?:" + "|".join(map(re.escape, _OTHER_NAMES)) + ")(?![A-Za-z])")
_OLD_FONT_GROUP = re.compile(r"\{\s*\\(bf|it|tt|sf|rm|cal|em)(?![A-Za-z])\s*((?:[^{}]|\{[^{}]*\})*)\}")
_OLD_FONTS = {"bf": r"\mathbf", "it": r"\mathit", "tt": r"\mathtt", "sf": r"\mathsf", "rm": r"\mathrm",
              "cal": r"\mathcal", "em": r"\mathit"}  # fmt: skip
_STYLE_IN_TEXT = re.compile(
    r"\\(?:bf|it|tt|sf|rm|sc|em|bfseries|itshape|ttfamily|sffamily|scshape|small|footnotesize|scriptsize|tiny|large"
    r"|Large|normalsize)(?![A-Za-z])\s*"
)
_SIZE = re.compile(
    r"\\(?:small|footnotesize|scriptsize|tiny|large|Large|LARGE|huge|Huge|normalsize|bfseries|itshape|ttfamily)"
    r"(?![A-Za-z])\s*"
)
_ESCAPED_MARK = re.compile(r"\\([*^<>~=\-+'\"])|\\_(?=\{|\\|[A-Za-z0-9]\b)")
_ACCENT = re.compile(r"\\['`\"^~=.](?:\{\s*([A-Za-z])\s*\}|([A-Za-z]))")
_LEFT_RIGHT = re.compile(r"\\(?:left|right)(?![A-Za-z])\s*\.?")
_BIG = re.compile(r"\\[Bb]igg?[lrm]?(?![A-Za-z])\s*(?=\\(?![{}|lr])|[^\\\s()\[\]|/<>.])")
_COMMENT = re.compile(r"(?<![\\\d])%[^\n]*\n")
_PERCENT = re.compile(r"(?<!\\)((?:\\\\)*)%")
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")
_OPENING_PAIR = re.compile(r"\{(?=[{%#])")  # without an opening pair, `}}` means nothing to a template engine
_PLAIN_BRACES = re.compile(r"(?<!\\)[{}]")


def _map_text(tex: str, change: Callable[[str, str], str]) -> str:
    """Return TeX with each ``\\text{…}`` replaced by what ``change`` makes of its opener and its content."""
    parts = []
    at = 0
    while start := _TEXT_START.search(tex, at):
        depth, end = 1, -1
        for brace in _PLAIN_BRACES.finditer(tex, start.end()):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                end = brace.start()
                break
        if end < 0:
            break
        parts += [tex[at : start.start()], change(start[0][:-1].strip(), tex[start.end() : end])]
        at = end + 1
    return "".join([*parts, tex[at:]])


def _split_text(opener: str, content: str) -> str:
    pieces = content.split("$")
    if len(pieces) % 2 == 0:
        return f"{opener}{{{content}}}"
    return "".join(piece if index % 2 else f"{opener}{{{piece}}}" for index, piece in enumerate(pieces) if piece)


def _plain_text(opener: str, content: str) -> str:
    """Take out what math-core does not know inside ``\\text``: styles, commands for one character, TeX's quotes."""
    content = _STYLE_IN_TEXT.sub("", content)
    content = re.sub(r"\\([<>*^~=+])", r"\1", content).replace("``", "“").replace("''", "”")
    return f"{opener}{{{content}}}"


def _balance(tex: str) -> str:
    """Add the braces that are missing at the end, or take away those that are too many there."""
    depth = 0
    for brace in _PLAIN_BRACES.finditer(tex):
        depth += 1 if brace[0] == "{" else -1
        if depth < 0:
            rest = tex[brace.start() :]
            return tex[: brace.start()] if not rest.strip("} ") else tex
    return tex + "}" * depth


def _accents_in_text(tex: str) -> str:
    return _ACCENT.sub(lambda match: f"\\text{{{match[0]}}}", tex)


REPAIRS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("entities of HTML inside a formula", unescape_entities),
    ("names of text commands that math-core does not know", lambda t: _TEXT_COMMAND.sub(r"\\text", t)),
    ("backslashes doubled by an export", lambda t: re.sub(r"\\\\(?=[A-Za-z%#&_${}|,;])", r"\\", t)),
    ("$ inside \\text, which math-core does not know", lambda t: _map_text(t, _split_text)),
    ("characters of text, which math-core knows inside \\text only", lambda t: _TEXT_SYMBOL.sub(r"\\text{\1}", t)),
    ("characters that math-core knows by another name", lambda t: _OTHER_NAME.sub(lambda m: _OTHER_NAMES[m[0]], t)),
    ("styles and signs inside \\text", lambda t: _map_text(t, _plain_text)),
    ("fonts of old, as in {\\bf x}", lambda t: _OLD_FONT_GROUP.sub(lambda m: f"{_OLD_FONTS[m[1]]}{{{m[2]}}}", t)),
    ("sizes, which a formula does not change", lambda t: _SIZE.sub("", t)),
    ("marks escaped for Markdown", lambda t: _ESCAPED_MARK.sub(lambda m: m[1] or "_", t)),
    ("accents of text", _accents_in_text),
    ("braces missing at the end, or too many there", _balance),
    ("\\left and \\right without each other", lambda t: _LEFT_RIGHT.sub("", t)),
    ("sizes of brackets before something else", lambda t: _BIG.sub("", t)),
)  # fmt: skip
"""What is tried, one after the other and each on top of the ones before, when math-core refuses a formula."""


def _spelled(tex: str) -> str:
    """Return TeX on one line, spelled so that neither a tag, code, a comment nor a template can begin in it."""
    tex = tex.replace(r"\_{", "_{")  # escaped for Markdown; no identifier goes on with a brace
    if "%" in tex:
        tex = _PERCENT.sub(r"\\%", _COMMENT.sub("\n", tex))
    return _OPENING_PAIR.sub("{ ", _TAG_START.sub("< ", " ".join(tex.split())).replace("`", "‘"))


@lru_cache(maxsize=65_536)
def read_formula(tex: str, *, display: bool, source: str) -> Formula | BrokenFormula:
    """Return the formula, repaired if need be, or why it cannot be read.

    Args:
        tex: TeX between the delimiters.
        display: Whether it stands on a line of its own.
        source: The text as written, delimiters included; shown when the formula cannot be read.
    """
    candidate = _spelled(tex)
    if "\\begin" not in candidate:
        # Outside a table, `\\\\mathsf` and `\\\\%` are doubled by an export; math-core would break the line.
        candidate = _DOUBLED.sub(r"\\", candidate)
    elif "\\\\begin" in candidate:
        candidate = candidate.replace("\\\\", "\\")
    reason = refusal(candidate)
    if reason:
        return BrokenFormula(source, reason)
    try:
        return Formula(candidate, display, read_unicode(candidate))
    except LatexError as error:
        reason = str(error)
    for _, repair in REPAIRS:
        repaired = _spelled(repair(candidate))
        if repaired == candidate:
            continue
        candidate = repaired
        if reason_now := refusal(candidate):
            return BrokenFormula(source, reason_now)
        try:
            return Formula(candidate, display, read_unicode(candidate))
        except LatexError:
            continue
    return BrokenFormula(source, reason)


@lru_cache(maxsize=16_384)
def to_mathml(tex: str, *, display: bool) -> str:
    """Return the MathML Core of TeX, the TeX as its annotation and its Unicode reading as ``alttext``, without styles.

    Raises:
        ValueError: math-core cannot read it, or it is too long or nested too deep to be tried.
    """
    reason = refusal(tex)
    if reason:
        raise ValueError(reason)
    try:
        mathml = _CONVERTER.convert_with_local_state(tex, displaystyle=display)
    except LatexError as error:
        raise ValueError(str(error)) from error
    # \color writes a style attribute, which the content security policy forbids.
    reading = escape(read_unicode(tex))
    return _STYLE.sub(r"\1", mathml).replace("<math", f'<math alttext="{reading}"', 1)


@lru_cache(maxsize=512)
def symbol(command: str) -> str | None:
    """Return what a TeX command without arguments stands for: one character such as ``α``, or a name such as ``log``.

    None for any other command.
    """
    try:
        reading = read_unicode(command)
    except LatexError:
        return None
    return reading if len(reading) == 1 or reading == command[1:] else None
