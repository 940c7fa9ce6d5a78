"""Enters: an abstract's words, and the name found in them.

Leaves: the spans that could be titles, each with its score, and the best one.
"""

from collections.abc import Iterator

from generator.terms import STOP_WORDS
from generator.titles.names import Name
from generator.titles.reading import Reading, clause_end
from generator.titles.weights import WEIGHTS
from generator.titles.words import (
    ED_NOUNS,
    EMPTY_HEADS,
    FINITE,
    GENERIC,
    IDLE_FIRST,
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

# Joined once, since the loops below ask for every word of every abstract.
_NEVER_STARTS = NEVER_FIRST | IDLE_FIRST
_CLAUSE_VERBS = VERBS - VERBS_TOO_NOUNS


def best_span(reading: Reading, name: Name | None, room: int) -> list[tuple[int, int]] | None:
    """Return the stretches of text of the best candidate of at most ``room`` characters, the earlier one of equals."""
    ranked = sorted(
        (-score, order, first, end) for order, (first, end, score) in enumerate(scored_spans(reading, name))
    )
    for _, _, first, end in ranked:
        stretches = _stretches(reading, first, end)
        if stretches and sum(1 + end - start for start, end in stretches) - 1 <= room:
            return stretches
    return None


def scored_spans(reading: Reading, name: Name | None) -> Iterator[tuple[int, int, int]]:
    """Yield each candidate's first word, the word behind its last, and its score; higher is better.

    A score is a sum over where the span starts, where it ends, the words between and their number, so that it costs
    one addition a word.
    """
    weigh = WEIGHTS.get
    traits = Traits(reading, name)
    sums = [0]
    values: dict[tuple[str, bool], int] = {}
    for number in range(len(reading.words)):
        word = reading.words[number]
        value = values.get((word.text, "(" in word.breaks))
        if value is None:
            value = values[word.text, "(" in word.breaks] = sum(weigh(trait, 0) for trait in traits.of_word(number))
        sums.append(sums[-1] + value)
    ends: dict[int, int] = {}
    lengths = [weigh(traits.of_length(length), 0) for length in range(LONGEST + 3)]
    for first, limit in traits.starts():
        at_start = sum(weigh(trait, 0) for trait in traits.of_start(first)) - sums[first]
        for end in range(first + traits.shortest, limit + 1):
            if not traits.may_end(first, end, limit):
                continue
            if end not in ends:
                ends[end] = sum(weigh(trait, 0) for trait in traits.of_end(end)) + sums[end]
            yield first, end, at_start + ends[end] + lengths[end - first]


class Traits:
    """What speaks for or against spans of one abstract."""

    def __init__(self, reading: Reading, name: Name | None) -> None:
        self.words = reading.words
        self.reading = reading
        self.name = name
        self.named = "named " if name else ""
        self.shortest = SHORTEST if name else SHORTEST_ALONE
        starts = set(name.described) if name else set()
        self.described = {number for number, word in enumerate(self.words) if word.start in starts}
        self.name_places = {n for n, word in enumerate(self.words) if name and word.text == name.text}
        self.lead = {key for word in self.words if word.sentence == 0 for key in word.keys}
        self.close = {key for word in self.words if word.sentence == reading.sentences - 1 for key in word.keys}
        proposing = [
            w.sentence
            for n, w in enumerate(self.words)
            if w.lower in PROPOSE and n and self.words[n - 1].lower in SUBJECTS
        ]
        self.proposing = set(proposing)
        self.cue_keys = {key for word in self.words if word.sentence in self.proposing for key in word.keys}

    def starts(self) -> Iterator[tuple[int, int]]:
        """Yield where candidates may start, and behind which word they must end."""
        words = self.words
        seen = set()
        for number in range(len(words) - 1):
            before = words[number - 1] if number else None
            opens = (
                before is None
                or before.sentence != words[number].sentence
                or words[number].breaks != ""
                or before.lower in STOP_WORDS
                or before.lower in PROPOSE
                or before.lower in STUDY
                or before.lower in SHOW
            )
            if not opens:
                continue
            start = number
            while (
                start < len(words) - 1
                and words[start].lower in EMPTY_HEADS
                and words[start].sentence == words[number].sentence
            ):
                start += 1
            if start in seen or words[start].lower in _NEVER_STARTS:
                continue
            if words[start].lower in VERBS or (
                words[start].lower.endswith("ly") and words[start].lower not in ("early", "only")
            ):
                continue
            if before is not None and before.sentence == words[number].sentence and not words[number].breaks:
                if before.lower in NO_START_AFTER and not (
                    before.lower == "that" and number > 1 and words[number - 2].lower in SHOW
                ):
                    continue
                if before.lower == "of" and number > 1 and words[number - 2].lower in OPENS_PAIR:
                    continue
            seen.add(start)
            limit = min(clause_end(words, start), start + LONGEST)
            for place in range(start, limit):
                word = words[place]
                if (
                    place in self.name_places
                    or word.lower in STRANGERS
                    or "(" in word.breaks
                    or (place > start and word.lower in _CLAUSE_VERBS)
                ):
                    limit = place
                    break
            yield start, limit

    def may_end(self, first: int, end: int, limit: int) -> bool:
        """Return whether the phrase from the word numbered ``first`` may end before the one numbered ``end``."""
        words = self.words
        if end < limit and words[end].lower in PAIR_ENDS and any(w.lower in OPENS_PAIR for w in words[first:end]):
            return False
        last = words[end - 1].lower
        if last in NEVER_LAST or last.endswith("ly") or (last.endswith("ed") and last not in ED_NOUNS):
            return False
        return end >= limit or words[end].breaks != "" or words[end].lower in MAY_FOLLOW

    def of_word(self, number: int) -> list[str]:
        """Return the traits of one word inside."""
        word = self.words[number]
        traits = []
        if word.lower in STOP_WORDS:
            traits.append("word stop")
        if word.lower in FINITE:
            traits.append("word finite")
        if "(" in word.breaks:
            traits.append("word opens bracket")
        if any(c.isdigit() for c in word.text):
            traits.append("word number")
        for key in word.keys:
            traits.append(f"word said {min(self.reading.salience[key], 6)}")
            if key in GENERIC:
                traits.append("word generic")
            if key in self.lead:
                traits.append("word in lead")
            if key in self.close:
                traits.append("word in close")
            if key in self.cue_keys:
                traits.append("word in cue")
        return traits

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
        if number in self.described or (number - 1 in self.described and words[number - 1].lower in EMPTY_HEADS):
            traits.append("start described")
        at = number - 1
        while at >= 0 and words[at].sentence == word.sentence and words[at].lower in EMPTY_HEADS:
            at -= 1
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
        if last.lower.endswith("ly"):
            traits.append("end ly")
        elif last.lower.endswith("ing"):
            traits.append("end ing")
        elif last.lower.endswith("ed"):
            traits.append("end ed")
        return traits

    def of_length(self, length: int) -> str:
        """Return the trait of a number of words."""
        return f"{self.named}length {length}"


_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"))


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
    return text.count('"') % 2 == 0 and all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)
