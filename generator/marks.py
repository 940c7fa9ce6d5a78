"""Piles of combining marks, which no language writes and which take Unicode's normalisation the square of their height.

A text enters; it leaves with at most `MOST_MARKS` marks on one letter, in NFC or NFKC.
"""

import re
import unicodedata
from itertools import groupby
from typing import Literal

MOST_MARKS = 30
"""Most combining marks in a row: https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format"""


def _pile() -> re.Pattern[str]:
    marks = [code for code in range(0x300, 0x1F000) if unicodedata.combining(chr(code))]
    runs = [[code for _, code in run] for _, run in groupby(enumerate(marks), lambda entry: entry[1] - entry[0])]
    ranges = "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)
    return re.compile(f"([{ranges}]{{{MOST_MARKS}}})[{ranges}]+")


_PILE = _pile()


def normalize(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Return ``text`` in a normal form, in time that grows with its length alone."""
    return text if text.isascii() else unicodedata.normalize(form, _PILE.sub(r"\1", text))


def has_pile(text: str) -> bool:
    """Return whether `normalize` takes marks away."""
    return not text.isascii() and _PILE.search(text) is not None
