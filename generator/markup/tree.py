"""The inline tree: what a text means once LaTeX, Markdown, HTML and Unicode have been told apart.

Everything shown of a text is a view of this tree, so the views cannot disagree. ``\\n\\n`` in words divides paragraphs
and ``\\n`` is a kept line break. Paragraphs and lists are never inside a style, a link or a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Style: TypeAlias = Literal["emphasis", "strong", "subscript", "superscript", "smallcaps", "underline"]


STYLE_TAGS: dict[Style, tuple[str, str]] = {
    "emphasis": ("<em>", "</em>"),
    "strong": ("<strong>", "</strong>"),
    "subscript": ("<sub>", "</sub>"),
    "superscript": ("<sup>", "</sup>"),
    "underline": ("<u>", "</u>"),
    "smallcaps": ('<span class="shelf-smallcaps">', "</span>"),
}
"""How HTML opens and closes a style."""


@dataclass(frozen=True, slots=True)
class Words:
    """Plain characters, shown as they are; a line break is ``\\n``."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Verbatim characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that math-core can convert."""

    tex: str
    """TeX source without delimiters, after repairs."""
    display: bool
    reading: str
    """Its one Unicode reading, used wherever there is no MathML."""


@dataclass(frozen=True, slots=True)
class BrokenFormula:
    """A formula that math-core refuses: shown as its source, never hidden."""

    source: str
    """The text as the author wrote it, delimiters included."""
    reason: str


@dataclass(frozen=True, slots=True)
class Styled:
    """Words in a style."""

    style: Style
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to an http, https or mailto address."""

    url: str
    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list. Its marks are markup, so no view's text holds them."""

    ordered: bool
    items: tuple[tuple[Node, ...], ...]


Node: TypeAlias = Words | Code | Formula | BrokenFormula | Styled | Link | Items


@dataclass(frozen=True, slots=True)
class MarkupText:
    """A text whose markup has been understood."""

    nodes: tuple[Node, ...]

    @staticmethod
    def of_plain(text: str) -> MarkupText:
        """Return ``text`` with no markup at all: every character means itself."""
        return MarkupText((Words(text),) if text else ())

    @property
    def plain(self) -> str:
        """Return the plain view: no markup, formulas in their Unicode reading."""
        return plain_text(self.nodes)

    @property
    def prose(self) -> str:
        """Return the words to judge a text by: the plain view without addresses, code and formulas."""
        return "".join(_prose(node) for node in self.nodes)

    def slice(self, start: int, end: int) -> MarkupText:
        """Return the part between two offsets of the plain view, markup kept.

        A formula is never cut: it belongs to the part that holds its first character.
        """
        return MarkupText(_slice(self.nodes, start, end)[0])

    def unlinked(self) -> MarkupText:
        """Return the text with the words of links in their place, so that it can stand inside a link."""
        return MarkupText(_taken_out(self.nodes, emphasis=False))

    def unstyled(self) -> MarkupText:
        """Return the text without links and emphasis; formulas, subscripts and superscripts stay."""
        return MarkupText(_taken_out(self.nodes, emphasis=True))

    def on_one_line(self) -> MarkupText:
        """Return the text without paragraphs, lists and kept line breaks, such as a title."""
        nodes: list[Node] = []
        for block in blocks(self.nodes):
            for part in block[0].items if isinstance(block[0], Items) else (block,):
                nodes += [Words(" "), *part] if nodes else part
        return MarkupText(_without_breaks(tuple(nodes)))

    def capitalized(self) -> MarkupText:
        """Return the text with its first letter in upper case, unless a formula or code comes first."""
        return MarkupText(_capitalize(self.nodes))


def join(parts: Iterable[MarkupText | str]) -> MarkupText:
    """Return the parts in a row; strings among them are plain text."""
    nodes: list[Node] = []
    for part in parts:
        nodes.extend(part.nodes if isinstance(part, MarkupText) else MarkupText.of_plain(part).nodes)
    return MarkupText(tuple(nodes))


def blocks(nodes: Iterable[Node]) -> Iterator[tuple[Node, ...]]:
    """Yield what stands below each other: the nodes of a paragraph, or a list alone; none is empty."""
    paragraph: list[Node] = []
    for node in nodes:
        if isinstance(node, Items):
            if paragraph:
                yield tuple(paragraph)
                paragraph = []
            yield (node,)
        elif isinstance(node, Words) and "\n\n" in node.text:
            first, *others = re.split("\n{2,}", node.text)
            if first:
                paragraph.append(Words(first))
            for text in others:
                if paragraph:
                    yield tuple(paragraph)
                paragraph = [Words(text)] if text else []
        else:
            paragraph.append(node)
    if paragraph:
        yield tuple(paragraph)


def in_blocks(nodes: tuple[Node, ...], wrap: Callable[[tuple[Node, ...]], tuple[Node, ...]]) -> tuple[Node, ...]:
    """Return the nodes with ``wrap`` put around each paragraph and list item, since nothing reaches over their ends."""
    if not any(isinstance(node, Items) or (isinstance(node, Words) and "\n\n" in node.text) for node in nodes):
        return wrap(nodes) if nodes else ()
    wrapped: list[Node] = []
    for block in blocks(nodes):
        if wrapped:
            wrapped.append(Words("\n\n"))
        match block:
            case (Items(ordered, items),):
                wrapped.append(Items(ordered, tuple(wrap(item) for item in items)))
            case _:
                wrapped += wrap(block)
    return tuple(wrapped)


def plain_text(nodes: Iterable[Node]) -> str:
    """Return the plain view of some nodes."""
    return "".join(_plain(node) for node in nodes)


def _plain(node: Node) -> str:
    match node:
        case Words(text) | Code(text):
            return text
        case Formula(reading=text) | BrokenFormula(source=text):
            return text
        case Styled(children=children) | Link(children=children):
            return plain_text(children)
        case Items(items=items):
            return "\n".join(plain_text(item) for item in items)


def _taken_out(nodes: tuple[Node, ...], *, emphasis: bool) -> tuple[Node, ...]:
    kept: list[Node] = []
    for node in nodes:
        match node:
            case Link(children=children):
                kept += _taken_out(children, emphasis=emphasis)
            case Styled(style, children):
                inside = _taken_out(children, emphasis=emphasis)
                scripts = style in ("subscript", "superscript")
                kept += (Styled(style, inside),) if scripts or not emphasis else inside
            case Code(text) if emphasis:
                kept.append(Words(text))
            case Items(ordered, items):
                kept.append(Items(ordered, tuple(_taken_out(item, emphasis=emphasis) for item in items)))
            case _:
                kept.append(node)
    return tuple(kept)


def _without_breaks(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    kept: list[Node] = []
    for node in nodes:
        match node:
            case Words(text) if "\n" in text:
                kept.append(Words(text.replace("\n", " ")))
            case Styled(children=children) | Link(children=children):
                kept.append(replace(node, children=_without_breaks(children)))
            case _:
                kept.append(node)
    return tuple(kept)


def _prose(node: Node) -> str:
    match node:
        case Words(text):
            return text
        case Styled(children=children):
            return "".join(_prose(child) for child in children)
        case Link(url, children):
            words = plain_text(children)
            return " " if words == url else words
        case Items(items=items):
            return "\n".join("".join(_prose(child) for child in item) for item in items)
        case Code() | Formula() | BrokenFormula():
            return " "


def _slice(nodes: tuple[Node, ...], start: int, end: int) -> tuple[tuple[Node, ...], int]:
    """Return the nodes between two offsets, and the plain length of all of ``nodes``."""
    kept: list[Node] = []
    at = 0
    for node in nodes:
        inner_start, inner_end = start - at, end - at
        match node:
            case Words(text) | Code(text):
                part = text[max(0, inner_start) : max(0, inner_end)]
                if part:
                    kept.append(replace(node, text=part))
                at += len(text)
            case Formula() | BrokenFormula():
                length = len(_plain(node))
                if inner_start <= 0 < inner_end and length:
                    kept.append(node)
                at += length
            case Styled(children=children) | Link(children=children):
                inside, length = _slice(children, inner_start, inner_end)
                if inside:
                    kept.append(replace(node, children=inside))
                at += length
            case Items(ordered, items):
                parts = []
                for number, item in enumerate(items):
                    at += 1 if number else 0
                    inside, length = _slice(item, start - at, end - at)
                    at += length
                    if inside:
                        parts.append(inside)
                if len(parts) > 1:
                    kept.append(Items(ordered, tuple(parts)))
                elif parts:
                    kept += parts[0]
    return tuple(kept), at


def _capitalize(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    for index, node in enumerate(nodes):
        match node:
            case Words(text) if text.strip():
                at = len(text) - len(text.lstrip())
                changed: Node = Words(text[:at] + text[at].upper() + text[at + 1 :])
            case Styled(children=children) | Link(children=children) if plain_text(children).strip():
                changed = replace(node, children=_capitalize(children))
            case Formula() | BrokenFormula() | Code() | Items():
                return nodes
            case _:
                continue
        return (*nodes[:index], changed, *nodes[index + 1 :])
    return nodes
