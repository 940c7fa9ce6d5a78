"""Whatever comes in: no crash, no word lost, nothing that runs, and views that agree."""

import re
import unicodedata

from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.markup.clean import clean_unicode
from generator.markup.gate import sanitize
from generator.markup.html import to_html
from generator.markup.markdown import escape_markdown, to_markdown, to_markdown_line
from generator.markup.parse import parse_line, parse_markup
from tests.rendering import canonical, render, render_generated, text_of

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
        "\n",
        "\\n",
        "\\,",
        "&nbsp;",
        "&#x202e;",
        "http://a.b/&lt;",
        "http://a.b/c&copy=1&d",
        "\u0301\u0323",
        "\\'",
        "\\-",
        "''",
        "\\u2019",
        "\\verb|a*|",
        "\\textcolor[rgb]{1}{",
        "\\alpha",
        "\\begin{itemize}",
        "\\end{itemize}",
        "\\item",
        "\n- ",
        "\n1. ",
        "\n2. ",
        "<ul>",
        "<li>",
        "</ul>",
        "<a href=https://a.b>",
        "</a>",
        "<https://a.b/>",
        "<jats:p>",
        "\\foo{",
        "\\ours",
        "\\footnote{",
        "\\cite[a]{b}",
        "\\begin{align}x\\end{align}",
        "%",
        "\\\\",
        "doi:10.1000/x",
        "שלום",
        "\u200b",
        "&lt;i&gt;",
    ]
)
PIECES = [
    *(
        (word, word)
        for word in ("owl", "snake_case", "__init__", "5*3*2", "p<0.05", "x>y", "GPT-4", "C#", "#1", "图神经网络")
    ),
    *((f"{mark}owl{mark}", "owl") for mark in ("*", "**", "***", "_", "`")),
    *((rf"\{name}{{owl}}", "owl") for name in ("emph", "textbf", "texttt", "textsc", "underline", "mbox", "nosuch")),
    *((rf"{{\{name} owl}}", "owl") for name in ("bf", "em", "small", "tt")),
    ("<i>owl</i>", "owl"),
    ("H<sub>2</sub>O", "H2O"),
    ("$x$", "x"),
    (r"\(y_k\)", "y_k"),
    ("$n$-gram", "n-gram"),
    (r"97\%", "97%"),
    ("97%", "97%"),
    (r"Q\&A", "Q&A"),
    (r"Erd\H{o}s", "Erdős"),
    (r"fa\c{c}ade", "façade"),
    (r"Stra{\ss}e", "Straße"),
    (r"\ours", "ours"),
    ("Table~2", "Table\u00a02"),
    ("n--m", "n–m"),
    ("``owl''", "“owl”"),
    ("it's", "it's"),
    (r"\cite{owl}", "[owl]"),
    ("https://owl.example/a_b", "https://owl.example/a_b"),
    ("doi:10.1000/owl_1", "doi:10.1000/owl_1"),
    ("[owl](https://owl.example/)", "owl"),
    (r"\href{https://owl.example/}{owl}", "owl"),
    ("e\ufb03cient", "efficient"),
    ("re\x02gular", "regular"),
    ("a\u200bb", "ab"),
    ("{GPU}s", "GPUs"),
]


def keeps_words(fragment: str) -> bool:
    """Whether no word beside this fragment can become part of a formula, code, an address or a comment."""
    return not re.search(r"[$`%\[]|\\[(\[]|\\(?:begin|href|cite|verb|textcolor|n$)|https?:|doi:", fragment)


MIXED = st.lists(FRAGMENTS | st.text(max_size=4) | st.sampled_from([" ", "\n", "\n\n"]), max_size=25).map("".join)
ANYTHING = MIXED | st.text(max_size=200)
PLAIN_WORDS = st.lists(st.text("abcdefgh äöüß日本", min_size=1, max_size=8), min_size=1, max_size=12).map(" ".join)


def folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split())


@given(ANYTHING)
@settings(max_examples=400, deadline=None)
def test_the_page_shows_the_plain_and_the_html_view(raw: str) -> None:
    text, _ = parse_markup(raw)
    shown = render_generated(to_markdown(text))
    assert folded(text_of(shown)) == folded(text.plain)
    assert canonical(shown) == canonical(to_html(text))


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12))
@settings(max_examples=400, deadline=None)
def test_no_letter_is_lost_or_glued(pieces: list[tuple[str, str]]) -> None:
    """Whatever stands side by side: words keep their letters and their gaps, and reading them again changes nothing."""
    plain = parse_markup(" ".join(raw for raw, _ in pieces))[0].plain
    assert plain == " ".join(shown for _, shown in pieces)
    assert parse_markup(plain)[0].plain == plain


@given(ANYTHING)
@settings(max_examples=200, deadline=None)
def test_the_gate_has_nothing_to_do(raw: str) -> None:
    """What the tree makes is harmless already; the gate stands behind it all the same."""
    text, _ = parse_markup(raw)
    once = to_html(text)
    assert sanitize(once) == once
    assert folded(text_of(once)) == folded(text.plain)


@given(st.text(alphabet="<>/=\"' abimgsrcxonhrefjvt:;&#-!", max_size=80) | ANYTHING)
@settings(max_examples=300, deadline=None)
def test_the_gate_lets_nothing_harmful_through(markup: str) -> None:
    found = re.findall(r"<([a-z0-9]+)((?:\s+[\w-]+=\"[^\"]*\")*)\s*>", sanitize(markup))
    for element, attributes in found:
        assert element not in {"script", "style", "iframe", "object", "embed", "form", "svg", "meta", "link", "base"}
        assert not re.search(r"\s(?:on\w+|style|srcdoc)=", attributes)


@given(ANYTHING)
@settings(max_examples=200, deadline=None)
def test_nothing_runs(raw: str) -> None:
    shown = render(to_markdown(parse_markup(raw)[0]))
    tags = re.findall(r"<(\w+)((?:\s+[\w-]+(?:=\"[^\"]*\")?)*)\s*/?>", shown)
    allowed = {"p", "em", "strong", "sub", "sup", "u", "span", "code", "a", "br", "bdi", "ul", "ol", "li"}
    outside_math = re.sub(r"<math.*?</math>", "", shown, flags=re.DOTALL)
    assert {name for name, _ in re.findall(r"<(\w+)([^>]*)>", outside_math)} <= allowed
    for _, attributes in tags:
        assert not re.search(r"\son\w+=", attributes)
        assert not re.search(r"href=\"(?!https?://|mailto:)", attributes)


@given(st.lists(st.text("abcxyz0189", min_size=1, max_size=6) | FRAGMENTS.filter(keeps_words), max_size=15))
@example(["<ul>", "\n- ", "\n- ", "\n1. ", "0"])
@settings(max_examples=200, deadline=None)
def test_no_word_is_lost(parts: list[str]) -> None:
    """Words that stand by themselves among marks are in the plain view, in order, and not glued to each other."""
    words = [f"w{number}w" for number in range(len(parts))]
    raw = " ".join(f"{word} {part}" for word, part in zip(words, parts, strict=True))
    assert re.findall(r"w\d+w", parse_markup(raw)[0].plain) == words


@given(PLAIN_WORDS)
def test_plain_words_mean_themselves(raw: str) -> None:
    text, faults = parse_markup(raw)
    assert text.plain == " ".join(unicodedata.normalize("NFC", raw).split())
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
    text = parse_line(raw)[0].unlinked()
    line = to_markdown_line(text)
    assert "\n" not in line
    if line:
        shown = render(f"# {line}")
        assert shown.startswith("<h1")
        assert folded(text_of(shown)) == folded(text.plain)
