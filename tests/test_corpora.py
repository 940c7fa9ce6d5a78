"""Whole builds of the shared corpora, where they are there."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import cast

import pytest

from generator.check import check_site
from tests.projects import files, make_project, records

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"

pytestmark = pytest.mark.corpora


def corpus(name: str) -> Path:
    if not (CORPORA / name).exists():
        pytest.skip(f"the corpus {name} is not in {CORPORA}")
    return CORPORA / name


def test_seeds(tmp_path: Path) -> None:
    source = corpus("seeds")
    project = make_project(tmp_path / "shelf")
    assert project.run("build", source, "--strict") == 0
    found = records(project)
    assert len(found) == 57
    assert {record["collection"] for record in found} == {"ICML 2025"}
    assert len(list((project.site / "abstracts").glob("*-*.html"))) == 57
    assert [path.name for path in (project.site / "collections").glob("*.html")] == ["icml-2025.html"]
    assert project.run("check") == 0


def test_icml2025(tmp_path: Path) -> None:
    source = corpus("icml2025.txt")
    project = make_project(tmp_path / "shelf")
    assert project.run("build", source, "--report", "r.json") == 0
    found = records(project)
    assert len(found) == 2732
    assert len({record["id"] for record in found}) == 2732
    pages = {f"abstracts/{path.name}" for path in (project.site / "abstracts").glob("*-*.html")}
    assert {record["page"] for record in found} == pages
    checked = check_site(project.site)  # that every page can be reached, too
    assert checked.faults == ()
    assert checked.entries == 2732
    sizes = sorted((project.site / page).stat().st_size for page in pages)
    assert sizes[len(sizes) // 2] < 16_000
    report = json.loads((project.folder / "r.json").read_text(encoding="utf-8"))
    assert report["counts"]["abstracts"] == 2732
    # No tag has one paper, and a paper has 3 to 6.
    tags_of_papers = [cast("list[str]", record["tags"]) for record in found]
    counts = Counter(tag for tags in tags_of_papers for tag in tags)
    assert len(counts) == report["counts"]["tags"]
    assert min(counts.values()) >= 2
    assert sum(3 <= len(tags) <= 6 for tags in tags_of_papers) / len(found) >= 0.97
    assert not any(path.startswith(".") for path in os.listdir(project.site))
    assert not any(name.startswith(".site") for name in files(project.folder / "docs_src"))
