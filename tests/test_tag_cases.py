"""One small case for each rule by which tags are chosen and given."""

import random
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from generator.model import Tagging
from generator.tags import tag_papers
from generator.tags.acronyms import read_acronyms
from generator.tags.labels import label_of, nested_labels
from generator.tags.likelihood import CERTAIN, chances
from generator.tags.topics import FEWEST_TOPICS, MOST_TOPICS
from tests.bench_relate import CORPORA, read_papers
from tests.invented import papers_of_fields
from tests.test_tags import paper

FILLERS = (
    "Gulls scream above the harbour wall.",
    "Nets dry in the morning sun.",
    "An old pilot keeps the log.",
    "Ropes rot where salt meets rain.",
    "Lanterns swing on every mast.",
    "Children count the returning boats.",
)


def pile(texts: Sequence[tuple[str, str]], keywords: tuple[str, ...] = ()) -> Tagging:
    papers = [
        paper(title, f"{text} {FILLERS[number % len(FILLERS)]}", number, keywords)
        for number, (title, text) in enumerate(texts)
    ]
    return tag_papers(papers, ())


def labels(tagging: Tagging, number: int) -> list[str]:
    return [tag.label for tag in tagging.tags[number]]


@pytest.mark.parametrize(
    ("forms", "label"),
    [
        ({"robust": 30, "robustness": 9, "Robust": 2}, "robustness"),
        ({"robust": 300, "robustness": 2}, "robust"),
        ({"pre-trained": 30, "pre-training": 9}, "pre-training"),
        ({"pre-trained": 300, "pre-training": 1}, "pre-trained"),
        ({"tide tables": 4, "TTs": 20}, "tide tables"),
        ({"tide tables": 1, "TTs": 20}, "TTs"),
        ({"Coral Reefs": 5, "coral reefs": 3}, "coral reefs"),
        ({}, ""),
    ],
)
def test_the_label_is_what_readers_would_call_it(forms: dict[str, int], label: str) -> None:
    assert label_of(Counter(forms)) == label


def test_labels_are_nested_as_whole_words_whatever_their_case() -> None:
    found = nested_labels(["reef", "Coral Reef", "reefer", "coral"])
    assert found.tolist() == [0 * 4 + 1, 1 * 4 + 3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low-rank adaptation (LoRA)", {"lora": ("low", "rank", "adapt")}),
        ("text-to-image (T2I)", {"t2i": ("text", "to-", "imag")}),
        ("sparse autoencoders (SAEs)", {"sae": ("spars", "autoencod")}),
        ("non-tidal lakes (TL)", {}),
        ("harbours (see Fig)", {}),
    ],
)
def test_what_an_acronym_stands_for(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert read_acronyms([f"We study {text}."], 1).expansions == expected


def test_an_acronym_of_several_meanings_names_no_subject() -> None:
    meanings = ["coral lime (CL)", "cold lagoons (CL)", "coral lime (CL)", "cold lagoons (CL)"]
    assert read_acronyms([f"{text}." for text in meanings], 1).ambiguous == {"CL"}
    tagging = pile([(f"On {text[:-5]}", f"We study {text}. CL is common, and CL grows.") for text in meanings])
    assert "CL" not in {tag.label for tag in tagging.vocabulary}
    assert "coral lime" in labels(tagging, 0)
    assert "coral lime" not in labels(tagging, 1)


def test_no_tag_is_found_inside_a_hyphenated_word_but_before_a_mere_suffix() -> None:
    tagging = pile(
        [
            ("On kelp", "Kelp is brown. We dry kelp."),
            ("More kelp", "Kelp is wet. Kelp grows."),
            ("Of soap", "A kelp-based soap foams, and kelp-based glue sticks."),
            ("Of snails", "The anti-kelp snail eats. An anti-kelp fence keeps it."),
        ]
    )
    assert ["kelp" in labels(tagging, number) for number in range(4)] == [True, True, True, False]


@pytest.mark.parametrize("word", ["swiftly", "furthermore", "consequently", "demonstrate", "novel", "method"])
def test_words_that_name_no_subject_are_no_tags(word: str) -> None:
    tagging = pile(
        [(f"Kelp {n}", f"{word.capitalize()}, kelp is brown. And {word}, we say. Kelp dries.") for n in range(5)]
    )
    assert {tag.label.lower() for tag in tagging.vocabulary}.isdisjoint({word})
    assert "kelp" in {tag.label for tag in tagging.vocabulary}


def test_a_verb_with_its_object_is_no_tag() -> None:
    tagging = pile([(f"Kelp {n}", f"We uncover the kelp, and uncover a reef, for {n} days.") for n in range(5)])
    assert not {"uncover", "uncovers"} & {tag.label for tag in tagging.vocabulary}


def test_keywords_of_the_authors_are_tags_first() -> None:
    tagging = pile([(f"Kelp {n}", "Kelp is dried by wind.") for n in range(3)], ("wind drying",))
    assert labels(tagging, 0)[0] == "wind drying"


def test_what_a_paper_is_about_comes_before_what_it_mentions() -> None:
    tagging = pile(
        [("On kelp", "Kelp is brown. We dry kelp, and weigh kelp. At last there is limestone.")] * 1
        + [("On limestone", "Limestone is grey. We cut limestone, and weigh limestone. At last there is kelp.")]
        + [("Kelp and limestone", "Kelp grows on limestone. Limestone has kelp.")]
    )
    assert labels(tagging, 0)[0] == "kelp"
    assert labels(tagging, 1)[0] == "limestone"


def test_chances_rise_with_the_odds() -> None:
    found = chances(np.array([-50_000, -4000, 0, 4000, 50_000], dtype=np.int64)).tolist()
    assert found == sorted(found)
    assert found[2] == CERTAIN // 2
    assert found[1] + found[3] == CERTAIN


# -- topics ----------------------------------------------------------------------------------------------------------


def test_a_small_vocabulary_has_no_topics() -> None:
    tagging = tag_papers(papers_of_fields(1, 1, 12), ())
    assert tagging.vocabulary
    assert {tag.topic for tag in tagging.vocabulary} == {""}


def test_topics_group_all_tags_and_stay() -> None:
    papers = papers_of_fields(2, 16, 320)
    first = tag_papers(papers, ())
    slugs = {tag.slug for tag in first.vocabulary}
    leaders = {tag.topic for tag in first.vocabulary}
    assert FEWEST_TOPICS <= len(leaders - {""}) <= MOST_TOPICS
    assert leaders - {""} <= slugs
    assert all(tag.topic for tags in first.tags for tag in tags)
    assert all(tag.topic == tag.slug for tag in first.vocabulary if tag.slug in leaders)
    stranger = [paper(f"Umbels {n}", f"Umbels of hemlock bloom {n} days. Umbels wilt.", 5000 + n) for n in range(3)]
    more = tag_papers([*papers, *stranger], first.vocabulary)
    kept = {tag.slug: tag.topic for tag in more.vocabulary}
    assert {tag.slug: tag.topic for tag in first.vocabulary}.items() <= kept.items()
    shuffled = random.Random(3).sample(papers, len(papers))
    assert tag_papers(shuffled, ()).vocabulary == first.vocabulary


@pytest.mark.parametrize("seed", range(4))
def test_one_paper_more_or_less_changes_no_other_ones_tags(seed: int) -> None:
    papers = papers_of_fields(seed, 6, 61)
    all_of_them = tag_papers(papers, ())
    fewer = tag_papers(papers[1:], all_of_them.vocabulary)
    lone = [tag.slug for tag, count in Counter(t for ts in fewer.tags for t in ts).items() if count == 1]
    assert lone == []
    changed = sum(one != other for one, other in zip(fewer.tags, all_of_them.tags[1:], strict=True))
    # Who shared a tag with that paper alone loses it.
    shared = Counter(tag.slug for tags in all_of_them.tags for tag in tags)
    assert changed <= sum(shared[tag.slug] == 2 for tag in all_of_them.tags[0])
    without = tag_papers(papers[1:], ())
    assert tag_papers(papers, without.vocabulary).tags[1:] == without.tags


# -- languages and hostile texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Wir messen die Gezeiten der Nordsee mit Pegeln und werten die Gezeiten aus.", {"die", "und", "der", "wir"}),
        ("Nous mesurons les marées de la mer du Nord avec des jauges pour la marée.", {"les", "de", "pour", "des"}),
        ("Medimos las mareas del mar del Norte con una regla para las mareas.", {"las", "del", "para", "una"}),
        ("我们提出一种基于潮汐的方法，用于研究北海的潮汐。", {"我们", "基于", "方法"}),
        ("🙂🙂 🙂", {"🙂"}),
        ("", set()),
        ("tide", set()),
    ],
)
def test_other_languages_get_sensible_tags_or_fewer(text: str, never: set[str]) -> None:
    tagging = pile([(f"Pegel {number}", text) for number in range(6)])
    assert never.isdisjoint({tag.label.lower() for tag in tagging.vocabulary})


def test_a_word_of_a_megabyte_does_no_harm() -> None:
    tagging = pile([("Long", "a" * 1_000_000), ("On kelp", "Kelp is brown. Kelp is wet."), ("Of kelp", "Kelp. Kelp.")])
    assert labels(tagging, 1) == labels(tagging, 2)
    assert "kelp" in labels(tagging, 1)


def test_a_word_that_a_line_break_cut_makes_no_tag_of_an_empty_word() -> None:
    texts = [("Kelp", "Our ap-proach to kelp is an approach, and an approach it stays. Kelp dries.")] * 6
    tagging = pile([(f"{title} {number}", text) for number, (title, text) in enumerate(texts)])
    assert "approach" not in {tag.label for tag in tagging.vocabulary}


# -- real abstracts --------------------------------------------------------------------------------------------------

REAL = "icml2025.jsonl"


@pytest.mark.corpora
@pytest.mark.skipif(not (CORPORA / REAL).exists(), reason=f"{REAL} is not in {CORPORA}")
def test_real_abstracts_in_any_order_and_one_more_or_less() -> None:
    papers = read_papers(REAL)[0][:1200]
    first = tag_papers(papers, ())
    given = dict(zip([one.id for one in papers], first.tags, strict=True))
    assert sum(3 <= len(tags) <= 6 for tags in first.tags) >= 0.97 * len(papers)
    assert min(Counter(tag.slug for tags in first.tags for tag in tags).values()) > 1
    shuffled = random.Random(5).sample(papers, len(papers))
    again = tag_papers(shuffled, ())
    assert again.vocabulary == first.vocabulary
    assert all(given[one.id] == tags for one, tags in zip(shuffled, again.tags, strict=True))
    for left_out in (0, 600):
        fewer = [*papers[:left_out], *papers[left_out + 1 :]]
        without = tag_papers(fewer, first.vocabulary)
        assert all(given[one.id] == tags for one, tags in zip(fewer, without.tags, strict=True))
        start = tag_papers(fewer, ())
        more = tag_papers(papers, start.vocabulary)
        assert more.tags[:left_out] + more.tags[left_out + 1 :] == start.tags
