"""Fits what makes a good title, and writes it to `generator/titles/lexicon.py` and `generator/titles/weights.py`.

Two models, one after the other, both on four fifths of the corpus, told apart by a hash of the abstract; the last fifth
is for choosing among designs, and judged at the end:

1. how likely each word stands in the authors' title: a logistic regression over its traits and, for words in at least
   `FEWEST_ABSTRACTS` abstracts, its stem;
2. how good a stretch of words is as a title: a softmax over all stretches of an abstract that raises the expected
   ROUGE-1 against the authors' title.

Beside them, how sure a word is the name that an abstract gives to its own, and the words behind which no phrase ends.
Whoever changes the traits, the word lists of `generator/titles/words.py` or the keys of `generator/terms.py` fits anew.

usage: python -m tests.fit_titles CORPUS.jsonl      (records with "title" and "abstract"; three minutes)
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import statistics
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import snowballstemmer
from numpy.typing import NDArray
from scipy import optimize, sparse

from generator.markup.papers import parse_papers
from generator.markup.tree import MarkupText
from generator.model import Paper, Record, SourceRef
from generator.terms import STOP_WORDS
from generator.titles import derive_title, lexicon, spans, weights
from generator.titles.derive import bold_places, read_abstract
from generator.titles.names import OWN_TRAITS, name_clues
from generator.titles.reading import read
from generator.titles.spans import Traits, scored_candidates, stretches_of
from generator.titles.words import MAY_FOLLOW, NEVER_LAST, PREPOSITIONS, VERBS
from generator.titles.worth import forget, keys_of, shape_traits, word_traits, worths

FEWEST_ABSTRACTS = 30
FEWEST_TITLES = 10
MOST_STEMS = 1500
STEM_SCALE = 0.5
"""How much a stem may weigh beside a trait; less is more regular."""
MOST_CANDIDATES = 150
"""Of one abstract, in the second fit."""
RANKED_PAPERS = 5000
"""Papers of the second fit; it has far fewer numbers to learn than the first."""

Titled = tuple[MarkupText, str]
Matrix: TypeAlias = Any  # scipy has no types


def read_corpus(path: Path) -> tuple[list[Titled], list[Titled]]:
    """Return abstracts with their authors' titles: those to fit on, and those to choose by."""
    papers = []
    for number, line in enumerate(path.open(encoding="utf-8"), 1):
        record = json.loads(line)
        abstract, title = record.get("abstract") or "", record.get("title") or ""
        if abstract.strip() and title.strip():
            source = SourceRef(path.name, number)
            papers.append(Paper(f"{number:012x}", Record(source, path.stem, abstract, title), (source,), (path.stem,)))
    fit: list[Titled] = []
    choose: list[Titled] = []
    for parsed, _ in parse_papers(papers, macros={}):
        chosen = hashlib.sha256(parsed.abstract.plain.encode()).digest()[0] % 5 == 0
        (choose if chosen else fit).append((parsed.abstract, parsed.author_title.plain if parsed.author_title else ""))
    return fit, choose


_STEMMER = snowballstemmer.stemmer("porter")


@lru_cache(maxsize=1 << 17)
def _rouge_stem(word: str) -> str:
    stem: str = _STEMMER.stemWord(word) if len(word) > 3 else word
    return stem


def rouge_words(text: str) -> Counter[str]:
    """Return the stems of a text as ROUGE counts them."""
    return Counter(_rouge_stem(word) for word in re.findall("[a-z0-9]+", text.lower()))


def rouge(wanted: Counter[str], found: Counter[str]) -> float:
    """Return the F1 of two texts' words, from 0 to 1."""
    total = wanted.total() + found.total()
    return 2 * (wanted & found).total() / total if total else 0.0


@dataclass
class Rows:
    """A sparse matrix in the making: rows of named traits."""

    numbers: dict[str, int] = field(default_factory=dict)
    """Column of each trait."""
    columns: array[int] = field(default_factory=lambda: array("i"))
    values: array[float] = field(default_factory=lambda: array("d"))
    ends: array[int] = field(default_factory=lambda: array("q", [0]))

    def add(self, traits: dict[str, float]) -> None:
        """Add a row."""
        for trait, value in traits.items():
            self.columns.append(self.numbers.setdefault(trait, len(self.numbers)))
            self.values.append(value)
        self.ends.append(len(self.columns))

    def matrix(self) -> Matrix:
        """Return all rows."""
        shape = (len(self.ends) - 1, len(self.numbers))
        return sparse.csr_matrix((np.array(self.values), np.array(self.columns), np.array(self.ends)), shape=shape)


def minimized(
    loss: Callable[[NDArray[np.float64]], tuple[float, NDArray[np.float64]]], size: int
) -> NDArray[np.float64]:
    """Return where ``loss``, which also gives its gradient, is least."""
    result = optimize.minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 150})
    found: NDArray[np.float64] = result.x
    return found


_LEADING_NAME = re.compile(r"([^\s:]+):")


def fit_names(papers: Sequence[Titled]) -> None:
    """Fit how sure a word is the name that the abstract gives to its own, and put it in `lexicon`."""
    rows = Rows()
    wanted = array("b")
    for abstract, title in papers:
        leading = _LEADING_NAME.match(title)
        in_title = {word.lower for word in read(title).words}
        for text, clues in name_clues(read(abstract.plain, bold_places(abstract))).items():
            named = leading is not None and text.lower().rstrip("s") == leading[1].lower().rstrip("s")
            # Elsewhere in the title it may be the name or what the paper is about, and where the title has no name
            # at all, the abstract may have one nevertheless; both teach nothing.
            if named or (text.lower() not in in_title and (leading or not clues.traits & OWN_TRAITS)):
                rows.add(dict.fromkeys(sorted(clues.traits), 1.0))
                wanted.append(named)
    found = _logistic(rows.matrix(), np.array(wanted, dtype=float), np.ones(len(rows.numbers)))
    lexicon.NAME_TRAITS.clear()
    lexicon.NAME_TRAITS.update({trait: round(w * 1000) for trait, w in zip(rows.numbers, found, strict=True)})


def find_unfinished(papers: Sequence[Titled]) -> None:
    """Collect the words behind which phrases hardly ever end, and put them in `lexicon`."""
    seen: Counter[str] = Counter()
    last: Counter[str] = Counter()
    titled: Counter[str] = Counter()
    ends_title: Counter[str] = Counter()
    for abstract, title in papers:
        words = read(abstract.plain).words
        in_title = read(title).words
        for number, word in enumerate(in_title):
            following = in_title[number + 1 : number + 2]
            titled[word.lower] += 1
            ends_title[word.lower] += all(after.breaks or after.lower in PREPOSITIONS for after in following)
        for word, after in pairwise(words):
            seen[word.lower] += 1
            ends = after.sentence != word.sentence or (bool(after.breaks) and after.breaks != "(")
            last[word.lower] += ends or (not after.breaks and after.lower in MAY_FOLLOW)
    rare = {word for word, count in seen.items() if count >= FEWEST_ABSTRACTS and 10 * last[word] <= count}
    rare |= {word for word, count in titled.items() if count >= FEWEST_TITLES and 12 * ends_title[word] <= count}
    lexicon.UNFINISHED = frozenset(
        word for word in rare if word.isascii() and word not in STOP_WORDS | VERBS | NEVER_LAST
    )


def fit_words(papers: Sequence[Titled]) -> None:
    """Fit the first model and put it in `lexicon`."""
    rows = Rows()
    wanted = array("b")
    seen_in: Counter[str] = Counter()
    for abstract, title in papers:
        text, name = read_abstract(abstract)
        in_title = {key for word in read(title).words for key in keys_of(word)}
        for key, (word, uses) in word_traits(text, name).items():
            rows.add(dict.fromkeys((*uses, *shape_traits(word, key)), 1.0))
            wanted.append(key in in_title)
            seen_in[key] += 1
    x, y = rows.matrix(), np.array(wanted, dtype=float)
    names = list(rows.numbers)
    stem_of = [name.removeprefix("stem ") if name.startswith("stem ") else "" for name in names]
    keep = [n for n, stem in enumerate(stem_of) if not stem or seen_in[stem] >= FEWEST_ABSTRACTS]
    found = _logistic(x[:, keep], y, np.array([STEM_SCALE if stem_of[n] else 1.0 for n in keep]))
    telling = {n: abs(w) * math.sqrt(seen_in[stem_of[n]]) for n, w in zip(keep, found, strict=True) if stem_of[n]}
    stems = sorted(telling, key=lambda n: (-telling[n], stem_of[n]))[:MOST_STEMS]
    keep = [n for n in keep if not stem_of[n]] + stems
    found = _logistic(x[:, keep], y, np.array([STEM_SCALE if stem_of[n] else 1.0 for n in keep]))
    lexicon.STEMS.clear()
    lexicon.TRAITS.clear()
    for n, weight in zip(keep, found, strict=True):
        if stem_of[n]:
            lexicon.STEMS[stem_of[n]] = round(weight * 1000)
        else:
            lexicon.TRAITS[names[n]] = round(weight * 1000)


def _logistic(x: Matrix, y: NDArray[np.float64], scales: NDArray[np.float64]) -> NDArray[np.float64]:
    x = (x @ sparse.diags(scales)).tocsr()
    back = x.T.tocsr()

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = x @ w
        p = 1 / (1 + np.exp(-z))
        return float(np.logaddexp(0, z).sum() - y @ z + w @ w / 2), back @ (p - y) + w

    return minimized(loss, x.shape[1]) * scales


def fit_spans(papers: Sequence[Titled]) -> None:
    """Fit the second model, given the first, and put it in `weights`; titles of two parts are of its old best ones."""
    forget()
    rows = Rows()
    scores = array("d")
    firsts = array("q")
    random = np.random.default_rng(0)
    for abstract, title in papers:
        text, name = read_abstract(abstract)
        if not text.words:
            continue
        gold = rouge_words(title)
        traits = Traits(text, name, worths(text, name))
        candidates = scored_candidates(traits)
        if len(candidates) > MOST_CANDIDATES:
            drawn = random.choice(len(candidates), MOST_CANDIDATES, replace=False)
            candidates = [candidates[n] for n in sorted(set(drawn) | set(range(20)))]
        firsts.append(len(scores))
        for candidate in candidates:
            stretches = stretches_of(text, candidate)
            if stretches is None:
                continue
            words = rouge_words(" ".join([name.text if name else "", *(text.text[a:b] for a, b in stretches)]))
            rows.add(traits.of(candidate))
            scores.append(rouge(gold, words))
        if firsts[-1] == len(scores):
            firsts.pop()
    x, y, starts = rows.matrix(), np.array(scores), np.array(firsts)
    back = x.T.tocsr()
    counts = np.diff(np.append(starts, len(y)))

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        z = x @ w
        e = np.exp(z - np.repeat(np.maximum.reduceat(z, starts), counts))
        p = e / np.repeat(np.add.reduceat(e, starts), counts)
        expected = np.add.reduceat(p * y, starts)
        gradient = -(back @ (p * (y - np.repeat(expected, counts))))
        return float(-expected.sum() + w @ w / 20), gradient + w / 10

    found = minimized(loss, x.shape[1])
    print(f"expected {-loss(found)[0] / len(starts):.4f} best {np.maximum.reduceat(y, starts).mean():.4f} {x.shape}")
    weights.WEIGHTS.clear()
    spans.forget()
    weights.WEIGHTS.update({trait: round(w * 1000) for trait, w in zip(rows.numbers, found, strict=True)})


def judge(papers: Sequence[Titled]) -> float:
    """Return the mean ROUGE-1 of the derived titles."""
    return statistics.mean(rouge(rouge_words(title), rouge_words(derive_title(a).plain)) for a, title in papers)


def write(module: ModuleType, names: Sequence[str]) -> None:
    """Write the numbers and words of a module to its file, sorted; what else stands there stays."""
    path = Path(str(module.__file__))
    text = path.read_text(encoding="utf-8")
    for name in names:
        value = getattr(module, name)
        if isinstance(value, dict):
            lines = "".join(f"    {json.dumps(k, ensure_ascii=False)}: {v},\n" for k, v in sorted(value.items()) if v)
            start, body, end = f"\n{name}: dict[str, int] = {{\n", lines, "}\n"
        else:
            start, end = f'\n{name} = word_set(\n    """\n', '    """\n)\n'
            row = " ".join(sorted(value))
            body = fill(row, 112, initial_indent=" " * 4, subsequent_indent=" " * 4, break_on_hyphens=False) + "\n"
        before, _, rest = text.partition(start)
        text = before + start + body + end + rest.partition(end)[2]
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Fit, write and judge."""
    fit, choose = read_corpus(Path(sys.argv[1]))
    print(f"{len(fit)} to fit on, {len(choose)} to choose by")
    lexicon.STEMS.clear()  # names are judged by them, too, and the result shall not depend on what was fitted before
    find_unfinished(fit)
    fit_names(fit)
    fit_words(fit)
    write(lexicon, ["NAME_TRAITS", "STEMS", "TRAITS", "UNFINISHED"])
    weights.WEIGHTS.clear()
    weights.WEIGHTS["expected"] = 10_000
    spans.forget()
    for _ in range(2):
        fit_spans(fit[:RANKED_PAPERS])
        write(weights, ["WEIGHTS"])
        print(f"ROUGE-1 {judge(choose):.4f}")


if __name__ == "__main__":
    main()
