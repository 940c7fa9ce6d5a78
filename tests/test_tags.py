import hashlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest

from generator.markup.tree import MarkupText
from generator.model import Paper, ParsedPaper, Record, SourceRef, Tag, Tagging, TitledPaper
from generator.tags import tag_papers
from generator.tags.acronyms import read_acronyms

SUBJECTS = (
    "graph neural networks",
    "reinforcement learning",
    "irrigation control",
    "coral reefs",
    "speech synthesis",
    "protein folding",
    "large language models (LLMs)",
    "Bayesian inference",
)


def paper(title: str, abstract: str, number: int, keywords: tuple[str, ...] = ()) -> TitledPaper:
    ref = SourceRef("list.txt", number)
    id_ = hashlib.sha256(f"{title}{abstract}{keywords}".encode()).hexdigest()[:12]
    record = Record(ref, "List", abstract, title, keywords=keywords)
    parsed = ParsedPaper(Paper(id_, record, (ref,), ("List",)), MarkupText.of_plain(abstract), None)
    return TitledPaper(parsed, MarkupText.of_plain(title), title_derived=False)


def corpus(subjects: Sequence[str] = SUBJECTS) -> list[TitledPaper]:
    return [
        paper(
            f"Notes on {one}, {two} and {third}",
            f"We look at {one}. For {two}, number {number} of our notes is new. Then {third} come into it.",
            number,
        )
        for number, (one, two, third) in enumerate(combinations(subjects, 3), 1)
    ]


def labels(tagging: Tagging) -> set[str]:
    return {tag.label for tag in tagging.vocabulary}


def test_subjects_become_tags_in_readable_form() -> None:
    tagging = tag_papers(corpus(), ())
    assert {"graph neural networks", "reinforcement learning", "coral reefs", "Bayesian inference"} <= labels(tagging)
    assert "large language models" in labels(tagging)


def test_every_tag_is_shared_and_none_is_nested() -> None:
    tagging = tag_papers(corpus(), ())
    counts = Counter(tag.slug for tags in tagging.tags for tag in tags)
    assert min(counts.values()) >= 2
    for tags in tagging.tags:
        for one, other in combinations(tags, 2):
            assert f" {one.label.lower()} " not in f" {other.label.lower()} "
            assert f" {other.label.lower()} " not in f" {one.label.lower()} "
    assert sum(3 <= len(tags) <= 6 for tags in tagging.tags) >= 0.97 * len(tagging.tags)


def test_slugs_are_unique_and_the_vocabulary_is_sorted_by_them() -> None:
    slugs = [tag.slug for tag in tag_papers(corpus(), ()).vocabulary]
    assert slugs == sorted({slug.lower() for slug in slugs})


def test_c_cpp_and_csharp_are_three_tags_with_three_pages() -> None:
    papers = [
        paper(f"Paper {n}", f"Abstract {n} on compilers.", n, (language,))
        for n, language in enumerate(["C", "C++", "C#"] * 3)
    ]
    tagging = tag_papers(papers, ())
    assert {"C", "C++", "C#"} <= labels(tagging)
    assert len({tag.slug for tag in tagging.vocabulary}) == len(tagging.vocabulary)
    assert "C" in {tag.label for tag in tagging.tags[0]}
    assert not {"C", "C#"} & {tag.label for tag in tagging.tags[1]}


def test_acronyms_need_a_pair_in_the_text() -> None:
    texts = [
        "We use spiking tide models (STMs).",
        "A spiking tide model (STM) and a tide (T).",
        "The standard (STD) one.",
    ]
    assert read_acronyms(texts, 2).expansions == {"stm": ("spike", "tide", "model")}


def test_ambiguous_acronyms_are_left_alone() -> None:
    texts = ["coral learning (CL)", "coral learning (CL)", "curved lines (CL)", "curved lines (CL)"]
    assert read_acronyms([text + "." for text in texts], 2).expansions == {}


def test_the_known_vocabulary_is_kept_as_it_is() -> None:
    known = (
        Tag("Reefs of coral", "my-own-slug", ("coral reef",), -1000, 500, 600),
        Tag("unused tag", "unused-tag", ("no such term",), -1000, 500, 600),
    )
    tagging = tag_papers(corpus(), known)
    kept = {tag.slug: tag for tag in tagging.vocabulary}
    assert kept["my-own-slug"] == known[0]
    assert kept["unused-tag"] == known[1]
    assert "coral reefs" not in labels(tagging)
    assert any(known[0] in tags for tags in tagging.tags)


def test_hash_seed_does_not_matter() -> None:
    code = (
        "from tests.test_tags import corpus; from generator.tags import tag_papers; "
        "from generator.relate import relate_papers; from generator.titles import add_titles; "
        "papers = corpus(); print(tag_papers(papers, ()), relate_papers(papers)); "
        "print(add_titles([paper.parsed for paper in papers]))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=Path(__file__).parent.parent,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("count", [0, 1])
def test_few_papers_have_no_tags(count: int) -> None:
    tagging = tag_papers(corpus()[:count], ())
    assert tagging == Tagging((), ((),) * count)


def test_chinese_abstracts_do_no_harm() -> None:
    papers = [paper("图神经网络", f"我们提出了一种新的图神经网络方法 {n}。", n) for n in range(4)]
    assert len(tag_papers(papers, ()).tags) == 4


def test_a_small_pile_gives_every_paper_three_tags() -> None:
    """Where no title helps, shared words serve; and a second build with the first one's vocabulary changes nothing."""
    themes = ["regret bandits exploration", "glaciers sediment erosion", "birdsong syllables recordings"]
    papers = []
    for number in range(12):
        words = themes[number % 3].split()
        text = f"We ask about {words[0]}. What of {words[1]}? And of {words[2]}, in sample {number}?"
        papers.append(paper(f"Question {number}", text, number))
    first = tag_papers(papers, ())
    assert all(3 <= len(tags) <= 6 for tags in first.tags)
    counts = Counter(tag.label for tags in first.tags for tag in tags)
    assert min(counts.values()) >= 2
    assert tag_papers(papers, first.vocabulary) == first
