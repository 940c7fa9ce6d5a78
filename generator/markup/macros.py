"""The user's own LaTeX commands, from mkdocs.yml: expanded in the raw text, so that every view has plain LaTeX.

Options enter as `Macro`s; a text leaves in which none of them is used any more.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.markup.faults import Fault

MOST_MACROS = 500
"""Most macros of one project."""

MAX_BODY = 2_000
"""Longest body of a macro, in characters."""

MAX_ROUNDS = 8
"""How deep macros may use each other."""

MAX_GROWTH = 200_000
"""Most characters that the macros may add to one text."""

_NAME = re.compile(r"\\?([A-Za-z]+)")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_COMMAND_AT_END = re.compile(r"\\[A-Za-z]+\Z")
_PARAMETER = re.compile(r"#([1-9])")


@dataclass(frozen=True, slots=True)
class Macro:
    """What a command stands for."""

    body: str
    """LaTeX, with ``#1`` to ``#9`` for its arguments."""
    arguments: int = 0
    """How many arguments it takes, from 0 to 9."""


def read_macros(option: object) -> tuple[dict[str, Macro], list[str]]:
    """Return the macros of an option, by name without backslash, and every fault in it.

    Args:
        option: What YAML holds: names to LaTeX, such as ``{R: "\\\\mathbb{R}", norm: "\\\\|#1\\\\|"}``.
    """
    if option is None:
        return {}, []
    if not isinstance(option, Mapping):
        return {}, [f"macros: expected names with what they stand for, found {option!r}"]
    macros: dict[str, Macro] = {}
    faults = []
    if len(option) > MOST_MACROS:
        faults.append(f"macros: expected at most {MOST_MACROS}, found {len(option)}")
    for key, body in option.items():
        name = _NAME.fullmatch(key) if isinstance(key, str) else None
        if not name:
            faults.append(f"macros: expected a name of letters, found {key!r}")
        elif not isinstance(body, str) or len(body) > MAX_BODY:
            faults.append(f"macros: {key}: expected LaTeX of at most {MAX_BODY:,} characters, found {body!r:.80}")
        else:
            arguments = max((int(number) for number in _PARAMETER.findall(body)), default=0)
            macros[name[1]] = Macro(body, arguments)
    return macros, faults


def expand_macros(text: str, macros: Mapping[str, Macro]) -> tuple[str, tuple[Fault, ...]]:
    """Return ``text`` with the macros replaced by what they stand for, and a fault if that went on for too long.

    A macro whose arguments are missing stays as it is written.
    """
    uses = re.compile(r"(\\\\)|\\(" + "|".join(sorted(macros, key=lambda name: (-len(name), name))) + r")(?![A-Za-z])")
    limit = len(text) + MAX_GROWTH
    for _ in range(MAX_ROUNDS):
        expanded = _expand_once(text, macros, uses, limit)
        if expanded == text:
            return text, ()
        if expanded is None:
            break
        text = expanded
    else:
        if _expand_once(text, macros, uses, limit) == text:
            return text, ()
    found = uses.search(text)
    return text, (Fault("macro", "macros that go on for ever", "some stay unread", found[0] if found else ""),)


def _expand_once(text: str, macros: Mapping[str, Macro], uses: re.Pattern[str], limit: int) -> str | None:
    """Return the text with each macro replaced once; None when it would get longer than ``limit``."""
    closers = _closing_braces(text) if any(macro.arguments for macro in macros.values()) else {}
    parts = []
    at = length = 0
    for use in uses.finditer(text):
        if use.start() < at or use[1]:
            continue  # an argument of the macro before, which the next round reads; or a line break
        macro = macros[use[2]]
        end = use.end()
        arguments: list[str] = []
        while len(arguments) < macro.arguments:
            opening = end + len(text[end : end + 9]) - len(text[end : end + 9].lstrip(" \t"))
            closing = closers.get(opening)
            if closing is None:
                break
            arguments.append(text[opening + 1 : closing])
            end = closing + 1
        if len(arguments) < macro.arguments:
            continue
        body = _PARAMETER.sub(lambda match, given=arguments: given[int(match[1]) - 1], macro.body)  # type: ignore[misc]
        if not arguments and text.startswith("{}", end):
            end += 2
        needs_blank = _COMMAND_AT_END.search(body) and text[end : end + 1].isalpha()
        parts += [text[at : use.start()], body, " " if needs_blank else ""]
        at = end
        length += len(body)
        if length > limit:
            return None
    return "".join([*parts, text[at:]]) if parts else text


def _closing_braces(text: str) -> dict[int, int]:
    """Return where each opening brace is closed, for those that are."""
    closing: dict[int, int] = {}
    waiting: list[int] = []
    for mark in _BRACE.finditer(text):
        if mark[0] == "{":
            waiting.append(mark.start())
        elif mark[0] == "}" and waiting:
            closing[waiting.pop()] = mark.start()
    return closing
