"""Enters: the texts of all papers, the vocabulary so far, who has what, and the user's rules.

Leaves: the tags that join the vocabulary: what rules ask for, and what papers with too few tags share.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generator.model import Tag
from generator.slugs import slugify_name, unique_slug
from generator.tags.acronyms import Acronyms, read_acronyms, spellings
from generator.tags.assign import FEWEST_TAGS, expected_standards
from generator.tags.context import context_log_odds, find_contexts
from generator.tags.corpus import Corpus
from generator.tags.evidence import Evidence, gather_evidence
from generator.tags.giving import LEAST_PAPERS_SHOWN, Candidates, candidates_of, pinned_tags
from generator.tags.labels import is_no_noun, label_of, verb_forms, written_forms
from generator.tags.likelihood import chances, concept_log_odds, mention_log_odds
from generator.tags.matching import fold_phrases
from generator.tags.overrule import overrule, wanted_phrases
from generator.tags.phrases import count_phrases, joined_name
from generator.tags.rules import TagRules
from generator.tags.vocabulary import Concept, choose_concepts, vocabulary_size
from generator.terms import WordTable, stem_of
from generator.texts import ABSTRACT, FIELDS

_MANY_PAPERS = 1000
_LEAST_PAPERS, _LEAST_PAPERS_OF_MANY = 2, 5
"""Papers that a new tag must have in the end, up to `_MANY_PAPERS` papers and above."""
_MORE_PAPERS_LATER = 1
"""Papers more that a tag must have to join a vocabulary that is kept: all that a build left are too few for a tag of
theirs, so one paper more can't make them enough."""
_COMMONEST = (1, 2)
"""What more than this share of the papers hold divides nothing."""
_SMALL_PILE = 20
"""Up to so many papers, a subject may be that of most."""
_LONGEST_NAME = 4
"""Characters of a label that is a name, such as C++ or ORL; longer ones are words."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How a build may add to the vocabulary."""

    generation: int
    """That of the new tags."""
    least: int
    """Papers that a new tag must have in the end."""


def growth_of(vocabulary: Sequence[Tag], papers: int) -> Growth:
    """Return how a vocabulary may grow; an empty one is chosen for the first time."""
    least = _LEAST_PAPERS_OF_MANY if papers > _MANY_PAPERS else _LEAST_PAPERS
    if not vocabulary:
        return Growth(0, least)
    return Growth(1 + max(tag.generation for tag in vocabulary), least + _MORE_PAPERS_LATER)


def new_tags(
    corpus: Corpus,
    vocabulary: Sequence[Tag],
    rules: TagRules,
    given: Sequence[Sequence[Tag]],
    growth: Growth,
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
    pinned = pinned_tags(tags, rules)
    least_of = np.where(pinned, 1, least)
    least_of[:first] = LEAST_PAPERS_SHOWN
    candidates = candidates_of(corpus, tags, evidence, pinned, least_of)
    fit = wished | _are_fit(corpus, concepts, labels, own, lenient=lenient)
    kept = np.ones(first, dtype=bool)
    shown = {*ruled.labels, *(tag.label for tag in vocabulary)}
    allowed = np.append(kept, fit & _first_of_alike(shown, labels, merits))
    used = _used(candidates, allowed, first, np.append(~kept, wished), merits, vocabulary_size(len(poor)))
    chosen = [(tags[number], concepts[number - first]) for number in np.flatnonzero(used).tolist()]
    return _finished(chosen, vocabulary, set(asked), rules)


def _are_fit(
    corpus: Corpus, concepts: Sequence[Concept], labels: Sequence[str], own: Evidence, *, lenient: bool
) -> NDArray[np.bool_]:
    """Return which concepts may be tags by what they are called and how papers speak of them."""
    fit = np.bincount(own.entries[own.is_central], minlength=len(concepts)) > 0
    fit |= np.array([lenient or concept.counts.words > 1 for concept in concepts], dtype=bool)
    verbs = verb_forms(corpus.texts)
    fit &= ~np.array([is_no_noun(label, verbs) for label in labels], dtype=bool)
    if corpus.papers > _SMALL_PILE:
        held = np.bincount(own.entries, minlength=len(concepts))
        fit &= held * _COMMONEST[1] <= corpus.papers * _COMMONEST[0]
    return fit


def _finished(
    drafts: Sequence[tuple[Tag, Concept]], vocabulary: Sequence[Tag], asked: Set[str], rules: TagRules
) -> list[Tag]:
    """Return drafts of tags, and what each means, as they come into the vocabulary: with addresses, without rules."""
    known_terms = {term for tag in vocabulary for term in tag.terms}
    aliases = rules.tags_by_alias()
    slugs = {tag.slug.lower() for tag in vocabulary}
    finished = []
    for tag, concept in sorted(drafts, key=lambda draft: draft[0].label):
        slug = unique_slug(slugify_name(tag.label, fallback="tag"), slugs, tag.label)
        slugs.add(slug.lower())
        ruled_only = concept.name in asked and not (concept.is_fit and known_terms.isdisjoint(concept.terms))
        terms = tuple(term for term in tag.terms if joined_name(term.split(" ")) not in aliases)
        finished.append(replace(tag, slug=slug, terms=terms, ruled=ruled_only))
    return finished


def _used(
    candidates: Candidates,
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
