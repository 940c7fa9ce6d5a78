"""Enters: ``tags.yml``, the rules by which the user overrules the choice of tags.

Leaves: the same rules, each with its line, as written and in the form in which phrases are compared; or every fault.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.marks import normalize
from generator.markup.clean import clean_unicode
from generator.problems import shorten
from generator.strict_yaml import Items, LineFault, Node, Pairs, Text, UserFileError, describe, read_pairs
from generator.tags.phrases import joined_name
from generator.terms import words_of

SECTIONS = ("alias", "block", "rename", "pin", "never-merge")

MOST_WORDS = 6
"""Most words of a phrase."""

LONGEST_LABEL = 60
"""Most characters of a label."""


@dataclass(frozen=True, slots=True)
class RulePhrase:
    """A phrase that a rule speaks of."""

    text: str
    """As written, on one line, in NFC."""
    term: str
    """The keys of its words with blanks between: what its occurrences in texts have."""
    name: str
    """What all its variants share, see `joined_name`: phrases with one name are the same phrase."""
    line: int
    """Where it stands in the file, from 1."""


@dataclass(frozen=True, slots=True)
class Alias:
    """A phrase that counts as a tag."""

    variant: RulePhrase
    tag: RulePhrase
    """Never a variant of another alias, nor the same phrase as ``variant``."""


@dataclass(frozen=True, slots=True)
class Rename:
    """A tag that is shown under another label."""

    tag: RulePhrase
    label: str
    """On one line, at most `LONGEST_LABEL` characters, with a letter or digit; plain text."""


@dataclass(frozen=True, slots=True)
class TagRules:
    """The rules of a file, each kind in the file's order; they do not contradict each other."""

    aliases: tuple[Alias, ...] = ()
    """Two with variants of one name have tags of one name."""
    blocked: tuple[RulePhrase, ...] = ()
    """Never tags; none is pinned, renamed or the tag of an alias."""
    renames: tuple[Rename, ...] = ()
    """One a tag; no two labels are the same but for case and compatible forms of letters (NFKC)."""
    pinned: tuple[RulePhrase, ...] = ()
    """Always tags, from one paper on; none is the variant of an alias."""
    never_merged: tuple[tuple[RulePhrase, ...], ...] = ()
    """Each holds two or more names that stay tags of their own; no alias joins any two of them."""

    def tags_by_alias(self) -> dict[str, RulePhrase]:
        """Return the tag that each aliased phrase counts as, by the phrase's name."""
        return {alias.variant.name: alias.tag for alias in reversed(self.aliases)}

    def labels_by_tag(self) -> dict[str, str]:
        """Return the labels of renamed tags, by the tag's name."""
        return {rename.tag.name: rename.label for rename in self.renames}

    def blocked_names(self) -> frozenset[str]:
        """Return the names that are never tags."""
        return frozenset(phrase.name for phrase in self.blocked)

    def pinned_names(self) -> frozenset[str]:
        """Return the names that are always tags."""
        return frozenset(phrase.name for phrase in self.pinned)

    def asked_phrases(self) -> list[RulePhrase]:
        """Return the phrases that must be tags: those pinned, those kept apart, and what others are aliases of."""
        apart = (phrase for group in self.never_merged for phrase in group)
        return [*self.pinned, *apart, *(alias.tag for alias in self.aliases)]

    def asked_names(self) -> frozenset[str]:
        """Return the names that must be tags."""
        return frozenset(phrase.name for phrase in self.asked_phrases())

    def groups_apart(self) -> dict[str, frozenset[int]]:
        """Return, by name, the numbers of the never-merge lists that hold it; two with a common number stay apart."""
        groups: dict[str, frozenset[int]] = {}
        for number, phrases in enumerate(self.never_merged):
            for phrase in phrases:
                groups[phrase.name] = groups.get(phrase.name, frozenset()) | {number}
        return groups


NO_RULES = TagRules()


def read_tag_rules(path: Path) -> TagRules:
    """Return the rules of a file; `NO_RULES` when there is no file.

    Raises:
        UserFileError: with every fault.
    """
    faults: list[LineFault] = []
    sections: dict[str, Node] = {}
    for name, node in read_pairs(path, faults):
        if name.text not in SECTIONS:
            close = difflib.get_close_matches(name.text[:40].lower(), SECTIONS, 1)
            meant = f"; did you mean {close[0]}?" if close else ""
            expected = f"expected one of the sections {', '.join(SECTIONS)}"
            faults.append(LineFault(name.line, f"{expected}, found {describe(name)}{meant}"))
        elif node is not None and node != Text("", node.line):  # a section with nothing below it
            sections[name.text] = node
    reader = _Reader(faults)
    rules = TagRules(
        aliases=reader.aliases(sections.get("alias")),
        blocked=reader.phrases("block", sections.get("block")),
        renames=reader.renames(sections.get("rename")),
        pinned=reader.phrases("pin", sections.get("pin")),
        never_merged=reader.groups(sections.get("never-merge")),
    )
    faults += _contradictions(rules)
    if faults:
        raise UserFileError(path, faults)
    return rules


class _Reader:
    """Reads sections; what is faulty in them is left out and named."""

    def __init__(self, faults: list[LineFault]) -> None:
        self.faults = faults

    def aliases(self, node: Node | None) -> tuple[Alias, ...]:
        read = []
        for key, value in self._pairs("alias", "phrases with their tags (LLMs: large language models)", node):
            variant = self._phrase("alias", key)
            tag = self._phrase("alias", value)
            if variant and tag:
                read.append(Alias(variant, tag))
        return tuple(read)

    def renames(self, node: Node | None) -> tuple[Rename, ...]:
        read = []
        for key, value in self._pairs("rename", "tags with their labels (tag: label)", node):
            tag = self._phrase("rename", key)
            label = self._label(value)
            if tag and label:
                read.append(Rename(tag, label))
        return tuple(read)

    def phrases(self, section: str, node: Node | None) -> tuple[RulePhrase, ...]:
        items = self._items(section, "a list of phrases ([one, another])", node)
        return tuple(phrase for item in items if (phrase := self._phrase(section, item)))

    def groups(self, node: Node | None) -> tuple[tuple[RulePhrase, ...], ...]:
        form = "lists of phrases ([[one, another], [third, fourth]])"
        read = []
        for item in self._items("never-merge", form, node):
            if not isinstance(item, Items):
                self._fault(item.line, "never-merge", form, describe(item))
                continue
            phrases = tuple(phrase for part in item.items if part and (phrase := self._phrase("never-merge", part)))
            if len(phrases) == len(item.items) and len({phrase.name for phrase in phrases}) < 2:
                found = " and ".join(repr(phrase.text) for phrase in phrases[:2]) or "none"
                self._fault(item.line, "never-merge", "two or more different phrases in a list", found)
            elif phrases:
                read.append(phrases)
        return tuple(read)

    def _fault(self, line: int, section: str, expected: str, found: str) -> None:
        self.faults.append(LineFault(line, f"{section}: expected {expected}, found {found}"))

    def _pairs(self, section: str, form: str, node: Node | None) -> Iterator[tuple[Text, Node]]:
        if node is not None and not isinstance(node, Pairs):
            self._fault(node.line, section, form, describe(node))
        elif node is not None:
            yield from ((key, value) for key, value in node.pairs if value is not None)

    def _items(self, section: str, form: str, node: Node | None) -> Iterator[Node]:
        if node is not None and not isinstance(node, Items):
            self._fault(node.line, section, form, describe(node))
        elif node is not None:
            yield from (item for item in node.items if item is not None)

    def _phrase(self, section: str, node: Node) -> RulePhrase | None:
        if not isinstance(node, Text):
            self._fault(node.line, section, "a phrase", describe(node))
            return None
        text = self._shown(section, node)
        if text is None:
            return None
        words = words_of(text)
        if not words:
            self._fault(node.line, section, "a phrase with a letter or digit", describe(Text(text, node.line)))
            return None
        # Chinese and Japanese words come as pairs of characters that overlap.
        ends = [0, *(word.end for word in words)]
        count = sum(word.start >= end for word, end in zip(words, ends, strict=False))
        if count > MOST_WORDS:
            found = f"{count} in {shorten(text, 60)!r}"
            self._fault(node.line, section, f"a phrase of at most {MOST_WORDS} words", found)
            return None
        keys = [word.key for word in words]
        return RulePhrase(text, " ".join(keys), joined_name(keys), node.line)

    def _shown(self, section: str, node: Text) -> str | None:
        """Return a text on one line, as texts of papers are cleaned; None when it holds what nobody sees."""
        text, unclean = clean_unicode(node.text)
        for fault in unclean:
            self._fault(node.line, section, "characters that are shown", f"{fault.message} ({fault.fragment})")
        return None if unclean else " ".join(text.split())

    def _label(self, node: Node) -> str | None:
        if not isinstance(node, Text):
            self._fault(node.line, "rename", "a label", describe(node))
            return None
        label = self._shown("rename", node)
        if label is None:
            return None
        if not any(map(str.isalnum, label)):
            self._fault(node.line, "rename", "a label with a letter or digit", describe(Text(label, node.line)))
            return None
        if len(label) > LONGEST_LABEL:
            found = f"{len(label):,} in {shorten(label, 60)!r}"
            self._fault(node.line, "rename", f"a label of at most {LONGEST_LABEL} characters", found)
            return None
        return label


def _contradictions(rules: TagRules) -> Iterator[LineFault]:
    """Yield where rules contradict each other, or one says nothing."""
    alias_of = {alias.variant.name: alias for alias in reversed(rules.aliases)}
    renamed = [rename.tag for rename in rules.renames]
    yield from _alias_faults(rules.aliases, alias_of)
    yield from _rename_faults(rules.renames)
    variants = [alias.variant for alias in rules.aliases]
    yield from _clashes("pin", rules.pinned, "block", rules.blocked)
    yield from _clashes("rename", renamed, "block", rules.blocked)
    yield from _clashes("alias", [alias.tag for alias in rules.aliases], "block", rules.blocked)
    yield from _clashes("pin", rules.pinned, "alias", variants)
    yield from _clashes("rename", renamed, "alias", variants)
    yield from _joined_groups(rules.never_merged, alias_of)


def _alias_faults(aliases: Sequence[Alias], alias_of: Mapping[str, Alias]) -> Iterator[LineFault]:
    for alias in aliases:
        variant, tag = alias.variant, alias.tag
        first = alias_of[variant.name]
        following = alias_of.get(tag.name)
        if variant.name == tag.name:
            yield LineFault(variant.line, f"alias: expected another phrase than {variant.text!r}, found {tag.text!r}")
        elif following is not None:
            found = f"{tag.text!r}, itself an alias of {following.tag.text!r} (line {following.variant.line})"
            yield LineFault(variant.line, f"alias: expected a tag that is no alias, found {found}")
        if tag.name != first.tag.name:
            found = f"{tag.text!r} and {first.tag.text!r} (line {first.variant.line})"
            yield LineFault(variant.line, f"alias: expected one tag for {variant.text!r}, found {found}")


def _rename_faults(renames: Sequence[Rename]) -> Iterator[LineFault]:
    by_tag: dict[str, Rename] = {}
    by_label: dict[str, Rename] = {}
    for rename in renames:
        tag = rename.tag
        first = by_tag.setdefault(tag.name, rename)
        if first is not rename:
            found = f"{rename.label!r} and {first.label!r} (line {first.tag.line})"
            yield LineFault(tag.line, f"rename: expected one label for {tag.text!r}, found {found}")
            continue
        first = by_label.setdefault(normalize("NFKC", rename.label).casefold(), rename)
        if first is not rename:
            found = f"{tag.text!r} and {first.tag.text!r} (line {first.tag.line})"
            yield LineFault(tag.line, f"rename: expected one tag with the label {rename.label!r}, found {found}")


def _clashes(
    section: str, phrases: Sequence[RulePhrase], other_section: str, others: Sequence[RulePhrase]
) -> Iterator[LineFault]:
    """Yield the phrases of one section that must not be in another too."""
    by_name = {phrase.name: phrase for phrase in reversed(others)}
    for phrase in phrases:
        if other := by_name.get(phrase.name):
            found = f"{other.text!r} there too (line {other.line})"
            yield LineFault(
                phrase.line, f"{section}: expected a phrase that is not under {other_section}, found {found}"
            )


def _joined_groups(groups: Sequence[Sequence[RulePhrase]], alias_of: Mapping[str, Alias]) -> Iterator[LineFault]:
    """Yield the phrases that stay apart by one rule and are one tag by an alias."""
    for phrases in groups:
        by_tag: dict[str, RulePhrase] = {}
        for phrase in phrases:
            own = alias_of.get(phrase.name)
            first = by_tag.setdefault(own.tag.name if own else phrase.name, phrase)
            if first.name != phrase.name:
                alias = own or alias_of[first.name]
                found = f"{first.text!r} and {phrase.text!r}, which are one tag by an alias (line {alias.variant.line})"
                yield LineFault(phrase.line, f"never-merge: expected phrases that no alias joins, found {found}")
