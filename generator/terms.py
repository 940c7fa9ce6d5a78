"""Enters: plain text in any language.

Leaves: its words, each with a normalised key and its place in the text; many texts as one table of numbers.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import snowballstemmer
from numpy.typing import NDArray


def word_set(words: str) -> frozenset[str]:
    """Return the words of a list that is written with blanks between, as word lists read best."""
    return frozenset(words.split())


STOP_WORDS = word_set(
    """
    a about above across after again against all almost alone along already also although always am among
    amongst an and another any anyone anything are aren around as at away b be became because become becomes
    been before behind being below between beyond both but by came can cannot could couldn d did didn do does
    doesn doing don done down due during e each either else enough et etc even ever every everything except f
    few for from further g get gets give given gives go goes h had hadn has hasn have haven having he hence her
    here hers herself him himself his how however i ie if in indeed inside instead into is isn it its itself j
    just k keep kept l least less let like ll m made mainly make makes making many may me might mine more
    moreover most mostly much must my myself n namely near nearly need needs neither never nevertheless next no
    nobody none nor not nothing now o of off often on once one ones only onto or other others otherwise our ours
    ourselves out outside over own p per perhaps put q quite r rather re really regarding s same say see seem
    seems several shall she should shouldn since so some something sometimes still such t take taken takes than
    that the their theirs them themselves then there thereby therefore these they this those though through
    throughout thus til to together too toward towards u under unless unlike until up upon us use used uses
    using v ve versus very via vs w was wasn we well were weren what whatever when whenever where whereas
    whereby wherein whether which while who whole whom whose why will with within without won would wouldn x y
    yes yet you your yours yourself z eg aka cf al
    """
)
"""English words that carry grammar but no topic; single small letters, since they come from formulas."""

_FOREIGN_STOP_WORDS = word_set(
    """
    de la le les des du un une et est dans pour par avec sur aux au en que qui ce cette ces nous vous ils elles leur
    leurs se sont ont été être plus sans sous entre comme mais où ainsi afin dont basée basé notre nos à d l qu
    el los las del una unas unos y o es por para con como más su sus lo al este esta estos estas entre sobre nuestro
    der die das und ist ein eine einer eines einem einen dem den im von mit zu zur zum für auf wird werden sich nicht
    auch als bei wir dass sind oder nach aus durch
    il gli dei della delle degli di che è sono nel nella con per tra
    os das dos em uma um não com na no ao são pas non
    het een van voor zijn niet ook
    dieser diese dieses diesem diesen arbeit studie zeigen untersuchen neu neue neuen neuer neues
    ne si tout tous toute toutes même très cela celui celle
    cet porte portent travail étude montrons proposons présentons nouveau nouvelle
    trabajo estudio mostramos proponemos presentamos nuevo nueva
    lavoro trabalho estudo onderzoek
    """
) - word_set("more no on per plus sous as at")
"""French, Spanish, German, Italian, Portuguese and Dutch words of grammar, or that any paper says of itself; none is
English too."""


class Word(NamedTuple):
    """One word of a text."""

    key: str
    """What all its variants share: case, plural and ending are gone."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character; a possessive ending is left out."""
    joined: bool
    """True when only a blank or a hyphen parts it from the word before, so that both may be one phrase."""
    hyphened: bool
    """True when it is a hyphen that joins it to the word before."""


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0e31-\u0e4e"
)
"""Combining marks of the scripts that need them inside words; Python's ``\\w`` ends a word at each."""

_WORD = re.compile(
    # C++ and C# are names of their own, not the letter with noise behind it.
    rf"(?!(?<=[^\W_]['’])s\b)(?:[A-Za-z](?:\+\+|#)(?![^\W_])|[{_CJK}]+|(?:(?![{_CJK}])[^\W_][{_MARKS}]*)+)"
)
_GAP = re.compile(r"(?:['’]s)?(?:[ \t\u00a0]+\n?[ \t]*|\n[ \t]*|[-\u2010\u2011\u2013])")
"""What may stand between two words of one phrase."""

_LONGEST_GAP = 8

_HYPHENS = "-\u2010\u2011\u2013"
_SPELLINGS = dict(
    pair.split(":")
    for pair in word_set(
        """
    behaviour:behavior behaviours:behavior behavioural:behavioral colour:color colours:color coloured:colored
    colouring:coloring favour:favor favours:favor flavour:flavor flavours:flavor harbour:harbor harbours:harbor
    humour:humor labour:labor neighbour:neighbor neighbours:neighbor neighbouring:neighboring
    neighbourhood:neighborhood neighbourhoods:neighborhood rumour:rumor rumours:rumor tumour:tumor tumours:tumor
    vapour:vapor modelling:modeling modelled:modeled labelling:labeling labelled:labeled signalling:signaling
    centre:center centres:center fibre:fiber fibres:fiber metre:meter metres:meter defence:defense defences:defense
    licence:license licences:license programme:program programmes:program catalogue:catalog catalogues:catalog
    dialogue:dialog dialogues:dialog analogue:analog artefact:artifact artefacts:artifact judgement:judgment
    judgements:judgment grey:gray ageing:aging sulphur:sulfur aluminium:aluminum haem:heme anaemia:anemia
    paediatric:pediatric paediatrics:pediatrics aesthetic:esthetic aesthetics:esthetics
    analyses:analysis appendices:appendix axes:axis codices:codex corpora:corpus criteria:criterion
    diagnoses:diagnosis foci:focus formulae:formula genera:genus hypotheses:hypothesis indices:index
    loci:locus maxima:maximum matrices:matrix minima:minimum nuclei:nucleus optima:optimum parentheses:parenthesis
    phenomena:phenomenon prognoses:prognosis quanta:quantum radii:radius simplices:simplex spectra:spectrum
    stimuli:stimulus syntheses:synthesis taxa:taxon theses:thesis vertebrae:vertebra vertices:vertex
    vortices:vortex mice:mouse feet:foot teeth:tooth geese:goose
    """
    )
)
"""British spellings, and plurals of which the singular has another stem."""
_OWN_STEM = frozenset(
    ("news", "physics", "dynamics", "kinetics", "series", "species", "bias", "chaos", "bayes", "aids")
)
"""Words whose final s is no plural, or whose stem would meet that of a stranger."""
_FALSE_FRIENDS = {
    "generaliz": "generaliz",
    "generalis": "generaliz",
    "optimal": "optimal",
    "organiz": "organiz",
    "organis": "organiz",
    "universal": "universal",
    "relativ": "relativ",
}
"""Beginnings whose stem is that of a word of another meaning (general, optimize, organ, universe, relate)."""
_VOWELS = frozenset("aeiouy")
_STEMMER = snowballstemmer.stemmer("english")
_LONGEST_ACRONYM = 5
"""Longer words in capitals are mostly headings, so they are stemmed like any word."""


@lru_cache(maxsize=1 << 18)
def key_of_word(word: str) -> str:
    """Return the key of one word: equal for all its variants, different for words of different meaning.

    ``LLMs`` and ``LLM``, ``Networks`` and ``network``, ``optimize`` and ``optimization`` share a key; ``C``, ``C++``
    and ``C#`` do not, and neither do ``RL`` and ``IRL``.
    """
    word = unicodedata.normalize("NFKC", word)
    if word.casefold() in _FOREIGN_STOP_WORDS:
        # No stem and no accent less, which could meet an English word (porte, port; für, fur); DEM is no dem.
        return word if word.isupper() and len(word) > 1 else word.casefold()
    if not word.isascii():
        word = _without_accents(word)
    if len(word) == 1:
        # A capital alone is a name (C, R), a small letter is a variable.
        return word
    if len(word) > 2 and word[-1] == "s" and (word[-2].isupper() or word[-2].isdigit()) and not word[0].isdigit():
        return key_of_word(word[:-1])
    if len(word) == 2 and word.isupper():
        # AT, IT and US are no stop words, CO is no co- of co-training.
        return word
    lowered = word.casefold()
    if not word.isascii() or not word.isalpha():
        return lowered
    inside = word[1:]
    if (not inside.islower() and not inside.isupper()) or (inside.isupper() and len(word) <= _LONGEST_ACRONYM):
        return lowered
    if lowered in _OWN_STEM:
        return lowered
    if lowered[-1] == "s" and len(lowered) > 2 and _VOWELS.isdisjoint(lowered):
        return lowered[:-1]
    lowered = _SPELLINGS.get(lowered, lowered).replace("isation", "ization")
    for beginning, key in _FALSE_FRIENDS.items():
        if lowered.startswith(beginning):
            return key
    stem: str = _STEMMER.stemWord(lowered)
    return stem


def _without_accents(word: str) -> str:
    """Return the word without the marks on its Latin letters (``Schrödinger``, ``Poincaré``); others keep theirs."""
    bare = _ACCENTS.sub("", unicodedata.normalize("NFD", word))
    return bare if bare.isascii() else word


_ACCENTS = re.compile("[\u0300-\u036f]")


def stem_of(phrase: str) -> str:
    """Return the stems of a phrase's words in one row: equal for phrases that readers would take for one."""
    return "".join(_stem_of_word(word) for word in re.findall(r"[a-z](?:\+\+|#)|[^\W_]+", phrase.casefold()))


@lru_cache(maxsize=1 << 16)
def _stem_of_word(word: str) -> str:
    stem: str = _STEMMER.stemWord(word)
    return stem


def words_of(text: str) -> list[Word]:
    """Return the words of ``text`` in their order.

    A stop word that a hyphen ties to the next word keeps the hyphen in its key (``in-context learning`` is ``in-``,
    ``context``, ``learn``), for there it is part of a name; a letter that is tied so is a small one (``K-means``). A
    row of Chinese or Japanese characters, which has no blanks, comes as its pairs of neighbours, none of them joined.
    """
    words: list[Word] = []
    last = -1
    gap_at = _GAP.fullmatch
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = text[start:end]
        if word[0] >= "\u3040" and _is_cjk(word[0]):
            words.extend(
                Word(word[at : at + 2], start + at, min(start + at + 2, end), False, False)
                for at in range(max(1, len(word) - 1))
            )
            last = -1
            continue
        key = key_of_word(word)
        if end + 1 < len(text) and text[end] in _HYPHENS and text[end + 1].isalpha():
            if end - start == 1:
                key = word.lower()
            elif word.lower() in STOP_WORDS:
                key = word.lower() + "-"
        if start == last + 1 and last >= 0 and text[last] == " ":
            joined, hyphened = True, False
        else:
            joined = 0 <= last >= start - _LONGEST_GAP and gap_at(text, last, start) is not None
            hyphened = joined and text[start - 1] in _HYPHENS
        words.append(Word(key, start, end, joined, hyphened))
        last = end
    return words


def is_part_of_a_row(key: str) -> bool:
    """Return whether a key is two neighbours in a row of Chinese or Japanese characters, which may be no word."""
    return bool(key) and _is_cjk(key[0])


def _is_cjk(character: str) -> bool:
    return (
        "\u3040" <= character <= "\u30ff"
        or "\u3400" <= character <= "\u4dbf"
        or "\u4e00" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character <= "\U0003134f"
    )


def is_stop_key(key: str) -> bool:
    """Return whether a word with this key carries no topic by itself: a stop word, a small letter or a number."""
    return key in _STOP_KEYS or key.isdigit() or (len(key) == 1 and not key.isupper())


_STOP_KEYS = {key_of_word(word) for word in STOP_WORDS | _FOREIGN_STOP_WORDS} | STOP_WORDS | {"A", "I"}


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of many texts as columns of numbers, since a Python object a word is too slow for 64,000 abstracts."""

    keys: tuple[str, ...]
    """All keys that occur, sorted."""
    key_numbers: NDArray[np.int32]
    """One per word, in reading order: index into ``keys``; -1 is no word but a break between two phrases."""
    text_numbers: NDArray[np.int32]
    """One per word: the number of its text."""
    starts: NDArray[np.int32]
    """One per word: where it starts in its text."""
    ends: NDArray[np.int32]
    """One per word: where it ends in its text."""
    hyphened: NDArray[np.bool_]
    """One per word: whether a hyphen ties it to the word before."""

    def rows(self, kept: NDArray[np.bool_], text_numbers: NDArray[np.int32] | None = None) -> "WordTable":
        """Return the words that ``kept``, one per word, says; with other numbers for their texts if they are given."""
        return WordTable(
            self.keys,
            self.key_numbers[kept],
            self.text_numbers[kept] if text_numbers is None else text_numbers,
            self.starts[kept],
            self.ends[kept],
            self.hyphened[kept],
        )


def idle_keys(table: WordTable) -> NDArray[np.bool_]:
    """Return for each key of the table, and for a break at -1, whether it carries no topic; letters alone don't."""
    return np.array([is_stop_key(key) or len(key) == 1 for key in table.keys] + [True])


def table_of_words(texts: Sequence[str]) -> WordTable:
    """Return the words of all ``texts``, in the order of the texts; phrases never reach over a break."""
    rows = any(_CJK_CHARACTER.search(text) for text in texts)
    return _table_word_by_word(texts) if rows else _table_by_columns(texts)


_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_PIECES = re.compile(f"({_WORD.pattern})")
_APART, _JOINED, _HYPHENED = range(3)


def _table_by_columns(texts: Sequence[str]) -> WordTable:
    """Return the same table as `_table_word_by_word`, for texts without rows of Chinese or Japanese characters.

    A split cuts a text into gaps and words in turns; what they are depends on hardly more than themselves, so that each
    is looked at once.
    """
    pieces: list[str] = []
    counts: list[int] = []
    for text in texts:
        cut = _PIECES.split(text)
        pieces += cut[:-1]  # what is behind the last word parts nothing
        counts.append(len(cut) // 2)
    gaps, words = pieces[::2], pieces[1::2]
    tie_of = {gap: _tie(gap) for gap in dict.fromkeys(gaps)}
    ties = np.fromiter(map(tie_of.__getitem__, gaps), dtype=np.int8, count=len(gaps))
    text_numbers = np.repeat(np.arange(len(texts), dtype=np.int32), counts)
    is_first = np.diff(text_numbers, prepend=-1) > 0
    ties[is_first] = _APART
    for at in np.flatnonzero(ties == _HYPHENED).tolist():
        # As in `words_of`: an own key for what a hyphen ties to the next word.
        word = words[at - 1]
        if len(gaps[at]) == 1 and words[at][0].isalpha() and (len(word) == 1 or word.lower() in STOP_WORDS):
            words[at - 1] = f"{word.lower()}-"
    numbers: dict[str, int] = {}
    number_of = {word: numbers.setdefault(_key_of_piece(word), len(numbers)) for word in dict.fromkeys(words)}
    keys = np.fromiter(map(number_of.__getitem__, words), dtype=np.int32, count=len(words))
    bounds = np.cumsum(np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces)))
    starts, ends = bounds[::2], bounds[1::2]
    before = np.append(0, ends)[:-1][is_first]  # where each text begins in the row of all pieces
    begin = before[np.cumsum(is_first) - 1]
    # Each word that is apart has a break before it, which stands where the word starts.
    places = np.arange(len(words)) + np.cumsum(ties == _APART)
    of_word = np.repeat(np.arange(len(words)), 1 + (ties == _APART))
    taken = np.zeros(len(of_word), dtype=bool)
    taken[places] = True
    return _in_order_of_keys(
        list(numbers),
        np.where(taken, keys[of_word], np.int32(-1)),
        text_numbers[of_word],
        (starts - begin)[of_word].astype(np.int32),
        np.where(taken, (ends - begin)[of_word], (starts - begin)[of_word]).astype(np.int32),
        (ties == _HYPHENED)[of_word] & taken,
    )


def _key_of_piece(word: str) -> str:
    """Return the key of a word, which no hyphen ends unless it is tied to the next."""
    if word[-1] != "-":
        return key_of_word(word)
    return word[:-1] if len(word) == 2 else word


def _tie(gap: str) -> int:
    """Return how a gap ties the words at its ends."""
    if len(gap) > _LONGEST_GAP or _GAP.fullmatch(gap) is None:
        return _APART
    return _HYPHENED if gap[-1] in _HYPHENS else _JOINED


def _table_word_by_word(texts: Sequence[str]) -> WordTable:
    numbers: dict[str, int] = {}
    key_numbers: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    ties: list[bool] = []
    lengths: list[int] = []
    for text in texts:
        before = len(key_numbers)
        for key, start, end, joined, hyphened in words_of(text):
            if not joined:
                key_numbers.append(-1)
                starts.append(start)
                ends.append(start)
                ties.append(False)
            key_numbers.append(numbers.setdefault(key, len(numbers)))
            starts.append(start)
            ends.append(end)
            ties.append(hyphened)
        lengths.append(len(key_numbers) - before)
    return _in_order_of_keys(
        list(numbers),
        np.array(key_numbers, dtype=np.int32),
        np.repeat(np.arange(len(texts), dtype=np.int32), lengths),
        np.array(starts, dtype=np.int32),
        np.array(ends, dtype=np.int32),
        np.array(ties, dtype=np.bool_),
    )


def joined_tables(tables: Sequence[WordTable], lengths: Sequence[int]) -> WordTable:
    """Return one table for the texts of several, in their order; ``lengths`` says how many texts each has."""
    numbers: dict[str, int] = {}
    key_numbers = []
    for table in tables:
        renumbered = np.array([numbers.setdefault(key, len(numbers)) for key in table.keys] + [-1], dtype=np.int32)
        key_numbers.append(renumbered[table.key_numbers])
    firsts = np.cumsum([0, *lengths], dtype=np.int32)
    return _in_order_of_keys(
        list(numbers),
        _joined(key_numbers, np.int32),
        _joined([table.text_numbers + first for table, first in zip(tables, firsts, strict=False)], np.int32),
        _joined([table.starts for table in tables], np.int32),
        _joined([table.ends for table in tables], np.int32),
        _joined([table.hyphened for table in tables], np.bool_),
    )


_Scalar = TypeVar("_Scalar", bound=np.generic)


def _joined(columns: Sequence[NDArray[_Scalar]], kind: type[_Scalar]) -> NDArray[_Scalar]:
    return np.concatenate([np.empty(0, dtype=kind), *columns])


def _in_order_of_keys(
    keys: Sequence[str],
    key_numbers: NDArray[np.int32],
    text_numbers: NDArray[np.int32],
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    hyphened: NDArray[np.bool_],
) -> WordTable:
    """Return a table whose keys are sorted, so that nothing downstream can depend on the order of the texts."""
    in_order = sorted(range(len(keys)), key=keys.__getitem__)
    renumbered = np.full(len(keys) + 1, -1, dtype=np.int32)
    renumbered[in_order] = np.arange(len(keys), dtype=np.int32)
    sorted_keys = tuple(keys[number] for number in in_order)
    return WordTable(sorted_keys, renumbered[key_numbers], text_numbers, starts, ends, hyphened)


def rarity(papers_with: int, papers: int) -> int:
    """Return how telling a term is that ``papers_with`` of ``papers`` hold: thousandths of log2 of their ratio, from 0.

    Computed with integers alone, so that it is the same number on every machine.
    """
    if not 0 < papers_with < papers:
        return 0
    whole = (papers // papers_with).bit_length() - 1
    scale = 1 << 40
    ratio = papers * scale // (papers_with << whole)
    fraction = 0
    # Ten binary digits of the logarithm: squaring doubles it, and a ratio over two is its next digit.
    for _ in range(10):
        ratio = ratio * ratio // scale
        fraction <<= 1
        if ratio >= 2 * scale:
            ratio >>= 1
            fraction |= 1
    return whole * 1000 + fraction * 1000 // 1024


def readable_form(counts: Mapping[str, int]) -> str:
    """Return the form of a term that is written most, equal counts by alphabet.

    Capitals as in titles and at the start of sentences count for the form in small letters, as long as that form is
    not rare (``Bayesian`` stays); names such as ``GPT-4`` or ``LoRA`` keep theirs.
    """
    merged: Counter[str] = Counter()
    for form, count in counts.items():
        merged[" ".join(form.split())] += count
    joined: Counter[str] = Counter()
    for form, count in merged.items():
        small = _uncapitalized(form)
        joined[small if merged[small] * _RARE_SMALL_FORM >= count else form] += count
    return min(joined, key=lambda form: (-joined[form], form))


_RARE_SMALL_FORM = 5
"""A form in small letters is a slip when the capitalised one is that many times as frequent."""


def _uncapitalized(form: str) -> str:
    """Return the form with words like ``Title`` in small letters; words with further capitals stay."""
    return _TITLE_WORD.sub(lambda match: match[0].lower(), form)


_TITLE_WORD = re.compile(r"(?<![^\W_])[^\W\d_][^\W\d_A-Z]*(?![^\W_])")
