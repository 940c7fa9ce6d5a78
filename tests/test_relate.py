import random
from itertools import combinations

from generator.markup.tree import MarkupText
from generator.model import Paper, ParsedPaper, Record, SourceRef, TitledPaper
from generator.relate import MOST_RELATED, MOST_TERMS, relate_papers

SUBJECTS = ("graph networks", "coral reefs", "speech synthesis", "protein folding", "tide tables", "Bayesian inference")


def paper(title: str, abstract: str, number: int) -> TitledPaper:
    ref = SourceRef("list.txt", number)
    parsed = ParsedPaper(
        Paper(f"{number:012x}", Record(ref, "List", abstract, title), (ref,), ("List",)),
        MarkupText.of_plain(abstract),
        None,
    )
    return TitledPaper(parsed, MarkupText.of_plain(title), title_derived=False)


def corpus() -> list[TitledPaper]:
    return [
        paper(f"Notes on {one} and {two}", f"We look at {one}. Then {two} come into it, and number {number}.", number)
        for number, (one, two) in enumerate(combinations(SUBJECTS, 2), 1)
    ]


def test_shared_subjects_relate_papers_and_say_why() -> None:
    papers = [
        paper("Coral reefs at night", "We film coral reefs. The fish sleep.", 1),
        paper("Coral reefs by day", "Coral reefs are busy. Boats pass.", 2),
        paper("Speech synthesis", "Robots talk with a warm voice.", 3),
        paper("Speech for robots", "Robots need speech synthesis.", 4),
        paper("Tax law", "Nobody reads it.", 5),
    ]
    related = relate_papers(papers)
    assert [r.paper_id for r in related[0]] == [papers[1].id]
    assert related[0][0].terms[0] == "coral reefs"
    assert [r.paper_id for r in related[2]] == [papers[3].id]
    assert related[4] == ()


def test_limits_and_order() -> None:
    papers = corpus()
    for own, related in zip(papers, relate_papers(papers), strict=True):
        assert len(related) <= MOST_RELATED
        assert own.id not in {r.paper_id for r in related}
        assert [r.score for r in related] == sorted((r.score for r in related), reverse=True)
        assert all(0 < r.score <= 1 and 1 <= len(r.terms) <= MOST_TERMS for r in related)


def test_order_of_papers_does_not_matter() -> None:
    papers = corpus()
    first = {own.id: related for own, related in zip(papers, relate_papers(papers), strict=True)}
    shuffled = random.Random(5).sample(papers, len(papers))
    assert {own.id: related for own, related in zip(shuffled, relate_papers(shuffled), strict=True)} == first


def test_equal_texts_do_not_divide_by_zero() -> None:
    papers = [paper("Same", "The same words here.", n) for n in range(3)]
    assert len(relate_papers(papers)) == 3


def test_empty_inputs() -> None:
    assert relate_papers([]) == []
    assert relate_papers(corpus()[:1]) == [()]
    assert relate_papers([paper("?", "!", 1), paper("…", "—", 2)]) == [(), ()]
