import io
import string
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model import Record
from generator.problems import Problem
from generator.sources.collection_names import (
    collection_from_file_name,
    first_spellings,
)
from generator.sources.reader import Candidate, ReadItem, Source
from generator.sources.text import TextReader, join_lines, split_paragraphs

LONG = "This line goes on and on without any break, as a browser copies it. " * 5


def read(text: str, name: str = "notes.txt") -> Iterator[ReadItem]:
    # As files are opened: line ends made one.
    stream = io.TextIOWrapper(io.BytesIO(text.encode("utf-8", "surrogatepass")), "utf-8", "surrogatepass")
    with stream:
        candidate = Candidate(name, text[:1000], named=True)
        source = Source(name, candidate, collection_from_file_name(name), stream)
        yield from TextReader().read(source)


def abstracts(text: str) -> list[str]:
    return [item.abstract for item in read(text) if isinstance(item, Record)]


def problems(text: str) -> list[Problem]:
    return [item for item in read(text) if isinstance(item, Problem)]


def collection(text: str, name: str = "notes.txt") -> str:
    return next(item.collection for item in read(text, name) if isinstance(item, Record))


@pytest.mark.parametrize(
    "text",
    [
        "First abstract.\n\nSecond abstract.\n",
        "First abstract.\r\n\r\nSecond abstract.\r\n",
        "First abstract.\r\rSecond abstract.",
        "First abstract.\n \t \n\n\nSecond abstract.   ",
        "First abstract.\u2029Second abstract.",
        "First abstract.\u2028\u2028Second abstract.",
        "First abstract.\n\f\nSecond abstract.",
        "\n\n\nFirst abstract.\n\u3000\nSecond abstract.\n\n\n",
        "First abstract.\n\n* * *\n\nSecond abstract.",
        "----\n\nFirst abstract.\n\n====\n\nSecond abstract.",
        "First abstract.\n\n\ufeffSecond abstract.",
    ],
)
def test_blank_lines_and_rules_separate_abstracts(text: str) -> None:
    assert abstracts(text) == ["First abstract.", "Second abstract."]
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("one line\nand the next", "one line and the next"),
        ("one line  \n\t and the next", "one line and the next"),
        ("one line\u2028and the next\u0085and a third", "one line and the next and a third"),
        ("a multi-\nlingual net", "a multi-lingual net"),
        ("a range of 3-\n5 or -\none", "a range of 3- 5 or - one"),
        ("pre-\n(and post-)", "pre- (and post-)"),
        ("hard\u00ad\nware and soft\u0002\nware", "hard\u00adware and soft\u0002ware"),
        ("我们研究\n网络。\n结果", "我们研究网络。结果"),
        ("我们用 GPT\n模型", "我们用 GPT 模型"),
        ("학습하는지\n연구한다", "학습하는지 연구한다"),
        ("steps:\n- one\n- two", "steps: - one - two"),
        ("first\n2) then", "first 2) then"),
        ("first\n> so", "first > so"),
        ("so it is.\n---\nand on.", "so it is. --- and on."),
        ("first we read it\nas written\n===\nand then", "first we read it as written === and then"),
        ("bene\x0cfits stay", "bene\x0cfits stay"),
    ],
)
def test_lines_of_a_paragraph_join_and_stay_as_written(text: str, joined: str) -> None:
    assert abstracts(f"Something before.\n\n{text}\n\nSomething after.")[1] == joined


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("ICML 2025 论文列表", "ICML 2025"),
        ("ICML 2025 Papers", "ICML 2025"),
        ("ICML 2025 papers", "ICML 2025"),
        ("  ICML  2025   Papers:", "ICML 2025"),
        ("# ICML 2025 Papers", "ICML 2025"),
        ("## ICML 2025 ##", "ICML 2025"),
        ("ICML 2025 Papers\n================", "ICML 2025"),
        ("ICML 2025 Accepted Papers", "ICML 2025"),
        ("ICML 2025 - Accepted Papers", "ICML 2025"),
        ("ICML 2025 (Accepted Papers)", "ICML 2025"),
        ("ICML 2025（论文列表）", "ICML 2025"),
        ("ICML 2025 Paper List", "ICML 2025"),
        ("ICML 2025: List of accepted papers", "ICML 2025"),
        ("ICML 2025 Abstracts", "ICML 2025"),
        ("ICML 2025 论文", "ICML 2025"),
        ("ICML2025论文集", "ICML2025"),
        ("ICML 2025 接收论文列表", "ICML 2025"),
        ("ICML 2025 Proceedings", "ICML 2025"),
        ("Proceedings of ICML 2025", "Proceedings of ICML 2025"),
        ("Workshop on Wallpapers", "Workshop on Wallpapers"),
        ("Our Reading List", "Our"),
        ("Papers", "Papers"),
        ("论文列表", "论文列表"),
    ],
)
def test_the_heading_names_the_collection(heading: str, name: str) -> None:
    text = f"{heading}\n\nWe read one.\n\nWe read two.\n"

    assert collection(text) == name
    assert abstracts(text) == ["We read one.", "We read two."]


@pytest.mark.parametrize(
    "first",
    [
        "A short abstract.",
        "Is this one, too?",
        "It says “so it is.”",
        "网络很小。",
        "A line that goes on with a comma,",
        "x" * 101,
        "Two lines\nof one abstract",
        "- - -",
    ],
)
def test_what_is_no_heading_stays_an_abstract(first: str) -> None:
    text = f"{first}\n\nWe read two."

    assert collection(text) == "notes"
    assert "".join(abstracts(text)).count("We read two.") == 1
    assert len(abstracts(text)) == (1 if first == "- - -" else 2)


def test_a_lone_short_line_is_a_heading_only_when_it_announces_a_list() -> None:
    assert abstracts("Just one thought") == ["Just one thought"]
    assert abstracts("ICML 2025 Papers\n") == []


def test_a_marked_heading_needs_no_blank_line() -> None:
    assert abstracts("# ICML 2025 Papers\nWe read one.\n\nWe read two.") == ["We read one.", "We read two."]
    assert collection("ICML 2025\n---\nWe read one.") == "ICML 2025"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("icml_2025_papers.txt", "icml 2025"),
        ("icml-2025.txt", "icml 2025"),
        ("covid-19_papers.txt", "covid-19"),
        ("ICML 2025.txt", "ICML 2025"),
        ("abstracts.txt", "abstracts"),
        ("papers.v2.jsonl", "papers.v2"),
        ("读书.txt", "读书"),
        ("-", "Standard input"),
        ("_.txt", "_"),
    ],
)
def test_without_a_heading_the_file_names_the_collection(name: str, expected: str) -> None:
    assert collection("We read one.\n\nWe read two.", name) == expected


def test_spellings_of_one_collection_become_the_first() -> None:
    names = ["ICML 2025", "icml 2025", "ICML-2025", "icml2025", "ICML 2024", "C", "C++"]

    assert first_spellings(names) == {
        **dict.fromkeys(names[:4], "ICML 2025"),
        "ICML 2024": "ICML 2024",
        "C": "C",
        "C++": "C++",
    }


def test_long_lines_without_blank_lines_are_one_abstract_each() -> None:
    text = f"ICML 2025 Papers\n\n{LONG}\n{LONG}x\n{LONG}y"

    assert abstracts(text) == [LONG.strip(), f"{LONG}x", f"{LONG}y"]
    assert [problem.kind for problem in problems(text)] == ["lines-as-abstracts"]


def test_long_lines_between_blank_lines_are_breaks_within_an_abstract() -> None:
    assert abstracts(f"{LONG}\n{LONG}\n\nAnother one.\n\nA third.")[0] == f"{LONG}{LONG}".strip()


def test_signs_without_text_are_reported_unless_they_are_a_rule() -> None:
    text = "We read one.\n\n?!?\n\n-- * --\n\nWe read two."

    assert abstracts(text) == ["We read one.", "We read two."]
    assert [(problem.kind, problem.fragment) for problem in problems(text)] == [("no-text", "?!?")]


def test_records_are_numbered_without_heading_and_rules() -> None:
    items = [item for item in read("Notes\n\nOne.\n\n***\n\nTwo.") if isinstance(item, Record)]

    assert [(item.source.file, item.source.record) for item in items] == [("notes.txt", 1), ("notes.txt", 2)]
    assert {item.year for item in items} == {None}


@pytest.mark.parametrize(
    ("name", "head", "named", "expected"),
    [
        ("a.txt", "We read.", False, True),
        ("a.TXT", "We read.", False, True),
        ("LICENSE", "We read.", False, False),
        ("abstracts", "We read.", True, True),
        ("-", "We read.", True, True),
        ("a.txt", "", False, True),
        ("a.csv", "title,abstract", True, False),
        ("a.txt", "@article{doe, title = {A}}", True, False),
        ("a.txt", "@home we read.", True, True),
        ("a.txt", "TY  - JOUR", True, False),
        ("a.txt", "PMID- 1", True, False),
        ("a.txt", '<?xml version="1.0"?>', True, False),
        ("a.txt", "<b>Bold</b> claims", True, True),
        ("a.txt", "[1] We read.", True, True),
        ("a.txt", "{x} is a set.", True, True),
        ("a.txt", '{"abstract": "x"}', True, False),
    ],
)
def test_text_is_recognised_by_content_and_suffix(name: str, head: str, named: bool, expected: bool) -> None:
    assert TextReader().recognises(Candidate(name, head, named)) is expected


def test_a_paragraph_that_fills_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.sources.reader.LINE_LIMIT", 50)
    monkeypatch.setattr("generator.sources.text._PARAGRAPH_LIMIT", 50)
    text = f"We read one.\n\n{LONG}\n\nWe read two."

    assert abstracts(text) == ["We read one.", "We read two."]
    assert [(problem.kind, problem.record) for problem in problems(text)] == [("too-long", 2)]


@given(st.text(max_size=400))
def test_any_text_keeps_its_letters_and_digits(text: str) -> None:
    lines = text.split("\n")

    joined = "".join(map(join_lines, split_paragraphs(lines)))

    assert [char for char in joined if char.isalnum()] == [char for char in text if char.isalnum()]


@given(st.lists(st.text(string.ascii_letters + " -.\u00ad", min_size=1).map(str.strip).filter(bool), min_size=1))
def test_words_are_never_joined_but_at_hyphens(lines: list[str]) -> None:
    joined = join_lines(lines)

    for line, following in pairwise(lines):
        if line[-1].isalpha() and following[0].isalpha():
            assert f"{line[-1]} {following[0]}" in joined
