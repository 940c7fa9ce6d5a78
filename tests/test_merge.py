from hypothesis import given
from hypothesis import strategies as st

from generator.merge import ID_DIGITS, merge_records, paper_id
from generator.model import Record, SourceRef


def record(abstract: str, number: int = 1, file: str = "a.jsonl", collection: str = "A", **fields: object) -> Record:
    return Record(SourceRef(file, number), collection, abstract, **fields)  # type: ignore[arg-type]


def test_the_same_text_is_one_paper_with_both_sources() -> None:
    first = record("Reading $x$ is *fun*.", 1)
    other = record("Something else.", 2)
    again = record("reading x is fun", 1, "b.jsonl", "B")

    merged = merge_records([first, other, again, again])

    assert [paper.record.abstract for paper in merged.papers] == [first.abstract, other.abstract]
    assert merged.papers[0].sources == (SourceRef("a.jsonl", 1), SourceRef("b.jsonl", 1), SourceRef("b.jsonl", 1))
    assert merged.papers[0].collections == ("A", "B")
    assert merged.duplicates == 2


def test_missing_fields_come_from_later_records() -> None:
    first = record("Text.", title=None, authors=("Ada",), extra={"area": "x"})
    second = record("Text.", 2, title="A Title", authors=("Bob",), year=2024, extra={"area": "y", "venue": "z"})
    third = record("Text.", 3, title="Other", year=2025, url="https://example.org", keywords=("k",), source_id="7")

    (paper,) = merge_records([first, second, third]).papers

    assert paper.record == Record(
        source=first.source,
        collection="A",
        abstract="Text.",
        title="A Title",
        source_id="7",
        authors=("Ada",),
        year=2024,
        keywords=("k",),
        url="https://example.org",
        extra={"area": "x", "venue": "z"},
    )


def test_an_id_never_moves() -> None:
    # These are in users' bookmarks: a change here is a change of every address.
    assert paper_id("Reading is fun.") == paper_id("READING  is\nfun!") == "62fa8e2aae7e"
    assert paper_id("图神经网络") == "2dc734535596"


def test_forms_of_one_letter_have_one_id() -> None:
    assert paper_id("eﬃcient Straße") == paper_id("EFFICIENT STRASSE") == paper_id("efficient stra\u00ads\u00ads e")
    assert paper_id("e\u0301tude") == paper_id("étude")
    assert paper_id("x²") == paper_id("x2")


def test_texts_without_letters_are_told_apart() -> None:
    assert len(merge_records([record("!"), record("?"), record("!")]).papers) == 2


@given(st.text(min_size=1))
def test_any_text_has_an_id(text: str) -> None:
    id_ = paper_id(text)

    assert len(id_) == ID_DIGITS
    assert int(id_, 16) >= 0
    assert id_ == paper_id(f"  {text}\n") or not any(map(str.isalnum, text))
