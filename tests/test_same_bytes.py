"""Same sources, options and lock: same bytes, whatever the machine, the processes and the folder."""

import itertools
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from generator import batches
from generator.batches import Workers
from tests.projects import ABSTRACTS, HOSTILE, Project, as_lines, as_text, different, files, make_project, run_process

ALL = (*ABSTRACTS, *HOSTILE)


def make(folder: Path, name: str = "shelf") -> Project:
    """Return a project whose name does not depend on its folder, with two sources."""
    project = make_project(folder / name, ALL)
    config = project.folder / "mkdocs.yml"
    text = config.read_text(encoding="utf-8").replace(f'site_name: "{name}"', "site_name: Village shelf")
    config.write_text(text, encoding="utf-8")
    extra = [
        {
            "id": f"x{number}",
            "abstract": f"Loaf {number} of the village bakery rose. {abstract}",
            "authors": ["B. Laib"],
        }
        for number, abstract in enumerate(ABSTRACTS)
    ]
    (project.folder / "more.jsonl").write_text(as_lines(extra), encoding="utf-8")
    return project


def result(project: Project) -> dict[str, bytes]:
    return {
        **{f"site/{name}": data for name, data in files(project.site).items()},
        **{f"docs_src/{name}": data for name, data in files(project.docs).items()},
        "lock": (project.folder / "papershelf.lock.json").read_bytes(),
    }


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    project = make(tmp_path_factory.mktemp("expected"))
    assert project.run("build", "papers.txt", "more.jsonl", "--jobs", "1") == 0
    return result(project)


@pytest.mark.parametrize(("seed", "jobs"), [("0", "1"), ("1", "2"), ("4242", "2")])
def test_processes_hash_seeds_and_folders_do_not_matter(
    tmp_path: Path, expected: dict[str, bytes], seed: str, jobs: str
) -> None:
    project = make(tmp_path, f"my shelf #{seed}")
    environment = {"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo" if seed == "1" else "UTC", "LC_ALL": "C"}
    # Also from another current folder, by other paths to the same sources.
    ended = run_process(
        *("build", "--config", f"{project.folder.name}/mkdocs.yml", "--jobs", jobs),
        *(project.folder / "papers.txt", f"{project.folder.name}/more.jsonl"),
        folder=tmp_path,
        environment=environment,
    )
    assert ended.code == 0, ended.err
    assert different(result(project), expected) == []


def test_no_path_of_this_machine_is_in_a_site(tmp_path: Path, expected: dict[str, bytes]) -> None:
    for name, data in expected.items():
        for path in (str(Path.home()), "/tmp/", os.getcwd()):
            assert path == "/" or path.encode() not in data, f"{path} in {name}"


def test_a_second_build_changes_nothing(tmp_path: Path, expected: dict[str, bytes]) -> None:
    project = make(tmp_path)
    for _ in range(2):
        assert project.run("build", "papers.txt", "more.jsonl") == 0
        assert different(result(project), expected) == []


def test_the_day_comes_from_source_date_epoch_alone(
    tmp_path: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1924905600")  # the same day's first second
    project = make(tmp_path)
    assert project.run("build", "papers.txt", "more.jsonl") == 0
    assert different(result(project), expected) == []
    (project.folder / "papershelf.lock.json").unlink()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1925000000")
    assert project.run("build", "papers.txt", "more.jsonl") == 0
    changed = different(result(project), expected)
    with_day = {
        "lock", "site/papershelf/abstracts.jsonl", "site/sitemap.xml",
        "site/assets/papershelf/shelf.js", "site/papershelf/search/facets/added.js", "site/papershelf/search/manifest.js",
    }  # fmt: skip
    assert {name for name in changed if not name.startswith("site/papershelf/records/")} <= with_day
    assert "lock" in changed


def test_with_the_first_lock_a_site_that_grew_has_its_first_bytes_again(tmp_path: Path) -> None:
    project = make(tmp_path)
    lock = project.folder / "papershelf.lock.json"
    assert project.build() == 0
    first, first_lock = files(project.site), lock.read_bytes()
    assert project.build("more.jsonl") == 0
    assert len(files(project.site)) > len(first)
    lock.write_bytes(first_lock)
    assert project.build() == 0
    assert different(files(project.site), first) == []


def test_files_in_a_folder_are_read_in_the_order_of_their_names(tmp_path: Path) -> None:
    sites = []
    names = ["b.txt", "a.txt", "c.txt"]
    for number, order in enumerate(itertools.islice(itertools.permutations(names), 2)):
        project = make(tmp_path, f"shelf-{number}")
        (project.folder / "in").mkdir()
        for name in order:
            part = names.index(name)
            (project.folder / "in" / name).write_text(as_text(ALL[part::3]), encoding="utf-8")
        assert project.run("build", "in", "--no-search") == 0
        sites.append(files(project.site))
    assert different(*sites) == []


# -- batches ---------------------------------------------------------------------------------------------------------


def double(numbers: Sequence[int]) -> list[int]:
    return [2 * number for number in numbers]


def pid(numbers: Sequence[int]) -> list[int]:
    return [os.getpid() for _ in numbers]


@pytest.mark.parametrize("count", [0, 1, 249, 250, 251, 2100])
@pytest.mark.parametrize("jobs", [1, 2])
def test_batches_give_one_result_an_item_in_order(count: int, jobs: int) -> None:
    seen: list[int] = []
    with Workers(jobs) as workers:
        doubled = workers.run(double, range(count), seen.append)
    assert doubled == [2 * number for number in range(count)]
    assert sum(seen) == count


def test_many_items_are_done_by_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_WORTH_A_POOL", 500)
    for count, jobs, elsewhere in ((600, 2, True), (600, 1, False), (400, 2, False)):
        with Workers(jobs) as workers:
            found = set(workers.run(pid, range(count), lambda _count: None))
        assert (os.getpid() not in found) == elsewhere
