"""The search index as files: its words, what it says of each, that it is the same each time, and what damage is told."""

import base64
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.finish.search import RECORDS_FOLDER, SEARCH_FOLDER, build_search_index, read_search_index
from generator.finish.search.chunks import UnreadableChunkError, chunk_script, gaps, read_chunk, varints
from generator.finish.search.facets import FACETS
from generator.finish.search.papers import Paper, as_record
from generator.finish.search.words import LONGEST_TERM, fold, joined_words, read_words, stem

HOSTILE = 'The tag <img src=x onerror="alert(1)"> stays\u2028as it\n is, </script><script> too; \\u0041 `${x}`.'

PAPERS = (
    Paper(
        id="0000000000a1",
        page="abstracts/sourdough-0000000000a1.html",
        title="Sorting sourdough by smell",
        derived=True,
        abstract="Forty bakers smell loaves. Their noses beat every sensor; bakers sort sourdough by smell alone.",
        authors=("Berta Laib", "Ömer Kruste"),
        year=2031,
        collections=(("Crumb", "collections/crumb.html"),),
        tags=(("bread & noses", "tags/bread-noses.html"), ("smell", "tags/smell.html")),
        topics=(("bread", "topics/bread.html"),),
        added="2031-01-02",
    ),
    Paper(
        id="0000000000b2",
        page="abstracts/hostile-0000000000b2.html",
        title="</script><b>Bold</b> claims",
        derived=False,
        abstract=HOSTILE,
        authors=("Berta Laib",),
        tags=(("smell", "tags/smell.html"),),
        keywords=("self-stirring spoons",),
        url="https://example.org/b2",
        source="tea.txt, record 2",
        source_id="T/2",
        added="2031-05-06",
    ),
    Paper(
        id="0000000000c3",
        page="abstracts/tides-0000000000c3.html",
        title="a title in small letters",
        derived=True,
        abstract="Tides of tea in teacups. " * 200,
        year=2030,
        collections=(("Crumb", "collections/crumb.html"), ("Tea", "collections/tea.html")),
        added="2031-01-02",
    ),
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    build_search_index(PAPERS, tmp_path)
    return tmp_path


def part(site: Path, name: str) -> Any:
    return read_chunk(site / SEARCH_FOLDER / f"{name}.js")


def numbers_in(text: str) -> list[int]:
    """Decode LEB128 in base64, by its definition."""
    found, value, shift = [], 0, 0
    for byte in base64.b64decode(text):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append(value)
            value = shift = 0
    return found


def lists_in(sizes: list[int], numbers: list[int]) -> list[list[int]]:
    """Undo the gaps: ascending numbers of lists of given sizes."""
    lists, rest = [], iter(numbers)
    for size in sizes:
        total, own = 0, []
        for _ in range(size):
            total += next(rest)
            own.append(total)
        lists.append(own)
    return lists


def rows_of(site: Path, term: str) -> list[int]:
    """Return the rows that the written index gives for a term."""
    for number in range(len(part(site, "manifest")["terms"])):
        block = part(site, f"terms/{number}")
        if term in block["terms"]:
            return lists_in(block["sizes"], numbers_in(block["gaps"]))[block["terms"].index(term)]
    return []


def places_of(site: Path, term: str) -> dict[int, list[int]]:
    """Return the places of a term by row."""
    for number in range(len(part(site, "manifest")["terms"])):
        block, places = part(site, f"terms/{number}"), part(site, f"places/{number}")
        if term in block["terms"]:
            at = block["terms"].index(term)
            lists = lists_in(numbers_in(places["counts"]), numbers_in(places["places"]))
            start = sum(block["sizes"][:at])
            return dict(zip(rows_of(site, term), lists[start : start + block["sizes"][at]], strict=True))
    return {}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Forty Bakers, and 3.5 loaves!", ["forty", "bakers", "and", "3", "5", "loaves"]),
        ("eﬃcient naïve Øre Straße ①", ["efficient", "naive", "ore", "strasse", "1"]),
        ("İstanbul ΣΊΣΥΦΟΣ", ["istanbul", "σισυφοσ"]),
        ("ε-greedy with α", ["epsilon", "greedy", "with", "alpha"]),
        ("snake_case x² 𝐀", ["snake", "case", "x2", "a"]),
        ("图神经网络 and 図", ["图神", "神经", "经网", "网络", "络", "and", "図"]),
        ("שָׁלוֹם مُحَمَّد", ["שלום", "محمد"]),
        ("√2 → ∞", ["sqrt", "2", "infinity"]),
        ("", []),
        ("?! … —", []),
    ],
)
def test_text_is_cut_into_words(text: str, words: list[str]) -> None:
    assert read_words(text) == words


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("zero-shot k-NN GPT-4", ["zeroshot", "knn", "gpt4"]),
        ("in O(n log n) or o(N^2)", ["o(nlogn)", "o(n2)"]),
        ("state-of-the-art", ["stateoftheart"]),
        ("plain words (in brackets)", []),
    ],
)
def test_words_are_found_written_together(text: str, joined: list[str]) -> None:
    assert list(joined_words(text)) == joined


def test_a_giant_word_is_cut() -> None:
    assert read_words("a" * 10_000 + " ü" * 2) == ["a" * LONGEST_TERM, "u", "u"]


@pytest.mark.parametrize(
    "forms",
    [
        ("network", "networks"), ("study", "studies"), ("optimize", "optimizes", "optimized", "optimizing"),
        ("optimise", "optimising", "optimisation", "optimization"), ("plan", "planned", "planning"),
        ("analysis", "analyses"), ("efficiency", "efficient"), ("robust", "robustness", "robustly"),
    ],
)  # fmt: skip
def test_forms_of_a_word_are_one_term(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("universe", "university"), ("species", "special"), ("bus", "bu"), ("class", "clas")]
)
def test_other_words_are_other_terms(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.lists(st.integers(min_value=0, max_value=2**35 - 1)))
def test_packed_numbers_come_back(numbers: list[int]) -> None:
    packed, lengths = varints(np.array(numbers, dtype=np.int64))
    assert numbers_in(base64.b64encode(packed.tobytes()).decode()) == numbers
    assert len(lengths) == len(numbers)


@given(st.lists(st.sets(st.integers(min_value=0, max_value=100_000))))
def test_gaps_come_back_as_lists(sets: list[set[int]]) -> None:
    lists = [sorted(rows) for rows in sets]
    sizes = np.array([len(rows) for rows in lists], dtype=np.int64)
    flat = np.array([row for rows in lists for row in rows], dtype=np.int64)
    assert lists_in([len(rows) for rows in lists], [int(gap) for gap in gaps(flat, sizes)]) == lists


def test_every_word_leads_to_the_papers_that_hold_it(site: Path) -> None:
    for row, paper in enumerate(PAPERS):
        texts = (paper.title, paper.abstract, *paper.authors, *paper.keywords, *(label for label, _ in paper.tags))
        for word in {word for text in texts for word in (*read_words(text), *joined_words(text))}:
            assert row in rows_of(site, stem(word)), word
    assert rows_of(site, "laib") == [0, 1]
    assert rows_of(site, stem("tides")) == [2]
    assert rows_of(site, "quixotry") == []


def test_places_follow_the_reading_order_and_no_phrase_leaves_its_field(site: Path) -> None:
    smell = places_of(site, "smell")
    assert smell[0][:2] == [2, 13]  # of the abstract's words; then the title's and the tag's
    assert len(places_of(site, stem("tides"))[2]) == 200
    last = max(places_of(site, stem("alone"))[0])
    first = min(place for place in places_of(site, stem("sorting"))[0] if place > last)
    assert first - last > 1


def test_rarer_and_shorter_tells_more(site: Path) -> None:
    def impact(term: str, row: int) -> int:
        for number in range(len(part(site, "manifest")["terms"])):
            block = part(site, f"terms/{number}")
            if term in block["terms"]:
                at = block["terms"].index(term)
                return base64.b64decode(block["impacts"])[
                    int(sum(block["sizes"][:at])) + rows_of(site, term).index(row)
                ]
        raise AssertionError(term)

    assert impact("sourdough", 0) > impact("sensor", 0)  # in the title, too
    assert all(1 <= impact(term, 2) <= 255 for term in (stem("tides"), stem("letters")))


def test_blocks_are_sorted_and_the_manifest_says_where_each_begins(tmp_path: Path) -> None:
    many = [
        Paper(f"{number:012x}", f"{number}.html", f"Paper {number}", derived=True, abstract=" ".join(f"w{number}x{n}" for n in range(400)))
        for number in range(40)
    ]  # fmt: skip
    build_search_index(many, tmp_path)
    manifest = part(tmp_path, "manifest")
    assert len(manifest["terms"]) > 1
    assert len(manifest["vocabulary"]) > 1
    for folder, key in (("terms", "terms"), ("vocabulary", "words")):
        blocks = [part(tmp_path, f"{folder}/{number}")[key] for number in range(len(manifest[folder]))]
        assert [block[0] for block in blocks] == manifest[folder]
        words = [word for block in blocks for word in block]
        assert words == sorted(words)


def test_the_vocabulary_counts_words_as_they_are_written(site: Path) -> None:
    block = part(site, "vocabulary/0")
    counts = dict(zip(block["words"], block["counts"], strict=True))
    counted = Counter(word for word in read_words(PAPERS[2].abstract))
    assert counts["tides"] == counted["tides"]
    assert stem("tides") not in counts


def test_facets_hold_rows_the_commonest_value_first(site: Path) -> None:
    def facet(name: str) -> dict[str, list[int]]:
        content = part(site, f"facets/{name}")
        return dict(zip(content["labels"], lists_in(content["sizes"], numbers_in(content["gaps"])), strict=True))

    assert list(facet("tag").items()) == [("smell", [0, 1]), ("bread & noses", [0])]
    assert facet("collection") == {"Crumb": [0, 2], "Tea": [2]}
    assert facet("topic") == {"bread": [0]}
    assert facet("year") == {"2030": [2], "2031": [0]}
    assert facet("added") == {"2031-01-02": [0, 2], "2031-05-06": [1]}
    assert facet("author") == {"Berta Laib": [0, 1], "Ömer Kruste": [0]}
    assert part(site, "facets/collection")["pages"] == ["collections/crumb.html", "collections/tea.html"]


def test_titles_are_ordered_without_regard_to_case_and_signs(site: Path) -> None:
    rows = np.frombuffer(base64.b64decode(part(site, "titles")), dtype="<u4").tolist()
    assert [fold(PAPERS[row].title) for row in rows] == sorted(fold(paper.title) for paper in PAPERS)


def test_the_index_is_read_back(site: Path) -> None:
    assert read_search_index(site) == [(paper.id, paper.page, paper.title) for paper in PAPERS]


def test_hostile_texts_come_back_and_are_no_markup(site: Path) -> None:
    for paper in PAPERS:
        path = site / RECORDS_FOLDER / f"{paper.id}.js"
        assert read_chunk(path) == as_record(paper)
        assert path.read_bytes().isascii()
        assert json.loads(path.read_text().removeprefix("papershelfChunk(").removesuffix(");\n")) == as_record(paper)
    assert chunk_script("\u2028").isascii()


def test_an_older_index_is_replaced(site: Path) -> None:
    build_search_index(PAPERS[:1], site)
    assert [paper.id for paper in read_search_index(site)] == [PAPERS[0].id]
    assert len(list((site / RECORDS_FOLDER).iterdir())) == 1


def test_an_empty_site_has_an_index(tmp_path: Path) -> None:
    size = build_search_index([], tmp_path)
    assert size.papers == 0
    assert read_search_index(tmp_path) == []


def test_progress_counts_every_paper(tmp_path: Path) -> None:
    papers = [Paper(f"{n:012x}", f"{n}.html", f"Paper {n}", derived=True, abstract="Tea.") for n in range(600)]
    seen: list[int] = []
    build_search_index(papers, tmp_path, advance=seen.append)
    assert sum(seen) == 600


def test_same_input_same_bytes(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.test_search_index import PAPERS;"
        "from generator.finish.search import build_search_index; build_search_index(PAPERS, Path(sys.argv[1]))"
    )
    for seed in ("0", "7"):
        command = [sys.executable, "-c", program, str(tmp_path / seed)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    first, second = (
        {path.relative_to(tmp_path / seed): path.read_bytes() for path in (tmp_path / seed).rglob("*.js")}
        for seed in ("0", "7")
    )
    assert first == second


def test_another_text_is_another_version(tmp_path: Path) -> None:
    build_search_index(PAPERS, tmp_path / "one")
    build_search_index(PAPERS[1:], tmp_path / "other")
    assert part(tmp_path / "one", "manifest")["version"] != part(tmp_path / "other", "manifest")["version"]


@pytest.mark.parametrize(
    "name", ["manifest", "ids", "titles", "terms/0", "places/0", "vocabulary/0", *(f"facets/{each}" for each in FACETS)]
)
def test_a_missing_or_damaged_part_is_named(site: Path, name: str) -> None:
    path = site / SEARCH_FOLDER / f"{name}.js"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UnreadableChunkError) as damaged:
        read_search_index(site)
    assert damaged.value.path == path
    path.unlink()
    with pytest.raises(UnreadableChunkError) as missing:
        read_search_index(site)
    assert missing.value.path == path


def test_a_record_of_another_paper_is_told(site: Path) -> None:
    path = site / RECORDS_FOLDER / f"{PAPERS[0].id}.js"
    path.write_bytes(chunk_script(as_record(PAPERS[1])))
    with pytest.raises(UnreadableChunkError, match="not the record of its paper"):
        read_search_index(site)
