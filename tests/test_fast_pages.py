"""Generated pages take a short way through MkDocs, and come out as they do on its own way, byte for byte."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import Markdown

from generator.markup.gate import GATE_MARK
from generator.markup.markdown import escape_markdown, to_markdown, to_markdown_line
from generator.markup.parse import parse_line, parse_markup
from generator.render.fast_markdown import FastMarkdown
from generator.site_config import ALL_EXTENSIONS
from tests.leftovers import CORPORA
from tests.projects import ABSTRACTS, HOSTILE, Project, different, files, make_project
from tests.test_markup_properties import FRAGMENTS

PAYLOADS = (Path(__file__).parent / "payloads.txt").read_text(encoding="utf-8").split("\n")


def plain_build(project: Project, out_dir: Path) -> dict[str, bytes]:
    """Return the pages that MkDocs makes of the project's ``docs_src/`` without Papershelf."""
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(out_dir)],
        cwd=project.folder,
        check=True,
        capture_output=True,
        timeout=300,
    )
    return pages(out_dir)


def pages(site: Path) -> dict[str, bytes]:
    return {name: data for name, data in files(site).items() if name.endswith((".html", ".xml"))}


def configure(project: Project, *changes: tuple[str, str]) -> None:
    config = project.folder / "mkdocs.yml"
    text = config.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    config.write_text(text, encoding="utf-8")


def unread(project: Project) -> list[str]:
    """Return the abstracts' pages that only Python-Markdown can read."""
    fast = FastMarkdown(lambda target: target, Markdown(extensions=ALL_EXTENSIONS))
    texts = {path.name: path.read_text(encoding="utf-8") for path in (project.docs / "abstracts").rglob("*.md")}
    return [name for name, text in sorted(texts.items()) if fast.convert(text.partition("\n---\n")[2]) is None]


def test_invented_abstracts(tmp_path: Path) -> None:
    lines = [line.strip() for line in PAYLOADS if line.strip() and not line.startswith("#")]
    project = make_project(tmp_path / "shelf", [*ABSTRACTS, *HOSTILE, *(f"{line} {ABSTRACTS[2]}" for line in lines)])
    configure(
        project,
        ("entries_per_page: 200", "entries_per_page: 10"),
        ("docs_dir: docs_src", "docs_dir: docs_src\nsite_url: https://shelf.example/a%20b/?x='y'"),
        ("  - Search: search.md", "  - Search: search.md\n  - Elsewhere: https://example.org/?a=1&b=2"),
    )
    (project.docs / "by-hand.md").write_text("# By hand\n\n[All](abstracts/index.md), [tags](tags/index.md)\n", "utf-8")
    assert project.build("--jobs", "1") == 0
    assert different(pages(project.site), plain_build(project, tmp_path / "plain")) == []


@pytest.mark.skipif(not CORPORA.is_dir(), reason=f"the corpora are not in {CORPORA}")
@pytest.mark.parametrize("source", ["icml2025.txt", *(f"seeds/{path.name}" for path in CORPORA.glob("seeds/*.txt"))])
def test_real_abstracts(tmp_path: Path, source: str) -> None:
    paragraphs = [part for part in (CORPORA / source).read_text(encoding="utf-8").split("\n\n") if len(part) > 200]
    chosen = random.Random(6).sample(paragraphs, min(300, len(paragraphs)))
    project = make_project(tmp_path / "shelf", chosen)
    assert project.build() == 0
    assert different(pages(project.site), plain_build(project, tmp_path / "plain")) == []
    assert len(unread(project)) <= len(chosen) / 50


@settings(deadline=None, max_examples=400)
@given(title=st.lists(FRAGMENTS, min_size=1, max_size=8), text=st.lists(FRAGMENTS, min_size=1, max_size=30))
def test_the_bytes_are_python_markdowns_or_it_reads_the_page(title: list[str], text: list[str]) -> None:
    named, parsed = parse_line(" ".join(title))[0], parse_markup(" ".join(text))[0]
    heading = to_markdown_line(named.unlinked())
    page = (
        f"{GATE_MARK}\n\n# {heading}\n\n{escape_markdown(' '.join(text))}\n{{: .shelf-note }}\n\n"
        f'<div class="shelf-abstract" dir="auto" markdown="1">\n\n{to_markdown(parsed)}\n\n</div>\n\n'
        f'- [{heading}](x.md){{: data-id="abc" }}<br>\n<small>{escape_markdown(parsed.plain)}</small>\n- last\n'
    )
    reader = Markdown(extensions=ALL_EXTENSIONS)
    converted = FastMarkdown(lambda target: target, reader).convert(page)
    assert converted is None or converted == Markdown(extensions=ALL_EXTENSIONS).convert(page)


@pytest.mark.parametrize(
    "line",
    [
        "{{ page.meta.tags | join(', ') }}",
        "{{ page.meta.title | upper }} {{ page.meta.title | striptags }} {{ page.meta.title | length }}",
        "{{ page.meta.title }} {{ page.meta.title | e | e }} {{ page.meta.title | default(0) | tojson }}",
        "{% if page.meta.title == 'Abstracts' or page.title == 'All tags' %}same{% endif %}",
        "{{ page.url }} {{ page.file.src_uri }}",
        "{% for heading in page.toc %}{{ heading.title }}{% endfor %}",
        "{{ page.content | length }}",
        "{% if page.meta.description %}{{ page.meta.description | truncate(20) }}{% endif %}{{ page.meta | length }}",
        "{% if 'clay' in page.content %}clay{% endif %}{% for key in page.meta %}{{ key }} {% endfor %}",
        "{{ pages | map(attribute='page.title') | join }} {{ page.canonical_url }} {{ page.edit_url }}",
    ],
)
def test_a_theme_of_the_users_own_may_ask_a_page_for_anything(tmp_path: Path, line: str) -> None:
    project = make_project(tmp_path / "shelf", ABSTRACTS[:4])
    partial = project.folder / "site_templates" / "theme" / "partials" / "shelf-footer.html"
    partial.parent.mkdir(parents=True)
    partial.write_text(f"<footer>{{% if page %}}{line}{{% endif %}}</footer>\n", encoding="utf-8")
    assert project.build("--jobs", "1") == 0
    assert different(pages(project.site), plain_build(project, tmp_path / "plain")) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  - papershelf #", "  - admonition\n  - papershelf #"),
        ("  - attr_list\n", "  - attr_list\n  - toc: {permalink: true}\n"),
        ("plugins: []", "plugins: [search]"),
        (
            "docs_dir: docs_src",
            "docs_dir: docs_src\nexclude_docs: /abstracts/3*\nedit_uri_template: 'https://x.y/{path}'",
        ),
        (
            "docs_dir: docs_src",
            "docs_dir: docs_src\nnot_in_nav: |\n  /abstracts/\nvalidation: {links: {not_found: info}}",
        ),
    ],
)
def test_other_options_of_mkdocs_are_followed(tmp_path: Path, old: str, new: str) -> None:
    project = make_project(tmp_path / "shelf", ABSTRACTS[:4])
    if "not_in_nav" in new:
        configure(project, ("not_in_nav: |\n  /abstracts/\n  /tags/\n  /collections/\n", ""))
    configure(project, (old, new))
    assert project.build("--jobs", "1") == 0
    assert different(pages(project.site), plain_build(project, tmp_path / "plain")) == []
