"""Enters: the texts of all papers.

Leaves: the same, with how much of each paper each word is.
"""

from dataclasses import dataclass

from generator.tags.context import PaperWords, words_of_papers
from generator.terms import WordTable
from generator.texts import Texts


@dataclass(frozen=True, slots=True)
class Corpus:
    """The texts of all papers as tags see them, ordered by the papers' ids."""

    papers: int
    texts: tuple[str, ...]
    """For each paper as many as it has `FIELDS`."""
    table: WordTable
    words: PaperWords


def corpus_of(texts: Texts) -> Corpus:
    """Return the texts with the words of each paper."""
    papers = len(texts.order)
    return Corpus(papers, texts.texts, texts.table, words_of_papers(texts.table, papers))
