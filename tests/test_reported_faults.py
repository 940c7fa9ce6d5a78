"""Faults that a second reader found, each kept as a test."""

import json
from pathlib import Path

import pytest

from generator.cli import main
from generator.markup.markdown import escape_markdown, to_markdown_line
from generator.markup.parse import parse_line
from tests.rendering import render


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    main(["new", str(tmp_path / "shelf")])
    monkeypatch.chdir(tmp_path / "shelf")
    return tmp_path / "shelf"


def test_its_own_output_is_no_source(folder: Path) -> None:
    """A build of the whole folder, twice: derived titles do not come back as the authors'."""
    (folder / "owls.txt").write_text("We study how owls read.\n\nWe ask why moths write.\n", encoding="utf-8")
    for _ in range(2):
        assert main(["build", ".", "--strict", "--no-search"]) == 0
    lines = (folder / "site" / "papershelf" / "abstracts.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["source"]["file"] for record in records] == ["owls.txt", "owls.txt"]
    assert all(record["title_derived"] for record in records)


@pytest.mark.parametrize("name", ["C#", "a ##", "# b #"])
def test_a_heading_keeps_its_last_hash(name: str) -> None:
    assert f">{name}</h1>" in render(f"# {escape_markdown(name)}")
    assert f">{name}</h1>" in render(f"# {to_markdown_line(parse_line(name)[0])}")


def test_the_sites_name_stays_text(folder: Path) -> None:
    config = folder / "mkdocs.yml"
    text = config.read_text(encoding="utf-8").replace('site_name: "shelf"', "site_name: 'A <script>x</script> \"B\"'")
    config.write_text(text, encoding="utf-8")
    (folder / "owls.txt").write_text("We study how owls read.\n", encoding="utf-8")
    assert main(["build", "owls.txt", "--no-search"]) == 0
    for page in (folder / "site").rglob("*.html"):
        assert "<script>x" not in page.read_text(encoding="utf-8")


def test_a_failed_build_replaces_the_report(folder: Path) -> None:
    (folder / "report.json").write_text('{"counts": {"abstracts": 7}}', encoding="utf-8")
    (folder / "bad.txt").write_bytes("größer größer größer ".encode() * 9 + b"\xff\xff")
    assert main(["build", "bad.txt", "--report", "report.json"]) == 2
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["counts"] == {}
    assert [problem["file"] for problem in report["problems"]] == ["bad.txt"]


def test_another_theme_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mkdocs.yml").write_text("site_name: x\ndocs_dir: docs_src\n", encoding="utf-8")
    assert main(["build", "owls.txt"]) == 2
    assert "name: material" in capsys.readouterr().err
