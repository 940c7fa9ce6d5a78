"""One build at a time, with real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.build_lock import BuildLockedError, build_lock
from tests.projects import Project, make_project, run_process

HOLDER = """
import sys, time
from pathlib import Path
from generator.build_lock import build_lock
with build_lock(Path(sys.argv[1]), "papershelf build"):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def holder(state_dir: Path) -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(state_dir)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "shelf")


def test_a_second_build_ends_with_3_and_names_the_first(project: Project) -> None:
    with holder(project.folder / ".papershelf") as first:
        second = run_process("build", project.source, folder=project.folder)
        assert second.code == 3
        assert f"process {first.pid} " in second.err
        assert "`papershelf build`" in second.err
        assert str(project.folder) in second.err
        assert not project.site.exists()
        assert not (project.docs / "index.md").exists()
        # Nor does the second take the note away.
        assert json.loads((project.folder / ".papershelf" / "build.holder.json").read_text())["pid"] == first.pid


def test_a_killed_holder_leaves_no_lock(project: Project) -> None:
    with holder(project.folder / ".papershelf") as first:
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        assert project.build() == 0


def test_two_builds_at_once_make_one_site(project: Project) -> None:
    line = [sys.executable, "-m", "generator.cli", "build", str(project.source), "--no-search"]
    builds = [subprocess.Popen(line, cwd=project.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in "12"]
    for process in builds:
        process.communicate(timeout=60)
    codes = sorted(process.returncode for process in builds)
    assert codes in ([0, 0], [0, 3]), "the second may also have begun when the first had ended"
    assert project.run("check", "--no-search") == 0


def test_the_lock_is_free_again_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), build_lock(tmp_path, "one"):
        raise ZeroDivisionError
    with build_lock(tmp_path, "two"):
        assert json.loads((tmp_path / "build.holder.json").read_text())["command"] == "two"
    assert not (tmp_path / "build.holder.json").exists()


@pytest.mark.parametrize("note", ["", "[]", "{}", '"text"', '{"pid": 1}', None])
def test_an_unreadable_note_is_no_trouble(tmp_path: Path, note: str | None) -> None:
    with holder(tmp_path):
        path = tmp_path / "build.holder.json"
        path.unlink()
        if note is not None:
            path.write_text(note)
        started = time.monotonic()
        with pytest.raises(BuildLockedError, match="has just begun"), build_lock(tmp_path, "second"):
            pass
        assert time.monotonic() - started < 5
