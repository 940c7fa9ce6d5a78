"""Enters: all papers with their titles, and the vocabulary of the build before.

Leaves: the vocabulary, kept and extended, and the tags of each paper.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import isqrt

import numpy as np

from generator.model import Tag, Tagging, TitledPaper
from generator.slugs import slugify_name, unique_slug
from generator.tags.acronyms import acronym_expansions, spellings
from generator.tags.assign import MOST_TAGS, Evidence, assign_entries, gather_evidence
from generator.tags.matching import fold_phrases
from generator.tags.phrases import ABSTRACT, FIELDS, count_phrases
from generator.tags.vocabulary import Concept, choose_concepts, vocabulary_size
from generator.terms import WordTable, rarity, readable_form, table_of_words

FEWEST_TAGS = 3
"""Papers with fewer tags of the known vocabulary are the evidence on which it grows."""
_MANY_PAPERS = 1000
_LEAST_PAPERS, _LEAST_PAPERS_OF_MANY = 2, 5
"""Papers that a new tag must have in the end, up to `_MANY_PAPERS` papers and above."""
_LEAST_PAPERS_SHOWN = 2
"""A tag of the lock file with fewer papers is not given in this build, but kept."""
_TRIED = (3, 2)
"""Concepts tried for each that is wanted, since many of them end with too few papers."""
_SMALL_PILE = 300
"""Up to so many papers, those left with too few tags get a last look at single words."""
_ROUNDS = 6
"""Bounds the time; three rounds have been the most that any corpus needed."""


def tag_papers(papers: Sequence[TitledPaper], known: Sequence[Tag]) -> Tagging:
    """Return the vocabulary and the tags of each paper, same order as the input.

    The vocabulary is chosen from what all papers share, then each paper gets up to five entries, none nested in
    another. What ``known`` holds, the vocabulary of the build before, stays as it is; it only grows, and only for
    papers that it serves badly. So a paper more or less changes no other paper's tags unless it brings a new subject.
    Neither the order of the papers nor that of ``known`` matters.
    """
    order = sorted(range(len(papers)), key=lambda number: papers[number].id)
    texts = [text for number in order for text in _texts_of(papers[number])]
    table = table_of_words(texts)
    vocabulary = sorted(known, key=lambda tag: tag.slug)
    given = _give(table, vocabulary, len(papers))
    for _ in range(_ROUNDS):
        poor = [paper for paper, tags in enumerate(given) if len(tags) < FEWEST_TAGS]
        new = _new_tags(table, texts, vocabulary, poor, len(papers)) or _tags_of_a_small_pile(
            table, texts, vocabulary, given
        )
        if not new:
            break
        vocabulary = sorted([*vocabulary, *new], key=lambda tag: tag.slug)
        given = _give(table, vocabulary, len(papers))
    result: list[tuple[Tag, ...]] = [() for _ in papers]
    for number, tags in zip(order, given, strict=True):
        result[number] = tuple(vocabulary[tag] for tag in tags)
    return Tagging(tuple(vocabulary), tuple(result))


def _texts_of(paper: TitledPaper) -> tuple[str, str, str]:
    # Semicolons, so that no phrase reaches from one keyword to the next.
    return paper.title.prose, paper.parsed.abstract.prose, " ; ".join(paper.parsed.paper.record.keywords)


def _give(table: WordTable, vocabulary: Sequence[Tag], papers: int) -> list[list[int]]:
    """Return the numbers of each paper's tags; tags left with one paper are not given."""
    evidence = gather_evidence(table, [tag.terms for tag in vocabulary])
    allowed = np.ones(len(vocabulary) + 1, dtype=bool)
    nested = _nested_pairs([(tag.label, tag.terms) for tag in vocabulary])
    weights = [tag.weight for tag in vocabulary]
    return _assign_until_all_shared(
        evidence, weights, nested, allowed, papers, dict.fromkeys(range(len(vocabulary)), _LEAST_PAPERS_SHOWN)
    )


def _assign_until_all_shared(
    evidence: Evidence,
    weights: Sequence[int],
    nested: set[tuple[int, int]],
    allowed: "np.typing.NDArray[np.bool_]",
    papers: int,
    least: dict[int, int],
) -> list[list[int]]:
    """Return the entries of each paper after dropping, until none is left, those given to too few papers."""
    while True:
        given = assign_entries(evidence, weights, nested, allowed, papers)
        counts = Counter(entry for entries in given for entry in entries)
        few = [entry for entry, needed in least.items() if allowed[entry] and counts[entry] < needed]
        if not any(counts[entry] for entry in few):
            allowed[few] = False
            return given
        allowed[few] = False


def _new_tags(
    table: WordTable,
    texts: Sequence[str],
    known: Sequence[Tag],
    poor: Sequence[int],
    papers: int,
    *,
    untitled: bool = False,
) -> list[Tag]:
    """Return tags for the subjects that the papers numbered ``poor`` share and the known vocabulary lacks."""
    least = _LEAST_PAPERS_OF_MANY if papers > _MANY_PAPERS else _LEAST_PAPERS
    if len(poor) < least:
        return []
    abstracts = (texts[number * FIELDS + ABSTRACT] for number in poor)
    expansions = acronym_expansions(abstracts, 2 if papers > _MANY_PAPERS else 1)
    variants = {acronym: spellings(acronym, expansions) - {acronym} for acronym in expansions}
    here = fold_phrases(_rows_of(table, poor), variants)
    taken = [term for tag in known for term in tag.terms]
    concepts = choose_concepts(count_phrases(here, least), expansions, len(poor), taken, untitled=untitled)
    size = vocabulary_size(len(poor))
    concepts = concepts[: size * _TRIED[0] // _TRIED[1]]
    terms = [tag.terms for tag in known] + [concept.terms for concept in concepts]
    evidence = gather_evidence(table, terms)
    papers_with = np.bincount(evidence.entries, minlength=len(terms)).tolist()
    first = len(known)
    weights = [tag.weight for tag in known] + [
        _weight(concept, papers_with[first + number], papers) for number, concept in enumerate(concepts)
    ]
    labels = [tag.label for tag in known] + _labels(concepts, evidence, texts, first)
    nested = _nested_pairs(list(zip(labels, terms, strict=True)))
    allowed = np.ones(len(terms) + 1, dtype=bool)
    # Two concepts that read alike would be two pages with one name.
    seen = {tag.label.casefold() for tag in known}
    for number in range(first, len(terms)):
        allowed[number] = labels[number] != "" and labels[number].casefold() not in seen
        seen.add(labels[number].casefold())
    needed = {number: least if number >= first else _LEAST_PAPERS_SHOWN for number in range(len(terms))}
    given = _assign_until_all_shared(evidence, weights, nested, allowed, papers, needed)
    used = sorted({entry for entries in given for entry in entries if entry >= first})
    if len(used) > size:
        # Concepts are numbered from the best to the worst.
        allowed[used[size] :] = False
        given = _assign_until_all_shared(evidence, weights, nested, allowed, papers, needed)
        used = sorted({entry for entries in given for entry in entries if entry >= first})
    slugs = {tag.slug.lower() for tag in known}
    tags = []
    for number in sorted(used, key=lambda number: labels[number]):
        slug = unique_slug(slugify_name(labels[number], fallback="tag"), slugs, labels[number])
        slugs.add(slug.lower())
        tags.append(Tag(labels[number], slug, tuple(terms[number]), weights[number]))
    return tags


def _tags_of_a_small_pile(
    table: WordTable, texts: Sequence[str], known: Sequence[Tag], given: Sequence[Sequence[int]]
) -> list[Tag]:
    """Return further tags for papers with too few, in a small pile: there, what they share may stand in no title.

    Each is shared by a paper with too few and another that has room, and as few as serve are taken.
    """
    poor = {paper for paper, tags in enumerate(given) if len(tags) < FEWEST_TAGS}
    if not poor or len(given) > _SMALL_PILE:
        return []
    candidates = _new_tags(table, texts, known, range(len(given)), len(given), untitled=True)
    evidence = gather_evidence(table, [tag.terms for tag in candidates])
    holders: defaultdict[int, list[int]] = defaultdict(list)
    for entry, paper in zip(evidence.entries.tolist(), evidence.papers.tolist(), strict=True):
        holders[entry].append(paper)
    counts = [len(tags) for tags in given]
    chosen = []
    for entry in sorted(holders, key=lambda entry: (-candidates[entry].weight * len(holders[entry]), entry)):
        room = [paper for paper in holders[entry] if counts[paper] < (FEWEST_TAGS if paper in poor else MOST_TAGS)]
        if len(room) >= _LEAST_PAPERS and poor.intersection(room):
            chosen.append(candidates[entry])
            for paper in room:
                counts[paper] += 1
    return chosen


def _rows_of(table: WordTable, papers: Sequence[int]) -> WordTable:
    """Return the part of the table that holds the texts of some papers."""
    chosen = np.zeros(int(table.text_numbers.max(initial=0)) // FIELDS + 1, dtype=bool)
    chosen[[paper for paper in papers if paper < len(chosen)]] = True
    kept = chosen[table.text_numbers // FIELDS]
    return WordTable(
        table.keys,
        table.key_numbers[kept],
        table.text_numbers[kept],
        table.starts[kept],
        table.ends[kept],
        table.hyphened[kept],
    )


def _weight(concept: Concept, papers_with: int, papers: int) -> int:
    """Return how telling a concept is: the root of its rarity, more for longer phrases; in thousandths."""
    longer = min(concept.words, 3) - 1
    return isqrt(max(1, rarity(papers_with, papers)) * 1000) * (10 + 6 * longer) // 10


def _labels(concepts: Sequence[Concept], evidence: Evidence, texts: Sequence[str], first: int) -> list[str]:
    """Return the form in which readers see each concept; empty for one that no text holds."""
    forms: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for entry, (text, start, end) in zip(evidence.entry_places.tolist(), evidence.places.tolist(), strict=True):
        if entry >= first:
            forms[entry - first][texts[text][start:end]] += 1
    return [_label(forms[number]) for number in range(len(concepts))]


def _label(forms: Counter[str]) -> str:
    """Return the most frequent form; a phrase rather than its acronym, unless hardly any text spells it out."""
    if not forms:
        return ""
    phrases = Counter({form: count for form, count in forms.items() if not form.isalnum()})
    return readable_form(phrases if phrases.total() * 8 >= forms.total() else forms)


def _nested_pairs(entries: Sequence[tuple[str, Iterable[str]]]) -> set[tuple[int, int]]:
    """Return the pairs of entries, smaller number first, of which one contains the other, in label or in a term."""
    by_term: dict[str, int] = {}
    spelled = []
    for number, (label, terms) in enumerate(entries):
        spelled.append({*terms, "=" + " ".join(f"={word}" for word in label.casefold().split())})
        for form in spelled[-1]:
            by_term.setdefault(form, number)
    pairs: set[tuple[int, int]] = set()
    for number, forms in enumerate(spelled):
        for form in forms:
            words = form.removeprefix("=").split(" ") if form.startswith("==") else form.split(" ")
            for start in range(len(words)):
                for end in range(start + 1, len(words) + 1):
                    part = " ".join(words[start:end])
                    other = by_term.get("=" + part if form.startswith("==") else part)
                    if other is not None and other != number:
                        pairs.add((min(number, other), max(number, other)))
    return pairs
