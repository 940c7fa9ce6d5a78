"""LaTeX's text: commands, groups, environments, accents and escapes.

A command or a brace enters; styles open and close, or words, links and lists leave. An unknown command is reported:
its argument stays, and where it has none, its name stands for the word that its author defined.
"""

import re

from generator.markup import latex
from generator.markup.clean import clean_unicode
from generator.markup.entities import unescape_entities
from generator.markup.formula import read_formula, symbol
from generator.markup.rules import math
from generator.markup.rules.markdown import unescaped
from generator.markup.state import MAX_OPEN, Finish, State, code, link_to, styled
from generator.markup.tree import Code, Formula, Link, MarkupText, Node, Words

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

_ADDRESSES = ("url", "href", "nolinkurl")
_OLD_STYLE = re.compile(
    r"\{\s*\\(" + "|".join(sorted(latex.OLD_STYLE_COMMANDS, key=len, reverse=True)) + r")(?![A-Za-z])\s*"
)
_PROTECTED = re.compile(
    r"\{\{([^\s{}\\$](?:[^{}\\$\n]*[^\s{}\\$])?)\}\}|(?<![\w$])\{([^\W_]+(?:[-'’][^\W_]+)*)\}|(?<!\$)\{([A-Z]+)\}"
)
_LOST_BACKSLASH = re.compile(r"\{(?:" + "|".join([*_ADDRESSES, *latex.STYLE_COMMANDS]).replace("*", r"\*") + r")(?=\{)")
"""What some exports make of ``\\emph{…}``: a brace for the backslash, and one at the end."""

_BARE_ADDRESS = re.compile(r"\{(https?://(?:[^{}\\]|\\.)*+)\}")
_TEX_GROUP = re.compile(r"\{(?=\\(?![\\{}]))")
_RAW_ARGUMENT = re.compile(r"\s*\{((?:[^{}\\]|\\.|\{[^{}]*\})*+)\}", re.DOTALL)
_OPTION = re.compile(r"\[([^\[\]\n]{0,80})\]")
_OPTIONS = re.compile(r"(?:\s*\[[^\[\]\n]{0,80}\])*(?=\s*\{)")
_ARGUMENT = re.compile(r"[ \t]*\n?[ \t]*(?=\{)")
_NEXT_ARGUMENT = re.compile(r"(?=\{)")
_EMPTY_BRACES = re.compile(r"\{\s*\}")
_OPTIONS_AND_BRACE = re.compile(r"(?:\[[^\[\]\n]{0,80}\])*\{")
_EMPTY = re.compile(r"(?:\{\})?")
_LETTER_END = re.compile(r"\{\}|[ ]?")
_SHORTHAND_END = re.compile(r"(?:\{\})?\.?(?!\.)")
_BREAK_END = re.compile(r"\*?(?:\[[^\]\n]{0,10}\])?[ \t]*\n?[ \t]*")
_ACCENTED = re.compile(r"\s*(?:\{\s*(\\[ij](?![A-Za-z])|[A-Za-z]?)\s*\}|(\\[ij](?![A-Za-z])[ ]?|[A-Za-z]))")
_ESCAPED_QUOTES = re.compile(r"\\([\"'])[^\"'\\{}]{2,200}\\\1(?![A-Za-z{])")
_CONTRACTION = re.compile(r"(?<=[^\W\d_])\\'(s|re|ll|m|t|ve|d)(?![^\W_])|(?<=[^\W\d_])\\'()(?=[\s.,;:)])")
_HYPHENS = re.compile(r"\\?-+")
_JSON_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|((?:\\n)+)(?=[A-Z0-9\s(]|\Z)")
_LENGTH = re.compile(r"(?:\{\})?\s*=?\s*-?\d*\.?\d+\s*(?:em|ex|pt|cm|mm|in)(?![A-Za-z])")
_VERBATIM_ARGUMENT = re.compile(r"\s*\{([^{}\\$]*[^{}\\$\s][^{}\\$]*)\}")
_VERBATIM = re.compile(r"\*?([^\sA-Za-z*])([^\n]{1,200}?)\1")
_ENTITY = re.compile(r"&(?:amp;)?#?\w{2,32};")
_MORE_BRACES = re.compile(r"\{+(?=\{)")
_MORE_CLOSING = re.compile(r"\}+")
_ESCAPED_BACKTICK = re.compile(r"\\?`")
_ESCAPED_APOSTROPHE = re.compile(r"\\?'")
_THOUSANDS = re.compile(r"\{([,.:;-])\}")
_SCRIPTS = re.compile(r"(?:[_^](?:\{(?:[^{}$\n]|\{[^{}$\n]*\})*\}|[A-Za-z0-9+*]|\\[A-Za-z]+)){1,6}")
_STAR = re.compile(r"\*(?=\s*[\[{])")
_PATH = re.compile(r"[A-Za-z]:((?:\\[\w.-]+)+)")
_MATH = re.compile(r"(?:\s*(?:\{(?:[^{}$\n]|\{[^{}$\n]*\})*\}){1,2}|\s+[A-Za-z](?![A-Za-z]))(?:[_^](?:\{[^{}$\n]*\}|[A-Za-z0-9+*])){0,6}")
_DOUBLED = re.compile(r"([A-Za-z]+)(\s*[{\[]|(?<=item)\s)?|[%&_#$'\"^~]")
_DOUBLED_COMMANDS = frozenset(
    {"item", *_ADDRESSES, *latex.STYLE_COMMANDS, *latex.AROUND, *latex.CITATIONS, *latex.DROPPED_ARGUMENTS}
)
_DOUBLED_WORDS = frozenset(
    {"ldots", "dots", "noindent", "xspace", "etal", "eg", "ie", "textellipsis", "textendash", "textemdash", "bfseries",
     "itshape", "em", "bf", "it"}
)  # fmt: skip
_SPACES = re.compile(r"\s*")


def command(state: State, match: re.Match[str]) -> None:
    """Read a command of letters, such as ``\\emph``."""
    name = match[0][1:]
    state.skip(_STAR)
    if name in latex.DROPPED_ARGUMENTS or name in latex.AROUND:
        state.skip(_OPTIONS)
    braced = _ARGUMENT.match(state.text, state.at) is not None
    if name == "texttt" and (verbatim := state.skip(_VERBATIM_ARGUMENT)):
        state.add(Code(" ".join(verbatim[1].split())))
    elif name in latex.STYLE_COMMANDS and braced:
        _group(state, match, _finish(latex.STYLE_COMMANDS[name]))
    elif name in latex.AROUND and braced:
        before, after = latex.AROUND[name]
        _group(state, match, lambda nodes: (Words(before), *nodes, Words(after)))
    elif name in latex.CITATIONS and _citation(state):
        pass
    elif name in _ADDRESSES and (argument := _RAW_ARGUMENT.match(state.text, state.at)):
        _address(state, match, name, argument)
    elif name in latex.ACCENT_LETTERS and _accent(state, name):
        pass
    elif name in latex.LETTERS:
        state.words(latex.LETTERS[name])
        state.skip(_LETTER_END)
    elif name in latex.SYMBOLS:
        state.words(latex.SYMBOLS[name])
        state.skip(_LETTER_END if name in latex.TIGHT else _EMPTY)
    elif name in latex.SHORTHANDS:
        state.words(latex.SHORTHANDS[name])
        state.skip(_SHORTHAND_END)
    elif name in latex.OLD_STYLE_COMMANDS:
        # With an argument it means that; outside a group it would style the rest of the text, which nobody means.
        if state.text.startswith("{", state.at):
            _group(state, match, _finish(latex.OLD_STYLE_COMMANDS[name]))
        else:
            state.skip(_SPACES)
    elif name in latex.DROPPED_ARGUMENTS and braced:
        _drop_arguments(state, match, latex.DROPPED_ARGUMENTS[name])
    elif name == "ding" and (argument := _RAW_ARGUMENT.match(state.text, state.at)):
        state.words(latex.DINGBATS.get(argument[1].strip(), "•"))
        state.at = argument.end()
    elif name == "verb" and (verbatim := state.skip(_VERBATIM)):
        state.add(Code(verbatim[2]))
    elif name == "ensuremath" and (argument := _RAW_ARGUMENT.match(state.text, state.at)):
        state.nested(f"${argument[1]}$")
        state.at = argument.end()
    elif name == "texorpdfstring" and (argument := _RAW_ARGUMENT.match(state.text, state.at)):
        state.nested(argument[1])
        other = _RAW_ARGUMENT.match(state.text, argument.end())
        state.at = (other or argument).end()
    elif name == "item":
        _item(state)
    elif name in latex.SILENT:
        if not state.skip(_LENGTH):
            state.skip(_EMPTY)
        if state.before(match).isalnum() and state.after().isalnum():
            state.words(" ")
    elif not braced and (character := symbol(match[0])):
        if not _formula(state, match, _SCRIPTS):
            apart = len(character) > 1 and state.before(match).isalnum()  # as in ``n\\log n``
            state.words(f" {character}" if apart else character)
            state.skip(_EMPTY)
    elif not _formula(state, match, _MATH):
        _unknown(state, match)


def _finish(style: latex.TextStyle) -> Finish:
    return code if style == "code" else styled(style)


def _group(state: State, match: re.Match[str], finish: Finish, *, more_arguments: bool = False) -> None:
    """Open the argument of a command, in braces."""
    state.at = state.text.index("{", state.at) + 1
    state.push("{", state.text[match.start() : state.at], finish, more_arguments=more_arguments)


def _citation(state: State) -> bool:
    """Read a citation's keys, with the notes before and after them, in one pair of brackets."""
    start = state.at
    notes: list[str] = []
    while (option := state.skip(_OPTION)) and len(notes) < 2:
        notes.append(option[1].strip())
    argument = state.skip(_RAW_ARGUMENT)
    if not argument:
        state.at = start
        return False
    keys = ", ".join(unescaped(key.strip()) for key in argument[1].split(",") if key.strip())
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


def _address(state: State, match: re.Match[str], name: str, argument: re.Match[str]) -> None:
    url = unescaped(argument[1]).strip()
    if not url.lower().startswith(("http://", "https://", "mailto:")):
        if name != "href" and re.fullmatch(r"[\w.-]+\.[a-z]{2,}(?:/\S*)?", url):  # an address without its scheme
            state.add(Link(f"https://{url}", (Words(url),)))
        else:
            # Shown with what it wanted to open; never followed.
            words = _RAW_ARGUMENT.match(state.text, argument.end()) if name == "href" else None
            argument = words or argument
            state.words(state.text[match.start() : argument.end()])
        state.at = argument.end()
        return
    state.at = argument.end()
    if name == "href" and state.skip(_ARGUMENT):
        _group(state, match, lambda nodes: link_to(url)(MarkupText(nodes).unlinked().nodes))
    else:
        state.add(Link(url, (Words(url),)))


def _drop_arguments(state: State, match: re.Match[str], count: int) -> None:
    """Pass over arguments that are no words, such as a colour; what follows in braces are words."""
    for _ in range(count):
        state.skip(_OPTIONS)
        if not state.skip(_RAW_ARGUMENT):
            break
    if match[0].endswith("space"):
        state.words(" ")
    elif state.text.startswith("{", state.at):
        _group(state, match, lambda nodes: nodes, more_arguments=True)
    elif match[0] == r"\color":
        state.skip(_SPACES)


def _item(state: State) -> None:
    if not state.open_item():
        state.words("\n")
    label = state.skip(_OPTION)
    if label:
        state.nested(label[1], styled("strong"))
        state.words(" ")
    state.skip(_SPACES)


def _formula(state: State, match: re.Match[str], arguments: re.Pattern[str]) -> bool:
    """Read a command of mathematics that stands outside dollars, such as ``\\mathcal{L}``."""
    argument = arguments.match(state.text, state.at)
    if not argument:
        return False
    source = state.text[match.start() : argument.end()]
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
    name = match[0][1:]
    if state.skip(_EMPTY_BRACES) or not state.skip(_OPTIONS_AND_BRACE):
        state.words(name)
        done = "its name is shown"
    else:
        state.push("{", state.text[match.start() : state.at], lambda nodes: nodes, more_arguments=True)
        done = "its argument is kept"
    state.report("unknown-command", "an unknown command", done, match[0])


def doubled(state: State, match: re.Match[str]) -> None:
    """Read ``\\\\``: a backslash that an export has doubled, if a known command follows; else a line break."""
    follows = _DOUBLED.match(state.text, state.at)
    name = follows[1] if follows else ""
    command = (
        follows is not None
        and (not name or (follows[2] is not None and name in _DOUBLED_COMMANDS))
        or (
            # A line break stands close to the word before it; a doubled command stands for itself.
            len(name) > 2
            and not state.before(match).isalpha()
            and (name in _DOUBLED_WORDS or (name not in latex.SYMBOLS and symbol(f"\\{name}") is not None))
        )
    )
    if command:
        state.at -= 1
    else:
        state.words("\n")


def escape(state: State, match: re.Match[str]) -> None:
    """Read a backslash and a character that is no letter: an accent, a line break or an escape."""
    character = match[0][1]
    quotes = not state.before(match).isalnum() and _ESCAPED_QUOTES.match(state.text, match.start())
    if character in latex.ACCENT_MARKS and not quotes and _accent(state, character):
        return
    if character == "-":
        _hyphen(state, match)
        return
    if character == "'" and (contraction := _CONTRACTION.match(state.text, match.start())):
        state.words("'" + contraction[1])
        state.at = contraction.end()
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
        state.words(unescape_entities(entity[0]))
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


def _accent(state: State, accent: str) -> bool:
    argument = _ACCENTED.match(state.text, state.at)
    if not argument:
        return False
    apart = argument[0][0].isspace()
    if (accent.isalpha() and not apart and argument[2]) or (not accent.isalpha() and apart):
        return False  # ``\\cc`` is another command, and ``\\' a`` no accent
    letter = argument[1] or argument[2]
    composed = latex.accented(accent, letter.strip()) if letter else latex.ACCENT_SIGNS.get(accent)
    if composed is None:
        return False
    state.words(composed)
    state.at = argument.end()
    return True


def environment(state: State, match: re.Match[str]) -> None:
    """Read ``\\begin{name}``."""
    name = match["begin_name"]
    if name.removesuffix("*") in math.MATH_ENVIRONMENTS:
        math.environment(state, match, name)
    elif name in latex.LIST_ENVIRONMENTS:
        state.open_list(match[0], ordered=latex.LIST_ENVIRONMENTS[name])
        state.skip(_OPTION)
    elif name in ("verbatim", "lstlisting") and (end := state.find(f"\\end{{{name}}}")) >= 0:
        state.words("\n\n")
        state.add(Code(" ".join(state.text[state.at : end].split())))
        state.words("\n\n")
        state.at = end + len(f"\\end{{{name}}}")
    else:
        state.words("\n\n")
        state.skip(_OPTION)
        for _ in range(latex.ENVIRONMENT_ARGUMENTS.get(name, 0)):
            state.skip(_RAW_ARGUMENT)
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
        state.push("{", old[0], _finish(latex.OLD_STYLE_COMMANDS[old[1]]))
    elif _EMPTY_BRACES.match(state.text, match.start()) and _drops_empty(state.before(match)):
        state.at += 1
    elif (address := _BARE_ADDRESS.match(state.text, match.start())) and _take_back(state, ("href", "url")):
        _address(state, match, "href" if _ARGUMENT.match(state.text, address.end()) else "url", address)
    elif protected := _PROTECTED.match(state.text, match.start()):
        state.words(protected[1] or protected[2] or protected[3])
        state.at = protected.end()
    elif thousands := _THOUSANDS.match(state.text, match.start()):
        state.words(thousands[1])  # as in ``50{,}000``
        state.at = thousands.end()
    elif lost := _LOST_BACKSLASH.match(state.text, match.start()):
        state.at = lost.end()
        state.push("{", "{", lambda nodes: nodes)
        command(state, lost)  # as in ``{emph{owl}}``
    elif _TEX_GROUP.match(state.text, match.start()) or _begins_argument(state):
        state.push("{", "{", lambda nodes: nodes)  # as in ``{\\ss}``: TeX shows no braces
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
    return frame.kind == "{" and frame.opener.startswith(("\\", "{\\")) and not frame.nodes


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
        state.push("{", "{", lambda nodes: nodes, more_arguments=True)
