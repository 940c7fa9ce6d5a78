"""Generated pages: golden ones, and what must hold for any."""

from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
import yaml

from generator.markup.papers import parse_papers
from generator.markup.tree import MarkupText
from generator.merge import merge_records
from generator.model import Entry, Page, Record, Related, SourceRef, Tag, TitledPaper
from generator.pages import group_by_collection, group_by_tag, write_pages
from generator.pages.front_matter import is_generated
from generator.pages.templates import BUNDLED_TEMPLATES, TemplateError, page_templates
from tests.conftest import Golden
from tests.projects import ABSTRACTS, HOSTILE

BREAD = Tag("sourdough bread", "sourdough-bread", ("bread",), -2000, 700, 500)
LIGHT = Tag("lighthouses", "lighthouses", ("lighthouse",), -2000, 500, 500)
HOSTILE_TAG = Tag("<b>[x](javascript:1)</b> & *co*", "x", ("x",), 1, 1, 1)


def record(number: int, abstract: str, **fields: object) -> Record:
    plain = Record(SourceRef("papers.jsonl", number), "Village 2030", abstract)
    return replace(plain, **fields)  # type: ignore[arg-type]


def entries_of(records: list[Record], tags: dict[int, tuple[Tag, ...]] | None = None) -> list[Entry]:
    """Return entries with plain addresses, so that golden pages do not change with titles, tags or relations."""
    parsed = [paper for paper, _ in parse_papers(merge_records(records).papers)]
    found = []
    for number, paper in enumerate(parsed, start=1):
        title = paper.author_title or MarkupText.of_plain(f"Paper number {number}")
        titled = TitledPaper(paper, title, title_derived=paper.author_title is None)
        found.append(Entry(titled, f"paper-{number}", "2030-12-31", (tags or {}).get(number, ()), ()))
    return found


def sample() -> list[Entry]:
    entries = entries_of(
        [
            record(1, ABSTRACTS[0]),
            record(
                2,
                ABSTRACTS[1],
                title=r"\emph{Yeast} Diary: $O(k)$ notes & more",
                authors=("Berta Laib", "Ömer Kruste"),
                year=2030,
                url="https://example.org/yeast?a=1&b=(2)",
                keywords=("yeast", "C#"),
            ),
            record(3, ABSTRACTS[3], collection="Moths & Co."),
            record(4, HOSTILE[0], title="<script>alert(1)</script> {{ 7 * 7 }} [x](y)", authors=("<b>Mallory</b>",)),
            record(5, HOSTILE[1], title="---"),
            record(6, ABSTRACTS[1], collection="Moths & Co."),
        ],
        {1: (BREAD,), 2: (BREAD, LIGHT), 3: (LIGHT,), 4: (HOSTILE_TAG,), 5: (HOSTILE_TAG,)},
    )
    related = {0: (1, ("wild yeast", "sourdough")), 1: (0, ("*yeast*", "<i>"))}
    return [
        replace(entry, related=(Related(entries[related[n][0]].id, 0.5, related[n][1]),)) if n in related else entry
        for n, entry in enumerate(entries)
    ]


def pages_of(entries: list[Entry], *, entries_per_page: int = 200, folders: tuple[Path, ...] = ()) -> dict[str, Page]:
    templates = page_templates((*folders, BUNDLED_TEMPLATES))
    pages = list(write_pages(entries, templates, site_name="Village *shelf*", entries_per_page=entries_per_page))
    by_path = {page.src_uri: page for page in pages}
    assert len(by_path) == len(pages)
    return by_path


def matter_of(page: Page) -> dict[str, object]:
    found = yaml.safe_load(page.text.split("\n---\n")[0].removeprefix("---\n"))
    assert isinstance(found, dict)
    return found


def test_golden_pages(golden: Golden) -> None:
    pages = pages_of(sample())
    for page in pages.values():
        golden.check(f"pages/{page.src_uri}", page.text)
    golden.check_names("pages", set(pages))


def test_golden_pager(golden: Golden) -> None:
    """The pages of a long list, where only near ones, the first and the last are linked."""
    entries = entries_of([record(n, f"Loaf {n} rose.") for n in range(1, 112)])
    pages = pages_of(entries, entries_per_page=10)
    for path in ("abstracts/index.md", "abstracts/6.md", "collections/village-2030/12.md"):
        golden.check(f"pager/{path}", pages[path].text)


def test_every_page_is_marked_and_has_a_title() -> None:
    for page in pages_of(sample()).values():
        assert is_generated(page.text)
        matter = matter_of(page)
        assert matter["generated_by"] == "papershelf"
        assert matter["title"]


def test_values_that_yaml_reads_otherwise_stay_text() -> None:
    titles = [
        "NO",
        "on",
        "1",
        "2030-01-01",
        "a: b",
        "# c",
        "'",
        '"q" #1',
        "null",
        "- x",
        "{{ x }}",
        "&a *a",
        "!!python",
    ]
    entries = entries_of([record(n, f"Loaf {n}.", title=title) for n, title in enumerate(titles, start=1)])
    pages = pages_of(entries)
    found = [matter_of(pages[f"abstracts/{entry.stem}.md"])["title"] for entry in entries]
    assert found == [entry.titled.title.plain for entry in entries]
    assert all(isinstance(title, str) for title in found)


def test_a_page_links_to_pages_that_exist() -> None:
    pages = pages_of(sample(), entries_per_page=10)
    for page in pages.values():
        folder = PurePosixPath(page.src_uri).parent
        for target in _targets(page.text):
            path = PurePosixPath(*_normal((folder / target).parts))
            assert str(path) in pages, f"{page.src_uri} → {target}"


def _targets(text: str) -> list[str]:
    ends = text.split("](")[1:]
    return [end.split(")")[0] for end in ends if end.split(")")[0].endswith(".md")]


def _normal(parts: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for part in parts:
        if part == "..":
            found.pop()
        else:
            found.append(part)
    return found


def test_neighbours_are_those_of_the_first_collection() -> None:
    pages = pages_of(sample())
    assert "[Paper number 1](paper-1.md){: .shelf-previous" in pages["abstracts/paper-2.md"].text
    assert "shelf-previous" not in pages["abstracts/paper-1.md"].text
    assert "shelf-neighbours" not in pages["abstracts/paper-3.md"].text


def test_a_text_in_two_collections_is_in_both_lists() -> None:
    collections = group_by_collection(sample())
    assert [(c.name, c.slug, len(c.entries)) for c in collections] == [
        ("Village 2030", "village-2030", 4),
        ("Moths & Co.", "moths-and-co", 2),
    ]


def test_collections_with_one_slug_have_two_pages() -> None:
    records = [record(1, "One loaf.", collection="A/B"), record(2, "Two loaves.", collection="a b")]
    slugs = {c.name: c.slug for c in group_by_collection(entries_of(records))}
    assert slugs == {c.name: c.slug for c in group_by_collection(entries_of(records[::-1]))}
    assert len(set(slugs.values())) == 2


def test_tags_come_by_count_then_by_name() -> None:
    groups = group_by_tag(sample())
    assert [(group.tag.slug, len(group.entries)) for group in groups] == [
        ("x", 2),
        ("lighthouses", 2),
        ("sourdough-bread", 2),
    ]


def test_a_derived_title_is_labelled_and_the_authors_is_not() -> None:
    pages = pages_of(sample())
    assert "Title derived" in pages["abstracts/paper-1.md"].text
    assert "Title derived" not in pages["abstracts/paper-2.md"].text


def test_descriptions_are_short_and_cut_between_words() -> None:
    entries = entries_of([record(1, "Loaf " * 100), record(2, "x" * 500), record(3, "Short.")])
    pages = pages_of(entries)
    first, second, third = (str(matter_of(pages[f"abstracts/paper-{n}.md"])["description"]) for n in (1, 2, 3))
    assert first.endswith("Loaf…")
    assert len(second) <= 155
    assert third == "Short."


# -- templates -------------------------------------------------------------------------------------------------------


def put_template(folder: Path, name: str, text: str) -> Path:
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    (folder / "pages" / name).write_text(text, encoding="utf-8")
    return folder


def test_a_template_of_ones_own_replaces_the_bundled_one(tmp_path: Path) -> None:
    own = put_template(tmp_path, "home.md.j2", "# Mine: {{ site_name }}\n")
    pages = pages_of(sample(), folders=(own,))
    assert pages["index.md"].text.endswith("# Mine: Village \\*shelf\\*\n")
    assert "Title derived" in pages["abstracts/paper-1.md"].text


def test_whatever_a_template_prints_is_escaped(tmp_path: Path) -> None:
    own = put_template(tmp_path, "home.md.j2", "{{ '<b> [a](b) {{ x }}' }} {{ none }} {{ 5 }}")
    assert pages_of(sample(), folders=(own,))["index.md"].text.endswith("\n&lt;b> \\[a\\](b) \\{\\{ x \\}\\}  5\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{ unknown }}", "home.md.j2 fails: 'unknown' is undefined"),
        ("{{ counts.unknown }}", "home.md.j2 fails: 'dict object' has no attribute 'unknown'"),
        ("\n{% if %}", "line 2 fails: "),
        ("{% include 'none.md.j2' %}", "none.md.j2"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ 1 + 'x' }}", "unsupported operand"),
    ],
)
def test_a_faulty_template_is_named(tmp_path: Path, text: str, words: str) -> None:
    own = put_template(tmp_path, "home.md.j2", text)
    with pytest.raises(TemplateError) as raised:
        pages_of(sample(), folders=(own,))
    assert words in str(raised.value)
    assert "home.md.j2" in str(raised.value)
