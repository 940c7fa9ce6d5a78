"""The Python-Markdown extension, on pages that somebody wrote by hand."""

import markdown
import pytest

from generator.markup.extension import makeExtension
from tests.rendering import render


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"costs \$5 or \$6", "<p>costs $5 or $6</p>"),
        ("from $ 5 to $ 7", "<p>from $ 5 to $ 7</p>"),
        ("run `echo $x$` now", "<p>run <code>echo $x$</code> now</p>"),
        ("a lone $ sign", "<p>a lone $ sign</p>"),
        (r"bad $\nosuchthing$ stays", r"<p>bad $\nosuchthing$ stays</p>"),
    ],
)
def test_what_is_no_formula_stays(text: str, shown: str) -> None:
    assert render(text) == shown


@pytest.mark.parametrize(
    ("text", "count", "displays"),
    [
        ("$a_1$ and $b_1$", 2, 0),
        ("$$x * y * z$$", 1, 1),
        (r"*so* $\{a\}$, **$n$**", 2, 0),
        (r"# A title with $O(\sqrt n)$", 1, 0),
        (r"$\text{\$5}$", 1, 0),
    ],
)
def test_formulas_become_mathml(text: str, count: int, displays: int) -> None:
    shown = render(text)
    assert shown.count("<math") == shown.count("<annotation") == count
    assert shown.count('display="block"') == displays


def test_markdown_objects_without_the_extension_stay_as_they_are() -> None:
    render("$x$")
    assert markdown.Markdown().convert(r"\$x\$") == r"<p>\$x\$</p>"


def test_the_extension_has_a_name() -> None:
    assert "<math" in markdown.markdown("$x$", extensions=[makeExtension()])
    assert "<math" in markdown.markdown("$x$", extensions=["papershelf"])
