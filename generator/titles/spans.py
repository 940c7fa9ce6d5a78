"""Enters: an abstract's words, the name found in them, and how likely each word stands in a title.

Leaves: the stretches of words that could be titles, each with its score, and the best ones.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias, get_args

from generator.terms import STOP_WORDS, word_set
from generator.titles import lexicon
from generator.titles.names import Name
from generator.titles.reading import Reading, Token
from generator.titles.weights import WEIGHTS
from generator.titles.words import (
    ARGUE,
    ASKS,
    CLAUSE_BREAKS,
    CLAUSE_CUTS,
    ED_NOUNS,
    EMPTY_HEADS,
    IDLE_FIRST,
    IDLE_TAILS,
    JOINERS,
    KINDS,
    LONGEST,
    MAY_FOLLOW,
    NEVER_FIRST,
    NEVER_LAST,
    NO_START_AFTER,
    OPENS_PAIR,
    PAIR_ENDS,
    PREPOSITIONS,
    PROPOSE,
    SHORTEST,
    SHORTEST_ALONE,
    SHOW,
    STRANGERS,
    STUDY,
    SUBJECTS,
    VERBS,
    VERBS_TOO_NOUNS,
)

Kind: TypeAlias = Literal["phrase", "claim", "how", "question"]

_NEVER_STARTS = NEVER_FIRST | IDLE_FIRST
_CLAUSE_VERBS = VERBS - VERBS_TOO_NOUNS
_CUES = PROPOSE | STUDY | SHOW
_DETERMINERS = word_set("a an the its their our each both all numerous many several various some any no")
"""Behind a noun, these make it a verb."""
_ADJECTIVE_ENDS = ("ed", "ble", "al", "ive", "ant", "ent", "ous", "ing", "ic", "rse", "ful", "ar", "en", "ary", "ee")
_AFTER_VERBS = _DETERMINERS | {"to"}
_NOUN_LIKE = 60
"""Thousandths of likelihood in a title from which a word in -ing is taken for a noun (learning), not for a verb."""
_OPEN_ENDS = (
    "ly",
    "-based",
    "-like",
    "-level",
    "-free",
    "-aware",
    "-style",
    "-driven",
    "-guided",
    "-wise",
    "-specific",
)
_MOST_EMPTY = 8
"""How many words such as ``a novel and simple`` may stand before what a phrase begins with."""
_MOST_CANDIDATES = 4000
"""Enough for every abstract of ordinary length; it bounds the time that a megabyte takes."""
_LEAST_TAIL_WORTH = 120
"""Thousandths a word, on average, of a second part; one of idle words says nothing."""
_HEADS_JOINED, _TAILS_JOINED = 6, 8
"""How many of the best phrases are tried as the first and as the second part of a title made of two."""


class Span(NamedTuple):
    """A stretch of words that could be a title or a part of one."""

    first: int
    end: int
    """Number behind its last word."""
    kind: Kind


class Candidate(NamedTuple):
    """A title that could be."""

    head: Span
    joiner: int
    """Number of the word that joins the tail to it; -1 for none."""
    tail: Span | None
    score: int
    """Higher is better; comparable within one abstract only."""


class Traits:
    """What speaks for or against the spans of one abstract."""

    def __init__(self, reading: Reading, name: Name | None, worth: dict[str, int]) -> None:
        self.words = words = reading.words
        self.reading = reading
        self.name = name
        self.named = "named " if name else ""
        self.shortest = SHORTEST if name else SHORTEST_ALONE
        starts = set(name.described) if name else set()
        self.described = {number for number, word in enumerate(words) if word.start in starts} if starts else set()
        self.expanded: set[int] = set()
        self.name_places: set[int] = set()
        if name:
            start, end = name.expansion or (0, 0)
            self.expanded = {number for number, word in enumerate(words) if start <= word.start < end}
            self.name_places = {number for number, word in enumerate(words) if word.text == name.text}
        self.in_list = {number for number, word in enumerate(words) if word.breaks == "," and self._is_in_list(number)}
        """Words behind a comma of an enumeration that goes on."""
        self.may_be_last: dict[int, bool] = {}
        self.proposing = {
            w.sentence for n, w in enumerate(words) if w.lower in PROPOSE and n and words[n - 1].lower in SUBJECTS
        }
        # What is known to stand in the title earns nothing by standing there twice.
        said = name.keys if name else ()
        self.gains: list[int] = []
        self.lengths: list[int] = []
        self.earlier: list[int] = []
        """By word: where the abstract says it before; -1 for nowhere."""
        last: dict[tuple[str, ...], int] = {}
        for number, word in enumerate(words):
            keys = word.keys or (word.lower,)
            if len(keys) == 1:
                self.gains.append(0 if keys[0] in said else worth.get(keys[0], 0))
            else:
                self.gains.append(sum([worth.get(key, 0) for key in keys if key not in said]))
            self.lengths.append(len(keys))
            self.earlier.append(last.get(keys, -1))
            last[keys] = number
        self.base = (950 * len(name.keys), max(1, len(name.keys))) if name else (0, 0)

    def expected(self, gain: int, length: int) -> int:
        """Return the F1 to be expected, in thousandths, of a title of ``length`` words that gain so much."""
        known, known_length = self.base
        return 20 * (known + gain) // (10 * (known_length + length) + TITLE_LENGTH)

    def worth_of(self, first: int, end: int) -> tuple[int, int]:
        """Return the gain and the length of the words from ``first`` to before ``end``, each gain once."""
        numbers = range(first, end)
        return (
            sum(self.gains[number] for number in numbers if self.earlier[number] < first),
            sum(self.lengths[first:end]),
        )

    def spans(self) -> Iterator[Span]:
        """Yield the spans that could be titles, in reading order."""
        count = 0
        for first, limit, kind in self._starts():
            if kind != "phrase":
                yield Span(first, limit, kind)
                continue
            opened = enumerates = pairs = False
            for end in range(first + 1, limit + 1):
                last = self.words[end - 1]
                opened = opened or last.lower in OPENS_PAIR
                if end - 1 > first and last.breaks == "," and last.lower not in ("and", "or"):
                    enumerates = True
                elif enumerates and last.lower in ("and", "or"):
                    enumerates = False
                if last.lower in ("between", "and"):
                    pairs = last.lower == "between"
                if enumerates or pairs:
                    continue  # an enumeration ends behind its last member, what is between two behind the second
                if end - first >= 2 and self._may_end(end, limit, opened):
                    count += 1
                    yield Span(first, end, "phrase")
            if count > _MOST_CANDIDATES:
                return

    def _starts(self) -> Iterator[tuple[int, int, Kind]]:
        words = self.words
        seen = -1
        for number in range(len(words) - 1):
            word = words[number]
            before = words[number - 1] if number else None
            begins = before is None or before.sentence != word.sentence
            if word.lower in ASKS and (begins or word.breaks[:1] in (":", ",", "—", "“", '"')):
                end = self._question(number)
                if end:
                    yield number, end, "question"
            if before is not None and not begins and not word.breaks:
                lower = before.lower
                if lower == "that" and number > 1 and words[number - 2].lower in SHOW:
                    end = self._clause(number)
                    if end:
                        yield number, end, "claim"
                elif word.lower in ("how", "why") and (lower in STUDY or lower in SHOW or lower in ("of", "on", "ask")):
                    end = self._clause(number)
                    if end:
                        yield number, end, "how"
                if lower not in STOP_WORDS and lower not in _CUES:
                    continue
            start = number
            last = min(len(words) - 1, number + _MOST_EMPTY)
            while start < last and words[start].lower in EMPTY_HEADS and words[start + 1].sentence == word.sentence:
                if words[start + 1].breaks:
                    break
                start += 1
            if start <= seen or not self._may_start(number, start, begins):
                continue
            seen = start
            limit = self._limit(start)
            if limit - start >= 2:
                yield start, limit, "phrase"

    def _may_start(self, number: int, start: int, begins: bool) -> bool:
        words = self.words
        word = words[start]
        lower = word.lower
        if (
            lower in _NEVER_STARTS
            or lower in STOP_WORDS
            or lower in VERBS
            or lower in PROPOSE
            or start in self.name_places
        ):
            return False
        if lower.endswith("ly") and lower not in ("early", "only", "family"):
            return False
        if begins or words[number].breaks:
            return True
        at = number - 1
        while at >= max(1, number - 3) and words[at].lower in ("the", "a", "an", "their", "its"):
            at -= 1
        if words[at].lower in PAIR_ENDS and any(
            one.lower in OPENS_PAIR and two.lower in ("of", "between")
            for one, two in pairwise(words[max(0, at - 8) : at])
        ):
            return False  # half of the effect of one thing on another
        before = words[number - 1].lower
        if before in NO_START_AFTER:
            return before == "that" and number > 1 and words[number - 2].lower in SHOW
        return not (before == "of" and number > 1 and words[number - 2].lower in OPENS_PAIR)

    def _limit(self, start: int) -> int:
        """Return the number behind the last word that a phrase which starts here may have."""
        words = self.words
        sentence = words[start].sentence
        enumerates = False
        for place in range(start, min(start + LONGEST, len(words))):
            word = words[place]
            lower = word.lower
            in_list = place > start and place in self.in_list
            listed = in_list or (enumerates and lower in ("and", "or"))
            enumerates = in_list or (enumerates and not listed)
            if (
                word.sentence != sentence
                or place in self.name_places
                or lower in STRANGERS
                or "(" in word.breaks
                or (
                    place > start
                    and (
                        lower in CLAUSE_BREAKS
                        or (lower in _CLAUSE_VERBS and words[place - 1].lower != "to")
                        or (lower in _DETERMINERS and not word.breaks and self._is_verb(place - 1, start))
                        or (lower.endswith("ly") and not self._is_qualified(place + 1))
                        or (word.breaks and not listed and any(c in ",;:—–!?.-" for c in word.breaks))
                    )
                )
            ):
                if place > start + 1 and lower in _DETERMINERS and not word.breaks and self._is_verb(place - 1, start):
                    return place - 1
                return place
        return min(start + LONGEST, len(words))

    def _is_qualified(self, number: int) -> bool:
        """Return whether the word behind an adverb is an adjective (partially observable) rather than a verb."""
        return number < len(self.words) and self.words[number].lower.endswith(_ADJECTIVE_ENDS)

    def _is_verb(self, number: int, start: int) -> bool:
        """Return whether the word, right before a determiner, can only be a verb that makes a clause of the phrase."""
        lower = self.words[number].lower
        return (
            number > start
            and lower not in STOP_WORDS
            and not lower.endswith("ing")
            and self.words[number - 1].lower != "to"
        )

    def _clause(self, start: int) -> int:
        """Return the number behind the clause that starts here if it can stand alone; else 0."""
        words = self.words
        sentence = words[start].sentence
        if words[start].lower in STRANGERS or words[start].lower in (
            "there",
            "such",
            "in",
            "by",
            "when",
            "if",
            "under",
        ):
            return 0
        end = start
        while end < len(words) and words[end].sentence == sentence and (end == start or not words[end].breaks):
            if end - start > LONGEST or words[end].lower in STRANGERS or end in self.name_places:
                return 0
            end += 1
        if end - start < 5 or words[end - 1].lower in NEVER_LAST:
            return 0
        return end

    def _question(self, start: int) -> int:
        """Return the number behind the question that starts here; 0 for none, or one that needs its abstract."""
        words = self.words
        for end in range(start + 1, min(start + 18, len(words) + 1)):
            last = words[end - 1]
            if last.lower in STRANGERS or end - 1 in self.name_places:
                return 0
            if end == len(words) or words[end].sentence != last.sentence:
                return end if end - start >= 4 and self.reading.text[last.end : last.end + 1] == "?" else 0
        return 0

    def _may_end(self, end: int, limit: int, opened: bool) -> bool:
        words = self.words
        if end < limit and opened and words[end].lower in PAIR_ENDS:
            return False
        if end not in self.may_be_last:
            self.may_be_last[end] = self._may_be_last(end)
        if not self.may_be_last[end]:
            return False
        if end < limit:
            return words[end].breaks != "" or words[end].lower in MAY_FOLLOW
        return (
            end >= len(words)
            or words[end].breaks != ""
            or words[end].sentence != words[end - 1].sentence
            or words[end].lower in MAY_FOLLOW
            or words[end].lower in VERBS
        )

    def _may_be_last(self, end: int) -> bool:
        """Return whether a phrase may end before the word numbered ``end``, by the words on both sides alone."""
        words = self.words
        last = words[end - 1].lower
        if end in self.in_list or self._goes_on(end):
            return False
        if (
            last in NEVER_LAST
            or last in STOP_WORDS
            or last in lexicon.UNFINISHED
            or last.isdigit()
            or last.endswith(_OPEN_ENDS)
        ):
            return False
        if last.endswith("ed") and last not in ED_NOUNS:
            return False
        if last.endswith("ing") and self.gains[end - 1] < _NOUN_LIKE:
            return False
        return not (last in VERBS and end < len(words) and not words[end].breaks and words[end].lower in _AFTER_VERBS)

    def is_own(self, first: int) -> bool:
        """Return whether what starts here is what the abstract proposes, studies or shows."""
        words = self.words
        at = first - 1
        while at >= max(0, first - _MOST_EMPTY) and words[at].lower in EMPTY_HEADS:
            at -= 1
        return (
            words[first].sentence in self.proposing
            or any(n in self.described or n in self.expanded for n in range(at + 1, first + 1))
            or (at >= 0 and words[at].sentence == words[first].sentence and words[at].lower in _CUES)
        )

    def _goes_on(self, end: int) -> bool:
        """Return whether a dash without blanks ties the next word to the last one (Fourier–Laplace)."""
        words = self.words
        return end < len(words) and words[end].start - words[end - 1].end == 1 and words[end].breaks in ("–", "—", "−")

    def _is_in_list(self, end: int) -> bool:
        """Return whether an enumeration goes on behind a comma (safe, admissible, and fast routes)."""
        words = self.words
        if words[end].lower in STOP_WORDS:
            return False
        if words[end].lower.endswith("ing"):
            return False
        return any(
            word.lower in ("and", "or") and word.sentence == words[end].sentence for word in words[end + 1 : end + 5]
        )

    def of_start(self, number: int) -> list[str]:
        """Return the traits of a start before the word numbered ``number``."""
        words = self.words
        word = words[number]
        traits = [f"start in {min(word.sentence, 8)}"]
        if word.sentence == self.reading.sentences - 1:
            traits.append("start in close")
        if word.sentence in self.proposing:
            traits.append("start in cue")
        if word.lower.endswith("ing"):
            traits.append("start gerund")
        if number in self.expanded:
            traits.append("start expansion")
        at = number - 1
        described = number in self.described
        while (
            at >= max(0, number - _MOST_EMPTY)
            and words[at].sentence == word.sentence
            and words[at].lower in EMPTY_HEADS
        ):
            described = described or at in self.described
            at -= 1
        if described:
            traits.append("start described")
        before = words[at] if at >= 0 and words[at].sentence == word.sentence else None
        if before is None:
            traits.append("start sentence")
        elif before.lower in PROPOSE:
            traits.append("start propose")
        elif before.lower in STUDY:
            traits.append("start study")
        elif before.lower in SHOW:
            traits.append("start show")
        elif before.lower in PREPOSITIONS:
            traits.append(f"start {before.lower}")
        elif before.lower == "that":
            traits.append("start that")
        else:
            traits.append("start other")
        if before is not None and at and words[at - 1].lower in ("problem", "task", "question", "challenge", "issue"):
            traits.append("start problem")
        if at < number - 1:
            traits.append("start article")
        if word.breaks:
            traits.append("start break")
        return [self.named + trait for trait in traits]

    def of_end(self, end: int) -> list[str]:
        """Return the traits of an end before the word numbered ``end``."""
        words = self.words
        last = words[end - 1]
        traits = []
        if end >= len(words) or words[end].sentence != last.sentence:
            traits.append("end sentence")
        elif words[end].breaks:
            traits.append("end break")
        elif words[end].lower in PREPOSITIONS or words[end].lower in ("that", "which", "and", "we", "is", "are"):
            traits.append(f"end {words[end].lower}")
        else:
            traits.append("end other")
        if last.lower.endswith("ing"):
            traits.append("end ing")
        return traits

    def of_length(self, length: int) -> str:
        """Return the trait of a number of words."""
        return f"{self.named}length {min(length, 18)}"

    def of(self, candidate: Candidate) -> dict[str, float]:
        """Return all traits of a candidate with their values; what `scored_candidates` sums up, for fitting."""
        head, joiner, tail, _ = candidate
        parts = [(head.first, head.end)]
        traits = [*self.of_start(head.first), *self.of_end(head.end), f"{self.named}kind {head.kind}"]
        if tail is not None:
            parts += [(joiner, joiner + 1), (tail.first, tail.end)]
            traits += self.of_join(head, joiner, tail)
        gain = length = 0
        for first, end in parts:
            more, longer = self.worth_of(first, end)
            gain, length = gain + more, length + longer
        for first, end in parts[::2]:
            for number in range(first, end):
                traits += traits_within(self.words[number].text)
        traits.append(self.of_length(sum(end - first for first, end in parts)))
        values: dict[str, float] = dict(Counter(traits))
        values["expected"] = self.expected(gain, length) / 1000
        return values

    def of_join(self, head: Span, joiner: int, tail: Span) -> list[str]:
        """Return the traits of a title of two parts."""
        words = self.words
        traits = [
            f"join {words[joiner].lower}"
            + (" lead" if tail.first != joiner + 1 and words[tail.first].sentence == 0 else ""),
        ]
        traits.append("join near" if words[head.first].sentence == words[tail.first].sentence else "join far")
        if tail.first < head.first:
            traits.append("join backwards")
        return [self.named + trait for trait in traits]


def thesis_of(reading: Reading, room: int) -> tuple[int, int] | None:
    """Return the offsets of what a position paper argues, in at most ``room`` characters; None if it is none."""
    words = reading.words
    position = any(a.lower == "position" and b.lower in ("paper", "papers") for a, b in pairwise(words))
    for number in range(2, len(words) - 3):
        if words[number].lower != "that" or words[number - 1].lower not in ARGUE or words[number].breaks:
            continue
        if not position and words[number - 2].lower not in ("paper", "article", "essay", "perspective"):
            continue
        start = number + 1
        whole = cut = at_break = 0
        for end in range(start + 4, len(words) + 1):
            if words[end - 1].end - words[start].start > room or words[end - 1].sentence != words[start].sentence:
                break
            if end == len(words) or words[end].sentence != words[start].sentence:
                whole = end
            elif words[end - 1].lower not in NEVER_LAST and is_balanced(
                reading.text[words[start].start : words[end - 1].end]
            ):
                if words[end].lower in CLAUSE_CUTS:
                    cut = end
                elif words[end].breaks:
                    at_break = end
        if whole or cut or at_break:
            return words[start].start, words[(whole or cut or at_break) - 1].end
    return None


def scored_candidates(traits: Traits) -> list[Candidate]:
    """Return what could be titles, best first; equal ones in reading order."""
    weigh = WEIGHTS.get
    words = traits.words
    per_expected = weigh("expected", 0)
    sums = [0]
    for word in words:
        sums.append(sums[-1] + _evidence_within(word.text))
    lengths = [weigh(traits.of_length(length), 0) for length in range(2 * LONGEST + 4)]
    kinds = {kind: weigh(f"{traits.named}kind {kind}", 0) for kind in get_args(Kind)}
    at_start: dict[int, int] = {}
    at_end: dict[int, int] = {}
    found: list[tuple[int, int, Span, int, int]] = []
    gains, lengths_of, earlier = traits.gains, traits.lengths, traits.earlier
    counted_from = counted_to = -1
    gain = length = 0
    for order, span in enumerate(traits.spans()):
        first, end, kind = span
        if first not in at_start:
            at_start[first] = sum(weigh(trait, 0) for trait in traits.of_start(first)) - sums[first]
        if end not in at_end:
            at_end[end] = sum(weigh(trait, 0) for trait in traits.of_end(end)) + sums[end]
        if first != counted_from or end < counted_to:
            gain = length = 0
            counted_from = counted_to = first
        for number in range(counted_to, end):
            length += lengths_of[number]
            if earlier[number] < first:
                gain += gains[number]
        counted_to = end
        expected = per_expected * traits.expected(gain, length) // 1000
        found.append((-(at_start[first] + at_end[end] + kinds[kind] + expected), order, span, gain, length))
    found.sort()
    candidates = [
        Candidate(span, -1, None, lengths[span.end - span.first] - score)
        for score, _, span, _, _ in found
        if span.end - span.first >= traits.shortest
    ]
    parts = {span: (gain, length) for _, _, span, gain, length in found}
    for head, joiner, tail in joined(traits, [row[2] for row in found]):
        gain = traits.gains[joiner] + parts[head][0] + parts[tail][0]
        length = 1 + parts[head][1] + parts[tail][1]
        score = (
            at_start[head.first]
            + at_end[head.end]
            + sums[tail.end]
            - sums[tail.first]
            + kinds["phrase"]
            + sum(weigh(trait, 0) for trait in traits.of_join(head, joiner, tail))
            + lengths[head.end - head.first + 1 + tail.end - tail.first]
            + per_expected * traits.expected(gain, length) // 1000
        )
        candidates.append(Candidate(head, joiner, tail, score))
    candidates.sort(key=lambda candidate: -candidate.score)
    return candidates


@lru_cache(maxsize=1 << 16)
def _evidence_within(text: str) -> int:
    return sum(WEIGHTS.get(trait, 0) for trait in traits_within(text))


def forget() -> None:
    """Drop what is kept of earlier weights, since fitting changes them."""
    _evidence_within.cache_clear()


def traits_within(text: str) -> list[str]:
    """Return the traits of a word within a span."""
    traits = []
    lower = text.lower()
    if lower.endswith("ed"):
        traits.append("word ed")
    elif lower.endswith("ly"):
        traits.append("word ly")
    if lower in VERBS:
        traits.append("word verb")
    if text[:1].isdigit():
        traits.append("word number")
    if lower in STOP_WORDS:
        traits.append("word stop")
    if lower in ("and", "or", "as", "to"):
        traits.append(f"word {lower}")
    return traits


def joined(traits: Traits, ranked: Sequence[Span]) -> Iterator[tuple[Span, int, Span]]:
    """Yield titles of two parts: a good phrase, and one behind a preposition or from the abstract's opening."""
    words = traits.words
    heads: list[Span] = []
    for span in ranked:
        if len(heads) == _HEADS_JOINED:
            break
        if span.kind == "phrase" and span.end - span.first <= 9 and traits.is_own(span.first):
            heads.append(span)
    places: dict[str, int] = {}
    for number, word in enumerate(words):
        if word.text in ("for", "in"):
            places.setdefault(word.lower, number)
    tails: list[tuple[int, Span]] = []
    count = 0
    for span in ranked:
        if span.kind != "phrase" or span.end - span.first > 7:
            continue
        gain, length = traits.worth_of(span.first, span.end)
        if words[span.first].lower in KINDS or gain < _LEAST_TAIL_WORTH * length:
            continue
        if any(w.lower in IDLE_TAILS for w in words[span.first : span.end]):
            continue
        if count == _TAILS_JOINED:
            break
        joiner = _joiner_before(words, span.first)
        if joiner >= 0:
            tails.append((joiner, span))
            count += 1
        elif words[span.first].sentence == 0 and (span.first == 0 or not words[span.first - 1].keys):
            if "for" in places:
                tails.append((places["for"], span))
            if "in" in places:
                tails.append((places["in"], span))
            count += 1
    keys_in_tail = {tail: {key for word in words[tail.first : tail.end] for key in word.keys} for _, tail in tails}
    for head in heads:
        in_head = {word.lower for word in words[head.first : head.end]}
        keys = {key for word in words[head.first : head.end] for key in word.keys}
        for joiner, tail in tails:
            if words[joiner].lower in in_head or (head.first < tail.end and tail.first < head.end):
                continue
            if 0 <= head.first - tail.end <= 3 and words[tail.end].lower == words[joiner].lower:
                continue  # the abstract says it the other way round
            if head.end == joiner or not keys.isdisjoint(keys_in_tail[tail]):
                continue
            yield head, joiner, tail


def _joiner_before(words: Sequence[Token], first: int) -> int:
    """Return the number of the preposition before a phrase, articles aside; -1 if there is none."""
    at = first - 1
    while at >= max(0, first - _MOST_EMPTY) and words[at].lower in EMPTY_HEADS and words[at + 1].breaks == "":
        at -= 1
    if (
        at >= 0
        and words[at].text in JOINERS
        and words[at + 1].breaks == ""
        and words[at].sentence == words[first].sentence
    ):
        return at
    return -1


TITLE_LENGTH = 90
"""Words of a usual title, in tenths."""

_OPENING_QUOTE = re.compile(r"(?<![\w’'])[‘'`]+(?=\w)")
_CLOSING_QUOTE = re.compile(r"(?<=\w)[’'](?!\w)")
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"))


def stretches_of(reading: Reading, candidate: Candidate) -> list[tuple[int, int]] | None:
    """Return the text of a candidate as offsets, one stretch each; None if a bracket or quotation mark stays open."""
    head = _stretches(reading, candidate.head.first, candidate.head.end)
    if head and candidate.head.kind == "question":
        return [*head[:-1], (head[-1][0], head[-1][1] + 1)]
    if candidate.tail is None or head is None:
        return head
    joiner = candidate.joiner
    if candidate.tail.first == joiner + 1:
        tail = _stretches(reading, joiner, candidate.tail.end)
        return tail and head + tail
    tail = _stretches(reading, candidate.tail.first, candidate.tail.end)
    return tail and [*head, (reading.words[joiner].start, reading.words[joiner].end), *tail]


def _stretches(reading: Reading, first: int, end: int) -> list[tuple[int, int]] | None:
    """Return the text of a span as offsets, cut where an aside was left out; None if a bracket or quote stays open."""
    stretches: list[tuple[int, int]] = []
    for word in reading.words[first:end]:
        gap = reading.text[stretches[-1][1] : word.start] if stretches else ""
        if stretches and not ("(" in gap and ")" in gap):
            stretches[-1] = (stretches[-1][0], word.end)
        else:
            stretches.append((word.start, word.end))
    start, last = stretches[-1]
    text = "".join(reading.text[start:end] for start, end in stretches)
    if is_balanced(text):
        return stretches
    # The closing bracket or quote is no part of the last word, but may stand right behind it.
    stretches[-1] = (start, last + 1)
    return stretches if is_balanced(text + reading.text[last : last + 1]) else None


def is_balanced(text: str) -> bool:
    """Return whether every bracket and quotation mark in ``text`` has its partner."""
    closing_quotes = sum(text[match.start() - 1] != "s" for match in _CLOSING_QUOTE.finditer(text))
    return (
        text.count('"') % 2 == 0
        and len(_OPENING_QUOTE.findall(text)) == closing_quotes
        and all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)
    )
