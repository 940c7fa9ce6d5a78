"""Deciding on papers in Chromium: keys, buttons and touch; what is kept, taken along, and moved to another browser."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import rispy
from bibtexparser.entrypoint import parse_string as parse_bibtex

from generator.titles.own import read_own_titles
from tests.chromium import Witness, chromium, open_page, serve_folder
from tests.projects import ABSTRACTS, Project, as_text, make_project, records

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Download, Page

__all__ = ["chromium"]

pytestmark = pytest.mark.browser

LISTED = "#shelf-results > li"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("triage") / "my shelf #1 100% schön")
    assert project.build("--search") == 0
    return project


@contextmanager
def opened(browser: "Browser", project: Project, at: str = "search.html") -> "Iterator[tuple[Page, Witness]]":
    with open_page(browser, f"{project.site.as_uri()}/{at}") as opened_page:
        if at.startswith("search.html"):
            wait_for_list(opened_page[0])
        yield opened_page


def wait_for_list(page: "Page", query: str = "") -> None:
    page.wait_for_function("query => document.querySelector('#shelf-results')?.dataset.query === query", arg=query)
    page.wait_for_function("() => document.querySelector('.shelf-facet__values li') !== null")


def press(page: "Page", keys: str) -> None:
    """Press keys outside of the box, each once what the one before did is there."""
    if page.evaluate("() => document.activeElement.matches('input')"):
        page.evaluate("() => document.activeElement.blur()")
    for key in keys:
        page.keyboard.press(key)
        page.wait_for_timeout(80)


def marks(page: "Page", items: str = LISTED) -> list[str]:
    found: list[str] = page.eval_on_selector_all(items, "all => all.map((item) => item.dataset.mark ?? '')")
    return found


def current(page: "Page", items: str = LISTED) -> int:
    """Return the number of the item that keys are about; -1 for none."""
    found: int = page.eval_on_selector_all(items, "all => all.findIndex((item) => item.ariaCurrent === 'true')")
    return found


def titles(page: "Page") -> list[str]:
    return page.locator(f"{LISTED} .shelf-result__title").all_inner_texts()


def saved(page: "Page", button: str) -> tuple[str, str]:
    """Press a button of the open window, and return the name and text of the file that it saves."""
    with page.expect_download() as waiting:
        page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()
    download: Download = waiting.value
    return download.suggested_filename, Path(download.path()).read_text(encoding="utf-8")


def open_exports(page: "Page") -> None:
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_role("dialog").wait_for()


def test_one_key_decides_and_goes_on(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, witness):
        press(page, "j")
        assert current(page) == 0
        press(page, "sxl")
        assert marks(page)[:4] == ["kept", "skipped", "later", ""]
        assert current(page) == 3
        press(page, "k")
        assert current(page) == 2
        press(page, "u")
        assert marks(page)[:3] == ["kept", "skipped", ""]
        press(page, "u")
        assert (marks(page)[:3], current(page)) == (["kept", "", ""], 1)
        assert page.locator("#shelf-progress").inner_text().startswith("1 of 12 seen, 1 kept.")
        press(page, "e")
        item = page.locator(LISTED).nth(1)
        assert "moody" in item.locator(".shelf-result__excerpt").inner_text()
        assert item.get_attribute("data-seen") is not None
        assert page.locator("#shelf-progress").inner_text().startswith("2 of 12 seen, 1 kept.")
        press(page, "/")
        assert page.evaluate("() => document.activeElement.id") == "shelf-query"
        page.keyboard.type("jsx")  # letters, here
        assert page.locator("#shelf-query").input_value() == "jsx"
        witness.assert_clean()


def test_a_paper_is_opened_and_the_way_back_leads_to_it(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, witness):
        press(page, "jjj")
        title = titles(page)[2]
        with page.expect_navigation():
            page.keyboard.press("o")
        assert page.locator("h1").inner_text() == title
        press(page, "s")
        page.locator(".shelf-paper[data-mark=kept]").wait_for()
        page.go_back()
        wait_for_list(page)
        page.wait_for_function("() => document.querySelectorAll('#shelf-results > li')[2].dataset.mark === 'kept'")
        assert current(page) == 2
        witness.assert_clean()


def test_abstract_pages_have_the_same_keys_and_buttons(chromium: "Browser", project: Project) -> None:
    first, second = (str(record["page"]) for record in records(project)[:2])
    with opened(chromium, project, first) as (page, witness):
        press(page, "s")
        assert page.locator(".shelf-paper").get_attribute("data-mark") == "kept"
        assert page.get_by_role("button", name="Keep").get_attribute("aria-pressed") == "true"
        page.get_by_role("button", name="Undo").click()
        assert page.locator(".shelf-paper").get_attribute("data-mark") == ""
        page.get_by_role("button", name="Later").click()
        with page.expect_navigation():
            page.keyboard.press("j")
        assert page.url.endswith(second)
        with page.expect_navigation():
            page.keyboard.press("k")
        assert page.locator(".shelf-paper").get_attribute("data-mark") == "later"
        press(page, "/")
        assert page.evaluate("() => document.activeElement.matches('header input')")
        witness.assert_clean()


def test_lists_have_the_same_keys_and_buttons(chromium: "Browser", project: Project) -> None:
    listed = ".shelf-list li"
    with opened(chromium, project, "abstracts/index.html") as (page, witness):
        press(page, "jsx")
        assert marks(page, listed)[:3] == ["kept", "skipped", ""]
        assert current(page, listed) == 2
        press(page, "e")
        page.locator(".shelf-in-place", has_text="lighthouses").wait_for()
        page.get_by_label("Hide seen").check()
        assert [page.locator(listed).nth(number).is_visible() for number in range(4)] == [False, False, False, True]
        page.reload()
        assert not page.locator(listed).nth(0).is_visible()
        press(page, "j")
        assert current(page, listed) == 3
        witness.assert_clean()


def test_marks_survive_a_rebuild_and_are_told_apart_from_another_site_s(
    chromium: "Browser", tmp_path: Path, project: Project
) -> None:
    growing = make_project(tmp_path / "growing")
    assert growing.build("--search") == 0
    with opened(chromium, growing) as (page, _):
        press(page, "js")
        kept = titles(page)[0]
        more = "Kettles whistle before the tea is ready. We whistle back, and time how long the kettle stays offended."
        growing.source.write_text(as_text([more, *ABSTRACTS]), encoding="utf-8")
        assert growing.build("--search") == 0
        page.reload()
        wait_for_list(page)
        assert page.locator(f"{LISTED}[data-mark=kept] .shelf-result__title").all_inner_texts() == [kept]
        assert page.locator("#shelf-progress").inner_text().startswith("1 of 13 seen, 1 kept.")
        page.goto(f"{project.site.as_uri()}/search.html")
        wait_for_list(page)
        assert set(marks(page)) == {""}


def test_what_is_new_since_the_last_visit_is_a_filter(
    chromium: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    growing = make_project(tmp_path / "growing")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1924905600")
    assert growing.build("--search") == 0
    with opened(chromium, growing) as (page, _):
        assert page.locator(".shelf-facet__only", has_text="New since").count() == 0
        more = "Kettles whistle before the tea is ready. We whistle back, and time how long the kettle stays offended."
        growing.source.write_text(as_text([*ABSTRACTS, more]), encoding="utf-8")
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1926000000")
        assert growing.build("--search") == 0
        # Seven hours later.
        page.add_init_script("const now = Date.now.bind(Date); Date.now = () => now() + 7 * 3600e3;")
        page.reload()
        wait_for_list(page)
        page.locator(".shelf-facet__only", has_text="New since your last visit").click()
        page.locator(".shelf-chip").wait_for()
        assert len(titles(page)) == 1
        assert "Kettles" in page.locator(LISTED).inner_text()
        assert page.url.endswith("#is=new")


def test_a_thumb_can_do_it_all(chromium: "Browser", project: Project) -> None:
    context = chromium.new_context(viewport={"width": 360, "height": 720}, has_touch=True, is_mobile=True, offline=True)
    try:
        page = context.new_page()
        page.goto(f"{project.site.as_uri()}/search.html")
        page.wait_for_function("() => document.querySelectorAll('#shelf-results > li').length > 2")
        item = page.locator(LISTED).first
        for name, mark in (("Keep", "kept"), ("Skip", "skipped"), ("Later", "later"), ("Later", "")):
            item.get_by_role("button", name=name).tap()
            assert item.get_attribute("data-mark") == mark
        page.get_by_role("button", name="Undo").tap()
        assert item.get_attribute("data-mark") == "later"
        page.get_by_role("button", name="Filters").tap()
        page.locator(".shelf-facet__only", has_text="Later").tap()
        page.locator(".shelf-chip", has_text="later").tap()
        page.wait_for_function("() => document.querySelectorAll('.shelf-chip').length === 0")
        small = page.eval_on_selector_all(
            ".shelf-tools button, .shelf-marks button, .shelf-facet__only, .shelf-facet__not",
            "all => all.map((e) => e.getBoundingClientRect()).filter((r) => r.width && Math.min(r.width, r.height) < 24).length",
        )
        assert small == 0
        page.goto(f"{project.site.as_uri()}/{records(project)[0]['page']}")
        page.set_viewport_size({"width": 360, "height": 400})
        keep = page.get_by_role("button", name="Keep")
        box = keep.bounding_box()
        assert box is not None
        assert 300 < box["y"] < 400  # at the bottom of the screen, wherever the text ends
        keep.tap()
        assert page.locator(".shelf-paper").get_attribute("data-mark") == "kept"
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    finally:
        context.close()


def test_seen_papers_can_be_hidden_and_the_reader_goes_on_where_she_stopped(
    chromium: "Browser", project: Project
) -> None:
    with opened(chromium, project) as (page, _):
        press(page, "jsssj")
        stopped = titles(page)[4]
        page.get_by_label("Hide seen").check()
        page.wait_for_function("() => document.querySelectorAll('#shelf-results > li').length === 9")
        page.goto(f"{project.site.as_uri()}/index.html")
        assert page.locator(".shelf-progress").inner_text().startswith("3 of 12 seen, 3 kept.")
        with page.expect_navigation():
            page.click("text=Go on")
        page.locator(f"{LISTED}[aria-current=true]", has_text=stopped[:20]).wait_for()
        page.get_by_label("Hide seen").uncheck()
        page.wait_for_function("() => document.querySelectorAll('#shelf-results > li').length >= 10")
        page.get_by_role("button", name="Go on where you stopped").click()
        page.locator(f"{LISTED}[aria-current=true]", has_text=stopped[:20]).wait_for()


def test_keys_are_told_and_can_be_switched_off(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, witness):
        press(page, "?")
        dialog = page.get_by_role("dialog")
        assert "Read the abstract in place" in dialog.inner_text()
        dialog.get_by_label("Single keys do this").uncheck()
        page.keyboard.press("Escape")
        assert page.get_by_role("dialog").count() == 0
        press(page, "js")
        assert (current(page), set(marks(page))) == (-1, {""})
        page.reload()
        wait_for_list(page)
        press(page, "j")
        assert current(page) == -1
        page.get_by_role("button", name="Keys").click()
        page.get_by_role("dialog").get_by_label("Single keys do this").check()
        page.keyboard.press("Escape")
        press(page, "j")
        assert current(page) == 0
        witness.assert_clean()


def test_notes_labels_and_titles_are_kept_shown_and_exported(
    chromium: "Browser", project: Project, tmp_path: Path
) -> None:
    with opened(chromium, project) as (page, witness):
        press(page, "jsk")
        press(page, "n")
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Note", exact=True).fill("Ask Berta.\nSecond line, {braces} & more.")
        dialog.get_by_label("Your labels").fill("to read, bread")
        dialog.get_by_label("A better one").fill("Sourdough Atlas: a map of $wild$ yeast")
        page.keyboard.press("Escape")
        own = page.locator(LISTED).first.locator(".shelf-own")
        assert own.locator(".shelf-own__note").inner_text() == "Ask Berta.\nSecond line, {braces} & more."
        assert "bread, to read" in own.inner_text()
        page.reload()
        wait_for_list(page)
        assert "bread, to read" in page.locator(LISTED).first.inner_text()
        page.locator(".shelf-facet__only", has_text="to read").click()
        page.locator(".shelf-chip", has_text="to read").wait_for()
        assert len(titles(page)) == 1

        open_exports(page)
        name, text = saved(page, "Titles for titles.yml")
        assert name == "titles.yml"
        path = tmp_path / "titles.yml"
        path.write_text(text, encoding="utf-8")
        (entry,) = read_own_titles(path, {}).entries
        assert entry is not None
        assert "Sourdough Atlas" in text
        name, text = saved(page, "JSON")
        (paper,) = json.loads(text)
        assert paper["note"] == "Ask Berta.\nSecond line, {braces} & more."
        assert paper["labels"] == ["bread", "to read"]
        assert (paper["title"], paper["title_by_reader"]) == ("Sourdough Atlas: a map of $wild$ yeast", True)
        witness.assert_clean()


def test_kept_papers_leave_in_every_format(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, witness):
        press(page, "jssss")
        kept = [str(record["id"]) for record in records(project)[:4]]
        open_exports(page)
        assert page.get_by_label("What").evaluate("e => e.selectedOptions[0].text") == "4 kept papers"
        found: dict[str, Any] = {}
        for button in ("BibTeX", "RIS", "CSV", "JSON", "Markdown"):
            name, found[button] = saved(page, button)
            assert name.startswith("my-shelf-1-100-schön.")
        library = parse_bibtex(found["BibTeX"])
        assert (len(library.entries), library.failed_blocks) == (4, [])
        assert [entry["papershelf_id"] for entry in library.entries] == kept
        assert all("derived from the abstract" in entry["note"] for entry in library.entries)
        assert [entry["id"] for entry in rispy.loads(found["RIS"])] == kept
        assert [row["id"] for row in csv.DictReader(io.StringIO(found["CSV"].lstrip("\ufeff")))] == kept
        assert [paper["id"] for paper in json.loads(found["JSON"])] == kept
        assert found["Markdown"].count("\n## ") == 4
        witness.assert_clean()


def test_a_view_and_one_paper_leave_alone(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        page.fill("#shelf-query", "lighthouses")
        wait_for_list(page, "lighthouses")
        expected = len(titles(page))
        open_exports(page)
        _, text = saved(page, "JSON")
        assert len(json.loads(text)) == expected
    record = records(project)[3]
    with opened(chromium, project, str(record["page"])) as (page, witness):
        open_exports(page)
        _, text = saved(page, "BibTeX")
        (entry,) = parse_bibtex(text).entries
        assert entry["papershelf_id"] == record["id"]
        witness.assert_clean()


def test_marks_move_to_another_browser_and_are_merged_there(
    chromium: "Browser", project: Project, tmp_path: Path
) -> None:
    with opened(chromium, project) as (page, _):
        press(page, "jsx")
        open_exports(page)
        name, text = saved(page, "Save marks to a file")
        assert name == "my-shelf-1-100-schön-marks.json"
    state = tmp_path / "marks.json"
    state.write_text(text, encoding="utf-8")
    broken = tmp_path / "broken.json"
    broken.write_text("[1, 2", encoding="utf-8")
    with opened(chromium, project) as (page, witness):
        press(page, "jjj")
        press(page, "s")
        open_exports(page)
        dialog = page.get_by_role("dialog")
        page.locator("input[type=file]").set_input_files(broken)
        dialog.get_by_text("Expected a file of marks saved by Papershelf").wait_for()
        page.locator("input[type=file]").set_input_files(state)
        dialog.get_by_text("added").wait_for()
        page.keyboard.press("Escape")
        assert marks(page)[:4] == ["kept", "skipped", "kept", ""]
        witness.assert_clean()


def test_a_link_carries_the_kept_papers(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        press(page, "jsjs")
        kept = [title for title, mark in zip(titles(page), marks(page), strict=True) if mark == "kept"]
        page.context.grant_permissions([])
        open_exports(page)
        page.evaluate(
            "() => Object.defineProperty(navigator, 'clipboard', { value: undefined })"
        )  # as it may be on disk
        page.get_by_role("dialog").get_by_role("button", name="Copy a link to the kept").click()
        address = page.get_by_label("Text to copy").input_value()
    with open_page(chromium, address) as (page, witness):
        wait_for_list(page)
        assert titles(page) == kept
        page.get_by_role("button", name="Keep them all").click()
        assert set(marks(page)) == {"kept"}
        witness.assert_clean()


@pytest.mark.parametrize("at", ["search.html", "abstracts/index.html"])
def test_refused_storage_is_told_and_the_file_offered(chromium: "Browser", project: Project, at: str) -> None:
    context = chromium.new_context(offline=True)
    try:
        page = context.new_page()
        page.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
        )
        page.goto(f"{project.site.as_uri()}/{at}")
        page.get_by_role("alert").get_by_text("This browser refuses to keep marks").wait_for()
        press(page, "js")
        assert page.locator("[data-mark=kept]").count() == 1
        with page.expect_download() as waiting:
            page.get_by_role("alert").get_by_role("button", name="Save marks to a file").click()
        assert '"kept"' in Path(waiting.value.path()).read_text(encoding="utf-8")
    finally:
        context.close()


def test_full_storage_is_told(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        page.evaluate(
            "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
        )
        press(page, "js")
        page.get_by_role("alert").get_by_text("storage is full").wait_for()
        assert marks(page)[0] == "kept"


def test_two_open_pages_know_of_each_other(chromium: "Browser", project: Project) -> None:
    with serve_folder(project.site) as host, open_page(chromium, f"{host}/search.html") as (page, witness):
        wait_for_list(page)
        other = page.context.new_page()
        other.goto(f"{host}/search.html")
        wait_for_list(other)
        press(page, "js")
        other.wait_for_function("() => document.querySelector('#shelf-results > li').dataset.mark === 'kept'")
        witness.assert_clean()


def test_kept_papers_are_printed(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        press(page, "jsjs")
        page.evaluate(
            "() => { window.print = () => { window.printed = document.querySelector('.shelf-print').innerText; }; }"
        )
        open_exports(page)
        page.get_by_role("dialog").get_by_role("button", name="Print").click()
        page.wait_for_function("() => window.printed !== undefined")
        page.emulate_media(media="print")
        assert page.locator(".shelf-print article:visible").count() == 2
        assert page.locator("#shelf-results:visible, header:visible, dialog:visible").count() == 0
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        page.emulate_media(media="screen")
        assert page.locator(".shelf-print").count() == 0


def test_keyboard_alone_reaches_every_button(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("() => document.activeElement.textContent.trim()"))
        assert {"Undo", "Export", "Keys", "Keep", "Later", "Skip", "Read", "Note"} <= reached
