"""LaTeX's commands of letters, such as ``\\emph``: one table of what each name does.

A command enters; styles open, or words, links and formulas leave. An unknown command is reported: its argument stays,
and where it has none, its name stands for the word that its author defined.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from generator.markup import latex
from generator.markup.building import Finish, code, link_to, styled, unchanged
from generator.markup.clean import clean_unicode
from generator.markup.formula import read_formula, symbol
from generator.markup.links import is_followed, read_address
from generator.markup.state import State, Unclosed
from generator.markup.tree import Code, Formula, Link, Words

Command: TypeAlias = Callable[[State, re.Match[str]], bool]
"""Reads a command whose name has just been passed; returns False when what follows is not what it needs."""

RAW_ARGUMENT = re.compile(r"\s*\{((?:[^{}\\]|\\.|\{[^{}]*\})*+)\}", re.DOTALL)
OPTION = re.compile(r"\[([^\[\]\n]{0,80})\]")
_STAR = re.compile(r"\*(?=\s*[\[{])")
_OPENING = re.compile(r"(?:\s*\[[^\[\]\n]{0,80}\])*[ \t]*\n?[ \t]*\{")
"""The beginning of an argument, options before it passed over."""

_OPENING_AT_ONCE = re.compile(r"(?:\[[^\[\]\n]{0,80}\])*\{")
EMPTY_BRACES = re.compile(r"\{\s*\}")
_EMPTY = re.compile(r"(?:\{\})?")
_END = re.compile(r"\{\}|[ ]?")
_SHORTHAND_END = re.compile(r"(?:\{\})?\.?(?!\.)")
_SPACES = re.compile(r"\s*")
_VERBATIM_ARGUMENT = re.compile(r"\s*\{([^{}\\$]*[^{}\\$\s][^{}\\$]*)\}")
_VERBATIM = re.compile(r"\*?([^\sA-Za-z*])([^\n]{1,200}?)\1")
_LENGTH = re.compile(r"(?:\{\})?\s*=?\s*-?\d*\.?\d+\s*(?:em|ex|pt|cm|mm|in)(?![A-Za-z])")
_NAMED_LENGTH = re.compile(r"\s*\\[A-Za-z]+")
_SCRIPTS = re.compile(r"(?:[_^](?:\{(?:[^{}$\n]|\{[^{}$\n]*\})*\}|[A-Za-z0-9+*]|\\[A-Za-z]+)){1,6}")
_MATH = re.compile(
    r"(?:\s*(?:\{(?:[^{}$\n]|\{[^{}$\n]*\})*\}){1,2}|\s+[A-Za-z](?![A-Za-z]))"
    r"(?:[_^](?:\{[^{}$\n]*\}|[A-Za-z0-9+*])){0,6}"
)
_ACCENTED = re.compile(r"\s*(?:\{\s*(\\[ij](?![A-Za-z])|[A-Za-z]?)\s*\}|(\\[ij](?![A-Za-z])[ ]?|[A-Za-z]))")
_JSON_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|((?:\\n)+)(?=[A-Z0-9\s(]|\Z)")
_PATH = re.compile(r"[A-Za-z]:((?:\\[\w.-]+)+)")
_BARE_ADDRESS = re.compile(r"[\w.-]+\.[a-z]{2,}(?:/\S*)?")


def command(state: State, match: re.Match[str]) -> None:
    """Read a command: one of the table, a sign or a formula of mathematics, or an unknown one."""
    name = match[0][1:]
    state.skip(_STAR)
    known = COMMANDS.get(name)
    if not ((known and known(state, match)) or _mathematics(state, match)):
        _unknown(state, match)


def accent(state: State, mark: str) -> bool:
    """Read an accent and the letter under it; return False when it is none."""
    argument = _ACCENTED.match(state.text, state.at)
    if not argument:
        return False
    apart = argument[0][0].isspace()
    if (mark.isalpha() and not apart and argument[2]) or (not mark.isalpha() and apart):
        return False  # ``\\cc`` is another command, and ``\\' a`` no accent
    letter = argument[1] or argument[2]
    composed = latex.accented(mark, letter.strip()) if letter else latex.ACCENT_SIGNS.get(mark)
    if composed is None:
        return False
    state.words(composed)
    state.at = argument.end()
    return True


def address(state: State, match: re.Match[str], argument: re.Match[str], *, with_words: bool) -> bool:
    """Read an address as a link, with the words in the next argument or itself; show it whole if it is not followed."""
    url = read_address(argument[1])
    state.at = argument.end()
    if is_followed(url):
        if not with_words or not _open_argument(state, match, link_to(url), unclosed="finish"):
            state.add(Link(url, (Words(url),)))
    elif not with_words and _BARE_ADDRESS.fullmatch(url):
        state.add(Link(f"https://{url}", (Words(url),)))
    elif ":" not in url:  # a place that only its author has
        words = RAW_ARGUMENT.match(state.text, state.at) if with_words else None
        if words:
            state.nested(words[1])
            state.at = words.end()
        state.words(f" ({url})" if words and url else url)
    else:
        words = RAW_ARGUMENT.match(state.text, state.at) if with_words else None
        state.at = (words or argument).end()
        state.words(state.text[match.start() : state.at])
    return True


def _open_argument(
    state: State, match: re.Match[str], finish: Finish, *, more: bool = False, unclosed: Unclosed = "drop"
) -> bool:
    """Open a command's argument, options before it passed over; return False if there is none."""
    if not state.skip(_OPENING):
        return False
    opener = state.text[match.start() : state.at]
    state.push("{", opener, finish, unclosed=unclosed, more_arguments=more)
    return True


# -- what a name does --------------------------------------------------------------------------------------------


def _style(style: latex.TextStyle) -> Command:
    finish = finish_for(style)
    return lambda state, match: _open_argument(state, match, finish)


def finish_for(style: latex.TextStyle) -> Finish:
    """Return what a style does to nodes."""
    return code if style == "code" else styled(style)


def _old_style(style: latex.TextStyle) -> Command:
    finish = finish_for(style)

    def read(state: State, match: re.Match[str]) -> bool:
        # With an argument it means that; outside a group it would style the rest of the text, which nobody means.
        if not (state.text.startswith("{", state.at) and _open_argument(state, match, finish)):
            state.skip(_SPACES)
        return True

    return read


def _around(before: str, after: str) -> Command:
    return lambda state, match: _open_argument(state, match, lambda nodes: (Words(before), *nodes, Words(after)))


def _letter(words: str, end: re.Pattern[str]) -> Command:
    def read(state: State, match: re.Match[str]) -> bool:  # noqa: ARG001 - all commands have one shape
        state.words(words)
        state.skip(end)
        return True

    return read


def _silent(state: State, match: re.Match[str]) -> bool:
    if not state.skip(_LENGTH):
        state.skip(_EMPTY)
    if state.before(match).isalnum() and state.after().isalnum():
        state.words(" ")
    return True


def _dropping(count: int, instead: str) -> Command:
    """Return how to pass over arguments that are no words, such as a colour; words that follow in braces are kept."""

    def read(state: State, match: re.Match[str]) -> bool:
        for number in range(count):
            start = state.at
            if state.skip(_OPENING):
                state.at -= 1
            if not (state.skip(RAW_ARGUMENT) or state.skip(_NAMED_LENGTH)):
                state.at = start
                return number > 0
        state.words(instead)
        if not instead and not (
            _OPENING_AT_ONCE.match(state.text, state.at) and _open_argument(state, match, unchanged, more=True)
        ):
            state.skip(_SPACES if match[0] == r"\color" else _EMPTY)
        return True

    return read


def _citation(state: State, match: re.Match[str]) -> bool:  # noqa: ARG001
    """Read a citation's keys, with the notes before and after them, in one pair of brackets."""
    start = state.at
    notes: list[str] = []
    while (option := state.skip(OPTION)) and len(notes) < 2:
        notes.append(option[1].strip())
    argument = state.skip(RAW_ARGUMENT)
    if not argument:
        state.at = start
        return False
    keys = ", ".join(read_address(key) for key in argument[1].split(",") if key.strip())
    before, after = notes if len(notes) == 2 else ("", notes[0] if notes else "")
    state.words("[")
    if before:
        state.nested(before)
        state.words(" ")
    state.words(keys)
    if after:
        state.words(", ")
        state.nested(after)
    state.words("]")
    return True


def _with_raw_argument(read: Callable[[State, re.Match[str], re.Match[str]], bool]) -> Command:
    def command(state: State, match: re.Match[str]) -> bool:
        argument = RAW_ARGUMENT.match(state.text, state.at)
        return argument is not None and read(state, match, argument)

    return command


def _dingbat(state: State, match: re.Match[str], argument: re.Match[str]) -> bool:  # noqa: ARG001
    state.words(latex.DINGBATS.get(argument[1].strip(), "•"))
    state.at = argument.end()
    return True


def _ensured_formula(state: State, match: re.Match[str], argument: re.Match[str]) -> bool:  # noqa: ARG001
    state.nested(f"${argument[1]}$")
    state.at = argument.end()
    return True


def _first_of_two(state: State, match: re.Match[str], argument: re.Match[str]) -> bool:  # noqa: ARG001
    state.nested(argument[1])
    state.at = (RAW_ARGUMENT.match(state.text, argument.end()) or argument).end()
    return True


def _typewriter(state: State, match: re.Match[str]) -> bool:
    """Read ``\\texttt``: without commands in it, it means its characters."""
    if verbatim := state.skip(_VERBATIM_ARGUMENT):
        state.add(Code(" ".join(verbatim[1].split())))
        return True
    return _open_argument(state, match, code)


def _verbatim(state: State, match: re.Match[str]) -> bool:  # noqa: ARG001
    verbatim = state.skip(_VERBATIM)
    if verbatim:
        state.add(Code(verbatim[2]))
    return verbatim is not None


def _item(state: State, match: re.Match[str]) -> bool:  # noqa: ARG001
    if not state.open_item():
        state.words("\n")
    label = state.skip(OPTION)
    if label:
        state.nested(label[1], styled("strong"))
        state.words(" ")
    state.skip(_SPACES)
    return True


def _accent_command(mark: str) -> Command:
    return lambda state, match: accent(state, mark)  # noqa: ARG005


def _table() -> dict[str, Command]:
    """Return what each name does.

    Raises:
        ValueError: two tables claim the same name.
    """
    entries: list[tuple[str, Command]] = [
        *((name, _style(style)) for name, style in latex.STYLE_COMMANDS.items()),
        *((name, _old_style(style)) for name, style in latex.OLD_STYLE_COMMANDS.items()),
        *((name, _around(*marks)) for name, marks in latex.AROUND.items()),
        *((name, _citation) for name in latex.CITATIONS),
        *((name, _accent_command(name)) for name in sorted(latex.ACCENT_LETTERS)),
        *((name, _letter(letter, _END)) for name, letter in latex.LETTERS.items()),
        *((n, _letter(sign, _END if n in latex.TIGHT else _EMPTY)) for n, sign in latex.SYMBOLS.items()),
        *((name, _letter(words, _SHORTHAND_END)) for name, words in latex.SHORTHANDS.items()),
        *((name, _silent) for name in latex.SILENT),
        *((name, _dropping(count, "")) for name, count in latex.DROPPED_ARGUMENTS.items()),
        ("hspace", _dropping(1, " ")),
        ("vspace", _dropping(1, " ")),
        ("texttt", _typewriter),
        ("verb", _verbatim),
        ("item", _item),
        ("ding", _with_raw_argument(_dingbat)),
        ("ensuremath", _with_raw_argument(_ensured_formula)),
        ("texorpdfstring", _with_raw_argument(_first_of_two)),
        ("href", _with_raw_argument(lambda *found: address(*found, with_words=True))),
        ("url", _with_raw_argument(lambda *found: address(*found, with_words=False))),
        ("nolinkurl", _with_raw_argument(lambda *found: address(*found, with_words=False))),
    ]
    table = dict(entries)
    if len(table) < len(entries):
        names = [name for name, _ in entries]
        raise ValueError(f"said twice: {sorted({name for name in names if names.count(name) > 1})}")
    return table


COMMANDS = _table()
"""What each known command does, by its name without backslash."""

STYLING = frozenset({"texttt", "href", "url", "nolinkurl", *latex.STYLE_COMMANDS})
"""Commands that an export without backslashes still shows by their braces."""

BRACED = frozenset({*STYLING, *latex.AROUND, *latex.CITATIONS, *latex.DROPPED_ARGUMENTS})
"""Commands that mean nothing without an argument."""


# -- what is in no table -----------------------------------------------------------------------------------------


def _mathematics(state: State, match: re.Match[str]) -> bool:
    """Read a sign or a formula outside dollars, such as ``\\alpha``, ``\\epsilon^2`` or ``\\mathcal{L}``."""
    if not state.text.startswith("{", state.at) and (character := symbol(match[0])):
        if not _formula(state, match, _SCRIPTS):
            apart = len(character) > 1 and state.before(match).isalnum()  # as in ``n\\log n``
            state.words(f" {character}" if apart else character)
            state.skip(_EMPTY)
        return True
    return _formula(state, match, _MATH)


def _formula(state: State, match: re.Match[str], arguments: re.Pattern[str]) -> bool:
    argument = arguments.match(state.text, state.at)
    if not argument:
        return False
    source = match[0] + state.text[match.end() : argument.end()]
    node = read_formula(source, display=False, source=source)
    if not isinstance(node, Formula):
        return False
    state.add(node)
    state.at = argument.end()
    return True


def _unknown(state: State, match: re.Match[str]) -> None:
    if escape := _JSON_ESCAPE.match(state.text, match.start()):
        if escape[1]:
            state.words(clean_unicode(chr(int(escape[1], 16)))[0])
        else:
            state.words("\n\n" if len(escape[2]) > 2 else " ")
        state.at = escape.end()
        return
    path = _PATH.match(state.text, match.start() - 2) if match.start() > 1 else None
    if path and path.start(1) == match.start():
        state.words(path[1])  # of a file
        state.at = path.end()
        return
    if state.skip(EMPTY_BRACES) or not state.skip(_OPENING_AT_ONCE):
        state.words(match[0][1:])
        done = "its name is shown"
    else:
        opener = state.text[match.start() : state.at]
        state.push("{", opener, unchanged, unclosed="drop", more_arguments=True)
        done = "its argument is kept"
    state.report("unknown-command", "an unknown command", done, match[0])
