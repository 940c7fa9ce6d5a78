"""The search at the size of a whole anthology.

Out: what its index takes to build, and what a reader with the site on disk waits for: a first five-word query on a fresh
page, letters typed after it, the longest time that they block the page, bytes read, and the page's memory.

usage: python -m tests.bench_search
"""

import resource
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from generator.finish.search import RECORDS_FOLDER, SEARCH_FOLDER, build_search_index
from generator.finish.search.papers import Paper
from generator.merge import paper_id
from tests.bench_relate import CORPORA, read_records
from tests.chromium import BROWSER_NAMES
from tests.projects import make_project

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request

CORPUS = "acl.jsonl.gz"
QUERIES = (
    "neural machine translation low resource", "question answering over knowledge graphs", "sentiment of product reviews",
    "speech recognition for dialects with", "large language models reasoning evaluation",
)  # fmt: skip


def read_corpus() -> list[Paper]:
    """Return the papers of the corpus, each text once, titled by their first words."""
    found: dict[str, Paper] = {}
    for record in read_records(CORPUS):
        abstract = str(record["abstract"])
        id_ = paper_id(abstract)
        title = " ".join(abstract.split()[:9])
        found[id_] = Paper(id_, f"abstracts/{id_}.html", title, derived=True, abstract=abstract, added="2031-05-06")
    return list(found.values())


def main() -> None:
    """Print the figures."""
    from playwright.sync_api import sync_playwright

    if not (CORPORA / CORPUS).exists():
        print(f"no {CORPUS} at hand: the search is not measured")
        return
    found = read_corpus()
    folder = Path(tempfile.mkdtemp())
    try:
        project = make_project(folder / "shelf")
        assert project.build("--search") == 0
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        build_search_index(found, project.site)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        index = sum(path.stat().st_size for path in (project.site / SEARCH_FOLDER).rglob("*.js"))
        records = sum(path.stat().st_size for path in (project.site / RECORDS_FOLDER).iterdir())
        print(f"index of {len(found):,} abstracts: {seconds:.1f} s, {1000 * seconds / len(found):.2f} ms an abstract")
        print(
            f"peak memory {peak // 1024} MB, {before // 1024} MB of it before; index {index / 1e6:.1f} MB, records {records / 1e6:.1f} MB"
        )
        with sync_playwright() as driver:
            browser = driver.chromium.launch(
                executable_path=next(filter(None, map(shutil.which, BROWSER_NAMES))),
                args=[
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-background-networking",
                    "--enable-precise-memory-info",
                ],
            )
            rows = [_ask(browser.new_context(offline=True).new_page(), project.site, query) for query in QUERIES]
            browser.close()
        names = ("fixed kB", "read kB", "first ms", "longest block ms", "typed letter ms", "heap MB")
        print("  ".join(names))
        for row in rows:
            print("  ".join(f"{value:>{len(name)}.0f}" for value, name in zip(row, names, strict=True)))
    finally:
        shutil.rmtree(folder)


def _ask(page: "Page", site: Path, query: str) -> tuple[float, ...]:
    read: list[int] = []

    def note(request: "Request") -> None:
        path = Path(unquote(urlsplit(request.url).path))
        read.append(path.stat().st_size if path.is_file() else 0)

    page.on("request", note)
    page.add_init_script(
        "window.blocks = []; new PerformanceObserver((list) => blocks.push(...list.getEntries().map((e) => e.duration)))"
        ".observe({ type: 'longtask', buffered: true });"
    )
    answered = "query => document.querySelector('#shelf-results')?.dataset.query === query"
    page.goto(f"{(site / 'search.html').as_uri()}")
    page.wait_for_function(answered, arg="")
    page.wait_for_timeout(500)
    fixed = sum(read)
    page.evaluate("() => { window.blocks = []; }")
    start = time.perf_counter()
    page.fill("#shelf-query", query)
    page.wait_for_function(answered, arg=query)
    first = time.perf_counter() - start
    total = sum(read)
    later = []
    for length in range(1, len(query)):
        start = time.perf_counter()
        page.fill("#shelf-query", query[:length])
        page.wait_for_function(answered, arg=query[:length])
        later.append(time.perf_counter() - start)
    page.wait_for_timeout(300)
    longest = max(page.evaluate("() => window.blocks"), default=0)
    heap = page.evaluate("() => performance.memory.usedJSHeapSize") / 1e6
    page.context.close()
    return fixed / 1000, total / 1000, 1000 * first, longest, 1000 * median(later), heap


if __name__ == "__main__":
    main()
