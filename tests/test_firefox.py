"""Search and marks in the distribution's Firefox, from disk: what may differ from Chromium there."""

import json

import pytest

from tests.firefox import FirefoxPage, firefox_page
from tests.projects import Project, make_project, records

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("firefox") / "my shelf #1 100% schön")
    assert project.build("--search") == 0
    return project


def search_for(page: FirefoxPage, query: str) -> list[str]:
    """Type a query, and return the ids of its results once they are final."""
    page.wait_for("document.querySelector('#shelf-query') !== null")
    page.evaluate("document.querySelector('#shelf-query').focus()")
    page.type(query)
    page.wait_for(f"document.querySelector('#shelf-results').dataset.query === {json.dumps(query)}")
    ids: list[str] = page.evaluate(
        "[...document.querySelectorAll('#shelf-results [data-id]')].map((e) => e.dataset.id)"
    )
    return ids


def test_a_word_is_found(project: Project) -> None:
    known = {record["id"] for record in records(project) if "lighthouses" in str(record["abstract"]).casefold()}
    with firefox_page((project.site / "search.html").as_uri()) as page:
        found = search_for(page, "lighthouses")
        assert found
        assert set(found) <= known
        assert page.errors == []


def test_a_formula_is_laid_out_and_the_policy_kept(project: Project) -> None:
    moths = next(record for record in records(project) if "300 moths" in str(record["abstract"]))
    with firefox_page(f"{(project.site / 'x').as_uri()[:-1]}{moths['page']}") as page:
        assert page.evaluate("document.querySelector('.shelf-abstract math mfrac').getBoundingClientRect().height") > 20
        assert page.errors == []


def test_a_mark_survives_a_reload(project: Project) -> None:
    with firefox_page((project.site / "search.html").as_uri()) as page:
        first = search_for(page, "lighthouses")[0]
        item = f"document.querySelector('#shelf-results li[data-id=\"{first}\"]')"
        page.evaluate("document.activeElement.blur()")  # in the box, keys are letters
        page.press("j")
        page.wait_for(f"{item}?.getAttribute('aria-current') === 'true'")
        page.press("s")
        page.wait_for(f"{item}?.dataset.mark === 'kept'")
        assert page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('papershelf.1.'))")

        page.reload()
        page.wait_for(f"{item}?.dataset.mark === 'kept'")
        assert page.errors == []
