"""The user's own LaTeX commands."""

from pathlib import Path

import pytest

from generator.markup.macros import MAX_BODY, expand_macros, read_macros
from generator.markup.parse import parse_markup
from tests.projects import make_project, records, set_option

MACROS, FAULTS = read_macros(
    {
        "method": r"Owl\emph{Net}",
        r"\R": r"\mathbb{R}",
        "norm": r"\|#1\|_{#2}",
        "E": r"\R^{#1}",
        "loop": r"a\loop",
    }
)


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (r"We propose \method, and \method{} is fast", "We propose OwlNet, and OwlNet is fast"),
        (r"in $\R^n$, $x\in\R$ and $\E{k}$", "in R^n, x∈R and R^k"),
        (r"$\norm{x}{2}$ and $\norm {a_{1}}{\R}$", "‖x‖_2 and ‖a_1‖_R"),
        (r"\Rx and \methods are others", "Rx and methods are others"),
        (r"a\\R b", "a\nR b"),
    ],
)
def test_macros_are_expanded(raw: str, plain: str) -> None:
    assert FAULTS == []
    assert parse_markup(raw, MACROS)[0].plain == plain


def test_what_cannot_be_expanded_stays() -> None:
    assert expand_macros(r"\norm{x} only", MACROS) == (r"\norm{x} only", ())
    text, faults = expand_macros(r"\loop", MACROS)
    assert len(text) < 100
    assert [fault.kind for fault in faults] == ["macro"]


def test_macros_do_not_explode() -> None:
    laughs, _ = read_macros(
        {"a": "x" * MAX_BODY, **{name: rf"\{used}" * 400 for name, used in zip("bcdefg", "abcdef", strict=True)}}
    )
    text, faults = expand_macros(r"\g \g", laughs)
    assert len(text) < 1_000_000
    assert faults


def test_many_uses_without_arguments_take_no_time() -> None:
    """Quadratic work would take minutes."""
    text = r"\norm{" * 60_000
    assert expand_macros(text, MACROS) == (text, ())


def test_a_project_has_its_macros(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shelf", ["We prove that \\ours{} moths fly in $\\R^3$, by counting candles."])
    set_option(project, "macros", r"{ours: DuskNet, R: '\mathbb{R}'}")
    assert project.build("--strict") == 0
    assert records(project)[0]["abstract"] == "We prove that DuskNet moths fly in R^3, by counting candles."
