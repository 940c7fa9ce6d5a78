import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.terms import key_of_word, rarity, readable_form, table_of_words, words_of


def keys(text: str) -> list[str]:
    return [word.key for word in words_of(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("zero-shot", "zero shot"),
        ("Zero-Shot", "zero‑shot"),
        ("LLMs", "LLM"),
        ("LLMs", "llm"),
        ("GNNs", "gnns"),
        ("MoEs", "MoE"),
        ("Networks", "network"),
        ("optimize", "optimization"),
        ("optimisation", "optimization"),
        ("behaviour", "behavior"),
        ("knowledge bases", "knowledge base"),
        ("matrices", "matrix"),
        ("Schrödinger", "Schrodinger"),
        ("the model's bias", "the model bias"),
    ],
)
def test_variants_share_a_key(one: str, other: str) -> None:
    assert keys(one) == keys(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C++", "C#"),
        ("C", "C#"),
        ("supervised", "unsupervised"),
        ("RL", "IRL"),
        ("AT", "at"),
        ("US", "us"),
        ("Bayes", "bay"),
        ("in-context", "in context"),
        ("studie", "study"),
        ("für", "fur"),
        ("dem", "DEM"),
    ],
)
def test_different_words_have_different_keys(one: str, other: str) -> None:
    assert keys(one) != keys(other)


def test_offsets_cut_the_surface_form() -> None:
    text = "We use zero-shot LLMs, and C++."
    assert [text[word.start : word.end] for word in words_of(text)] == [
        "We",
        "use",
        "zero",
        "shot",
        "LLMs",
        "and",
        "C++",
    ]


def test_phrases_end_at_punctuation() -> None:
    joined = [(word.key, word.joined, word.hyphened) for word in words_of("deep nets, few-shot")]
    assert joined == [
        ("deep", False, False),
        ("net", True, False),
        ("few-", False, False),
        ("shot", True, True),
    ]


@pytest.mark.parametrize(
    "text",
    ["", " ", "图神经网络可以学习", "日本語のテキスト。", "नमस्ते दुनिया", "שלום עולם", "\ufffd\x00", "🙂", "a\u0301b"],
)
def test_any_script_is_read(text: str) -> None:
    for word in words_of(text):
        assert 0 <= word.start < word.end <= len(text)
    assert table_of_words([text, text]).key_numbers.size % 2 == 0


def test_chinese_comes_as_pairs() -> None:
    assert keys("图神经") == ["图神", "神经"]
    assert keys("图") == ["图"]


def test_table_does_not_depend_on_other_texts_order() -> None:
    one, other = table_of_words(["graph nets", "deep trees"]), table_of_words(["deep trees", "graph nets"])
    assert one.keys == other.keys == ("deep", "graph", "net", "tree")


@pytest.mark.parametrize(("papers_with", "papers"), [(1, 2), (3, 10), (7, 9815), (999, 1000), (1, 64389)])
def test_rarity_is_the_logarithm(papers_with: int, papers: int) -> None:
    assert rarity(papers_with, papers) == pytest.approx(1000 * math.log2(papers / papers_with), abs=2)


@pytest.mark.parametrize(("papers_with", "papers"), [(0, 5), (5, 5), (6, 5)])
def test_rarity_of_what_all_or_none_hold_is_nothing(papers_with: int, papers: int) -> None:
    assert rarity(papers_with, papers) == 0


@pytest.mark.parametrize(
    ("counts", "form"),
    [
        ({"Graph networks": 5, "graph networks": 3}, "graph networks"),
        ({"Bayesian": 40, "bayesian": 1}, "Bayesian"),
        ({"GPT-4": 2, "gpt-4": 1}, "GPT-4"),
        ({"b": 1, "a": 1}, "a"),
        ({"two\nlines": 1}, "two lines"),
    ],
)
def test_readable_form(counts: dict[str, int], form: str) -> None:
    assert readable_form(counts) == form


def test_long_words_cost_no_time() -> None:
    assert len(key_of_word("x" * 100_000)) == 100_000


def test_the_first_word_is_joined_to_none_whatever_the_text_ends_with() -> None:
    table = table_of_words(["reefs of coral ", "Tides rise"])
    words = [table.keys[number] if number >= 0 else "|" for number in table.key_numbers.tolist()]
    assert words == ["|", "reef", "of", "coral", "|", "tide", "rise"]


_SCRAPS = st.sampled_from(
    [
        "deep",
        "nets",
        "K",
        "k",
        "s",
        "in",
        "C++",
        "C#",
        "GPT",
        "4",
        "don",
        "Bäcker",
        "für",
        "Schro\u0308dinger",
        "को",
        "_",
    ]
    + [" ", "  ", "-", "–", "\n", " \n ", "'", "’s", "'s ", ", ", ". ", "(", ")", "\u00a0", "         ", "--", "- "]
)


@given(st.lists(st.lists(_SCRAPS, max_size=14).map("".join), max_size=4))
def test_a_table_holds_the_words_of_each_text(texts: list[str]) -> None:
    table = table_of_words(texts)
    expected: list[tuple[int, str | None, int, int, bool]] = []
    for number, text in enumerate(texts):
        for word in words_of(text):
            if not word.joined:
                expected.append((number, None, word.start, word.start, False))
            expected.append((number, word.key, word.start, word.end, word.hyphened))
    keys = [None if key < 0 else table.keys[key] for key in table.key_numbers.tolist()]
    columns = (table.text_numbers, table.starts, table.ends, table.hyphened)
    numbers, starts, ends, ties = (column.tolist() for column in columns)
    assert list(zip(numbers, keys, starts, ends, ties, strict=True)) == expected
    assert set(table.keys) == {key for key in keys if key is not None}
