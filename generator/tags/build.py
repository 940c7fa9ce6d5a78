"""Enters: all papers with their titles, the vocabulary of the build before, and the user's rules.

Leaves: the vocabulary, kept and extended, and the tags of each paper.
"""

from collections.abc import Sequence
from dataclasses import replace

from generator.model import Tag, Tagging, TitledPaper
from generator.tags.corpus import corpus_of
from generator.tags.giving import LEAST_PAPERS_SHOWN, give_tags
from generator.tags.growth import growth_of, new_tags
from generator.tags.overrule import idle_rules, names_of, overrule, still_wanted
from generator.tags.rules import NO_RULES, TagRules
from generator.tags.topics import with_topics
from generator.texts import Texts, read_texts

_ROUNDS = 6
"""Bounds the time; the last ones find nothing as a rule."""


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
    growth = growth_of(vocabulary, corpus.papers)
    least = LEAST_PAPERS_SHOWN if grows else growth.least
    given: list[tuple[Tag, ...]] = [() for _ in papers]
    if vocabulary:
        given = give_tags(corpus, overrule(vocabulary, rules).tags, rules, least)
    asked = rules.asked_names()
    lenient = grows
    for _ in range(_ROUNDS):
        new = new_tags(corpus, vocabulary, rules, given, growth, lenient=lenient)
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
