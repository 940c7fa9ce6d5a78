"""Pages as a screen reader, a keyboard and weak eyes meet them, judged by axe-core: no violation, in any look."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.chromium import chromium
from tests.invented import papers_on_shared_subjects
from tests.projects import ABSTRACTS, Project, make_project, records

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

pytestmark = pytest.mark.browser

QUERIES = {"search": "village choirs", "nothing found": "quixotry"}
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
PAGES = ("home", "search", "nothing found", "abstract", "abstracts", "tags", "tag", "topic", "collection", "by hand")


@pytest.fixture(scope="module")
def axe() -> str:
    """Return the script of axe-core, which axe-playwright-python carries."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("no axe-core: install the dev dependencies")
    return Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    # Enough tags for topics, and more abstracts than one page of a list holds.
    invented = [paper.parsed.paper.record.abstract for paper in papers_on_shared_subjects(0, 60)]
    project = make_project(tmp_path_factory.mktemp("accessibility") / "shelf", [*ABSTRACTS, *invented])
    assert project.build("--search") == 0
    return project


def page_uri(project: Project, name: str) -> str:
    """Return the address of a page below the site's folder."""
    match name:
        case "home":
            return "index.html"
        case "search" | "nothing found":
            return f"search.html#q={quote(QUERIES[name])}"
        case "abstract":
            return next(str(one["page"]) for one in records(project) if "300 moths" in str(one["abstract"]))
        case "abstracts" | "tags":
            return f"{name}/index.html"
        case "by hand":
            return "about.html"
    folder = project.site / {"tag": "tags", "topic": "topics", "collection": "collections"}[name]
    first = min(path for path in folder.glob("*.html") if path.name != "index.html")
    return first.relative_to(project.site).as_posix()


def violations(page: "Page", axe: str) -> list[str]:
    """Return what axe-core finds on the open page: one text a rule, with the elements that break it."""
    page.evaluate(axe)
    found = page.evaluate(
        "values => axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] })", RULES
    )
    return [
        f"{rule['id']} ({rule['impact']}): {rule['help']}\n"
        + "".join(f"  at {node['target']}: {node['html']}\n    {node['failureSummary']}\n" for node in rule["nodes"])
        for rule in found["violations"]
    ]


@contextmanager
def opened(browser: "Browser", address: str, scheme: str, width: int) -> "Iterator[Page]":
    # The policy would refuse axe-core; that pages keep to it is seen to elsewhere.
    context = browser.new_context(
        bypass_csp=True,
        offline=True,
        viewport={"width": width, "height": 800},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    try:
        page = context.new_page()
        page.goto(address)
        yield page
    finally:
        context.close()


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(chromium: "Browser", project: Project, axe: str, name: str, scheme: str, width: int) -> None:
    with opened(chromium, f"{project.site.as_uri()}/{page_uri(project, name)}", scheme, width) as page:
        if name in QUERIES:
            page.wait_for_function(
                "query => document.querySelector('#shelf-results').dataset.query === query", arg=QUERIES[name]
            )
        found = violations(page, axe)
        assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_open_drawer(chromium: "Browser", project: Project, axe: str, scheme: str) -> None:
    with opened(chromium, (project.site / "index.html").as_uri(), scheme, 360) as page:
        page.locator(".shelf-menu").click()
        page.wait_for_timeout(500)  # it slides in
        found = violations(page, axe)
        assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["Export", "Keys", "Note"])
def test_axe_finds_nothing_in_open_windows_and_marked_lists(
    chromium: "Browser", project: Project, axe: str, name: str, scheme: str
) -> None:
    with opened(chromium, (project.site / "search.html").as_uri(), scheme, 1280) as page:
        item = page.locator("#shelf-results > li").first
        item.get_by_role("button", name="Keep").click()
        page.locator("#shelf-results > li").nth(1).get_by_role("button", name="Skip").click()
        page.locator(".shelf-facet__only").first.click()
        page.locator(".shelf-chip").wait_for()
        page.get_by_role("button", name=name, exact=True).first.click()
        page.get_by_role("dialog").wait_for()
        found = violations(page, axe)
        page.keyboard.press("Escape")
        found += violations(page, axe)
        assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_axe_finds_nothing_in_a_list_that_is_narrowed_in_place(
    chromium: "Browser", project: Project, axe: str, scheme: str, width: int
) -> None:
    with opened(chromium, f"{project.site.as_uri()}/{page_uri(project, 'tag')}", scheme, width) as page:
        page.click("text=Filters")
        page.locator(".shelf-facet__only").first.click()
        page.locator(".shelf-chip").wait_for()
        found = violations(page, axe)
        assert not found, "\n" + "\n".join(found)
