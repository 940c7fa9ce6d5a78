"""titles.yml: how it is read, which abstract an entry means, and what a build makes of it."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator import strict_yaml
from generator.markup.macros import Macro
from generator.markup.papers import parse_papers
from generator.markup.tree import Formula, Link, Styled, Words
from generator.merge import merge_records, paper_id
from generator.model import Record, SourceRef, TitledPaper
from generator.problems import PapershelfError, Problem
from generator.strict_yaml import UserFileError
from generator.titles import add_titles
from generator.titles.own import OwnTitle, read_own_titles, use_own_titles
from tests.projects import ABSTRACTS, Project, as_lines, make_project, records
from tests.user_files import assert_faults

Captured = pytest.CaptureFixture[str]


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def either_loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test pass with PyYAML's reader in C and with the one in Python."""
    if not hasattr(yaml, request.param):
        pytest.skip(f"PyYAML has no {request.param} here")
    monkeypatch.setattr(strict_yaml, "_LOADER", getattr(yaml, request.param))


def read(path: Path, text: str | bytes) -> tuple[OwnTitle, ...]:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_own_titles(path, {}).entries


def as_dict(entries: tuple[OwnTitle, ...]) -> dict[str, str]:
    return {entry.key: entry.title.plain for entry in entries}


# -- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("", {}),
        ("# nothing yet\n", {}),
        ("---\n", {}),
        ("a: b\n", {"a": "b"}),
        ("a: b\nc: d", {"a": "b", "c": "d"}),
        ("\ufeffa: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
        ("012345678901: 012\n", {"012345678901": "012"}),
        ("0x12: 0o7\n", {"0x12": "0o7"}),
        ("1e5: 1_000\n", {"1e5": "1_000"}),
        ("2030-01-01: 12:30:45\n", {"2030-01-01": "12:30:45"}),
        ("yes: no\nnull: on\n", {"yes": "no", "null": "on"}),
        ("We watch  owls : b\n", {"We watch owls": "b"}),
        ("a: >\n  A long\n  title\n", {"a": "A long title"}),
        ("a: |\n  A long\n  title\n", {"a": "A long title"}),
        ('"a: b": "Owls: a study"\n', {"a: b": "Owls: a study"}),
        ("? a\n: b\n", {"a": "b"}),
        ("{a: b, c: d}", {"a": "b", "c": "d"}),
        ("猫は: 猫\n", {"猫は": "猫"}),
        (f"a: {'b' * 300}\n", {"a": "b" * 300}),
    ],
)
def test_entries_are_read_as_text(tmp_path: Path, text: str, titles: dict[str, str]) -> None:
    assert as_dict(read(tmp_path / "titles.yml", text)) == titles


def test_no_file_is_no_titles(tmp_path: Path) -> None:
    assert read_own_titles(tmp_path / "titles.yml", {}).entries == ()


def test_entries_keep_their_lines(tmp_path: Path) -> None:
    entries = read(tmp_path / "titles.yml", "# first\n\na: >\n  b\n  c\nd: e\n")
    assert [(entry.key, entry.line) for entry in entries] == [("a", 3), ("d", 6)]


def test_titles_hold_markup_and_macros_but_no_links(tmp_path: Path) -> None:
    path = tmp_path / "titles.yml"
    path.write_text(r"a: '$k$-means over $\R$, \emph{slowly}, [here](https://example.org)'", encoding="utf-8")
    (entry,) = read_own_titles(path, {"R": Macro(r"\mathbb{R}")}).entries
    assert entry.title.plain == "k-means over R, slowly, here"
    assert Formula(r"\mathbb{R}", False, "R") in entry.title.nodes
    assert Styled("emphasis", (Words("slowly"),)) in entry.title.nodes
    assert not any(isinstance(node, Link) for node in entry.title.nodes)


def test_what_is_wrong_in_a_titles_markup_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "titles.yml"
    path.write_text("a: b\nc: '$\\frac{1$ owls'\n", encoding="utf-8")
    own = read_own_titles(path, {})
    assert len(own.entries) == 2
    assert [(problem.file, problem.record, problem.message[:8]) for problem in own.problems] == [
        ("titles.yml", None, "line 2: ")
    ]


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize(
    ("text", "faults"),
    [
        # No YAML
        ("a: b: c\n", ["line 1: expected YAML (mapping values"]),
        ("a: b\nc: 'd\n", ["line 3: expected YAML (found unexpected end of stream while scanning a quoted scalar from line 2); a"]),
        ("a: `b`\n", ["line 1: expected YAML"]),
        ("*Yeast* Diary: b\n", ["line 1: expected YAML"]),
        ("a: b\nc", ["expected YAML"]),
        ("a: b\n---\nc: d\n", ["line 2: expected one document, found another one"]),
        # No mapping
        ("- a\n", ["line 1: expected names with values (name: value), found a list"]),
        ("\nowls\n", ["line 2: expected names with values (name: value), found 'owls'"]),
        # No title
        ("a:\n", ["line 1: expected a title for 'a', found nothing"]),
        ("a: ''\n", ["line 1: expected a title for 'a', found nothing"]),
        ("a: ' '\n", ["line 1: expected a title for 'a', found ' '"]),
        ("a: ~\n", ["line 1: expected a title for 'a', found '~'"]),
        ("a: '{}'\n", ["line 1: expected a title for 'a', found '{}'"]),
        ("a: [b]\n", ["line 1: expected a title for 'a', found a list"]),
        ("a: {b: c}\n", ["line 1: expected a title for 'a', found a mapping"]),
        (f"a: {'b' * 301}\n", ["line 1: expected a title of at most 300 characters for 'a', found 301"]),
        (f"a: '{'*' * 1_000_000}'\n", ["at most 300 characters for 'a', found 1,000,000"]),
        # No key
        ("'': b\n", ["line 1: expected an id or the first words of an abstract before the colon, found nothing"]),
        ("'?!': b\n", ["line 1: expected an id or the first words of an abstract before the colon, found '?!'"]),
        ("[a]: b\n", ["line 1: expected a text before the colon, found a list"]),
        ("a: b\nc: d\na: b\n", ["line 3: expected each name once, found 'a' again (line 1)"]),
        # Not what hands write
        ("a: &x b\nc: *x\n", ["line 1: expected a text, found an anchor (&x)", "line 2: expected a text, found an alias"]),
        ("a: !!str b\n", ["line 1: expected a text, found a type"]),
        ("a: !!python/name:os.system b\n", ["line 1: expected a text, found a type"]),
        ("a: [[[[b]]]]\n", ["line 1: expected at most 3 levels"]),
        # Characters
        ("a: b\nc: \x07\ne: \x00\n", ["line 2: expected text, found a control char", "line 3: expected text, found a control char"]),
        ('a: "\\0"\n', ["line 1: expected text, found a control character"]),
        (b"a: b\r\nc: \xfcber\r\n", ["line 2: expected text in UTF-8, found the byte 0xfc; save the file as UTF-8"]),
        ("a: b".encode("utf-16"), ["line 1: expected text in UTF-8, found the byte 0xff"]),
        # All together
        (
            "a:\nb: [c]\n'!': d\na: e\nf: *g\n",
            [
                "line 1: expected a title for 'a', found nothing",
                "line 2: expected a title for 'b', found a list",
                "line 3: expected an id",
                "line 4: expected each name once",
                "line 5: expected a text, found an alias (*g)",
            ],
        ),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_lines(tmp_path: Path, text: str | bytes, faults: list[str]) -> None:
    assert_faults(lambda path: read_own_titles(path, {}), tmp_path / "titles.yml", text, faults)


def test_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserFileError, match="expected a file that can be read"):
        read_own_titles(tmp_path, {})


def test_a_file_of_any_length_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_yaml, "MOST_BYTES", 2**20)
    with pytest.raises(UserFileError, match="expected at most 1 MB, found more"):
        read(tmp_path / "titles.yml", "# " + "x" * 2**20)


@pytest.mark.usefixtures("either_loader")
@pytest.mark.parametrize("start", ["[", "{", "- ", "? ", "a: {", "a: [", "'", "&a ", "\n", "%"])
def test_a_megabyte_of_anything_is_read_soon(tmp_path: Path, start: str) -> None:
    with pytest.raises(UserFileError):
        read(tmp_path / "titles.yml", start * (2**20 // len(start)) + "\nx")


YAML_LIKE = st.text(st.one_of(st.sampled_from("ab:: -?[]{},&*!|>%@`'\"#~\n\n\\\t0x.<"), st.characters(codec="utf-8")))


@pytest.mark.parametrize("loader", ["CSafeLoader", "SafeLoader"])
@given(data=st.one_of(YAML_LIKE.map(str.encode), st.binary(max_size=40)))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, loader: str, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-titles.yml"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict_yaml, "_LOADER", getattr(yaml, loader, yaml.SafeLoader))
        try:
            entries = read(path, data)
        except PapershelfError:
            return
    assert all(entry.key and 0 < len(entry.title.plain.strip()) <= 300 and entry.line > 0 for entry in entries)


# -- which abstract is meant -----------------------------------------------------------------------------------------


def titled(*sources: Record) -> list[TitledPaper]:
    return add_titles([paper for paper, _ in parse_papers(merge_records(sources).papers)])


def record(abstract: str, number: int = 1, source_id: str | None = None, title: str | None = None) -> Record:
    return Record(SourceRef("list.txt", number), "List", abstract, title, source_id)


OWLS = r"We watch \textbf{Strix} owls at night, and count $n \ge 3$ of them. They count us."
MICE = "We watch mice at noon. They see nothing of it."
CATS = "猫は模型の列車を止める。我々は猫の行動を記録し、線路の設計を改める。"


def shelf() -> list[TitledPaper]:
    return titled(record(OWLS, 1, "n1"), record(MICE, 2, "n 2", "Mice"), record(CATS, 3, "0017"))


def used(text: str, path: Path, papers: list[TitledPaper]) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the titles of the papers that were given one, and kind and start of the problems."""
    found, problems = use_own_titles(papers, read(path, text))
    assert [paper.parsed for paper in found] == [paper.parsed for paper in papers]
    for before, after in zip(papers, found, strict=True):
        assert after == before or not after.title_derived
    given = [after.title.plain if after != before else "" for before, after in zip(papers, found, strict=True)]
    return given, [(problem.kind, problem.message.split(":")[0]) for problem in problems]


@pytest.mark.parametrize(
    ("key", "number"),
    [
        (paper_id(OWLS), 0),
        (paper_id(OWLS).upper(), 0),
        ("n1", 0),
        ("n 2", 1),
        ("0017", 2),
        ("We watch Strix owls", 0),
        ("we watch **strix** OWLS!", 0),
        ("We watch Strix owls at night, and count n≥3", 0),
        (r"We watch \textbf{Strix} owls at night, and count $n \ge 3$", 0),
        ("We watch mice at", 1),
        ("We watch mice at noon. They see nothing of it.", 1),
        ("Wewatchmiceatnoontheyseen", 1),
        ("ｗｅ　ｗａｔｃｈ　ｍｉｃｅ　ａｔ", 1),
        ("猫は模型の列車を止める 我々は猫の行動を記録し", 2),
    ],
)
def test_an_entry_means_one_abstract(tmp_path: Path, key: str, number: int) -> None:
    text = json.dumps({key: "A title of mine"}, ensure_ascii=False)
    expected = ["A title of mine" if paper == number else "" for paper in range(3)]
    assert used(text, tmp_path / "titles.yml", shelf()) == (expected, [])


@pytest.mark.parametrize(
    ("text", "given", "problems"),
    [
        ("ffffffffffff: A\n", [], [("own-title-unmatched", "line 1")]),
        ("n3: A\n", [], [("own-title-unmatched", "line 1")]),
        ("N1: A\n", [], [("own-title-unmatched", "line 1")]),
        ("We watch Strix: A\n", [], [("own-title-unmatched", "line 1")]),
        ("watch Strix owls at night: A\n", [], [("own-title-unmatched", "line 1")]),
        ("We watch no birds at all: A\n", [], [("own-title-unmatched", "line 1")]),
        ("n1: A\nWe watch Strix owls: B\n", ["A", "", ""], [("own-title-again", "line 2")]),
        ("We watch Strix owls: A\nn1: B\nn 2: C\n", ["A", "C", ""], [("own-title-again", "line 2")]),
        ("We watch mice at: A\nwe watch MICE at: B\n", ["", "A", ""], [("own-title-again", "line 2")]),
        ("x1: A\nn1: B\nx2: C\n", ["B", "", ""], [("own-title-unmatched", "line 1"), ("own-title-unmatched", "line 3")]),
    ],
)  # fmt: skip
def test_what_fits_no_abstract_is_a_problem(
    tmp_path: Path, text: str, given: list[str], problems: list[tuple[str, str]]
) -> None:
    assert used(text, tmp_path / "titles.yml", shelf()) == (given or ["", "", ""], problems)


def test_what_fits_several_abstracts_is_a_problem(tmp_path: Path) -> None:
    papers = titled(
        record("We watch owls at night.", 1, "7"),
        record("We watch owls at nine o'clock.", 2, "7"),
        record("We watch owls at nine, and sleep.", 3),
    )
    text = "7: A\nWe watch owls at: B\nWe watch owls at nine: C\nWe watch owls at night: D\n"
    assert used(text, tmp_path / "titles.yml", papers) == (
        ["D", "", ""],
        [("own-title-ambiguous", f"line {line}") for line in (1, 2, 3)],
    )


def test_an_id_comes_before_a_sources_id(tmp_path: Path) -> None:
    papers = titled(record(OWLS, 1), record(MICE, 2, paper_id(OWLS)))
    assert used(f"'{paper_id(OWLS)}': A", tmp_path / "titles.yml", papers) == (["A", ""], [])


def test_many_entries_and_many_abstracts_alike_take_no_square_of_time(tmp_path: Path) -> None:
    papers = titled(*(record(f"We watch the same owls again, night {number}.", number) for number in range(2_000)))
    text = "".join(f"We watch the same owls {'a' * (number % 2)} {'!' * number}: A\n" for number in range(900))
    given, problems = used(text, tmp_path / "titles.yml", papers)
    assert not any(given)
    assert len(problems) == 900


def test_a_problem_quotes_the_entry(tmp_path: Path) -> None:
    _, problems = use_own_titles(shelf(), read(tmp_path / "titles.yml", "\nOwls: A\n"))
    assert problems == (
        Problem(
            kind="own-title-unmatched",
            message="line 2: expected the id or the first words of an abstract, found none that fits; "
            "words must be 4 or more, or have 20 letters",
            done="the title was not used",
            file="titles.yml",
            fragment="Owls",
        ),
    )


# -- builds ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project of three abstracts, the last of which has a title and an id of its source's."""
    project = make_project(tmp_path / "shelf", ABSTRACTS[:2])
    more = [{"id": "n7", "title": "How moths find light", "abstract": ABSTRACTS[3]}]
    (project.folder / "more.jsonl").write_text(as_lines(more), encoding="utf-8")
    return project


def build(project: Project, titles: str, *options: str) -> int:
    (project.folder / "titles.yml").write_text(titles, encoding="utf-8")
    return project.build("more.jsonl", *options)


def test_a_build_takes_the_users_titles_and_keeps_addresses(project: Project) -> None:
    assert project.build("more.jsonl") == 0
    before = {str(one["id"]): one for one in records(project)}
    ids = [paper_id(ABSTRACTS[number]) for number in (0, 1, 3)]
    assert [before[id_]["title_derived"] for id_ in ids] == [True, True, False]

    titles = f"{ids[0]}: $k$ loaves\nWild yeast is moody: A diary of *yeast*\nn7: 'Moths: a <script>alert(1)</script> guide'\n"
    assert build(project, titles, "--strict") == 0
    after = {str(one["id"]): one for one in records(project)}
    shown = [after[id_]["title"] for id_ in ids]
    assert shown == ["k loaves", "A diary of yeast", "Moths: a <script>alert(1)</script> guide"]
    assert not any(one["title_derived"] for one in after.values())
    assert {id_: one["page"] for id_, one in after.items()} == {id_: one["page"] for id_, one in before.items()}
    page = (project.site / str(after[ids[0]]["page"])).read_text(encoding="utf-8")
    assert "Title derived" not in page
    assert "<math" in page.partition("<h1")[2].partition("</h1>")[0]
    assert "derived from the abstract]" not in page
    assert "<script>alert(1)" not in (project.site / str(after[ids[2]]["page"])).read_text(encoding="utf-8")
    assert project.run("check", "--no-search") == 0

    (project.folder / "titles.yml").unlink()
    assert project.build("more.jsonl") == 0
    assert {str(one["id"]): one["title"] for one in records(project)} == {
        id_: one["title"] for id_, one in before.items()
    }


def test_a_faulty_file_stops_the_build_with_all_faults(project: Project, capsys: Captured) -> None:
    assert build(project, "a:\nb: [c]\n'!': d\n") == 2
    err = capsys.readouterr().err
    assert "titles.yml:" in err
    assert [f"line {line}: expected" in err for line in (1, 2, 3)] == [True, True, True]
    assert not project.site.exists()


def test_an_entry_without_abstract_is_reported(project: Project, capsys: Captured) -> None:
    titles = "n7: Moths\nno such abstract begins so: A\nn7 : B\n"
    assert build(project, "n7: Moths\nno such abstract begins so: A\n", "--report", "report.json") == 0
    report = json.loads((project.folder / "report.json").read_text(encoding="utf-8"))
    assert [(problem["kind"], problem["file"]) for problem in report["problems"]] == [
        ("own-title-unmatched", "titles.yml")
    ]
    assert "no such abstract begins so" in capsys.readouterr().err
    assert build(project, "no such abstract begins so: A\n", "--strict") == 1
    assert build(project, titles) == 2


def test_it_is_no_source(project: Project) -> None:
    (project.folder / "titles.yml").write_text("n7: Moths and lamps\n", encoding="utf-8")
    assert project.run("build", ".", "--no-search", "--strict") == 0
    assert {str(one["title"]) for one in records(project)} >= {"Moths and lamps"}
    assert len(records(project)) == 3
