import pytest

from generator.markup.tree import Formula, MarkupText, Styled, Words
from generator.model import Paper, ParsedPaper, Record, SourceRef
from generator.titles import LONGEST_TITLE, add_titles, derive_title


def title_of(abstract: str) -> str:
    return derive_title(MarkupText.of_plain(abstract)).plain


@pytest.mark.parametrize(
    ("abstract", "title"),
    [
        (
            "Gardens dry out. We propose DripNet, a lightweight controller for garden irrigation. It works.",
            "DripNet: Lightweight controller for garden irrigation",
        ),
        (
            "Gardens dry out. We introduce a lightweight controller for garden irrigation called DripNet. It saves.",
            "DripNet: Lightweight controller for garden irrigation",
        ),
        (
            "Maps of reefs are old. In this paper, we present Reef Atlas Builder (RAB), which draws them anew. "
            "RAB is fast, and RAB is cheap.",
            "RAB: Reef Atlas Builder",
        ),
    ],
)
def test_a_named_method_leads_its_title(abstract: str, title: str) -> None:
    assert title_of(abstract) == title


def test_a_known_acronym_is_no_name() -> None:
    title = title_of(
        "Large language models (LLMs) write recipes. We study the nutritional quality of recipes written by LLMs. "
        "LLMs forget salt."
    )
    assert not title.startswith("LLM")
    assert "ecipes" in title


ABSTRACTS = [
    "In this paper, we study the effect of bird song on the growth of young tomato plants (YTPs). We find none.",
    'We ask whether "quiet" keyboards (those under 30 dB) help. They do not, and nobody knows why.',
    "Short.",
    "One two",
    "?!",
    "$",
    "x" * 500,
    "word " * 400,
    "我们提出了一种新的图神经网络方法，用于分子性质预测。实验表明其有效。",
    "Nous étudions la croissance des tomates dans les serres du nord. Les résultats sont bons.",
    "(((( unbalanced [ brackets { everywhere",
    "We propose",
    "We propose a, and the, of in (X), a",
    "e.g. i.e. et al. Fig. 1.",
]


@pytest.mark.parametrize("abstract", ABSTRACTS)
def test_every_title_is_sound(abstract: str) -> None:
    title = title_of(abstract)
    assert title.strip()
    assert len(title) <= LONGEST_TITLE
    assert all(title.count(opening) == title.count(closing) for opening, closing in ("()", "[]")) or "((" in abstract
    assert len(title.split()) < 2 or title.split()[-1] not in {"and", "of", "the", "a", "in", "with", "to", "for"}
    assert title_of(abstract) == title


def test_no_title_begins_with_in_this_paper() -> None:
    title = title_of(ABSTRACTS[0])
    assert not title.lower().startswith("in this paper")
    assert "ffect of bird song on" in title
    assert "(" not in title


def test_formulas_and_styles_stay() -> None:
    abstract = MarkupText(
        (
            Words("We propose "),
            Styled("strong", (Words("LeafSort"),)),
            Words(", a sorting network for "),
            Formula("n^2", False, "n²"),
            Words("-ary leaves. It sorts."),
        )
    )
    title = derive_title(abstract)
    assert title.plain.startswith("LeafSort: Sorting network for n²")
    assert Styled("strong", (Words("LeafSort"),)) in title.nodes
    assert Formula("n^2", False, "n²") in title.nodes


def parsed(abstract: str, title: str | None, number: int = 1) -> ParsedPaper:
    ref = SourceRef("list.txt", number)
    paper = Paper(f"{number:012x}", Record(ref, "List", abstract, title), (ref,), ("List",))
    return ParsedPaper(paper, MarkupText.of_plain(abstract), None if title is None else MarkupText.of_plain(title))


def test_the_sources_title_wins_unless_it_is_blank() -> None:
    papers = [
        parsed("We study bees in winter.", "Bees", 1),
        parsed("We study wasps in winter.", "  ", 2),
        parsed("We study ants in winter.", None, 3),
    ]
    titled = add_titles(papers)
    assert [paper.parsed for paper in titled] == papers
    assert [paper.title_derived for paper in titled] == [False, True, True]
    assert titled[0].title.plain == "Bees"
    assert "asps" in titled[1].title.plain
    assert add_titles([]) == []
