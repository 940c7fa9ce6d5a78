"""White space and the marks that ASCII has for typography: line ends, blanks, ties, dashes and quotes.

A token enters; words leave, and lists begin and end with their lines.
"""

import re

from generator.markup.lists import ListLine
from generator.markup.state import State
from generator.markup.tree import Words

_OWN_LINE = re.compile(r"(?:[-*+](?!\s+\d)|[•‣◦▪]|\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])\))\s")
"""What begins a line whose break is kept, although it is no item of a list."""

_AFTER_NUMBER = re.compile(r"[$)]\Z|\d\}\Z")
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_QUANTITY_END = re.compile(r"\d[^\s\d]{0,4}\Z")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_COMMENT_INDENT = 100
"""How far before a ``%`` to look for the line's beginning, in characters."""


def line_start(state: State) -> bool:
    """Begin, continue or end a Markdown list if this line does so; return whether it did."""
    line = state.list_lines.get(state.at)
    if line is None or state.stack[state.boundary()].kind == "{":
        return False
    return _list_line(state, line)


def _list_line(state: State, line: ListLine) -> bool:
    if line.does == "end":
        if not state.close_list():
            return False
        state.words("\n\n")
        return True
    if line.does == "open":
        if state.stack[state.boundary()].kind == "item":
            return False  # a list inside a list of LaTeX's or HTML's
        state.open_list("", ordered=line.ordered)
    if not state.open_item():
        return False
    state.at = line.content
    return True


def newline(state: State, match: re.Match[str]) -> None:
    """Read a line's end, or a paragraph's."""
    if state.list_lines and line_start(state):
        return
    if match[0].count("\n") > 1:
        state.give_up(state.boundary())
        state.words("\n\n")
    else:
        within_cjk = _CJK.match(state.before(match)) and _CJK.match(state.after())
        state.words("\n" if _OWN_LINE.match(state.text, state.at) else "" if within_cjk else " ")


def blanks(state: State, match: re.Match[str]) -> None:  # noqa: ARG001 - all rules have one shape
    """Read several blanks as one."""
    state.words(" ")


def tie(state: State, match: re.Match[str]) -> None:
    """Read ``~`` as a blank that does not break, unless it means ``about``, as in ``~100``, or a range: ``10~20``."""
    before, after = state.before(match), state.after()
    start = match.start()
    if (before.isspace() or before in "–—") and after in "\\[(“`":
        state.words("" if before.isspace() else " ")
        return
    ties = (
        (before.isalnum() or before in ".)}]'’”$,;:%-")
        and (after.isalnum() or after in "\\[($&“`{")
        and not (_QUANTITY_END.search(state.text, max(0, start - 8), start) and (after.isdigit() or after == "$"))
        and not (_CJK.match(before) and _CJK.match(after))
    )
    state.words("\u00a0" if ties else match[0])


def dash(state: State, match: re.Match[str]) -> None:
    """Read ``--`` and ``---`` as dashes, unless they are an option's, a rule's or a table's."""
    before, after = state.before(match), state.after()
    rule = (match.start() == 0 or before == "\n") and (state.at == len(state.text) or after == "\n")
    option = before.isspace() and after.isalnum() and len(match[0]) == 2
    if rule or option or before in "-<!|:" or after in "->|:":
        state.words(match[0])
    else:
        state.words("—" if len(match[0]) == 3 else "–")


def quote(state: State, match: re.Match[str]) -> None:
    """Read ``''`` and straight quotes as TeX's where they are, by what was opened before and what stands around."""
    before, after = state.before(match), state.after()
    opens = (before.isspace() or before in "([{—–-“‘/") and not after.isspace()
    if match[0] == '"':
        if state.open_quotes and not opens and state.straight_quote is None:
            state.words("”")
            state.open_quotes -= 1
            return
        state.words('"')
        frame = state.stack[-1]
        state.straight_quote = (frame, len(frame.nodes) - 1) if opens else None
    elif state.straight_quote and not opens and not state.open_quotes:
        frame, place = state.straight_quote
        if place < len(frame.nodes) and frame.nodes[place] == Words('"'):
            frame.nodes[place] = Words("“")
        state.straight_quote = None
        state.words("”")
    elif opens and not state.open_quotes and (after.isalnum() or after in "$\\"):
        state.words("“")
        state.open_quotes += 1
    elif state.open_quotes or state.holds("“"):
        state.words("”")
        state.open_quotes = max(0, state.open_quotes - 1)
    else:
        state.words("”" if before in ".,;:!?" else match[0])


def apostrophe(state: State, match: re.Match[str]) -> None:
    """Read ``'`` as the end of a TeX quotation that a backtick has opened, else as itself."""
    state.words("’" if match.start() in state.quote_ends else match[0])


def percent(state: State, match: re.Match[str]) -> None:
    """Read ``%`` as the beginning of a LaTeX comment where it can be nothing else, else as itself."""
    text, start = state.text, match.start()
    end = state.line_end()
    begin = max(0, start - _COMMENT_INDENT)
    above, newline_above, indent = text[begin:start].rpartition("\n")
    own_line = not indent.strip() and (newline_above or begin == 0)
    previous = (above if own_line else text[begin:start]).rstrip()[-1:]
    if (
        previous.isdigit()
        or (not own_line and _AFTER_NUMBER.search(text, begin, start))
        or (own_line and not newline_above and end == len(text))
    ):
        state.words("%")
        return
    if own_line:
        state.at = min(end + 1, len(text))
    elif not text[start - 1].isspace() and state.skip(_LINE_END):
        return  # it only hides the line's end
    elif text[start - 1].isspace() and state.holds("\\%"):
        state.at = end
    else:
        state.words("%")
        return
    if text[start + 1 : end].strip():
        state.report("comment", "a comment of LaTeX", "it was left out", text[start:end])
