"""The YAML at a page's head, and the mark that says a page is ours.

Values enter; the text between two ``---`` lines leaves, dumped by the YAML library.
"""

from collections.abc import Mapping

import yaml

from generator.model import Json

GENERATED: Mapping[str, Json] = {"generated_by": "papershelf"}
"""What the front matter of every generated page says."""

GENERATED_MARK = "generated_by: papershelf"
"""The line that says it; only such pages are ever replaced or removed."""

_DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def front_matter(values: Mapping[str, Json]) -> str:
    """Return front matter with the mark of a generated page, in the order given, one line an entry if YAML allows."""
    dumped = yaml.dump(dict(values), Dumper=_DUMPER, allow_unicode=True, sort_keys=False, width=2**20)
    return f"---\n{GENERATED_MARK}\n{dumped}---\n"


def is_generated(text: str) -> bool:
    """Return whether the text of a page carries the mark in its front matter."""
    first, *lines = text.split("\n")
    if first.rstrip() != "---":
        return False
    for line in lines:
        if line.rstrip() == GENERATED_MARK:
            return True
        if line.rstrip() in ("---", "..."):
            return False
    return False
