"""Piles of combining marks, which no language writes and which take Unicode's normalisation the square of their height.

A text enters; it leaves in NFC or NFKC, a long one with at most `MOST_MARKS` marks on one letter.
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


_SHORT = 4_000
_PILE = _pile()


def normalize(form: Literal["NFC", "NFKC"], text: str) -> str:
    """Return ``text`` in a normal form, in time that grows with its length alone."""
    return unicodedata.normalize(form, _PILE.sub(r"\1", text) if _may_be_slow(text) else text)


def has_pile(text: str) -> bool:
    """Return whether `normalize` takes marks away."""
    return _may_be_slow(text) and _PILE.search(text) is not None


def _may_be_slow(text: str) -> bool:
    # The square of a usual abstract's length is no time at all, and looking for piles in each would take longer.
    return len(text) > _SHORT and not text.isascii()
