"""One abstract more or less: what it changes for the others."""

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from generator.model import Tag, Tagging, TitledPaper
from generator.tags import tag_papers
from tests.invented import papers_of_fields, papers_on_shared_subjects
from tests.test_tags import paper

SEEDS = pytest.mark.parametrize("seed", range(6))


def labels(tags: Sequence[Sequence[Tag]]) -> list[list[str]]:
    return [[tag.label for tag in own] for own in tags]


def changed(before: Tagging, after: Tagging) -> list[int]:
    """Return the papers, of those that both have, whose tags differ; the last ones may be one's alone."""
    pairs = zip(labels(before.tags), labels(after.tags), strict=False)
    return [number for number, (one, other) in enumerate(pairs) if one != other]


def shared_by_two(tagging: Tagging) -> set[str]:
    """Return the slugs of tags that two papers have, so that none is left to share them when one of the two goes."""
    counts = Counter(tag.slug for tags in tagging.tags for tag in tags)
    return {slug for slug, count in counts.items() if count == 2}


@SEEDS
def test_a_second_build_changes_nothing(seed: int) -> None:
    papers = papers_on_shared_subjects(seed, 60)
    first = tag_papers(papers, ())
    assert tag_papers(papers, first.vocabulary) == first


@SEEDS
def test_the_order_of_papers_and_of_the_lock_does_not_matter(seed: int) -> None:
    papers = papers_on_shared_subjects(seed, 60)
    first = tag_papers(papers, ())
    chance = random.Random(seed)
    order = chance.sample(range(60), 60)
    turned = [papers[number] for number in order]
    vocabulary = chance.sample(first.vocabulary, len(first.vocabulary))
    for tagging in (tag_papers(turned, ()), tag_papers(turned, vocabulary)):
        assert tagging.vocabulary == first.vocabulary
        assert [tagging.tags[order.index(number)] for number in range(60)] == list(first.tags)


@SEEDS
def test_the_vocabulary_never_shrinks_and_its_tags_never_change(seed: int) -> None:
    papers = papers_on_shared_subjects(seed, 70)
    before = tag_papers(papers[:50], ()).vocabulary
    for end in (51, 55, 70, 40):
        after = {tag.slug: tag for tag in tag_papers(papers[:end], before).vocabulary}
        for tag in before:
            kept = after[tag.slug]
            assert (kept.label, kept.terms, kept.prior, kept.bar, kept.scale, kept.context) == (
                *(tag.label, tag.terms, tag.prior, tag.bar, tag.scale, tag.context),
            )
            assert kept.topic == tag.topic or not tag.topic
        before = tuple(after.values())


@SEEDS
def test_a_paper_that_goes_and_comes_back_has_its_tags_again(seed: int) -> None:
    papers = papers_of_fields(seed, 6, 60)
    first = tag_papers(papers, ())
    for number in range(0, 60, 6):
        fewer = tag_papers([*papers[:number], *papers[number + 1 :]], first.vocabulary)
        assert labels(tag_papers(papers, fewer.vocabulary).tags) == labels(first.tags)


@SEEDS
def test_removing_a_paper_changes_only_those_that_shared_a_tag_with_it_alone(seed: int) -> None:
    papers = papers_of_fields(seed, 6, 60)
    first = tag_papers(papers, ())
    for number in range(0, 60, 6):
        lonely = shared_by_two(first) & {tag.slug for tag in first.tags[number]}
        rest = Tagging(first.vocabulary, (*first.tags[:number], *first.tags[number + 1 :]))
        fewer = tag_papers([*papers[:number], *papers[number + 1 :]], first.vocabulary)
        for other in changed(rest, fewer):
            assert lonely & {tag.slug for tag in rest.tags[other]}


@SEEDS
@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("On umbels", "Umbels are white. We dry umbels, and weigh them."),
        ("", "🙂"),
        ("Anemone", "anemone"),
        ("潮汐", "我们研究潮汐。"),
        ("On all of it", "The of and to in by."),
        ("Long", "umbel " * 20_000),
    ],
    ids=["stranger", "emoji", "one word", "Chinese", "no topic", "long"],
)
def test_a_stranger_changes_no_other_ones_tags(seed: int, title: str, text: str) -> None:
    papers = papers_on_shared_subjects(seed, 60)
    first = tag_papers(papers, ())
    more = tag_papers([*papers, paper(title, text, 99)], first.vocabulary)
    assert changed(first, more) == []


@SEEDS
def test_one_paper_more_of_a_field_changes_no_other_ones_tags(seed: int) -> None:
    papers = papers_of_fields(seed, 6, 61)
    first = tag_papers(papers[:60], ())
    assert changed(first, tag_papers(papers, first.vocabulary)) == []


def test_one_paper_more_with_shared_words_changes_no_other_ones_tags() -> None:
    """Over four corpora, each with every tenth of its papers as the newcomer."""
    moved = []
    for seed in range(4):
        papers = papers_on_shared_subjects(seed, 60)
        for number in range(0, 60, 10):
            others = [*papers[:number], *papers[number + 1 :]]
            first = tag_papers(others, ())
            moved += changed(first, tag_papers([*others, papers[number]], first.vocabulary))
    assert moved == []


def two_of_few_tags() -> tuple[list[TitledPaper], TitledPaper]:
    """Return papers that all mention a brush once, one of them with nothing else to share; and a second such one."""
    subjects = ("kelp farms", "copper windings", "lunar tides", "oyster beds", "granite kilns", "amber looms")
    papers = []
    for number in range(24):
        own = [subjects[(number + step) % len(subjects)] for step in (0, 1, 2)]
        text = f"{own[0].capitalize()} and {own[1]} meet. For {own[2]} we want a brush. The {own[0]} last."
        papers.append(paper(f"On {own[0]} and {own[1]}", text, number))
    papers.append(paper("Haloclines", "Haloclines form. We want a brush.", 50))
    return papers, paper("Umbels", "Umbels wilt. We want a brush.", 51)


def test_a_word_that_two_poor_papers_share_is_no_tag_of_all_others() -> None:
    papers, newcomer = two_of_few_tags()
    first = tag_papers(papers, ())
    assert changed(first, tag_papers([*papers, newcomer], first.vocabulary)) == []


@pytest.mark.parametrize("count", [3, 10, 20, 21, 60])
def test_a_pile_on_a_new_subject_gets_its_tag(count: int) -> None:
    papers = papers_of_fields(5, 6, 90)
    first = tag_papers(papers, ())
    asides = ("gulls", "nets", "ropes", "lanterns", "masts", "wrecks", "dunes")
    new = [
        paper(
            f"Umbel grafting, part {number}",
            f"Umbel grafting on hemlock takes {number} days. There are {asides[number % 7]}. Umbel grafting is slow.",
            700 + number,
        )
        for number in range(count)
    ]
    more = tag_papers([*papers, *new], first.vocabulary)
    assert changed(first, more) == []
    assert sum(any("umbel graft" in label.lower() for label in own) for own in labels(more.tags[90:])) >= count * 0.9
