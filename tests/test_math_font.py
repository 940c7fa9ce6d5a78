"""The math font: made when the package is installed, loaded by the pages that need it."""

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fontTools.ttLib import TTFont

import hatch_build
from generator.markup.formula import to_mathml
from tests.chromium import Witness, chromium, open_page, serve_folder
from tests.projects import Project, make_project, records

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

ROOT = Path(__file__).resolve().parents[1]
FONT = ROOT / hatch_build.FONT
LONG = "f(x_1, x_2, x_3, x_4, x_5) = a_1 x_1 + a_2 x_2 + a_3 x_3 + a_4 x_4 + a_5 x_5 + b_{12} x_1 x_2"
TEXTS = (
    "No formula is in this abstract. Clay pots keep water cool in summer, and the village sweats beside them.",
    rf"Short marks keep to their line. They are $x^2$, $\vec v$ and $\frac{{a}}{{b}}$. A long one, ${LONG} + \sum_{{i=1}}^n c_i$, goes on.",
    rf"Lighthouses are on a line of their own: $${LONG} = \int_0^1 \left(\frac{{u}}{{v}}\right) du + {LONG}$$ and blink.",
)


@pytest.fixture(scope="module")
def font() -> TTFont:
    return TTFont(FONT)


def test_it_is_made_and_small() -> None:
    assert FONT.stat().st_size <= hatch_build.MAX_BYTES
    licence = (ROOT / hatch_build.LICENCE).read_text(encoding="utf-8")
    assert licence.startswith("Copyright 2001-2020 The STIX Fonts Project Authors")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence


def test_it_is_a_math_font(font: TTFont) -> None:
    table = font["MATH"].table
    names = font.getBestCmap()
    tall = dict(zip(table.MathVariants.VertGlyphCoverage.glyphs, table.MathVariants.VertGlyphConstruction, strict=True))
    wide = dict(
        zip(table.MathVariants.HorizGlyphCoverage.glyphs, table.MathVariants.HorizGlyphConstruction, strict=True)
    )
    for sign in "()[]{}|√∑∫⟨⌈":
        assert tall[names[ord(sign)]].MathGlyphVariantRecord, sign
    for sign in "→⏞⏟":
        # Parts that do not overlap enough are not put together.
        parts = wide[names[ord(sign)]].GlyphAssembly.PartRecords
        for left, right in itertools.pairwise(parts):
            overlap = min(left.EndConnectorLength, right.StartConnectorLength)
            assert overlap >= table.MathVariants.MinConnectorOverlap, sign


def test_letters_of_all_scripts_have_its_features(font: TTFont) -> None:
    table = font["GSUB"].table
    for record in table.ScriptList.ScriptRecord:
        tags = {
            table.FeatureList.FeatureRecord[index].FeatureTag for index in record.Script.DefaultLangSys.FeatureIndex
        }
        assert {"ssty", "dtls"} <= tags, record.ScriptTag


@pytest.mark.parametrize(
    "tex",
    [
        r"\alpha\beta\Gamma\nabla\partial\hbar\ell\aleph",
        r"\mathbb{E}\mathbb{1}\mathcal{L}\mathscr{F}\mathfrak{g}\mathbf{w}\boldsymbol{\theta}\mathsf{S}\mathtt{t}",
        r"\le\geq\ll\approx\sim\simeq\propto\perp\mid\nmid\subseteq\notin\forall\exists\leqslant\preceq\lesssim",
        r"\to\mapsto\Rightarrow\iff\hookrightarrow\longrightarrow\uparrow\rightharpoonup",
        r"\sum\prod\coprod\int\oint\iint\bigcup\bigoplus\bigotimes\bigvee\sqrt{x}",
        r"\hat x\tilde x\bar x\vec x\dot x\ddot x\widehat{xy}\widetilde{xy}\overline{x}\underbrace{x}f''",
        r"\lfloor x\rfloor\lceil x\rceil\langle x\rangle\|x\|\llbracket x\rrbracket\ldots\cdots\vdots\ddots",
        r"\star\circ\bullet\dagger\ddagger\triangle\square\diamond\clubsuit\pm\times\div\odot\setminus\top\varnothing",
    ],
)
def test_it_has_what_formulas_use(font: TTFont, tex: str) -> None:
    shown = unescape(re.sub(r"<annotation.*?</annotation>|<[^>]*>", "", to_mathml(tex, display=False), flags=re.DOTALL))
    selectors = {chr(hatch_build.CHANCERY), chr(hatch_build.ROUNDHAND)}
    assert {char for char in shown if ord(char) not in font.getBestCmap()} <= selectors


def test_both_kinds_of_script_letters_differ(font: TTFont) -> None:
    [table] = [table for table in font["cmap"].tables if table.format == 14]
    roundhand = dict(table.uvsDict[hatch_build.ROUNDHAND])
    assert len(roundhand) == 26
    assert all(glyph != font.getBestCmap()[character] for character, glyph in roundhand.items())


def test_same_bytes_again(tmp_path: Path) -> None:
    try:
        source = hatch_build.find_source()
    except hatch_build.FontNotMadeError:
        pytest.skip("ziamath is there during the build alone")
    assert hatch_build.make_font(source)[0] == hatch_build.make_font(source)[0]


def test_a_missing_source_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def find_nothing(name: str) -> None:
        return None

    monkeypatch.setattr("importlib.util.find_spec", find_nothing)
    with pytest.raises(hatch_build.FontNotMadeError, match="ziamath, which holds STIX Two Math, is not installed"):
        hatch_build.write_files(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_font_of_another_kind_is_refused() -> None:
    with pytest.raises(hatch_build.FontNotMadeError, match="is no math font of the kind expected"):
        hatch_build.check_source(TTFont())


# -- in the browser --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("font") / "shelf", TEXTS)
    assert project.build() == 0
    return project


@contextmanager
def opened(
    browser: "Browser", project: Project, over: str, words: str, *, width: int = 1280
) -> "Iterator[tuple[Page, Witness]]":
    path = next(str(record["page"]) for record in records(project) if words in str(record["abstract"]))
    if over == "file":
        with open_page(browser, (project.site / path).as_uri(), width=width) as found:
            yield found
    else:
        with (
            serve_folder(project.folder) as address,
            open_page(browser, f"{address}/site/{path}", width=width) as found,
        ):
            yield found


def font_state(page: "Page") -> list[str]:
    """Return the states of the math font, and how often it was asked for."""
    page.evaluate("() => document.fonts.ready.then(() => null)")
    return list(page.evaluate("() => [...document.fonts].map(font => font.status)"))


@pytest.mark.browser
@pytest.mark.parametrize("over", ["file", "http"])
def test_a_page_with_a_formula_loads_it(chromium: "Browser", project: Project, over: str) -> None:
    with opened(chromium, project, over, "Short marks") as (page, witness):
        assert font_state(page) == ["loaded"]
        devtools = page.context.new_cdp_session(page)
        devtools.send("DOM.enable")
        devtools.send("CSS.enable")
        root = devtools.send("DOM.getDocument")["root"]["nodeId"]
        letter = devtools.send("DOM.querySelector", {"nodeId": root, "selector": "math mi"})["nodeId"]
        [used] = devtools.send("CSS.getPlatformFontsForNode", {"nodeId": letter})["fonts"]
        assert used["isCustomFont"]
        witness.assert_clean()


@pytest.mark.browser
@pytest.mark.parametrize("over", ["file", "http"])
def test_a_page_without_one_does_not(chromium: "Browser", project: Project, over: str) -> None:
    with opened(chromium, project, over, "No formula") as (page, witness):
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.reload()
        assert font_state(page) == ["unloaded"]
        assert [url for url in requests if url.endswith(".css")]
        assert [url for url in requests if "woff" in url] == []
        witness.assert_clean()


@pytest.mark.browser
@pytest.mark.parametrize("words", ["Short marks", "Lighthouses"])
def test_a_long_formula_scrolls_in_its_own_box(chromium: "Browser", project: Project, words: str) -> None:
    with opened(chromium, project, "file", words, width=360) as (page, witness):
        assert font_state(page) == ["loaded"]
        assert page.evaluate("() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)") <= 360
        box = page.locator("article math").last
        # Or what is around it, with nothing else in there.
        scrolled = box.evaluate(
            """math => [math, math.parentElement].some(element => {
                element.scrollLeft = 40;
                return element.scrollLeft === 40 && element.textContent === math.textContent;
            })"""
        )
        assert scrolled
        witness.assert_clean()


@pytest.mark.browser
def test_a_short_formula_keeps_its_line(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project, "file", "Short marks", width=360) as (page, _):
        font_state(page)
        baseline = """math => {
            const bottom = (place, method) => {
                const probe = document.createElement("span");
                probe.style.cssText = "display: inline-block; width: 0; height: 0";
                place[method](probe);
                const found = probe.getBoundingClientRect().bottom;
                probe.remove();
                return found;
            };
            math.parentElement.style.whiteSpace = "nowrap"; // the probe must not stay on the line above
            const letter = math.querySelector("mi").getBoundingClientRect();
            return [letter.bottom - bottom(math, "before"), math.scrollWidth - math.clientWidth];
        }"""
        for number in (0, 1):
            below, hidden = page.locator("article math").nth(number).evaluate(baseline)
            # A letter without a descender ends on the baseline; the box of `mi` is as high as its ink.
            assert abs(below) < 1.5
            assert hidden <= 0
