"""Where a parse stands: the text, the position, and what has been opened and waits for its end.

The rules in ``rules/`` move it forward; a finished parse leaves the nodes of the inline tree.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from generator.markup.building import Finish, item_of, list_of, merged, stripped, unchanged
from generator.markup.faults import Fault
from generator.markup.lists import ListLine
from generator.markup.tree import Node, Words

MAX_OPEN = 60
"""Most styles open at once; a deeper one stays as written. Real texts need three."""

MAX_NESTED = 3
"""Deepest nesting of parts that are parsed by themselves, such as the words of a link. Each costs a pass."""


Unclosed: TypeAlias = Literal["show", "drop", "finish"]
"""What becomes of a frame that nothing closes: its opener is shown, is dropped and reported, or it ends there."""


@dataclass(slots=True)
class Frame:
    """A style, group, link or list that has been opened and waits for its end."""

    kind: str
    """``*``, ``**``, ``_``, ``__``, ``{`` for a brace, ``<name>`` for a tag, ``list``, ``item``; empty at the root."""
    opener: str
    """The source that opened it."""
    finish: Finish
    unclosed: Unclosed = "show"
    more_arguments: bool = False
    """Whether a brace that follows at once holds one more argument of the same command."""
    nodes: list[Node] = field(default_factory=list)


_BOUNDARIES = frozenset({"", "{", "list", "item"})
"""Frames that no emphasis reaches over."""


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
        self.stack = [Frame("", "", unchanged)]
        self.list_lines = list_lines
        """What begins or ends a list, by the position of the line's first character."""
        self.open_quotes = 0
        self.straight_quote: tuple[Frame, int] | None = None
        """Where an opening straight quote stands that nothing has closed yet: its frame, and its place in it."""
        self.quote_ends: set[int] = set()
        """Where an apostrophe ends a quotation of TeX."""
        self.formula_end = -1
        """Where a publisher's formula in TeX ended last, whose MathML may follow."""
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

    def nested(self, text: str, finish: Finish = unchanged) -> None:
        """Parse a part of the text by itself and add what it means; far inside other parts it stays as written."""
        nodes = self._parse(text, self) if self.depth < MAX_NESTED else (Words(text),)
        self.stack[-1].nodes.extend(finish(nodes))

    def push(
        self,
        kind: str,
        opener: str,
        finish: Finish,
        *,
        unclosed: Unclosed = "show",
        more_arguments: bool = False,
    ) -> None:
        """Open something; when too much is open, its opener is shown instead."""
        if len(self.stack) > MAX_OPEN:
            self.words(opener)
        else:
            self.stack.append(Frame(kind, opener, finish, unclosed, more_arguments))

    def close(self, depth: int) -> None:
        """Close the frame at ``depth``; openers inside it that nothing closed are shown."""
        self.give_up(depth)
        frame = self.stack.pop()
        self.stack[-1].nodes.extend(frame.finish(merged(frame.nodes)))

    def give_up(self, depth: int) -> None:
        """End what is open above ``depth``, since nothing closes it; each frame says what becomes of its opener."""
        while len(self.stack) > depth + 1:
            frame = self.stack.pop()
            outer = self.stack[-1].nodes
            if frame.unclosed == "finish":
                outer.extend(frame.finish(merged(frame.nodes)))
                continue
            if frame.unclosed == "show":
                outer.append(Words(frame.opener))
            else:
                self.report("unclosed-brace", "a brace that nothing closes", "its words are kept", frame.opener)
            outer.extend(frame.nodes)

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
        self.push("list", opener, lambda nodes: list_of(nodes, ordered=ordered), unclosed="finish")

    def open_item(self) -> bool:
        """Open an item of the innermost list and close the one before; return False when no list is open."""
        self.close_item()
        if self.stack[-1].kind != "list":
            return False
        self.push("item", "", item_of, unclosed="finish")
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
        return stripped(merged(self.stack[0].nodes))
