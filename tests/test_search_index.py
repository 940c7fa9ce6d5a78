"""The search index as files: what is written, that it is the same each time, and what is said when it fails."""

import os
import subprocess
import sys
from pathlib import Path

import pagefind_bin
import pytest

from generator.finish import search
from generator.finish.pagefind_script import (
    EXPECTED_VERSION,
    UnexpectedPagefindError,
    UnreadableChunkError,
    binary_chunk_script,
    read_json_chunk,
    rewrite_script,
)
from generator.finish.search import (
    SEARCH_FOLDER,
    IndexedEntry,
    PagefindFailedError,
    SearchEntry,
    TagLink,
    build_search_index,
    read_search_index,
)

ENTRIES = (
    SearchEntry(
        id="a1",
        url="abstracts/sorting-sourdough-a1.html",
        title="Sorting sourdough by smell",
        text="We let forty bakers smell loaves blindfolded. Their noses beat every sensor (p<0.05).",
        tags=(TagLink("bread & noses", "tags/bread-noses.html"),),
        authors=("Berta Laib", "Ömer Kruste"),
        year=2031,
        collection="Crumb 2031",
    ),
    SearchEntry(
        id="b2",
        url="abstracts/markup-b2.html",
        title="<b>Bold</b> claims & <script>alert(1)</script>",
        text='The tag <img src=x onerror="alert(1)"> and the text &lt;b&gt; stay\u2028as they\n  are, </body> too.',
    ),
    SearchEntry(id="c3", url="abstracts/tides-c3.html", title="Tides", text="Tides of tea \ud800 in teacups."),
)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def fragments_of(site: Path) -> dict[str, dict[str, object]]:
    chunks = [read_json_chunk(path) for path in (site / SEARCH_FOLDER).rglob("*.pf_fragment.js")]
    return {str(chunk["meta"]["id"]): dict(chunk) for chunk in chunks if isinstance(chunk["meta"], dict)}


@pytest.fixture
def installed_script(tmp_path: Path) -> str:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_text("<html><body>one</body></html>", encoding="utf-8")
    command = [pagefind_bin.get_executable(), "--site", pages, "--output-path", tmp_path / "out", "--silent"]
    subprocess.run(command, check=True)
    return (tmp_path / "out" / "pagefind.js").read_text(encoding="utf-8")


def test_index_reads_back(tmp_path: Path) -> None:
    done: list[int] = []
    size = build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work", jobs=2, advance=done.append)
    assert read_search_index(tmp_path / "site") == [
        IndexedEntry(e.id, e.url, " ".join(e.title.split())) for e in ENTRIES
    ]
    assert sum(done) == size.entries == 3
    assert size.files == len(files_of(tmp_path / "site"))
    assert size.size_in_bytes == sum(map(len, files_of(tmp_path / "site").values()))


def test_only_scripts_are_shipped(tmp_path: Path) -> None:
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    names = sorted(files_of(tmp_path / "site" / SEARCH_FOLDER))
    assert all(name.endswith(".js") for name in names)
    assert not [name for name in names if "ui" in Path(name).name or "worker" in name or "highlight" in name]


def test_fragment_holds_the_text_as_written(tmp_path: Path) -> None:
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    fragments = fragments_of(tmp_path / "site")
    assert fragments["b2"]["content"] == (
        'The tag <img src=x onerror="alert(1)"> and the text &lt;b&gt; stay as they are, </body> too.'
    )
    assert fragments["a1"]["meta"] == {
        "id": "a1",
        "url": "abstracts/sorting-sourdough-a1.html",
        "title": "Sorting sourdough by smell",
        "tags": [["bread & noses", "tags/bread-noses.html"]],
        "authors": ["Berta Laib", "Ömer Kruste"],
        "year": 2031,
        "collection": "Crumb 2031",
    }


def test_work_folder_is_empty_afterwards(tmp_path: Path) -> None:
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    assert list((tmp_path / "work").iterdir()) == []


def test_older_index_is_replaced(tmp_path: Path) -> None:
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    build_search_index(ENTRIES[:1], tmp_path / "site", tmp_path / "work")
    assert [entry.id for entry in read_search_index(tmp_path / "site")] == ["a1"]


def test_no_entries(tmp_path: Path) -> None:
    build_search_index([], tmp_path / "site", tmp_path / "work")
    assert read_search_index(tmp_path / "site") == []


def test_shards_hold_all_entries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SHARD_ENTRIES", 2)
    size = build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work", jobs=2)
    assert size.shards == 2
    assert [entry.id for entry in read_search_index(tmp_path / "site")] == ["a1", "b2", "c3"]
    programs = sorted(path.parent.name for path in (tmp_path / "site").rglob("wasm*"))
    assert programs == ["1"], "the program is the same for all shards"


def test_order_and_jobs_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SHARD_ENTRIES", 2)
    build_search_index(ENTRIES, tmp_path / "one", tmp_path / "work", jobs=1)
    build_search_index(ENTRIES[::-1], tmp_path / "other", tmp_path / "work", jobs=3)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_hash_seed_and_threads_change_nothing(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from generator.finish.search import *\n"
        "words = ['tea', 'bread', 'tide', 'nose', 'loaf', 'smell', 'sensor']\n"
        "entries = [SearchEntry(f'{n:03x}', f'abstracts/{n}.html', f'Paper {n}',\n"
        "           ' '.join(words[n * k % 7] + str(n % (k + 2)) for k in range(40))) for n in range(300)]\n"
        "build_search_index(entries, Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    for seed, threads in (("1", "1"), ("2", "8")):
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / seed), str(tmp_path / "work")],
            env={**os.environ, "PYTHONHASHSEED": seed, "RAYON_NUM_THREADS": threads},
            cwd=Path(__file__).parent.parent,
            check=True,
        )
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


def test_settings_for_pagefind_from_outside_are_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEFIND_EXCLUDE_SELECTORS", "p")
    monkeypatch.setenv("PAGEFIND_OUTPUT_SUBDIR", "elsewhere")
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    monkeypatch.undo()
    build_search_index(ENTRIES, tmp_path / "plain", tmp_path / "work")
    assert files_of(tmp_path / "site") == files_of(tmp_path / "plain")


def test_script_is_rewritten(installed_script: str) -> None:
    script = rewrite_script(installed_script)
    assert "import.meta" not in script
    assert "export{" not in script
    assert "fetch(queued" not in script
    assert "/* pagefind.js stands here */" not in script


@pytest.mark.parametrize(
    "text", ["import.meta.url", "await fetch(queued.input)", "language:detectLanguage()", "export{createInstance"]
)
def test_unexpected_script_is_refused(installed_script: str, text: str) -> None:
    other = installed_script.replace(text, "", 1).replace('pagefind_version="1.5.2"', 'pagefind_version="9.8.7"')
    with pytest.raises(UnexpectedPagefindError, match=r"9\.8\.7") as caught:
        rewrite_script(other)
    assert EXPECTED_VERSION in str(caught.value)
    assert caught.value.found_version == "9.8.7"


@pytest.mark.skipif(os.name == "nt", reason="starts a shell script")
def test_failing_pagefind_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "pagefind"
    program.write_text("#!/bin/sh\necho 'the oven is cold' >&2\nexit 3\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(pagefind_bin, "get_executable", lambda: program)
    with pytest.raises(PagefindFailedError, match="exit status 3: the oven is cold"):
        build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    assert list((tmp_path / "work").iterdir()) == []


def test_missing_pagefind_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise FileNotFoundError("no such program")

    monkeypatch.setattr(pagefind_bin, "get_executable", refuse)
    with pytest.raises(PagefindFailedError, match="no such program"):
        build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("<!doctype html>", "it starts with '<!doctype html>'"),
        ("shelfSearch.chunk({);\n", "its JSON is damaged"),
        (binary_chunk_script(b"x"), "it holds no object"),
    ],
)
def test_damaged_fragment_is_named(tmp_path: Path, content: str, reason: str) -> None:
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    fragment = next((tmp_path / "site").rglob("*.pf_fragment.js"))
    fragment.write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableChunkError, match=reason) as caught:
        read_search_index(tmp_path / "site")
    assert caught.value.path == fragment


def test_missing_fragment_is_noticed(tmp_path: Path) -> None:
    build_search_index(ENTRIES, tmp_path / "site", tmp_path / "work")
    next((tmp_path / "site").rglob("*.pf_fragment.js")).unlink()
    with pytest.raises(UnreadableChunkError, match="promises 3 entries, 2 exist"):
        read_search_index(tmp_path / "site")


def test_missing_index_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(UnreadableChunkError, match=r"manifest\.json\.js"):
        read_search_index(tmp_path)
