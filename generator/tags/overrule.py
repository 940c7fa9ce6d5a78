"""Enters: the vocabulary of the lock file, and the user's rules for it.

Leaves: the tags as the rules have them, and what the rules ask for that the vocabulary lacks.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generator.files import TAGS_FILE
from generator.marks import normalize
from generator.model import Tag
from generator.problems import Problem
from generator.tags.phrases import joined_name, name_of
from generator.tags.rules import RulePhrase, TagRules
from generator.terms import WordTable


@dataclass(frozen=True, slots=True)
class Overruled:
    """A vocabulary after the rules."""

    tags: list[Tag]
    """The tags that may be given, in the vocabulary's order; their slugs and labels are those of the vocabulary."""
    labels: list[str]
    """What each is shown as."""
    taken: frozenset[str]
    """Names that no further tag may have, see `joined_name`."""
    problems: list[Problem]


def names_of(tag: Tag) -> list[str]:
    """Return the names of a tag's terms, one per term, same order."""
    return [joined_name(term.split(" ")) for term in tag.terms]


def still_wanted(vocabulary: Sequence[Tag], rules: TagRules) -> list[Tag]:
    """Return the tags but for those that are there only by a rule that is gone."""
    asked = rules.asked_names()
    return [tag for tag in vocabulary if not tag.ruled or not asked.isdisjoint(names_of(tag))]


def overrule(vocabulary: Sequence[Tag], rules: TagRules) -> Overruled:
    """Return the vocabulary as the rules have it.

    A tag that is blocked is left out, and so is one that is an alias of another: its terms count as the other's; of a
    pinned tag only the terms that are meant. What must not be merged is taken from a tag with another name. Renamed
    tags are shown under their new label.
    """
    blocked, target_of = rules.blocked_names(), rules.tags_by_alias()
    pinned = rules.pinned_names()
    apart = [
        tag if pinned.isdisjoint(names_of(tag)) else _without_names(tag, blocked | set(target_of))
        for tag in _kept_apart(vocabulary, rules)
    ]
    hidden = {number for number, tag in enumerate(apart) if not blocked.isdisjoint(names_of(tag))}
    extra: dict[str, set[str]] = {}
    for alias in rules.aliases:
        extra.setdefault(alias.tag.name, set()).add(alias.variant.term)
    by_name = {name: number for number, tag in reversed(list(enumerate(apart))) for name in names_of(tag)}
    for name, target in target_of.items():
        own, other = by_name.get(name), by_name.get(target.name)
        if own is not None and own not in hidden and own != other:
            extra.setdefault(target.name, set()).update(apart[own].terms)
            hidden.add(own)
    tags = []
    for number, tag in enumerate(apart):
        if number not in hidden:
            terms = {*tag.terms, *(term for name in names_of(tag) for term in extra.get(name, ()))}
            tags.append(replace(tag, terms=tuple(sorted(terms))))
    taken = {name for tag in [*tags, *(apart[number] for number in hidden)] for name in names_of(tag)}
    labels, problems = _shown_labels(tags, rules)
    return Overruled(tags, labels, frozenset(taken | blocked | set(target_of)), problems)


def _without_names(tag: Tag, names: Set[str]) -> Tag:
    kept = [term for term, name in zip(tag.terms, names_of(tag), strict=True) if name not in names]
    return replace(tag, terms=tuple(kept))


def _kept_apart(vocabulary: Sequence[Tag], rules: TagRules) -> list[Tag]:
    """Return the tags without the terms that a rule keeps apart from their label, or from their first term."""
    groups = rules.groups_apart()
    return [_without_groups(tag, groups) for tag in vocabulary]


def _without_groups(tag: Tag, groups: Mapping[str, frozenset[int]]) -> Tag:
    names = names_of(tag)
    first = next((name for name in (name_of(tag.label), *names) if name in groups), None)
    if first is None:
        return tag
    kept = [
        term
        for term, name in zip(tag.terms, names, strict=True)
        if name == first or groups.get(name, frozenset()).isdisjoint(groups[first])
    ]
    return replace(tag, terms=tuple(kept))


def _shown_labels(tags: Sequence[Tag], rules: TagRules) -> tuple[list[str], list[Problem]]:
    """Return the label of each tag, its own where the rule's is another tag's, and the problems."""
    own = [tag.label for tag in tags]
    renamed = rules.labels_by_tag()
    wanted = [next((renamed[name] for name in names_of(tag) if name in renamed), tag.label) for tag in tags]
    shown = wanted
    # A tag that keeps its own label may have it instead of another.
    while True:
        counts = Counter(map(_folded, shown))
        settled = [old if counts[_folded(label)] > 1 else label for old, label in zip(own, shown, strict=True)]
        if settled == shown:
            break
        shown = settled
    problems = [
        Problem(
            "tag-label-taken",
            f"rename: expected a label that no other tag has, found {new!r} for {old!r}",
            "the tag kept its label",
            TAGS_FILE,
        )
        for old, new, label in zip(own, wanted, shown, strict=True)
        if label != new
    ]
    return shown, problems


def _folded(label: str) -> str:
    return normalize("NFKC", label).casefold()


def wanted_phrases(vocabulary: Sequence[Tag], rules: TagRules) -> list[tuple[RulePhrase, ...]]:
    """Return what the rules want to be tags and the vocabulary lacks: each a tag's phrase and its aliases."""
    known = {name for tag in _kept_apart(vocabulary, rules) for name in names_of(tag)}
    no_tags = rules.blocked_names() | set(rules.tags_by_alias())
    aliases: dict[str, list[RulePhrase]] = {}
    for alias in rules.aliases:
        aliases.setdefault(alias.tag.name, []).append(alias.variant)
    wanted = {
        phrase.name: (phrase, *aliases.get(phrase.name, ()))
        for phrase in rules.asked_phrases()
        if phrase.name not in known | no_tags
    }
    return [wanted[name] for name in sorted(wanted)]


def idle_rules(table: WordTable, rules: TagRules, vocabulary: Sequence[Tag]) -> Iterator[Problem]:
    """Yield a problem for each phrase of the rules that no paper holds, or that is to be a tag and is none.

    They come in the order of the file's sections.
    """
    sections: dict[str, Sequence[RulePhrase]] = {
        "alias": [alias.variant for alias in rules.aliases],
        "block": rules.blocked,
        "rename": [rename.tag for rename in rules.renames],
        "pin": rules.pinned,
        "never-merge": [phrase for group in rules.never_merged for phrase in group],
    }
    if not any(sections.values()):
        return
    tag_names = {name for tag in vocabulary for name in names_of(tag)}
    keys = [*(key.rstrip("-") for key in table.keys), "\n"]
    words = [keys[number] for number in table.key_numbers.tolist()]
    text = "".join(words)
    edges = np.zeros(len(text) + 1, dtype=bool)
    edges[np.cumsum([0, *map(len, words)])] = True
    for section, phrases in sections.items():
        for phrase in phrases:
            if not _is_held(phrase.name, text, edges):
                yield _idle(section, "a phrase that a paper holds", phrase)
            elif section == "rename" and phrase.name not in tag_names:
                yield _idle(section, "a tag", phrase)


def _idle(section: str, expected: str, phrase: RulePhrase) -> Problem:
    message = f"{section}: expected {expected}, found {phrase.text!r} (line {phrase.line})"
    return Problem("tag-rule-idle", message, "the rule changes nothing", TAGS_FILE)


def _is_held(name: str, text: str, edges: NDArray[np.bool_]) -> bool:
    """Return whether words of a text make up the name; ``edges`` says where a word begins or ends."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        # See `joined_name`.
        while not edges[end] and text[end] == "e":
            end += 1
        if edges[at] and edges[end]:
            return True
        at = text.find(name, at + 1)
    return False
