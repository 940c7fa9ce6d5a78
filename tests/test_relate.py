import random
import re
from itertools import combinations

import pytest

from generator.markup.tree import MarkupText
from generator.model import Paper, ParsedPaper, Record, Related, SourceRef, Tag, TitledPaper
from generator.relate import MOST_RELATED, MOST_TERMS, relate_papers
from generator.terms import word_set

SUBJECTS = ("graph networks", "coral reefs", "speech synthesis", "protein folding", "tide tables", "Bayesian inference")
MATTERS = sorted(
    word_set(
        """
        graph coral speech protein tide Bayesian kernel lattice glacier violin harbour pollen magnet cipher orchard
        turbine enzyme dialect volcano ledger mosaic sonar beehive compass
        """
    )
)


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


def pile(size: int) -> list[TitledPaper]:
    """Return papers of eight words each, out of few subjects, as invented as they read."""
    chance = random.Random(7)
    return [
        paper(
            f"On the {' '.join(chance.sample(MATTERS, 2))} of {number}",
            f"The {' and the '.join(chance.sample(MATTERS, 6))} are measured, then item{number} is left.",
            number,
        )
        for number in range(1, size + 1)
    ]


def ids(related: tuple[Related, ...]) -> list[int]:
    return [int(one.paper_id, 16) for one in related]


def test_shared_subjects_relate_papers_and_say_why() -> None:
    papers = [
        paper("Coral reefs at night", "We film coral reefs. The fish sleep.", 1),
        paper("Coral reefs by day", "Coral reefs are busy. Boats pass.", 2),
        paper("Speech synthesis", "Robots talk with a warm voice.", 3),
        paper("Speech for robots", "Robots need speech synthesis.", 4),
        paper("Tax law", "Nobody reads it.", 5),
    ]
    related = relate_papers(papers)
    assert ids(related[0]) == [2]
    assert related[0][0].terms[0] == "coral reefs"
    assert ids(related[2]) == [4]
    assert related[4] == ()


def test_limits_and_order() -> None:
    for papers in (corpus(), pile(60)):
        for own, related in zip(papers, relate_papers(papers), strict=True):
            assert len(related) <= MOST_RELATED
            assert own.id not in {r.paper_id for r in related}
            assert len({r.paper_id for r in related}) == len(related)
            assert [r.score for r in related] == sorted((r.score for r in related), reverse=True)
            assert all(0 < r.score <= 1 and 1 <= len(r.terms) <= MOST_TERMS for r in related)


@pytest.mark.parametrize("size", [15, 300])
def test_order_of_papers_does_not_matter(size: int) -> None:
    papers = pile(size)
    first = {own.id: related for own, related in zip(papers, relate_papers(papers), strict=True)}
    shuffled = random.Random(5).sample(papers, len(papers))
    assert {own.id: related for own, related in zip(shuffled, relate_papers(shuffled), strict=True)} == first


def test_readers_find_their_way_back() -> None:
    links = {(own, other) for own, related in enumerate(relate_papers(pile(300)), 1) for other in ids(related)}
    assert sum((other, own) in links for own, other in links) / len(links) > 0.5


def test_a_survey_of_everything_is_no_hub() -> None:
    chance = random.Random(3)
    papers = [
        paper(f"The {word} of {n}", f"A {word} by the {' and '.join(chance.sample(MATTERS, 3))}, item{n}.", n)
        for n, word in enumerate(MATTERS * 10, 1)
    ]
    papers.append(paper("A survey", " ".join(f"The {word} is here." for word in MATTERS), 999))
    related = relate_papers(papers)
    assert sum(999 in ids(one) for one in related) < 20


REEFS = (
    "We film the coral reefs of a lagoon for nine months and count the parrotfish that sleep there. Their number follows "
    "the tides and the moon, and not the boats that carry divers past the outer reef."
)


@pytest.mark.parametrize(
    "twin",
    [
        ("Parrotfish of a lagoon", REEFS.upper()),
        ("Parrotfish of a lagoon", REEFS.replace("nine", "ten")),
        ("Sleepers: extended version", f"{REEFS} This is the longer version."),
        ("The Sleep of Parrotfish in Lagoons", "Another text on coral reefs and on fish that sleep under the moon."),
    ],
    ids=["other case", "other number", "longer", "same title"],
)
def test_versions_of_a_paper_are_not_related(twin: tuple[str, str]) -> None:
    papers = [
        paper("The sleep of parrotfish in lagoons", REEFS, 1),
        paper(*twin, 2),
        paper("Coral reefs from above", "Drones map coral reefs and a lagoon in the tides.", 3),
        paper("Moon and tides", "The moon moves the tides.", 4),
        paper("Boats", "Boats carry divers to coral reefs.", 5),
    ]
    related = relate_papers(papers)
    assert 2 not in ids(related[0])
    assert 1 not in ids(related[1])
    assert 3 in ids(related[0])
    # Nor do both take a place in another's list.
    assert all(not {1, 2} <= set(ids(one)) for one in related)


def test_a_preface_is_no_version_of_another() -> None:
    papers = [
        paper("Preface", "Papers on coral reefs and lagoons, by divers.", 1),
        paper("Preface", "Papers on coral reefs and parrotfish, by students.", 2),
        paper("Tax", "Law on cars and roads.", 3),
    ]
    assert ids(relate_papers(papers)[0]) == [2]


def test_a_crowd_of_near_identical_texts_finds_what_stands_apart() -> None:
    crowd = [paper(f"Report {n}", f"{REEFS} Station{n}.", n) for n in range(1, 101)]
    others = [
        paper(f"Parrotfish {n}", f"The {' '.join(MATTERS[n : n + 3])} of parrotfish at night.", 500 + n)
        for n in range(20)
    ]
    related = relate_papers(crowd + others)
    for one in related[:100]:
        assert one
        assert all(other >= 500 for other in ids(one))
    assert all(sum(other <= 100 for other in ids(one)) <= 1 for one in related)


def test_a_pile_of_one_text_has_no_relations() -> None:
    papers = [paper("Report", f"{REEFS} Number {n}.", n) for n in range(12)]
    assert relate_papers(papers) == [()] * 12


def test_a_small_pile_on_one_subject_is_related_all_the_same() -> None:
    papers = [
        paper("Reefs at night", "Coral reefs shelter the sleeping parrotfish.", 1),
        paper("Reefs by day", "Coral reefs attract boats, divers and noise.", 2),
        paper("Reefs in winter", "Coral reefs turn pale when the water cools.", 3),
    ]
    assert [set(ids(one)) for one in relate_papers(papers)] == [{2, 3}, {1, 3}, {1, 2}]
    assert [ids(one) for one in relate_papers(papers[:2])] == [[2], [1]]


def test_reasons_are_whole_phrases_apart_from_each_other() -> None:
    texts = [
        "Time series forecasting with gates helps large language models.",
        "Ships trust time series forecasting by large language models of the tides, the wind and the swell.",
        "We improve time series forecasting.",
        "Robots ask large language models.",
        "Ships ask large language models.",
        "A harbour needs time series forecasting.",
    ]
    papers = [paper(f"Paper {MATTERS[n]}", text, n) for n, text in enumerate(texts, 1)]
    papers += [paper(f"Paper {word}", f"The {word} alone.", 50 + n) for n, word in enumerate(MATTERS[8:])]
    terms = relate_papers(papers)[0][0].terms
    assert set(terms) == {"time series forecasting", "large language models"}


def test_what_any_paper_says_of_itself_is_no_reason() -> None:
    papers = [
        paper("Reefs", "The proposed method improves performance. Our results are significant.", 1),
        paper("Tides", "The proposed method improves performance. Many results are significant.", 2),
        paper("Boats", "Nobody has seen them.", 3),
    ]
    assert relate_papers(papers) == [(), (), ()]


def test_shared_tags_are_reasons() -> None:
    tag = Tag("marine biology", "marine-biology", (), -1000, 500, 600)
    reef = Tag("coral reefs", "coral-reefs", (), -1000, 500, 600)
    papers = [
        paper("Coral reefs at night", "We film coral reefs. Parrotfish sleep by moonlight in caves.", 1),
        paper(
            "Coral reefs by day",
            "Coral reefs are busy, boats and divers pass, and parrotfish in caves miss the moonlight.",
            2,
        ),
        paper("Tax law", "Nobody reads it.", 3),
    ]
    plain, tagged = relate_papers(papers), relate_papers(papers, [(tag, reef), (reef, tag), (tag,)])
    assert ids(plain[0]) == ids(tagged[0]) == [2]
    assert plain[0][0].score == tagged[0][0].score
    assert "marine biology" in tagged[0][0].terms
    assert len([term for term in tagged[0][0].terms if "coral" in term]) == 1


def test_another_paper_changes_few_lists() -> None:
    papers = pile(300)
    before = relate_papers(papers)
    after = relate_papers([*papers, paper("The glacier", "A glacier and a violin meet in the harbour.", 9999)])[:-1]
    others = [set(ids(one)) ^ set(ids(two)) for one, two in zip(before, after, strict=True)]
    assert sum(map(bool, others)) < 60


@pytest.mark.parametrize(
    ("one", "two", "stranger"),
    [
        ("珊瑚礁的夜间观测", "白天的珊瑚礁观测", "税法没有人阅读"),
        ("Ночные коралловые рифы", "Дневные коралловые рифы", "Налоговое право"),
        ("الشعاب المرجانية ليلا", "الشعاب المرجانية نهارا", "قانون الضرائب"),
        ("Die Nacht der Korallenriffe", "Der Tag der Korallenriffe", "Steuerrecht"),
    ],
)
def test_other_languages(one: str, two: str, stranger: str) -> None:
    related = relate_papers([paper(text, text, number) for number, text in enumerate((one, two, stranger), 1)])
    assert ids(related[0]) == [2]
    assert related[0][0].terms
    assert related[2] == ()


def test_hostile_texts() -> None:
    papers = [
        paper("🪸", "🪸" * 1000, 1),
        paper("", "coral " * 100_000, 2),
        paper("", " ".join(f"w{n}" for n in range(50_000)), 3),
        paper("", " ".join(f"w{n}" for n in range(50_000)) + " coral", 4),
        paper("x", "coral", 5),
    ]
    related = relate_papers(papers)
    assert all(len(one) <= MOST_RELATED for one in related)
    assert ids(related[2]) == []


def test_terms_are_of_both_texts() -> None:
    papers = pile(80)
    words = {
        int(p.id, 16): set(re.findall(r"\w+", f"{p.title_text} {p.parsed.abstract.prose}".casefold())) for p in papers
    }
    for own, related in enumerate(relate_papers(papers), 1):
        for one in related:
            shared = words[own] & words[int(one.paper_id, 16)]
            assert {word for term in one.terms for word in term.casefold().split()} <= shared


def test_equal_texts_do_not_divide_by_zero() -> None:
    papers = [paper("Same", "The same words here.", n) for n in range(3)]
    assert relate_papers(papers) == [(), (), ()]


def test_empty_inputs() -> None:
    assert relate_papers([]) == []
    assert relate_papers(corpus()[:1]) == [()]
    assert relate_papers([paper("?", "!", 1), paper("…", "—", 2)]) == [(), ()]
