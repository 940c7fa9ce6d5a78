"""Fits the weights by which tags are chosen, and writes ``generator/tags/weights.py``.

The question is whether authors would list a phrase among their keywords, asked of every phrase that their title or
abstract mentions; the answer comes from records with keywords, of which Papershelf sees the titles and abstracts
alone. Papers with an even number in the file are fitted on; the others tell how well it went.

usage: python -m tests.fit_tags RECORDS.jsonl      (RECORDS: title, abstract and keywords each)
"""

import importlib
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generator.markup.papers import parse_papers
from generator.model import Paper, Record, SourceRef, TitledPaper
from generator.tags.acronyms import read_acronyms, spellings
from generator.tags.context import context_log_odds, find_contexts
from generator.tags.corpus import corpus_of
from generator.tags.evidence import gather_evidence
from generator.tags.labels import label_of, written_forms
from generator.tags.likelihood import chances, concept_traits, mention_traits
from generator.tags.matching import fold_phrases
from generator.tags.phrases import count_phrases, joined_name
from generator.tags.vocabulary import choose_concepts
from generator.tags.weights import CONTEXT_WEIGHT, MENTION_WEIGHTS
from generator.terms import key_of_word
from generator.texts import ABSTRACT, FIELDS, read_texts
from generator.titles import add_titles

WEIGHTS_FILE = Path(__file__).parents[1] / "generator" / "tags" / "weights.py"
LEAST_PAPERS = 5
NOT_FITTED = {"keyword"}
"""Traits that no paper shows here."""


def read_papers(path: Path) -> tuple[list[TitledPaper], list[list[str]]]:
    """Return the papers of a file without their keywords, and the keywords."""
    papers, keywords = [], []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            record = json.loads(line)
            source = SourceRef(path.name, number)
            raw = Record(source, path.name, record["abstract"], record["title"])
            papers.append(Paper(f"{number:012x}", raw, (source,), (path.name,)))
            keywords.append(record["keywords"])
    return add_titles([parsed for parsed, _ in parse_papers(papers, macros={})]), keywords


def listed_pairs(keywords: Sequence[Sequence[str]], names: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """Return which paper lists which concept; ``names`` holds for each concept the names of its variants."""
    concept_of: dict[str, int] = {}
    for number, own in enumerate(names):
        for name in own:
            concept_of.setdefault(name, number)
    pairs = set()
    for paper, listed in enumerate(keywords):
        for keyword in listed:
            keys = [key_of_word(word) for word in re.findall(r"[A-Za-z0-9]+", keyword)]
            if keys and joined_name(keys) in concept_of:
                pairs.add((paper, concept_of[joined_name(keys)]))
    return pairs


def fit(traits: NDArray[np.float64], listed: NDArray[np.bool_], fitted: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the weights of the traits, that of no trait last; prints the loss on both parts."""
    regression = importlib.import_module("sklearn.linear_model").LogisticRegression(max_iter=5000)
    loss = importlib.import_module("sklearn.metrics").log_loss
    regression.fit(traits[fitted], listed[fitted])
    for name, part in (("fitted on", fitted), ("held out", ~fitted)):
        print(f"loss, {name:10} {loss(listed[part], regression.predict_proba(traits[part])[:, 1]):.5f}")
    return np.append(regression.coef_[0], regression.intercept_)


def main() -> None:
    """Fit, and write the weights."""
    papers, keywords = read_papers(Path(sys.argv[1]))
    corpus = corpus_of(read_texts(papers))
    expansions = read_acronyms(corpus.texts[ABSTRACT::FIELDS], 2).expansions
    folded = fold_phrases(corpus.table, {key: spellings(key, expansions) - {key} for key in expansions})
    concepts = choose_concepts(count_phrases(folded, LEAST_PAPERS), expansions, corpus.papers, frozenset())
    terms = [concept.terms for concept in concepts]
    evidence = gather_evidence(corpus.table, terms)
    entries = evidence.entries
    labels = [label_of(forms) for forms in written_forms(evidence, corpus.texts, len(concepts))]
    names = [
        [joined_name(term.split(" ")) for term in (*own, " ".join(map(key_of_word, re.findall(r"\w+", label))))]
        for own, label in zip(terms, labels, strict=True)
    ]
    pairs = listed_pairs(keywords, names)
    listed = np.array([pair in pairs for pair in zip(evidence.papers.tolist(), entries.tolist(), strict=True)])
    print(
        f"{len(concepts):,} concepts; {len(pairs):,} listed, {listed.sum():,} of them among {len(entries):,} mentioned"
    )

    of_mention = {name: values for name, values in mention_traits(evidence).items() if name not in NOT_FITTED}
    of_concept = concept_traits(evidence, [concept.counts for concept in concepts], corpus.papers)
    columns = [values.astype(float) for values in of_mention.values()]
    columns += [values[entries] / 1000 for values in of_concept.values()]
    fitted = evidence.papers % 2 == 1  # records are numbered from 1, papers from 0
    first = fit(np.column_stack(columns), listed, fitted)
    odds = np.rint((np.column_stack(columns) @ first[:-1] + first[-1]) * 1000).astype(np.int64)
    company = context_log_odds(corpus.words, evidence, find_contexts(corpus.words, evidence, chances(odds), terms))
    usual = np.bincount(entries, weights=company, minlength=len(concepts)) / np.maximum(np.bincount(entries), 1)
    weights = fit(np.column_stack([*columns, (company - usual[entries]) / 1000]), listed, fitted)

    thousandths = [round(float(weight) * 1000) for weight in weights]
    mention = dict(zip(of_mention, thousandths, strict=False))
    concept = {"always": thousandths[-1], **dict(zip(of_concept, thousandths[len(of_mention) :], strict=False))}
    context = round(CONTEXT_WEIGHT * thousandths[-2] / 1000)
    write({name: mention.get(name, weight) for name, weight in MENTION_WEIGHTS.items()}, concept, context)


def write(mention: dict[str, int], concept: dict[str, int], context: int) -> None:
    """Write the weights into their module, in place of those there."""
    text = WEIGHTS_FILE.read_text(encoding="utf-8")
    for name, weights in (("MENTION_WEIGHTS", mention), ("CONCEPT_WEIGHTS", concept)):
        lines = "".join(f'    "{trait}": {weight},\n' for trait, weight in weights.items())
        text = re.sub(rf"(?s)({name}: dict\[str, int\] = {{\n).*?(?=}}\n)", rf"\1{lines}", text)
    text = re.sub(r"CONTEXT_WEIGHT = \d+", f"CONTEXT_WEIGHT = {context}", text)
    WEIGHTS_FILE.write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
