"""The parser: one pass over a text that mixes LaTeX, Markdown, HTML and Unicode.

A raw text enters; a `MarkupText` leaves, with the faults found on the way. What cannot be understood stays as it was
written. Time is linear in the length of the text: each look ahead ends at the next mark of its kind.
"""

import re
from collections.abc import Callable, Mapping

from generator.markup.clean import clean_unicode
from generator.markup.faults import Fault
from generator.markup.lists import find_list_lines
from generator.markup.macros import Macro, expand_macros
from generator.markup.rules import commands, html, latex, markdown, math, space
from generator.markup.state import State
from generator.markup.tree import MarkupText, Node

_MARK = re.compile(
    r"""[$\\`*_{}\[<&"~%\n'\- \thH!]
    (?:(?<=[$\\`*_{}\[<&"'~%\n])|(?<=-)(?=-)|(?<=[ \t])(?=[ \t\n])|(?<=[hH])(?=[tT][tT][pP])|(?<=!)(?=\[))
    """,
    re.VERBOSE,
)
"""Where a token may start. It begins with a set of characters, which makes it ten times as fast to look for."""

_MARK_OR_IDENTIFIER = re.compile(_MARK.pattern + r"|(?:[dD][oO][iI]|[aA][rR][xX][iI][vV]):", re.VERBOSE)
"""The same in a text that names papers, which few do."""

_TOKEN = re.compile(
    r"""(?P<dollar>\$\$?)
    |(?P<bracket_math>\\{1,2}[(\[])
    |(?P<begin>\\{1,2}begin\{(?P<begin_name>[A-Za-z]+\*?)\})
    |(?P<end>\\{1,2}end\{(?P<end_name>[A-Za-z]+\*?)\})
    |(?P<doubled>\\\\(?=[A-Za-z%&_\#$])|(?<=[A-Za-z])\\\\(?=['^~]\{?[A-Za-z]|"\{)|\\\\(?=[Hcvukrdb]\{[A-Za-z]\}))
    |(?P<command>\\[A-Za-z]+)
    |(?P<escape>\\.)
    |(?P<url>https?://(?:(?!&(?:amp;)?(?:lt|gt|quot|nbsp|\#60|\#62|\#34);)[^\s<>"“”‘’«»{}|\\^`$。，、；：）】」]|\\[_%&\#~$])+)
    |(?P<identifier>(?<![\w/])(?:doi|arxiv):)
    |(?P<backtick>`+)
    |(?P<star>\*+)
    |(?P<underscore>_+)
    |(?P<open>\{)
    |(?P<close>\})
    |(?P<link>!?\[)
    |(?P<autolink><(?:https?://[^\s<>"]+|mailto:[^\s<>"]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>)
    |(?P<tag></?(?:sub|sup|inf|i|em|italic|b|strong|bold|u|underline|sc|tt|code|monospace|br|p|a|img|ul|ol|li
       |(?:jats:|mml:)?math|tex-math|jats:[a-z-]+|mml:[a-z]+)
       (?=[\s/>])[^<>]*>)
    |(?P<entity>&(?:amp;)?(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
    |(?P<quote>''|")
    |(?P<apostrophe>')
    |(?P<tie>~)
    |(?P<percent>%)
    |(?P<dash>-{2,3})
    |(?P<newline>[ \t]*\n[ \t\n]*)
    |(?P<blanks>[ \t]{2,})
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_RULES: dict[str, Callable[[State, re.Match[str]], None]] = {
    "dollar": math.dollar,
    "bracket_math": math.bracket,
    "begin": latex.environment,
    "end": latex.end_environment,
    "doubled": latex.doubled,
    "command": commands.command,
    "escape": latex.escape,
    "open": latex.open_brace,
    "close": latex.close_brace,
    "url": markdown.url,
    "identifier": markdown.identifier,
    "backtick": markdown.backtick,
    "star": markdown.star,
    "underscore": markdown.underscore,
    "link": markdown.link,
    "autolink": markdown.autolink,
    "tag": html.tag,
    "entity": html.entity,
    "quote": space.quote,
    "apostrophe": space.apostrophe,
    "tie": space.tie,
    "percent": space.percent,
    "dash": space.dash,
    "newline": space.newline,
    "blanks": space.blanks,
}
"""The rule for each kind of token, by the names in `_TOKEN`."""


def parse_markup(raw: str, macros: Mapping[str, Macro] | None = None) -> tuple[MarkupText, tuple[Fault, ...]]:
    """Return what ``raw`` means, and what in it could not be read.

    Paragraphs are divided by ``\\n\\n`` and kept lines by ``\\n``; other white space is one blank. Never raises.

    Args:
        raw: The text as its source has it.
        macros: The user's own commands, by name without backslash.
    """
    text, faults = clean_unicode(raw)
    if "’’" in text or "‘‘" in text:
        text = text.replace("‘‘", "“").replace("’’", "”")
    if macros and "\\" in text:
        text, found = expand_macros(text, macros)
        faults = (*faults, *found)
    text = text.strip()
    state = State(text, find_list_lines(text), _parse_part)
    space.line_start(state)
    return MarkupText(_run(state)), (*faults, *state.faults)


def parse_line(raw: str, macros: Mapping[str, Macro] | None = None) -> tuple[MarkupText, tuple[Fault, ...]]:
    """Return what ``raw`` means on one line, such as a title or a name: line breaks become blanks."""
    text, faults = parse_markup(" ".join(raw.split()), macros)
    return text.on_one_line(), faults


def _parse_part(text: str, outer: State) -> tuple[Node, ...]:
    """Return the nodes of a part of ``outer`` that is parsed by itself, such as the words of a link."""
    return _run(State(text, {}, _parse_part, outer))


def _run(state: State) -> tuple[Node, ...]:
    text = state.text
    lower = text.lower()
    mark = _MARK_OR_IDENTIFIER if "doi:" in lower or "arxiv:" in lower else _MARK
    while match := _next_token(text, state.at, mark):
        if match.start() > state.at:
            state.words(text[state.at : match.start()])
        state.at = match.end()
        kind = match.lastgroup
        assert kind  # noqa: S101 - every alternative is named
        _RULES[kind](state, match)
    state.words(text[state.at :])
    return state.finish()


def _next_token(text: str, at: int, mark: re.Pattern[str]) -> re.Match[str] | None:
    while found := mark.search(text, at):
        if token := _TOKEN.match(text, found.start()):
            return token
        at = found.start() + 1
    return None
