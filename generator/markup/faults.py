"""What in a text could not be read as its author meant it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One such place; a `Problem` once it is known which record it stands in."""

    kind: str
    """As of `Problem`: ``formula``, ``unknown-command``, ``control-character``, ``mojibake``,
    ``unclosed-brace`` or ``comment``."""
    message: str
    """What was found."""
    done: str
    """What was done about it."""
    fragment: str
    """The offending text, whole."""
