"""The parser: one pass over a text that mixes LaTeX, Markdown, HTML and Unicode.

A raw text enters; a `MarkupText` leaves, with the faults found on the way. What cannot be understood stays as it was
written. Time is linear in the length of the text: each look ahead ends at the next mark of its kind.
"""

import html
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from generator.markup import latex
from generator.markup.clean import clean_unicode
from generator.markup.formula import read_formula, symbol
from generator.markup.tree import BrokenFormula, Code, Link, MarkupText, Node, Style, Styled, Words, plain_text


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a text that could not be read as its author meant it."""

    kind: str
    message: str
    done: str
    fragment: str


MAX_OPEN = 60
"""Most styles open at once; a deeper one stays as written. Real texts need three."""

_MARK = re.compile(
    r"""[$\\`*_{}\[<&"~\n'\- \thH]
    (?:(?<=[$\\`*_{}\[<&"~\n])|(?<=')(?=')|(?<=-)(?=-)|(?<=[ \t])(?=[ \t\n])|(?<=[hH])(?=[tT][tT][pP]))
    """,
    re.VERBOSE,
)
"""Where a token may start. It begins with a set of characters, which makes it ten times as fast to look for."""

_TOKEN = re.compile(
    r"""(?P<dollar>\$\$?)
    |(?P<bracket_math>\\[(\[])
    |(?P<environment>\\begin\{(?:equation|align|gather|multline|eqnarray)\*?\})
    |(?P<doubled>\\\\(?=[A-Za-z%&_\#$]))
    |(?P<command>\\[A-Za-z]+)
    |(?P<escape>\\.)
    |(?P<url>https?://(?:[^\s<>"“”‘’«»{}|\\^`$。，、；：）】」]|\\[_%&\#~$])+)
    |(?P<backtick>`+)
    |(?P<star>\*+)
    |(?P<underscore>_+)
    |(?P<open>\{)
    |(?P<close>\})
    |(?P<link>\[)
    |(?P<tag></?(?:sub|sup|i|em|italic|b|strong|bold|u|br|p|jats:[a-z-]+)(?:\s[^<>]*)?/?>)
    |(?P<entity>&(?:amp;)?(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
    |(?P<quote>''|")
    |(?P<tie>~)
    |(?P<dash>-{2,3})
    |(?P<newline>[ \t]*\n[ \t\n]*)
    |(?P<blanks>[ \t]{2,})
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ESCAPED = {c: c for c in "%&$#_{}*[]()+-!<>|\\"} | {
    ",": " ",
    ";": " ",
    ":": " ",
    " ": " ",
    "/": "",
    "@": "",
    "\n": " ",
}
"""What a backslash and one character stand for, be it LaTeX's escape or Markdown's."""

_TAG_STYLES: dict[str, Style] = {
    "sub": "subscript", "sup": "superscript", "i": "emphasis", "em": "emphasis", "italic": "emphasis", "b": "strong",
    "strong": "strong", "bold": "strong", "u": "underline",
}  # fmt: skip
_MARKDOWN_LINK = re.compile(
    r"\[([^\[\]\n]+)\]\(\s*<?((?:https?://|mailto:)[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?\s*\)"
)
_OLD_STYLE = re.compile(r"\{\s*\\(" + "|".join(latex.OLD_STYLE_COMMANDS) + r")(?![A-Za-z])\s*")
_PROTECTED = re.compile(r"\{\{([^\s{}\\$](?:[^{}\\$\n]*[^\s{}\\$])?)\}\}")
_BRACED = re.compile(r"\s*\{([^{}]*)\}")
_RAW_ARGUMENT = re.compile(r"\s*\{((?:[^{}\\]|\\.|\{[^{}]*\})*)\}", re.DOTALL)
_ACCENTED = re.compile(r"\s*(?:\{\s*(\\[ij](?![A-Za-z])|[A-Za-z]?)\s*\}|(\\[ij](?![A-Za-z])|[A-Za-z]))")
_DUNDER = re.compile(r"__[^\W_]++(?:_[^\W_]++)*+__(?!\w)")
_LIST_MARKER = re.compile(r"(?:[-*+•]|\(?\d{1,3}[.)])\s")
_TRAILING = ".,;:!?'*_~"
_PLAIN_WORD = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3,}(?![A-Za-z}])")
_BRACE_OR_DOLLAR = re.compile(r"\\.|[{}$]|\n[ \t]*\n", re.DOTALL)
_AMOUNT = re.compile(r"\d[\d,.]*\s*(?:[kKMBT]|bn|million|billion|trillion|USD|per|/|-|–|and|to|or)?\b")


def parse_markup(raw: str) -> tuple[MarkupText, tuple[Fault, ...]]:
    """Return what ``raw`` means, and what in it could not be read.

    Paragraphs are divided by ``\\n\\n`` and kept lines by ``\\n``; other white space is one blank. Never raises.
    """
    text, removed = clean_unicode(raw)
    parser = _Parser(text.strip())
    if removed:
        parser.faults.append(
            Fault("control-character", "characters that cannot be shown", "they were removed", ", ".join(removed))
        )
    return MarkupText(parser.parse()), tuple(parser.faults)


def parse_line(raw: str) -> tuple[MarkupText, tuple[Fault, ...]]:
    """Return what ``raw`` means on one line, such as a title or a name: line breaks become blanks."""
    return parse_markup(" ".join(raw.split()))


@dataclass(slots=True)
class _Frame:
    """A style, group or link that has been opened and waits for its end."""

    kind: str
    """``*``, ``**``, ``_``, ``__``, ``{`` for every brace, ``<name>`` for a tag, empty for the root."""
    opener: str
    """The source that opened it; shown again when nothing closes it."""
    finish: Callable[[tuple[Node, ...]], Iterable[Node]]
    nodes: list[Node] = field(default_factory=list)


def _styled(style: Style | None) -> Callable[[tuple[Node, ...]], Iterable[Node]]:
    if style is None:
        return lambda nodes: nodes
    return lambda nodes: (Styled(style, nodes),) if nodes else ()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.faults: list[Fault] = []
        self.stack = [_Frame("", "", lambda nodes: nodes)]
        self.open_quotes = 0
        self._dollars: dict[int, int] | None = None
        self._absent: set[str] = set()

    def parse(self) -> tuple[Node, ...]:
        while match := self._next_token():
            if match.start() > self.at:
                self._words(self.text[self.at : match.start()])
            self.at = match.end()
            assert match.lastgroup  # noqa: S101 - every alternative is named
            getattr(self, "_" + match.lastgroup)(match)
        self._words(self.text[self.at :])
        self._give_up(0)
        return _stripped(_merged(self.stack[0].nodes))

    def _find(self, mark: str) -> int:
        """Return where ``mark`` comes next, -1 if it does not; looks through the text in vain once for each mark."""
        if mark in self._absent:
            return -1
        found = self.text.find(mark, self.at)
        if found < 0:
            self._absent.add(mark)
        return found

    def _next_token(self) -> re.Match[str] | None:
        at = self.at
        while mark := _MARK.search(self.text, at):
            if token := _TOKEN.match(self.text, mark.start()):
                return token
            at = mark.end()
        return None

    # -- building ------------------------------------------------------------------------------------------------

    def _words(self, text: str) -> None:
        if text:
            self.stack[-1].nodes.append(Words(text))

    def _before(self, match: re.Match[str]) -> str:
        return self.text[match.start() - 1] if match.start() else " "

    def _after(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else " "

    def _push(self, kind: str, opener: str, finish: Callable[[tuple[Node, ...]], Iterable[Node]]) -> None:
        if len(self.stack) > MAX_OPEN:
            self._words(opener)
        else:
            self.stack.append(_Frame(kind, opener, finish))

    def _give_up(self, depth: int) -> None:
        """Show the openers above ``depth`` as they were written: nothing closes them."""
        unclosed = self.stack[depth + 1 :]
        del self.stack[depth + 1 :]
        for frame in unclosed:
            self.stack[-1].nodes.append(Words(frame.opener))
            self.stack[-1].nodes.extend(frame.nodes)

    def _finish(self, depth: int) -> None:
        """Close the frame at ``depth``; openers inside it that nothing closed are shown."""
        self._give_up(depth)
        frame = self.stack.pop()
        self.stack[-1].nodes.extend(frame.finish(_merged(frame.nodes)))

    def _opened(self, kind: str) -> int | None:
        """Return the depth of the innermost open frame of a kind, not looking beyond braces; None if there is none."""
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].kind == kind:
                return depth
            if self.stack[depth].kind == "{":
                return None
        return None

    def _holds_something(self, depth: int) -> bool:
        return bool(self.stack[depth].nodes) or depth < len(self.stack) - 1

    # -- formulas ------------------------------------------------------------------------------------------------

    def _formula(self, tex: str, end: int, *, start: int, display: bool) -> None:
        source = self.text[start:end]
        node = read_formula(tex, display=display, source=source)
        if isinstance(node, BrokenFormula):
            self.faults.append(Fault("formula", f"no readable formula ({node.reason})", "its source is shown", source))
        self.stack[-1].nodes.append(node)
        self.at = end

    def _dollar(self, match: re.Match[str]) -> None:
        start, mark = match.start(), match[0]
        if mark == "$$":
            end = self._find("$$")
            if end > self.at and "\n\n" not in self.text[self.at : end] and self.text[self.at : end].strip():
                self._formula(self.text[self.at : end], end + 2, start=start, display=True)
            else:
                self._words(mark)
            return
        if self._dollars is None:
            self._dollars = _closing_dollars(self.text)
        end = self._dollars.get(start, -1)
        if end < 0 or not _is_formula(self.text[self.at : end], self.text[end + 1 : end + 2]):
            self._words(mark)
        else:
            self._formula(self.text[self.at : end], end + 1, start=start, display=False)

    def _bracket_math(self, match: re.Match[str]) -> None:
        closer = "\\)" if match[0] == "\\(" else "\\]"
        end = self._find(closer)
        tex = self.text[self.at : end] if end >= 0 else ""
        if tex.strip() and "\n\n" not in tex:
            self._formula(tex, end + 2, start=match.start(), display=match[0] == "\\[")
        else:
            self._words(match[0][1])

    def _environment(self, match: re.Match[str]) -> None:
        name = match[0][len("\\begin{") : -1]
        closer = f"\\end{{{name}}}"
        end = self._find(closer)
        if end < 0:
            self._words(match[0])
            return
        inner = self.text[self.at : end]
        whole = inner if name.startswith("equation") else match[0] + inner + closer
        self._formula(whole, end + len(closer), start=match.start(), display=True)

    # -- LaTeX ---------------------------------------------------------------------------------------------------

    def _doubled(self, match: re.Match[str]) -> None:  # noqa: ARG002 - all handlers have one shape
        """A backslash that an export has doubled, if a known command follows; else LaTeX's line break."""
        command = re.compile(r"[A-Za-z]+|[%&_#$]").match(self.text, self.at)
        name = command[0] if command else ""
        if (
            not name.isalpha()
            or name in latex.STYLE_COMMANDS
            or name in latex.CITATIONS
            or name in ("href", "url", "texttt")
        ):
            self.at -= 1
        else:
            self._words("\n")

    def _command(self, match: re.Match[str]) -> None:
        name = match[0][1:]
        text = self.text
        braced = text.startswith("{", self.at) or re.compile(r"[ ]\{").match(text, self.at) is not None
        if name in latex.STYLE_COMMANDS and braced:
            self._group(match, _styled(latex.STYLE_COMMANDS[name]))
        elif name == "texttt" and braced:
            self._group(match, lambda nodes: (Code(plain_text(nodes)),) if nodes else ())
        elif name == "footnote" and braced:
            self._group(match, lambda nodes: (Words(" ("), *nodes, Words(")")))
        elif name in latex.CITATIONS and (argument := _RAW_ARGUMENT.match(text, self.at)):
            self._words(f"[{argument[1]}]")
            self.at = argument.end()
        elif name in ("url", "href") and (argument := _RAW_ARGUMENT.match(text, self.at)):
            self._address(match, name, argument)
        elif name in latex.ACCENT_LETTERS and self._accent(name):
            pass
        elif name in latex.LETTERS:
            self._words(latex.LETTERS[name])
            self._skip(r"\{\}|[ ]?")
        elif name in latex.SYMBOLS:
            self._words(latex.SYMBOLS[name])
            self._skip(r"(?:\{\})?")
        elif name in latex.OLD_STYLE_COMMANDS:
            self._skip(r"\s*")  # outside a group it would style the rest of the text, which nobody means
        elif not braced and (character := symbol(match[0])):
            self._words(character)
        else:
            self._words(match[0])
            self.faults.append(Fault("unknown-command", "an unknown command", "it is shown as written", match[0]))

    def _skip(self, pattern: str) -> None:
        if match := re.compile(pattern).match(self.text, self.at):
            self.at = match.end()

    def _group(self, match: re.Match[str], finish: Callable[[tuple[Node, ...]], Iterable[Node]]) -> None:
        self.at = self.text.index("{", self.at) + 1
        self._push("{", self.text[match.start() : self.at], finish)

    def _address(self, match: re.Match[str], name: str, argument: re.Match[str]) -> None:
        url = re.sub(r"\\([_%&#~$])(?:\{\})?", r"\1", argument[1]).strip()
        if not url.lower().startswith(("http://", "https://", "mailto:")):
            # Shown with what it wanted to open; never followed.
            self._words(self.text[match.start() : argument.end()])
            self.at = argument.end()
        elif name == "url":
            self.stack[-1].nodes.append(Link(url, (Words(url),)))
            self.at = argument.end()
        else:
            self.at = argument.end()
            self._skip(r"\s*(?=\{)")
            if self.text.startswith("{", self.at):
                self._group(match, lambda nodes: (Link(url, MarkupText(nodes).unlinked().nodes),) if nodes else ())
            else:
                self.stack[-1].nodes.append(Link(url, (Words(url),)))

    def _accent(self, accent: str) -> bool:
        argument = _ACCENTED.match(self.text, self.at)
        if not argument or (accent.isalpha() and not argument[0][0].isspace() and argument[2]):
            return False
        composed = latex.accented(accent, argument[1] or argument[2] or " ")
        if composed is None:
            return False
        self._words(composed)
        self.at = argument.end()
        return True

    def _escape(self, match: re.Match[str]) -> None:
        character = match[0][1]
        if character in latex.ACCENT_MARKS and self._accent(character):
            return
        if character == "\\":
            self._words("\n")
            self._skip(r"\*?(?:\[[^\]\n]{0,10}\])?[ \t]*\n?[ \t]*")
        elif character in _ESCAPED or character in "'\"`.~^=":
            self._words(_ESCAPED.get(character, character))
        else:
            self._words(match[0])

    def _open(self, match: re.Match[str]) -> None:
        if old := _OLD_STYLE.match(self.text, match.start()):
            self.at = old.end()
            if old[1] in ("tt", "ttfamily"):
                self._push("{", old[0], lambda nodes: (Code(plain_text(nodes)),) if nodes else ())
            else:
                self._push("{", old[0], _styled(latex.OLD_STYLE_COMMANDS[old[1]]))
        elif protected := _PROTECTED.match(self.text, match.start()):
            self._words(protected[1])  # BibTeX's way to keep capitals
            self.at = protected.end()
        else:
            self._push("{", "{", lambda nodes: (Words("{"), *nodes, Words("}")))

    def _close(self, match: re.Match[str]) -> None:
        depth = next((d for d in range(len(self.stack) - 1, 0, -1) if self.stack[d].kind == "{"), None)
        if depth is None:
            self._words(match[0])
        else:
            self._finish(depth)

    def _quote(self, match: re.Match[str]) -> None:
        if match[0] == "''" or self.open_quotes:
            self._words("”")
            self.open_quotes = max(0, self.open_quotes - 1)
        else:
            self._words(match[0])

    def _tie(self, match: re.Match[str]) -> None:
        before, after = self._before(match), self._after()
        ties = (before.isalpha() or before in ".)") and (after.isalnum() or after in "\\[($")
        self._words("\u00a0" if ties else match[0])

    def _dash(self, match: re.Match[str]) -> None:
        before, after = self._before(match), self._after()
        rule = (match.start() == 0 or before == "\n") and (self.at == len(self.text) or after == "\n")
        option = before.isspace() and after.isalnum()
        if rule or option or "-" in (before, after):
            self._words(match[0])
        else:
            self._words("—" if len(match[0]) == 3 else "–")

    # -- Markdown ------------------------------------------------------------------------------------------------

    def _backtick(self, match: re.Match[str]) -> None:
        mark = match[0]
        end = self._find(mark)
        code = self.text[self.at : end] if end >= 0 else ""
        is_code = bool(code.strip()) and "\n\n" not in code and not self.text.startswith("`", end + len(mark))
        if mark == "``" and not (is_code and "''" not in code and '"' not in code):
            self._words("“")
            self.open_quotes += 1
        elif is_code and len(mark) <= 3 and (len(mark) > 1 or code == code.strip()) and not re.match(r"\w+'", code):
            self.stack[-1].nodes.append(Code(" ".join(code.split())))
            self.at = end + len(mark)
        elif mark == "`" and not self._before(match).isalnum() and self._after().isalpha():
            self._words("‘")
        else:
            self._words(mark)

    def _star(self, match: re.Match[str]) -> None:
        run, before, after = match[0], self._before(match), self._after()
        if len(run) > 3:
            self._words(run)
            return
        kinds = ["**", "*"] if len(run) == 3 else [run]
        if not before.isspace():
            opened = sorted(
                ((d, k) for k in kinds if (d := self._opened(k)) and self._holds_something(d)), reverse=True
            )
            for _, kind in opened:  # the innermost first
                depth = self._opened(kind)
                if depth is not None:
                    self._finish(depth)
                    kinds.remove(kind)
            if opened:
                self._words("".join(kinds))
                return
        for kind in kinds:
            if not after.isspace() and not (before.isalnum() and (kind == "*" or after.isdigit())):
                self._push(kind, kind, _styled("strong" if kind == "**" else "emphasis"))
            else:
                self._words(kind)

    def _underscore(self, match: re.Match[str]) -> None:
        run, before, after = match[0], self._before(match), self._after()
        if len(run) == 2 and (dunder := _DUNDER.match(self.text, match.start())):
            self._words(dunder[0])
            self.at = dunder.end()
            return
        depth = self._opened(run) if len(run) <= 2 else None
        inside_word = before.isalnum() and after.isalnum()
        if depth is not None and not before.isspace() and not after.isalnum() and self._holds_something(depth):
            self._finish(depth)
        elif len(run) <= 2 and not inside_word and not before.isalnum() and not after.isspace():
            self._push(run, run, _styled("strong" if len(run) == 2 else "emphasis"))
        else:
            self._words(run)

    def _link(self, match: re.Match[str]) -> None:
        link = _MARKDOWN_LINK.match(self.text, match.start())
        if not link:
            self._words(match[0])
            return
        inner = _Parser(link[1])
        words = inner.parse()
        self.faults.extend(inner.faults)
        self.stack[-1].nodes.append(Link(_unescaped(link[2]), MarkupText(words).unlinked().nodes or (Words(link[2]),)))
        self.at = link.end()

    def _url(self, match: re.Match[str]) -> None:
        url = match[0]
        while url and (url[-1] in _TRAILING or (url[-1] in ")]" and url.count(")") > url.count("("))):
            url = url[:-1].removesuffix("\\")
        self.at = match.start() + len(url)
        address = _unescaped(url)
        if len(address) <= len("https://"):
            self._words(url)
        else:
            self.stack[-1].nodes.append(Link(address, (Words(address),)))

    # -- HTML and white space ------------------------------------------------------------------------------------

    def _tag(self, match: re.Match[str]) -> None:
        name = re.sub(r"[</>]|\s.*", "", match[0], flags=re.DOTALL).lower()
        local = name.removeprefix("jats:")
        if local == "br":
            self._words("\n")
        elif local in _TAG_STYLES:
            if match[0].startswith("</"):
                depth = self._opened(f"<{name}>")
                if depth is None:
                    self._words(match[0])
                else:
                    self._finish(depth)
            else:
                self._push(f"<{name}>", match[0], _styled(_TAG_STYLES[local]))
        elif name != local or local == "p":
            self._words("\n\n")

    def _entity(self, match: re.Match[str]) -> None:
        character = html.unescape(html.unescape(match[0]))
        self._words(clean_unicode(character)[0])

    def _newline(self, match: re.Match[str]) -> None:
        if match[0].count("\n") > 1:
            # No emphasis reaches over a paragraph's end.
            self._give_up(max(d for d, frame in enumerate(self.stack) if frame.kind in ("", "{")))
            self._words("\n\n")
        else:
            self._words("\n" if _LIST_MARKER.match(self.text, self.at) else " ")

    def _blanks(self, match: re.Match[str]) -> None:  # noqa: ARG002
        self._words(" ")


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


def _is_formula(tex: str, after: str) -> bool:
    """Return whether what stands between two dollars is a formula: not money, and not the prose between two sums."""
    if not tex.strip() or "\n\n" in tex:
        return False
    starts_blank, ends_blank = tex[0].isspace(), tex[-1].isspace()
    if starts_blank != ends_blank and (after.isdigit() or tex[0].isdigit()):
        return False
    if _AMOUNT.match(tex) and (after.isdigit() or ends_blank):
        return False
    outside_text = re.sub(r"\\[A-Za-z]+\s*\{[^{}]*\}|\\[A-Za-z]+", " ", tex)
    return len(_PLAIN_WORD.findall(outside_text)) < 3


def _unescaped(url: str) -> str:
    return re.sub(r"\\([_%&#~$])", r"\1", html.unescape(url))


def _merged(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Return the nodes with neighbouring words joined, and blanks around line breaks taken out."""
    merged: list[Node] = []
    words: list[str] = []

    def flush() -> None:
        if words:
            text = "".join(words)
            if "\n" in text or "  " in text:
                text = re.sub(r"[ \t]?\n[ \t]?", "\n", re.sub(r"[ \t]{2,}", " ", text))
                text = re.sub(r"\n{3,}", "\n\n", text)
            merged.append(Words(text))
            words.clear()

    for node in nodes:
        if isinstance(node, Words):
            words.append(node.text)
        else:
            flush()
            merged.append(node)
    flush()
    return tuple(merged)


def _stripped(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return the nodes without white space at either end, styles and links at the ends included."""
    return _stripped_at(_stripped_at(nodes, 0), -1)


def _stripped_at(nodes: tuple[Node, ...], end: Literal[0, -1]) -> tuple[Node, ...]:
    while nodes:
        node = nodes[end]
        kept: Node | None = node
        if isinstance(node, Words):
            text = node.text.rstrip() if end else node.text.lstrip()
            kept = Words(text) if text else None
        elif isinstance(node, Styled | Link):
            inside = _stripped_at(node.children, end)
            kept = replace(node, children=inside) if inside else None
        others = nodes[:-1] if end else nodes[1:]
        if kept is not None:
            return (*others, kept) if end else (kept, *others)
        nodes = others
    return ()
