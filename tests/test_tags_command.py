"""``papershelf tags``, and what ``--refresh-tags`` says."""

import json
from itertools import pairwise
from pathlib import Path

import pytest

from generator.model import Tag, Tagging
from generator.tags.changes import compare
from tests.projects import ABSTRACTS, Project, make_project, records

Captured = pytest.CaptureFixture[str]

SHIPS = (
    "Ship bells (SBs) ring out of tune in fog. We tune nine ship bells by ear. SBs are heavy.",
    "Fog makes ship bells hoarse, and hoarse SBs are not heard. Ship bells (SBs) need oil.",
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "shelf", (*ABSTRACTS, *SHIPS))


def test_it_lists_each_tag_with_its_variants_and_their_reasons(project: Project, capsys: Captured) -> None:
    (project.folder / "tags.yml").write_text("alias: {yeast diary: wild yeast}\n", encoding="utf-8")
    assert project.run("tags", project.source) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [number for number, line in enumerate(lines) if not line.startswith(" " * 8)] + [len(lines)]
    blocks = {lines[at].split("  ")[-1].split(",")[0]: lines[at:end] for at, end in pairwise(heads)}
    counts = [int(lines[at].split()[0]) for at in heads[:-1]]
    assert counts == sorted(counts, reverse=True)
    ships = "\n".join(blocks["ship bells"])
    assert "2 abstracts explain the acronym" in ships
    assert "SBs 4" in ships
    assert "an alias in tags.yml, line 1" in "\n".join(blocks["wild yeast"])
    assert not project.site.exists()
    assert not (project.folder / "papershelf.lock.json").exists()


def test_it_says_why_an_abstract_has_its_tags(project: Project, capsys: Captured) -> None:
    assert project.run("build", project.source, "--no-search") == 0
    record = next(record for record in records(project) if str(record["abstract"]).startswith("Fog makes"))
    capsys.readouterr()
    for key in (str(record["id"]), "Fog makes ship bells hoarse"):
        assert project.run("tags", project.source, "--of", key) == 0
        out = capsys.readouterr().out
        assert out.startswith(str(record["id"]))
        given = out.split("tags:\n")[1].split("not given:")[0].splitlines()
        assert [line.split(":")[0].strip() for line in given] == record["tags"]
        assert "ship bells: " in out
        assert "in the abstract, first at" in out
        assert " %, bar " in out


@pytest.mark.parametrize(("key", "found"), [("no such words in it", "none"), ("0123456789ab", "none")])
def test_an_abstract_that_is_not_there_ends_with_2(project: Project, capsys: Captured, key: str, found: str) -> None:
    assert project.run("tags", project.source, "--of", key) == 2
    assert f"found {found} for {key!r}" in capsys.readouterr().err


def test_choosing_anew_says_what_changed(project: Project, capsys: Captured) -> None:
    assert project.run("build", project.source, "--no-search") == 0
    lock = project.folder / "papershelf.lock.json"
    content = json.loads(lock.read_text(encoding="utf-8"))
    mine = next(tag for tag in content["tags"] if tag["label"] == "ship bells")
    mine["label"] = "bells at sea"
    content["tags"].append({**mine, "label": "sea serpents", "slug": "sea-serpents", "terms": ["serpent"]})
    lock.write_text(json.dumps(content), encoding="utf-8")
    capsys.readouterr()
    report = project.folder / "report.json"
    assert project.run("build", project.source, "--no-search", "--refresh-tags", "--report", report) == 0
    err = capsys.readouterr().err
    assert "tags new: none" in err
    assert "tags gone: 1 (sea serpents)" in err
    assert "tags renamed: 1 (bells at sea → ship bells)" in err
    assert "abstracts with other tags than before: 0" in err
    changes = json.loads(report.read_text(encoding="utf-8"))["tag_changes"]
    assert changes == {"new": [], "gone": ["sea serpents"], "renamed": [["bells at sea", "ship bells"]], "papers": 0}
    capsys.readouterr()
    assert project.run("build", project.source, "--no-search") == 0
    assert "tags new" not in capsys.readouterr().err


def test_changes_count_papers_whose_tags_are_others() -> None:
    tea, choir, owl = (Tag(name, name, (name,), 0, 0, 0) for name in ("tea", "choir", "owl"))
    before = Tagging((choir, tea), ((tea,), (choir, tea), ()))
    after = Tagging((owl, tea), ((tea,), (tea,), (owl,)))
    changes = compare(before, after)
    assert (changes.new, changes.gone, changes.renamed, changes.papers) == (("owl",), ("choir",), (), 2)
