"""The reader of markup over whole corpora, where they are there: what is read, what is left, and what must not be lost.

The yardsticks are plain patterns of their own, so that they do not repeat the parser.
"""

import html
import re
import unicodedata
from collections.abc import Sequence

import pytest

from generator.markup.faults import Fault
from generator.markup.html import to_html
from generator.markup.markdown import to_markdown
from generator.markup.parse import parse_markup
from generator.markup.tree import BrokenFormula, Formula, MarkupText
from tests.leftovers import CORPORA, NAMES, PLAIN_FORMULA, flat, formulas_of, leftovers, read_texts
from tests.rendering import canonical, render_generated, text_of

pytestmark = [pytest.mark.corpora, pytest.mark.timeout(1_200)]

Parsed = list[tuple[str, str, MarkupText, tuple[Fault, ...]]]
_MONEY_OR_PROSE = re.compile(
    r"\d[\d,.]*\s*[kKMB]?\b(?![\d\s]*[\\^_=<>+*/-])[^\\^_=<>]*\Z|(?:[^\\^_=<>]*\b[a-z]{3,}\b){2}"
)
"""A sum after a dollar and words behind it, or words and nothing of a formula: no formula, whatever the dollars say."""


LONG = pytest.mark.long


@pytest.fixture(scope="module", params=[NAMES[0], *(pytest.param(name, marks=LONG) for name in NAMES[1:])])
def corpus(request: pytest.FixtureRequest) -> Parsed:
    name: str = request.param
    if not (CORPORA / name).exists():
        pytest.skip(f"the corpus {name} is not in {CORPORA}")
    return [(place, raw, *parse_markup(raw)) for place, raw in read_texts(name)]


def assert_few(found: Sequence[str], of: int, share: float) -> None:
    """Fail with the cases if they are more than a share; print them in any case."""
    print(f"{len(found)} of {of:,} ({len(found) / max(1, of):.3%})")
    assert len(found) <= share * of, "\n".join(found[:50])


def test_formulas_are_converted(corpus: Parsed) -> None:
    missing = []
    total = 0
    for place, raw, text, faults in corpus:
        found = [match for match in PLAIN_FORMULA.finditer(raw) if not _MONEY_OR_PROSE.match(_tex(match))]
        total += len(found)
        # Text inside a formula may hold formulas of its own, which the plain pattern counts apart.
        nested = sum(_tex(match).count("{") != _tex(match).count("}") for match in found)
        read = formulas_of(text) + nested
        missing += [f"{place}: {len(found)} found, {read} read: {found[:1]}"] * max(0, len(found) - read)
        broken = sum(isinstance(node, BrokenFormula) for node in flat(text.nodes))
        assert sum(fault.kind == "formula" for fault in faults) >= broken, place
    assert_few(missing, total, 0.003)


def _tex(match: re.Match[str]) -> str:
    return next(part for part in match.groups() if part is not None).strip()


def test_little_is_left(corpus: Parsed) -> None:
    stumbles = [f"{place}: {found[0]}" for place, _, text, _ in corpus if (found := leftovers(text))]
    assert_few(stumbles, sum(place.endswith("abstract") for place, *_ in corpus), 0.002)


def test_no_letter_is_lost(corpus: Parsed) -> None:
    """In texts that report nothing: letters and digits are those of the source without markup."""
    lost = []
    total = 0
    for place, raw, text, faults in corpus:
        formulas = sum(isinstance(node, Formula) for node in flat(text.nodes))
        if faults or len(PLAIN_FORMULA.findall(raw)) != formulas:
            continue
        total += 1
        source = _alphanumeric(_without_markup(raw))
        plain = _alphanumeric("".join(getattr(node, "text", "") for node in flat(text.nodes)))
        if source != plain:
            at = next((n for n, (a, b) in enumerate(zip(source, plain, strict=False)) if a != b), -1)
            lost.append(f"{place}: {source[max(0, at - 20) : at + 20]!r} became {plain[max(0, at - 20) : at + 20]!r}")
    assert_few(lost, total, 0.001)


def _without_markup(raw: str) -> str:
    text = html.unescape(html.unescape(PLAIN_FORMULA.sub("", raw)))
    text = re.sub(r"\[([^\]]*)\]\((?:https?:|mailto:)[^)]*\)|\\(?:href|textcolor|color)\{[^}]*\}", r"\1", text)
    text = re.sub(r"\\(?:begin|end)\{\w+\}|(?m:^\s*\d\d?[.)]\s)", "", text)
    text = re.sub(r"\\[eE]g\b|\\i[eE]\b|\\etc\b|\\etal\b", lambda match: match[0][1:], text)
    return re.sub(r"\\[A-Za-z]+|</?(?:sub|sup|i|b|em|strong|br|p|tt|u)\s*/?>", "", text)


def _alphanumeric(text: str) -> str:
    """Return letters and digits without case and accents, which TeX writes as marks."""
    letters = unicodedata.normalize("NFKD", text.translate({0x131: "i", 0xD7: "x"})).casefold()
    return "".join(c for c in letters if c.isalnum())


def test_reading_again_changes_nothing(corpus: Parsed) -> None:
    changed = []
    for place, _, text, _ in corpus:
        again = parse_markup(text.plain)[0].plain
        if again.split() != text.plain.split():
            changed.append(place)
    assert_few(changed, len(corpus), 0.0005)


def test_views_agree(corpus: Parsed) -> None:
    for place, _, text, _ in corpus:
        shown = render_generated(to_markdown(text))
        assert canonical(shown) == canonical(to_html(text)), place
        assert text_of(shown) == " ".join(unicodedata.normalize("NFC", text.plain).split()), place
