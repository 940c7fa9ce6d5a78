"""Enters: nothing.

Leaves: how much each trait speaks for it that a paper's authors would list a concept among their keywords.
"""

MENTION_WEIGHTS: dict[str, int] = {
    "title": 1093,
    "keyword": 4000,
    "twice": 556,
    "three times": 190,
    "early": 198,
    "first third": 253,
    "late": 127,
}
CONCEPT_WEIGHTS: dict[str, int] = {
    "always": -6702,
    "rarity": 169,
    "rarity squared": -144,
    "title share": 4454,
    "repeated share": 1953,
    "central share": -1485,
    "closed share": 1736,
    "verbal share": 818,
    "one word": -1177,
    "one word, title share": -582,
    "one word, rarity": -64,
    "three words": 74,
}
CONTEXT_WEIGHT = 1847
