"""The table of cases in tests/markup/: what a text means, in every view, and what is reported of it.

One file a kind. Formulas are abridged in the HTML: ``<math>TEX</math>``, where blanks in TeX do not matter.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from generator.markup.html import to_html
from generator.markup.markdown import to_markdown
from generator.markup.parse import parse_markup
from tests.rendering import canonical, render_generated

FOLDER = Path(__file__).parent / "markup"


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    raw: str
    plain: str
    markdown: str
    html: str
    problems: frozenset[str]


def read_cases() -> list[Case]:
    cases = []
    for path in sorted(FOLDER.glob("*.yml")):
        for number, entry in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")), 1):
            unknown = set(entry) - {"in", "plain", "markdown", "html", "problems"}
            assert not unknown, f"{path.name}, case {number}: {unknown}"
            problems = frozenset(entry.get("problems", ()))
            name = f"{path.stem}:{number}"
            cases.append(Case(name, entry["in"], entry["plain"], entry["markdown"], entry["html"], problems))
    return cases


CASES = read_cases()


def abridged(html: str) -> str:
    """Return HTML with each formula as its TeX, without the reasons why others are broken."""

    def formula(match: re.Match[str]) -> str:
        annotation = re.search(r"<annotation[^>]*>(.*?)</annotation>", match[0], re.DOTALL)
        assert annotation
        display = ' display="block"' if 'display="block"' in match[1] else ""
        return f"<math{display}>{annotation[1]}</math>"

    html = re.sub(r"<math([^>]*)>.*?</math>", formula, html, flags=re.DOTALL)
    return re.sub(r' title="[^"]*"', "", html).replace("&nbsp;", "\u00a0")


def without_blanks_in_tex(html: str) -> str:
    return re.sub(r"(?<=>)[^<]*(?=</math>)", lambda match: re.sub(r"\s", "", match[0]), html)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_text_means(case: Case) -> None:
    text, faults = parse_markup(case.raw)
    assert text.plain == case.plain
    assert without_blanks_in_tex(abridged(to_html(text))) == without_blanks_in_tex(case.html)
    assert to_markdown(text) == case.markdown
    assert {fault.kind for fault in faults} == case.problems


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_page_shows_the_html_view(case: Case) -> None:
    text, _ = parse_markup(case.raw)
    assert canonical(render_generated(to_markdown(text))) == canonical(to_html(text))


def test_there_are_several_hundred_and_none_twice() -> None:
    texts = [case.raw for case in CASES]
    assert len(set(texts)) == len(texts) > 700
