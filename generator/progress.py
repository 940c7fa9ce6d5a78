"""What a person sees while a command runs: bars on a terminal, plain lines elsewhere; and the seconds of each stage."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class StageTimer:
    """Shows the stages of a build as they go by, and remembers how long each took."""

    def __init__(self, console: Console) -> None:
        self.seconds: dict[str, float] = {}
        self._console = console
        self._started = time.perf_counter()

    @contextmanager
    def stage(self, name: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
        """Time a stage, and yield a function to call with the number of items that have been done."""
        start = time.perf_counter()
        if self._console.is_terminal:
            columns = (TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            with Progress(*columns, console=self._console, transient=True) as bars:
                task = bars.add_task(name, total=total)
                yield lambda count: bars.advance(task, count)
        else:
            yield lambda _count: None
        self.seconds[name] = time.perf_counter() - start
        self._console.print(f"{name:<10} {self.seconds[name]:6.1f} s", highlight=False)

    @property
    def total(self) -> float:
        """Return the seconds since the timer was made."""
        return time.perf_counter() - self._started


def peak_rss_mb() -> float:
    """Return the most memory that this process, or the largest of its children, has held, in MB; 0 if unknown."""
    try:
        import resource
    except ImportError:  # Windows keeps no such account
        return 0.0
    unit = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, others kilobytes
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return round(peak * unit / 1e6, 1)
