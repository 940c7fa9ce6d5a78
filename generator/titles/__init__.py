"""Enters: papers whose markup has been understood, with or without a title.

Leaves: papers with a title each, derived from the abstract where the source gives none, and marked so.
"""

from generator.titles.derive import LONGEST_TITLE, add_titles, derive_title

__all__ = ["LONGEST_TITLE", "add_titles", "derive_title"]
