"""What must not reach math-core, since it would crash the process or take for ever.

TeX enters; the reason to refuse it leaves, or nothing.
"""

import re

MAX_TEX = 20_000
"""Longest TeX that is handed to math-core, in characters; nobody reads a longer formula."""

MAX_DEPTH = 200
"""Deepest nesting of braces, environments and delimiters. math-core crashes the process at some 3,000."""

MAX_COMMANDS = 1_500
"""Most commands and scripts in one formula: they nest without braces too, as in ``\\frac1\\frac1\\frac1``."""

MAX_WORK = 1 << 22
"""Most characters that math-core may have to read, some 0.05 s. After an opening bracket that nothing closes it reads
the rest twice, so its time doubles with each: 24 take a second, 40 a day."""

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


def refusal(tex: str) -> str | None:
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
