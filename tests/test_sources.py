import gzip
import io
import json
import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.model import Record
from generator.problems import PapershelfError
from generator.sources import READERS, NothingToReadError, SourcesRead, read_sources

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
TEXT = "ICML 2025 Papers\n\nWe read one.\n\nWe read two.\n"
LINES = '{"abstract": "We read three."}\n{"title": "Nothing"}\n{"abstract": "We read four."}\n'


def gzipped(data: bytes) -> bytes:
    """Return the same bytes at any time, since they name tests, which must be the same in all processes."""
    return gzip.compress(data, mtime=0)


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def kinds(read: SourcesRead) -> list[tuple[str, str | None]]:
    return [(problem.kind, problem.file) for problem in read.problems]


def test_files_and_folders_are_read_in_order(base: Path) -> None:
    for name, content in {
        "b.jsonl": LINES,
        "a/2.txt": TEXT.replace("Papers", "论文列表"),
        "a/10.txt": TEXT.replace("ICML", "icml"),
        "a/.hidden.txt": TEXT,
        "a/.git/x.txt": TEXT,
        "a/sub/x.jsonl": LINES,
        "a/sub/table.csv": "title,abstract\n",
        "a/sub/LICENSE": "Free.",
    }.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    steps: list[int] = []

    read = read_sources(["b.jsonl", "a", str(base / "a" / "2.txt")], base_dir=base, advance=steps.append)

    assert [(file.file, file.format, file.encoding, file.records, file.collection) for file in read.files] == [
        ("b.jsonl", "jsonl", "utf-8", 3, "b"),
        ("a/10.txt", "text", "utf-8", 2, "icml 2025"),
        ("a/2.txt", "text", "utf-8", 2, "icml 2025"),
        ("a/sub/x.jsonl", "jsonl", "utf-8", 3, "x"),
    ]
    assert {record.collection for record in read.records} == {"b", "icml 2025", "x"}
    assert [record.source.record for record in read.records if record.source.file == "b.jsonl"] == [1, 3]
    assert (len(read.records), read.read, read.without_abstract, sum(steps)) == (8, 10, 2, 10)
    assert kinds(read) == [
        ("no-abstract", "b.jsonl"),
        ("skipped", "a/sub/LICENSE"),
        ("skipped", "a/sub/table.csv"),
        ("no-abstract", "a/sub/x.jsonl"),
    ]


def test_no_name_is_absolute_and_none_stands_twice(base: Path, tmp_path: Path) -> None:
    for name in ("project/x.txt", "one/x.txt", "two/deep/x.txt", "three/deep/x.txt", "three/y.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(TEXT)

    read = read_sources(["x.txt", *(str(tmp_path / name) for name in ("one", "two", "three"))], base_dir=base)

    assert [file.file for file in read.files] == ["x.txt", "one/x.txt", "two/deep/x.txt", "three/deep/x.txt", "y.txt"]
    assert str(tmp_path) not in repr(read)


def test_a_folder_whose_files_were_named_is_not_empty(base: Path) -> None:
    Path("a").mkdir()
    Path("a/x.txt").write_text(TEXT)

    assert read_sources(["a/x.txt", "a", "a"], base_dir=base).problems == ()


def test_problems_lead_to_files_elsewhere(base: Path, tmp_path: Path) -> None:
    bad = tmp_path / "elsewhere" / "bad.txt"
    bad.parent.mkdir()
    bad.write_bytes(b"plain text with a stray wo\xffrd")
    Path("good.txt").write_text(TEXT)

    (problem,) = read_sources([str(bad), "good.txt"], base_dir=base).problems

    assert problem.file == "bad.txt"
    assert str(bad) in problem.message
    assert "byte 26" in problem.message


def test_a_link_into_an_archive_is_known_by_its_own_name(base: Path, tmp_path: Path) -> None:
    (tmp_path / "archive.txt").write_text(TEXT)
    (base / "linked.txt").symlink_to(tmp_path / "archive.txt")
    (base / "loop").symlink_to(base)

    read = read_sources([str(base), str(tmp_path / "archive.txt")], base_dir=base)

    assert [file.file for file in read.files] == ["linked.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="names are text there")
def test_a_name_that_is_no_text_is_shown_escaped(base: Path) -> None:
    try:
        Path(os.fsdecode(b"caf\xe9\n.txt")).write_text(TEXT)
    except OSError:
        pytest.skip("the file system has no such names")

    read = read_sources(["."], base_dir=base)

    assert [file.file for file in read.files] == ["caf\\xe9\\n.txt"]
    assert read.files[0].collection == "ICML 2025"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("content", [TEXT, LINES])
def test_standard_input_is_any_format(base: Path, monkeypatch: pytest.MonkeyPatch, packed: bool, content: str) -> None:
    data = content.encode()
    pipe(monkeypatch, gzipped(data) if packed else data)

    read = read_sources(["-", "-"], base_dir=base)

    assert [(file.file, file.records) for file in read.files] == [("-", 2 if content == TEXT else 3)]
    assert read.files[0].collection == ("ICML 2025" if content == TEXT else "Standard input")
    assert not sys.stdin.closed


@pytest.mark.parametrize("name", ["papers.jsonl.gz", "papers.jsonl", "papers"])
def test_gzip_is_recognised_by_its_first_bytes(base: Path, name: str) -> None:
    Path(name).write_bytes(gzipped(LINES.encode()[:40]) + gzipped(LINES.encode()[40:]))

    read = read_sources([name], base_dir=base)

    assert [(file.file, file.format, file.collection) for file in read.files] == [(name, "jsonl", "papers")]
    assert len(read.records) == 2


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (gzipped(LINES.encode() * 100)[:-20], "cut off"),
        (gzipped(LINES.encode())[:-8] + b"\0" * 8, "damaged gzip"),
        (gzipped(LINES.encode())[:20] + b"\xff" * 40, "gzip data"),
        (gzipped(gzipped(LINES.encode())), "gzip data"),
        (TEXT.encode() + "é".encode() * 9 + b"\xff", "byte 63"),
        (b"%PDF-1.7 and so on", "PDF"),
        (b"\0\1\2\3", "binary"),
    ],
)
def test_an_unreadable_file_is_a_problem_and_the_rest_is_read(base: Path, data: bytes, word: str) -> None:
    Path("bad.txt").write_bytes(data)
    Path("good.txt").write_text(TEXT)

    read = read_sources(["bad.txt", "missing/gone.txt", "good.txt"], base_dir=base)

    assert [file.file for file in read.files] == ["good.txt"]
    # What is missing is known before anything is read.
    assert kinds(read) == [("missing-source", "gone.txt"), ("unreadable", "bad.txt")]
    assert "missing/gone.txt" in read.problems[0].message
    assert word in read.problems[1].message
    with pytest.raises(NothingToReadError, match=word):
        read_sources(["bad.txt"], base_dir=base)


def test_gzip_that_unpacks_without_end_is_refused(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.sources.files.RATIO_FREE", 2**20)
    Path("bomb.gz").write_bytes(gzipped(b" " * 2**23))
    Path("good.txt").write_text(TEXT)

    read = read_sources(["bomb.gz", "good.txt"], base_dir=base)

    assert kinds(read) == [("unreadable", "bomb.gz")]
    assert "unpacks to more than" in read.problems[0].message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_a_folder_is_never_waited_for(base: Path) -> None:
    os.mkfifo("waits.txt")
    Path("good.txt").write_text(TEXT)

    assert kinds(read_sources(["."], base_dir=base)) == [("skipped", "waits.txt")]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_forbidden_file_is_a_problem(base: Path) -> None:
    Path("secret.txt").write_text(TEXT)
    Path("secret.txt").chmod(0)
    Path("good.txt").write_text(TEXT)

    assert kinds(read_sources(["secret.txt", "good.txt"], base_dir=base)) == [("unreadable", "secret.txt")]


@pytest.mark.parametrize(
    ("files", "paths", "words"),
    [
        ({}, [], ["expected a file, a folder or -"]),
        ({}, ["gone.txt", "away"], ["gone.txt", "away"]),
        ({}, ["."], ["expected a folder with sources"]),
        ({"x.csv": "a,b\n"}, ["."], ["x.csv", "skipped"]),
        ({"x.txt": ""}, ["x.txt"], ["no abstract", "x.txt"]),
        ({"x.txt": "ICML 2025 Papers\n"}, ["x.txt"], ["no abstract", "x.txt"]),
        ({"x.jsonl": '{"Abstract": "We read."}\n' * 50}, ["x.jsonl"], ["no abstract", "(Abstract)", "40 more"]),
        ({"x.jsonl": "nothing\n"}, ["x.jsonl"], ["no abstract", "expected a JSON object"]),
    ],
)
def test_nothing_to_read_ends_the_command_with_all_reasons(
    base: Path, files: dict[str, str], paths: list[str], words: list[str]
) -> None:
    for name, content in files.items():
        Path(name).write_text(content)

    with pytest.raises(NothingToReadError) as caught:
        read_sources(paths, base_dir=base)

    assert caught.value.exit_code == 2
    for word in words:
        assert word in str(caught.value)


def test_legacy_encodings_are_named(base: Path) -> None:
    Path("a.txt").write_bytes("Müller’s list\n\nWe read “one”.\n\nWe read two.".encode("cp1252"))
    Path("b.jsonl").write_bytes('{"abstract": "Größe"}'.encode("utf-16"))
    Path("c.txt").write_bytes("ICML 2025 论文列表\r\n\r\nWe read one.\r\n".encode("gbk"))

    read = read_sources(["a.txt", "b.jsonl", "c.txt"], base_dir=base)

    assert [file.encoding for file in read.files] == ["cp1252", "utf-16-le", "gb18030"]
    assert [file.collection for file in read.files] == ["Müller’s list", "b", "ICML 2025"]
    assert [record.abstract for record in read.records] == ["We read “one”.", "We read two.", "Größe", "We read one."]


def test_every_reader_has_a_name_of_its_own() -> None:
    assert len({reader.name for reader in READERS}) == len(READERS)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.binary(max_size=200)
    | st.builds(
        lambda text, codec: text.encode(codec, "ignore"), st.text(), st.sampled_from(["utf-8", "utf-16", "gbk"])
    )
    | st.builds(lambda size: gzipped(LINES.encode())[:size], st.integers(0, 100)),
    name=st.sampled_from(["x.txt", "x.jsonl", "x"]),
)
def test_any_bytes_give_records_or_an_error_with_a_message(tmp_path: Path, data: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(data)

    message = ""
    records: tuple[Record, ...] = ()
    try:
        records = read_sources([str(tmp_path / name)], base_dir=tmp_path).records
    except PapershelfError as error:
        message = str(error)

    assert bool(message.encode()) != bool(records)
    json.dumps([record.abstract for record in records], ensure_ascii=False).encode()


def read_corpus(name: str) -> tuple[SourcesRead, float]:
    path = CORPORA / name
    if not path.exists():
        pytest.skip(f"corpus {name} is not there")
    start = time.monotonic()
    read = read_sources([str(path)], base_dir=Path(__file__).parents[1])
    return read, time.monotonic() - start


@pytest.mark.corpora
def test_corpus_seeds() -> None:
    read, _ = read_corpus("seeds")

    assert len(read.records) == read.read == 57
    assert {record.collection for record in read.records} == {"ICML 2025"}
    assert read.problems == ()


@pytest.mark.corpora
def test_corpus_icml2025_text_is_the_same_as_its_json_lines() -> None:
    text, _ = read_corpus("icml2025.txt")
    lines, _ = read_corpus("icml2025.jsonl")

    assert len(text.records) == 2732
    assert [record.abstract for record in text.records] == [record.abstract for record in lines.records]
    assert [record.source.record for record in text.records] == list(range(1, 2733))
    assert {record.collection for record in text.records} == {"ICML 2025"}
    assert (text.problems, lines.problems) == ((), ())


@pytest.mark.corpora
@pytest.mark.parametrize(("name", "count", "seconds"), [("iclr2026-a.jsonl", 9_815, 20), ("acl.jsonl.gz", 64_389, 60)])
def test_corpora_of_json_lines_are_read_whole(name: str, count: int, seconds: float) -> None:
    read, taken = read_corpus(name)

    assert len(read.records) == read.read == count
    assert [record.source.record for record in read.records] == list(range(1, count + 1))
    assert read.without_abstract == 0
    # Ten times what it takes: only a fault of order is meant to fail here.
    assert taken < seconds
