"""Whatever comes in: no crash, no word lost, nothing that runs, and views that agree."""

import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.markup.clean import clean_unicode
from generator.markup.markdown import escape_markdown, to_markdown, to_markdown_line
from generator.markup.parse import parse_markup
from tests.rendering import render, text_of

FRAGMENTS = st.sampled_from(
    [
        "owl",
        "nest",
        "$x$",
        "$$",
        "$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\textbf{",
        "\\emph{a}",
        "{\\bf",
        "}",
        "{",
        "}",
        "*",
        "**",
        "***",
        "_",
        "__",
        "`",
        "``",
        "[a](https://example.org/)",
        "[",
        "](",
        "<b>",
        "</b>",
        "<sub>",
        "</sub>",
        "<script>",
        "<img/onerror=x>",
        "&",
        "&lt;",
        "&amp;lt;",
        "&#60;",
        "\\%",
        "\\$",
        "\\\\",
        "\\",
        "~",
        "--",
        "'''",
        '"',
        "http://a.b/_c",
        "\\href{https://a.b}{c}",
        "\\url{x}",
        "\\'e",
        "\\H{o}",
        "{{GPU}}",
        "{{",
        "}}",
        "{%",
        "#",
        ">",
        "-",
        "+",
        "1.",
        "1)",
        "===",
        "---",
        "|",
        ":",
        "!",
        "![",
        "\\n",
        "\\alpha",
    ]
)
MIXED = st.lists(FRAGMENTS | st.text(max_size=4) | st.sampled_from([" ", "\n", "\n\n"]), max_size=25).map("".join)
ANYTHING = MIXED | st.text(max_size=200)
PLAIN_WORDS = st.lists(st.text("abcdefgh äöüß日本", min_size=1, max_size=8), min_size=1, max_size=12).map(" ".join)


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


@given(ANYTHING)
@settings(max_examples=400, deadline=None)
def test_the_page_shows_the_plain_view(raw: str) -> None:
    text, _ = parse_markup(raw)
    assert folded(text_of(render(to_markdown(text)))) == folded(text.plain)


@given(ANYTHING)
@settings(max_examples=200, deadline=None)
def test_nothing_runs(raw: str) -> None:
    shown = render(to_markdown(parse_markup(raw)[0]))
    tags = re.findall(r"<(\w+)((?:\s+[\w-]+(?:=\"[^\"]*\")?)*)\s*/?>", shown)
    allowed = {"p", "em", "strong", "sub", "sup", "u", "span", "code", "a", "br"}
    outside_math = re.sub(r"<math.*?</math>", "", shown, flags=re.DOTALL)
    assert {name for name, _ in re.findall(r"<(\w+)([^>]*)>", outside_math)} <= allowed
    for _, attributes in tags:
        assert not re.search(r"\son\w+=", attributes)
        assert not re.search(r"href=\"(?!https?://|mailto:)", attributes)


@given(st.lists(st.text("abcxyz0189", min_size=1, max_size=6) | FRAGMENTS, max_size=15))
@settings(max_examples=200, deadline=None)
def test_no_word_is_lost(parts: list[str]) -> None:
    """Words that stand by themselves among marks are in the plain view, in order, and not glued to each other."""
    words = [f"w{number}w" for number in range(len(parts))]
    raw = " ".join(f"{word} {part}" for word, part in zip(words, parts, strict=True))
    plain = parse_markup(raw)[0].plain
    # Between two dollars lies a formula, whose letters have a reading of their own.
    if "$" not in raw and "\\(" not in raw and "\\[" not in raw:
        assert re.findall(r"w\d+w", plain) == words


@given(PLAIN_WORDS)
def test_plain_words_mean_themselves(raw: str) -> None:
    text, faults = parse_markup(raw)
    assert (
        text.plain == " ".join(unicodedata.normalize("NFC", raw).split(" ")).strip()
        or " ".join(raw.split()) == text.plain
    )
    assert faults == ()
    assert parse_markup(text.plain)[0].plain == text.plain


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_escaped_text_shows_its_characters(raw: str) -> None:
    shown = text_of(render("x " + escape_markdown(raw) + " x"))
    assert shown == " ".join(("x " + clean_unicode(raw)[0] + " x").split())


@given(ANYTHING)
@settings(max_examples=150, deadline=None)
def test_a_title_stays_on_one_line(raw: str) -> None:
    line = to_markdown_line(parse_markup(raw)[0].unlinked())
    assert "\n" not in line
    shown = render(f"# {line}") if line else ""
    assert shown.count("<h1") <= 1
