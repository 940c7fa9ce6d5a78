"""Judging a built site: each kind of fault is found, and nothing else is called one."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.check import Checked, NoSiteError, check_site
from generator.finish.search import RECORDS_FOLDER, SEARCH_FOLDER
from tests.projects import ABSTRACTS, Project, as_lines, make_project

DATA = "papershelf/abstracts.jsonl"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make_project(tmp_path_factory.mktemp("check") / "shelf")
    assert project.build("--search") == 0
    return project


@pytest.fixture
def site(built: Project, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built.site, tmp_path / "site"))


def first_page(site: Path) -> Path:
    return min(path for path in (site / "abstracts").glob("*-*.html"))


def add(path: Path, html: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("</body>") == 1
    path.write_text(text.replace("</body>", f"{html}</body>"), encoding="utf-8")


def kinds(checked: Checked) -> set[str]:
    return {fault.kind for fault in checked.faults}


def test_a_good_site_has_no_fault(site: Path) -> None:
    seen: list[int] = []
    checked = check_site(site, advance=seen.append)
    assert checked.faults == ()
    assert checked.entries == 12
    assert checked.pages == sum(seen) == len(list(site.rglob("*.html")))
    assert checked.links > checked.pages


def test_where_there_is_no_site_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoSiteError, match="papershelf build") as raised:
        check_site(tmp_path)
    assert raised.value.exit_code == 2


@pytest.mark.parametrize(
    ("html", "kind", "words"),
    [
        ('<a href="nowhere.html">x</a>', "link", "leads nowhere: 'nowhere.html'"),
        ('<a href="../index.html#nowhere">x</a>', "link", "a part that is not there"),
        ('<a href="#nowhere">x</a>', "link", "a part that is not there"),
        ('<a href="../../outside/">x</a>', "link", "leads out of the site"),
        ('<a href="../..">x</a>', "link", "leads out of the site"),
        ('<a href="/index.html">x</a>', "link", "does not work from disk"),
        ('<a href="javascript:alert(1)">x</a>', "link", "unexpected kind"),
        ('<a href="data:text/html,x">x</a>', "link", "unexpected kind"),
        ('<a href="file:///etc/passwd">x</a>', "link", "unexpected kind"),
        ('<a href="http://[x">x</a>', "link", "no address"),
        ('<img src="http://[x">', "link", "no address"),
        ('<img src="no.png">', "link", "leads nowhere: 'no.png'"),
        ('<img src="my cat.png">', "link", "leads nowhere: 'my cat.png'"),
        ('<img srcset="no.png 1x, nor.png 2x">', "link", "'nor.png'"),
        ('<script src="no.js"></script>', "link", "leads nowhere: 'no.js'"),
        ('<img src="https://example.org/a.png">', "outside", "https://example.org/a.png"),
        ('<img src="//example.org/a.png">', "outside", "//example.org/a.png"),
        ('<img srcset="../x.png 1x, https://example.org/b.png 2x">', "outside", "https://example.org/b.png"),
        ('<script src="https://example.org/a.js"></script>', "outside", "a.js"),
        ('<link rel="stylesheet" href="https://example.org/a.css">', "outside", "a.css"),
        ('<link rel="preconnect" href="https://example.org">', "outside", "https://example.org"),
        ('<iframe src="https://example.org/f"></iframe>', "outside", "/f"),
        ('<video poster="https://example.org/p.jpg"></video>', "outside", "p.jpg"),
        ('<form action="https://example.org/go"></form>', "outside", "/go"),
        ('<p style="background: url(https://example.org/c.png)">x</p>', "outside", "c.png"),
        ('<style>@import "https://example.org/d.css";</style>', "outside", "d.css"),
        ('<meta http-equiv="refresh" content="0; url=https://example.org/away">', "outside", "away"),
        ('<svg><use href="https://example.org/i.svg#a"></use></svg>', "outside", "i.svg"),
    ],
)
def test_a_fault_in_a_page_is_found(site: Path, html: str, kind: str, words: str) -> None:
    page = first_page(site)
    add(page, html)
    faults = [fault for fault in check_site(site).faults if words in fault.message]
    assert [(fault.kind, fault.file) for fault in faults] == [(kind, page.relative_to(site).as_posix())]


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://example.org/">x</a>',
        '<a href="mailto:a@example.org">x</a>',
        '<a href="#">x</a><a href="#top">x</a><a href="">x</a>',
        '<a href="../search.html#q=loaf">x</a>',
        '<a href="../abstracts/">x</a><a href="../">x</a><a href="./">x</a>',
        '<p id="ä b">x</p><a href="#%C3%A4%20b">x</a>',
        '<a name="old">x</a><a href="#old">x</a>',
        '<img src="data:image/svg+xml;utf8,<svg xmlns=&quot;http://www.w3.org/2000/svg&quot; />, x">',
        '<link rel="canonical" href="https://example.org/a.html">',
        "<pre>&lt;img src=https://example.org/a.png&gt;</pre>",
    ],
)
def test_what_is_right_is_no_fault(site: Path, html: str) -> None:
    add(first_page(site), html)
    assert check_site(site).faults == ()


@pytest.mark.parametrize(
    "css",
    ["a{background:url(https://example.org/a.png)}", "@import '//example.org/a.css';", 'b{src: url( "HTTP://x/y" )}'],
)
def test_an_outside_request_of_a_style_sheet_is_found(site: Path, css: str) -> None:
    (site / "extra.css").write_text(css, encoding="utf-8")
    (fault,) = check_site(site).faults
    assert (fault.kind, fault.file) == ("outside", "extra.css")


def test_pages_in_another_encoding_are_read(site: Path) -> None:
    (site / "old.html").write_bytes("<p>Größe</p><a href='no.html'>x</a>".encode("latin-1"))
    assert [str(fault) for fault in check_site(site).faults] == ["old.html: a link leads nowhere: 'no.html'"]


def test_a_page_that_no_link_leads_to_is_found(site: Path) -> None:
    page = first_page(site)
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for start in ("", "../abstracts/", "abstracts/"):
            text = text.replace(f'href="{start}{page.name}"', 'href="#"')
        path.write_text(text, encoding="utf-8")
    faults = check_site(site).faults
    assert [(fault.kind, fault.file) for fault in faults] == [("unreachable", f"abstracts/{page.name}")]


def test_a_missing_page_is_found(site: Path) -> None:
    first_page(site).unlink()
    assert {"data", "link"} <= kinds(check_site(site))


def change_data(site: Path, change: Callable[[list[str]], list[str]]) -> None:
    lines = (site / DATA).read_text(encoding="utf-8").removesuffix("\n").split("\n")
    (site / DATA).write_text("".join(f"{line}\n" for line in change(lines)), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [*lines, "{"], "line 13 is no abstract"),
        (lambda lines: [*lines, "[]"], "line 13 is no abstract"),
        (lambda lines: [*lines, "{}"], "line 13 is no abstract"),
        (lambda lines: [lines[0], "", *lines[1:]], "line 2 is no abstract"),
        (lambda lines: [*lines, lines[0]], "stands twice"),
    ],
)
def test_damaged_data_is_found(site: Path, change: Callable[[list[str]], list[str]], words: str) -> None:
    change_data(site, change)
    (fault,) = check_site(site).faults
    assert (fault.kind, fault.file) == ("data", DATA)
    assert words in fault.message


def test_missing_data_is_found(site: Path) -> None:
    (site / DATA).unlink()
    assert ("data", DATA) in {(fault.kind, fault.file) for fault in check_site(site).faults}
    (site / DATA).write_bytes(b"\xff")
    assert ("data", DATA) in {(fault.kind, fault.file) for fault in check_site(site).faults}


def test_an_abstract_without_a_search_entry_is_found(site: Path) -> None:
    def add_one(lines: list[str]) -> list[str]:
        return [*lines, json.dumps({**json.loads(lines[0]), "id": "0" * 12})]

    change_data(site, add_one)
    (fault,) = check_site(site).faults
    assert (fault.kind, fault.message) == ("search", "abstract 000000000000 is not in the index")


def test_a_search_entry_without_an_abstract_is_found(site: Path) -> None:
    change_data(site, lambda lines: lines[1:])
    (fault,) = check_site(site).faults
    assert fault.kind == "search"
    assert "the data file does not" in fault.message


@pytest.mark.parametrize("damage", ["folder", "manifest", "words", "record", "garbage"])
def test_a_damaged_index_is_found(site: Path, damage: str) -> None:
    folder = site / SEARCH_FOLDER
    if damage == "folder":
        shutil.rmtree(folder)
    elif damage == "manifest":
        (folder / "manifest.js").write_text("papershelfChunk({});\n", encoding="ascii")
    elif damage == "words":
        next(folder.glob("terms/*.js")).unlink()
    elif damage == "record":
        next((site / RECORDS_FOLDER).glob("*.js")).unlink()
    else:
        next(folder.glob("places/*.js")).write_bytes(b"\xff\x00")
    assert kinds(check_site(site)) == {"search"}
    assert check_site(site, search=False).faults == ()


def test_signs_that_python_takes_for_line_ends_divide_no_record(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shelf")
    lines = [{"abstract": ABSTRACTS[0], "venue": "a\u2028b\x85c\x0bd\x1ce"}, {"abstract": ABSTRACTS[1]}]
    (project.folder / "papers.jsonl").write_text(as_lines(lines), encoding="utf-8")
    assert project.run("build", "papers.jsonl", "--no-search") == 0
    checked = check_site(project.site, search=False)
    assert (checked.entries, checked.faults) == (2, ())


def test_links_of_the_page_for_missing_addresses_start_at_the_host(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shelf")
    config = project.folder / "mkdocs.yml"
    config.write_text(
        f"site_url: https://example.org/my/shelf/\n{config.read_text(encoding='utf-8')}", encoding="utf-8"
    )
    assert project.build() == 0
    assert 'href="/my/shelf/' in (project.site / "404.html").read_text(encoding="utf-8")
    assert check_site(project.site, search=False).faults == ()
