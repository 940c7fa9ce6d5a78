"""Prints how fast texts are read, on one core: parsing alone, and the whole way to three views with MathML and the gate.

The corpora are those of ``tests/leftovers.py`` where they are there, else the bundled sample many times. Then seconds
for a megabyte of one mark in one abstract, which must grow with its length alone.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path

from generator.markup import formula, reading
from generator.markup.html import to_html
from generator.markup.markdown import to_markdown
from generator.markup.parse import parse_markup
from tests.leftovers import CORPORA, NAMES, read_texts

SAMPLE = Path(__file__).resolve().parents[1] / "generator" / "sample" / "workshop.txt"
RUNS = 5
MEGABYTE = 1_000_000
MARKS = ("*", "$", "{", "[", "`", "_", "\\", "<", "&", "}", "${", "*a ", "$a$ ", "- a\n", "\\textbf{", "\\(", "%\n")


def read_all(texts: list[str]) -> None:
    """Parse, and no more."""
    for text in texts:
        parse_markup(text)


def view_all(texts: list[str]) -> None:
    """Parse, and make all three views."""
    for text in texts:
        parsed, _ = parse_markup(text)
        assert isinstance(parsed.plain, str)
        to_markdown(parsed)
        to_html(parsed)


def rate(work: Callable[[list[str]], None], texts: list[str]) -> float:
    """Return texts a second of the process's time: the median of a few runs, none of which finds formulas in a cache."""
    rates = []
    for _ in range(RUNS):
        for cached in (formula._repaired, formula.to_mathml, reading.read_unicode):
            cached.cache_clear()
        started = time.process_time()
        work(texts)
        rates.append(len(texts) / (time.process_time() - started))
    return statistics.median(rates)


def main() -> None:
    """Measure, and print two tables."""
    sources = {
        name: [raw for place, raw in read_texts(name) if place.endswith("abstract")][:10_000]
        for name in NAMES
        if (CORPORA / name).exists()
    } or {"the sample": SAMPLE.read_text(encoding="utf-8").split("\n\n") * 50}
    print(f"{'abstracts a second, one core':32} {'number':>8} {'parsed':>8} {'3 views':>8}")
    for name, texts in sources.items():
        print(f"{name:32} {len(texts):>8,} {rate(read_all, texts):>8,.0f} {rate(view_all, texts):>8,.0f}")
    print(f"{'a megabyte of':32} {'parsed':>8} {'3 views':>8} {'of a quarter':>13}")
    for mark in MARKS:
        quarter = (mark * MEGABYTE)[: MEGABYTE // 4]
        whole = (mark * MEGABYTE)[:MEGABYTE]
        parsed, viewed, viewed_quarter = (
            1 / rate_once(work, [text]) for work, text in ((read_all, whole), (view_all, whole), (view_all, quarter))
        )
        print(f"{mark!r:32} {parsed:>7.2f}s {viewed:>7.2f}s {viewed / viewed_quarter:>12.1f}×")


def rate_once(work: Callable[[list[str]], None], texts: list[str]) -> float:
    """Return the rate of one run."""
    started = time.process_time()
    work(texts)
    return len(texts) / (time.process_time() - started)


if __name__ == "__main__":
    main()
