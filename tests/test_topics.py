"""The level above the tags: which topics there are, what they hold, and that they stay."""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import sparse

from generator.model import Tag, Tagging, TitledPaper
from generator.tags import tag_papers
from generator.tags.context import PaperWords
from generator.tags.topics import FEWEST_TOPICS, MOST_TOPICS, with_topics
from tests.invented import papers_of_fields, papers_on_shared_subjects
from tests.test_tags import paper


def topics(tagging: Tagging) -> dict[str, str]:
    return {tag.slug: tag.topic for tag in tagging.vocabulary}


def given_slugs(tagging: Tagging) -> set[str]:
    return {tag.slug for tags in tagging.tags for tag in tags}


def assert_well_grouped(tagging: Tagging) -> None:
    """Assert that topics are as many as they may be, led by tags of their own, and hold every tag that papers have."""
    topic_of = topics(tagging)
    leaders = set(topic_of.values()) - {""}
    assert FEWEST_TOPICS <= len(leaders) <= MOST_TOPICS
    assert leaders <= given_slugs(tagging)
    assert all(topic_of[leader] == leader for leader in leaders)
    assert [slug for slug in sorted(given_slugs(tagging)) if not topic_of[slug]] == []
    assert all(tag.topic == topic_of[tag.slug] for tags in tagging.tags for tag in tags)


@pytest.mark.parametrize("papers", [papers_of_fields(1, 1, 12), papers_of_fields(1, 2, 30)], ids=["12", "30"])
def test_a_small_vocabulary_has_no_topics(papers: list[TitledPaper]) -> None:
    tagging = tag_papers(papers, ())
    assert tagging.vocabulary
    assert set(topics(tagging).values()) == {""}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("count", [60, 150])
def test_a_larger_one_has_every_tag_in_a_topic(seed: int, count: int) -> None:
    assert_well_grouped(tag_papers(papers_on_shared_subjects(seed, count), ()))


def test_fields_with_words_of_their_own_are_not_mixed() -> None:
    papers = papers_of_fields(2, 16, 320)
    tagging = tag_papers(papers, ())
    assert_well_grouped(tagging)
    fields_of: dict[str, set[int]] = {}
    for number, tags in enumerate(tagging.tags):
        for tag in tags:
            fields_of.setdefault(tag.topic, set()).add(number % 16)
    # Where there are fewer topics than fields, some hold two; one that holds many groups nothing.
    assert sum(len(fields) for fields in fields_of.values()) <= 2 * 16


def test_topics_of_the_lock_stay_and_new_tags_join_them() -> None:
    papers = papers_of_fields(2, 16, 320)
    first = tag_papers(papers, ())
    stranger = [paper(f"Umbels {n}", f"Umbels of hemlock bloom {n} days. Umbels wilt.", 5000 + n) for n in range(3)]
    old_words = papers[0].title_text.split()[1]
    kin = [
        paper(f"Hemlock {old_words} {n}", f"Hemlock ponds hold the {old_words}, {n} of them.", 6000 + n)
        for n in range(3)
    ]
    more = tag_papers([*papers, *stranger, *kin], first.vocabulary)
    assert topics(first).items() <= topics(more).items()
    assert set(topics(more)) > set(topics(first))
    assert set(topics(more).values()) <= {"", *topics(first).values()}


@pytest.mark.parametrize("seed", range(3))
def test_a_second_build_and_one_paper_less_keep_all_topics(seed: int) -> None:
    papers = papers_on_shared_subjects(seed, 80)
    first = tag_papers(papers, ())
    assert topics(tag_papers(papers, first.vocabulary)) == topics(first)
    fewer = tag_papers(papers[5:], first.vocabulary)
    assert topics(fewer).items() >= {slug: topic for slug, topic in topics(first).items() if topic}.items()


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_papers_does_not_matter(seed: int) -> None:
    papers = papers_on_shared_subjects(seed, 80)
    shuffled = random.Random(seed).sample(papers, len(papers))
    assert topics(tag_papers(shuffled, ())) == topics(tag_papers(papers, ()))


# -- with_topics alone -----------------------------------------------------------------------------------------------


def tag(name: str, topic: str = "") -> Tag:
    return Tag(name, name, (name,), 0, 0, 0, (), topic)


def words_of(papers: Sequence[str]) -> PaperWords:
    """Return the words of papers, each a row of letters that stand for words."""
    keys = tuple(sorted(set("".join(papers))))
    shares = np.array([[500 if key in text else 0 for key in keys] for text in papers], dtype=np.int64)
    return PaperWords(keys, sparse.csr_array(shares.reshape(len(papers), len(keys))))


def test_a_tag_joins_the_topic_whose_papers_have_its_words() -> None:
    tea, choir, cups = tag("tea", "tea"), tag("choir", "choir"), tag("cups")
    words = words_of(["ab", "ab", "xy", "xy", "az", "qz"])
    grouped = with_topics([choir, cups, tea], [[tea], [tea], [choir], [choir], [cups], []], words)
    assert [one.topic for one in grouped] == ["choir", "tea", "tea"]


def test_a_tag_without_telling_words_joins_the_topic_that_it_shares_papers_with() -> None:
    tea, choir, mist = tag("tea", "tea"), tag("choir", "choir"), tag("mist")
    words = words_of(["a", "a", "b", "b", "c"])
    grouped = with_topics([choir, mist, tea], [[tea, mist], [tea], [choir], [choir], [mist]], words)
    assert [one.topic for one in grouped] == ["choir", "tea", "tea"]


def test_without_tags_or_words_there_is_nothing_to_group() -> None:
    assert with_topics([], [], words_of([])) == []
    lone = [tag("tea"), tag("choir")]
    assert with_topics(lone, [[], []], words_of(["a", "b"])) == lone
    many = [tag(f"t{number:02}") for number in range(30)]
    assert len(with_topics(many, [[one] for one in many], words_of([""] * 30))) == 30


def test_a_tag_that_no_paper_has_joins_when_one_has() -> None:
    tea, choir, cups = tag("tea", "tea"), tag("choir", "choir"), tag("cups")
    words = words_of(["ab", "ab", "xy", "xy"])
    before = with_topics([choir, cups, tea], [[tea], [tea], [choir], [choir]], words)
    assert [one.topic for one in before] == ["choir", "", "tea"]
    after = with_topics(before, [[tea], [tea, cups], [choir], [choir]], words)
    assert [one.topic for one in after] == ["choir", "tea", "tea"]
