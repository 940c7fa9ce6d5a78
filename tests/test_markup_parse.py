"""What mixed texts mean: input → plain view, Markdown view, reported kinds. Every text is invented."""

import html

import pytest

from generator.markup.markdown import to_markdown
from generator.markup.parse import parse_line, parse_markup
from tests.rendering import render, text_of

CASES: list[tuple[str, str, str]] = [
    # formulas, and dollars that are none
    ("Let $p^*$ and then $q^*$ be optima.", "Let p* and then q* be optima.", ""),
    (r"$\mathbf{u}_{i}$ and $\mathbf{v}_{i}$", "u_i and v_i", ""),
    (r"the set $\{1,2\}$", "the set {1,2}", ""),
    (r"cost \(O(n^2)\) and \[x \le y\]", "cost O(n^2) and x≤y", ""),
    ("from $5 to $7 per run", "from $5 to $7 per run", ""),
    ("costs $4M, while others cost $9M", "costs $4M, while others cost $9M", ""),
    ("pay $30 now or $40 later, for $n$ owls", "pay $30 now or $40 later, for n owls", ""),
    (r"the rate $ \alpha $ decays", "the rate α decays", ""),
    (r"$\text{at $k$ steps}$", "at k steps", ""),
    (r"a gain of $60\\%$ here", "a gain of 60% here", ""),
    (r"$\\mathsf{P}$ is \\textbf{bold}", "P is bold", ""),
    (r"$$E = mc^2$$ holds", "E=mc^2 holds", ""),
    (r"\begin{equation}x+1\end{equation} shows", "x+1 shows", ""),
    (r"no end: $\frac{1}{2 and so on", r"no end: $\frac{1}{2 and so on", "unknown-command"),
    (r"bad $\nosuchthing{x}$ one", r"bad $\nosuchthing{x}$ one", "formula"),
    ("$a$$b$", "ab", ""),
    ("$a < b$ and $\\frac{{a}}{{b}}$", "a<b and a/b", ""),
    # LaTeX's text
    (r"a \emph{new} test at 97\%, \texttt{lm}, \textsc{Name}", "a new test at 97%, lm, Name", ""),
    (r"{\bf bold} and {\em it \textbf{nested}}", "bold and it nested", ""),
    (r"Q\&A at scale, C\# too", "Q&A at scale, C# too", ""),
    (r"as shown by \citep{roe2021}", "as shown by [roe2021]", ""),
    (r"Erd\H{o}s, Lazi\'c, \"Uber, \c{c}a, Bj\o rn, Stra\ss e", "Erdős, Lazić, Über, ça, Bjørn, Straße", ""),
    ("On {{GPU}}s", "On GPUs", ""),
    ("Table~2 took ~100 s", "Table\u00a02 took ~100 s", ""),
    ('``a\'\' "b" ‘c’ “d” and ``wide"', '“a” "b" ‘c’ “d” and “wide”', ""),
    ("pages 3--5 --- or so, with --flag", "pages 3–5 — or so, with --flag", ""),
    (
        r"see \href{https://example.org/a\_b}{here} or \url{https://example.org/c}",
        "see here or https://example.org/c",
        "",
    ),
    (r"an \unknown{thing} stays", r"an \unknown{thing} stays", "unknown-command"),
    (r"the \alpha-stable law", "the α-stable law", ""),
    (r"\textbf{open and never closed", r"\textbf{open and never closed", ""),
    # Markdown
    ("**Nest** is *new*, ***both***", "Nest is new, both", ""),
    ("snake_case, __init__, 5*3*2 and 2 * 3 * 4", "snake_case, __init__, 5*3*2 and 2 * 3 * 4", ""),
    ("**R**einforced owls", "Reinforced owls", ""),
    ("run `owl --fly` now", "run owl --fly now", ""),
    (
        "[our page](https://example.org/x_y) and https://example.org/a_b_c.",
        "our page and https://example.org/a_b_c.",
        "",
    ),
    ("(see https://example.org/q)", "(see https://example.org/q)", ""),
    ("[x](javascript:alert(1))", "[x](javascript:alert(1))", ""),
    ("# of runs", "# of runs", ""),
    ("1984. A year", "1984. A year", ""),
    ("+ 3 points", "+ 3 points", ""),
    ("2) then\n===\n> so", "2) then === > so", ""),
    ("---", "---", ""),
    ("a\n\n    indented", "a\n\nindented", ""),
    # HTML and entities
    ("for n<m and a>b, the <location, rotation> pair", "for n<m and a>b, the <location, rotation> pair", ""),
    ("CO<sub>2</sub> at p<0.05, <jats:p>Text</jats:p>", "CO2 at p<0.05,\n\nText", ""),
    ("a &amp;lt; b &mdash; c", "a < b — c", ""),
    ("<script>alert(1)</script>", "<script>alert(1)</script>", ""),
    ('<img src=x onerror="alert(1)">', '<img src=x onerror="alert(1)">', ""),
    ("{{ config }} {% x %}", "{{ config }} {% x %}", ""),
    # Unicode
    ("bene\x0cfits, re\x02gular", "bene fits, regular", "control-character"),
    ("e\ufb03cient", "efficient", ""),
    ("soft\u00adhyphen", "softhyphen", ""),
    ("left\u202eright", "leftright", "control-character"),
    ("e\u0301tude", "étude", ""),
    ("图神经网络，很好", "图神经网络，很好", ""),
]


@pytest.mark.parametrize(("raw", "plain", "reported"), CASES)
def test_a_text_means(raw: str, plain: str, reported: str) -> None:
    text, faults = parse_markup(raw)
    assert text.plain == plain
    assert {fault.kind for fault in faults} == set(reported.split())


@pytest.mark.parametrize("raw", [raw for raw, _, _ in CASES])
def test_the_page_shows_the_plain_view(raw: str) -> None:
    text, _ = parse_markup(raw)
    assert text_of(render(to_markdown(text))) == " ".join(text.plain.split())


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("**Nest** is *new*", "<p><strong>Nest</strong> is <em>new</em></p>"),
        ("CO<sub>2</sub>", "<p>CO<sub>2</sub></p>"),
        (r"\textsc{Owl}", '<p><span class="shelf-smallcaps">Owl</span></p>'),
        ("`a < b`", "<p><code>a &lt; b</code></p>"),
        ("[x](https://example.org/)", '<p><a href="https://example.org/">x</a></p>'),
        ("one\n\ntwo", "<p>one</p>\n<p>two</p>"),
        ("<b onclick=x>y</b>", "<p><strong>y</strong></p>"),
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
    + ["\\begin{align}", "https://", "a\n", "{$", "''", "``a", "__a", "\\ ", "\\[", "}$", "*a* ", "\n \n", "~"],
)
def test_hostile_repetition_ends(unit: str) -> None:
    """Quadratic work on 200 kB would take minutes; the suite's patience is the limit."""
    text, _ = parse_markup(unit * (200_000 // len(unit)))
    assert isinstance(to_markdown(text), str)
