"""Enters: all papers with their titles and tags.

Leaves: for each paper up to six related ones, the closest first, each with its score and the terms that both share.
"""

from generator.relate.build import relate_papers
from generator.relate.neighbours import MOST_RELATED
from generator.relate.reasons import MOST_TERMS

__all__ = ["MOST_RELATED", "MOST_TERMS", "relate_papers"]
