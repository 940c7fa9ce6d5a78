"""The lock file: what it keeps, how it reads, what it refuses."""

import json
from pathlib import Path

import pytest

from generator.lock import Address, Lock, LockFileError, dump_lock, read_lock
from generator.model import Tag
from tests.projects import ABSTRACTS, as_text, make_project

LOCK = Lock(
    {"b" * 12: Address("tea-bbbbbb", "2030-01-02"), "a" * 12: Address("choir-aaaaaa", "2029-12-31")},
    (
        Tag("Tee & Öl", "tea-and-oil", ("oil", "tea"), -2100, 512, 300, (("kettle", 210), ("café", 90)), "choir"),
        Tag("choir", "choir", ("choir",), 0, 0, 0),
        Tag("owls", "owls", ("owl",), 0, 0, 0, generation=3, ruled=True),
    ),
    site="0123456789ab",
)


NUMBERS = {"prior": -2000, "bar": 500, "scale": 400, "context": {"kettle": 210}}


def entries(**changed: object) -> str:
    return json.dumps({"version": 2, "addresses": {}, "tags": [], **changed})


def tag(**changed: object) -> dict[str, object]:
    return {"label": "tea", "slug": "tea", "topic": "", "terms": ["tea"], **NUMBERS, **changed}


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "papershelf.lock.json"
    path.write_bytes(dump_lock(LOCK))
    found = read_lock(path)
    assert dict(found.addresses) == dict(LOCK.addresses)
    assert set(found.vocabulary) == set(LOCK.vocabulary)
    assert found.site == LOCK.site
    assert dump_lock(found) == dump_lock(LOCK)


def test_it_has_one_sorted_entry_a_line() -> None:
    lines = dump_lock(LOCK).decode().splitlines()
    assert [line.strip(" ,") for line in lines if "-0" in line or "2029" in line] == [
        '"aaaaaaaaaaaa": ["choir-aaaaaa", "2029-12-31"]',
        '"bbbbbbbbbbbb": ["tea-bbbbbb", "2030-01-02"]',
    ]
    assert [line.strip()[:17] for line in lines if "label" in line] == [
        '{"label": "choir"',
        '{"label": "owls",',
        '{"label": "Tee & ',
    ]


def test_an_empty_lock_is_json_too(tmp_path: Path) -> None:
    assert json.loads(dump_lock(Lock())) == {"version": 2, "site": "", "addresses": {}, "tags": []}


def test_no_file_is_an_empty_lock(tmp_path: Path) -> None:
    assert read_lock(tmp_path / "none.json") == Lock()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "in JSON"),
        ("<<<<<<< ours\n{}", "in JSON"),
        ("[" * 100_000, "in JSON"),
        ("[]", "version 2, found 'list'"),
        ("{}", "version 2, found None"),
        (entries(version=3), "version 2, found 3"),
        (entries(addresses=[]), "expected form"),
        (entries(addresses={"a": "b"}), "expected form"),
        (entries(addresses={"a": ["b"]}), "expected form"),
        (entries(addresses={"a": ["b", "2030-01-01", "c"]}), "expected form"),
        (entries(addresses={"a": ["../b", "2030-01-01"]}), "'../b'"),
        (entries(addresses={"a": ["b\\c", "2030-01-01"]}), "file name"),
        (entries(addresses={"a": [".b", "2030-01-01"]}), "'.b'"),
        (entries(addresses={"a": ["", "2030-01-01"]}), "''"),
        (entries(addresses={"a": ["index", "2030-01-01"]}), "'index'"),
        (entries(addresses={"a": ["2", "2030-01-01"]}), "'2'"),
        (entries(addresses={"a": ["b c#d", "2030-01-01"]}), "'b c#d'"),
        (entries(addresses={"a": [1, "2030-01-01"]}), "found 1"),
        (entries(addresses={"a": ["b", "yesterday"]}), "'yesterday'"),
        (entries(addresses={"a": ["same", "2030-01-01"], "b": ["Same", "2030-01-01"]}), "'Same' stands twice"),
        (entries(tags=[tag(), tag(label="other")]), "'tea' stands twice"),
        (entries(tags=[tag(prior=0.5)]), "whole number"),
        (entries(tags=[tag(bar=True)]), "whole number"),
        (entries(tags=[tag(scale=10**30)]), "whole number"),
        (entries(tags=[tag(context={"kettle": "210"})]), "whole number"),
        (entries(tags=[tag(generation=-1)]), "whole number from 0"),
        (entries(tags=[tag(context=["kettle"])]), "expected form"),
        (entries(tags=[tag(topic="../tea")]), "'../tea'"),
        (entries(tags=[tag(slug="a/b")]), "'a/b'"),
        (entries(tags=[tag(slug="index")]), "'index'"),
        (entries(tags=[tag(label="\ud800")]), "expected form"),
        (entries(tags=[{"label": "tea"}]), "expected form"),
        (entries(tags=["tea"]), "expected form"),
        ('{"version": 2, "addresses": {}}', "expected form"),
    ],
)
def test_a_damaged_lock_stops_the_build_with_advice(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "papershelf.lock.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(LockFileError) as raised:
        read_lock(path)
    assert words in str(raised.value)
    assert str(path) in str(raised.value)
    assert "version control" in str(raised.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "papershelf.lock.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LockFileError):
        read_lock(path)


def test_tags_of_the_first_version_are_chosen_anew_and_addresses_stay(tmp_path: Path) -> None:
    path = tmp_path / "papershelf.lock.json"
    old = {"label": "tea", "slug": "tea", "weight": 5, "terms": ["tea"]}
    path.write_text(entries(version=1, addresses={"a": ["b", "2030-01-01"]}, tags=[old]), encoding="utf-8")
    assert read_lock(path) == Lock({"a": Address("b", "2030-01-01")})


def test_a_lock_of_an_older_version_has_no_site_id_yet(tmp_path: Path) -> None:
    path = tmp_path / "papershelf.lock.json"
    path.write_text(entries(), encoding="utf-8")
    assert read_lock(path).site == ""


@pytest.mark.parametrize("site", [7, "0123", "0123456789AB", "../../../etc"])
def test_a_damaged_site_id_is_told(tmp_path: Path, site: object) -> None:
    path = tmp_path / "papershelf.lock.json"
    path.write_text(entries(site=site), encoding="utf-8")
    with pytest.raises(LockFileError, match="expected 12 hex digits for 'site'"):
        read_lock(path)


def test_a_site_keeps_its_id_when_it_grows_or_gets_another_name(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shelf")
    assert project.build() == 0
    path = project.folder / "papershelf.lock.json"
    site = read_lock(path).site
    assert len(site) == 12
    more = "One more abstract about kettles that nobody has read so far, for good reasons."
    project.source.write_text(as_text([*ABSTRACTS, more]), encoding="utf-8")
    config = project.folder / "mkdocs.yml"
    config.write_text(
        config.read_text(encoding="utf-8").replace("site_name:", "site_name: Renamed # "), encoding="utf-8"
    )
    assert project.build() == 0
    assert read_lock(path).site == site
    script = (project.site / "assets" / "papershelf" / "shelf.js").read_text(encoding="utf-8")
    assert f'{{"id": "{site}", "name": "Renamed", "papers": 13, ' in script


def test_two_sites_have_two_ids(tmp_path: Path) -> None:
    sites = set()
    for name, abstracts in (("one", ABSTRACTS), ("other", ABSTRACTS[1:])):
        (tmp_path / name).mkdir()
        project = make_project(tmp_path / name / "shelf", abstracts)
        assert project.build() == 0
        sites.add(read_lock(project.folder / "papershelf.lock.json").site)
    assert len(sites) == 2
