"""Running a stage that sees one abstract at a time, over several processes when that pays."""

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

In = TypeVar("In")
Out = TypeVar("Out")

_BATCH = 250
_WORTH_A_POOL = 2_000
"""Fewer items are done before the processes of a pool have started."""


def run_in_batches(
    stage: Callable[[Sequence[In]], list[Out]], items: Sequence[In], jobs: int, advance: Callable[[int], None]
) -> list[Out]:
    """Return what ``stage`` makes of the items: one per input, same order, whatever ``jobs`` is.

    Args:
        stage: A pure function of a batch, defined at a module's top.
        items: All inputs.
        jobs: Processes to use; 1 stays in this one.
        advance: Called with the number of items done since its last call.
    """
    batches = [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
    results: list[Out] = []
    if jobs <= 1 or len(items) < _WORTH_A_POOL:
        for batch in batches:
            results += stage(batch)
            advance(len(batch))
        return results
    # Fresh processes: a fork of a process that has threads can hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(batches)), context, initializer=_end_with_parent) as pool:
        for batch, result in zip(batches, pool.map(stage, batches), strict=True):
            results += result
            advance(len(batch))
    return results


def _end_with_parent() -> None:
    """Let a worker end when its parent is killed: it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
