"""Enters: all papers with their titles, the vocabulary of the build before, and the user's rules.

Leaves: the vocabulary, kept and extended, and the tags of each paper.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generator.model import Tag, Tagging, TitledPaper
from generator.slugs import slugify_name, unique_slug
from generator.tags.acronyms import Acronyms, read_acronyms, spellings
from generator.tags.assign import FEWEST_TAGS, assign_tags, expected_standards, tags_by_paper
from generator.tags.context import context_log_odds, find_contexts
from generator.tags.corpus import Corpus, corpus_of
from generator.tags.evidence import Evidence, gather_evidence
from generator.tags.labels import is_no_noun, label_of, nested_labels, verb_forms, written_forms
from generator.tags.likelihood import chances, concept_log_odds, mention_log_odds
from generator.tags.matching import fold_phrases
from generator.tags.overrule import idle_rules, names_of, overrule, wanted_phrases
from generator.tags.phrases import count_phrases, joined_name
from generator.tags.rules import NO_RULES, TagRules
from generator.tags.topics import with_topics
from generator.tags.vocabulary import Concept, choose_concepts, vocabulary_size
from generator.terms import WordTable, stem_of
from generator.texts import ABSTRACT, FIELDS, Texts, read_texts

_MANY_PAPERS = 1000
_LEAST_PAPERS, _LEAST_PAPERS_OF_MANY = 2, 5
"""Papers that a new tag must have in the end, up to `_MANY_PAPERS` papers and above."""
_LEAST_PAPERS_SHOWN = 2
"""A tag of the lock file with fewer papers is not given in this build, but kept."""
_ROUNDS = 6
"""Bounds the time; the last ones find nothing as a rule."""
_LONGEST_NAME = 4
"""Characters of a label that is a name, such as C++ or ORL; longer ones are words."""
_PINNED_GAIN = 1 << 40
"""More than any chance can gain."""


@dataclass(frozen=True, slots=True)
class _Candidates:
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


def tag_papers(
    papers: Sequence[TitledPaper], known: Sequence[Tag], rules: TagRules = NO_RULES, texts: Texts | None = None
) -> Tagging:
    """Return the vocabulary and the tags of each paper, same order as the input.

    The vocabulary is chosen from what all papers share, then each paper gets three to five tags, none nested in
    another. What ``known`` holds, the vocabulary of the build before, stays as it is; it only grows, and only for
    papers that it serves badly, or when a rule asks for a tag. So a paper more or less changes no other paper's tags
    unless it brings a new subject. Neither the order of the papers nor that of ``known`` matters. ``texts`` are those
    of the papers, where they have been read before.
    """
    texts = texts or read_texts(papers)
    corpus = corpus_of(texts)
    vocabulary = sorted(known, key=lambda tag: tag.slug)
    poor: Sequence[int] = range(len(papers))
    given: list[tuple[Tag, ...]] = [() for _ in papers]
    if vocabulary:
        given = give_tags(corpus, overrule(vocabulary, rules).tags, rules)
        poor = [paper for paper, tags in enumerate(given) if len(tags) < FEWEST_TAGS]
    lenient = bool(vocabulary)
    for _ in range(_ROUNDS):
        new = _new_tags(corpus, vocabulary, rules, poor, lenient=lenient, grows=bool(known))
        if new:
            vocabulary = sorted([*vocabulary, *new], key=lambda tag: tag.slug)
            given = give_tags(corpus, overrule(vocabulary, rules).tags, rules)
            poor = [paper for paper, tags in enumerate(given) if len(tags) < FEWEST_TAGS]
        elif lenient:
            break
        lenient = True
    vocabulary = with_topics(vocabulary, given, corpus.words)
    topic_of = {tag.slug: tag.topic for tag in vocabulary}
    result: list[tuple[Tag, ...]] = [() for _ in papers]
    for number, tags in zip(texts.order, given, strict=True):
        result[number] = tuple(replace(tag, topic=topic_of[tag.slug]) for tag in tags)
    problems = [*overrule(vocabulary, rules).problems, *idle_rules(corpus.table, rules)]
    return Tagging(tuple(vocabulary), tuple(result), tuple(problems))


def give_tags(corpus: Corpus, tags: Sequence[Tag], rules: TagRules) -> list[tuple[Tag, ...]]:
    """Return the tags of each paper, those that gain most first; tags left with one paper are not given."""
    evidence = gather_evidence(corpus.table, [tag.terms for tag in tags])
    pinned = _pinned(tags, rules)
    candidates = _candidates(corpus, tags, evidence, pinned, np.where(pinned, 1, _LEAST_PAPERS_SHOWN))
    pairs = candidates.give_shared(np.ones(len(tags), dtype=bool))
    rows = tags_by_paper(evidence.papers[pairs], evidence.entries[pairs], candidates.gain[pairs], corpus.papers)
    return [tuple(tags[tag] for tag in row) for row in rows]


def _candidates(
    corpus: Corpus, tags: Sequence[Tag], evidence: Evidence, pinned: NDArray[np.bool_], least: NDArray[np.int64]
) -> _Candidates:
    gain = tag_gains(tags, evidence, tag_chances(corpus, tags, evidence))
    gain[pinned[evidence.entries]] += _PINNED_GAIN
    return _Candidates(evidence, gain, nested_labels([tag.label for tag in tags]), least)


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


def _pinned(tags: Sequence[Tag], rules: TagRules) -> NDArray[np.bool_]:
    names = rules.pinned_names()
    return np.array([not names.isdisjoint(names_of(tag)) for tag in tags], dtype=bool)


def _new_tags(
    corpus: Corpus, vocabulary: Sequence[Tag], rules: TagRules, poor: Sequence[int], *, lenient: bool, grows: bool
) -> list[Tag]:
    """Return tags for what the rules ask for, and for the subjects that the papers numbered ``poor`` share.

    Where that is not ``lenient``, a word alone must be central in a paper; papers left with too few tags take any.
    A vocabulary that ``grows`` was there before this build.
    """
    least = _LEAST_PAPERS_OF_MANY if corpus.papers > _MANY_PAPERS else _LEAST_PAPERS
    wanted = wanted_phrases(vocabulary, rules)
    if len(poor) < least and not wanted:
        return []
    ruled = overrule(vocabulary, rules)
    acronyms = _acronyms(corpus, rules, poor)
    expansions = acronyms.expansions
    variants = {acronym: spellings(acronym, expansions) - {acronym} for acronym in expansions}
    phrases = count_phrases(fold_phrases(_rows_of(corpus.table, poor), variants), least)
    concepts = choose_concepts(phrases, expansions, len(poor), ruled.taken | acronyms.ambiguous, wanted)
    asked = {row[0].name: row[0].text for row in wanted}
    named = rules.pinned_names() | {alias.tag.name for alias in rules.aliases}
    evidence = gather_evidence(corpus.table, [tag.terms for tag in ruled.tags] + [c.terms for c in concepts])
    first = len(ruled.tags)
    own = evidence.from_entry(first)
    labels = [
        asked[concept.name] if concept.name in asked and (concept.name in named or not forms) else label_of(forms)
        for concept, forms in zip(concepts, written_forms(own, corpus.texts, len(concepts)), strict=True)
    ]
    wished = np.array([concept.name in asked for concept in concepts], dtype=bool)
    drafts, merits = _draft_tags(corpus, concepts, labels, own)
    tags = [*ruled.tags, *drafts]
    pinned = _pinned(tags, rules)
    least_of = np.where(pinned, 1, least)
    least_of[:first] = _LEAST_PAPERS_SHOWN
    candidates = _candidates(corpus, tags, evidence, pinned, least_of)
    central = np.bincount(own.entries[own.is_central], minlength=len(concepts)) > 0
    central |= np.array([lenient or concept.counts.words > 1 for concept in concepts], dtype=bool)
    verbs = verb_forms(corpus.texts)
    fit = wished | (central & ~np.array([is_no_noun(label, verbs) for label in labels], dtype=bool))
    kept = np.ones(first, dtype=bool)
    allowed = np.append(kept, fit & _first_of_alike(ruled.tags, labels, merits))
    # A first build has a fixed number to spend; a vocabulary that is kept grows with what it lacks.
    size = vocabulary_size(len(poor)) if grows else vocabulary_size(corpus.papers) - len(vocabulary)
    used = np.flatnonzero(_used(candidates, allowed, first, np.append(~kept, wished), merits, size))
    slugs = {tag.slug.lower() for tag in vocabulary}
    chosen = []
    for number in sorted(used.tolist(), key=lambda number: tags[number].label):
        label = tags[number].label
        slug = unique_slug(slugify_name(label, fallback="tag"), slugs, label)
        slugs.add(slug.lower())
        chosen.append(replace(tags[number], slug=slug))
    return chosen


def _used(
    candidates: _Candidates,
    allowed: NDArray[np.bool_],
    first: int,
    wished: NDArray[np.bool_],
    merits: NDArray[np.int64],
    most: int,
) -> NDArray[np.bool_]:
    """Return which tags from the one numbered ``first`` on are given, at most ``most`` but for those wished for."""
    merit = np.append(np.zeros(first, dtype=np.int64), merits)
    while True:
        pairs = candidates.give_shared(allowed)
        used = np.zeros(len(allowed), dtype=bool)
        used[candidates.evidence.entries[pairs]] = True
        used[:first] = False
        spare = np.flatnonzero(used & ~wished)
        if len(spare) <= most:
            return used
        # By halves, since papers that lose a tag turn to others.
        worst = spare[np.lexsort((spare, merit[spare]))][: (len(spare) - most + 1) // 2]
        allowed = allowed & (used | (np.arange(len(allowed)) < first))
        allowed[worst] = False


def _draft_tags(
    corpus: Corpus, concepts: Sequence[Concept], labels: Sequence[str], evidence: Evidence
) -> tuple[list[Tag], NDArray[np.int64]]:
    """Return concepts as tags without slugs, and the merit of each as a tag: how much of a group its papers are."""
    general = concept_log_odds(evidence, [concept.counts for concept in concepts], corpus.papers)
    own = mention_log_odds(evidence)
    entries, size = evidence.entries, len(concepts)
    contexts = find_contexts(
        corpus.words, evidence, chances(general[entries] + own), [concept.terms for concept in concepts]
    )
    company = context_log_odds(corpus.words, evidence, contexts)
    held = np.bincount(entries, minlength=size)
    usual = np.bincount(entries, weights=company, minlength=size).astype(np.int64) // np.maximum(held, 1)
    priors = general - usual
    standards = expected_standards(entries, chances(priors[entries] + own + company), size)
    tags = [
        Tag(label, "", concept.terms, prior, bar, scale, tuple(context))
        for label, concept, prior, bar, scale, context in zip(
            labels,
            concepts,
            priors.tolist(),
            standards.bars.tolist(),
            standards.scales.tolist(),
            contexts,
            strict=True,
        )
    ]
    merits = standards.masses * 1000 // np.sqrt(np.maximum(held, 1) * 1_000_000).astype(np.int64)
    return tags, merits


def _first_of_alike(known: Sequence[Tag], labels: Sequence[str], merits: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which labels may be shown: of those that read alike, the one with most merit; none that a tag has."""
    seen = {""} | {_alike(tag.label) for tag in known}
    allowed = np.zeros(len(labels), dtype=bool)
    for number in np.lexsort((np.arange(len(labels)), -merits)).tolist():
        alike = _alike(labels[number])
        allowed[number] = alike not in seen
        seen.add(alike)
    return allowed


def _alike(label: str) -> str:
    """Return what labels share that readers would take for one."""
    return stem_of(label) if label.isascii() and len(label) > _LONGEST_NAME else label


def _acronyms(corpus: Corpus, rules: TagRules, papers: Sequence[int]) -> Acronyms:
    """Return what acronyms stand for in the abstracts of some papers, but for what the rules keep apart."""
    abstracts = (corpus.texts[number * FIELDS + ABSTRACT] for number in papers)
    found = read_acronyms(abstracts, 2 if corpus.papers > _MANY_PAPERS else 1)
    groups, none = rules.groups_apart(), frozenset[int]()
    together = {
        acronym: phrase
        for acronym, phrase in found.expansions.items()
        if groups.get(joined_name([acronym]), none).isdisjoint(groups.get(joined_name(phrase), none))
    }
    return Acronyms(together, found.ambiguous)


def _rows_of(table: WordTable, papers: Sequence[int]) -> WordTable:
    """Return the part of the table that holds the texts of some papers."""
    chosen = np.zeros(int(table.text_numbers.max(initial=0)) // FIELDS + 1, dtype=bool)
    chosen[[paper for paper in papers if paper < len(chosen)]] = True
    return table.rows(chosen[table.text_numbers // FIELDS])
