"""TeX formulas, by way of math-core.

TeX enters; a `Formula` with its Unicode reading leaves, or a `BrokenFormula` with the reason; `to_mathml` gives the
MathML of a formula once it is shown.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape

from math_core import LatexError, LatexToMathML

from generator.markup.clean import clean_unicode
from generator.markup.entities import unescape_entities
from generator.markup.guard import MAX_TEX, refusal
from generator.markup.reading import read_unicode
from generator.markup.tree import BrokenFormula, Formula

__all__ = ["MAX_TEX", "REPAIRS", "read_formula", "symbol", "to_mathml"]

# `convert_with_local_state` keeps nothing between calls.
_CONVERTER = LatexToMathML(fancy_error=False, annotation=True, allow_unreliable_rendering=True)

_DOUBLED = re.compile(r"\\{2,}(?=[%#&_$])|\\\\(?=[A-Za-z]{2}|[{}|,;:!])")
_STYLE = re.compile(r'(<[a-z]+(?: [a-z-]+="[^"<>]*")*?) style="([^"]*)"')
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
    r"\varliminf": r"\liminf ", r"\bigtimes": "⨉", r"\bbone": "𝟙", r"\mathellipsis": "…", r"\centerdot": r"\cdot ",
    r"\smallsetminus": r"\setminus ", r"\dotsc": r"\ldots ", r"\dotso": r"\ldots ", r"\dotsb": r"\cdots ",
    r"\dotsm": r"\cdots ", r"\dotsi": r"\cdots ", r"\eps": r"\epsilon ", r"\E": r"\mathbb{E}",
    r"\mathds": r"\mathbb", r"\mathbbm": r"\mathbb", r"\pmb": r"\boldsymbol", r"\nicefrac": r"\frac",
    r"\sfrac": r"\frac", r"\textsl": r"\textit", r"\unit": r"\mathrm", r"\si": r"\mathrm",
    **{rf"\{name}": rf"\operatorname{{{name}}}" for name in
       ("Tr", "tr", "Var", "Cov", "KL", "sgn", "sign", "diag", "rank", "supp", "softmax", "ReLU", "poly", "polylog",
        "vol", "conv", "prox", "erf", "id", "Id", "OPT", "TV", "JS", "relu", "sigmoid", "dom", "spn")},
    **dict.fromkeys(
        [r"\xspace", r"\ensuremath", r"\smash", r"\mathnormal", r"\num", r"\framebox", r"\mathllap", r"\mathrlap",
         r"\mathclap", r"\llap", r"\rlap", r"\allowbreak", r"\nobreak", r"\nolinebreak", r"\strut", r"\protect",
         r"\nonumber", r"\notag", r"\displaylimits", r"\noindent"], ""
    ),
}  # fmt: skip
"""Commands of packages that math-core does not know, and what is the same or nearest to them; of some, only the
argument matters, and a few names that half of all papers define for themselves mean the operator of that name."""

_OTHER_NAME = re.compile(
    "(?:" + "|".join(map(re.escape, sorted(_OTHER_NAMES, key=len, reverse=True))) + r")(?![A-Za-z])[ ]?"
)
_DELIMITED = re.compile(r"\\(norm|abs)(?![A-Za-z])\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_SUBSTACK = re.compile(r"\\substack\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_QUANTITY = re.compile(r"\\(?:SI|qty)\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_TAG = re.compile(r"\\(?:tag\*?|label)\s*\{[^{}]*\}")
_ENVIRONMENT = re.compile(
    r"(\\(?:begin|end)\{)(align|eqnarray|flalign|split|gather|multline|alignat|alignedat|xalignat)\*?\}(\{\d+\})?"
)
_SCRIPT_TAG = re.compile(r"<(su[bp])>([^<>$]{1,40})</\1>", re.IGNORECASE)
_TEX_QUOTES = re.compile(r"``([^`'{}]*)''")
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
_ESCAPED_MARK = re.compile(r"\\([*^<>~=\-+'\"()\[\]/@])|\\_(?=\{|\\|[A-Za-z0-9]\b)")
_ACCENT = re.compile(r"\\['`\"^~=.](?:\{\s*([A-Za-z])\s*\}|([A-Za-z]))")
_LEFT_RIGHT = re.compile(r"\\(?:left|right)(?![A-Za-z])\s*\.?")
_BIG = re.compile(r"\\[Bb]igg?[lrm]?(?![A-Za-z])\s*(?=\\(?![{}|lr])|[^\\\s()\[\]|/<>.])")
_COMMENT = re.compile(r"(?<![\\\d])%[^\n]*\n")
_UNESCAPED = re.compile(r"(?<!\\)((?:\\\\)*)([%#])")
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


def _rename(tex: str) -> str:
    return _OTHER_NAME.sub(lambda match: _OTHER_NAMES[match[0].strip()], tex)


def _with_delimiters(tex: str) -> str:
    tex = _DELIMITED.sub(lambda m: rf"\lVert {m[2]}\rVert " if m[1] == "norm" else rf"\lvert {m[2]}\rvert ", tex)
    return _QUANTITY.sub(r"\1\\,\\mathrm{\2}", tex)


def _environments(tex: str) -> str:
    """Name environments that number their lines, or are unknown to math-core, by those that only align them."""
    return _ENVIRONMENT.sub(
        lambda match: match[1] + ("gathered}" if match[2] in ("gather", "multline") else "aligned}"), tex
    )


REPAIRS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("entities of HTML inside a formula", lambda t: clean_unicode(unescape_entities(t))[0]),
    ("names of text commands that math-core does not know", lambda t: _TEXT_COMMAND.sub(r"\\text", t)),
    ("backslashes doubled by an export, in a table too", lambda t: re.sub(r"\\\\(?=[A-Za-z%#&_${}|,;])", r"\\", t)),
    ("$ inside \\text, which math-core does not know", lambda t: _map_text(t, _split_text)),
    ("characters of text, which math-core knows inside \\text only", lambda t: _TEXT_SYMBOL.sub(r"\\text{\1}", t)),
    ("characters that math-core knows by another name", _rename),
    ("norms, absolute values and quantities with units", _with_delimiters),
    ("rows below each other", lambda t: _SUBSTACK.sub(r"\\begin{matrix}\1\\end{matrix}", t)),
    ("numbers and labels of equations", lambda t: _TAG.sub("", t)),
    ("environments of aligned lines", _environments),
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
    if "\\begin" not in tex:
        # Outside a table, `\\\\mathsf` and `\\\\%` are doubled by an export; math-core would break the line.
        tex = _DOUBLED.sub(r"\\", tex)
    elif "\\\\begin" in tex:
        tex = tex.replace("\\\\", "\\")
    tex = tex.replace(r"\_{", "_{")  # escaped for Markdown; no identifier goes on with a brace
    if "%" in tex or "#" in tex:
        tex = _UNESCAPED.sub(r"\1\\\2", _COMMENT.sub("\n", tex))
    if "`" in tex:
        tex = _TEX_QUOTES.sub(r"“\1”", tex)
    if "<su" in tex.lower():
        tex = _SCRIPT_TAG.sub(lambda match: f"{'_' if match[1].lower() == 'sub' else '^'}{{{match[2]}}}", tex)
    return _OPENING_PAIR.sub("{ ", _TAG_START.sub("< ", " ".join(tex.split())).replace("`", "‘"))


def read_formula(tex: str, *, display: bool, source: str) -> Formula | BrokenFormula:
    """Return the formula, repaired if need be, or why it cannot be read.

    Args:
        tex: TeX between the delimiters.
        display: Whether it stands on a line of its own.
        source: The text as written, delimiters included; shown when the formula cannot be read.
    """
    repaired, reading, reason = _repaired(tex)
    return BrokenFormula(source, reason) if reason else Formula(repaired, display, reading)


@lru_cache(maxsize=65_536)
def _repaired(tex: str) -> tuple[str, str, str]:
    """Return the TeX that math-core can read, its reading, and an empty reason; or the reason why there is none."""
    candidate = _spelled(tex)
    if "\\begin" in candidate:
        candidate = _environments(candidate)  # numbers of lines mean nothing here
    elif "\\\\" in candidate:
        candidate = f"\\begin{{gathered}}{candidate}\\end{{gathered}}"
    reason = refusal(candidate)
    if reason:
        return candidate, "", reason
    try:
        return candidate, read_unicode(candidate), ""
    except LatexError as error:
        reason = str(error)
    for _, repair in REPAIRS:
        repaired = _spelled(repair(candidate))
        if repaired == candidate:
            continue
        candidate = repaired
        if reason_now := refusal(candidate):
            return candidate, "", reason_now
        try:
            return candidate, read_unicode(candidate), ""
        except LatexError:
            continue
    return candidate, "", reason


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
        reading = escape(read_unicode(tex))
    except LatexError as error:
        raise ValueError(str(error)) from error
    # \color and columns write style attributes, which the content security policy forbids.
    return _STYLE.sub(_class_for_style, mathml).replace("<math", f'<math alttext="{reading}"', 1)


def _class_for_style(match: re.Match[str]) -> str:
    """Return an element's start with a class for the side that a column keeps to, which the style sheet knows."""
    side = next((side for side in ("right", "left") if f"text-align: {side}" in match[2]), None)
    return f'{match[1]} class="shelf-{side}"' if side else match[1]


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
