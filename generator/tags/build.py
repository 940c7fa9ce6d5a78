"""Enters: all papers with their titles, the vocabulary of the build before, and the user's rules.

Leaves: the vocabulary, kept and extended, and the tags of each paper.
"""

from collections.abc import Sequence, Set
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
from generator.tags.overrule import idle_rules, names_of, overrule, still_wanted, wanted_phrases
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
_MORE_PAPERS_LATER = 1
"""Papers more that a tag must have to join a vocabulary that is kept: all that a build left are too few for a tag of
theirs, so one paper more can't make them enough."""
_COMMONEST = (1, 2)
"""What more than this share of the papers hold divides nothing."""
_SMALL_PILE = 20
"""Up to so many papers, a subject may be that of most."""
_ROUNDS = 6
"""Bounds the time; the last ones find nothing as a rule."""
_LONGEST_NAME = 4
"""Characters of a label that is a name, such as C++ or ORL; longer ones are words."""
_STEP = 1 << 41
"""More than any two chances can differ in what they gain."""


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
    another. What ``known`` holds, the vocabulary of the build before, stays as it is, but for what only a rule asked
    for that is gone. It grows only when a rule asks for a tag, or when several new papers share a subject of their own;
    such a tag helps papers that have fewer than three, and takes nothing from the others. So a paper more changes no
    other paper's tags, and a paper less only those of a paper that shared a tag with it alone. Neither the order of the
    papers nor that of ``known`` matters. ``texts`` are those of the papers, where they have been read before.
    """
    texts = texts or read_texts(papers)
    corpus = corpus_of(texts)
    vocabulary = sorted(still_wanted(known, rules), key=lambda tag: tag.slug)
    grows = bool(vocabulary)
    growth = _Growth(
        generation=1 + max(tag.generation for tag in vocabulary) if grows else 0,
        least=_least_papers(corpus) + (_MORE_PAPERS_LATER if grows else 0),
    )
    least = _LEAST_PAPERS_SHOWN if grows else growth.least
    given: list[tuple[Tag, ...]] = [() for _ in papers]
    if vocabulary:
        given = give_tags(corpus, overrule(vocabulary, rules).tags, rules, least)
    asked = rules.asked_names()
    lenient = grows
    for _ in range(_ROUNDS):
        new = _new_tags(corpus, vocabulary, rules, given, growth, lenient=lenient)
        if new:
            vocabulary = sorted([*vocabulary, *new], key=lambda tag: tag.slug)
            given = give_tags(corpus, overrule(vocabulary, rules).tags, rules, least)
        elif lenient:
            break
        if not grows:
            # Later choices may have taken all papers of an earlier one.
            in_use = {tag.slug for tags in given for tag in tags}
            vocabulary = [tag for tag in vocabulary if tag.slug in in_use or not asked.isdisjoint(names_of(tag))]
        lenient = True
    vocabulary = with_topics(vocabulary, given, corpus.words)
    ruled = overrule(vocabulary, rules)
    shown = {tag.slug: replace(tag, label=label) for tag, label in zip(ruled.tags, ruled.labels, strict=True)}
    result: list[tuple[Tag, ...]] = [() for _ in papers]
    for number, tags in zip(texts.order, given, strict=True):
        result[number] = tuple(shown[tag.slug] for tag in tags)
    problems = [*ruled.problems, *idle_rules(corpus.table, rules, vocabulary)]
    return Tagging(tuple(vocabulary), tuple(result), tuple(problems))


@dataclass(frozen=True, slots=True)
class _Growth:
    """How a build may add to the vocabulary."""

    generation: int
    """That of the new tags."""
    least: int
    """Papers that a new tag must have in the end."""


def _least_papers(corpus: Corpus) -> int:
    return _LEAST_PAPERS_OF_MANY if corpus.papers > _MANY_PAPERS else _LEAST_PAPERS


def give_tags(corpus: Corpus, tags: Sequence[Tag], rules: TagRules, least: int) -> list[tuple[Tag, ...]]:
    """Return the tags of each paper, the most telling first; none but a pinned one has fewer than ``least`` papers."""
    evidence = gather_evidence(corpus.table, [tag.terms for tag in tags])
    pinned = _pinned(tags, rules)
    candidates = _candidates(corpus, tags, evidence, pinned, np.where(pinned, 1, least))
    pairs = candidates.give_shared(np.ones(len(tags), dtype=bool))
    rows = tags_by_paper(evidence.papers[pairs], evidence.entries[pairs], candidates.gain[pairs], corpus.papers)
    return [tuple(tags[tag] for tag in row) for row in rows]


def _candidates(
    corpus: Corpus, tags: Sequence[Tag], evidence: Evidence, pinned: NDArray[np.bool_], least: NDArray[np.int64]
) -> _Candidates:
    gain = tag_gains(tags, evidence, tag_chances(corpus, tags, evidence))
    steps = np.where(pinned, 1, [-tag.generation for tag in tags]).astype(np.int64)
    gain += steps[evidence.entries] * _STEP
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
    corpus: Corpus,
    vocabulary: Sequence[Tag],
    rules: TagRules,
    given: Sequence[Sequence[Tag]],
    growth: _Growth,
    *,
    lenient: bool,
) -> list[Tag]:
    """Return tags for what the rules ask for, and for the subjects that papers with too few of those ``given`` share.

    Where that is not ``lenient``, a word alone must be central in a paper; papers left with too few tags take any.
    """
    least = growth.least
    poor = [paper for paper, tags in enumerate(given) if len(tags) < FEWEST_TAGS]
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
    tags = [
        *ruled.tags,
        *(
            replace(draft, generation=0 if concept.name in asked else growth.generation)
            for draft, concept in zip(drafts, concepts, strict=True)
        ),
    ]
    pinned = _pinned(tags, rules)
    least_of = np.where(pinned, 1, least)
    least_of[:first] = _LEAST_PAPERS_SHOWN
    candidates = _candidates(corpus, tags, evidence, pinned, least_of)
    central = np.bincount(own.entries[own.is_central], minlength=len(concepts)) > 0
    central |= np.array([lenient or concept.counts.words > 1 for concept in concepts], dtype=bool)
    verbs = verb_forms(corpus.texts)
    central &= ~np.array([is_no_noun(label, verbs) for label in labels], dtype=bool)
    if corpus.papers > _SMALL_PILE:
        held = np.bincount(own.entries, minlength=len(concepts))
        central &= held * _COMMONEST[1] <= corpus.papers * _COMMONEST[0]
    kept = np.ones(first, dtype=bool)
    shown = {*ruled.labels, *(tag.label for tag in vocabulary)}
    allowed = np.append(kept, (wished | central) & _first_of_alike(shown, labels, merits))
    used = _used(candidates, allowed, first, np.append(~kept, wished), merits, vocabulary_size(len(poor)))
    known_terms = {term for tag in vocabulary for term in tag.terms}
    aliases = rules.tags_by_alias()
    slugs = {tag.slug.lower() for tag in vocabulary}
    chosen = []
    for number in sorted(np.flatnonzero(used).tolist(), key=lambda number: tags[number].label):
        tag, concept = tags[number], concepts[number - first]
        slug = unique_slug(slugify_name(tag.label, fallback="tag"), slugs, tag.label)
        slugs.add(slug.lower())
        ruled_only = concept.name in asked and not (concept.is_fit and known_terms.isdisjoint(concept.terms))
        terms = tuple(term for term in tag.terms if joined_name(term.split(" ")) not in aliases)
        chosen.append(replace(tag, slug=slug, terms=terms, ruled=ruled_only))
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


def _first_of_alike(known: Set[str], labels: Sequence[str], merits: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which labels may be shown: of those that read alike, the one with most merit; none like a known one."""
    seen = {""} | {_alike(label) for label in known}
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
