"""A new project: ready to build, like the project's own, and buildable by MkDocs alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.projects import Project, different, files, make_project, run

ROOT = Path(__file__).parents[1]


def test_a_new_folder_is_ready_to_build(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shelf")
    assert (project.folder / ".gitignore").is_file()
    assert (project.docs / "about.md").is_file()
    assert project.build("--strict", "--search") == 0
    assert project.run("check") == 0


@pytest.mark.parametrize(
    "name", ["shelf", "my shelf #1", 'a "b" \\c', "yes", "42", ": x", "猫", "it's", "{{ x }}", "&a"]
)
def test_any_folder_name_becomes_the_sites_name(tmp_path: Path, name: str) -> None:
    assert run("new", tmp_path / name, folder=tmp_path) == 0
    config = yaml.safe_load((tmp_path / name / "mkdocs.yml").read_text(encoding="utf-8"))
    assert config["site_name"] == name


def test_missing_folders_on_the_way_are_made(tmp_path: Path) -> None:
    assert run("new", "deep/er/shelf", folder=tmp_path) == 0
    assert (tmp_path / "deep" / "er" / "shelf" / "mkdocs.yml").is_file()


def test_a_folder_with_files_keeps_them(tmp_path: Path) -> None:
    folder = tmp_path / "shelf"
    (folder / "docs_src").mkdir(parents=True)
    (folder / "docs_src" / "about.md").write_text("# Mine\n", encoding="utf-8")
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    assert run("new", ".", folder=folder) == 0
    assert (folder / "docs_src" / "about.md").read_text(encoding="utf-8") == "# Mine\n"
    assert yaml.safe_load((folder / "mkdocs.yml").read_text(encoding="utf-8"))["site_name"] == "shelf"


@pytest.mark.parametrize("taken", ["folder/mkdocs.yml", "folder"])
def test_a_folder_that_is_taken_is_left_alone(tmp_path: Path, taken: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / taken).parent.mkdir(exist_ok=True)
    (tmp_path / taken).write_text("mine", encoding="utf-8")
    assert run("new", "folder", folder=tmp_path) == 2
    assert taken in capsys.readouterr().err
    assert files(tmp_path) == {taken: b"mine"}


def test_the_projects_own_mkdocs_yml_is_that_of_a_new_folder() -> None:
    """But for its first line, its name and the page about it."""
    own = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    new = (ROOT / "site_templates" / "new" / "mkdocs.yml").read_text(encoding="utf-8").splitlines()
    assert new[1] == "site_name: __SITE_NAME__"
    expected = {new[0], new[1], "  - About: about.md"}
    assert set(new) - set(own) <= expected
    assert len(set(own) - set(new)) <= len(expected)
    assert all(line.startswith(("#", "site_name: ", "  - ")) for line in set(own) - set(new))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("new") / "shelf")
    assert project.build() == 0
    return project


def test_plain_mkdocs_builds_the_same_pages(built: Project, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "plain")],
        cwd=built.folder,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    ours, plain = files(built.site), files(tmp_path / "plain")
    assert sum(name.endswith(".html") for name in plain) > 20
    assert (
        different(
            {name: text for name, text in ours.items() if not name.startswith("papershelf/")},
            {name: text for name, text in plain.items() if name != "sitemap.xml.gz"},
        )
        == []
    )
