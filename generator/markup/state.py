"""Where a parse stands: the text, the position, and what has been opened and waits for its end.

The rules in ``rules/`` move it forward; a finished parse leaves the nodes of the inline tree.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from generator.markup.faults import Fault
from generator.markup.lists import ListLine
from generator.markup.tree import Code, Formula, Items, Link, Node, Style, Styled, Words, in_blocks, plain_text

MAX_OPEN = 60
"""Most styles open at once; a deeper one stays as written. Real texts need three."""

MAX_NESTED = 3
"""Deepest nesting of parts that are parsed by themselves, such as the words of a link. Each costs a pass."""

Finish: TypeAlias = Callable[[tuple[Node, ...]], Iterable[Node]]
"""What the nodes inside something become when it is closed."""


@dataclass(slots=True)
class Frame:
    """A style, group, link or list that has been opened and waits for its end."""

    kind: str
    """``*``, ``**``, ``_``, ``__``, ``{`` for every brace, ``<name>`` for a tag, ``list``, ``item``; empty for all."""
    opener: str
    """The source that opened it; shown again when nothing closes it, unless it is a list."""
    finish: Finish
    more_arguments: bool = False
    """Whether a brace that follows at once holds one more argument of the same command."""
    nodes: list[Node] = field(default_factory=list)


_BOUNDARIES = frozenset({"", "{", "list", "item"})
"""Frames that no emphasis reaches over."""

_LISTS = frozenset({"list", "item"})


class State:
    """One parse of one text."""

    def __init__(
        self,
        text: str,
        list_lines: Mapping[int, ListLine],
        parse: Callable[[str, "State"], tuple[Node, ...]],
        outer: "State | None" = None,
    ) -> None:
        self.text = text
        self._parse = parse
        self.at = 0
        self.faults: list[Fault] = outer.faults if outer else []
        self.depth: int = outer.depth + 1 if outer else 0
        """How many texts this one is a part of."""
        self.stack = [Frame("", "", lambda nodes: nodes)]
        self.list_lines = list_lines
        """What begins or ends a list, by the position of the line's first character."""
        self.open_quotes = 0
        self.straight_quote: tuple[Frame, int] | None = None
        """Where an opening straight quote stands that nothing has closed yet: its frame, and its place in it."""
        self.quote_ends: set[int] = set()
        """Where an apostrophe ends a quotation of TeX."""
        self.shown_tags: set[str] = set()
        """HTML elements whose opening tag is shown, so their closing tags are too."""
        self.dollars: dict[int, int] | None = None
        """The closing dollar of each opening one, once the first has been met."""
        self._found: dict[str, int] = {}
        self._held: dict[str, bool] = {}
        self._line_end = -1

    # -- reading -------------------------------------------------------------------------------------------------

    def find(self, mark: str) -> int:
        """Return where ``mark`` comes next, -1 if it does not; looks at no part of the text twice for the same mark."""
        found = self._found.get(mark, 0)
        if 0 <= found < self.at or mark not in self._found:
            found = self._found[mark] = self.text.find(mark, self.at)
        return found

    def holds(self, mark: str) -> bool:
        """Return whether ``mark`` is anywhere in the text."""
        if mark not in self._held:
            self._held[mark] = mark in self.text
        return self._held[mark]

    def line_end(self) -> int:
        """Return where this line ends, which may be the text's end."""
        if self._line_end < self.at:
            found = self.text.find("\n", self.at)
            self._line_end = found if found >= 0 else len(self.text)
        return self._line_end

    def skip(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Go on behind ``pattern`` if it stands here, and return its match."""
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match

    def before(self, match: re.Match[str]) -> str:
        """Return the character before a match, a blank at the text's start."""
        return self.text[match.start() - 1] if match.start() else " "

    def after(self) -> str:
        """Return the next character, a blank at the text's end."""
        return self.text[self.at] if self.at < len(self.text) else " "

    # -- building ------------------------------------------------------------------------------------------------

    def words(self, text: str) -> None:
        """Add words."""
        if text:
            self.stack[-1].nodes.append(Words(text))

    def add(self, node: Node) -> None:
        """Add a node."""
        self.stack[-1].nodes.append(node)

    def report(self, kind: str, message: str, done: str, fragment: str) -> None:
        """Note a `Fault`."""
        self.faults.append(Fault(kind, message, done, fragment))

    def nested(self, text: str, finish: Finish = lambda nodes: nodes) -> None:
        """Parse a part of the text by itself and add what it means; far inside other parts it stays as written."""
        nodes = self._parse(text, self) if self.depth < MAX_NESTED else (Words(text),)
        self.stack[-1].nodes.extend(finish(nodes))

    def push(self, kind: str, opener: str, finish: Finish, *, more_arguments: bool = False) -> None:
        """Open something; when too much is open, its opener is shown instead."""
        if len(self.stack) > MAX_OPEN:
            self.words(opener)
        else:
            self.stack.append(Frame(kind, opener, finish, more_arguments))

    def close(self, depth: int) -> None:
        """Close the frame at ``depth``; openers inside it that nothing closed are shown."""
        self.give_up(depth)
        frame = self.stack.pop()
        self.stack[-1].nodes.extend(frame.finish(merged(frame.nodes)))

    def give_up(self, depth: int) -> None:
        """Show the openers above ``depth`` as they were written: nothing closes them.

        Lists simply end, and a command whose brace nothing closes leaves its words alone.
        """
        while len(self.stack) > depth + 1:
            frame = self.stack.pop()
            if frame.kind in _LISTS:
                self.stack[-1].nodes.extend(frame.finish(merged(frame.nodes)))
            elif frame.opener.startswith(("\\", "{\\")):
                self.report("unclosed-brace", "a brace that nothing closes", "its words are kept", frame.opener)
                linked = "href" in frame.opener  # an address is not to be lost
                self.stack[-1].nodes.extend(frame.finish(merged(frame.nodes)) if linked else frame.nodes)
            else:
                self.stack[-1].nodes.append(Words(frame.opener))
                self.stack[-1].nodes.extend(frame.nodes)

    def opened(self, kind: str) -> int | None:
        """Return the depth of the innermost open frame of a kind, not looking over a boundary; None without one."""
        for depth in range(len(self.stack) - 1, 0, -1):
            if self.stack[depth].kind == kind:
                return depth
            if self.stack[depth].kind in _BOUNDARIES:
                return None
        return None

    def boundary(self) -> int:
        """Return the depth of the innermost frame that no emphasis reaches over."""
        return max(depth for depth, frame in enumerate(self.stack) if frame.kind in _BOUNDARIES)

    def holds_something(self, depth: int) -> bool:
        """Return whether there is anything in the frame at ``depth``."""
        return bool(self.stack[depth].nodes) or depth < len(self.stack) - 1

    # -- lists ---------------------------------------------------------------------------------------------------

    def open_list(self, opener: str, *, ordered: bool) -> None:
        """Open a list; its items follow."""
        self.give_up(self.boundary())
        self.push("list", opener, lambda nodes: _list(nodes, ordered=ordered))

    def open_item(self) -> bool:
        """Open an item of the innermost list and close the one before; return False when no list is open."""
        self.close_item()
        if self.stack[-1].kind != "list":
            return False
        self.push("item", "", _item)
        return True

    def close_item(self) -> None:
        """Close the open item of the innermost list, if there is one."""
        depth = self.boundary()
        if self.stack[depth].kind == "item":
            self.close(depth)
        elif self.stack[depth].kind == "list":
            self.give_up(depth)

    def close_list(self) -> bool:
        """Close the innermost list; return False when none is open."""
        self.close_item()
        if self.stack[-1].kind != "list":
            return False
        self.close(len(self.stack) - 1)
        return True

    def finish(self) -> tuple[Node, ...]:
        """Return the nodes of the whole text; what is still open is shown as written."""
        self.give_up(0)
        return _stripped(merged(self.stack[0].nodes))


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
    """Return how words become a link to an address."""
    return lambda nodes: in_blocks(nodes, lambda block: _around(block, lambda inside: Link(url, inside)))


def _around(block: tuple[Node, ...], make: Callable[[tuple[Node, ...]], Node]) -> tuple[Node, ...]:
    """Return a node around the nodes; blanks at their ends stay outside, where they meet others and become one."""
    inside = _stripped(block)
    before = [Words(" ")] if plain_text(block[:1])[:1].isspace() else []
    after = [Words(" ")] if plain_text(block[-1:])[-1:].isspace() else []
    return (*before, *([make(inside)] if inside else []), *after)


def _list(nodes: tuple[Node, ...], *, ordered: bool) -> tuple[Node, ...]:
    items = tuple(item for node in nodes if isinstance(node, Items) for item in node.items)
    others = _stripped(tuple(node for node in nodes if not isinstance(node, Items)))
    # Words before the first item are no item's.
    return (Words("\n\n"), *others, Words("\n\n"), *((Items(ordered, items),) if items else ()), Words("\n\n"))


def _item(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Return an item as a list of one; the items of a list inside it follow it, as items of the same list."""
    items: list[tuple[Node, ...]] = []
    own: list[Node] = []
    for node in nodes:
        if isinstance(node, Items):
            items += (_stripped(tuple(own)), *node.items)
            own = []
        elif isinstance(node, Words) and "\n\n" in node.text:
            own.append(Words(re.sub(r"\n{2,}", "\n", node.text)))
        else:
            own.append(node)
    items.append(_stripped(tuple(own)))
    return (Items(ordered=False, items=tuple(item for item in items if item)),)


def merged(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Return the nodes with neighbouring words joined, and blanks around line breaks taken out."""
    joined: list[Node] = []
    words: list[str] = []

    def flush() -> None:
        if words:
            text = "".join(words)
            if "\n" in text or "  " in text:
                text = re.sub(r"[ \t]*\n[ \t]*", "\n", re.sub(r"[ \t]{2,}", " ", text))
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
