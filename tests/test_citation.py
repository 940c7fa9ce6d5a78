"""Citations: what they hold, and that they say when a title is derived."""

import re
from dataclasses import replace

import pytest

from generator.markup.papers import parse_papers
from generator.markup.tree import MarkupText
from generator.merge import merge_records
from generator.model import Entry, Record, SourceRef, TitledPaper
from generator.pages import write_pages
from generator.pages.citation import cite
from generator.pages.templates import BUNDLED_TEMPLATES, page_templates
from tests.rendering import render, text_of


def entry(title: str = "Tea", *, derived: bool = False, collection: str = "Village", **fields: object) -> Entry:
    record = replace(Record(SourceRef("a.txt", 1), collection, "We drink tea."), **fields)  # type: ignore[arg-type]
    ((parsed, _),) = parse_papers(merge_records([record]).papers)
    return Entry(TitledPaper(parsed, MarkupText.of_plain(title), title_derived=derived), "tea", "2030-12-31", (), ())


@pytest.mark.parametrize(
    ("given", "citation"),
    [
        (entry(), "Tea. Village."),
        (entry("Tea?"), "Tea? Village."),
        (entry("Tea", derived=True), "Tea [title derived from the abstract]. Village."),
        (entry("Tea?", derived=True), "Tea? [title derived from the abstract]. Village."),
        (entry(authors=("Berta Laib",), year=2030), "Berta Laib. Tea. Village, 2030."),
        (entry(authors=("Laib, B.",), year=2030), "Laib, B. Tea. Village, 2030."),
        (entry(authors=("A B", "C D", "E F")), "A B, C D, E F. Tea. Village."),
        (entry(authors=("A B", "C D", "E F", "G H")), "A B et al. Tea. Village."),
        (entry(collection="Village 2030", year=2030), "Tea. Village 2030."),
        (entry(collection="Village 2030", year=2031), "Tea. Village 2030, 2031."),
        (entry(url="https://example.org/tea_?a=1&b=2"), "Tea. Village. https://example.org/tea_?a=1&b=2"),
        (entry("Two\nlines", authors=("A\tB",)), "A B. Two lines. Village."),
        (entry("", collection="V\n W"), "V W."),
    ],
)
def test_a_citation_holds_what_is_known(given: Entry, citation: str) -> None:
    assert cite(given) == citation


def shown(given: Entry) -> str:
    """Return the HTML of the citation on the page."""
    pages = write_pages([given], page_templates((BUNDLED_TEMPLATES,)), site_name="Shelf", entries_per_page=200)
    html = render(next(pages).text)
    assert html.count("<details") == html.count("</details>") == 1
    return html.partition('<details class="shelf-cite">')[2].partition("</details>")[0]


def test_it_is_on_the_page_closed_and_short() -> None:
    html = shown(entry("Tea & clay", derived=True))
    assert html.split("</summary>")[0].strip() == "<summary>Cite"
    assert text_of(html.split("</summary>")[1]) == "Tea & clay [title derived from the abstract]. Village."
    assert len(html.encode()) < 150


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "</details><b>out</b>",
        "[x](javascript:alert(1))",
        "{{ config }} {% raw %}",
        "# No heading *no emphasis* `no code` $x$",
        "{: .shelf-note #x onclick=y }",
        "- no list",
        "2030. No list",
        "&lt;b&gt; &amp; \\<i>",
        "<!-- papershelf -->",
        "![x](https://example.org/x.png)",
    ],
)
def test_strangers_words_stay_words(hostile: str) -> None:
    given = entry(hostile, collection=hostile)
    html = shown(given)
    assert text_of(html.split("</summary>")[1]) == cite(given) == f"{hostile}. {hostile}."
    assert re.findall(r"<(/?\w+)", html) == ["summary", "/summary", "p", "/p"]
