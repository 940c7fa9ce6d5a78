"""Enters: the path of a YAML file that its user writes by hand.

Leaves: what it holds, each text as it is written and with its line, and every fault found on the way.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from generator.problems import PapershelfError, shorten

MOST_BYTES = 16 * 2**20
"""Longest file; a title for each of 100,000 abstracts takes less."""

MOST_LEVELS = 3
"""Deepest nesting of lists and mappings."""

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C takes a tenth of the time; it is missing where PyYAML was built without libyaml."""

_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no YAML file may hold, and no text of it may spell out: https://yaml.org/spec/1.1/#id868524"""

_LINE_END = re.compile("\r\n?|\n")
_QUOTES_HELP = "a text with a colon, a quote or another sign of YAML needs quotes around it"


@dataclass(frozen=True, slots=True)
class Text:
    """A scalar: never a number or a date, whatever it looks like."""

    text: str
    line: int
    """Where it stands, from 1."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple["Node | None", ...]
    """None stands for a part whose fault is known."""
    line: int


@dataclass(frozen=True, slots=True)
class Pairs:
    """A mapping."""

    pairs: tuple[tuple[Text, "Node | None"], ...]
    """As in the file; no key stands twice. None stands for a value whose fault is known."""
    line: int


Node: TypeAlias = Text | Items | Pairs


@dataclass(frozen=True, slots=True)
class LineFault:
    """Something in the file that is not as expected."""

    line: int
    """From 1; 0 when the whole file is meant."""
    message: str
    """What was expected and what was found."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}" if self.line else self.message


class UserFileError(PapershelfError):
    """A file that is not what it should be."""

    def __init__(self, path: Path, faults: Iterable[LineFault]) -> None:
        self.path = path
        self.faults = tuple(sorted(faults, key=lambda fault: fault.line))
        super().__init__(f"{path}:" + "".join(f"\n  {fault}" for fault in self.faults))


def read_pairs(path: Path, faults: list[LineFault]) -> tuple[tuple[Text, Node | None], ...]:
    """Return the mapping that a file holds; nothing for no file, an empty one, and one that cannot be read.

    Args:
        path: A file in UTF-8.
        faults: Takes every fault; who reads adds further ones, and raises them all together.
    """
    root = _read(path, faults)
    if root is None or (isinstance(root, Text) and not root.text):
        return ()
    if not isinstance(root, Pairs):
        faults.append(LineFault(root.line, f"expected names with values (name: value), found {describe(root)}"))
        return ()
    return root.pairs


def describe(node: Node) -> str:
    """Return what a part is, for a message: the text in quotes, ``a list`` or ``a mapping``."""
    match node:
        case Text(text):
            return repr(shorten(text, 60)) if text else "nothing"
        case Items():
            return "a list"
        case Pairs():
            return "a mapping"


def _read(path: Path, faults: list[LineFault]) -> Node | None:
    text = _read_text(path, faults)
    if text is None:
        return None
    if any(found := [bool(_UNREADABLE.search(line)) for line in _LINE_END.split(text)]):
        numbers = (number for number, bad in enumerate(found, start=1) if bad)
        faults += (LineFault(number, "expected text, found a control character") for number in numbers)
        return None
    events = yaml.parse(text, Loader=_LOADER)
    try:
        return _document(events, faults)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = error.problem or error.context
        # A quote that is never closed is noticed far behind its line.
        if error.context and error.context_mark and mark and error.context_mark.line != mark.line:
            reason = f"{reason} {error.context} from line {error.context_mark.line + 1}"
        faults.append(LineFault(mark.line + 1 if mark else 0, f"expected YAML ({reason}); {_QUOTES_HELP}"))
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # PyYAML lets numbers of escapes overflow
        faults.append(LineFault(0, f"expected YAML ({shorten(str(error))})"))
    except _TooDeepError as error:
        faults.append(LineFault(error.line, f"expected at most {MOST_LEVELS} levels of lists and mappings, found more"))
    return None


def _read_text(path: Path, faults: list[LineFault]) -> str | None:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        faults.append(LineFault(0, f"expected a file that can be read ({error.strerror})"))
        return None
    if len(data) > MOST_BYTES:
        faults.append(LineFault(0, f"expected at most {MOST_BYTES // 2**20} MB, found more"))
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(_LINE_END.findall(data[: error.start].decode("latin-1"))) + 1
        found = f"0x{data[error.start : error.start + 1].hex()}"
        faults.append(LineFault(line, f"expected text in UTF-8, found the byte {found}; save the file as UTF-8"))
        return None


class _TooDeepError(Exception):
    def __init__(self, line: int) -> None:
        self.line = line


def _document(events: Iterator[Any], faults: list[LineFault]) -> Node | None:
    """Return the first document's content."""
    root = None
    documents = 0
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                faults.append(LineFault(_line(event), "expected one document, found another one (---)"))
                break
            root = _node(next(events), events, faults, 0)
    return root


def _node(event: Any, events: Iterator[Any], faults: list[LineFault], level: int) -> Node | None:
    """Return the part that begins with ``event``; None when it is faulty. Reads it to its end in any case."""
    line = _line(event)
    if isinstance(event, yaml.AliasEvent):
        faults.append(LineFault(line, f"expected a text, found an alias (*{event.anchor:.60}); {_QUOTES_HELP}"))
        return None
    known = len(faults)
    if event.anchor is not None:
        faults.append(LineFault(line, f"expected a text, found an anchor (&{event.anchor:.60}); {_QUOTES_HELP}"))
    if event.tag is not None:
        faults.append(LineFault(line, f"expected a text, found a type (!…); {_QUOTES_HELP}"))
    ok = len(faults) == known
    node: Node
    if isinstance(event, yaml.ScalarEvent):
        if _UNREADABLE.search(event.value):
            faults.append(LineFault(line, "expected text, found a control character"))
            ok = False
        node = Text(event.value, line)
    elif level == MOST_LEVELS:
        raise _TooDeepError(line)
    elif isinstance(event, yaml.SequenceStartEvent):
        items = []
        while not isinstance(inner := next(events), yaml.SequenceEndEvent):
            items.append(_node(inner, events, faults, level + 1))
        node = Items(tuple(items), line)
    else:
        node = Pairs(_pairs(events, faults, level), line)
    return node if ok else None


def _pairs(events: Iterator[Any], faults: list[LineFault], level: int) -> tuple[tuple[Text, Node | None], ...]:
    pairs: dict[str, tuple[Text, Node | None]] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _node(event, events, faults, level + 1)
        value = _node(next(events), events, faults, level + 1)
        if key is None:
            continue
        if not isinstance(key, Text):
            faults.append(LineFault(key.line, f"expected a text before the colon, found {describe(key)}"))
        elif key.text in pairs:
            first = pairs[key.text][0].line
            faults.append(LineFault(key.line, f"expected each name once, found {describe(key)} again (line {first})"))
        else:
            pairs[key.text] = (key, value)
    return tuple(pairs.values())


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
