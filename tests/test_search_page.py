"""The search page in a real browser, from disk with the network off and over http, under the strict policy."""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.finish import search
from generator.finish.search import SEARCH_FOLDER, SearchEntry, TagLink, build_search_index
from tests.chromium import Witness, chromium, open_page, serve_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

pytestmark = pytest.mark.browser

THEME = Path(__file__).parent.parent / "site_templates" / "theme"
THEME_FILES = ("search.html", "assets/papershelf/search.js", "assets/papershelf/search.css")

HOSTILE_TITLE = "<script>document.title='pwned'</script> in <b>titles</b>"
HOSTILE_TEXT = (
    "Gargoyles write <img src=x onerror=document.title='pwned'> and &lt;b&gt; and </p><h1>big</h1>, "
    "which matters (p<0.05) to `everyone` & [all](javascript:alert(1))."
)

ENTRIES = (
    SearchEntry(
        id="aa01",
        url="abstracts/sourdough-aa01.html",
        title="Sorting sourdough by smell",
        text="We let forty bakers smell loaves blindfolded. Their noses beat every sensor we could borrow.",
        tags=(TagLink("fermented dough", "tags/fermented-dough.html"),),
        authors=("Berta Laib", "Ömer Kruste"),
        year=2031,
        collection="Crumb",
    ),
    SearchEntry(
        id="bb02",
        url="abstracts/teacup-tides-bb02.html",
        title="Tides in teacups",
        text="Tea in a cup has tides. "
        + "The moon pulls at it all day and all night long. " * 12
        + "A self-stirring spoon measures the teaspoon-sized waves.",
    ),
    SearchEntry(
        id="cc03",
        url="abstracts/spoons-cc03.html",
        title="A theory of spoons",
        text="Spoons stir. A spoon that measures nothing still stirs tea, and bakers know it.",
    ),
    SearchEntry(id="dd04", url="abstracts/gargoyles-dd04.html", title=HOSTILE_TITLE, text=HOSTILE_TEXT),
    *(
        SearchEntry(f"ee{n:02}", f"abstracts/cheese-ee{n:02}.html", f"Cheese number {n}", f"Cheese {n} is a cheese.")
        for n in range(45)
    ),
)


def policy_for(page: str) -> str:
    """Return the strict policy, with the theme's own inline scripts allowed by their hashes."""
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = sorted({base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts})
    allowed = " ".join(f"'sha256-{value}'" for value in hashes)
    return (
        f"default-src 'none'; script-src 'self' 'wasm-unsafe-eval' {allowed}; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
    )


def build_site(site: Path, work: Path, lang: str = "en") -> None:
    """Build a site of a home page, the search page and one page an entry; without an index."""
    docs, theme = work / "docs", work / "theme"
    (docs / "abstracts").mkdir(parents=True)
    (docs / "index.md").write_text("# Home\n", encoding="utf-8")
    (docs / "search.md").write_text("---\ntitle: Search\ntemplate: search.html\n---\n", encoding="utf-8")
    for entry in ENTRIES:
        (docs / entry.url).with_suffix(".md").write_text(f"# Page {entry.id}\n", encoding="utf-8")
    for name in THEME_FILES:
        (theme / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(THEME / name, theme / name)
    (work / "mkdocs.yml").write_text(
        "site_name: Invented shelf\nuse_directory_urls: false\nplugins: []\nnot_in_nav: '*'\nnav: [index.md]\n"
        f"theme: {{name: material, font: false, custom_dir: theme, language: {lang}}}\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(work / "mkdocs.yml"), "-d", str(site)]
    subprocess.run(command, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    page = (site / "search.html").read_text(encoding="utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{policy_for(page)}">'
    (site / "search.html").write_text(page.replace("<head>", f"<head>{policy}", 1), encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Blanks, a hash, a per cent sign and umlauts, since people's folders have them.
    folder = tmp_path_factory.mktemp("search") / "my shelf #1 100% schön"
    build_site(folder, tmp_path_factory.mktemp("work"))
    build_search_index(ENTRIES, folder, tmp_path_factory.mktemp("index"))
    return folder


@contextmanager
def opened(chromium: "Browser", site: Path, over: str = "file", fragment: str = "") -> "Iterator[tuple[Page, Witness]]":
    if over == "file":
        with open_page(chromium, f"{(site / 'search.html').as_uri()}{fragment}") as opened_page:
            yield opened_page
    else:
        # A site below a folder of its host, as on a page of a code host.
        with (
            serve_folder(site.parent) as address,
            open_page(chromium, f"{address}/{site.name.replace('%', '%25').replace('#', '%23')}/search.html{fragment}")
            as opened_page,
        ):  # fmt: skip
            yield opened_page


def wait_for(page: "Page", query: str) -> None:
    # A function, since the policy forbids Playwright to evaluate a text.
    page.wait_for_function("q => document.querySelector('#shelf-results').dataset.query === q", arg=query)


def ask(page: "Page", query: str) -> list[str]:
    """Type the query and return the ids of the results in the list."""
    page.fill("#shelf-query", query)
    wait_for(page, query)
    return shown_ids(page)


def shown_ids(page: "Page") -> list[str]:
    items = page.locator("#shelf-results > li").all()
    return [item.get_attribute("data-id") or "" for item in items]


def status(page: "Page") -> str:
    return page.inner_text("#shelf-status")


@pytest.mark.parametrize("over", ["file", "http"])
def test_words_are_found_without_a_fault(chromium: "Browser", site: Path, over: str) -> None:
    with opened(chromium, site, over) as (page, witness):
        assert ask(page, "Sorting sourdough by smell") == ["aa01"]
        assert page.inner_text("#shelf-results .shelf-result__title") == "Sorting sourdough by smell"
        assert page.locator("#shelf-results mark").all_inner_texts()[:1] == ["smell"]
        assert ask(page, "sourd") == ["aa01"], "the beginning of a word"
        assert ask(page, "kruste") == ["aa01"], "an author"
        assert ask(page, "fermented") == ["aa01"], "a tag"
        assert ask(page, "self-stirring")[0] == "bb02"
        assert "self-stirring" in page.locator("#shelf-results mark").all_inner_texts()
        witness.assert_clean()


def test_pages_with_all_words_come_first(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, _):
        assert ask(page, "the bakers of tea")[0] == "cc03"
        assert status(page) == "3 results, 1 with all words"
        assert ask(page, "bakers umbrella") == ["cc03", "aa01"] or shown_ids(page) == ["aa01", "cc03"]
        assert status(page) == "2 results, none with all 2 words"


def test_stop_words_are_searched_when_nothing_else_is_left(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, _):
        assert "bb02" in ask(page, "it all")


def test_result_shows_origin_and_tags(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, _):
        ask(page, "sourdough")
        assert page.inner_text(".shelf-result__origin") == "Berta Laib, Ömer Kruste · Crumb · 2031"
        tag = page.locator(".shelf-result__tags a")
        assert tag.inner_text() == "fermented dough"
        assert tag.evaluate("link => link.href").endswith("/tags/fermented-dough.html")


def test_excerpt_stands_where_the_words_are(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, _):
        ask(page, "teaspoon waves")
        excerpt = page.inner_text(".shelf-result__excerpt")
        assert excerpt.startswith("…")
        assert excerpt.endswith("measures the teaspoon-sized waves.")


@pytest.mark.parametrize("over", ["file", "http"])
def test_hostile_text_is_inert_and_shown_as_written(chromium: "Browser", site: Path, over: str) -> None:
    with opened(chromium, site, over) as (page, witness):
        for query in ("gargoyles", "onerror", "titles", "<img src=x onerror=alert(1)>"):
            assert ask(page, query)[0] == "dd04"
            assert page.locator(".shelf-result__title").first.inner_text() == HOSTILE_TITLE
            assert page.locator(".shelf-result__excerpt").first.inner_text() == HOSTILE_TEXT
            assert page.locator("#shelf-results :is(img, b, h1, script)").count() == 0
        assert page.title() == "Search - Invented shelf"
        witness.assert_clean()


def test_query_is_answered_as_typed(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, witness):
        wait_for(page, "")
        assert shown_ids(page) == []
        assert ask(page, "  Tides ") == ["bb02"]
        assert ask(page, "xylophone") == []
        assert status(page).startswith("Nothing found. Try")
        assert ask(page, "?!") == []
        assert ask(page, '"quoted tides" constructor __proto__') == ["bb02"]
        assert ask(page, "   ") == []
        assert ask(page, "") == []
        assert status(page) == ""
        witness.assert_clean()


def test_late_answers_are_dropped(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, _):
        page.locator("#shelf-query").press_sequentially("tides cheese sourdough", delay=1)
        page.fill("#shelf-query", "gargoyles")
        wait_for(page, "gargoyles")
        assert shown_ids(page) == ["dd04"]
        page.wait_for_timeout(400)
        assert shown_ids(page) == ["dd04"]


def test_more_results_on_demand(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, _):
        assert len(ask(page, "cheese")) == 20
        assert status(page) == "45 results"
        page.click("#shelf-more")
        page.wait_for_function("() => document.querySelectorAll('#shelf-results > li').length === 40")
        assert page.evaluate("() => document.activeElement.closest('li') === document.querySelectorAll('ol > li')[20]")
        page.click("#shelf-more")
        page.wait_for_function("() => document.querySelectorAll('#shelf-results > li').length === 45")
        assert len(set(shown_ids(page))) == 45
        assert page.locator("#shelf-more").is_hidden()


@pytest.mark.parametrize("over", ["file", "http"])
def test_query_stands_in_the_address(chromium: "Browser", site: Path, over: str) -> None:
    with opened(chromium, site, over, "#q=tea+%26%20spoon%2B") as (page, witness):
        wait_for(page, "tea & spoon+")
        assert page.input_value("#shelf-query") == "tea & spoon+"
        assert shown_ids(page)[0] == "cc03"
        page.evaluate("() => { location.hash = '#q=gargoyles'; }")
        wait_for(page, "gargoyles")
        ask(page, "moon 100%")
        assert page.url.endswith("/search.html#q=moon+100%25")
        page.reload()
        wait_for(page, "moon 100%")
        assert "bb02" in shown_ids(page)
        ask(page, "")
        assert page.url.endswith("/search.html")
        witness.assert_clean()


def focused(page: "Page") -> str:
    return str(
        page.evaluate("() => document.activeElement.id || document.activeElement.closest('[data-id]').dataset.id")
    )


def test_keys(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, _):
        assert focused(page) == "shelf-query"
        first, second, *_ = ask(page, "tea spoon")
        page.keyboard.press("ArrowDown")
        assert focused(page) == first
        page.keyboard.press("ArrowDown")
        assert focused(page) == second
        page.keyboard.press("ArrowDown")
        assert focused(page) == second
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        assert focused(page) == "shelf-query"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Escape")
        assert focused(page) == "shelf-query"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("/")
        assert focused(page) == "shelf-query"
        assert page.input_value("#shelf-query") == "tea spoon"
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert page.inner_text("h1") == f"Page {second}"


def test_enter_opens_the_first_result_of_what_was_typed(chromium: "Browser", site: Path) -> None:
    with opened(chromium, site) as (page, witness):
        ask(page, "tides")
        page.fill("#shelf-query", "gargoyles")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert page.inner_text("h1") == "Page dd04"
        page.go_back()
        wait_for(page, "gargoyles")
        assert witness.policy_violations == []


def test_shards_answer_as_one(chromium: "Browser", site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sharded = tmp_path / "site"
    shutil.copytree(site, sharded, ignore=shutil.ignore_patterns("papershelf/search"))
    monkeypatch.setattr(search, "SHARD_ENTRIES", 9)
    assert build_search_index(ENTRIES, sharded, tmp_path / "work", jobs=2).shards == 6
    with opened(chromium, sharded) as (page, witness):
        assert ask(page, "gargoyles") == ["dd04"]
        assert set(ask(page, "bakers tea tides")) == {"aa01", "bb02", "cc03"}
        ask(page, "cheese")
        assert status(page) == "45 results"
        witness.assert_clean()


def test_page_in_another_language_finds_the_same(chromium: "Browser", tmp_path: Path) -> None:
    build_site(tmp_path / "site", tmp_path / "mkdocs", lang="zh")
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    with opened(chromium, tmp_path / "site") as (page, witness):
        assert ask(page, "sorting sourdough") == ["aa01"]
        witness.assert_clean()


def test_missing_index_says_what_to_do(chromium: "Browser", site: Path, tmp_path: Path) -> None:
    bare = tmp_path / "site"
    shutil.copytree(site, bare)
    shutil.rmtree(bare / SEARCH_FOLDER)
    with opened(chromium, bare) as (page, witness):
        page.wait_for_function("() => document.querySelector('#shelf-status').textContent !== ''")
        assert "papershelf build" in status(page)
        page.fill("#shelf-query", "tea")
        page.wait_for_timeout(300)
        assert "papershelf build" in status(page)
        assert witness.policy_violations == []


@pytest.mark.parametrize("pattern", ["manifest.json.js", "1/pagefind-entry.json.js", "1/wasm.en.pagefind.js"])
def test_damaged_index_says_what_to_do(chromium: "Browser", site: Path, tmp_path: Path, pattern: str) -> None:
    damaged = tmp_path / "site"
    shutil.copytree(site, damaged)
    (damaged / SEARCH_FOLDER / pattern).unlink()
    with opened(chromium, damaged) as (page, _):
        page.fill("#shelf-query", "tea")
        page.wait_for_function("() => document.querySelector('#shelf-status').textContent.includes('papershelf')")


def test_lost_chunk_is_said(chromium: "Browser", site: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "site"
    shutil.copytree(site, damaged)
    for chunk in (damaged / SEARCH_FOLDER / "1" / "index").iterdir():
        chunk.unlink()
    with opened(chromium, damaged) as (page, _):
        assert ask(page, "tea") == []
        assert "A part of the search index is missing" in status(page)


def test_nothing_sticks_out_on_a_phone(chromium: "Browser", site: Path) -> None:
    with open_page(chromium, f"{(site / 'search.html').as_uri()}#q=gargoyles", width=360) as (page, _):
        wait_for(page, "gargoyles")
        assert page.evaluate("() => document.documentElement.scrollWidth") == 360
