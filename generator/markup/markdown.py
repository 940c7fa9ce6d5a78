"""The Markdown view of the inline tree.

Nodes enter; Markdown leaves that any Markdown processor shows as the same words, with TeX left as TeX between
dollars. Nothing in it can become a tag, a template expression or front matter.
"""

import html
import re
from functools import lru_cache

from generator.markup.bidi import reads_from_right, right_to_left_runs
from generator.markup.clean import clean_unicode
from generator.markup.html import to_html
from generator.markup.links import quote_address
from generator.markup.tree import (
    STYLE_TAGS,
    BrokenFormula,
    Code,
    Formula,
    Items,
    Link,
    MarkupText,
    Node,
    Styled,
    Words,
    blocks,
    plain_text,
)


class Markdown(str):
    """Text that is Markdown already; everything else must be escaped before it gets into a page."""

    __slots__ = ()


LONG = 20_000
"""Longest text that is written as Markdown, in characters. Python-Markdown's time grows with the square of the marks in
a text, and a megabyte of them would take it an hour; a longer one is written as HTML, which it passes on."""

_SPECIAL = re.compile(r"[\\`*_{}\[\]<$]|&(?=#[0-9xX]|\w*\Z|\w+;)|!(?=\[|\Z)")
_LINE_START = re.compile(r"^([ \t]*)([#>+=|~:-]|\d+[.)])", re.MULTILINE)
_ENTITIES = {"\\": "&#92;", "<": "&lt;", "&": "&amp;"}
_PLAIN_CODE = re.compile(r"[\w .,:;()/+=@%'-]*[\w.,:;()/+=@%'-]")


def to_markdown(text: MarkupText) -> Markdown:
    """Return the text as Markdown: paragraphs and lists divided by a blank line, kept line breaks as ``<br>``."""
    if len(text.plain) > LONG:
        return Markdown(f"<div>{to_html(text)}</div>")
    parts: list[str] = []
    list_before = False
    for block in blocks(text.nodes):
        is_list = isinstance(block[0], Items)
        part = _block(block)
        if part:
            if is_list and list_before:
                parts.append("<!-- -->")  # else two lists would be one
            parts.append(part)
            list_before = is_list
    return Markdown("\n\n".join(parts))


def to_markdown_line(text: MarkupText) -> Markdown:
    """Return the text as Markdown on one line, to stand inside a heading or a list entry."""
    parts = []
    for block in blocks(text.nodes):
        match block:
            case (Items(items=items),):
                parts += [_line(item) for item in items]
            case _:
                parts.append(_line(block))
    return Markdown(_escape_line_start(re.sub("[ \\t\\n]+", " ", " ".join(parts)).strip(" ")))


@lru_cache(maxsize=1 << 14)  # labels, terms and titles stand on many pages
def escape_markdown(text: str) -> Markdown:
    """Return plain text as one line of Markdown that shows just these characters."""
    return Markdown(_escape_line_start(_escape(re.sub(r"\s+", " ", clean_unicode(text)[0]))))


def quote_url(url: str) -> Markdown:
    """Return an address as it can stand in the brackets of a Markdown link."""
    # Written as an entity, since what follows an ampersand might be the name of one.
    return Markdown(quote_address(url).replace("&", "&amp;"))


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0], "\\" + match[0]), text)


def _escape_line_start(line: str) -> str:
    """Escape what would start a heading, a quotation or a list at a line's start, such as ``2.``.

    And a final ``#``, which a heading would take for its end: the heading of C# is not C.
    """
    line = re.sub(r"#(\s*)$", r"\#\1", line)

    def escape(match: re.Match[str]) -> str:
        mark = match[2]
        if mark[0].isdigit():
            return f"{match[1]}{mark[:-1]}&#{ord(mark[-1])};"
        return f"{match[1]}&#{ord(mark)};" if mark in "=|~:" else f"{match[1]}\\{mark}"

    return _LINE_START.sub(escape, line)


def _block(nodes: tuple[Node, ...]) -> str:
    match nodes:
        case (Items(ordered, items),):
            shown = ["<br>".join(_lines(item)) for item in items]
            return "\n".join(f"{f'{number}.' if ordered else '-'} {line}" for number, line in enumerate(shown, 1))
        case _:
            return "<br>\n".join(_lines(nodes))


def _lines(nodes: tuple[Node, ...]) -> list[str]:
    return [_escape_line_start(line.strip()) for line in _line(nodes).split("\n") if line.strip()]


def _line(nodes: tuple[Node, ...]) -> str:
    return _view(nodes, isolate=not reads_from_right(plain_text(nodes)))


def _view(nodes: tuple[Node, ...], *, isolate: bool) -> str:
    parts: list[str] = []
    for index, node in enumerate(nodes):
        match node:
            case Words(text):
                for piece, from_right in right_to_left_runs(text):
                    escaped = _escape(piece)
                    parts.append(f"<bdi>{escaped}</bdi>" if from_right and isolate else escaped)
            case Code(text):
                parts.append(_code(text, after_code=bool(parts) and parts[-1].endswith("`")))
            case Formula(tex, display):
                if parts and parts[-1].endswith("$"):
                    parts.append("<!-- -->")  # else the two dollars that meet would read as one mark
                parts.append(_formula(tex, display=display))
            case BrokenFormula(source, reason):
                words = _escape(" ".join(source.split()))
                parts.append(f'<code class="shelf-broken" title="{_attribute(reason)}">{words}</code>')
            case Styled(style, children):
                mark = {"emphasis": "*", "strong": "**"}.get(style)
                if mark and _simple(children) and not _touches_star(parts, nodes[index + 1 : index + 2]):
                    parts.append(f"{mark}{_view(children, isolate=isolate)}{mark}")
                else:
                    opener, closer = STYLE_TAGS[style]
                    parts.append(f"{opener}{_view(children, isolate=isolate)}{closer}")
            case Link(url, children):
                parts.append(f"[{_view(children, isolate=isolate)}]({quote_url(url)})")
    return "".join(parts)


def _code(text: str, *, after_code: bool) -> str:
    """Backticks where every Markdown processor agrees about what is inside, else a tag around escaped words."""
    plain = _PLAIN_CODE.fullmatch(text) and text[0] != " " and not after_code
    return f"`{text}`" if plain else f"<code>{_escape(text)}</code>"


def _formula(tex: str, *, display: bool) -> str:
    return f"$${tex}$$" if display else f"${tex}$"


def _simple(children: tuple[Node, ...]) -> bool:
    """Whether Markdown's own marks can surround these: words at both ends, no other emphasis, on one line."""
    text = plain_text(children)
    return (
        all(isinstance(child, Words | Formula | Code) for child in children)
        and text == text.strip()
        and "\n" not in text
        and text[:1].isalnum()
        and text[-1:].isalnum()
        and isinstance(children[0], Words)
        and isinstance(children[-1], Words)
    )


def _touches_star(parts: list[str], after: tuple[Node, ...]) -> bool:
    before = parts[-1][-1:] if parts else ""
    follows = isinstance(after[0], Styled) if after else False
    return before in ("*", "\\") or follows


def _attribute(text: str) -> str:
    return re.sub(r"[\\`*_{}\[\]$<>]", lambda match: f"&#{ord(match[0])};", html.escape(text))
