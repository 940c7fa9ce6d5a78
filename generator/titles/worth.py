"""Enters: an abstract's words, and the name found in them.

Leaves: for each word how likely it stands in the authors' title, in thousandths.
"""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from generator.titles.lexicon import LOGISTIC, STEMS, TRAITS
from generator.titles.names import Name
from generator.titles.reading import Reading, Token
from generator.titles.words import PROPOSE, SHOW, STUDY, SUBJECTS

_FAR = 41
"""Words behind a cue from which it no longer counts."""
_NEARNESS = tuple(sum(distance > limit for limit in (3, 7, 12, 20)) for distance in range(_FAR))
"""Step of each distance in words behind a cue."""
_CUES = {
    **dict.fromkeys(PROPOSE, "propose"),
    **dict.fromkeys(STUDY, "study"),
    **dict.fromkeys(SHOW, "show"),
}
_SAID, _FUNCTION_SAID, _FIRST_IN, _PROPOSE, _STUDY, _SHOW, _DESCRIBED, _TOGETHER = (
    tuple(f"{trait} {step}" for step in range(7))
    for trait in ("said", "function said", "first in", "propose", "study", "show", "described", "together")
)
"""Names of traits by their step, since a word has no time to write them anew."""


@dataclass(slots=True)
class _Uses:
    """How an abstract uses one key."""

    first: int
    """Number of the word that has it first."""
    last: int = 0
    said: int = 0
    propose: int = 9
    """Least step behind a proposing cue; 9 for never behind one."""
    study: int = 9
    show: int = 9
    capital: bool = False
    """Whether a word has a capital that no sentence asked for."""
    together: int = 1
    """How often it stands beside the same neighbour, at most."""
    described: int = 9
    """Least step behind the beginning of what says what the name is; 9 for never."""


def keys_of(word: Token) -> tuple[str, ...]:
    """Return the keys of a word: topical ones, or itself if it is a stop word."""
    return word.keys or (word.lower,)


def word_traits(reading: Reading, name: Name | None) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return for each key of the abstract, in reading order, its first word, and the traits of its uses."""
    words = reading.words
    last_sentence = reading.sentences - 1
    in_name = name.keys if name else ()
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for key, uses in _uses(reading, name).items():
        word = words[uses.first]
        said = min(uses.said, 6)
        if not word.keys:
            found[key] = (word.text, (_FUNCTION_SAID[said],))
            continue
        traits = [_SAID[said], _FIRST_IN[min(word.sentence, 5)]]
        if uses.propose < 9:
            traits.append(_PROPOSE[uses.propose])
        if uses.study < 9:
            traits.append(_STUDY[uses.study])
        if uses.show < 9:
            traits.append(_SHOW[uses.show])
        if uses.described < 9:
            traits.append(_DESCRIBED[uses.described])
        if uses.together > 1:
            traits.append(_TOGETHER[min(uses.together, 4)])
        if uses.capital:
            traits.append("capital")
        if words[uses.last].sentence == last_sentence:
            traits.append("in close")
        if uses.first < 4:
            traits.append("opens")
        if "(" in word.breaks:
            traits.append("aside")
        if key in in_name:
            traits.append("name")
        found[key] = (word.text, tuple(traits))
    return found


@lru_cache(maxsize=1 << 16)
def shape_traits(text: str, key: str) -> tuple[str, ...]:
    """Return the traits that a word has wherever it stands."""
    lower = text.lower()
    traits = ["bias", f"stem {key}", f"letters {min(len(key), 10) // 2}"]
    if len(text) > 1 and text.isupper():
        traits.append("acronym")
    if any(c.isdigit() for c in lower):
        traits.append("digit")
    if "-" in lower:
        traits.append("hyphen")
    for ending in ("ing", "ed", "ly", "ion", "al", "ive", "s"):
        if lower.endswith(ending):
            traits.append(f"ends {ending}")
            break
    return tuple(traits)


@lru_cache(maxsize=1 << 16)
def _shape_evidence(text: str, key: str) -> int:
    return STEMS.get(key, 0) + sum(TRAITS.get(trait, 0) for trait in shape_traits(text, key))


def worths(reading: Reading, name: Name | None) -> dict[str, int]:
    """Return for each key of the abstract how likely it stands in the authors' title, in thousandths."""
    weigh = TRAITS.get
    return {
        key: likelihood(_shape_evidence(text, key) + sum([weigh(trait, 0) for trait in traits]))
        for key, (text, traits) in word_traits(reading, name).items()
    }


def likelihood(evidence: int) -> int:
    """Return the logistic of log odds, both in thousandths, with integers alone."""
    steps, rest = divmod(max(-8000, min(evidence, 7999)) + 8000, 250)
    below = LOGISTIC[steps]
    return below + (LOGISTIC[steps + 1] - below) * rest // 250


def forget() -> None:
    """Drop what is kept of earlier numbers, since fitting changes them."""
    _shape_evidence.cache_clear()


def _uses(reading: Reading, name: Name | None) -> dict[str, _Uses]:
    words = reading.words
    described = set(name.described) if name else set()
    found: dict[str, _Uses] = {}
    pairs: Counter[tuple[str, str]] = Counter()
    proposed = studied = shown = since_described = _FAR
    sentence = -1
    before: Token | None = None
    for number, word in enumerate(words):
        begins = word.sentence != sentence
        if begins:
            sentence = word.sentence
            proposed = studied = shown = since_described = _FAR
        if word.start in described:
            since_described = 0
        capital = not begins and word.text[:1].isupper()
        for key in word.keys or (word.lower,):
            uses = found.get(key)
            if uses is None:
                uses = found[key] = _Uses(number)
            uses.said += 1
            uses.last = number
            if proposed < _FAR and _NEARNESS[proposed] < uses.propose:
                uses.propose = _NEARNESS[proposed]
            if studied < _FAR and _NEARNESS[studied] < uses.study:
                uses.study = _NEARNESS[studied]
            if shown < _FAR and _NEARNESS[shown] < uses.show:
                uses.show = _NEARNESS[shown]
            if since_described < 20:
                uses.described = min(uses.described, since_described // 4, 3)
            if capital:
                uses.capital = True
        if before is not None and before.keys and word.keys and not word.breaks:
            pairs[before.keys[-1], word.keys[0]] += 1
        proposed += proposed < _FAR
        studied += studied < _FAR
        shown += shown < _FAR
        since_described += since_described < _FAR
        if not begins and word.lower in _CUES and before is not None and before.lower in SUBJECTS:
            cue = _CUES[word.lower]
            if cue == "propose":
                proposed = 1
            elif cue == "study":
                studied = 1
            else:
                shown = 1
        before = word
    for pair, count in pairs.items():
        if count > 1:
            for key in pair:
                found[key].together = max(found[key].together, count)
    return found
