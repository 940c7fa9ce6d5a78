"""Prints one table: size × stage × seconds × peak memory, of real builds in fresh processes.

usage: bench.py [FILE]

FILE holds abstracts, one a paragraph; without it, the corpus ``../shared/corpora/icml2025.txt`` is taken where it is
there, else the bundled sample, shuffled into 2,732 abstracts. The sizes are a quarter of it and all of it, taken in
turns, since machines are noisy; the last line compares the two.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpora" / "icml2025.txt"
SAMPLE = ROOT / "generator" / "sample" / "workshop.txt"
SYNTHETIC = 2_732
RUNS = int(os.environ.get("BENCH_RUNS", "1"))


def main() -> None:
    """Measure, and print the table."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS if CORPUS.is_file() else None
    paragraphs = _paragraphs(source) if source else _shuffled_sample()
    print(f"{len(paragraphs):,} abstracts of {source.name if source else 'the shuffled sample'}, {RUNS} run(s) each")
    sizes = (len(paragraphs) // 4, len(paragraphs))
    reports: dict[int, list[dict[str, Any]]] = {size: [] for size in sizes}
    for _ in range(RUNS):
        for size in sizes:
            reports[size].append(_build(paragraphs[:size]))
    stages = list(reports[sizes[0]][0]["seconds"])
    print(f"{'abstracts':>10} {'peak MB':>8} " + " ".join(f"{stage:>8}" for stage in stages))
    totals = []
    for size in sizes:
        seconds = [statistics.median(r["seconds"][stage] for r in reports[size]) for stage in stages]
        peak = max(r["peak_rss_mb"] for r in reports[size])
        print(f"{size:>10,} {peak:>8.0f} " + " ".join(f"{value:>8.2f}" for value in seconds))
        totals.append(seconds[-1])
    ratio = (totals[1] / totals[0]) / (sizes[1] / sizes[0])
    print(f"time an abstract at {sizes[1]:,} against {sizes[0]:,}: {ratio:.2f} times")
    pages = [report["median_page"] for report in reports[sizes[1]]]
    print(f"median abstract page: {statistics.median(pages):,} bytes")


def _paragraphs(source: Path) -> list[str]:
    paragraphs = [part.strip() for part in source.read_text(encoding="utf-8").split("\n\n") if part.strip()]
    return paragraphs[1:] if len(paragraphs[0]) < 100 else paragraphs


def _shuffled_sample() -> list[str]:
    sentences = [s for paragraph in _paragraphs(SAMPLE) for s in paragraph.replace("\n", " ").split(". ")]
    chance = random.Random(0)
    return [". ".join(chance.sample(sentences, 8)) for _ in range(SYNTHETIC)]


def _build(paragraphs: list[str]) -> dict[str, Any]:
    """Return the report of one build in a new folder, with the median size of an abstract's page."""
    papershelf = str(Path(sys.executable).with_name("papershelf"))
    with tempfile.TemporaryDirectory() as temporary:
        project = Path(temporary, "project")
        subprocess.run([papershelf, "new", str(project)], check=True, capture_output=True)
        (project / "abstracts.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
        command = [papershelf, "build", "abstracts.txt", "--report", "report.json"]
        subprocess.run(command, cwd=project, check=True, capture_output=True)
        report: dict[str, Any] = json.loads((project / "report.json").read_text(encoding="utf-8"))
        sizes = [path.stat().st_size for path in (project / "site" / "abstracts").glob("*-*.html")]
        report["median_page"] = statistics.median(sizes)
        return report


if __name__ == "__main__":
    main()
