"""A new project folder.

A folder's path enters; the same folder leaves, ready for ``papershelf build``.
"""

from pathlib import Path

import yaml

from generator.files import STATE_FOLDER, write_whole
from generator.lock import choose_site_id
from generator.pages.templates import BUNDLED_TEMPLATES, template_folders
from generator.problems import PapershelfError
from generator.render.scripts import SiteFacts
from generator.render.theme import write_theme

_NAME_PLACE = "__SITE_NAME__"


class FolderTakenError(PapershelfError):
    """The folder is somebody's project already."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"{file}: there is one already; choose another folder, or build the project that is there")


def make_project(folder: Path) -> list[Path]:
    """Write what a project needs into ``folder``, and return the files written; existing files stay as they are.

    Raises:
        FolderTakenError: it has a mkdocs.yml, or is a file.
    """
    config = folder / "mkdocs.yml"
    if config.exists() or (folder.exists() and not folder.is_dir()):
        raise FolderTakenError(config if config.exists() else folder)
    scratch = folder / STATE_FOLDER / "scratch"
    written: list[Path] = []
    starter = BUNDLED_TEMPLATES / "new"
    name_in_utf8 = folder.resolve().name.encode(errors="replace").decode() or "Papershelf"
    site_name = yaml.safe_dump(name_in_utf8, default_style='"', allow_unicode=True, width=2**20).strip()
    for path in sorted(starter.rglob("*")):
        # A wheel and git treat names with a dot in their own ways.
        name = path.relative_to(starter).as_posix().replace("dot-", ".")
        target = folder / name
        if path.is_file() and not target.exists():
            text = path.read_text(encoding="utf-8")
            write_whole(target, text.replace(_NAME_PLACE, site_name).encode(), scratch)
            written.append(target)
    # With a theme, plain MkDocs can build the folder, too.
    facts = SiteFacts(choose_site_id(name_in_utf8, ()), name_in_utf8, papers=0, newest="")
    write_theme(template_folders(folder), folder, scratch, facts)
    scratch.rmdir()
    return written
