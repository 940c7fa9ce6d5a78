"""What a reader would stumble over in a parsed text: the yardstick of the corpus runs, apart from the parser's own.

Run as a program with the corpora at hand, it prints the fifty worst abstracts: `python -m tests.leftovers`.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from generator.markup.parse import parse_markup
from generator.markup.tree import Formula, Items, Link, MarkupText, Node, Styled, Words

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
NAMES = ("icml2025.jsonl", "iclr2026-a.jsonl", "acl.jsonl.gz")

PLAIN_FORMULA = re.compile(
    r"\$\$(?P<double>.+?)\$\$|(?<!\\)\$(?P<single>[^$\n]+?)(?<!\\)\$|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]",
    re.DOTALL,
)
"""What anybody would take for a formula at first sight; sums of money among them."""

_OUTSIDE = "\x00"
"""Stands for what is no plain word: formulas, code, links to bare addresses."""

_SIGNS = {
    "command": re.compile(r"\\[A-Za-z]+"),
    "dollars": re.compile(r"(?<!\S)\$(?![\s\d])[^$]*?\S\$(?!\w)"),
    "emphasis": re.compile(r"(?<![\w*(/.])\*{1,2}(?![*\s/])|(?<![\s*(])\*\*(?![\w*])"),
}
"""What the bars count: a command, a lone pair of dollars, an emphasis mark without its other half."""

_SMALL_SIGNS = {
    "brace": re.compile(r"[{}]"),
    "backtick": re.compile(r"`"),
    "tag": re.compile(r"</?[a-z]+>"),
    "entity": re.compile(r"&#?\w+;"),
    "underscore": re.compile(r"(?<![\w_])_\w"),
}


def read_texts(name: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the raw text of each abstract and title of a corpus."""
    path = CORPORA / name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            record = json.loads(line)
            for key in ("title", "abstract"):
                if record.get(key):
                    yield f"{name}:{number} {key}", record[key]


def flat(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the nodes of a tree that hold text themselves, in order."""
    for node in nodes:
        match node:
            case Styled(children=children) | Link(children=children):
                yield from flat(children)
            case Items(items=items):
                for item in items:
                    yield from flat(item)
                    yield Words("\n")
            case _:
                yield node


def words_of(text: MarkupText) -> str:
    """Return the plain words of a text; whatever else there is, is a NUL."""
    return "".join(node.text if isinstance(node, Words) else _OUTSIDE for node in flat(text.nodes))


def leftovers(text: MarkupText, *, small: bool = False) -> list[tuple[str, str]]:
    """Return the kind and the surroundings of what looks like markup that nobody read."""
    words = words_of(text)
    found = []
    for kind, pattern in (_SIGNS | _SMALL_SIGNS if small else _SIGNS).items():
        for match in pattern.finditer(words):
            around = words[max(0, match.start() - 30) : match.end() + 30].replace(_OUTSIDE, "▯")
            found.append((kind, " ".join(around.split())))
    return found


def formulas_of(text: MarkupText) -> int:
    """Return how many formulas were read."""
    return sum(isinstance(node, Formula) for node in flat(text.nodes))


def main() -> None:
    """Print the fifty texts with the most to stumble over, the worst first."""
    worst: list[tuple[int, str, list[str]]] = []
    for name in NAMES:
        if not (CORPORA / name).exists():
            print(f"{name} is not in {CORPORA}")
            continue
        for place, raw in read_texts(name):
            text, faults = parse_markup(raw)
            found = leftovers(text, small=True)
            score = sum(1 if kind in _SMALL_SIGNS else 5 for kind, _ in found) + 3 * len(faults)
            if score:
                lines = [f"{kind}: {around}" for kind, around in found]
                lines += [f"{fault.kind}: {fault.fragment}; {fault.done}" for fault in faults]
                worst.append((score, place, lines))
    worst.sort(key=lambda entry: (-entry[0], entry[1]))
    for score, place, lines in worst[:50]:
        print(f"{score:4} {place}")
        for line in lines[:4]:
            print(f"       {line[:150]}")
    print(f"{len(worst):,} texts with anything at all", file=sys.stderr)


if __name__ == "__main__":
    main()
