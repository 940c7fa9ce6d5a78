"""A build of what has been built is left out, and never when anything is different.

In: a built project and one change. Out: whether the next build did its work, and that the files are right after it.
"""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.projects import ABSTRACTS, Project, as_text, files, make_project

NOTHING = "nothing has changed since the last build"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("built"))
    (project.docs / "about.md").write_text("# About\n\nA shelf of bread.\n", encoding="utf-8")
    assert project.build("--search") == 0
    return project


def _edit_output(path: Callable[[Project], Path]) -> Callable[[Project], None]:
    def edit(project: Project) -> None:
        """Change a byte of the text in place, and give the file its old time back, as a careless copy does."""
        file = path(project)
        status, content = file.stat(), file.read_bytes()
        head, last, tail = content.rpartition(b"e")
        file.write_bytes(head + last.upper() + tail)
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    return edit


def _first(folder: str, pattern: str) -> Callable[[Project], Path]:
    return lambda project: min((project.folder / folder).rglob(pattern))


def _write(name: str, text: str) -> Callable[[Project], None]:
    def write(project: Project) -> None:
        file = project.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    return write


def _append(name: str, text: str) -> Callable[[Project], None]:
    def append(project: Project) -> None:
        with (project.folder / name).open("a", encoding="utf-8") as file:
            file.write(text)

    return append


def _remove(path: Callable[[Project], Path]) -> Callable[[Project], None]:
    return lambda project: path(project).unlink()


CHANGES: dict[str, Callable[[Project], None]] = {
    "a source": _append("papers.txt", "\nOne abstract more, on the buttering of old bread by young pigeons in May.\n"),
    "an option": _append("mkdocs.yml", "site_author: A Baker\n"),
    "a title": _write("titles.yml", "Old lighthouses blink in: A Title of Mine\n"),
    "a rule for tags": _write("tags.yml", "block:\n  - village\n"),
    "a template": _write("site_templates/theme/partials/copyright.html", "<p>Mine</p>\n"),
    "the user's page": _append("docs_src/about.md", "More of it.\n"),
    "a new page of the user's": _write("docs_src/more.md", "# More\n"),
    "an edited generated page": _edit_output(_first("docs_src/abstracts", "*.md")),
    "a removed generated page": _remove(_first("docs_src/tags", "*.md")),
    "an edited page of the site": _edit_output(_first("site/abstracts", "*.html")),
    "a removed page of the site": _remove(_first("site/abstracts", "*.html")),
    "a foreign file in the site": _write("site/abstracts/foreign.html", "<p>Not ours\n"),
    "an edited theme": _edit_output(_first(".papershelf/theme", "*.html")),
    "an edited lock file": _edit_output(lambda project: project.folder / "papershelf.lock.json"),
    "a removed lock file": _remove(lambda project: project.folder / "papershelf.lock.json"),
}


def test_a_build_of_the_same_writes_nothing(built: Project, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(built.folder)
    assert built.build("--search") == 0
    assert NOTHING in capsys.readouterr().err
    assert files(built.folder) == before


def test_problems_are_said_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make_project(
        tmp_path,
        as_text([*ABSTRACTS, r"Some bread has a formula $\frac{1}{2$ that nobody can read, not even pigeons."]),
    )
    first, second = project.folder / "first.json", project.folder / "second.json"
    assert project.build("--report", first) == 0
    said = capsys.readouterr().err
    assert project.build("--report", second, "--strict") == 1
    assert NOTHING in capsys.readouterr().err
    problems = [json.loads(path.read_bytes())["problems"] for path in (first, second)]
    assert problems[0] == problems[1] != []
    assert problems[0][0]["kind"] in said


@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_built(built: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str) -> None:
    project = Project(tmp_path / "project")
    shutil.copytree(built.folder, project.folder)
    assert project.build("--search") == 0  # the copy's files are others
    assert project.build("--search") == 0
    assert NOTHING in capsys.readouterr().err
    CHANGES[change](project)
    clean = Project(tmp_path / "clean")
    shutil.copytree(project.folder, clean.folder)
    shutil.rmtree(clean.folder / ".papershelf")
    shutil.rmtree(clean.site)
    assert project.build("--search") == clean.build("--search")
    assert NOTHING not in capsys.readouterr().err
    assert files(project.site) == files(clean.site)
    assert files(project.docs) == files(clean.docs)


def test_other_options_of_the_command_are_built(built: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert built.build("--search", "--no-cache") == 0
    assert built.build("--search", "--refresh-tags") == 0
    assert NOTHING not in capsys.readouterr().err
    assert built.build() == 0
    assert built.build("--search") == 0
    assert NOTHING not in capsys.readouterr().err
    assert built.build("--search", "--jobs", "1") == 0
    assert NOTHING in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff\xfe", b'{"inputs": 1, "outputs": 2}'])
def test_a_broken_record_counts_as_none(built: Project, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    (built.folder / ".papershelf/last-build.json").write_bytes(content)
    assert built.build("--search") == 0
    assert NOTHING not in capsys.readouterr().err


def test_a_link_that_leads_nowhere_stops_no_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make_project(tmp_path / "project")
    assert project.build() == 0
    (project.docs / "abstracts" / ".#draft.md").symlink_to("nobody@nowhere")  # as an editor marks an open file
    assert project.build() == 0
    assert NOTHING not in capsys.readouterr().err
    assert project.build() == 0
    assert NOTHING in capsys.readouterr().err
