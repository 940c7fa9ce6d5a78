"""Enters: the vocabulary and the tags of all papers before and after tags were chosen anew.

Leaves: what changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from generator.model import Tag, Tagging
from generator.tags.overrule import names_of


@dataclass(frozen=True, slots=True)
class TagChanges:
    """What choosing tags anew changed; labels are sorted."""

    new: tuple[str, ...]
    gone: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    """Old and new labels of tags whose variants overlap."""
    papers: int
    """Papers with other tags than before, but for renamed ones."""


def compare(before: Tagging, after: Tagging) -> TagChanges:
    """Return the changes between two taggings of the same papers in the same order."""
    old, new = before.vocabulary, after.vocabulary
    successors = _successors(old, new)
    gone = [tag.label for tag in old if tag.slug not in successors]
    taken = set(successors.values())
    renamed = {(tag.label, successors[tag.slug].label) for tag in old if tag.slug in successors}
    papers = 0
    for own_before, own_after in zip(before.tags, after.tags, strict=True):
        expected = {successors[tag.slug].slug if tag.slug in successors else None for tag in own_before}
        papers += expected != {tag.slug for tag in own_after}
    return TagChanges(
        tuple(sorted(tag.label for tag in new if tag not in taken)),
        tuple(sorted(gone)),
        tuple(sorted(pair for pair in renamed if pair[0] != pair[1])),
        papers,
    )


def _successors(old: Sequence[Tag], new: Sequence[Tag]) -> dict[str, Tag]:
    """Return the new tag, by the slug of the old one with which it has a variant in common; one for each."""
    by_name = {name: tag for tag in reversed(new) for name in names_of(tag)}
    found: dict[str, Tag] = {}
    taken: set[str] = set()
    for tag in old:
        for name in names_of(tag):
            successor = by_name.get(name)
            if successor is not None and successor.slug not in taken:
                found[tag.slug] = successor
                taken.add(successor.slug)
                break
    return found
