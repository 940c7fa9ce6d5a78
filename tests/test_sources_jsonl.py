import io
import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model import Json, Record
from generator.problems import Problem
from generator.sources.jsonl import DEPTH_LIMIT, JsonLinesReader
from generator.sources.reader import Candidate, ReadItem, Source


def read(text: str, name: str = "papers.jsonl") -> Iterator[ReadItem]:
    with io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8") as stream:
        source = Source(name, Candidate(name, text[:16_000], named=True), "papers", stream)
        yield from JsonLinesReader().read(source)


def split(text: str, name: str = "papers.jsonl") -> tuple[list[Record], list[Problem]]:
    items = list(read(text, name))
    records = [item for item in items if isinstance(item, Record)]
    return records, [item for item in items if isinstance(item, Problem)]


def read_fields(**fields: Json) -> tuple[Record, list[Problem]]:
    records, problems = split(json.dumps({"abstract": "We read.", **fields}))
    return records[0], problems


def test_all_known_fields_are_read_and_unknown_ones_kept() -> None:
    line = {
        "id": "x1",
        "title": " On Reading ",
        "abstract": " We read.\nThen we write. ",
        "authors": ["Ada Roe", "Bo Moe"],
        "year": 2024,
        "keywords": ["reading", "C++"],
        "url": "https://example.org/x1",
        "status": "oral",
        "scores": [1, 2.5, None, {"a": True}],
    }

    (record,), problems = split(json.dumps(line))

    assert problems == []
    assert (record.source.file, record.source.record, record.collection) == ("papers.jsonl", 1, "papers")
    assert (record.source_id, record.title, record.abstract) == ("x1", "On Reading", "We read.\nThen we write.")
    assert (record.authors, record.year) == (("Ada Roe", "Bo Moe"), 2024)
    assert (record.keywords, record.url) == (("reading", "C++"), "https://example.org/x1")
    assert record.extra == {"status": "oral", "scores": [1, 2.5, None, {"a": True}]}


@pytest.mark.parametrize(
    "line",
    [
        "not JSON",
        '{"abstract": "cut',
        '{"abstract": "x"} {"abstract": "y"}',
        '{"abstract": "x"},',
        '["a list"]',
        '"a string"',
        "null",
        "17",
        '{"n": ' + "9" * 5000 + "}",
        '{"n": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"n": ' + "[" * 150 + "]" * 150 + "}",
        '{"n": ' + '{"n": ' * 100_000,
    ],
)
def test_a_bad_line_is_reported_and_skipped(line: str) -> None:
    good = '{"abstract": "We read."}'

    records, problems = split(f"{good}\n\n{line}\n{good}\n")

    assert [record.source.record for record in records] == [1, 3]
    assert [(problem.kind, problem.record, problem.file) for problem in problems] == [("bad-line", 2, "papers.jsonl")]
    assert problems[0].message.startswith("expected")
    assert problems[0].fragment
    assert len(problems[0].fragment) <= 120


def test_nesting_up_to_the_limit_is_kept() -> None:
    deep = json.loads("[" * (DEPTH_LIMIT - 1) + "]" * (DEPTH_LIMIT - 1))

    record, problems = read_fields(deep=deep)

    assert record.extra == {"deep": deep}
    assert problems == []


def test_a_line_of_enormous_length_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("reader", "jsonl"):
        monkeypatch.setattr(f"generator.sources.{module}.LINE_LIMIT", 100)
    long = json.dumps({"abstract": "x" * 1000})

    records, problems = split(f'{long}\n{{"abstract": "We read."}}\n{long}')

    assert [record.source.record for record in records] == [2]
    assert [(problem.kind, problem.record) for problem in problems] == [("bad-line", 1), ("bad-line", 3)]


@pytest.mark.parametrize("abstract", ['""', '"  "', "null", '"\\u200b\\u0000"', "17", '["x"]'])
def test_a_record_without_abstract_is_counted_by_its_problem(abstract: str) -> None:
    records, problems = split(f'{{"title": "T", "abstract": {abstract}}}\n{{"title": "U"}}')

    assert records == []
    assert [
        (problem.kind, problem.record, problem.fragment) for problem in problems if problem.kind != "bad-value"
    ] == [
        ("no-abstract", 1, "T"),
        ("no-abstract", 2, "U"),
    ]


@pytest.mark.parametrize(
    ("given_authors", "names", "reported"),
    [
        (["Ada Roe"], ("Ada Roe",), 0),
        ([{"name": "Ada Roe"}, {"given": "Bo", "family": "Moe"}], ("Ada Roe", "Bo Moe"), 0),
        ([{"first": "Ada", "last": "Roe"}, {"family": "Moe"}], ("Ada Roe", "Moe"), 0),
        ("Roe, Ada; Moe, Bo", ("Roe, Ada", "Moe, Bo"), 0),
        ("Ada Roe and Bo Moe", ("Ada Roe", "Bo Moe"), 0),
        ("Ada Roe, Bo Moe, and Cy Doe", ("Ada Roe", "Bo Moe", "Cy Doe"), 0),
        ("Roe, Ada and Moe, Bo", ("Roe, Ada", "Moe, Bo"), 0),
        ("van Roe, Ada Eva", ("van Roe, Ada Eva",), 0),
        ("Sandy Rand", ("Sandy Rand",), 0),
        (["Ada Roe", " ", ""], ("Ada Roe",), 2),
        (["Ada Roe", None, {"x": 1}], ("Ada Roe",), 2),
        ("", (), 0),
        (None, (), 0),
        (17, (), 1),
    ],
)
def test_authors_in_their_usual_forms(given_authors: Json, names: tuple[str, ...], reported: int) -> None:
    record, problems = read_fields(authors=given_authors)

    assert record.authors == names
    assert len(problems) == reported


def test_what_authors_say_beside_their_names_is_kept() -> None:
    authors: list[Json] = [{"name": "Ada Roe", "affiliation": "Here"}]

    assert read_fields(authors=authors)[0].extra == {"authors": authors}


@pytest.mark.parametrize(
    ("keywords", "words", "reported"),
    [
        (["a", ""], ("a",), 1),
        (["NO", "y", "on", "C", "C++"], ("NO", "y", "on", "C", "C++"), 0),
        ("a; b, c ;d", ("a", "b, c", "d"), 0),
        ("a, b,, c,", ("a", "b", "c"), 1),
        ([2024, "x\n y"], ("2024", "x y"), 0),
        ([True, "x"], ("x",), 1),
        ({"a": 1}, (), 1),
        ("", (), 0),
    ],
)
def test_empty_keywords_are_dropped_and_reported(keywords: Json, words: tuple[str, ...], reported: int) -> None:
    record, problems = read_fields(keywords=keywords)

    assert record.keywords == words
    assert [problem.kind for problem in problems] == ["bad-value"] * reported


@pytest.mark.parametrize(
    ("value", "year"),
    [(2024, 2024), ("2024", 2024), (" 2024 ", 2024), (2024.0, 2024), (None, None), ("", None)],
)
def test_years_are_read(value: Json, year: int | None) -> None:
    record, problems = read_fields(year=value)

    assert (record.year, record.extra, problems) == (year, None, [])


@pytest.mark.parametrize("value", ["in press", "2024/25", 24, 20245, True, 2024.5, [2024], "٢٠٢٤", -2024])
def test_what_is_no_year_is_reported_and_kept(value: Json) -> None:
    record, problems = read_fields(year=value)

    assert (record.year, record.extra) == (None, {"year": value})
    assert [problem.kind for problem in problems] == ["bad-value"]


@pytest.mark.parametrize(
    "url", ["https://example.org/a?b=c#d", "HTTP://example.org", "http://[::1]/x", "https://例え.jp/é"]
)
def test_web_addresses_are_kept(url: str) -> None:
    assert read_fields(url=url) == (read_fields(url=url)[0], [])
    assert read_fields(url=url)[0].url == url


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "ftp://example.org",
        "example.org",
        "https://",
        "https://a b.org",
        "https://example.org/\u202ex",
        'https://example.org/"><script>',
        "java\nscript:x",
        17,
        ["https://example.org"],
    ],
)
def test_other_addresses_are_only_data(url: Json) -> None:
    record, problems = read_fields(url=url)

    assert (record.url, record.extra) == (None, {"url": url})
    assert [problem.kind for problem in problems] == ["bad-value"]


@pytest.mark.parametrize(("value", "expected"), [(17, "17"), ("", None), (" ", None), (None, None), ("a", "a")])
def test_ids_and_titles_are_text_or_nothing(value: Json, expected: str | None) -> None:
    record, problems = read_fields(id=value, title=value)

    assert (record.source_id, record.title, problems) == (expected, expected, [])


@pytest.mark.parametrize("value", [True, ["x"], {"x": 1}, 1.5])
def test_titles_of_other_kinds_are_reported_and_kept(value: Json) -> None:
    record, problems = read_fields(title=value)

    assert (record.title, record.extra) == (None, {"title": value})
    assert len(problems) == 1


def test_a_record_may_name_its_collection() -> None:
    assert read_fields(collection="ICML 2025 Papers")[0].collection == "ICML 2025"
    assert read_fields(collection=" ")[0].collection == "papers"
    assert read_fields(venue="Here")[0].extra == {"venue": "Here"}


def test_halves_of_surrogate_pairs_are_removed_and_reported() -> None:
    (record,), problems = split(
        '{"abstract": "a\\ud800b \\ud83d\\ude00", "x\\udfff": ["\\uDC00y"], "title": "\\ud800"}'
    )

    assert (record.abstract, record.title, record.extra) == ("ab 😀", None, {"x": ["y"]})
    assert [problem.kind for problem in problems] == ["bad-value"]


def test_control_characters_stay_for_the_markup_stage() -> None:
    (record,), problems = split('{"abstract": "a\tb \\u0000c \\u000cd\u2028e\u0085f"}')

    assert (record.abstract, problems) == ("a\tb \0c \x0cd\u2028e\u0085f", [])


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_has_not_are_null_and_reported(number: str) -> None:
    (record,), problems = split(f'{{"abstract": "We read.", "x": {number}, "year": {number}}}')

    assert (record.year, record.extra) == (None, {"x": None})
    assert [problem.kind for problem in problems] == ["bad-value", "bad-value"]


def test_a_field_that_stands_twice_is_reported() -> None:
    (record,), problems = split('{"abstract": "We read.", "title": "A", "title": "B"}')

    assert record.title == "B"
    assert [problem.kind for problem in problems] == ["bad-value"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("name", ["papers.json", "papers.txt"])
def test_an_array_is_read_item_by_item(indent: int | None, name: str) -> None:
    text = json.dumps([{"abstract": "One."}, "no object", {"title": "x"}, {"abstract": "Four."}], indent=indent)

    records, problems = split(text, name)

    assert [(record.abstract, record.source.record) for record in records] == [("One.", 1), ("Four.", 4)]
    assert [(problem.kind, problem.record) for problem in problems] == [("bad-line", 2), ("no-abstract", 3)]


def test_objects_over_several_lines_are_read_one_after_another() -> None:
    text = "\n".join(json.dumps({"abstract": word}, indent=2) for word in ("One.", "Two."))

    assert [record.abstract for record in split(text, "papers.json")[0]] == ["One.", "Two."]


def test_a_cut_array_says_where() -> None:
    records, problems = split('[\n {"abstract": "One."},\n {"abstr', "papers.json")

    assert records == []
    assert [problem.kind for problem in problems] == ["bad-file"]
    assert "line 1" in problems[0].message


def test_a_first_line_that_is_bad_does_not_hide_the_others() -> None:
    text = '{"abstract": "cut\n{"abstract": "One."}\n{"abstract": "Two."}\n'

    for name in ("papers.jsonl", "papers.txt"):
        records, problems = split(text, name)
        assert [record.source.record for record in records] == [2, 3]
        assert [problem.kind for problem in problems] == ["bad-line"]


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.jsonl", "not JSON", True),
        ("a.ndjson", "", True),
        ("a.txt", '{"abstract": "x"}', True),
        ("-", '\n {"abstract": "x"}', True),
        ("a.json", '[\n  {"abstract"', True),
        ("a.txt", "{x} is a set.", False),
        ("a.txt", "[1] We read.", False),
        ("a.json", "We read.", False),
    ],
)
def test_json_is_recognised_by_content_and_suffix(name: str, head: str, expected: bool) -> None:
    assert JsonLinesReader().recognises(Candidate(name, head, named=True)) is expected


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(
    st.dictionaries(
        st.sampled_from(["id", "title", "abstract", "authors", "year", "keywords", "url", "x"]), JSON_VALUES
    )
)
def test_any_object_is_a_record_or_a_problem_fit_for_utf8(fields: dict[str, Json]) -> None:
    records, problems = split(json.dumps(fields))

    assert len(records) + sum(problem.kind == "no-abstract" for problem in problems) == 1
    for record in records:
        repr(record).encode()
        json.dumps(record.extra, allow_nan=False).encode()
    for problem in problems:
        str(problem).encode()


@given(st.text(max_size=300))
def test_any_line_is_read_or_reported(line: str) -> None:
    assert all(isinstance(item, (Record, Problem)) for item in read(line))
