"""Prints what titles, tags and relations cost, and what the referees say of them.

Each corpus is measured in a process of its own, with as many workers as a build has; seconds are those of a clock on the
wall, megabytes those of the largest process. The referees are scripts outside of this project that read the site's data
file alone, so no site is rendered for them.

usage: python -m tests.bench_derived
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from generator.addresses import assign_addresses
from generator.batches import Workers
from generator.finish.data import DATA_FILE, dump_entries
from generator.markup.papers import parse_papers
from generator.merge import merge_records
from generator.model import Entry, ParsedPaper, TitledPaper
from generator.progress import peak_rss_mb
from generator.relate import relate_papers
from generator.sources import read_sources
from generator.tags import tag_papers
from generator.texts import read_texts
from generator.titles import add_titles
from tests.bench_relate import CORPORA

REFEREE = CORPORA.parent / "referee"
SECONDS_ALLOWED = {"icml2025.txt": 10, "iclr2026-a-no-keywords.jsonl": 40}
"""For titles, tags and relations together."""
JUDGED = (
    ("titles.py", "icml2025.txt", "icml2025.jsonl", ("rouge_score", "snowballstemmer")),
    ("tags.py", "iclr2026-a-no-keywords.jsonl", "iclr2026-a.jsonl", ("sklearn", "snowballstemmer")),
)
"""Referee, source, the truth, packages that the referee needs."""


def parsed(name: str) -> list[ParsedPaper]:
    """Return the papers of a corpus, their markup understood."""
    read = read_sources([str(CORPORA / name)], base_dir=CORPORA)
    return [paper for paper, _ in parse_papers(merge_records(read.records).papers, macros={})]


def measure(name: str) -> None:
    """Print one line on a corpus."""
    papers = parsed(name)
    before = peak_rss_mb()
    moments = [time.perf_counter()]
    with Workers(os.cpu_count() or 1) as workers:
        titled = workers.run(add_titles, papers, lambda _count: None)
        moments.append(time.perf_counter())
        texts = read_texts(titled, workers)
        tagging = tag_papers(titled, (), texts=texts)
    moments.append(time.perf_counter())
    relate_papers(titled, tagging.tags, texts)
    moments.append(time.perf_counter())
    seconds = [after - start for start, after in pairwise(moments)]
    cells = "".join(f" {value:>9.1f}" for value in (*seconds, sum(seconds)))
    print(f"{name:30} {len(papers):>8,}{cells} {SECONDS_ALLOWED[name]:>8} {before:>10.0f} {peak_rss_mb():>8.0f}")


def write_data(papers: list[TitledPaper], folder: Path) -> None:
    """Write the data file as a build does, without a site around it."""
    texts = read_texts(papers)
    tagging = tag_papers(papers, (), texts=texts)
    related = relate_papers(papers, tagging.tags, texts)
    addresses = assign_addresses(papers, {}, today="2000-01-01")
    entries = [
        Entry(paper, addresses[paper.id].stem, addresses[paper.id].added, tags, own)
        for paper, tags, own in zip(papers, tagging.tags, related, strict=True)
    ]
    target = folder / DATA_FILE
    target.parent.mkdir(parents=True)
    target.write_bytes(dump_entries(entries))


def judge(referee: str, source: str, truth: str, packages: tuple[str, ...]) -> None:
    """Run a referee and print what it says."""
    print(f"\n{referee} on {source}", flush=True)
    lacking = [name for name in packages if importlib.util.find_spec(name) is None]
    lacking += [str(path) for path in (REFEREE / referee, CORPORA / source, CORPORA / truth) if not path.exists()]
    if lacking:
        print(f"skipped, for want of {', '.join(lacking)}")
        return
    with tempfile.TemporaryDirectory() as site:
        write_data(add_titles(parsed(source)), Path(site))
        command = [sys.executable, str(REFEREE / referee), site, str(CORPORA / truth)]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})


def main() -> None:
    """Measure, and print the table; then let the referees speak."""
    if len(sys.argv) > 1:
        measure(sys.argv[1])
        return
    heading = "".join(f" {word:>9}" for word in ("titles s", "tags s", "relate s", "together"))
    print(
        f"{f'corpus, {os.cpu_count()} workers':30} {'papers':>8}{heading} {'allowed':>8} {'MB before':>10} {'peak MB':>8}",
        flush=True,
    )
    for name in SECONDS_ALLOWED:
        if (CORPORA / name).exists():
            subprocess.run([sys.executable, "-m", "tests.bench_derived", name], check=True)
        else:
            print(f"skipped: {name} is not in {CORPORA}")
    for judged in JUDGED:
        judge(*judged)


if __name__ == "__main__":
    main()
