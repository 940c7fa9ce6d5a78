"""Every payload of tests/payloads.txt in every field of a paper, in a real Chromium: nothing runs, all is visible."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.markup.html import to_html
from generator.markup.parse import parse_markup
from tests.chromium import chromium, open_page
from tests.projects import Project, as_lines, make_project, records

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog

__all__ = ["chromium"]

LINES = (Path(__file__).parent / "payloads.txt").read_text(encoding="utf-8").split("\n")
PAYLOADS = [line for line in LINES if line and not line.startswith("# ")]
SEEN = "() => ({ran: window.pwned !== undefined, title: document.querySelector('h1')?.innerText, text: document.body.innerText})"


def mark_of(payload: str) -> str:
    """Return the visible word of a payload."""
    found = re.search(r"payload\d+owl", payload)
    assert found, payload
    return found[0]


def test_there_are_many_and_none_twice() -> None:
    assert len({mark_of(payload) for payload in PAYLOADS}) == len(PAYLOADS) > 200


@pytest.mark.parametrize("payload", PAYLOADS, ids=mark_of)
def test_the_html_view_is_inert(payload: str) -> None:
    text, _ = parse_markup(payload)
    assert mark_of(payload) in text.plain
    html = re.sub(r"<math.*?</math>", "", to_html(text), flags=re.DOTALL)
    for element, attributes in re.findall(r"<([A-Za-z][\w-]*)([^<>]*)>", html):
        assert element in {"p", "em", "strong", "sub", "sup", "u", "span", "code", "a", "br", "bdi", "ul", "ol", "li"}
        assert re.fullmatch(r'(?: (?:class|title)="[^"]*"| href="(?:https?://|mailto:)[^"]*")*', attributes), attributes


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("payloads") / "shelf")
    papers: list[dict[str, object]] = [
        {
            "id": payload,
            "title": f"Title {payload}",
            "abstract": f"Watchman {number} guards the harbour gate. {payload}",
            "authors": [f"Mallory {payload}", "Watchman"],
            "keywords": [payload],
            "url": re.sub(r"^.*?(javascript|data|vbscript|https://evil)", r"\1", payload),
            "collection": f"{payload[:60]} gate {number % 7}",
        }
        for number, payload in enumerate(PAYLOADS)
    ]
    # Derived titles and tags are made of payloads too.
    bare: list[dict[str, object]] = [
        {"id": f"bare {number}", "abstract": f"{payload} and the harbour gate {payload}"}
        for number, payload in enumerate(PAYLOADS[::4])
    ]
    source = project.folder / "papers.jsonl"
    source.write_text(as_lines([*papers, *bare]), encoding="utf-8")
    assert project.run("build", source) == 0
    return project


@pytest.mark.browser
def test_nothing_runs_and_every_word_is_visible(chromium: "Browser", project: Project) -> None:
    found = records(project)
    assert len(found) == len(PAYLOADS) + len(PAYLOADS[::4])
    faults = []
    root = (project.site / "x").as_uri()[:-1]
    with open_page(chromium, f"{root}index.html") as (page, witness):

        def on_dialog(dialog: "Dialog") -> None:
            faults.append(f"a dialog: {dialog.message}")
            dialog.dismiss()

        page.on("dialog", on_dialog)
        for record in found:
            page.goto(root + str(record["page"]))
            seen = page.evaluate(SEEN)
            mark = mark_of(str(record["abstract"]))
            if seen["ran"] or mark not in seen["text"] or (not record["title_derived"] and mark not in seen["title"]):
                faults.append(f"{mark}: {seen}")
        lists = [project.site / "index.html", *sorted(project.site.glob("*/*.html"))]
        for path in [path for path in lists if path.parent.name in ("site", "collections", "tags")][:40]:
            page.goto(path.as_uri())
            if page.evaluate(SEEN)["ran"]:
                faults.append(path.name)
        page.goto(f"{root}search.html#q=harbour gate payload001owl")
        page.wait_for_timeout(500)
        assert not page.evaluate(SEEN)["ran"]
        assert faults == []
        witness.assert_clean()


class _Attributes(HTMLParser):
    """Collects what could run or lead astray, as a browser would see it."""

    def __init__(self) -> None:
        super().__init__()
        self.harmful: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            scheme = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if name.startswith("on") or name == "style" or scheme.startswith(("javascript:", "data:text", "vbscript:")):
                self.harmful.append(f"<{tag} {name}={value!r}>")


def test_no_harmful_attribute_is_in_the_site(project: Project) -> None:
    for path in project.site.rglob("*.html"):
        found = _Attributes()
        found.feed(path.read_text(encoding="utf-8"))
        assert found.harmful == [], path
