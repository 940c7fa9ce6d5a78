"""Running stages that see one abstract at a time, over several processes when that pays."""

import multiprocessing
import os
import pickle
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, TypeVar

In = TypeVar("In")
Out = TypeVar("Out")

_BATCH = 250
_WORTH_A_POOL = 2_000
"""Fewer items are done before the processes of a pool have started."""


class Workers:
    """Processes that stages run in, started by the first stage that they pay for, and ended by ``with``.

    Args:
        jobs: Processes to use; 1 stays in this one.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def run(
        self, stage: Callable[[Sequence[In]], list[Out]], items: Sequence[In], advance: Callable[[int], None]
    ) -> list[Out]:
        """Return what ``stage`` makes of the items: one per input, same order, however many processes there are.

        Args:
            stage: A pure function of a batch, defined at a module's top.
            items: All inputs.
            advance: Called with the number of items done since its last call.
        """
        results: list[Out] = []
        for result in self.batches(stage, items):
            results += result
            advance(len(result))
        return results

    def batches(self, stage: Callable[[Sequence[In]], Out], items: Sequence[In]) -> Iterator[Out]:
        """Yield what ``stage`` makes of each batch of the items, in their order."""
        batches = [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
        if self._jobs > 1 and len(items) >= _WORTH_A_POOL and self._pool is None:
            # Fresh processes: a fork of a process that has threads can hang.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(min(self._jobs, len(batches)), context, initializer=_end_with_parent)
        return self._pool.map(stage, batches) if self._pool is not None else map(stage, batches)


class Shared(Generic[Out]):
    """A value that every batch needs: each process reads it once, instead of getting it with each batch.

    Used by ``with``, around the stage.
    """

    def __init__(self, value: Out) -> None:
        self._held: tuple[Out] | None = (value,)
        self._file = ""

    def __enter__(self) -> "Shared[Out]":
        return self

    def __exit__(self, *_: object) -> None:
        if self._file:
            Path(self._file).unlink(missing_ok=True)

    @property
    def value(self) -> Out:
        """Return the value; in another process, a copy that stays the same from batch to batch."""
        if self._held is None:
            self._held = (_unpickle(self._file),)
        return self._held[0]

    def __getstate__(self) -> str:
        if not self._file:
            with tempfile.NamedTemporaryFile(prefix="papershelf-", delete=False) as file:
                self._file = file.name
                pickle.dump(self.value, file, protocol=pickle.HIGHEST_PROTOCOL)
        return self._file

    def __setstate__(self, file: str) -> None:
        self._held, self._file = None, file


@lru_cache(maxsize=1)
def _unpickle(file: str) -> Any:
    return pickle.loads(Path(file).read_bytes())  # noqa: S301 - our own, just written


def _end_with_parent() -> None:
    """Let a worker end when its parent is killed: it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
