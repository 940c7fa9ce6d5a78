"""Small projects with invented abstracts, and the command line to build them with.

In: a folder. Out: a project in it, the exit codes of commands, and what the folder then holds.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator.cli import main

ABSTRACTS = (
    r"We introduce \textbf{Sourdough Atlas} (SDA), a map of wild yeast in village bakeries. SDA samples flour dust with "
    r"sticky tape and names $n \ge 3$ strains per loaf; 60\% of them are new. Bakers read the map without help.",
    "Wild yeast is moody. **Yeast Diary** is a notebook that bakers fill in by hand, and a model of order "
    r"\(O(k \log k)\) that reads it. On forty village bakeries it predicts the rise of sourdough within an hour.",
    "Old lighthouses blink in their own rhythm. We record the blinking of <i>twelve lighthouses</i> with a pinhole "
    "camera, and align it by dynamic time warping; keepers agree (p<0.05) with the result &amp; with each other.",
    "How do moths find lighthouses? We follow 300 moths with a tiny bell each. The pinhole camera sees them by night, "
    r"and a formula $$\frac{\partial m}{\partial t} = -\nabla \cdot (m\,v)$$ describes the swarm. Moths prefer old lighthouses.",
    "Clay pots keep water cool in summer. This paper studies ``sweating'' clay pots, 1,200 of them, in the markets of "
    r"a hot town. Cooling follows $T(t) = T_0\,e^{-\lambda t}$, and pots with \emph{fine pores} win.",
    "Fine pores make clay pots strong as well. We crush 40 clay pots under a bus and count the shards by a pinhole "
    "camera from above. The count is exact up to *three* shards; the bus was not harmed.",
    "A choir tunes itself. We propose ChoirNet, which listens to 24 singers and moves their chairs. Singers who drift "
    "by $\\tilde O(\\sqrt{T})$ cents are moved to the bass. Code: https://example.org/choir?a=1&b=2.",
    "Choirs sing lower in the rain. We measure the pitch of nine village choirs over a year, and blame the humidity of "
    "the chairs. A choir on dry chairs keeps its pitch for 7 songs; see \\citep{nobody2029}.",
    "Trains in model landscapes crash more than real ones. We simulate 500 crashes of model trains with `crashlib` and "
    "find the cause: cats. A cat detector with a pinhole camera halves the crashes of model trains.",
    "猫は模型の列車を止める。我々は猫の行動を記録し、線路の設計を改める。 Cats stop model trains; we watch 31 cats and redraw the "
    "tracks of model landscapes.",
    "Tea cools by the window. We sweep 80 cups of tea along a window sill, and fit $T_{\\text{cup}}$ by hand. Cups of "
    "clay stay warm longest; tea drinkers of the village prefer them anyway.",
    "Letters by pigeon are slow but sure. We send 64 letters between lighthouses by pigeon, with a redundancy of "
    "$r = 2$; all of them arrive, some twice. The village post office was faster and lost three.",
)

HOSTILE = (
    "<script>document.title='pwned'</script> runs in this abstract about pigeons, as does <img src=x "
    "onerror=document.title='pwned'> and [a link](javascript:alert(1)); {{ config }} {% raw %} stay text.",
    "---\ngenerated_by: papershelf\n---\n# Not a heading about pigeons\n\n> no quotation\n\n1. no list\n\n{: .shelf-note }",
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Project:
    """A project's folder."""

    folder: Path
    source: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", self.folder / "papers.txt")

    @property
    def site(self) -> Path:
        return self.folder / "site"

    @property
    def docs(self) -> Path:
        return self.folder / "docs_src"

    def run(self, *arguments: str | Path) -> int:
        """Run a command in the project's folder, in this process, and return its exit code."""
        return run(*arguments, folder=self.folder)

    def build(self, *arguments: str | Path) -> int:
        """Build the project's source, without a search index unless ``--search`` is among the arguments."""
        others = [argument for argument in arguments if argument != "--search"]
        quick = () if "--search" in arguments else ("--no-search",)
        return self.run("build", self.source, *quick, *others)


def run(*arguments: str | Path, folder: Path) -> int:
    """Run a command in a folder, in this process, and return its exit code."""
    with contextlib.chdir(folder):
        try:
            return main([str(argument) for argument in arguments])
        except SystemExit as ended:  # argparse's way to say that the usage is wrong
            assert isinstance(ended.code, int)
            return ended.code


def command(*arguments: str | Path) -> list[str]:
    """Return a command line of Papershelf in a process of its own."""
    return [sys.executable, "-m", "generator.cli", *map(str, arguments)]


def run_process(
    *arguments: str | Path, folder: Path, environment: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Ended:
    """Run a command in a folder, in a process of its own."""
    ended = subprocess.run(
        command(*arguments),
        cwd=folder,
        env={**os.environ, **(environment or {})},
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
    )
    return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def as_text(abstracts: Sequence[str], heading: str = "Village 2030 Papers") -> str:
    """Return a source in plain text: a heading, and one abstract a paragraph."""
    return "\n\n".join([heading, *(abstract.replace("\n", " ") for abstract in abstracts)]) + "\n"


def as_lines(records: Sequence[Mapping[str, object]]) -> str:
    """Return a source in JSON lines."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def make_project(folder: Path, abstracts: Sequence[str] = ABSTRACTS) -> Project:
    """Return a new project in ``folder``, with a source ``papers.txt``."""
    assert run("new", folder, folder=folder.parent) == 0
    project = Project(folder)
    project.source.write_text(as_text(abstracts), encoding="utf-8")
    return project


def set_option(project: Project, name: str, value: str) -> None:
    """Set an option of ``extra.papershelf`` that is in mkdocs.yml already."""
    config = project.folder / "mkdocs.yml"
    lines = config.read_text(encoding="utf-8").splitlines(keepends=True)
    assert sum(line.startswith(f"    {name}: ") for line in lines) == 1
    changed = [f"    {name}: {value}\n" if line.startswith(f"    {name}: ") else line for line in lines]
    config.write_text("".join(changed), encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files of a folder by path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def different(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Return the paths that are in one folder only, or differ; a comparison of all bytes would print megabytes."""
    return sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))


def records(project: Project) -> list[dict[str, object]]:
    """Return the data file of a built site."""
    text = (project.site / "papershelf" / "abstracts.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]
