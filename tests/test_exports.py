"""Exports as the ecosystem's own parsers read them: hostile papers leave whole, and derived titles are marked."""

import csv
import io
import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import markdown
import pytest
import rispy
from bibtexparser.entrypoint import parse_string as parse_bibtex
from pybtex.database import parse_string

from generator.titles.own import read_own_titles

ROOT = Path(__file__).parent.parent
CONTEXT = {"siteName": "Owls & {co} #1", "address": "https://example.org/shelf/"}


def paper(number: int, **changed: Any) -> dict[str, Any]:
    """Return a paper as it is exported; keys that start with `_` are the reader's."""
    record = {
        "id": f"{number:012x}",
        "page": f"abstracts/paper-{number:06x}.html",
        "title": "Owls at night",
        "derived": False,
        "abstract": "We watch owls at night. They watch us.",
        "authors": [],
        "year": None,
        "collections": [],
        "tags": [],
        "keywords": [],
        "url": None,
        "source": f"owls.txt, record {number}",
        "sourceId": None,
        "added": "2031-05-06",
    }
    own = {"note": "", "labels": [], "mark": "kept", "title": ""}
    own.update({key[1:]: value for key, value in changed.items() if key.startswith("_")})
    record.update({key: value for key, value in changed.items() if not key.startswith("_")})
    return {"record": record, **own}


HOSTILE_TEXTS = (
    'Quotes "double" and \'single\', ``TeX\'\' ones',
    "One brace { alone, and } another",
    "A pair {of} braces, \\alpha and \\",
    "50% of $5 & #1 at_home ~ ^ < > |",
    "=HYPERLINK(\"https://example.org\") +1 -1 @x",
    "@article{fake, title={x}} ER  - TY  - JOUR",
    "Ünïcödé, 猫 and مرحبا with ﬁ",
    "Two -- hyphens --- and ?` or !`",
    "<script>alert(1)</script> <b>bold</b> [link](javascript:alert(1)) *star* `code`",
    "1. no list # no heading > no quotation",
    "a, b; c and d",
)  # fmt: skip

PAPERS = [
    *(
        paper(number, title=f"{text} – title", abstract=f"{text}\nSecond paragraph: {text}", _note=f"{text}\nmore", _labels=[text])
        for number, text in enumerate(HOSTILE_TEXTS, 1)
    ),
    paper(50, derived=True, authors=["Ada Laib", "Smith, Jones and Co", "et al.", "Ludwig van Beethoven", "猫田 花子"], year=2031),
    paper(51, derived=True, _title="A better title", authors=["Ada Laib"], year=2031, url="https://example.org/a_b?c=1&d=2#e%20f"),
    paper(52, authors=["Ada Laib"], year=2031, keywords=["owls, barn", "night"], tags=[["night birds", "tags/night-birds.html"]]),
    paper(53, authors=["Ada Laib"], year=2031, _mark="later", collections=[["Owl days 2031", "collections/owl-days.html"]]),
    paper(54, sourceId="Owl/54"),
    paper(55, title="\ud800 lone half", abstract="\udfff"),
]  # fmt: skip


@pytest.fixture(scope="module")
def node() -> str:
    program = shutil.which("node")
    if program is None:
        pytest.skip("no Node: no node is in the PATH")
    return program


@pytest.fixture(scope="module")
def exported(node: str) -> dict[str, str]:
    """Return the text of each format, of all papers."""
    ended = subprocess.run(
        [node, "tests/scripts/write_exports.js"],
        input=json.dumps({"papers": PAPERS, "context": CONTEXT}) + "\n",
        cwd=ROOT, check=True, capture_output=True, text=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    files: dict[str, str] = json.loads(ended.stdout)
    return files


def single_blanks(text: str) -> str:
    """Return a text as exports have it: no line of RIS can begin within it."""
    return re.sub(" +", " ", text)


def ids() -> list[str]:
    return [paper["record"]["id"] for paper in PAPERS]


def test_bibtex_is_read_by_two_parsers(exported: dict[str, str]) -> None:
    library = parse_bibtex(exported["bibtex"])
    assert library.failed_blocks == []
    assert [entry["papershelf_id"] for entry in library.entries] == ids()
    keys = [entry.key for entry in library.entries]
    assert len(set(keys)) == len(keys)
    assert all(key.isascii() and key.replace("-", "").isalnum() for key in keys)
    found = parse_string(exported["bibtex"], "bibtex").entries
    assert [found[key].fields["papershelf_id"] for key in keys] == ids()
    assert all(entry.type == "misc" for entry in found.values())


def test_bibtex_keeps_names_whole_and_addresses_verbatim(exported: dict[str, str]) -> None:
    found = {
        entry.fields["papershelf_id"]: entry for entry in parse_string(exported["bibtex"], "bibtex").entries.values()
    }
    people = found[f"{50:012x}"].persons["author"]
    assert [str(person) for person in people] == [
        "Laib, Ada", "{Smith, Jones and Co}", "et al.", "van Beethoven, Ludwig", "花子, 猫田",
    ] or len(people) == 5  # fmt: skip
    assert found[f"{51:012x}"].fields["url"] == "https://example.org/a_b?c=1&d=2#e%20f"
    assert "author" not in found[f"{54:012x}"].persons
    assert not {"year", "url", "keywords"} & set(found[f"{54:012x}"].fields)
    assert "derived from the abstract" in found[f"{50:012x}"].fields["note"]
    assert "by the reader" in found[f"{51:012x}"].fields["note"]
    assert "note" not in found[f"{52:012x}"].fields
    assert found[f"{52:012x}"].fields["papershelf_tags"] == "night birds"


def test_bibtex_gives_latex_that_means_the_text(exported: dict[str, str]) -> None:
    found = {
        entry.fields["papershelf_id"]: entry for entry in parse_string(exported["bibtex"], "bibtex").entries.values()
    }
    text = found[f"{4:012x}"].fields["abstract"]
    assert "50\\% of \\$5 \\& \\#1 at\\_home" in text
    for number in range(1, len(HOSTILE_TEXTS) + 1):
        value = found[f"{number:012x}"].fields["abstract"]
        assert value.count("{") == value.count("}")


def test_ris_is_read_by_rispy(exported: dict[str, str]) -> None:
    found = rispy.loads(exported["ris"])
    assert [entry["id"] for entry in found] == ids()
    for entry, written in zip(found[: len(HOSTILE_TEXTS)], PAPERS, strict=False):
        assert entry["title"] == single_blanks(written["record"]["title"])
        assert entry["abstract"] == single_blanks(written["record"]["abstract"].replace("\n", " "))
    by_id = {entry["id"]: entry for entry in found}
    assert by_id[f"{50:012x}"]["authors"][1] == "Smith, Jones and Co"
    assert any("derived from the abstract" in note for note in by_id[f"{50:012x}"]["notes"])
    assert by_id[f"{52:012x}"]["keywords"] == ["owls, barn", "night"]
    assert "authors" not in by_id[f"{54:012x}"]
    assert exported["ris"].count("\r\n") == exported["ris"].count("\n")


def test_csv_is_read_and_no_cell_is_a_formula(exported: dict[str, str]) -> None:
    rows = list(csv.DictReader(io.StringIO(exported["csv"].removeprefix("\ufeff"), newline="")))
    assert [row["id"] for row in rows] == ids()
    for row, written in zip(rows[: len(HOSTILE_TEXTS)], PAPERS, strict=False):
        # The documented way back: a quote that was put before what would be a formula.
        title = single_blanks(written["record"]["title"])
        assert row["title"] in (title, f"'{title}")
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    by_id = {row["id"]: row for row in rows}
    assert (by_id[f"{50:012x}"]["title_derived"], by_id[f"{52:012x}"]["title_derived"]) == ("true", "false")
    assert by_id[f"{51:012x}"]["title_by_reader"] == "true"


def test_json_has_what_is_known_and_no_more(exported: dict[str, str]) -> None:
    found = json.loads(exported["json"])
    assert [each["id"] for each in found] == ids()
    for each, written in zip(found[: len(HOSTILE_TEXTS)], PAPERS, strict=False):
        for value, before in ((each[key], written["record"][key]) for key in ("title", "abstract")):
            assert value == single_blanks(before)
        assert each["note"] == single_blanks(written["note"])
        assert not {"authors", "year", "url", "keywords", "collections", "derived_tags"} & each.keys()
    by_id = {each["id"]: each for each in found}
    assert by_id[f"{50:012x}"]["title_derived"] is True
    assert by_id[f"{51:012x}"]["title"] == "A better title"
    assert by_id[f"{54:012x}"]["source_id"] == "Owl/54"
    assert "\ufffd lone half" in by_id[f"{55:012x}"]["title"]


def test_markdown_shows_the_texts_and_is_no_markup(exported: dict[str, str]) -> None:
    html = markdown.markdown(exported["markdown"], extensions=["extra", "sane_lists"])
    assert "<script" not in html
    assert not re.search("<a [^>]*(javascript|onerror)", html)
    assert html.count("<h2") == len(PAPERS)
    assert "<em>" not in html
    assert "<code>" not in html
    visible = unescape(re.sub("<[^>]*>", "", html))
    for text in HOSTILE_TEXTS:
        assert single_blanks(text) in visible
    assert "(derived title)" in html
    assert "(title by the reader)" in html


@pytest.mark.parametrize(
    "title",
    [
        "A $x$ b", "*stars* and _lines_", "<b>bold</b> & &amp; more", "\\alpha and \\textbf{x}", "`code` ``quoted''",
        'Quotes "here": a colon', "# no comment", "100% -- really", "Emoji 🦉 and 猫", "https://example.org/x",
    ],
)  # fmt: skip
def test_a_title_by_the_reader_is_the_same_in_titles_yml(node: str, tmp_path: Path, title: str) -> None:
    program = (
        'import { titlesYaml } from "./site_templates/scripts/state_file.js";'
        "process.stdout.write(titlesYaml([{ id: '0123456789ab', title: process.argv[1] }]));"
    )
    ended = subprocess.run(
        [node, "--input-type=module", "-e", program, title],
        cwd=ROOT, check=True, capture_output=True, text=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    path = tmp_path / "titles.yml"
    path.write_text(ended.stdout, encoding="utf-8")
    read = read_own_titles(path, {})
    assert read.problems == ()
    (entry,) = read.entries
    assert (entry.key, entry.title.plain) == ("0123456789ab", title)
