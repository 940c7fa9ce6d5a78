"""A built site in a real browser: from disk with the network off, and over http, as a reader would use it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.chromium import Witness, chromium, open_page, serve_folder
from tests.projects import ABSTRACTS, Project, as_lines, make_project, records, set_option

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

pytestmark = pytest.mark.browser

PWNED = "document.title='pwned'"
PAYLOADS = (
    f"<script>{PWNED}</script>",
    f'<img src=x onerror="{PWNED}">',
    f"<svg/onload={PWNED}>",
    f"</title><script>{PWNED}</script>",
    f'" onmouseover="{PWNED}" autofocus onfocus="{PWNED}',
    f"' onmouseover='{PWNED}",
    f"[click](javascript:{PWNED})",
    f"<javascript:{PWNED}>",
    f'![x](x"onerror="{PWNED})',
    f"{{{{ config.__class__ }}}} {{% set x = 1 %}} {{# gone #}} {PWNED}",
    f"</div></article></main><h1>Gotcha</h1> {PWNED}",
    f'{{: onclick="{PWNED}" }} {{: #shelf-query }}',
    f"$\\href{{javascript:{PWNED}}}{{x}}$",
    f"$\\text{{<script>{PWNED}</script>}}$",
    f"&lt;script&gt;{PWNED}&lt;/script&gt;",
    f"<!-- {PWNED} --> <![CDATA[ {PWNED} ]]> <?php {PWNED} ?>",
    f"`</code><script>{PWNED}</script>`",
    f'<iframe srcdoc="<script>parent.{PWNED}</script>"></iframe>',
)
HOSTILE_ADDRESSES = (
    f"javascript:{PWNED}",
    f'https://example.org/"onmouseover="{PWNED}',
    f"https://example.org/)<script>{PWNED}</script>",
    f"data:text/html,<script>{PWNED}</script>",
)
LONG_ADDRESS = "https://example.org/" + "averylongpathwithoutanyblank" * 7
LONG_FORMULA = "$" + " + ".join(f"x_{{{n}}}^{{{n}}}" for n in range(60)) + "$"


def hostile_records() -> list[dict[str, object]]:
    """Return papers whose every field attacks; a common word makes them one tag."""
    found: list[dict[str, object]] = []
    for number, payload in enumerate(PAYLOADS):
        found.append(
            {
                "id": payload,
                "title": f"Attack {number}: {payload}",
                "abstract": f"Gargoyle number {number} guards the cathedral door. {payload} Nobody passes the "
                f"cathedral door {'at night' if number % 2 else 'by day'}.",
                "authors": [f"Mallory {payload}"],
                "keywords": [payload],
                "url": HOSTILE_ADDRESSES[number % len(HOSTILE_ADDRESSES)],
                "collection": payload,
                "venue": payload,
            }
        )
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    # Blanks, a hash, a per cent sign and umlauts, since people's folders have them.
    project = make_project(tmp_path_factory.mktemp("site") / "my shelf #1 100% schön")
    wide: list[dict[str, object]] = [
        {"title": f"Wide {LONG_ADDRESS}", "abstract": f"See {LONG_ADDRESS} for the wide thing, {LONG_FORMULA} and $${LONG_FORMULA[1:-1]}$$ too."},
        {"title": "Unbroken", "abstract": "x" * 400 + " is one word.", "authors": ["y" * 300], "keywords": ["z" * 300]},
    ]  # fmt: skip
    (project.folder / "wide.jsonl").write_text(as_lines(wide), encoding="utf-8")
    (project.folder / f"Attack {PWNED} <b>.jsonl".replace("/", "")).write_text(
        as_lines(hostile_records()), encoding="utf-8"
    )
    attack = project.folder / "<img src=x onerror=alert(1)> & {{ 7*7 }}.txt"
    attack.write_text(
        f"<script>{PWNED}</script> 2030 Papers\n\n{ABSTRACTS[0]} Twice.\n\n{ABSTRACTS[3]} Twice.\n", encoding="utf-8"
    )
    sources = [project.source, *sorted(project.folder.glob("*.jsonl")), attack]
    set_option(project, "entries_per_page", "10")
    assert project.run("build", *sources) == 0
    return project


@contextmanager
def opened(
    browser: "Browser", project: Project, over: str, path: str = "index.html", *, width: int = 1280, dark: bool = False
) -> "Iterator[tuple[Page, Witness]]":
    if over == "file":
        with open_page(browser, f"{(project.site / 'x').as_uri()[:-1]}{path}", width=width, dark=dark) as found:
            yield found
    else:
        # Below a folder of its host, as on a page of a code host.
        with (
            serve_folder(project.folder) as address,
            open_page(browser, f"{address}/site/{path}", width=width, dark=dark) as found,
        ):
            yield found


def wait_for_results(page: "Page", query: str) -> list[str]:
    page.wait_for_function(
        "q => { const list = document.querySelector('#shelf-results'); return list && list.dataset.query === q; }",
        arg=query,
    )
    return [item.get_attribute("data-id") or "" for item in page.locator("#shelf-results > li").all()]


def follow(page: "Page", link: str) -> None:
    with page.expect_navigation():
        page.locator(link).first.click()


@pytest.mark.parametrize("over", ["file", "http"])
def test_a_reader_finds_the_way(chromium: "Browser", project: Project, over: str) -> None:
    known = next(record for record in records(project) if "ChoirNet" in str(record["abstract"]))
    with opened(chromium, project, over) as (page, witness):
        assert page.locator("h1").inner_text() == project.folder.name
        follow(page, "article a[href^='tags/']:not([href$='index.html'])")
        tag = page.locator("h1").inner_text()
        follow(page, "article .shelf-list a")
        assert page.locator(".shelf-abstract").count() == 1
        assert tag in page.locator(".shelf-tags a").all_inner_texts()

        # The texts with payloads are versions of one another, so they have no relations.
        page.goto(page.url.rsplit("/abstracts/", 1)[0] + f"/{known['page']}")
        title = page.locator("h1").inner_text()
        follow(page, ".shelf-related a")
        assert page.locator("h1").inner_text() != title
        assert page.locator(".shelf-abstract").count() == 1

        page.keyboard.press("/")
        assert page.evaluate("() => document.activeElement.matches('header input[type=search]')")
        page.keyboard.type("ChoirNet chairs")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert wait_for_results(page, "ChoirNet chairs")[0] == known["id"]
        assert page.locator("#shelf-results > li").first.inner_text().startswith(str(known["title"]))
        page.keyboard.press("ArrowDown")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert page.url.endswith(str(known["page"]))
        assert "moves their chairs" in page.locator(".shelf-abstract").inner_text()
        witness.assert_clean()


@pytest.mark.parametrize("over", ["file", "http"])
def test_all_lists_are_reached_from_the_header(chromium: "Browser", project: Project, over: str) -> None:
    with opened(chromium, project, over) as (page, witness):
        follow(page, "header >> text=Abstracts")
        assert page.locator("h1").inner_text() == "All abstracts"
        follow(page, ".shelf-pager >> text=2")
        assert page.url.endswith("/abstracts/2.html")
        follow(page, "header >> text=Tags")
        assert page.locator("h1").inner_text() == "Tags"
        follow(page, "header .shelf-home")
        assert page.url.endswith("/index.html")
        witness.assert_clean()


def test_formulas_are_mathml(chromium: "Browser", project: Project) -> None:
    moths = next(record for record in records(project) if "300 moths" in str(record["abstract"]))
    with opened(chromium, project, "file", str(moths["page"])) as (page, witness):
        assert page.locator(".shelf-abstract math mfrac").count() == 1
        box = page.locator(".shelf-abstract math").bounding_box()
        assert box is not None
        assert box["height"] > 20
        witness.assert_clean()


# -- hostile text ----------------------------------------------------------------------------------------------------


def assert_inert(page: "Page", witness: Witness) -> None:
    page.wait_for_timeout(50)
    assert page.title() != "pwned"
    # The search page has a form of its own.
    assert page.locator("article :is(script, iframe, object, embed, img, style, form:not(#shelf-search))").count() == 0
    found = page.evaluate(
        """() => [...document.querySelectorAll("article *, header *, nav *, title")].flatMap((element) =>
            [...element.attributes].filter(({ name, value }) => /^on/i.test(name) ||
              (!name.startsWith("data-") && /^\\s*(javascript|data):/i.test(value)))
            .map(({ name, value }) => `${element.tagName} ${name}=${value}`))"""
    )
    assert found == []
    assert page.locator("h1").count() == 1
    witness.assert_clean()


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_a_hostile_paper_stays_text(chromium: "Browser", project: Project, number: int) -> None:
    record = next(one for one in records(project) if f"Gargoyle number {number} " in str(one["abstract"]))
    with opened(chromium, project, "file", str(record["page"])) as (page, witness):
        assert page.title().startswith(f"Attack {number}")
        assert page.locator("h1").inner_text().startswith(f"Attack {number}")
        # It is shown, not swallowed.
        if number not in (12, 13):  # formulas are shown as formulas
            assert PWNED.split("=")[0] in page.locator("article").inner_text()
        abstract = page.locator(".shelf-abstract").inner_text()
        assert f"Gargoyle number {number} guards" in abstract
        assert "Nobody passes the cathedral door" in abstract
        page.mouse.move(300, 300)
        assert_inert(page, witness)


def test_lists_of_hostile_papers_stay_text(chromium: "Browser", project: Project) -> None:
    pages = ["index.html", "search.html"]
    pages += [f"abstracts/{name}" for name in ("index.html", "2.html", "3.html", "4.html")]
    for folder in ("tags", "collections"):
        pages += [f"{folder}/{path.name}" for path in sorted((project.site / folder).glob("*.html"))]
    assert len(pages) > 10
    with opened(chromium, project, "file") as (page, witness):
        for name in pages:
            page.goto(f"{(project.site / 'x').as_uri()[:-1]}{name}")
            assert_inert(page, witness)


@pytest.mark.parametrize("query", [PAYLOADS[0], PAYLOADS[1], "gargoyle cathedral", "javascript:alert(1)"])
def test_hostile_queries_and_results_stay_text(chromium: "Browser", project: Project, query: str) -> None:
    with opened(chromium, project, "file", f"search.html#q={quote(query)}") as (page, witness):
        assert wait_for_results(page, query)
        assert page.locator("#shelf-results :is(img, script, iframe, svg)").count() == 0
        assert_inert(page, witness)


# -- the look --------------------------------------------------------------------------------------------------------


def test_nothing_sticks_out_on_a_phone(chromium: "Browser", project: Project) -> None:
    pages = [
        str(one["page"]) for one in records(project) if "wide" in str(one["abstract"]) or "xxx" in str(one["abstract"])
    ]
    assert len(pages) == 2
    hostile = [str(one["page"]) for one in records(project) if "Gargoyle" in str(one["abstract"])]
    pages += [
        "index.html",
        "search.html#q=wide",
        "tags/index.html",
        "abstracts/index.html",
        "abstracts/2.html",
        "about.html",
    ]
    with opened(chromium, project, "file", width=360) as (page, witness):
        for name in [*pages, *hostile]:
            page.goto(f"{(project.site / 'x').as_uri()[:-1]}{name}")
            if "#q=" in name:
                wait_for_results(page, "wide")
            wide = page.evaluate("() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
            assert wide <= 360, name
            page.evaluate("() => scrollTo(100, 0)")
            assert page.evaluate("() => scrollX") == 0, name
        witness.assert_clean()


def scheme(page: "Page") -> str | None:
    return page.locator("body").get_attribute("data-md-color-scheme")


def press_palette(page: "Page") -> None:
    page.locator("header form[data-md-component=palette] label:not([hidden])").click()


@pytest.mark.parametrize("over", ["file", "http"])
def test_the_colours_are_chosen_and_kept(chromium: "Browser", project: Project, over: str) -> None:
    with opened(chromium, project, over) as (page, witness):
        bright = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        press_palette(page)
        press_palette(page)
        assert scheme(page) == "slate"
        dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        assert dark != bright
        page.reload()
        assert scheme(page) == "slate"
        follow(page, "article a[href^='tags/']")
        assert scheme(page) == "slate"
        assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == dark
        press_palette(page)
        page.reload()
        assert scheme(page) == "default"
        witness.assert_clean()


def test_the_systems_colours_are_followed(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project, "file", dark=True) as (page, witness):
        assert scheme(page) == "slate"
        witness.assert_clean()


def test_without_javascript_pages_can_be_read(chromium: "Browser", project: Project) -> None:
    context = chromium.new_context(java_script_enabled=False, offline=True)
    try:
        page = context.new_page()
        page.goto((project.site / "index.html").as_uri())
        follow(page, "article a[href^='tags/']:not([href$='index.html'])")
        follow(page, "article .shelf-list a")
        assert page.locator(".shelf-abstract").inner_text()
    finally:
        context.close()


def test_the_preview_reloads_the_page(chromium: "Browser", tmp_path: Path) -> None:
    from tests.test_serve import previewing

    project = make_project(tmp_path / "shelf", ABSTRACTS[:3])
    with (
        previewing(project, (str(project.source),)) as preview,
        open_page(chromium, f"{preview.address}/about.html") as (page, witness),
    ):
        (project.docs / "about.md").write_text("# All anew\n", encoding="utf-8")
        page.wait_for_function("() => document.querySelector('h1').textContent.includes('All anew')")
        assert witness.policy_violations == []


def test_a_page_is_printed_dark_on_light(chromium: "Browser", project: Project) -> None:
    """Browsers leave backgrounds out when they print: the light letters of the dark scheme would be invisible."""
    page_uri = str(records(project)[0]["page"])
    with opened(chromium, project, "file", page_uri, dark=True) as (page, _):
        brightness = """() => getComputedStyle(document.querySelector(".shelf-abstract p")).color
            .match(/[0-9.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0) / 3"""
        assert page.evaluate(brightness) > 150
        page.emulate_media(media="print")
        assert page.evaluate(brightness) < 90
