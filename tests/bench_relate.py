"""Prints how good related papers are, how fast they are found, and in how much memory.

A pair is good when both papers have an author keyword in common, of which the relations know nothing: they are made of
titles and abstracts. Random pairs and plain TF-IDF are judged beside them, in the same run. Parameters were chosen on
the first `DEVELOPMENT` records, so the others are judged apart, too; each of the three is a pile of its own.

usage: python -m tests.bench_relate
"""

import gzip
import hashlib
import importlib
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
import snowballstemmer

from generator.markup.papers import parse_papers
from generator.model import Paper, Record, SourceRef, TitledPaper
from generator.progress import peak_rss_mb
from generator.relate import MOST_RELATED, relate_papers
from generator.titles import add_titles

CORPORA = Path(__file__).parents[2] / "shared" / "corpora"
JUDGED = "iclr2026-a.jsonl"
TIMED = ("icml2025.jsonl", JUDGED, "acl.jsonl.gz")
DEVELOPMENT = 4900

Links: TypeAlias = Sequence[Sequence[int]]
"""One row per paper: the numbers of those related to it."""


def read_records(name: str) -> Iterator[dict[str, object]]:
    """Yield the records of a corpus that have an abstract."""
    path = CORPORA / name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if (record.get("abstract") or "").strip():
                yield record


def read_papers(name: str) -> tuple[list[TitledPaper], list[frozenset[str]]]:
    """Return the papers of a corpus, each text once, and the stemmed author keywords of each."""
    papers: dict[str, Paper] = {}
    keywords: list[frozenset[str]] = []
    for number, record in enumerate(read_records(name), 1):
        abstract, title = str(record["abstract"]), record.get("title")
        source = SourceRef(name, number)
        own_id = hashlib.sha256(abstract.encode()).hexdigest()[:12]
        if own_id not in papers:
            raw = Record(source, name, abstract, title if isinstance(title, str) else None)
            papers[own_id] = Paper(own_id, raw, (source,), (name,))
            keywords.append(stemmed(record.get("keywords")))
    return add_titles([parsed for parsed, _ in parse_papers(list(papers.values()), macros={})]), keywords


def stemmed(keywords: object) -> frozenset[str]:
    """Return keywords with case and endings gone."""
    stem = snowballstemmer.stemmer("english").stemWords
    named = keywords if isinstance(keywords, list) else []
    return frozenset(" ".join(stem(re.findall(r"\w+", str(keyword).casefold()))) for keyword in named) - {""}


def ours(papers: Sequence[TitledPaper]) -> Links:
    """Return the relations of Papershelf."""
    number = {paper.id: place for place, paper in enumerate(papers)}
    return [[number[one.paper_id] for one in related] for related in relate_papers(papers)]


def at_random(papers: Sequence[TitledPaper]) -> Links:
    """Return six papers of the pile for each, by chance."""
    chance = random.Random(0)
    others = range(len(papers))
    return [[n for n in chance.sample(others, MOST_RELATED + 1) if n != own][:MOST_RELATED] for own in others]


def by_tf_idf(papers: Sequence[TitledPaper]) -> Links:
    """Return the six papers with the highest cosine under scikit-learn's weights."""
    vectorizer = importlib.import_module("sklearn.feature_extraction.text").TfidfVectorizer(
        stop_words="english", sublinear_tf=True
    )
    rows = vectorizer.fit_transform([f"{paper.title.prose} {paper.parsed.abstract.prose}" for paper in papers])
    links: list[list[int]] = []
    for first in range(0, len(papers), 1000):
        cosines = (rows[first : first + 1000] @ rows.T).toarray()
        here = np.arange(len(cosines))
        cosines[here, first + here] = -1
        links += np.argsort(-cosines, axis=1, kind="stable")[:, :MOST_RELATED].tolist()
    return links


def good_share(links: Links, keywords: Sequence[frozenset[str]]) -> float:
    """Return the share of pairs with a keyword in common, of those where both have any."""
    judged = [
        not keywords[own].isdisjoint(keywords[other])
        for own, others in enumerate(links)
        for other in others
        if keywords[own] and keywords[other]
    ]
    return sum(judged) / max(1, len(judged))


def symmetry(links: Links) -> float:
    """Return the share of links whose other end links back."""
    pairs = {(own, other) for own, others in enumerate(links) for other in others}
    return sum((other, own) in pairs for own, other in pairs) / max(1, len(pairs))


def line_of(links: Links) -> str:
    """Return symmetry, the most lists that any paper is in, and how many papers are in none."""
    inwards = Counter(other for others in links for other in others)
    return f"{symmetry(links):>9.3f} {max(inwards.values(), default=0):>8} {len(links) - len(inwards):>8}"


def judge() -> None:
    """Print the table of shares."""
    papers, keywords = read_papers(JUDGED)
    print(f"{'pile, method':32} {'papers':>8} {'keyword in common':>18} {'symmetry':>9} {'in lists':>8} {'in none':>8}")
    piles = {"development": slice(0, DEVELOPMENT), "held out": slice(DEVELOPMENT, None), "all": slice(None)}
    for pile, part in piles.items():
        for method, relate in {"random": at_random, "TF-IDF": by_tf_idf, "Papershelf": ours}.items():
            try:
                links = relate(papers[part])
            except ModuleNotFoundError as missing:
                print(f"{pile}, {method}: skipped, {missing.name} is not installed")
                continue
            share = good_share(links, keywords[part])
            print(f"{f'{pile}, {method}':32} {len(links):>8,} {share:>18.4f} {line_of(links)}", flush=True)


def measure(name: str) -> None:
    """Print one line on a corpus; in a process of its own, since memory once taken counts for ever."""
    papers, _ = read_papers(name)
    before = peak_rss_mb()
    started = time.process_time()
    links = ours(papers)
    seconds = time.process_time() - started
    print(f"{name:32} {len(papers):>8,} {seconds:>8.1f} {before:>10.0f} {peak_rss_mb():>8.0f} {line_of(links)}")


def main() -> None:
    """Measure, and print two tables."""
    if len(sys.argv) > 1:
        measure(sys.argv[1])
        return
    # First, since a process starts with the peak of the one that started it.
    heading = (
        f"{'papers':>8} {'seconds':>8} {'MB before':>10} {'peak MB':>8} {'symmetry':>9} {'in lists':>8} {'in none':>8}"
    )
    print(f"{'corpus, one core':32} {heading}", flush=True)
    for name in TIMED:
        if (CORPORA / name).exists():
            subprocess.run([sys.executable, "-m", "tests.bench_relate", name], check=True)
        else:
            print(f"skipped: {name} is not in {CORPORA}")
    if (CORPORA / JUDGED).exists():
        judge()
    else:
        print(f"skipped: {JUDGED} is not in {CORPORA}")


if __name__ == "__main__":
    main()
