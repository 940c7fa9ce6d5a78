"""Formulas: what stands between dollars, ``\\( \\)``, ``\\[ \\]`` or in an environment, against money.

A token that may open a formula enters; a formula, a broken formula or plain words leave.
"""

import re

from generator.markup.formula import MAX_TEX, read_formula
from generator.markup.state import State
from generator.markup.tree import BrokenFormula

MATH_ENVIRONMENTS = frozenset(
    {"equation", "align", "gather", "multline", "eqnarray", "displaymath", "math", "flalign", "alignat", "aligned",
     "gathered", "split", "xalignat", "alignedat", "cases", "array", "matrix", "pmatrix", "bmatrix", "vmatrix"}
)  # fmt: skip
_UNWRAPPED = frozenset({"equation", "displaymath", "math"})
"""Environments that only say where a formula is."""

_BRACE_OR_DOLLAR = re.compile(r"\\.|[{}$]|\n[ \t]*\n", re.DOTALL)
_PLAIN_WORD = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3,}(?![A-Za-z}])")
_AMOUNT = re.compile(
    r"\d[\d,.]*\s*(?:[kKMBT]|bn|million|billion|trillion|thousand|USD|per|/|-|–|—|and|to|or|vs)?(?![A-Za-z\d^_\\])"
)
_CONNECTIVES = re.compile(r"(?:(?:to|and|or|for|per|in|of|vs\.?|with|by|from|on|at|is|are|a|the)\s*)+")
_WORD_AT_END = re.compile(r"[\s\d][a-z]{2,}\Z|[–—-]\Z")
_SUM_IN_BRACKETS = re.compile(r"\d[\d,.]*[kKMBT]?\)[^$]*[A-Za-z][^$]*\(\Z")
"""What stands between the dollars of ``($20) and ($30)``."""

_REFERENCE = re.compile(r"\s*\d[\d,;–\s-]*")
_BREAK_LENGTH = re.compile(r"\[[^\]\n]{0,10}\][ \t]*\n?[ \t]*")
_MANY_DOLLARS = re.compile(r"\${4,}")
_COMMAND = re.compile(r"\\[A-Za-z]+\s*\{[^{}]*\}|\\[A-Za-z]+")
_SURELY_TEX = r"((?=[^$\n]*?(?:\\[A-Za-z]|[\^_]))(?![\d\s.,]+\\?\$)\S(?:(?:[^$\n\\]|\\[^$\n]){0,78}?\S)??)"
_ESCAPED_END = re.compile(r"\$" + _SURELY_TEX + r"\\\$")
_ESCAPED_FORMULA = re.compile(r"\\\$(?:" + _SURELY_TEX + r"|(\d+(?:\.\d+)?))\\\$(?!\d)")
"""Formulas whose closing dollar, or both, have a backslash before them; at most 80 characters, with a command in it."""

_ADDRESS = re.compile(r"\s*\{?\s*(?:\\(?:url|href)\s*\{|https?://)")
_OPERATOR = re.compile(r"\\(?!text|emph|url|href|[,; ])[A-Za-z]{2,}|[=+<>|^_]")


def dollar(state: State, match: re.Match[str]) -> None:
    """Read ``$…$`` or ``$$…$$``."""
    start, mark = match.start(), match[0]
    if run := _MANY_DOLLARS.match(state.text, start):
        state.words(run[0])
        state.at = run.end()
        return
    if mark == "$$":
        end = state.find("$$")
        inner = state.text[state.at : end] if end > state.at else ""
        if inner.strip() and "\n\n" not in inner and _is_display(inner):
            _formula(state, inner, end + 2, start=start, display=True)
        else:
            state.words(mark)
        return
    if state.dollars is None:
        state.dollars = _closing_dollars(state.text)
    end = state.dollars.get(start, -1)
    tex = state.text[state.at : end]
    before, after = state.before(match), state.text[end + 1 : end + 2]
    if end >= 0 and _is_formula(tex, before=before, after=after):
        _formula(state, tex, end + 1, start=start, display=False)
    elif escaped := _ESCAPED_END.match(state.text, start):
        _formula(state, escaped[1], escaped.end(), start=start, display=False)
    elif end >= 0 and _is_text(tex, before=before, after=after):
        state.nested(tex)
        state.at = end + 1
        state.report("formula", "dollars around words", "the words are kept", state.text[start : state.at])
    else:
        state.words(mark)


def escaped_dollar(state: State, match: re.Match[str]) -> bool:
    """Read ``\\$x^2\\$``, a formula whose dollars were escaped once too often; return whether it was one."""
    found = _ESCAPED_FORMULA.match(state.text, match.start())
    if not found:
        return False
    _formula(state, found[1] or found[2], found.end(), start=match.start(), display=False)
    return True


def bracket(state: State, match: re.Match[str]) -> None:
    """Read ``\\(…\\)`` or ``\\[…\\]``, also with doubled backslashes; else an escaped bracket or a line break."""
    opener = match[0]
    closer = opener[:-1] + (")" if opener[-1] == "(" else "]")
    end = state.find(closer)
    tex = state.text[state.at : end] if 0 <= end - state.at <= MAX_TEX else ""
    doubled = len(opener) == 3
    if tex.strip() and "\n\n" not in tex and not _is_bracketed_text(tex, square=opener[-1] == "["):
        _formula(state, tex, end + len(closer), start=match.start(), display=opener[-1] == "[")
    elif doubled:
        state.words("\n")
        state.at -= 1
        state.skip(_BREAK_LENGTH)
    else:
        state.words(opener[1])


def environment(state: State, match: re.Match[str], name: str) -> None:
    """Read ``\\begin{align}…\\end{align}``; without an end it is shown as written."""
    doubled = match[0].startswith("\\\\")  # by an export
    closer = f"\\\\end{{{name}}}" if doubled else f"\\end{{{name}}}"
    end = state.find(closer)
    if end < 0:
        state.words(match[0])
        state.report("formula", f"a formula that nothing ends with {closer}", "its source is shown", match[0])
        return
    inner = state.text[state.at : end]
    plain_name = name.removesuffix("*")
    tex = inner if plain_name in _UNWRAPPED else match[0] + inner + closer
    if doubled:
        tex = tex.replace("\\\\", "\\")
    _formula(state, tex, end + len(closer), start=match.start(), display=plain_name != "math")


def _formula(state: State, tex: str, end: int, *, start: int, display: bool) -> None:
    source = state.text[start:end]
    node = read_formula(tex, display=display, source=source)
    if isinstance(node, BrokenFormula):
        state.report("formula", f"no readable formula ({node.reason})", "its source is shown", source)
    state.add(node)
    state.at = end


def _closing_dollars(text: str) -> dict[int, int]:
    """Return for each dollar the one that would close a formula opened by it: the next at the same depth of braces.

    So that ``$\\text{at $k$ steps}$`` is one formula. A dollar whose braces never balance is closed by the very next
    one. Paragraphs are apart.
    """
    closing: dict[int, int] = {}
    waiting: list[tuple[int, int]] = []  # dollars without a closer yet, with their depth, deepest last
    previous = -1
    depth = 0
    for match in _BRACE_OR_DOLLAR.finditer(text):
        mark = match[0]
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
        elif mark == "$":
            at = match.start()
            if previous >= 0:
                closing[previous] = at
            while waiting and waiting[-1][1] >= depth:
                closing[waiting.pop()[0]] = at
            waiting.append((at, depth))
            previous = at
        elif mark[0] == "\n":
            waiting.clear()
            previous = -1
            depth = 0
    return closing


def _is_display(tex: str) -> bool:
    """Return whether ``$$…$$`` holds a formula, and not the sentence between two empty pairs of dollars."""
    return _plain_words(tex) < 8


def _is_formula(tex: str, *, before: str, after: str) -> bool:
    """Return whether what stands between two dollars is a formula: not money, and not the prose between two sums."""
    stripped = tex.strip()
    if not stripped or "\n\n" in tex:
        return False
    starts_blank, ends_blank = tex[0].isspace(), tex[-1].isspace()
    if starts_blank != ends_blank and (after.isdigit() or (tex[0].isdigit() and "\\" not in tex) or _plain_words(tex)):
        return False
    if starts_blank and (before.isdigit() or _CONNECTIVES.fullmatch(stripped)):
        return False  # as in ``100$ and 200$``
    if before.isdigit() and ends_blank and "\\" not in tex:
        return False  # as in ``5$, $x$``
    if _AMOUNT.match(stripped) and (after.isdigit() or (ends_blank and _WORD_AT_END.search(stripped))):
        return False
    if _SUM_IN_BRACKETS.match(tex) or _ADDRESS.match(tex):
        return False
    words = _plain_words(tex)
    # Words with operators between them, as in ``$p(reading|owl)>p(owl|reading)$``.
    return words < 3 or (words < 8 and not (starts_blank or ends_blank) and len(_OPERATOR.findall(tex)) * 2 >= words)


def _is_bracketed_text(tex: str, *, square: bool) -> bool:
    """Return whether escaped brackets of Markdown stand around this: words, or the number of a reference."""
    if square and _REFERENCE.fullmatch(tex):
        return True
    return bool(_plain_words(tex)) and not _OPERATOR.search(tex) and not tex.lstrip().startswith("\\")


def _is_text(tex: str, *, before: str, after: str) -> bool:
    """Return whether dollars stand close around words or an address, where they mean nothing but italics."""
    return (
        not tex[:1].isspace()
        and not tex[-1:].isspace()
        and not tex[:1].isdigit()
        and "\n\n" not in tex
        and (before.isspace() or before in "([{“‘\"'")
        and not after.isalnum()
        and bool(_plain_words(tex) or _ADDRESS.match(tex))
    )


def _plain_words(tex: str) -> int:
    """Return how many words of three letters and more stand outside commands and their arguments."""
    return len(_PLAIN_WORD.findall(_COMMAND.sub(" ", tex)))
