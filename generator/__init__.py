"""Papershelf: from a pile of research abstracts to a site for reading them.

Start with ``pipeline.py``, the table of contents; ``model.py`` holds the types that cross its stages.
"""
