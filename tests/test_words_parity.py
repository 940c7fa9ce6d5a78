"""The page cuts queries as the index cut its texts: `words.js` and `words.py` agree on any text."""

import json
import random
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

from generator.finish.search.words import (
    GREEK,
    LETTERS,
    LONGEST_TERM,
    SUFFIXES,
    UNSPACED,
    fold,
    joined_words,
    read_words,
    stem,
)

ROOT = Path(__file__).parent.parent

TEXTS = (
    "", " ", "Zero-shot k-NN with GPT-4, in O(n log n) or o(N^2).", "naïve Øre Straße eﬃcient ﬁ İstanbul ΣΊΣΥΦΟΣ ςσ",
    "图神经网络的方法 と 日本語 カタカナ ภาษาไทย 한국어", "שָׁלוֹם مُحَمَّد हिन्दी", "x² ½ Ⅷ 𝐀 𝔸 ℝ ∑∞√∂ ε-greedy α2", "snake_case a.b.c 3.14 l’état o'clock",
    "\u0301 alone", "\U0001f989 owls \U00020000\U00020001", "a" * 200 + "-" + "b" * 200, "running studies analyses optimisation universities",
    "f(x) sin(θ) longname(x) f(a(b)) g(" + "x" * 40 + ")", "A·B state-of-the-art/and‐or", "ꟊ Ǆ ŉ ẞ",
)  # fmt: skip


def random_texts(count: int) -> list[str]:
    """Return texts of letters, digits, marks and signs that were in Unicode 13, the same in every run."""
    chance = random.Random(5)
    characters = [
        chr(code)
        for code in range(0x20, 0x1F000)
        if unicodedata.ucd_3_2_0.category(chr(code)) not in {"Cn", "Cs", "Co"}
    ]
    ascii_ = [chr(code) for code in range(0x20, 0x7F)]
    return [
        "".join(chance.choice(characters if chance.random() < 0.4 else ascii_) for _ in range(chance.randint(1, 60)))
        for _ in range(count)
    ]


def test_the_page_cuts_words_as_the_index_does() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node: no node is in the PATH")
    texts = [*TEXTS, *random_texts(3000)]
    tables = {
        "letters": LETTERS,
        "greek": GREEK,
        "unspaced": UNSPACED,
        "suffixes": SUFFIXES,
        "longest": LONGEST_TERM,
    }
    ended = subprocess.run(
        [node, "tests/scripts/write_words.js"],
        input=json.dumps({"tables": tables, "texts": texts}), cwd=ROOT, check=True, capture_output=True, text=True,
        encoding="utf-8", timeout=120,
    )  # fmt: skip
    different = []
    for text, (folded, words, stems, joined) in zip(texts, json.loads(ended.stdout), strict=True):
        own = (fold(text), read_words(text), [stem(word) for word in read_words(text)], list(joined_words(text)))
        if own != (folded, words, stems, joined):
            different.append((text, own, (folded, words, stems, joined)))
    assert not different, f"{len(different)} differ, such as {min(different, key=lambda each: len(each[0]))!r}"
