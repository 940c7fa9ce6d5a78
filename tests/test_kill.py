"""Builds that are killed: the last good site stays, or the next command brings it back.

Real processes die by SIGKILL: some at a chosen step, just before they change a file; some at a moment of the clock.
"""

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from generator import batches
from tests.projects import ABSTRACTS, Project, as_text, command, different, files, make_project

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")

LAUNCHER = """
import json, os, signal, sys, threading
import generator.build, generator.cli, generator.pipeline, generator.report
from generator import exchange

def watch(step):
    # Kills this process just before the file operation that the step names.
    counted = {"os.rename", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree", "open"}
    seen = []

    def hook(event, arguments):
        if event not in counted:
            return
        path = os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes, os.PathLike)) else ""
        target = os.fsdecode(arguments[1]) if event == "os.rename" else ""
        if event == "open" and "w" not in (arguments[1] or ""):
            return
        if seen or event == step["event"] and (step["path"] in path or step["path"] in target):
            seen.append(event)
            if len(seen) > step["after"]:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)

for line in sys.stdin:
    step = json.loads(line)
    child = os.fork()  # a build of its own, without the second that imports take
    if child == 0:
        os.chdir(step["folder"])
        if not step["swap"]:
            exchange._swap = lambda one, other: False
        watch(step)
        os._exit(generator.cli.main(step["arguments"]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""

OLD_TEXT = as_text([*ABSTRACTS[:8], "Some bread is old, and nobody wants it any more, not even the village pigeons."])
NEW_TEXT = as_text([*ABSTRACTS[2:], "Some bread is new, and everybody wants it, most of all the village pigeons."])
KEPT = ("docs_src", "site", ".papershelf", "papershelf.lock.json", "papers.txt")


@dataclass(frozen=True, slots=True)
class Scene:
    """A built project whose source has changed, and what its folders held and will hold."""

    project: Project
    backup: Path
    old_site: dict[str, bytes]
    new_site: dict[str, bytes]
    old_docs: dict[str, bytes]
    new_docs: dict[str, bytes]

    def reset(self) -> None:
        """Bring back the old site and the new source."""
        for path in self.project.folder.iterdir():
            if path.name in KEPT or "papershelf-" in path.name:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(self.backup, self.project.folder, dirs_exist_ok=True)

    def assert_good_at_every_moment(self) -> None:
        """Check what a killed build has left, then that the next one makes all good."""
        project = self.project
        for name, data in files(project.docs).items():
            assert data in (self.old_docs.get(name), self.new_docs.get(name)), f"half a file: docs_src/{name}"
        if not project.site.exists():
            assert project.run("check") == 0  # which repairs it
        found = files(project.site)
        found.pop(".git/HEAD", None)  # it may still be on its way
        assert found in (self.old_site, self.new_site), "neither the old nor the new site"
        assert project.build("--search") == 0
        rebuilt = files(project.site)
        assert rebuilt.pop(".git/HEAD") == b"ref: refs/heads/main\n"
        assert different(rebuilt, self.new_site) == []
        assert different(files(project.docs), self.new_docs) == []
        assert [path.name for path in project.folder.iterdir() if path.name.startswith(".site")] == []
        assert files(project.folder / ".papershelf").keys() - {"build.lock", "last-build.json"} == _theme(project)


def _theme(project: Project) -> set[str]:
    state = project.folder / ".papershelf"
    return {path.relative_to(state).as_posix() for path in (state / "theme").rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("kill")
    project = make_project(folder / "shelf")
    project.source.write_text(OLD_TEXT, encoding="utf-8")
    assert project.build("--search") == 0
    old_site, old_docs = files(project.site), files(project.docs)
    (project.site / ".git").mkdir()
    (project.site / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    project.source.write_text(NEW_TEXT, encoding="utf-8")
    backup = folder / "backup"
    shutil.copytree(project.folder, backup)
    assert project.build("--search") == 0
    new_site, new_docs = files(project.site), files(project.docs)
    del new_site[".git/HEAD"]
    assert len(different(old_site, new_site)) > 10
    assert old_docs.keys() - new_docs.keys()
    return Scene(project, backup, old_site, new_site, old_docs, new_docs)


@pytest.fixture(scope="module")
def launcher() -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCHER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        yield process


def build_until(launcher: "subprocess.Popen[str]", project: Project, **step: object) -> None:
    """Build, in a process that is killed at a step."""
    assert launcher.stdin is not None
    assert launcher.stdout is not None
    order = {"folder": str(project.folder), "arguments": ["build", "papers.txt", "--jobs", "1"], **step}
    launcher.stdin.write(json.dumps(order) + "\n")
    launcher.stdin.flush()
    assert launcher.stdout.readline().strip() == str(-signal.SIGKILL), "the build never came to that step"


NEW, OLD = ".site.papershelf-new", ".site.papershelf-old"


@pytest.mark.parametrize(
    ("event", "path", "after", "swap"),
    [
        ("open", ".papershelf/scratch", 0, True),
        ("os.rename", "docs_src/abstracts", 0, True),
        ("os.rename", "docs_src/abstracts", 11, True),
        ("os.remove", "docs_src", 0, True),
        ("os.remove", "docs_src", 2, True),
        ("os.rename", "papershelf.lock.json", 0, True),
        ("os.mkdir", NEW, 0, True),
        ("open", f"{NEW}/index.html", 1, True),
        ("open", f"{NEW}/abstracts", 5, True),
        ("os.rename", "abstracts.jsonl", 0, True),
        ("os.mkdir", f"{NEW}/papershelf/search", 0, True),
        ("open", "search/manifest.js", 0, True),
        ("os.rename", NEW, 0, True),
        ("os.rename", NEW, 1, True),
        ("shutil.rmtree", OLD, 0, True),
        ("shutil.rmtree", OLD, 12, True),
        ("os.rename", OLD, 0, False),
        ("os.rename", OLD, 1, False),
        ("os.rename", OLD, 2, False),
        ("shutil.rmtree", OLD, 12, False),
        ("os.remove", "build.holder.json", 0, True),
    ],
)
def test_a_build_killed_at_a_step(
    scene: Scene, launcher: "subprocess.Popen[str]", event: str, path: str, after: int, swap: bool
) -> None:
    scene.reset()
    build_until(launcher, scene.project, event=event, path=path, after=after, swap=swap)
    scene.assert_good_at_every_moment()


def test_the_first_build_killed_leaves_no_site_that_looks_whole(
    scene: Scene, launcher: "subprocess.Popen[str]"
) -> None:
    scene.reset()
    shutil.rmtree(scene.project.site)
    build_until(launcher, scene.project, event="open", path="search/manifest.js", after=0, swap=True)
    assert not scene.project.site.exists()
    assert scene.project.run("check") == 2
    assert scene.project.build("--search") == 0
    assert different(files(scene.project.site), scene.new_site) == []


@pytest.mark.parametrize("stage", ["sources", "write", "render", "finish"])
def test_a_build_killed_after_a_stage(scene: Scene, stage: str) -> None:
    scene.reset()
    with subprocess.Popen(
        command("build", "papers.txt"), cwd=scene.project.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.decode().startswith(stage):
                process.kill()
                break
        process.stderr.read()
    assert process.returncode in (-signal.SIGKILL, 0)
    scene.assert_good_at_every_moment()


@pytest.mark.parametrize("seed", range(4))
def test_a_build_killed_at_some_moment(scene: Scene, seed: int) -> None:
    scene.reset()
    with subprocess.Popen(
        command("build", "papers.txt"), cwd=scene.project.folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()  # imports are done
        time.sleep(random.Random(seed).uniform(0, 0.7))
        process.kill()
        process.stderr.read()
    scene.assert_good_at_every_moment()


POOL = """
import os, sys, time
from generator import batches

def wait(items):
    time.sleep(60)

if __name__ == "__main__":
    print("begun", flush=True)
    batches.Workers(2).run(wait, range(batches._WORTH_A_POOL), lambda count: None)
"""


def test_the_processes_of_a_killed_build_end_too(tmp_path: Path) -> None:
    assert batches._WORTH_A_POOL > 0
    script = tmp_path / "pool.py"
    script.write_text(POOL, encoding="utf-8")
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE) as process:
        watched = psutil.Process(process.pid)
        workers = _wait_for_children(watched)
        process.kill()
    gone, alive = psutil.wait_procs(workers, timeout=10)
    assert alive == []
    assert len(gone) >= 2


def _wait_for_children(process: psutil.Process) -> list[psutil.Process]:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        # Two workers and the tracker of multiprocessing's resources.
        children = process.children(recursive=True)
        if len(children) >= 3:
            time.sleep(1)
            return children
        time.sleep(0.05)
    raise AssertionError("no worker has begun")
