"""LaTeX's text: groups, environments, accents and escapes; the commands of letters are in ``commands.py``.

A brace, an environment or a backslash with a sign enters; groups open and close, or words, lists and formulas leave.
"""

import re

from generator.markup import latex
from generator.markup.building import unchanged
from generator.markup.clean import clean_unicode
from generator.markup.entities import unescape_entities
from generator.markup.formula import symbol
from generator.markup.rules import math
from generator.markup.rules.commands import (
    BRACED,
    EMPTY_BRACES,
    OPTION,
    RAW_ARGUMENT,
    STYLING,
    accent,
    address,
    command,
    finish_for,
)
from generator.markup.state import MAX_OPEN, State
from generator.markup.tree import Code, Node, Words

_ESCAPED = {c: c for c in "%&$#_{}*[]()+!<>|\\?"} | {
    ",": "\u202f",
    ";": " ",
    ":": " ",
    " ": " ",
    "!": "",
    "/": "",
    "@": "",
    "\n": " ",
}
"""What a backslash and one character stand for, be it LaTeX's escape or Markdown's."""

_OLD_STYLE = re.compile(
    r"\{\s*\\(" + "|".join(sorted(latex.OLD_STYLE_COMMANDS, key=len, reverse=True)) + r")(?![A-Za-z])\s*"
)
_PROTECTED = re.compile(
    r"\{\{([^\s{}\\$](?:[^{}\\$\n]*[^\s{}\\$])?)\}\}|(?<![\w$])\{([^\W_]+(?:[-'’][^\W_]+)*)\}|(?<!\$)\{([A-Z]+)\}"
)
_LOST_BACKSLASH = re.compile(r"\{(?:" + "|".join(sorted(STYLING, key=len, reverse=True)) + r")(?=\{)")
"""What some exports make of ``\\emph{…}``: a brace for the backslash, and one at the end."""

_BARE_ADDRESS = re.compile(r"\{(https?://(?:[^{}\\]|\\.)*+)\}")
_TEX_GROUP = re.compile(r"\{(?=\\(?![\\{}]))")
_NEXT_ARGUMENT = re.compile(r"(?=\{)")
_BREAK_END = re.compile(r"\*?(?:\[[^\]\n]{0,10}\])?[ \t]*\n?[ \t]*")
_ESCAPED_QUOTES = re.compile(r"\\([\"'])[^\"'\\{}]{2,200}\\\1(?![A-Za-z{])")
_CONTRACTION = re.compile(r"(?<=[^\W\d_])\\'(s|re|ll|m|t|ve|d)(?![^\W_])|(?<=[^\W\d_])\\'()(?=[\s.,;:)])")
_HYPHENS = re.compile(r"\\?-+")
_ENTITY = re.compile(r"&(?:amp;)?#?\w{2,32};")
_MORE_BRACES = re.compile(r"\{+(?=\{)")
_MORE_CLOSING = re.compile(r"\}+")
_ESCAPED_BACKTICK = re.compile(r"\\?`")
_ESCAPED_APOSTROPHE = re.compile(r"\\?'")
_THOUSANDS = re.compile(r"\{([,.:;-])\}")
_DOUBLED = re.compile(r"([A-Za-z]+)(\s*[{\[]|(?<=item)\s)?|[%&_#$'\"^~]")
_DOUBLED_COMMANDS = BRACED | latex.ACCENT_LETTERS | {"item"}
_DOUBLED_WORDS = frozenset(
    {"ldots", "dots", "noindent", "xspace", "etal", "eg", "ie", "textellipsis", "textendash", "textemdash", "bfseries",
     "itshape", "em", "bf", "it"}
)  # fmt: skip


def doubled(state: State, match: re.Match[str]) -> None:
    """Read ``\\\\``: a backslash that an export has doubled, if a known command follows; else a line break."""
    follows = _DOUBLED.match(state.text, state.at)
    name = follows[1] if follows else ""
    command = (follows is not None and (not name or (follows[2] is not None and name in _DOUBLED_COMMANDS))) or (
        # A line break stands close to the word before it; a doubled command stands for itself.
        len(name) > 2
        and not state.before(match).isalpha()
        and (name in _DOUBLED_WORDS or (name not in latex.SYMBOLS and symbol(f"\\{name}") is not None))
    )
    if command:
        state.at -= 1
    else:
        state.words("\n")


def escape(state: State, match: re.Match[str]) -> None:
    """Read a backslash and a character that is no letter: an accent, a line break or an escape."""
    character = match[0][1]
    if character == "'" and (contraction := _CONTRACTION.match(state.text, match.start())):
        state.words("'" + (contraction[1] or ""))
        state.at = contraction.end()
        return
    quotes = not state.before(match).isalnum() and _ESCAPED_QUOTES.match(state.text, match.start())
    if character in latex.ACCENT_MARKS and not quotes and accent(state, character):
        return
    if character == "-":
        _hyphen(state, match)
        return
    if character == "$" and math.escaped_dollar(state, match):
        return
    if character == "`" and state.skip(_ESCAPED_BACKTICK):
        state.words("“")
        state.open_quotes += 1
    elif character == "'" and state.skip(_ESCAPED_APOSTROPHE):
        state.words("”")
        state.open_quotes = max(0, state.open_quotes - 1)
    elif character == "&" and (entity := _ENTITY.match(state.text, match.start() + 1)):
        text, faults = clean_unicode(unescape_entities(entity[0]))
        state.words(text)
        state.faults.extend(faults)
        state.at = entity.end()
    elif character == "\\":
        state.words("\n")
        state.skip(_BREAK_END)
    elif character in _ESCAPED or character in "'\"`.~^=":
        state.words(_ESCAPED.get(character, character))
    else:
        state.words(match[0])


def _hyphen(state: State, match: re.Match[str]) -> None:
    """Read ``\\-``: where a word may be divided, if it stands inside one; else a hyphen escaped for Markdown."""
    more = state.skip(_HYPHENS)
    count = 1 + (len(more[0]) if more else 0)
    if count > 1:
        state.words({2: "–", 3: "—"}.get(count, "-" * count))
    elif not (state.before(match).isalpha() and state.after().isalpha()):
        state.words("-")


def environment(state: State, match: re.Match[str]) -> None:
    """Read ``\\begin{name}``."""
    name = match["begin_name"]
    if name.removesuffix("*") in math.MATH_ENVIRONMENTS:
        math.environment(state, match, name)
    elif name in latex.LIST_ENVIRONMENTS:
        state.open_list(match[0], ordered=latex.LIST_ENVIRONMENTS[name])
        state.skip(OPTION)
    elif name in ("verbatim", "lstlisting") and (end := state.find(f"\\end{{{name}}}")) >= 0:
        state.words("\n\n")
        state.add(Code(" ".join(state.text[state.at : end].split())))
        state.words("\n\n")
        state.at = end + len(f"\\end{{{name}}}")
    else:
        state.words("\n\n")
        state.skip(OPTION)
        for _ in range(latex.ENVIRONMENT_ARGUMENTS.get(name, 0)):
            state.skip(RAW_ARGUMENT)
        _unknown_environment(state, match, name)


def end_environment(state: State, match: re.Match[str]) -> None:
    """Read ``\\end{name}``."""
    name = match["end_name"]
    if name in latex.LIST_ENVIRONMENTS and state.close_list():
        return
    state.words("\n\n")
    _unknown_environment(state, match, name)


def _unknown_environment(state: State, match: re.Match[str], name: str) -> None:
    if name not in latex.TEXT_ENVIRONMENTS and name not in latex.LIST_ENVIRONMENTS:
        state.report("unknown-command", "an unknown environment", "its words are kept", match[0])


def open_brace(state: State, match: re.Match[str]) -> None:
    """Read ``{``: a style of old, capitals that BibTeX protects, or a brace."""
    if old := _OLD_STYLE.match(state.text, match.start()):
        state.at = old.end()
        state.push("{", old[0], finish_for(latex.OLD_STYLE_COMMANDS[old[1]]), unclosed="drop")
    elif EMPTY_BRACES.match(state.text, match.start()) and _drops_empty(state.before(match)):
        state.at += 1
    elif (bare := _BARE_ADDRESS.match(state.text, match.start())) and _take_back(state, ("href", "url")):
        address(state, match, bare, with_words=state.text.startswith("{", bare.end()))
    elif protected := _PROTECTED.match(state.text, match.start()):
        state.words(protected[1] or protected[2] or protected[3])
        state.at = protected.end()
    elif thousands := _THOUSANDS.match(state.text, match.start()):
        state.words(thousands[1])  # as in ``50{,}000``
        state.at = thousands.end()
    elif lost := _LOST_BACKSLASH.match(state.text, match.start()):
        state.at = lost.end()
        state.push("{", "{", unchanged)
        command(state, lost)  # as in ``{emph{owl}}``
    elif _TEX_GROUP.match(state.text, match.start()) or _begins_argument(state):
        state.push("{", "{", unchanged, unclosed="drop")  # as in ``{\\ss}``: TeX shows no braces
    elif len(state.stack) > MAX_OPEN and (run := state.skip(_MORE_BRACES)):
        state.words("{" + run[0])
    else:
        state.push("{", "{", _braces)


def _drops_empty(before: str) -> bool:
    """Return whether ``{}`` after this character is TeX's way to end a word, and not what a text speaks of."""
    return before.isalnum() or before in "`'”“-"


def _begins_argument(state: State) -> bool:
    """Return whether this brace is the first thing inside a command's argument, as in ``\\textbf{{Owl}}``."""
    frame = state.stack[-1]
    return frame.kind == "{" and frame.opener != "{" and not frame.nodes


def _take_back(state: State, names: tuple[str, ...]) -> bool:
    """Take a command's name from the words before, where an export has lost its backslash."""
    nodes = state.stack[-1].nodes
    last = nodes[-1] if nodes else None
    if not isinstance(last, Words):
        return False
    name = next((name for name in names if last.text.endswith(name)), None)
    if name is None or last.text[: -len(name)][-1:].isalnum():
        return False
    nodes[-1] = Words(last.text.removesuffix(name))
    return True


def _braces(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    return (Words("{"), *nodes, Words("}"))


def close_brace(state: State, match: re.Match[str]) -> None:  # noqa: ARG001
    """Read ``}``, the end of the innermost group; further arguments of an unknown command follow it."""
    depth = next(
        (depth for depth in range(len(state.stack) - 1, 0, -1) if state.stack[depth].kind in ("{", "item", "list")), 0
    )
    frame = state.stack[depth]
    if frame.kind != "{":
        run = state.skip(_MORE_CLOSING)
        state.words("}" + (run[0] if run else ""))
        return
    state.close(depth)
    if frame.more_arguments and state.skip(_NEXT_ARGUMENT):
        state.words(" ")
        state.at += 1
        state.push("{", "{", unchanged, unclosed="drop", more_arguments=True)
