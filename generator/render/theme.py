"""The theme's folder, ``theme.custom_dir`` in mkdocs.yml.

Template folders enter; ``.papershelf/theme`` leaves, with the bundled files and the user's own on top of them, and the
scripts of the pages. It is written beside the project, so that plain ``mkdocs build`` finds it too.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from generator.files import THEME_FOLDER, write_if_changed
from generator.render.scripts import ENTRY, SiteFacts, bundle, read_modules

_SCRIPT = "assets/papershelf/shelf.js"


def write_theme(template_folders: Sequence[Path], project_dir: Path, scratch: Path, facts: SiteFacts) -> None:
    """Write the theme's files; where several folders have a file, the first folder's is taken. Others are removed.

    Raises:
        ScriptError: a module of the browser scripts, perhaps the user's own, is not understood.
    """
    theme_dir = project_dir / THEME_FOLDER
    modules = read_modules(template_folders, facts)
    wanted = {_SCRIPT: bundle(ENTRY, modules).encode()}
    for folder in reversed(template_folders):
        for path in (folder / "theme").rglob("*"):
            if path.is_file():
                wanted[path.relative_to(folder / "theme").as_posix()] = path.read_bytes()
    # First what goes: a file may stand where a folder is wanted now.
    for path in sorted(theme_dir.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(theme_dir).as_posix() not in wanted:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            shutil.rmtree(path)
    for name, content in sorted(wanted.items()):
        write_if_changed(theme_dir / name, content, scratch)
