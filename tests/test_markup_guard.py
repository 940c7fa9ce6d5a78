"""What math-core never gets to see, reason by reason."""

import pytest

from generator.markup.guard import MAX_COMMANDS, MAX_DEPTH, MAX_TEX, refusal


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (" ", "empty"),
        ("x" * (MAX_TEX + 1), "longer than"),
        ("{" * (MAX_DEPTH + 1), "nested more than"),
        (r"\left(" * (MAX_DEPTH + 1), "nested more than"),
        (r"\begin{matrix}" * (MAX_DEPTH + 1), "nested more than"),
        (r"\a" * (MAX_COMMANDS + 1), "commands"),
        ("x_1^2" * MAX_COMMANDS, "commands"),
        (r"\def\x{y}", "defines"),
        (r"\newcommand{\x}{y}", "defines"),
        ("(" * 40, "brackets"),
        (r"\sqrt[" * 40, "brackets"),
        (r"\hat(\hat)" * 40, "brackets"),
        ("{(}" * 40, "brackets"),
    ],
)
def test_refused(tex: str, reason: str) -> None:
    assert reason in (refusal(tex) or "")


@pytest.mark.parametrize(
    "tex",
    ["x", "(a)" * 100, r"\left( x \right)" * 50, r"\{ x \}" * 50, r"\bigl( x \bigr)" * 50, r"\frac{(a)}{(b)}" * 20],
)
def test_let_through(tex: str) -> None:
    assert refusal(tex) is None
