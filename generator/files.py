"""Writing files so that each is there whole or not at all, and removing what was left by a killed build."""

import contextlib
import os
import shutil
from pathlib import Path

STATE_FOLDER = ".papershelf"
"""Beside mkdocs.yml: the build lock, files being written, the theme, and what is known of the build before. Safe to
delete while no build runs."""

THEME_FOLDER = f"{STATE_FOLDER}/theme"
"""What ``theme.custom_dir`` in mkdocs.yml is."""

SITE_MARK = "assets/papershelf/shelf.css"
"""A file that every site built with our theme has; so a site's folder is known as one that may be replaced."""

TITLES_FILE = "titles.yml"
"""The titles that the user gives."""

TAGS_FILE = "tags.yml"
"""The user's rules for tags."""


def write_whole(path: Path, data: bytes, scratch: Path | None = None) -> None:
    """Write ``data`` to ``path`` at once: a reader, and a killed build, see the old file or the new one.

    Args:
        path: The file; its folder is made when it is missing.
        data: All of its bytes.
        scratch: A folder on the same file system to write in first; None takes the file's own.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if scratch is not None:
        scratch.mkdir(parents=True, exist_ok=True)
    draft = (scratch or path.parent) / f".{os.getpid()}-{path.name[-80:]}"
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()


def write_if_changed(path: Path, data: bytes, scratch: Path) -> bool:
    """Write ``data`` unless the file holds it already; return whether it was written."""
    try:
        if path.read_bytes() == data:
            return False
    except OSError:
        pass
    write_whole(path, data, scratch)
    return True


def empty_scratch(scratch: Path) -> None:
    """Remove what a killed build left in its scratch folder."""
    shutil.rmtree(scratch, ignore_errors=True)
