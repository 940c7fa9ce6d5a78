"""How the Markdown view is spelled, and hostile lengths. What texts mean is in tests/markup/."""

import html
import re

import pytest

from generator.markup.html import to_html
from generator.markup.markdown import to_markdown
from generator.markup.parse import parse_line, parse_markup
from tests.rendering import canonical, render, render_generated, text_of


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("**Nest** is *new*", "<p><strong>Nest</strong> is <em>new</em></p>"),
        ("CO<sub>2</sub>", "<p>CO<sub>2</sub></p>"),
        (r"\textsc{Owl}", '<p><span class="shelf-smallcaps">Owl</span></p>'),
        ("`a < b`", "<p><code>a &lt; b</code></p>"),
        ("[x](https://example.org/)", '<p><a href="https://example.org/">x</a></p>'),
        ("one\n\ntwo", "<p>one</p>\n<p>two</p>"),
        ('<b class="x">y</b>', "<p><strong>y</strong></p>"),
        (r"costs \$5", "<p>costs $5</p>"),
        ("{: onclick=alert(1) }", "<p>{: onclick=alert(1) }</p>"),
    ],
)
def test_a_text_is_shown(raw: str, expected: str) -> None:
    assert render(to_markdown(parse_markup(raw)[0])) == expected


def test_a_broken_formula_is_shown_with_its_reason() -> None:
    shown = render(to_markdown(parse_markup(r"bad $\nosuchthing$ one")[0]))
    assert '<code class="shelf-broken" title="' in shown
    assert r"$\nosuchthing$" in html.unescape(shown)


def test_braces_are_never_a_template() -> None:
    shown = to_markdown(parse_markup(r"$\frac{{a}}{{b}}$ {{ x }} $(\textbf{\textit{owl}})$")[0])
    assert "{{" not in shown
    assert text_of(render(shown)) == "a/b {{ x }} (owl)"


def test_tex_stays_tex_in_the_markdown() -> None:
    assert to_markdown(parse_markup(r"the \(\sqrt{n}\) rate")[0]) == r"the $\sqrt{n}$ rate"


def test_a_line_has_no_breaks() -> None:
    assert parse_line("A title\nover two lines")[0].plain == "A title over two lines"


@pytest.mark.parametrize(
    "unit",
    ["*", "$", "{", "[", "`", "_", "\\", "<", "&", "$ ", "${", "*a ", "[a](", "\\textbf{", "\\(", "`a ", "<b>"]
    + ["\\begin{align}", "https://", "a\n", "{$", "''", "``a", "__a", "\\ ", "\\[", "}$", "*a* ", "\n \n", "~"]
    + [
        "%",
        "%\n",
        "- a\n",
        "\\item ",
        "\\foo{",
        "<ul><li>",
        "\\\\(",
        "[\\a",
        "&lt;b&gt;",
        "doi:10.1000/)",
        "אa",
        "\\begin{a}",
    ]
    + ["\\cite[", "`a'", "$$ a", "<a href='http://a'>", "\\verb|"],
)
def test_hostile_repetition_ends(unit: str) -> None:
    """Quadratic work on 200 kB would take minutes; the suite's patience is the limit."""
    text, _ = parse_markup(unit * (200_000 // len(unit)))
    assert isinstance(to_markdown(text), str)


@pytest.mark.parametrize("unit", ["*a ", "$x$ *em* ", "a\n\n", "- a\n", "{"])
def test_a_text_of_any_length_is_rendered_soon(unit: str) -> None:
    """Python-Markdown alone would take minutes."""
    text, _ = parse_markup((unit * 200_000)[:200_000] + "end")
    shown = render_generated(f'<div class="shelf-abstract" markdown="1">\n\n{to_markdown(text)}\n\n</div>\n\n*after*')
    inside = re.fullmatch(
        r'<div class="shelf-abstract">\s*<div>(.*)</div>\s*</div>\s*<p><em>after</em></p>', shown, re.DOTALL
    )
    assert inside
    assert canonical(inside[1]) == canonical(to_html(text))
