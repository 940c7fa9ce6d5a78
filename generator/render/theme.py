"""The theme's folder, ``theme.custom_dir`` in mkdocs.yml.

Template folders enter; ``.papershelf/theme`` leaves, with the bundled files and the user's own on top of them. It is
written beside the project, so that plain ``mkdocs build`` finds it too.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from generator.files import STATE_FOLDER, write_if_changed

THEME_FOLDER = f"{STATE_FOLDER}/theme"

SITE_MARK = "assets/papershelf/shelf.css"
"""A file that every site built with this theme has; so a site's folder is known as one that may be replaced."""


def write_theme(template_folders: Sequence[Path], project_dir: Path, scratch: Path) -> None:
    """Write the theme's files; where several folders have a file, the first folder's is taken. Others are removed."""
    theme_dir = project_dir / THEME_FOLDER
    wanted: dict[str, Path] = {}
    for folder in template_folders:
        for path in sorted((folder / "theme").rglob("*")):
            if path.is_file():
                wanted.setdefault(path.relative_to(folder / "theme").as_posix(), path)
    # First what goes: a file may stand where a folder is wanted now.
    for path in sorted(theme_dir.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(theme_dir).as_posix() not in wanted:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            shutil.rmtree(path)
    for name, path in sorted(wanted.items()):
        write_if_changed(theme_dir / name, path.read_bytes(), scratch)
