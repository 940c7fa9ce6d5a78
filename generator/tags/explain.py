"""Enters: all texts, the vocabulary, the user's rules, and who has what.

Leaves: lines for people that say why: which variants a tag joins, and what speaks for the tags of a paper.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from generator.files import TAGS_FILE
from generator.model import Tag, Tagging
from generator.tags.acronyms import count_pairs
from generator.tags.assign import MOST_TAGS
from generator.tags.corpus import Corpus, corpus_of
from generator.tags.evidence import WHOLE, Evidence, gather_evidence
from generator.tags.giving import tag_chances, tag_gains
from generator.tags.likelihood import CERTAIN
from generator.tags.overrule import overrule
from generator.tags.phrases import joined_name
from generator.tags.rules import TagRules
from generator.terms import words_of
from generator.texts import ABSTRACT, FIELDS, Texts

_FORMS_SHOWN = 4
"""Written forms of a variant that are listed."""
_NEXT_SHOWN = 5
"""Tags that a paper just has not got, which are listed."""


def explain_vocabulary(texts: Texts, tagging: Tagging, rules: TagRules) -> Iterator[str]:
    """Yield a line a tag, those of most papers first, and under it one for each variant that counts as it, with why."""
    corpus = corpus_of(texts)
    ruled = overrule(tagging.vocabulary, rules)
    tags = ruled.tags
    counts = Counter(tag.slug for own in tagging.tags for tag in own)
    pairs = count_pairs(corpus.texts[ABSTRACT::FIELDS])
    forms = _forms_by_term(corpus, tags)
    labels = {tag.slug: label for tag, label in zip(tags, ruled.labels, strict=True)}
    topics = {tag.slug: labels.get(tag.topic, "") for tag in tagging.vocabulary}
    for number in sorted(range(len(tags)), key=lambda number: (-counts[tags[number].slug], tags[number].slug)):
        tag = tags[number]
        topic = f", topic {topics[tag.slug]}" if topics[tag.slug] else ""
        yield f"{counts[tag.slug]:>6,}  {labels[tag.slug]}{topic}"
        for term, written in sorted(forms[number].items(), key=lambda item: (-item[1].total(), item[0])):
            shown = ", ".join(f"{form} {count:,}" for form, count in _most(written))
            reason = _reason(tag, term, pairs, rules)
            yield f"          {shown}{f': {reason}' if reason else ''}"


def explain_paper(texts: Texts, tagging: Tagging, rules: TagRules, number: int) -> Iterator[str]:
    """Yield why the paper with that number, in the order of the input, has its tags, and what it just has not got."""
    corpus = corpus_of(texts)
    ruled = overrule(tagging.vocabulary, rules)
    tags = ruled.tags
    evidence = gather_evidence(corpus.table, [tag.terms for tag in tags])
    likely = tag_chances(corpus, tags, evidence)
    gained = tag_gains(tags, evidence, likely)
    rows = np.flatnonzero(evidence.papers == texts.order.index(number)).tolist()
    row_of = {tags[int(evidence.entries[row])].slug: row for row in rows}
    own = [tag.slug for tag in tagging.tags[number]]
    labels = {tag.slug: label for tag, label in zip(tags, ruled.labels, strict=True)}
    others = sorted((row for row in rows if tags[int(evidence.entries[row])].slug not in own), key=lambda r: -gained[r])
    yield f"chance that the paper is about the tag, and the tag's bar; up to {MOST_TAGS} tags"
    for heading, chosen in (("tags", [row_of[slug] for slug in own]), ("not given", others[:_NEXT_SHOWN])):
        if chosen:
            yield f"{heading}:"
        for row in chosen:
            tag = tags[int(evidence.entries[row])]
            chance, bar = (f"{value * 100 / CERTAIN:.1f} %" for value in (int(likely[row]), tag.bar))
            company = _company(corpus, evidence, row, tag)
            later = "; added later, for papers with fewer than three" if tag.generation else ""
            yield f"  {labels[tag.slug]}: {chance}, bar {bar}; {_mentions(evidence, row)}{company}{later}"


def _mentions(evidence: Evidence, row: int) -> str:
    parts = []
    if evidence.in_title[row]:
        parts.append("in the title")
    if evidence.in_keywords[row]:
        parts.append("among the authors' keywords")
    times = int(evidence.mentions[row])
    if times:
        first = int(evidence.first[row]) * 100 // WHOLE
        parts.append(f"{times} × in the abstract, first at {first} %")
    return ", ".join(parts)


def _company(corpus: Corpus, evidence: Evidence, row: int, tag: Tag) -> str:
    shares = corpus.words.shares[[int(evidence.papers[row])], :]
    held = {corpus.words.keys[key] for key in shares.indices.tolist()}
    company = [word for word, _ in tag.context if word in held]
    return f"; in company of {', '.join(company)}" if company else ""


def _forms_by_term(corpus: Corpus, tags: Sequence[Tag]) -> list[dict[str, Counter[str]]]:
    """Return for each tag the forms in which it is written, by the row of keys that they have."""
    evidence = gather_evidence(corpus.table, [tag.terms for tag in tags])
    forms: list[dict[str, Counter[str]]] = [defaultdict(Counter) for _ in tags]
    for entry, (text, start, end) in zip(evidence.place_entries.tolist(), evidence.places.tolist(), strict=True):
        form = corpus.texts[text][start:end]
        forms[entry][" ".join(word.key for word in words_of(form))][" ".join(form.split())] += 1
    return forms


def _most(written: Counter[str]) -> list[tuple[str, int]]:
    return sorted(written.items(), key=lambda item: (-item[1], item[0]))[:_FORMS_SHOWN]


def _reason(tag: Tag, term: str, pairs: Mapping[str, Counter[tuple[str, ...]]], rules: TagRules) -> str:
    """Return why a row of keys counts as a tag; empty for what the tag is called after."""
    name = joined_name(term.split(" "))
    for alias in rules.aliases:
        if alias.variant.name == name:
            return f"an alias in {TAGS_FILE}, line {alias.variant.line}"
    label = " ".join(word.key for word in words_of(tag.label))
    if term == label:
        return ""
    if name == joined_name(label.split(" ")):
        return "the same but for blanks and hyphens"
    plain_term, plain_label = _plain(term), _plain(label)
    for acronym, phrases in sorted(pairs.items()):
        for phrase, count in sorted(phrases.items(), key=lambda item: (-item[1], item[0])):
            spelled = _plain(" ".join(phrase))
            if _without(plain_term, acronym, spelled) == _without(plain_label, acronym, spelled):
                return f"{count:,} {'abstract explains' if count == 1 else 'abstracts explain'} the acronym"
    return "a variant in the lock file"


def _plain(row: str) -> str:
    return " ".join(key.rstrip("-") for key in row.split(" "))


def _without(row: str, acronym: str, spelled: str) -> str:
    """Return a row of keys with the acronym spelled out."""
    return " ".join(spelled if key == acronym else key for key in row.split(" "))
