"""Generated pages' Markdown to HTML without Python-Markdown, for the part of Markdown that they are written in.

A page's Markdown enters; the very bytes leave that Python-Markdown gives with `site_config.ALL_EXTENSIONS`, or
nothing where the page holds anything else, and then Python-Markdown has to read it. It knows headings, paragraphs,
tight lists, one level of HTML elements with Markdown in them, attribute lists, and what `markup.markdown` writes.
"""

import html
import re
from collections.abc import Callable
from functools import lru_cache

from markdown import Markdown
from markdown.extensions.toc import slugify, strip_tags, unique

from generator.markup.formula import to_mathml
from generator.markup.gate import GATE_MARK, sanitize

Resolve = Callable[[str], str | None]
"""Takes the path of a Markdown file, relative to the page; returns its address from there, None when there is none."""


class _Unknown(Exception):  # noqa: N818 - not an error: it says that another has to read this
    """Something that only Python-Markdown knows how to read."""


_BLOCKS = re.compile(r"\n{2,}")
_FOREIGN = re.compile(r"[\t\r\x02\x03]|[ ]\n|\n~~~|\*\*\*")
"""What is nowhere in our pages, and would take more care than it is worth."""

_HEADING = re.compile(r"(#{1,6}) ([^\n]*[^\n #])")
_OPENER = re.compile(
    r"<(div|nav|section|details)((?: [a-z-]+=\"[^\"]*\")*) markdown=\"1\">(?:\n<summary>([\w ]+)</summary>)?"
)
_CLOSER = re.compile(r"</(div|nav|section|details)>")
_HEADING_ID = re.compile(r"<h[1-6] id=\"([\w-]+)\"")
_RAW = re.compile(r"<div(?: [a-z-]+=\"[\w -]*\")*></div>")
_HTML_ATTRIBUTE = re.compile(r" ([a-z-]+)=\"([^\"]*)\"")
_ATTRIBUTE = re.compile(r"(?:\.([\w-]+)|([a-z-]+)=\"([\w -]*)\")(?: |$)")
_PARAGRAPH_ATTRIBUTES = re.compile(r"\n\{: ([^{}\n]*?) ?\}\Z")
_ITEM = {"ul": re.compile(r"^- (?=\S)", re.MULTILINE), "ol": re.compile(r"^\d+\. (?=\S)", re.MULTILINE)}
_BAD_LINE = re.compile(r"[\s#>+=|~:-]|\d+[.)]|\*(?!\*?\w)|<!|\Z")
"""Starts of lines that would begin another block, or make a table of the line before."""

_MARK = re.compile(r"[\\`*_{}\[\]<>$&!]")
"""What a token begins with."""

_TOKEN = re.compile(
    r"\\(?P<escape>[\\`*_{}\[\]()>#+\-.!$])"
    r"|(?P<entity>&(?:[A-Za-z][A-Za-z0-9]*|\#[0-9]+|\#x[0-9a-fA-F]+);)"
    r"|(?P<amp>&(?!\#))"
    r"|(?P<gt>>)"
    r"|(?P<tag></?(?:bdi|code|em|small|strong|sub|sup|u)>|<br>|</span>|<span class=\"shelf-smallcaps\">"
    r"|<code class=\"shelf-broken\" title=\"[^\"\\`*_{}\[\]$<>]*\">)"
    r"|`(?P<code>[\w .,:;()/+=@%'-]*[\w.,:;()/+=@%'-])`(?!`)"
    r"|\$\$(?P<display>(?:\\.|[^\\$])+)\$\$"
    r"|\$(?![\s$])(?P<formula>(?:\\.|[^\\$])*(?:\\.|[^\\$\s]))\$(?!\$)"
    r"|\*\*(?P<strong>(?:[^*\\`$\[\]<>&]|\\.)+)\*\*"
    r"|\*(?P<em>(?:[^*\\`$\[\]<>&]|\\.)+)\*"
    r"|(?P<open>\[)"
    r"|(?P<close>\])"
    r"|(?P<other>[\\`*_{}<$&]|!(?=\[))"
    r"|(?P<plain>!)",
    re.DOTALL,
)
_TARGET = re.compile(
    r"\]\(((?:[^\s()<>\"'\\`$\[\]{}]|\([^\s()<>\"'\\`$\[\]{}]*\))+)\)(?:\{: ([^{}\n]*?) ?\})?", re.DOTALL
)
_LOCAL = re.compile(r"(?:\.\./)*[\w-]+(?:[/.][\w-]+)*\.md", re.ASCII)
_OUTSIDE = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_LOOSE_AMPERSAND = re.compile(r"&(?!(?:#[0-9]+|#x[0-9a-f]+|[0-9a-z]+);)", re.IGNORECASE)


class FastMarkdown:
    """Converts pages; one object serves one folder of pages, and remembers what their lines have in common.

    Args:
        resolve: Finds the address of a linked page.
        reader: Python-Markdown with `ALL_EXTENSIONS`; reads single headings that this module does not know.
    """

    def __init__(self, resolve: Resolve, reader: Markdown) -> None:
        self._resolve = resolve
        self._reader = reader
        self._line = lru_cache(maxsize=32_768)(self._inline)

    def convert(self, text: str) -> str | None:
        """Return a page's HTML, after the gate; None when it must be read by Python-Markdown.

        Args:
            text: The Markdown, without front matter.
        """
        first, _, body = text.strip("\n").partition("\n\n")
        if first != GATE_MARK or _FOREIGN.search(body):
            return None
        try:
            return sanitize("\n".join(self._blocks(body)).strip()).strip()
        except (_Unknown, RecursionError):
            return None

    def _blocks(self, body: str) -> list[str]:
        """Return the HTML of the blocks, an element that holds others as several pieces."""
        shown: list[str] = []
        inside = ""
        after_list = False
        used_ids: set[str] = set()
        for block in _BLOCKS.split(body):
            is_list = False
            if block.startswith("<") and (opener := _OPENER.fullmatch(block)):
                if inside:
                    raise _Unknown
                inside, attributes, summary = opener.groups()
                shown.append(f"<{inside}{_html_attributes(attributes)}>")
                if summary:
                    if inside != "details":
                        raise _Unknown
                    shown.append(f"<summary>{summary}</summary>")
            elif block.startswith("</") and (closer := _CLOSER.fullmatch(block)):
                if closer[1] != inside or shown[-1].startswith(f"<{inside}"):
                    raise _Unknown
                inside = ""
                shown.append(block)
            elif block.startswith("<div") and _RAW.fullmatch(block) and not inside:
                shown.append(f"{block}\n")
            elif heading := _HEADING.fullmatch(block):
                shown.append(self._heading(len(heading[1]), heading[2], used_ids))
            elif block.startswith(("- ", "1. ")):
                if after_list:
                    raise _Unknown
                shown.append(self._list(block, "ul" if block[0] == "-" else "ol"))
                is_list = True
            else:
                shown.append(self._paragraph(block))
            after_list = is_list
        if inside:
            raise _Unknown
        return shown

    def _heading(self, level: int, words: str, used_ids: set[str]) -> str:
        if "$" in words:
            shown, slug = self._read_heading(words)
        else:
            shown = self._line(words)
            slug = slugify(html.unescape(strip_tags(shown)), "-")
        return f'<h{level} id="{unique(slug, used_ids)}">{shown}</h{level}>'

    def _read_heading(self, words: str) -> tuple[str, str]:
        """Return a heading's HTML and id as Python-Markdown has them: formulas are in an id by their reading."""
        read = self._reader.reset().convert(f"# {words}")
        match = re.fullmatch(r'<h1 id="([\w-]*)">(.*)</h1>', read, re.DOTALL)
        if not match:
            raise _Unknown
        return match[2], match[1]

    def _list(self, block: str, kind: str) -> str:
        _, *items = _ITEM[kind].split(block)
        shown = []
        for item in items:
            text = item.removesuffix("\n")
            if any(map(_BAD_LINE.match, text.split("\n"))):
                raise _Unknown
            shown.append(f"<li>{self._line(text)}</li>")
        return f"<{kind}>\n" + "\n".join(shown) + f"\n</{kind}>"

    def _paragraph(self, block: str) -> str:
        attributes = ""
        if match := _PARAGRAPH_ATTRIBUTES.search(block):
            attributes = _attributes({}, match[1])
            block = block[: match.start()]
        if any(map(_BAD_LINE.match, block.split("\n"))):
            raise _Unknown
        return f"<p{attributes}>{self._line(block)}</p>"

    def _inline(self, text: str) -> str:
        shown: list[str] = []
        end = self._tokens(text, 0, shown, in_link=False)
        if end != len(text):
            raise _Unknown
        return "".join(shown)

    def _tokens(self, text: str, at: int, shown: list[str], *, in_link: bool) -> int:
        """Append the HTML of ``text`` from ``at`` on, and return where it ends: within a link, at its bracket."""
        while mark := _MARK.search(text, at):
            start = mark.start()
            match = _TOKEN.match(text, start)
            if match is None:
                raise _Unknown
            kind = match.lastgroup
            shown.append(text[at:start])
            at = match.end()
            match kind:
                case "escape":
                    shown.append("&gt;" if match["escape"] == ">" else match["escape"])
                case "entity" | "tag" | "plain":
                    shown.append(match[0])
                case "amp":
                    shown.append("&amp;")
                case "gt":
                    shown.append("&gt;")
                case "code":
                    shown.append(f"<code>{match['code'].strip()}</code>")
                case "display" | "formula":
                    shown.append(_mathml(match[kind], display=kind == "display"))
                case "strong" | "em":
                    shown.append(f"<{kind}>{self._inline(match[kind])}</{kind}>")
                case "open" if not in_link:
                    at = self._link(text, at, shown)
                case "close" if in_link:
                    return start
                case _:
                    raise _Unknown
        if in_link:
            raise _Unknown
        shown.append(text[at:])
        return len(text)

    def _link(self, text: str, at: int, shown: list[str]) -> int:
        words: list[str] = []
        target = _TARGET.match(text, self._tokens(text, at, words, in_link=True))
        if not target:
            raise _Unknown
        address = target[1]
        if not _OUTSIDE.match(address):
            resolved = self._resolve(address) if _LOCAL.fullmatch(address) else None
            if resolved is None:
                raise _Unknown
            address = resolved
        shown.append(f"<a{_attributes({'href': address}, target[2] or '')}>{''.join(words)}</a>")
        return target.end()


def first_anchor(shown: str) -> str | None:
    """Return the id of the first heading in a page's HTML; None when it has none."""
    match = _HEADING_ID.search(shown)
    return match[1] if match else None


def _mathml(tex: str, *, display: bool) -> str:
    try:
        return to_mathml(tex, display=display)
    except ValueError as error:
        raise _Unknown from error


@lru_cache(maxsize=256)
def _attribute_list(source: str) -> tuple[tuple[str, str], ...]:
    """Return the attributes in the braces of an attribute list."""
    found: dict[str, str] = {}
    at = 0
    while at < len(source):
        match = _ATTRIBUTE.match(source, at)
        if not match:
            raise _Unknown
        if match[1]:
            found["class"] = f"{found['class']} {match[1]}" if "class" in found else match[1]
        else:
            found[match[2]] = match[3]
        at = match.end()
    return tuple(found.items())


def _attributes(given: dict[str, str], source: str) -> str:
    """Return an element's attributes as Python-Markdown writes them, those of an attribute list among them."""
    items = sorted({**given, **dict(_attribute_list(source))}.items())
    return "".join(f' {name}="{_quoted(value)}"' for name, value in items)


@lru_cache(maxsize=256)
def _html_attributes(source: str) -> str:
    """Return the attributes of an element with Markdown in it as Python-Markdown writes them."""
    found = {name: html.unescape(value) for name, value in _HTML_ATTRIBUTE.findall(source)}
    return "".join(f' {name}="{_quoted(value)}"' for name, value in sorted(found.items()))


def _quoted(value: str) -> str:
    value = _LOOSE_AMPERSAND.sub("&amp;", value)
    return value.replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
