"""Enters: all papers with their titles, and the tag vocabulary that the lock file holds.

Leaves: the vocabulary, kept and extended, and three to five tags a paper.
"""

from generator.tags.build import tag_papers

__all__ = ["tag_papers"]
