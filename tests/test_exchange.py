"""Exchanging sites: in one step or two, and every state that a kill can leave."""

import os
import sys
from pathlib import Path

import pytest

from generator import exchange
from generator.exchange import (
    ForeignFolderError,
    check_replaceable,
    exchange_site,
    needs_repair,
    repair_site,
    staging_folder,
)
from tests.projects import files

MARK = "assets/mark.css"
OLD, NEW = ".site.papershelf-old", ".site.papershelf-new"


def put_site(folder: Path, text: str, *hidden: str) -> None:
    for name in ("index.html", MARK, *hidden):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def text_of(site: Path) -> str:
    texts = {(site / name).read_text(encoding="utf-8") for name in ("index.html", MARK)}
    assert len(texts) == 1, "half of one site and half of another"
    return texts.pop()


@pytest.fixture(params=["one step", "two steps"])
def swapping(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "two steps":
        monkeypatch.setattr(exchange, "_swap", lambda _one, _other: False)
    return str(request.param)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return tmp_path / "site"


@pytest.mark.usefixtures("swapping")
class TestExchange:
    def test_the_first_site(self, site: Path) -> None:
        put_site(staging_folder(site), "new")
        exchange_site(staging_folder(site), site)
        assert text_of(site) == "new"
        assert os.listdir(site.parent) == ["site"]

    def test_a_new_site_takes_the_place_of_the_old_one(self, site: Path) -> None:
        put_site(site, "old")
        (site / "gone.html").write_text("old", encoding="utf-8")
        put_site(staging_folder(site), "new")
        exchange_site(staging_folder(site), site)
        assert text_of(site) == "new"
        assert files(site).keys() == {"index.html", MARK}
        assert os.listdir(site.parent) == ["site"]

    def test_hidden_files_move_along_but_replace_nothing(self, site: Path) -> None:
        put_site(site, "old", ".git/HEAD", ".nojekyll", ".both")
        put_site(staging_folder(site), "new", ".both")
        exchange_site(staging_folder(site), site)
        assert files(site) == {
            "index.html": b"new",
            MARK: b"new",
            ".both": b"new",
            ".git/HEAD": b"old",
            ".nojekyll": b"old",
        }

    def test_a_folder_with_a_repository_alone_becomes_a_site(self, site: Path) -> None:
        (site / ".git").mkdir(parents=True)
        put_site(staging_folder(site), "new")
        exchange_site(staging_folder(site), site)
        assert (site / ".git").is_dir()
        assert text_of(site) == "new"


def test_a_failed_second_step_is_taken_back(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "_swap", lambda _one, _other: False)
    put_site(site, "old")
    with pytest.raises(OSError, match="papershelf-new"):
        exchange_site(staging_folder(site), site)
    assert text_of(site) == "old"
    assert os.listdir(site.parent) == ["site"]


def test_linux_exchanges_in_one_step(tmp_path: Path) -> None:
    put_site(tmp_path / "a", "a")
    put_site(tmp_path / "b", "b")
    if not exchange._swap(tmp_path / "a", tmp_path / "b"):
        pytest.skip("this file system cannot exchange two folders in one step")
    assert (text_of(tmp_path / "a"), text_of(tmp_path / "b")) == ("b", "a")


def test_a_failing_exchange_says_why(tmp_path: Path) -> None:
    put_site(tmp_path / "a", "a")
    if not sys.platform.startswith("linux"):
        pytest.skip("renameat2 is Linux's")
    with pytest.raises(FileNotFoundError, match="nowhere"):
        exchange._swap(tmp_path / "a", tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("left", "kept", "hidden"),
    [
        ({}, None, None),
        ({"site": "old"}, "old", None),
        # Killed while building: the first time, and later ones.
        ({NEW: "half"}, None, None),
        ({"site": "old", NEW: "half"}, "old", None),
        # Just after the exchange in one step: the old site is still called like the new one.
        ({"site": "new", NEW: "old+git"}, "new", "old"),
        # After it was renamed; while its hidden files moved; while it was removed.
        ({"site": "new", OLD: "old+git"}, "new", "old"),
        ({"site": "new+git", OLD: "old"}, "new", "new"),
        ({"site": "new", OLD: "half"}, "new", None),
        # Between the two renames, where there is no single step.
        ({OLD: "old+git", NEW: "new"}, "old", "old"),
        ({OLD: "old", NEW: "half"}, "old", None),
    ],
)
def test_every_state_that_a_kill_leaves_is_repaired(
    site: Path, left: dict[str, str], kept: str | None, hidden: str | None
) -> None:
    for name, state in left.items():
        text, _, git = state.partition("+")
        if text == "half":
            (site.parent / name / "assets").mkdir(parents=True)
        else:
            put_site(site.parent / name, text, *([".git/HEAD"] if git else []))
    assert needs_repair(site) is (OLD in left and "site" not in left)
    for _ in range(2):
        repair_site(site)
        assert os.listdir(site.parent) == (["site"] if kept else [])
        if kept:
            assert text_of(site) == kept
        if hidden:
            assert (site / ".git" / "HEAD").read_text(encoding="utf-8") == hidden
    assert not needs_repair(site)


class TestReplaceable:
    @pytest.mark.parametrize("content", [(), (".git/HEAD",), (MARK,), ("index.html", MARK, "own.html")])
    def test_a_site_an_empty_folder_and_a_repository_are(self, site: Path, content: tuple[str, ...]) -> None:
        check_replaceable(site, MARK)
        site.mkdir()
        for name in content:
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).touch()
        check_replaceable(site, MARK)

    @pytest.mark.parametrize("content", [("thesis.tex",), ("index.html", "assets/other.css"), ("photos/cat.png",)])
    def test_another_folder_is_not(self, site: Path, content: tuple[str, ...]) -> None:
        site.mkdir()
        for name in content:
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).touch()
        with pytest.raises(ForeignFolderError, match="is not replaced") as raised:
            check_replaceable(site, MARK)
        assert str(site) in str(raised.value)
        assert raised.value.exit_code == 2

    def test_a_file_is_not(self, site: Path) -> None:
        site.touch()
        with pytest.raises(ForeignFolderError):
            check_replaceable(site, MARK)

    def test_a_folder_with_the_pages_is_not_even_when_they_are_gone(self, site: Path) -> None:
        (site / "inner").mkdir(parents=True)
        for kept in (site, site / "inner"):
            with pytest.raises(ForeignFolderError):
                check_replaceable(site, MARK, [kept])
