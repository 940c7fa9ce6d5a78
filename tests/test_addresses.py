"""Where pages are: kept, unique, independent of the order of sources."""

import itertools

import pytest

from generator.addresses import assign_addresses
from generator.lock import Address
from generator.markup.tree import MarkupText
from generator.model import Paper, ParsedPaper, Record, SourceRef, TitledPaper


def paper(id_: str, title: str) -> TitledPaper:
    source = SourceRef("a.txt", 1)
    text = MarkupText.of_plain("words")
    record = Record(source, "Village", "words")
    parsed = ParsedPaper(Paper(id_, record, (source,), ("Village",)), text, None)
    return TitledPaper(parsed, MarkupText.of_plain(title), title_derived=True)


def stems(papers: list[TitledPaper], known: dict[str, Address] | None = None) -> dict[str, str]:
    return {id_: a.stem for id_, a in assign_addresses(papers, known or {}, today="2030-01-01").items()}


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Tea & Clay", "tea-and-clay-abcdef"),
        ("", "abstract-abcdef"),
        ("?!", "abstract-abcdef"),
        ("2030", "abstract-2030-abcdef"),
        ("index", "abstract-index-abcdef"),
        ("../../etc/passwd", "etc-passwd-abcdef"),
        ("猫", "mao-abcdef"),
    ],
)
def test_an_address_is_the_title_and_six_digits(title: str, stem: str) -> None:
    assert stems([paper("abcdef012345", title)]) == {"abcdef012345": stem}


def test_a_long_title_stays_a_short_name() -> None:
    (stem,) = stems([paper("abcdef012345", "clay " * 100)]).values()
    assert len(stem) <= 67


def test_where_six_digits_are_taken_all_twelve_stand() -> None:
    papers = [paper("abcdef000001", "Tea"), paper("abcdef000002", "tea!"), paper("abcdef000003", "Clay")]
    expected = {
        "abcdef000001": "tea-abcdef",
        "abcdef000002": "tea-abcdef000002",
        "abcdef000003": "clay-abcdef",
    }
    for order in itertools.permutations(papers):
        assert stems(list(order)) == expected


def test_a_known_address_is_kept_when_the_title_changes() -> None:
    known = {"abcdef000001": Address("old-name-abcdef", "2029-05-05")}
    assert assign_addresses([paper("abcdef000001", "New name")], known, today="2030-01-01") == known


def test_an_address_that_is_gone_stays_reserved() -> None:
    known = {"abcdef000001": Address("TEA-abcdef", "2029-05-05")}
    found = assign_addresses([paper("abcdef000002", "Tea")], known, today="2030-01-01")
    assert found == {**known, "abcdef000002": Address("tea-abcdef000002", "2030-01-01")}
