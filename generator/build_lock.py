"""One build at a time in one folder.

The lock itself is the operating system's, so a killed build never leaves it behind; a note beside it says who holds
it.
"""

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from generator.files import write_whole
from generator.problems import PapershelfError


class BuildLockedError(PapershelfError):
    """Another build holds the lock."""

    exit_code = 3

    def __init__(self, project_dir: Path, holder: str) -> None:
        super().__init__(f"another build works in {project_dir}: {holder}; wait for it to end, or stop it")


@contextlib.contextmanager
def build_lock(state_dir: Path, command: str) -> Iterator[None]:
    """Hold the build lock of a project's state folder.

    Raises:
        BuildLockedError: somebody else holds it; says who.
    """
    state_dir.mkdir(parents=True, exist_ok=True)
    note = state_dir / "build.holder.json"
    lock = FileLock(state_dir / "build.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BuildLockedError(state_dir.parent, _read_holder(note)) from None
    try:
        holder = {
            "command": command,
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "since": datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC"),
        }
        write_whole(note, json.dumps(holder).encode(), state_dir / "scratch")
        yield
    finally:
        note.unlink(missing_ok=True)
        lock.release()


def _read_holder(note: Path) -> str:
    try:
        holder = json.loads(note.read_text(encoding="utf-8"))
        return f"`{holder['command']}`, process {holder['pid']} on {holder['host']}, since {holder['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "a process that has just begun or is about to end"
