"""Enters: the table of all papers' words.

Leaves: the phrases of one to four words in it, each with the numbers of papers and of titles that hold it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generator.terms import WordTable, idle_keys, is_stop_key, word_set, words_of
from generator.texts import ABSTRACT, FIELDS, KEYWORDS

LONGEST_PHRASE = 4
"""Words of the longest phrase, parts of hyphenated words counted; three without a hyphen."""

_VERB_CUES = word_set("to we can could may might must will would should they cannot not did do does")
_FIRST_PARTS = word_set(
    """
    in- on- off- out- over- under- one- few- self- all- after- before- down- up- between-
    """
)
"""Stop words that begin a compound of their own (in-context); others are the cut end of one (text-to-video)."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A row of words that several papers share."""

    keys: tuple[str, ...]
    """The keys of its words."""
    papers: int
    """Papers whose title or abstract hold it."""
    titles: int
    """Papers whose title or authors' keywords hold it."""
    keywords: int
    """Papers whose authors' keywords hold it."""
    closed: int
    """Papers that hold it with no topical word right behind it; few when it is only the beginning of longer phrases."""
    begun: int
    """Papers that hold it with no topical word right before it."""
    verbal: int
    """Papers that hold it right behind a word such as ``to`` or ``we``, which calls for a verb; for single words."""

    @property
    def term(self) -> str:
        """Return the phrase as the vocabulary stores it: its keys with blanks between."""
        return " ".join(self.keys)


def count_phrases(table: WordTable, least_papers: int) -> list[Phrase]:
    """Return all phrases that at least ``least_papers`` papers hold, sorted by their keys.

    A phrase neither starts nor ends with a stop word, starts with no number, and cuts no hyphenated word. A letter
    alone, such as C, counts among keywords only, since elsewhere it is mostly a part of a formula; it may start a
    phrase where a hyphen ties it (k-means).
    """
    keys = table.key_numbers.astype(np.int64)
    size = len(table.keys)
    idle = idle_keys(table)
    number = np.array([key.isdigit() for key in table.keys] + [False])
    single = np.array([len(key) == 1 and key.isalpha() for key in table.keys] + [False])
    letter = np.array([len(key) == 1 and not is_stop_key(key) for key in table.keys] + [False])
    calls_verb = np.array([key in _VERB_CUES for key in table.keys] + [False])
    bad_first = np.array([key.endswith("-") and key not in _FIRST_PARTS for key in table.keys] + [False])
    tied = np.append(table.hyphened, [False])
    following_key = np.append(keys, [-1])
    papers = table.text_numbers.astype(np.int64) // FIELDS
    fields = table.text_numbers % FIELDS
    found: list[Phrase] = []
    # Phrases grow word by word, and only from beginnings that are frequent enough themselves.
    starts = np.flatnonzero(keys >= 0)
    heads = keys[starts]
    names: list[tuple[str, ...]] = [(key,) for key in table.keys]
    for length in range(1, LONGEST_PHRASE + 1):
        if length > 1:
            following = following_key[np.minimum(starts + length - 1, len(keys))]
            starts, heads, following = (column[following >= 0] for column in (starts, heads, following))
            codes, heads = np.unique(heads * size + following, return_inverse=True)
            names = [(*names[code // size], table.keys[code % size]) for code in codes.tolist()]
        firsts, lasts = keys[starts], keys[starts + length - 1]
        whole = ~idle[firsts] & ~bad_first[firsts] & (~idle[lasts] | ((length > 1) & number[lasts]))
        if length > 1:
            whole |= single[firsts] & tied[starts + 1] & ~idle[lasts]
        if length == 1:
            whole |= letter[firsts] & (fields[starts] == KEYWORDS)
        if length == LONGEST_PHRASE:
            inner_ties = np.add.reduce([tied[starts + offset] for offset in range(1, length)], dtype=np.int64)
            whole &= inner_ties > 0
        whole &= ~tied[starts] & ~tied[starts + length]
        at, phrases = starts[whole], heads[whole]
        total = _papers_with(phrases, papers[at], len(names))
        chosen = np.flatnonzero(total >= least_papers)
        titled = fields[at] != ABSTRACT
        titles = _papers_with(phrases[titled], papers[at][titled], len(names))
        keyed = fields[at] == KEYWORDS
        keywords = _papers_with(phrases[keyed], papers[at][keyed], len(names))
        closing = idle[following_key[at + length]]
        closed = _papers_with(phrases[closing], papers[at][closing], len(names))
        begins = idle[following_key[at - 1]]
        begun = _papers_with(phrases[begins], papers[at][begins], len(names))
        behind = calls_verb[following_key[at - 1]] if length == 1 else np.zeros(len(at), dtype=bool)
        verbal = _papers_with(phrases[behind], papers[at][behind], len(names))
        columns = np.stack([total, titles, keywords, closed, begun, verbal], 1)[chosen].tolist()
        found.extend(Phrase(names[phrase], *row) for phrase, row in zip(chosen.tolist(), columns, strict=True))
        if length < LONGEST_PHRASE:
            frequent = np.flatnonzero(np.bincount(heads, minlength=len(names)) >= least_papers)
            renumbered = np.full(len(names), -1, dtype=np.int64)
            renumbered[frequent] = np.arange(len(frequent))
            names = [names[phrase] for phrase in frequent.tolist()]
            heads = renumbered[heads]
            starts, heads = starts[heads >= 0], heads[heads >= 0]
    return sorted(found, key=lambda phrase: phrase.keys)


def _papers_with(phrases: NDArray[np.int64], papers: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return for each phrase the number of papers that hold it; ``papers`` rise."""
    width = int(papers.max(initial=0)) + 1
    return np.bincount(np.unique(phrases * width + papers) // width, minlength=size)


def joined_name(keys: Sequence[str]) -> str:
    """Return what variants of one phrase share: ``pre-training`` and ``pretraining``, ``data set`` and ``dataset``."""
    joined = "".join(key.rstrip("-") for key in keys)
    # The stem of a word keeps an e that the stem of its compound has lost: fine tune, finetun. Acronyms keep theirs.
    return joined.rstrip("e") if len(joined) > _LONGEST_ACRONYM else joined


_LONGEST_ACRONYM = 5


def name_of(phrase: str) -> str:
    """Return the `joined_name` of a phrase as people write it."""
    return joined_name([word.key for word in words_of(phrase)])
