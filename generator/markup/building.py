"""How nodes are built: styles, code, links and lists around others, and neighbours joined.

Nodes that a frame has gathered enter; those leave that take their place in the tree.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby
from typing import Literal, TypeAlias

from generator.markup.tree import (
    Code,
    Formula,
    Items,
    Link,
    MarkupText,
    Node,
    Style,
    Styled,
    Words,
    in_blocks,
    plain_text,
)

Finish: TypeAlias = Callable[[tuple[Node, ...]], Iterable[Node]]
"""What the nodes inside something become when it is closed."""


def unchanged(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return the nodes as they are: what holds them together is not shown."""
    return nodes


def styled(style: Style | None) -> Finish:
    """Return how words get a style; None leaves them as they are."""
    if style is None:
        return lambda nodes: nodes
    return lambda nodes: in_blocks(nodes, lambda block: _around(block, lambda inside: Styled(style, inside)))


def code(nodes: tuple[Node, ...]) -> Iterable[Node]:
    """Return the words of some nodes as code, on one line; a formula among them stays a formula."""
    if any(isinstance(node, Formula) for node in nodes):
        return tuple(shown for node in nodes for shown in ((node,) if isinstance(node, Formula) else _code(node)))
    text = " ".join(plain_text(nodes).split())
    return (Code(text),) if text else ()


def _code(node: Node) -> Iterable[Node]:
    text = plain_text((node,))
    words = " ".join(text.split())
    blank = Words(" ")
    return (
        *([blank] if text[:1].isspace() else []),
        *([Code(words)] if words else []),
        *([blank] if text[1:] and text[-1].isspace() else []),
    )


def link_to(url: str) -> Finish:
    """Return how words become a link to an address; links among them are only words, and no words show the address."""

    def finish(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        words = MarkupText(nodes).unlinked().nodes
        return in_blocks(words, lambda block: _around(block, lambda inside: Link(url, inside)))

    return finish


def _around(block: tuple[Node, ...], make: Callable[[tuple[Node, ...]], Node]) -> tuple[Node, ...]:
    """Return a node around the nodes; blanks at their ends stay outside, where they meet others and become one."""
    inside = stripped(block)
    before = [Words(" ")] if plain_text(block[:1])[:1].isspace() else []
    after = [Words(" ")] if plain_text(block[-1:])[-1:].isspace() else []
    return (*before, *([make(inside)] if inside else []), *after)


def list_of(nodes: tuple[Node, ...], *, ordered: bool) -> tuple[Node, ...]:
    """Return the lists of one item among some nodes as one list; words that are no item's are paragraphs between."""
    blocks: list[Node] = [Words("\n\n")]
    items: list[tuple[Node, ...]] = []

    def end_list() -> None:
        if items:
            blocks.extend((Items(ordered, tuple(items)), Words("\n\n")))
            items.clear()

    for is_item, group in groupby(nodes, lambda node: isinstance(node, Items)):
        if is_item:
            items += (item for node in group if isinstance(node, Items) for item in node.items)
        elif words := stripped(tuple(group)):
            end_list()
            blocks += (*words, Words("\n\n"))
    end_list()
    return tuple(blocks)


def item_of(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return an item as a list of one; the items of a list inside it follow it, as items of the same list."""
    items: list[tuple[Node, ...]] = []
    own: list[Node] = []
    for node in nodes:
        if isinstance(node, Items):
            items += (stripped(tuple(own)), *node.items)
            own = []
        elif isinstance(node, Words) and "\n\n" in node.text:
            own.append(Words(re.sub(r"\n{2,}", "\n", node.text)))
        else:
            own.append(node)
    items.append(stripped(tuple(own)))
    return (Items(ordered=False, items=tuple(item for item in items if item)),)


def merged(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Return the nodes with neighbouring words joined, and blanks around line breaks taken out."""
    joined: list[Node] = []
    words: list[str] = []

    def flush() -> None:
        if words:
            text = "".join(words)
            if "\n" in text or "  " in text:
                text = re.sub(r"[^\S\n]*\n[^\S\n]*", "\n", re.sub(r"[ \t]{2,}", " ", text))
                text = re.sub(r"\n{3,}", "\n\n", text)
            joined.append(Words(text))
            words.clear()

    for node in nodes:
        if isinstance(node, Words):
            words.append(node.text)
        else:
            flush()
            joined.append(node)
    flush()
    return tuple(joined)


def stripped(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
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
