"""The user's own LaTeX commands, from mkdocs.yml: expanded in the raw text, so that every view has plain LaTeX.

Options enter as `Macro`s; a text leaves in which none of them is used any more.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

MOST_MACROS = 500
"""Most macros of one project."""

MAX_BODY = 2_000
"""Longest body of a macro, in characters."""

MAX_ROUNDS = 8
"""How deep macros may use each other; one that uses itself stays as written after that."""

MAX_GROWTH = 200_000
"""Most characters that the macros may add to one text."""

_NAME = re.compile(r"\\?([A-Za-z]+)")
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


def expand_macros(text: str, macros: Mapping[str, Macro]) -> str:
    """Return ``text`` with the macros replaced by what they stand for.

    A macro whose arguments are missing, or that would go on for ever, stays as it is written.
    """
    uses = re.compile(r"(\\\\)|\\(" + "|".join(sorted(macros, key=lambda name: (-len(name), name))) + r")(?![A-Za-z])")
    limit = len(text) + MAX_GROWTH
    for _ in range(MAX_ROUNDS):
        expanded = _expand_once(text, macros, uses)
        if expanded == text or len(expanded) > limit:
            return text
        text = expanded
    return text


def _expand_once(text: str, macros: Mapping[str, Macro], uses: re.Pattern[str]) -> str:
    parts = []
    at = 0
    for use in uses.finditer(text):
        if use.start() < at or use[1]:
            continue  # an argument of the macro before, which the next round reads; or a line break
        macro = macros[use[2]]
        end = use.end()
        arguments = []
        for _ in range(macro.arguments):
            argument = _argument(text, end)
            if argument is None:
                break
            arguments.append(text[argument[0] : argument[1]])
            end = argument[2]
        if len(arguments) < macro.arguments:
            continue
        body = _PARAMETER.sub(lambda match, given=arguments: given[int(match[1]) - 1], macro.body)  # type: ignore[misc]
        if not arguments and text.startswith("{}", end):
            end += 2
        needs_blank = re.search(r"\\[A-Za-z]+\Z", body) and text[end : end + 1].isalpha()
        parts += [text[at : use.start()], body, " " if needs_blank else ""]
        at = end
    return "".join([*parts, text[at:]]) if parts else text


def _argument(text: str, at: int) -> tuple[int, int, int] | None:
    """Return where an argument begins and ends, and where the text goes on; None if there is none."""
    while at < len(text) and text[at] in " \t":
        at += 1
    if not text.startswith("{", at):
        return None
    depth = 0
    for mark in re.compile(r"\\.|[{}]", re.DOTALL).finditer(text, at, at + MAX_BODY):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth == 0:
            return at + 1, mark.start(), mark.end()
    return None
