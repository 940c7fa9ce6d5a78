"""What can go wrong: reported problems, and the errors that end a command.

A `Problem` is bad input that the build goes on without: it names what, where, and what was done instead.
A `PapershelfError` ends the command; ``exit_code`` is what the shell sees.
"""

from dataclasses import dataclass

FRAGMENT_LIMIT = 120
"""Longest fragment that a problem quotes, in characters; the rest is cut with an ellipsis."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in the input that the build went on without."""

    kind: str
    """A stable, short name of the fault, such as ``bad-line`` or ``formula``."""
    message: str
    """What was expected and what was found, one sentence."""
    done: str
    """What was done instead, such as ``the line was skipped``."""
    file: str | None = None
    """The source file, as named in the data; None when no file is to blame."""
    record: int | None = None
    """The record's number within the file, from 1; None when the whole file is meant."""
    fragment: str | None = None
    """The offending text, at most `FRAGMENT_LIMIT` characters."""

    def __str__(self) -> str:
        place = ", ".join(p for p in (self.file, f"record {self.record}" if self.record else None) if p)
        quoted = f" ({self.fragment!r})" if self.fragment else ""
        return f"{place + ': ' if place else ''}{self.message}{quoted}; {self.done}"


def shorten(fragment: str, limit: int = FRAGMENT_LIMIT) -> str:
    """Return ``fragment`` cut to at most ``limit`` characters, with an ellipsis where it was cut."""
    return fragment if len(fragment) <= limit else fragment[: limit - 1] + "…"


class PapershelfError(Exception):
    """Base of all errors that end a command with a message for its user."""

    exit_code = 2
