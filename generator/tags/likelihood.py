"""Enters: what is known of a concept, and how papers mention it.

Leaves: how likely it is that a paper's authors would list the concept among their keywords.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np
from numpy.typing import NDArray

from generator.tags.evidence import Evidence
from generator.tags.weights import CONCEPT_WEIGHTS, MENTION_WEIGHTS
from generator.terms import rarity

CERTAIN = 10_000
"""A chance of one; chances are whole numbers of ten-thousandths."""

_EARLY, _FIRST_THIRD, _LATE = 150, 350, 800
"""Thousandths of an abstract."""
_PRIOR_PAPERS = 2
"""Shares are drawn towards those of a usual concept as if so many more papers had been seen: of two papers that hold a
phrase, one more in the title says little."""
_USUAL_SHARES = {"title share": 150, "closed share": 600, "repeated share": 250, "central share": 350}
"""In thousandths."""


@dataclass(frozen=True, slots=True)
class ConceptCounts:
    """What the phrases of a concept show in all papers together."""

    words: int
    closed: int
    """Papers that hold it with no topical word right behind it."""
    verbal: int
    """Papers that hold it where a verb stands."""
    papers: int
    """Papers that `closed` and `verbal` were counted in."""


def mention_log_odds(evidence: Evidence) -> NDArray[np.int64]:
    """Return what the mentions themselves say for each pair of the evidence, in thousandths."""
    traits = mention_traits(evidence)
    total = np.zeros(len(evidence.papers), dtype=np.int64)
    for name, weight in MENTION_WEIGHTS.items():
        total += traits[name] * weight
    return total


def mention_traits(evidence: Evidence) -> dict[str, NDArray[np.bool_]]:
    """Return the traits of each pair: one array a trait, one value a pair."""
    return {
        "title": evidence.in_title,
        "keyword": evidence.in_keywords,
        "twice": evidence.mentions > 1,
        "three times": evidence.mentions > 2,
        "early": evidence.first < _EARLY,
        "first third": evidence.first < _FIRST_THIRD,
        "late": evidence.last > _LATE,
    }


def concept_log_odds(evidence: Evidence, counts: Sequence[ConceptCounts], papers: int) -> NDArray[np.int64]:
    """Return for each concept what speaks for it whatever the paper, in thousandths; ``papers`` are all."""
    traits = concept_traits(evidence, counts, papers)
    total = np.full(len(counts), CONCEPT_WEIGHTS["always"] * 1000, dtype=np.int64)
    for name, values in traits.items():
        total += values * CONCEPT_WEIGHTS[name]
    return total // 1000


def concept_traits(evidence: Evidence, counts: Sequence[ConceptCounts], papers: int) -> dict[str, NDArray[np.int64]]:
    """Return the traits of each concept in thousandths: one array a trait, one value a concept."""
    size = len(counts)
    held = np.bincount(evidence.entries, minlength=size)
    titled = evidence.in_title | evidence.in_keywords
    in_titles = np.bincount(evidence.entries[titled], minlength=size)
    repeated = np.bincount(evidence.entries[evidence.mentions > 1], minlength=size)
    central = np.bincount(evidence.entries[evidence.is_central], minlength=size)
    seen = np.array([count.papers for count in counts], dtype=np.int64)
    closed = np.array([count.closed for count in counts], dtype=np.int64)
    verbal = np.array([count.verbal for count in counts], dtype=np.int64)
    words = np.array([count.words for count in counts], dtype=np.int64)
    rare = np.array([rarity(with_it, papers) for with_it in held.tolist()], dtype=np.int64)
    title_root = _root(_share(in_titles, held, "title share"))
    alone = (words == 1).astype(np.int64)
    return {
        "rarity": rare,
        "rarity squared": rare * rare // 10_000,
        "title share": title_root,
        "repeated share": _root(_share(repeated, held, "repeated share")),
        "central share": _root(_share(central, held, "central share")),
        "closed share": _share(closed, seen, "closed share"),
        "verbal share": verbal * 1000 // np.maximum(seen, 1),
        "one word": alone * 1000,
        "one word, title share": alone * title_root,
        "one word, rarity": alone * rare,
        "three words": (words > 2) * 1000,
    }


def _share(part: NDArray[np.int64], whole: NDArray[np.int64], name: str) -> NDArray[np.int64]:
    return (part * 1000 + _PRIOR_PAPERS * _USUAL_SHARES[name]) // (whole + _PRIOR_PAPERS)


def _root(thousandths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the square roots in thousandths; square roots of IEEE numbers are the same on every machine."""
    roots: NDArray[np.int64] = np.sqrt(thousandths * 1000.0).astype(np.int64)
    return roots


_STEP, _FURTHEST = 10, 12_000


def _chance_table() -> NDArray[np.int64]:
    """Return the chances of log odds from minus to plus twelve; Decimal rounds the same on every machine."""
    steps = range(-_FURTHEST, _FURTHEST + 1, _STEP)
    chances = (CERTAIN / (1 + (Decimal(-step) / 1000).exp()) for step in steps)
    return np.array([int(chance.quantize(Decimal(1), ROUND_HALF_EVEN)) for chance in chances], dtype=np.int64)


_CHANCES = _chance_table()


def chances(log_odds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the chances that belong to log odds in thousandths; in parts of `CERTAIN`."""
    return _CHANCES[(np.clip(log_odds, -_FURTHEST, _FURTHEST) + _FURTHEST) // _STEP]
