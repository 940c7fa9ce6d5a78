"""Formulas: readings, repairs, and what never reaches math-core."""

import json
import subprocess
import sys

import pytest

from generator.markup.formula import REPAIRS, read_formula, symbol, to_mathml
from generator.markup.guard import MAX_DEPTH, MAX_TEX
from generator.markup.tree import BrokenFormula, Formula


@pytest.mark.parametrize(
    ("tex", "reading"),
    [
        (r"\tilde O(\sqrt T)", "Õ(√T)"),
        (r"\mathbb{R}^n_{+}", "R_+^n"),
        (r"\frac{a+1}{b}", "(a+1)/b"),
        (r"\epsilon^{-2}", "ε^(-2)"),
        (r"O(n\log n)", "O(n log n)"),
        (r"\sum_{i=1}^n x_i", "∑_(i=1)^n x_i"),
        (r"\sqrt[3]{x}", "∛x"),
        (r"\sqrt[n]{2x}", "(2x)^(1/n)"),
        (r"\frac{1}{2n} + \frac12 x", "1/(2n)+(1/2)x"),
        (r"{\frac{a}{b}}^2 e^{ix} 10^{15} \frac{dx}{dt}", "(a/b)^2 e^(ix)10^15 dx/dt"),
        (r"\overline{x} \widehat{xy} 90^\circ", "x̄x̂ŷ90°"),
        (r"\binom{n}{k}", "(n choose k)"),
        (r"A\xrightarrow{f}B \hphantom{x}y", "A →^f By"),
        (r"\begin{aligned}a&=b\\c&=d\end{aligned}", "a=b; c=d"),
        (r"f'(x)\ne \hat{x}", "f′(x)≠x̂"),
        (r"\operatorname{softmax}(x)", "softmax(x)"),
        (r"\begin{matrix}a&b\\c&d\end{matrix}", "a, b; c, d"),
        (r"\mathcal{N}(0,1)", "N(0,1)"),
        (r"\textbf{owl}=\textit{a \textbf{b}}", "owl=a b"),
    ],
)
def test_readings(tex: str, reading: str) -> None:
    formula = read_formula(tex, display=False, source=tex)
    assert isinstance(formula, Formula)
    assert formula.reading == reading


@pytest.mark.parametrize(
    ("tex", "repaired"),
    [
        (r"60\\%", r"60\%"),
        (r"\mbox{owl}", r"\text{owl}"),
        (r"\textnormal{owl}", r"\text{owl}"),
        (r"\\mathsf{P}", r"\mathsf{P}"),
        (r"\text{at $k$ steps}", r"\text{at }k\text{ steps}"),
        (r"a &lt; b", "a < b"),
        (r"a\textemdash{}b", r"a\text{\textemdash}b"),
        (r"\texttt{owl$^{+2}$net}", r"\texttt{owl}^{+2}\texttt{net}"),
        (r"\text{\bf owl}", r"\text{owl}"),
        (r"{\large x}+1", "{x}+1"),
        (r"\frac{a}{b", r"\frac{a}{b}"),
        ("a_{1}}", "a_{1}"),
        (r"\left( a", "( a"),
        (r"x\_{t}", "x_{t}"),
        (r"\pi\^*", r"\pi^*"),
        (r"60%", r"60\%"),
        (r"\textlangle a\textrangle", r"\langle a\rangle"),
        ("a<b", "a< b"),
        (r"\begin{split}a&=b\end{split}", r"\begin{aligned}a&=b\end{aligned}"),
        (r"\begin{alignat*}{2}a&=b\end{alignat*}", r"\begin{aligned}a&=b\end{aligned}"),
        (r"x \tag{1}", "x"),
        (r"A\\,b", r"A\,b"),
        (r"\nicefrac{1}{2}", r"\frac{1}{2}"),
        (r"\norm{x_{1}}", r"\lVert x_{1}\rVert"),
        (r"\SI{5}{m}", r"5\,\mathrm{m}"),
        (r"\Tr(A)", r"\operatorname{Tr}(A)"),
        ("#P", r"\#P"),
        (r"O\(n\)", "O(n)"),
        ("x<sub>2</sub>", "x_{2}"),
        (r"a\\b", r"\begin{gathered}a\\b\end{gathered}"),
    ],
)
def test_repairs(tex: str, repaired: str) -> None:
    formula = read_formula(tex, display=False, source=tex)
    assert isinstance(formula, Formula)
    assert formula.tex == repaired


def test_every_repair_has_a_reason_of_its_own() -> None:
    reasons = [reason for reason, _ in REPAIRS]
    assert len(set(reasons)) == len(reasons)
    assert all(reasons)


def test_mathml_has_its_tex_and_no_style() -> None:
    mathml = to_mathml(r"\color{red} x<y", display=True)
    assert "x&lt;y</annotation>" in mathml
    assert "style=" not in mathml
    assert 'display="block"' in mathml


@pytest.mark.parametrize("tex", ["", "   ", "x" * (MAX_TEX + 1), "{" * (MAX_DEPTH + 1) + "}" * (MAX_DEPTH + 1)])
def test_refused_without_a_try(tex: str) -> None:
    assert isinstance(read_formula(tex, display=False, source=tex), BrokenFormula)
    with pytest.raises(ValueError, match=r"empty|longer|nested"):
        to_mathml(tex, display=False)


HOSTILE = [
    *(bracket * 60 for bracket in ("(", "[", r"\{", r"\lceil ", r"\langle ", "⟨", "⌊", r"\bigl(", r"\pod ", "(x")),
    *(unit * 40 for unit in ("⟨ 〉 ∥", "{(}{)}", r"\hat(\hat)", r"\frac1(\frac1)", "⌈⌞", r"\lparen〉", r"(\sqrt[)]")),
    "&lpar;" * 60,
    "{" * 5_000,
    r"\frac1" * 3_000,
    r"\left(" * 3_000,
    r"\hat" * 5_000,
    r"\begin{matrix}" * 1_000,
    "x_" * 9_000,
    r"\def\x{\x\x}\x",
    r"\newcommand{\x}{\x\x}\x",
    "⎰" * 40 + "⎱" * 40,
    r"\mathrel\middle|" * 10,
]


def test_hostile_formulas_neither_crash_nor_hang() -> None:
    """In a process of their own, since math-core would take this one with it."""
    program = (
        "import json, sys\n"
        "from generator.markup.formula import read_formula\n"
        "for tex in json.load(sys.stdin):\n"
        "    print(type(read_formula(tex, display=False, source=tex)).__name__)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(HOSTILE), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == len(HOSTILE)


def test_long_but_harmless_formulas_are_read() -> None:
    tex = " + ".join(rf"f_{{{n}}}(x_{{{n}}}, [a, b], \{{1\}})" for n in range(30))
    assert isinstance(read_formula(tex, display=False, source=tex), Formula)


def test_symbols() -> None:
    assert symbol(r"\alpha") == "α"
    assert symbol(r"\frac") is None
    assert symbol(r"\nosuchthing") is None
