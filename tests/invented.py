"""Invented corpora for tests of tags and topics.

In: a seed and a number. Out: papers with titles whose subjects, frequent and rare, come from word lists.
"""

import random

from generator.model import TitledPaper
from generator.terms import word_set
from tests.test_tags import paper

ADJECTIVES = sorted(
    word_set("tidal brackish frozen hollow amber woven silent copper lunar mossy granite velvet nomadic")
)
NOUNS = sorted(
    word_set(
        """
        kelp lantern harbour oyster bellows loom glacier orchard beehive sextant kiln sundial windmill ferry abacus
        comet heron canal quarry thimble
        """
    )
)
HEADS = sorted(
    word_set("husbandry cartography acoustics forecasting restoration migration ballistics irrigation tapestry sorting")
)
FRAMES = (
    "We study {a} in {b}.",
    "The {a} of old towns needs {b}, and {b} needs care.",
    "Can {a} replace {c}? We show that it can.",
    "Our notes on {c} come from {b}.",
    "{c} is costly; {a} is not.",
    "By hand, {a} takes a week, with {c} a day.",
    "What {b} tells of {c} is open.",
)
"""Sentences that share words which name no subject, as those of real abstracts do."""


def papers_on_shared_subjects(seed: int, count: int) -> list[TitledPaper]:
    """Return papers on three of some 45 subjects each, a few of which are frequent."""
    chance = random.Random(seed)
    subjects = sorted(
        {
            f"{chance.choice(ADJECTIVES)} {chance.choice(NOUNS)}"
            if chance.random() < 0.5
            else f"{chance.choice(NOUNS)} {chance.choice(HEADS)}"
            for _ in range(45)
        }
    )
    papers = []
    for number in range(count):
        one, two, three = (subjects[int(len(subjects) * chance.random() ** 2)] for _ in range(3))
        sentences = [frame.format(a=one, b=two, c=three).capitalize() for frame in chance.sample(FRAMES, 4)]
        asides = ", then ".join(chance.choice(NOUNS) for _ in range(3))
        title = f"{one} and {two}".capitalize() if chance.random() < 0.6 else f"On {three}"
        papers.append(paper(title, f"{' '.join(sentences)} Sample {number}: {asides}.", number))
    return papers


def papers_of_fields(seed: int, fields: int, count: int) -> list[TitledPaper]:
    """Return papers of several fields in turns; each field has words of its own."""
    chance = random.Random(seed)
    syllables = ("ka", "lo", "mi", "ter", "su", "ban", "dri", "vo", "pel", "nar", "gu", "zim")
    words = [["".join(chance.sample(syllables, 3)) for _ in range(9)] for _ in range(fields)]
    papers = []
    for number in range(count):
        one, two, three, four = chance.sample(words[number % fields], 4)
        text = f"The {one} {two} bends. A {three} holds the {one} {two}, and so does every {four} of {number} {three}."
        papers.append(paper(f"The {one} {two} and the {three}", text, number))
    return papers
