"""Enters: the texts of all papers, and a vocabulary.

Leaves: the tags of each paper: those that it gains most by, none of too few papers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.model import Tag
from generator.tags.assign import assign_tags, tags_by_paper
from generator.tags.context import context_log_odds
from generator.tags.corpus import Corpus
from generator.tags.evidence import Evidence, gather_evidence
from generator.tags.labels import nested_labels
from generator.tags.likelihood import chances, mention_log_odds
from generator.tags.overrule import names_of
from generator.tags.rules import TagRules

LEAST_PAPERS_SHOWN = 2
"""A tag of the lock file with fewer papers is not given in this build, but kept."""
_STEP = 1 << 41
"""More than any two chances can differ in what they gain."""


def give_tags(corpus: Corpus, tags: Sequence[Tag], rules: TagRules, least: int) -> list[tuple[Tag, ...]]:
    """Return the tags of each paper, the most telling first; none but a pinned one has fewer than ``least`` papers."""
    evidence = gather_evidence(corpus.table, [tag.terms for tag in tags])
    pinned = pinned_tags(tags, rules)
    candidates = candidates_of(corpus, tags, evidence, pinned, np.where(pinned, 1, least))
    pairs = candidates.give_shared(np.ones(len(tags), dtype=bool))
    rows = tags_by_paper(evidence.papers[pairs], evidence.entries[pairs], candidates.gain[pairs], corpus.papers)
    return [tuple(tags[tag] for tag in row) for row in rows]


@dataclass(frozen=True, slots=True)
class Candidates:
    """Tags that may be given, the known and the new, as one row of numbers."""

    evidence: Evidence
    gain: NDArray[np.int64]
    """One per pair of the evidence."""
    nested: NDArray[np.int64]
    least: NDArray[np.int64]
    """One per tag: the papers that it needs in the end."""

    def give(self, allowed: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return which pairs are taken, and how many papers each tag has, when only some tags are allowed."""
        usable = np.flatnonzero(allowed[self.evidence.entries])
        papers, entries = self.evidence.papers[usable], self.evidence.entries[usable]
        taken = usable[assign_tags(papers, entries, self.gain[usable], self.nested, len(self.least))]
        pairs = np.zeros(len(self.gain), dtype=bool)
        pairs[taken] = True
        return pairs, np.bincount(self.evidence.entries[taken], minlength=len(self.least))

    def give_shared(self, allowed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which pairs are taken after dropping, until none is left, the tags with too few papers."""
        allowed = allowed.copy()
        while True:
            pairs, counts = self.give(allowed)
            few = allowed & (counts < self.least)
            allowed &= ~few
            if not counts[few].any():
                return pairs


def candidates_of(
    corpus: Corpus, tags: Sequence[Tag], evidence: Evidence, pinned: NDArray[np.bool_], least: NDArray[np.int64]
) -> Candidates:
    """Return what may be given: later generations behind earlier ones, those ``pinned`` before all."""
    gain = tag_gains(tags, evidence, tag_chances(corpus, tags, evidence))
    steps = np.where(pinned, 1, [-tag.generation for tag in tags]).astype(np.int64)
    gain += steps[evidence.entries] * _STEP
    return Candidates(evidence, gain, nested_labels([tag.label for tag in tags]), least)


def tag_chances(corpus: Corpus, tags: Sequence[Tag], evidence: Evidence) -> NDArray[np.int64]:
    """Return for each pair of the evidence the chance that the paper is about the tag."""
    priors = np.array([tag.prior for tag in tags], dtype=np.int64)
    company = context_log_odds(corpus.words, evidence, [tag.context for tag in tags])
    return chances(priors[evidence.entries] + mention_log_odds(evidence) + company)


def tag_gains(tags: Sequence[Tag], evidence: Evidence, likely: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each pair of the evidence, whose chances are ``likely``, how much the paper gains by the tag."""
    bars = np.array([tag.bar for tag in tags], dtype=np.int64)
    scales = np.array([tag.scale for tag in tags], dtype=np.int64)
    return (likely - bars[evidence.entries]) * scales[evidence.entries]


def pinned_tags(tags: Sequence[Tag], rules: TagRules) -> NDArray[np.bool_]:
    """Return which tags the rules pin, one value a tag."""
    names = rules.pinned_names()
    return np.array([not names.isdisjoint(names_of(tag)) for tag in tags], dtype=bool)
