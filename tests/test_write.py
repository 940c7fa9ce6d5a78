"""Writing ``docs_src/``: what is replaced, removed, kept, and what stops the build."""

from pathlib import Path

import pytest

from generator.files import empty_scratch, write_if_changed, write_whole
from generator.model import Page
from generator.pages.front_matter import front_matter, is_generated
from generator.write import PageClashError, Written, write_docs
from tests.projects import files

GENERATED = front_matter({"title": "x"}) + "\nold\n"


def page(src_uri: str, text: str = "new") -> Page:
    return Page(src_uri, front_matter({"title": "x"}) + f"\n{text}\n", {"title": "x"})


def put(docs: Path, files_: dict[str, str]) -> None:
    for name, text in files_.items():
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text(text, encoding="utf-8")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs_src").mkdir()
    return tmp_path / "docs_src"


def write(docs: Path, *src_uris: str) -> Written:
    return write_docs([page(src_uri) for src_uri in src_uris], docs, docs.parent / "scratch")


@pytest.mark.parametrize(
    ("text", "generated"),
    [
        (GENERATED, True),
        (GENERATED.replace("\n", "\r\n"), True),
        ("---\ntitle: moved\ngenerated_by: papershelf\n---\n", True),
        ("---\ntitle: mine\n---\n", False),
        ("---\ntitle: mine\n---\ngenerated_by: papershelf\n", False),
        ("---\ntitle: mine\n...\ngenerated_by: papershelf\n", False),
        ("-----\ngenerated_by: papershelf\n---\n", False),
        ("--- x\ngenerated_by: papershelf\n---\n", False),
        ("generated_by: papershelf\n", False),
        ("\n---\ngenerated_by: papershelf\n---\n", False),
        ("---\n  generated_by: papershelf\n---\n", False),
        ("---\ngenerated_by: papershelf-fork\n---\n", False),
        ("---\n", False),
        ("", False),
    ],
)
def test_the_mark(text: str, generated: bool) -> None:
    assert is_generated(text) is generated


def test_text_in_the_front_matter_cannot_forge_or_end_it() -> None:
    matter = front_matter({"title": "a\n---\ngenerated_by: x", "tags": ["NO", "on", "1", "a: b", "#c", "'", ""]})
    assert matter.splitlines().count("---") == 2
    assert is_generated(matter)


def test_pages_are_written_replaced_left_and_removed(docs: Path) -> None:
    assert write(docs, "index.md", "abstracts/a.md", "tags/t/2.md") == Written(3, 0, 0)
    before = (docs / "abstracts" / "a.md").stat().st_mtime_ns
    changed = [page("index.md", "changed"), page("abstracts/a.md"), page("abstracts/b.md")]
    assert write_docs(changed, docs, docs.parent / "scratch") == Written(2, 1, 1)
    assert files(docs).keys() == {"index.md", "abstracts/a.md", "abstracts/b.md"}
    assert "changed" in (docs / "index.md").read_text(encoding="utf-8")
    assert (docs / "abstracts" / "a.md").stat().st_mtime_ns == before
    assert not (docs / "tags").is_dir() or not any((docs / "tags").iterdir())
    assert files(docs.parent / "scratch") == {}


def test_hand_written_files_are_kept_wherever_they_are(docs: Path) -> None:
    own = {
        "about.md": "# About\n",
        "tags/how-we-tag.md": "---\ntitle: How\n---\n",
        "abstracts/picture.png": "no picture",
        "abstracts/.hidden": "",
        # Marked, but in no folder of ours: a copy that somebody keeps.
        "kept/copy.md": GENERATED,
        "copy.md": GENERATED,
        # Not Markdown, so it carries no mark.
        "tags/notes.txt": GENERATED,
    }
    put(docs, own)
    write(docs, "index.md", "tags/a.md")
    write(docs, "index.md")
    assert {name: text.decode() for name, text in files(docs).items() if name != "index.md"} == own


@pytest.mark.parametrize(
    ("own", "generated"),
    [
        ("abstracts/a.md", "abstracts/a.md"),
        ("abstracts/A.md", "abstracts/a.md"),
        ("Abstracts/a.md", "abstracts/a.md"),
        ("abstracts/a.html", "abstracts/a.md"),
        ("abstracts/a.markdown", "abstracts/a.md"),
        ("abstracts/README.md", "abstracts/index.md"),
        ("abstracts/index.md", "abstracts/index.md"),
        ("search.md", "search.md"),
        ("search.mkd", "search.md"),
        ("tags", "tags/a.md"),
        ("tags/gpt", "tags/gpt/2.md"),
        ("index.html", "index.md"),
        ("Index.md", "index.md"),
    ],
)
def test_a_hand_written_file_in_the_way_stops_the_build_with_both_paths(docs: Path, own: str, generated: str) -> None:
    put(docs, {own: "# Mine\n"})
    before = files(docs)
    with pytest.raises(PageClashError) as raised:
        write(docs, "abstracts/other.md", generated)
    assert raised.value.clashes == [(docs / own, docs / generated)]
    assert str(docs / own) in str(raised.value)
    assert str(docs / generated) in str(raised.value)
    assert raised.value.exit_code == 2
    assert files(docs) == before


def test_all_clashes_are_named_together(docs: Path) -> None:
    put(docs, {"tags/a.md": "", "tags/b.md": "", "tags/c.md": ""})
    with pytest.raises(PageClashError) as raised:
        write(docs, "tags/a.md", "tags/c.md")
    assert len(raised.value.clashes) == 2


@pytest.mark.parametrize("own", ["index.md", "README.md", "index.markdown"])
def test_ones_own_home_page_wins(docs: Path, own: str) -> None:
    write(docs, "index.md", "search.md")
    put(docs, {own: "# Welcome\n"})
    write(docs, "index.md", "search.md")
    assert files(docs).keys() == {own, "search.md"}
    assert (docs / own).read_text(encoding="utf-8") == "# Welcome\n"
    (docs / own).unlink()
    write(docs, "index.md", "search.md")
    assert files(docs).keys() == {"index.md", "search.md"}


def test_a_page_whose_mark_was_taken_away_is_hand_written(docs: Path) -> None:
    write(docs, "tags/a.md")
    put(docs, {"tags/a.md": "# Edited\n"})
    with pytest.raises(PageClashError):
        write(docs, "tags/a.md")
    write(docs, "tags/b.md")
    assert (docs / "tags" / "a.md").read_text(encoding="utf-8") == "# Edited\n"


def test_bytes_that_are_no_text_are_hand_written(docs: Path) -> None:
    (docs / "tags").mkdir()
    (docs / "tags" / "odd.md").write_bytes(b"\xff\xfe---\n")
    write(docs, "tags/a.md")
    assert files(docs).keys() == {"tags/odd.md", "tags/a.md"}


# -- single files ----------------------------------------------------------------------------------------------------


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a" / "b.txt"
    write_whole(path, b"old")

    def fail(self: Path, target: Path) -> Path:
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="no"):
        write_whole(path, b"new")
    assert files(tmp_path) == {"a/b.txt": b"old"}


@pytest.mark.parametrize("scratch", [None, "scratch"])
def test_a_file_is_written_through_a_draft(tmp_path: Path, scratch: str | None) -> None:
    write_whole(tmp_path / "a" / "b.txt", b"1", tmp_path / scratch if scratch else None)
    assert files(tmp_path) == {"a/b.txt": b"1"}


def test_a_long_name_can_be_written(tmp_path: Path) -> None:
    write_whole(tmp_path / ("x" * 250), b"1")
    assert (tmp_path / ("x" * 250)).read_bytes() == b"1"


def test_only_changes_are_written(tmp_path: Path) -> None:
    path, scratch = tmp_path / "a.txt", tmp_path / "scratch"
    assert write_if_changed(path, b"1", scratch) is True
    assert write_if_changed(path, b"1", scratch) is False
    assert write_if_changed(path, b"2", scratch) is True


def test_what_a_killed_build_left_is_removed(tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    put(scratch, {".1-a": "", "search-x/1/pages/a.html": ""})
    empty_scratch(scratch)
    empty_scratch(scratch)
    assert not scratch.exists()
