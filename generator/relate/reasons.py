"""Enters: which papers are shown with which, their terms and their tags.

Leaves: for each such pair what both share, in words for readers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from generator.model import Tag
from generator.relate.occurrences import Terms
from generator.relate.phrases import Completions
from generator.relate.weights import UNIT
from generator.terms import key_of_word, readable_form, word_set, words_of
from generator.texts import PROSE_FIELDS

MOST_TERMS = 4

_TRIED = 4 * MOST_TERMS
"""Shared terms looked at, since nested and generic ones drop out."""
_TERMS_BEFORE_TAGS = 2
"""The tags that both have come after that many terms: they are well worded, but hold for many pairs."""
_PHRASE_CREDIT = 3
"""Halves: a phrase says more to readers than its words, so it is shown for two thirds of their share in the score."""
_OUTSIDE_TITLES = 30
"""A word that stands in a title less than once in so many times is no subject, such as "adopt" or "formulation";"""
_COUNTS_AS_EVIDENCE = 30
"""known of words that occur as often as that."""
_Phrase: TypeAlias = tuple[int, ...]
"""Words in a row, as numbers of their keys."""
_OCCURRENCES_COUNTED = 50
"""Occurrences whose forms are counted, by the order of ids, which is as good as chance."""
_PAIRS_PER_BLOCK = 1 << 14
"""Pairs compared at once: bounds memory."""
_GENERIC = frozenset(
    key_of_word(word)
    for word in word_set(
        """
        ability achieve achieved achieves addition address advance advantage aim allow analysis analyze
        application apply approach approaches article aspect available base based baseline benefit best better
        big broad capable case challenge challenging common compare compared comparison competitive
        comprehensive consider considerable contribution crucial current demonstrate demonstrates describe
        design develop different difficult discuss effect effective effectively effectiveness efficient
        empirical empirically enable enhance enhanced establish evaluate evaluation evidence examine example
        existing experiment experimental extensive extensively facilitate fail final find finding findings first
        five focus four framework full fundamental further good great high higher highlight highly identify
        illustrate impact important improve improved improvement include including increase increasing insight
        introduce investigate involve issue key known large larger lead leading leverage limit limitation
        limited low lower main major method methodology multiple new notable novel number obtain offer open
        outperform outperforms overall overview page paper particular perform performance possible potential
        practical practice present previous previously prior problem promising propose proposed proposes provide
        publicly range real recent recently related relevant rely remain report require research result reveal
        review second series set several shed show significant significantly similar simple single small
        solution solve specific standard state strong study substantial substantially success successful suggest
        superior support systematic task technique test third three time traditional two type typical typically
        understand understanding understood useful valuable variety various vary way well wide widely work world
        year
        """
    )
)
"""Words by which papers speak of themselves: a term of these alone is no reason."""

_LOOSE = frozenset(
    key_of_word(word)
    for word in word_set(
        """
        achieve achieves address aim allow apply better compare consider crucial demonstrate effectively
        efficiently enable enhance ensure especially exhibit existing extensive facilitate fail finally
        fundamentally further highly identify improve improves improving include incorporate increasingly
        introduce investigate jointly leverage mitigate notably novel numerous obtain offer often outperform
        outperforms perform possible propose provably provide reduce remain require reveal several show
        significantly simultaneously solve strong substantially successfully suffer suggest surpass surprisingly
        tackle typically understand unlock utilize various
        """
    )
)
"""Words that a term neither starts nor ends with: verbs and adverbs of any abstract."""


def find_reasons(
    terms: Terms,
    texts: Sequence[str],
    weights: sparse.csr_matrix,
    pairs: Sequence[tuple[int, int]],
    tags: Sequence[Sequence[Tag]],
) -> list[tuple[str, ...]]:
    """Return for each pair of rows up to `MOST_TERMS` terms and tags that both share, the most telling first.

    Each is in the form in which readers see it most; no two share a word. Empty where both share nothing but what any
    paper says of itself.
    """
    worth, subject = _judge_terms(terms)
    chooser = _Chooser(terms, subject)
    shown_weights = weights.copy()
    shown_weights.data[~worth[weights.indices]] = 0
    shown_weights.eliminate_zeros()
    chosen = []
    for (first, second), shared in zip(pairs, _shared_terms(shown_weights, terms.words, subject, pairs), strict=True):
        named = _shared_tags(tags[first], tags[second]) if tags else []
        chosen.append(chooser.choose(first, second, shared, named))
    wanted = {reason for reasons in chosen for reason in reasons if not isinstance(reason, str)}
    shown = _forms_shown(terms, texts, wanted)
    return [tuple(reason if isinstance(reason, str) else shown[reason] for reason in reasons) for reasons in chosen]


def _judge_terms(terms: Terms) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each term whether it says anything of a paper, and whether it names a subject.

    A phrase does, and so does a word of which titles are made; parts of hyphenated words don't.
    """
    generic = np.array([key in _GENERIC for key in terms.table.keys], dtype=bool)
    loose = np.array([key in _LOOSE for key in terms.table.keys], dtype=bool)
    first, second = np.divmod(terms.pairs, max(1, terms.words))
    pair, third = np.divmod(terms.triples, max(1, terms.words))
    all_generic = [
        generic,
        generic[first] & generic[second],
        generic[first[pair]] & generic[second[pair]] & generic[third],
    ]
    at_an_end = [loose, loose[first] | loose[second], loose[first[pair]] | loose[third]]
    single = terms.numbers[: terms.first_pair]
    in_title = terms.table.text_numbers[terms.places[: terms.first_pair]] % PROSE_FIELDS == 0
    counts = np.bincount(single, minlength=terms.words)
    titles = np.bincount(single[in_title], minlength=terms.words)
    untitled = (counts >= _COUNTS_AS_EVIDENCE) & (titles * _OUTSIDE_TITLES < counts)
    subject = np.ones(terms.count, dtype=bool)
    subject[: terms.words] = ~terms.is_part & ~untitled
    return ~(np.concatenate(all_generic) | np.concatenate(at_an_end)), subject


class _Chooser:
    """Chooses what to show of all that two papers share.

    Args:
        terms: the terms of all texts.
        subject: for each term whether it names a subject.
    """

    def __init__(self, terms: Terms, subject: NDArray[np.bool_]) -> None:
        self._terms = terms
        self._subject = subject
        self._numbers = {key: number for number, key in enumerate(terms.table.keys)}
        self._completions = Completions(terms)
        self._texts = _TextsOfRows(terms)

    def choose(self, first: int, second: int, shared: Sequence[int], tags: Sequence[Tag]) -> list[_Phrase | str]:
        """Return phrases and labels of tags, no two with a word in common, from shared terms in their order.

        Terms that name no subject are taken only for want of others.
        """
        chosen: list[_Phrase | str] = []
        seen: set[int] = set()

        def add_terms(most: int) -> None:
            for term in shared:
                if len(chosen) == most or (chosen and not self._subject[term]):
                    return
                words = self._terms.words_of(term)
                if seen.isdisjoint(words):
                    phrase = self._whole_phrase(term, words, first, second)
                    phrase = phrase if seen.isdisjoint(phrase) else words
                    chosen.append(phrase)
                    seen.update(phrase)

        add_terms(_TERMS_BEFORE_TAGS)
        for tag in tags:
            label = {self._numbers[key] for key in _keys_of_label(tag.label) if key in self._numbers}
            if len(chosen) < MOST_TERMS and seen.isdisjoint(label):
                chosen.append(tag.label)
                seen.update(label)
        add_terms(MOST_TERMS)
        return chosen

    def _whole_phrase(self, term: int, words: _Phrase, first: int, second: int) -> _Phrase:
        """Return the phrase that a term is mostly a part of, where both papers have it; else the term."""
        phrase = self._completions.complete(term)
        if phrase != words and self._texts.holds(first, phrase) and self._texts.holds(second, phrase):
            return phrase
        return words


class _TextsOfRows:
    """The texts of papers as rows of key numbers, to look phrases up.

    Args:
        terms: the terms of all texts.
    """

    def __init__(self, terms: Terms) -> None:
        self._keys = terms.table.key_numbers
        papers = int(terms.table.text_numbers.max(initial=0)) // PROSE_FIELDS + 1
        self._starts = np.searchsorted(terms.table.text_numbers, np.arange(papers + 1) * PROSE_FIELDS).tolist()
        self._bytes_of = lru_cache(maxsize=1 << 12)(self._read)

    def _read(self, row: int) -> bytes:
        return self._keys[self._starts[row] : self._starts[row + 1]].tobytes()

    def holds(self, row: int, words: _Phrase) -> bool:
        """Return whether a paper has these words in a row."""
        text, wanted = self._bytes_of(row), np.array(words, dtype=self._keys.dtype).tobytes()
        place = text.find(wanted)
        while place % self._keys.itemsize > 0 and place >= 0:
            place = text.find(wanted, place + 1)
        return place >= 0


def _shared_terms(
    weights: sparse.csr_matrix, words: int, subject: NDArray[np.bool_], pairs: Sequence[tuple[int, int]]
) -> Iterator[list[int]]:
    """Yield for each pair of rows the terms that contributed to its score: subjects first, then by contribution."""
    highest = _PHRASE_CREDIT * UNIT**2
    for start in range(0, len(pairs), _PAIRS_PER_BLOCK):
        block = np.array(pairs[start : start + _PAIRS_PER_BLOCK], dtype=np.int64)
        shared = weights[block[:, 0]].multiply(weights[block[:, 1]]).tocsr()
        shared.sort_indices()
        values = shared.data.astype(np.int64) * np.where(shared.indices >= words, _PHRASE_CREDIT, 2)
        values += subject[shared.indices] * np.int64(highest)
        rows = np.repeat(np.arange(len(block)), np.diff(shared.indptr))
        # The sort is stable, so equal values stay in the order of the terms.
        order = np.argsort(rows * (2 * highest + 1) - values, kind="stable")
        columns = shared.indices[order]
        for first, last in pairwise(shared.indptr.tolist()):
            yield columns[first : min(last, first + _TRIED)].tolist()


def _shared_tags(first: Sequence[Tag], second: Sequence[Tag]) -> list[Tag]:
    """Return the tags that both have, the most telling first."""
    others = {tag.slug for tag in second}
    return sorted((tag for tag in first if tag.slug in others), key=lambda tag: (-tag.scale, tag.slug))


@lru_cache(maxsize=1 << 12)
def _keys_of_label(label: str) -> tuple[str, ...]:
    return tuple(word.key for word in words_of(label))


def _forms_shown(terms: Terms, texts: Sequence[str], wanted: Set[_Phrase]) -> dict[_Phrase, str]:
    """Return the form in which readers see each wanted phrase."""
    table = terms.table
    longest = max(map(len, wanted), default=0)
    ahead = np.append(table.key_numbers, np.full(longest + 1, -1, dtype=np.int32))
    forms: defaultdict[_Phrase, Counter[str]] = defaultdict(Counter)
    for length in range(1, longest + 1):
        phrases = [phrase for phrase in wanted if len(phrase) == length]
        # The first two words leave few places, and those are read one by one.
        second = min(1, length - 1)
        places = np.flatnonzero(_among(ahead[: len(table.key_numbers)], phrases, 0))
        places = places[_among(ahead[places + second], phrases, second)]
        codes = ahead[places].astype(np.int64) * terms.words + ahead[places + second]
        kept = np.isin(codes, [phrase[0] * terms.words + phrase[second] for phrase in phrases])
        places, codes = places[kept], codes[kept]
        if length < 3:  # further words are not in the code
            places = places[_rank_among_equals(codes) < _OCCURRENCES_COUNTED]
        following = np.stack([ahead[places + step] for step in range(length)], axis=1)
        for words, text, start, end in zip(
            map(tuple, following.tolist()),
            table.text_numbers[places].tolist(),
            table.starts[places].tolist(),
            table.ends[np.minimum(places + length, len(table.ends)) - 1].tolist(),
            strict=True,
        ):
            if words in wanted:
                forms[words][texts[text][start:end]] += 1
    return {phrase: readable_form(counts) for phrase, counts in forms.items()}


def _among(keys: NDArray[np.int32], phrases: Sequence[_Phrase], position: int) -> NDArray[np.bool_]:
    """Return for each key whether it is the word of any phrase at this position."""
    wanted = np.zeros(int(keys.max(initial=0)) + 2, dtype=bool)  # the last one is for breaks, -1
    words = np.array([phrase[position] for phrase in phrases], dtype=np.int64)
    wanted[words[words < len(wanted) - 1]] = True
    return wanted[keys]


def _rank_among_equals(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each value how many equal ones stand before it."""
    order = np.argsort(values, kind="stable")
    in_order = values[order]
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[order] = np.arange(len(values)) - np.searchsorted(in_order, in_order)
    return ranks
