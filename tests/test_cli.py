"""The command line: exit codes, messages, and what each option does."""

import gzip
import json
import os
import subprocess
from pathlib import Path

import pytest

from generator.cli import main
from tests.projects import (
    ABSTRACTS,
    HOSTILE,
    Project,
    as_lines,
    as_text,
    command,
    different,
    files,
    make_project,
    records,
    run,
    run_process,
    set_option,
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return make_project(tmp_path / "shelf")


@pytest.fixture
def three(tmp_path: Path) -> Project:
    """A project with few abstracts, where only the way there matters."""
    return make_project(tmp_path / "shelf", ABSTRACTS[:3])


Captured = pytest.CaptureFixture[str]


# -- exit codes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("bild",),
        ("build", "--no-such-option"),
        ("build", "--jobs", "0"),
        ("build", "--jobs", "-1"),
        ("build", "--jobs", "x"),
        ("build", "--jobs", "1.5"),
        ("build", "--config"),
        ("check", "papers.txt"),
        ("pack", "--jobs", "1"),
        ("new",),
        ("new", "a", "b"),
        ("serve", "--port", "x"),
    ],
)
def test_wrong_usage_ends_with_2(three: Project, capsys: Captured, arguments: tuple[str, ...]) -> None:
    assert three.run(*arguments) == 2
    assert "usage: papershelf" in capsys.readouterr().err
    assert not three.site.exists()


@pytest.mark.parametrize("arguments", [("--help",), ("build", "--help"), ("--version",)])
def test_help_ends_with_0(three: Project, capsys: Captured, arguments: tuple[str, ...]) -> None:
    assert three.run(*arguments) == 0
    assert "papershelf" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("build",), "nothing to read"),
        (("build", "missing.txt"), "missing.txt"),
        (("build", "empty.txt"), "no abstract"),
        (("build", "blank.txt"), "no abstract"),
        (("build", "empty-folder"), "nothing to read"),
        (("build", "broken.jsonl"), "no abstract"),
        (("build", "cut.txt.gz"), "nothing to read"),
        (("build", "papers.txt", "--config", "none.yml"), "none.yml"),
        (("build", "papers.txt", "--config", "docs_src"), "docs_src"),
        (("build", "papers.txt", "--config", "papers.txt"), "papers.txt"),
        (("build", "papers.txt", "--sample"), "--sample"),
        (("build", "papers.txt", "--site-dir", "docs_src"), "not replaced"),
        (("build", "papers.txt", "--site-dir", "."), "not replaced"),
        (("build", "papers.txt", "--site-dir", "papers.txt"), "not replaced"),
        (("build", "papers.txt", "--site-dir", ".papershelf"), "not replaced"),
        (("build", "papers.txt", "--site-dir", "docs_src/site"), "site_dir"),
        (("check",), "papershelf build"),
        (("check", "--site-dir", "nowhere"), "papershelf build"),
        (("check", "--config", "none.yml"), "none.yml"),
        (("pack",), "papershelf build"),
        (("pack", "--config", "none.yml"), "none.yml"),
        (("new", "."), "mkdocs.yml"),
        (("serve", "missing.txt", "--port", "0"), "missing.txt"),
        (("serve", "-", "--port", "0"), "standard input"),
        (("serve", "papers.txt", "--port", "99999"), "port 99999"),
    ],
)
def test_what_cannot_be_done_ends_with_2_and_a_message(
    three: Project, capsys: Captured, arguments: tuple[str, ...], words: str
) -> None:
    (three.folder / "empty.txt").touch()
    (three.folder / "blank.txt").write_text("\n \n\t\n")
    (three.folder / "empty-folder").mkdir()
    (three.folder / "broken.jsonl").write_text('{"abstract": \n')
    (three.folder / "cut.txt.gz").write_bytes(gzip.compress(b"words " * 1000)[:20])
    before = files(three.docs).keys()
    assert three.run(*arguments) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert not three.site.exists()
    assert before <= files(three.docs).keys()


def test_a_wrong_option_in_mkdocs_yml_ends_with_2(three: Project, capsys: Captured) -> None:
    set_option(three, "search", "maybe")
    set_option(three, "entries_per_page", "1000")
    for arguments in (("build", "papers.txt"), ("check",)):
        assert three.run(*arguments) == 2
        assert capsys.readouterr().err.count("expected") == 2


@pytest.mark.parametrize("epoch", ["tomorrow", "1e9", "-1e300", "9" * 30])
def test_a_wrong_build_date_ends_with_2(
    three: Project, capsys: Captured, monkeypatch: pytest.MonkeyPatch, epoch: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert three.build() == 2
    assert "SOURCE_DATE_EPOCH" in capsys.readouterr().err


def test_a_damaged_lock_ends_with_2(three: Project, capsys: Captured) -> None:
    (three.folder / "papershelf.lock.json").write_text("<<<<<<<", encoding="utf-8")
    assert three.build() == 2
    assert "papershelf.lock.json" in capsys.readouterr().err


def test_a_hand_written_page_in_the_way_ends_with_2(three: Project, capsys: Captured) -> None:
    (three.docs / "search.md").write_text("# My search\n", encoding="utf-8")
    assert three.build() == 2
    assert "search.md (yours)" in capsys.readouterr().err


def test_a_faulty_template_ends_with_2(three: Project, capsys: Captured) -> None:
    for place, text in (("pages/home.md.j2", "{{ nothing }}"), ("theme/main.html", "{% if %}")):
        path = three.folder / "site_templates" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        assert three.build() == 2
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert captured.out == ""
        path.unlink()
    assert three.build() == 0


def test_what_the_system_refuses_ends_with_2(three: Project, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", fail)
    assert three.build() == 2
    assert "No space left on device" in capsys.readouterr().err


def test_ctrl_c_ends_with_130(three: Project, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("generator.pipeline.render_site", interrupt)
    assert three.build() == 130
    assert "interrupted" in capsys.readouterr().err
    assert not (three.folder / ".site.papershelf-new").exists()


def test_an_unknown_file_among_readable_ones_is_a_problem(three: Project, capsys: Captured) -> None:
    assert three.build("missing.txt", "--report", "r.json") == 0
    assert "missing.txt" in capsys.readouterr().err
    assert len(records(three)) == 3
    assert three.build("missing.txt", "--strict") == 1
    assert three.build("--strict") == 0


def test_check_ends_with_1_and_lists_the_faults(three: Project, capsys: Captured) -> None:
    assert three.build("--search") == 0
    capsys.readouterr()
    assert three.run("check") == 0
    assert "no faults" in capsys.readouterr().err
    links = "".join(f'<a href="no{n}.html">x</a>' for n in range(60))
    (three.site / "more.html").write_text(links, encoding="utf-8")
    assert three.run("check") == 1
    captured = capsys.readouterr()
    assert captured.out.splitlines()[0] == "more.html: a link leads nowhere: 'no0.html'"
    assert captured.out.splitlines()[-1] == "… and 10 more"
    assert "60 faults" in captured.err


def test_sources_may_stand_before_and_behind_options(three: Project) -> None:
    for name, abstract in (("a.txt", ABSTRACTS[5]), ("b.txt", ABSTRACTS[6])):
        (three.folder / name).write_text(abstract, encoding="utf-8")
    assert three.run("build", "papers.txt", "--no-search", "a.txt", "--jobs", "1", "b.txt") == 0
    assert len(records(three)) == 5
    assert three.run("build", "papers.txt", "--no-search", "a.txt", "--jbs") == 2


# -- options of build ------------------------------------------------------------------------------------------------


def test_a_build_prints_where_the_site_is(three: Project, capsys: Captured) -> None:
    assert three.build() == 0
    captured = capsys.readouterr()
    assert captured.out == f"{three.site / 'index.html'}\n"
    assert "3 abstracts" in captured.err


def test_the_report(project: Project) -> None:
    more = [
        {"id": "n1", "title": "A title", "abstract": ABSTRACTS[0]},
        {"id": "n2", "title": "No abstract"},
        {"id": "n3", "abstract": f"A formula $\\frac{{1$ and \ud83d\ude00 words about clay pots. {HOSTILE[0]}"},
    ]
    (project.folder / "more.jsonl").write_text(as_lines(more[:2]) + "{\n", encoding="utf-8")
    (project.folder / "latin.txt").write_bytes(
        "Größere Brote gehen langsamer auf, sagen Bäcker über Öfen.".encode("cp1252")
    )
    assert project.build("more.jsonl", "latin.txt", "--report", "out/r.json") == 0
    report = json.loads((project.folder / "out" / "r.json").read_text(encoding="utf-8"))
    counts = report["counts"]
    assert {name: counts[name] for name in ("records", "without_abstract", "duplicates", "abstracts")} == {
        "records": 15,
        "without_abstract": 1,
        "duplicates": 1,
        "abstracts": 13,
    }
    assert counts["records"] == counts["abstracts"] + counts["duplicates"] + counts["without_abstract"]
    assert counts["pages_written"] > counts["abstracts"]
    assert counts["pages_unchanged"] == 0
    assert counts["tags"] > 0
    assert counts["problems"] == len(report["problems"])
    stages = {"sources", "markup", "titles", "tags", "relate", "pages", "write", "render", "finish"}
    assert stages | {"total"} <= report["seconds"].keys()
    assert sum(report["seconds"][stage] for stage in stages) <= report["seconds"]["total"] + 0.01
    assert report["peak_rss_mb"] > 20
    for problem in report["problems"]:
        assert {"kind", "file", "record", "fragment", "done", "message"} <= problem.keys()
    bad_line = next(problem for problem in report["problems"] if problem["kind"] == "bad-line")
    assert (bad_line["file"], bad_line["record"]) == ("more.jsonl", 3)
    assert {source["file"]: source["encoding"] for source in report["sources"]}["latin.txt"] == "cp1252"

    assert project.build("more.jsonl", "latin.txt", "--report", "r.json") == 0
    again = json.loads((project.folder / "r.json").read_text(encoding="utf-8"))["counts"]
    assert again["pages_written"] == 0
    assert again["pages_unchanged"] == counts["pages_written"]


def test_what_mkdocs_warns_of_is_a_problem(three: Project) -> None:
    (three.docs / "about.md").write_text("# About\n\n[gone](gone.md)\n", encoding="utf-8")
    assert three.build("--strict", "--report", "r.json") == 1
    (problem,) = json.loads((three.folder / "r.json").read_text(encoding="utf-8"))["problems"]
    assert problem["kind"] == "mkdocs"
    assert "gone.md" in problem["message"]


def test_without_a_search_index(three: Project) -> None:
    assert three.build() == 0
    assert not (three.site / "papershelf" / "search").exists()
    assert three.run("check", "--no-search") == 0
    assert three.run("check") == 1
    set_option(three, "search", "false")
    assert three.build("--search") == 0
    assert not (three.site / "papershelf" / "search").exists()
    assert three.run("check") == 0


def test_another_folder_for_the_site(three: Project, tmp_path: Path) -> None:
    assert three.build("--site-dir", "../elsewhere/public") == 0
    elsewhere = tmp_path / "elsewhere" / "public"
    assert (elsewhere / "index.html").is_file()
    assert os.listdir(elsewhere.parent) == ["public"]
    assert not three.site.exists()
    assert three.run("check", "--no-search", "--site-dir", elsewhere) == 0
    assert run("check", "--no-search", "--site-dir", "public", folder=elsewhere.parent) == 0
    assert run("pack", "--site-dir", "public", folder=elsewhere.parent) == 0
    assert (elsewhere.parent / "public.zip").is_file()


def test_a_site_behind_a_link_is_replaced_there(three: Project, tmp_path: Path) -> None:
    (tmp_path / "www").mkdir()
    three.site.symlink_to(tmp_path / "www")
    for _ in range(2):
        assert three.build() == 0
        assert three.site.is_symlink()
        assert (tmp_path / "www" / "index.html").is_file()
    assert sorted(os.listdir(tmp_path)) == ["shelf", "www"]


def test_another_project_is_built_from_anywhere(three: Project, tmp_path: Path) -> None:
    set_option(three, "sources", "[papers.txt]")
    config = ("--config", "shelf/mkdocs.yml")
    assert run("build", *config, folder=tmp_path) == 0
    assert records(three)[0]["source"] == {"file": "papers.txt", "record": 1}
    assert run("check", *config, folder=tmp_path) == 0
    assert run("pack", *config, folder=tmp_path) == 0
    assert sorted(os.listdir(tmp_path)) == ["shelf", "shelf.zip"]


def test_sources_of_the_command_line_come_before_those_of_mkdocs_yml(three: Project) -> None:
    set_option(three, "sources", "[none.txt]")
    assert three.build() == 0
    assert three.run("build", "--no-search") == 2


def test_standard_input_is_a_source(three: Project) -> None:
    ended = run_process("build", "-", "--no-search", folder=three.folder, stdin=as_text(ABSTRACTS[:4]).encode())
    assert ended.code == 0, ended.err
    assert [record["collection"] for record in records(three)] == ["Village 2030"] * 4
    ended = run_process("build", "-", "--no-search", folder=three.folder)
    assert ended.code == 2
    assert len(records(three)) == 4


def test_compressed_sources_give_the_same_data(three: Project) -> None:
    assert three.build() == 0
    plain = [{**record, "source": None, "sources": None} for record in records(three)]
    (three.folder / "papers.txt.gz").write_bytes(gzip.compress(three.source.read_bytes()))
    assert three.run("build", "papers.txt.gz", "--no-search") == 0
    assert [{**record, "source": None, "sources": None} for record in records(three)] == plain


def test_the_bundled_sample(three: Project) -> None:
    assert three.run("build", "--sample", "--strict") == 0
    assert len(records(three)) >= 12
    assert three.run("check") == 0


def test_a_build_over_a_foreign_folder_touches_nothing(three: Project) -> None:
    three.site.mkdir()
    (three.site / "thesis.tex").write_text("mine", encoding="utf-8")
    before = files(three.folder)
    assert three.build() == 2
    after = {name: text for name, text in files(three.folder).items() if not name.endswith("build.lock")}
    assert different(after, before) == []


def test_addresses_and_days_stay(three: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert three.build() == 0
    first = records(three)
    assert {record["added"] for record in first} == {"2030-12-31"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "2000000000")
    titled = [{"abstract": ABSTRACTS[0], "title": "Another title"}, {"abstract": ABSTRACTS[5]}]
    (three.folder / "more.jsonl").write_text(as_lines(titled), encoding="utf-8")
    assert three.run("build", "more.jsonl", "papers.txt", "--no-search") == 0
    second = {record["id"]: record for record in records(three)}
    assert len(second) == 4
    for record in first:
        assert second[str(record["id"])]["page"] == record["page"]
        assert second[str(record["id"])]["added"] == "2030-12-31"
    assert second[str(first[0]["id"])]["title"] == "Another title"
    assert [record["added"] for record in second.values()].count("2033-05-18") == 1
    # What is gone gives its address to nobody, and gets it back.
    assert three.run("build", "more.jsonl", "--no-search") == 0
    assert three.build() == 0
    assert [record["page"] for record in records(three)] == [record["page"] for record in first]


def test_the_data_file_has_what_was_promised(project: Project) -> None:
    record = {
        "id": "n1",
        "title": "Clay & \\emph{water}",
        "abstract": ABSTRACTS[6],
        "authors": ["Ömer Kruste"],
        "year": 2030,
        "keywords": ["choir"],
        "url": "https://example.org/p",
        "venue": "Village hall",
    }
    (project.folder / "more.jsonl").write_text(as_lines([record]), encoding="utf-8")
    assert project.run("build", "more.jsonl", "papers.txt", "--no-search") == 0
    found = records(project)
    assert len(found) == 12
    first = found[0]
    assert list(first)[:6] == ["id", "source_id", "url", "page", "title", "title_derived"]
    assert (first["source_id"], first["title"], first["title_derived"]) == ("n1", "Clay & water", False)
    assert (first["authors"], first["year"], first["extra"]) == (["Ömer Kruste"], 2030, {"venue": "Village hall"})
    assert first["sources"] == [{"file": "more.jsonl", "record": 1}, {"file": "papers.txt", "record": 7}]
    assert first["source"] == {"file": "more.jsonl", "record": 1}
    assert first["links"] == ["https://example.org/choir?a=1&b=2"]
    ids = {one["id"] for one in found}
    for one in found:
        assert (project.site / str(one["page"])).is_file()
        related = one["related"]
        assert isinstance(related, list)
        assert {other["id"] for other in related} <= ids - {one["id"]}
        assert all(0 < other["score"] <= 1 and other["terms"] for other in related)


def test_messages_do_not_mix_with_output(three: Project, capsys: Captured) -> None:
    assert three.build("--search") == 0
    capsys.readouterr()
    assert three.run("pack", "--output", "x/../a.zip") == 2
    assert three.run("pack", "--output", "a.zip") == 0
    captured = capsys.readouterr()
    assert captured.out == "a.zip\n"
    assert "open index.html" in captured.err


def test_a_closed_pipe_is_no_error(three: Project) -> None:
    ended = run_process("build", "papers.txt", "--no-search", folder=three.folder)
    assert ended.code == 0
    (three.site / "more.html").write_text("".join(f'<a href="no{n}.html">x</a>' for n in range(60)), encoding="utf-8")
    line = " ".join(command("check", "--no-search"))
    piped = subprocess.run(
        ["sh", "-c", f"{line} | true"], cwd=three.folder, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in piped.stderr
    assert "BrokenPipe" not in piped.stderr


def test_main_returns_its_code(three: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(three.folder)
    assert main(["build", "papers.txt", "--no-search"]) == 0
