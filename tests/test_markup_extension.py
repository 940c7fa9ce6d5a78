"""The Python-Markdown extension, on pages that somebody wrote by hand."""

import markdown
import pytest

from generator.markup.extension import PapershelfExtension, makeExtension
from generator.markup.gate import GATE_MARK, sanitize
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


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cost $x `y` z$", "<p>cost $x <code>y</code> z$</p>"),
        ("![a $x$ b](i.png)", '<p><img alt="a $x$ b" src="i.png" /></p>'),
        ('[a](u "t $e$")', '<p><a href="u" title="t $e$">a</a></p>'),
        ("[q](http://b.c/$d$)", '<p><a href="http://b.c/$d$">q</a></p>'),
    ],
)
def test_pages_by_hand_keep_what_is_no_formula(text: str, shown: str) -> None:
    assert render(text) == shown


def test_a_heading_is_named_once() -> None:
    md = markdown.Markdown(extensions=["toc", "papershelf"])
    md.convert("# a $x<y$ b")
    assert [token["data-toc-label"] for token in md.toc_tokens] == ["a x<y b"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("before", ["", "\ufeff", "title: x\n", "\n\n"])
def test_a_marked_page_is_cleaned(before: str) -> None:
    page = f"{before}{GATE_MARK}\n\n<b onclick=x>a</b> ![](//evil.invalid/x.png) ![](a/b.png) <iframe src=x></iframe>"
    shown = render(page)
    assert "<b>a</b>" in shown
    assert "onclick" not in shown
    assert "evil" not in shown
    assert "iframe" not in shown
    assert 'src="a/b.png"' in shown
    assert GATE_MARK not in shown


def test_pages_by_hand_keep_their_html_and_objects_forget_the_mark() -> None:
    md = markdown.Markdown(extensions=["attr_list", "md_in_html", "admonition", PapershelfExtension()])
    marked, unmarked = f"{GATE_MARK}\n\n<b onclick=x>a</b>", "<b onclick=x>a</b>"
    for page, kept in ((marked, False), (unmarked, True), (marked, False)):
        assert ("onclick" in md.convert(page)) == kept
        md.reset()


@pytest.mark.parametrize(
    "source", ["/\\evil.invalid/x", " //evil.invalid/x", "/\t/evil.invalid/x", "https:evil", "//e.invalid/x"]
)
def test_no_remote_image_passes_the_gate(source: str) -> None:
    assert "evil" not in sanitize(f'<img src="{source}">')
    assert "e.invalid" not in sanitize(f'<img src="{source}">')
