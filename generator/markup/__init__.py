"""Stage *markup*: raw texts in, inline trees out. ``papers.py`` is the stage; ``parse.py`` the parser."""
