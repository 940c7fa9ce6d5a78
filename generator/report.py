"""The report of a build, for ``--report FILE.json`` and for the summary at its end."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from generator.model import SourceFile
from generator.problems import Problem

if TYPE_CHECKING:  # it takes long to load, and is seldom needed
    from generator.tags.changes import TagChanges

_SHOWN_EACH = 3
"""Problems of one kind that the summary quotes; the report has them all."""

_LABELS_SHOWN = 12
"""Labels of each kind that the summary names; the report has them all."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a build did."""

    counts: Mapping[str, int]
    seconds: Mapping[str, float]
    peak_rss_mb: float
    sources: Sequence[SourceFile]
    problems: Sequence[Problem]
    tag_changes: "TagChanges | None" = None
    """What ``--refresh-tags`` changed."""

    def as_json(self) -> bytes:
        """Return the report as JSON."""
        content: dict[str, object] = {
            "counts": dict(self.counts),
            "seconds": {name: round(seconds, 3) for name, seconds in self.seconds.items()},
            "peak_rss_mb": self.peak_rss_mb,
            "sources": [asdict(source) for source in self.sources],
            "problems": [asdict(problem) for problem in self.problems],
        }
        if self.tag_changes is not None:
            content["tag_changes"] = asdict(self.tag_changes)
        return json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n"


def print_tag_changes(changes: "TagChanges", console: Console) -> None:
    """Print what choosing the tags anew changed, the first few of each kind."""
    renamed = [f"{old} → {new}" for old, new in changes.renamed]
    for kind, labels in (("new", changes.new), ("gone", changes.gone), ("renamed", renamed)):
        shown = ", ".join(labels[:_LABELS_SHOWN])
        more = f" and {len(labels) - _LABELS_SHOWN:,} more" if len(labels) > _LABELS_SHOWN else ""
        console.print(Text(f"tags {kind}: {f'{len(labels):,} ({shown}{more})' if labels else 'none'}"))
    console.print(Text(f"abstracts with other tags than before: {changes.papers:,}"))


def print_problems(problems: Sequence[Problem], console: Console) -> None:
    """Print the problems by kind, the first few of each."""
    by_kind = Counter(problem.kind for problem in problems)
    for kind, count in sorted(by_kind.items()):
        console.print(Text(f"{count} × {kind}", style="yellow"))
        shown = [problem for problem in problems if problem.kind == kind][:_SHOWN_EACH]
        for problem in shown:
            console.print(Text(f"  {problem}"))
        if count > len(shown):
            console.print(Text(f"  … and {count - len(shown)} more; --report FILE.json has them all"))
