"""Right-to-left runs within a line that reads from left to right.

Words enter; they leave in pieces, each with whether it must be isolated, so that the marks around a Hebrew or Arabic
phrase keep their place.
"""

import re
from collections.abc import Iterator

_RTL = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(f"[{_RTL}](?:[^A-Za-z\u00c0-\u024f\u0370-\u058f\n]*[{_RTL}])?")
_FIRST_STRONG = re.compile(f"([{_RTL}])|[A-Za-z\u00aa\u00b5\u00ba\u00c0-\u02b8\u0370-\u058f\u0900-\u1fff\u2c00-\ud7ff]")


def reads_from_right(text: str) -> bool:
    """Return whether a paragraph's first letter is of a script that is written from right to left."""
    first = None if text.isascii() else _FIRST_STRONG.search(text)
    return bool(first and first[1])


def right_to_left_runs(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of ``text`` in order, each with whether it is a run of right-to-left words."""
    if text.isascii():
        yield text, False
        return
    at = 0
    for run in _RUN.finditer(text):
        if run.start() > at:
            yield text[at : run.start()], False
        yield run[0], True
        at = run.end()
    if at < len(text):
        yield text[at:], False
