"""Views and parts of the inline tree."""

import pytest

from generator.markup.clean import clean_unicode
from generator.markup.parse import parse_markup
from generator.markup.tree import Formula, Link, MarkupText, Styled, Words, join

TEXT = parse_markup(r"We use \textbf{Owl nets} at $O(n)$ via [a page](https://example.org/), `code`.")[0]


def test_every_cut_keeps_all_words() -> None:
    plain = TEXT.plain
    for at in range(len(plain) + 1):
        left, right = TEXT.slice(0, at), TEXT.slice(at, len(plain))
        assert left.plain + right.plain == plain


def test_a_formula_is_never_cut() -> None:
    at = TEXT.plain.index("O(n)")
    assert any(isinstance(node, Formula) for node in TEXT.slice(at, at + 2).nodes)
    assert not any(isinstance(node, Formula) for node in TEXT.slice(at + 1, at + 3).nodes)


def test_styles_survive_a_slice() -> None:
    part = TEXT.slice(TEXT.plain.index("nets"), TEXT.plain.index("nets") + 4)
    assert part.nodes == (Styled("strong", (Words("nets"),)),)


def test_unstyled_and_unlinked() -> None:
    assert TEXT.unstyled().plain == TEXT.plain == TEXT.unlinked().plain
    assert not any(isinstance(node, Styled | Link) for node in TEXT.unstyled().nodes)
    assert not any(isinstance(node, Link) for node in TEXT.unlinked().nodes)
    assert any(isinstance(node, Styled) for node in TEXT.unlinked().nodes)


def test_prose_has_no_addresses_and_formulas() -> None:
    text = parse_markup("See https://example.org/owl for $O(n)$ and `code`")[0]
    assert text.prose.split() == ["See", "for", "and"]


@pytest.mark.parametrize(
    ("raw", "expected"), [("owls fly", "Owls fly"), (r"\emph{owls} fly", "Owls fly"), ("$x$ is", "x is"), ("", "")]
)
def test_capitalized(raw: str, expected: str) -> None:
    assert parse_markup(raw)[0].capitalized().plain == expected


def test_join() -> None:
    assert join([MarkupText.of_plain("Owl"), ": ", TEXT.slice(0, 6)]).plain == "Owl: We use"


@pytest.mark.parametrize(
    ("raw", "clean", "removed"),
    [
        ("a\x00b", "ab", ("U+0000",)),
        ("a\x0cb", "a b", ("U+000C",)),
        ("a\u00adb", "ab", ()),
        ("a\u200bb\ufeff", "ab", ("U+200B, U+FEFF",)),
        ("hy\x02\nphen and\x02 so", "hyphen andso", ("U+0002",)),
        ("می\u200cخواهم, a\u200cb", "می\u200cخواهم, ab", ("U+200C",)),
        ("\U0001f469\u200d\U0001f52c", "\U0001f469\u200d\U0001f52c", ()),
        ("donâ€™t", "don’t", ("donâ€™t",)),
        ("Ângela, naïve", "Ângela, naïve", ()),
        ("a\r\nb\rc", "a\nb\nc", ()),
        ("\ufb01n", "fin", ()),
        ("A\u030a", "Å", ()),
        ("x\ud800y", "xy", ("U+D800",)),
    ],
)
def test_clean_unicode(raw: str, clean: str, removed: tuple[str, ...]) -> None:
    text, faults = clean_unicode(raw)
    assert text == clean
    assert tuple(fault.fragment for fault in faults) == removed


LISTED = parse_markup("We show\n- *one* owl\n- two owls\n\nand fly")[0]


def test_a_list_in_every_view() -> None:
    assert LISTED.plain == "We show\n\none owl\ntwo owls\n\nand fly"
    assert LISTED.slice(LISTED.plain.index("one"), LISTED.plain.index(" owl")).plain == "one"
    assert LISTED.slice(0, LISTED.plain.index("two") + 3).plain == "We show\n\none owl\ntwo"
    assert LISTED.unstyled().plain == LISTED.plain


def test_styles_end_with_their_paragraph() -> None:
    text = parse_markup("\\emph{one\n\ntwo \\begin{itemize}\\item three\\end{itemize}}")[0]
    assert [type(node).__name__ for node in text.nodes] == ["Styled", "Words", "Styled", "Words", "Items"]
