"""Putting a new site in the place of the old one, in one step where the system can.

A finished folder enters; it leaves under the site's name. A build that is killed leaves the last good site, or
`repair_site` brings it back.
"""

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from generator.problems import PapershelfError

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP)


class ForeignFolderError(PapershelfError):
    """The site's folder holds something that Papershelf did not build."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder}: the folder holds something else than a site of Papershelf's, so it is not replaced; "
            "empty it, or name another with --site-dir"
        )


def staging_folder(site_dir: Path) -> Path:
    """Return where a site is built: beside its place, so that it can be moved there in one step."""
    return site_dir.with_name(f".{site_dir.name}.papershelf-new")


def _old_folder(site_dir: Path) -> Path:
    return site_dir.with_name(f".{site_dir.name}.papershelf-old")


def repair_site(site_dir: Path) -> None:
    """Bring back what a killed build left: the last good site under its name, nothing beside it."""
    old, staging = _old_folder(site_dir), staging_folder(site_dir)
    if old.exists() and not site_dir.exists():
        old.rename(site_dir)  # killed between the two renames
    for left in (old, staging):  # just after the exchange, the old site is still called like the new one
        if left.exists():
            if site_dir.exists():
                _keep_hidden(left, site_dir)
            shutil.rmtree(left, ignore_errors=True)


def needs_repair(site_dir: Path) -> bool:
    """Return whether a build was killed just when it exchanged the sites, so that there is none under its name."""
    return not site_dir.exists() and _old_folder(site_dir).exists()


def check_replaceable(site_dir: Path, mark: str, kept: Iterable[Path] = ()) -> None:
    """Check that the site's folder may be replaced: missing, empty but for hidden files, or a site with the mark.

    Args:
        site_dir: The site's folder.
        mark: A file that every site has.
        kept: Folders that must not lie in it, even when they are empty.

    Raises:
        ForeignFolderError: it holds something else.
    """
    if any(site_dir == folder or site_dir in folder.parents for folder in kept):
        raise ForeignFolderError(site_dir)
    if site_dir.is_dir():
        visible = any(not path.name.startswith(".") for path in site_dir.iterdir())
        if visible and not (site_dir / mark).is_file():
            raise ForeignFolderError(site_dir)
    elif site_dir.exists():
        raise ForeignFolderError(site_dir)


def exchange_site(staging: Path, site_dir: Path) -> None:
    """Put the folder ``staging`` in the place of ``site_dir``, and remove the old one.

    Hidden files at the old site's top, such as ``.git``, move along.
    """
    old = _old_folder(site_dir)
    if not site_dir.exists():
        staging.rename(site_dir)
        return
    if _swap(staging, site_dir):
        staging.rename(old)
    else:
        site_dir.rename(old)
        try:
            staging.rename(site_dir)
        except OSError:
            old.rename(site_dir)
            raise
    _keep_hidden(old, site_dir)
    shutil.rmtree(old)


def _keep_hidden(old: Path, new: Path) -> None:
    for path in sorted(old.glob(".*")):
        if not (new / path.name).exists():
            path.rename(new / path.name)


def _swap(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; return whether the system could (Linux since 3.15, most file systems)."""
    if not sys.platform.startswith("linux"):
        return False
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    if renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other))
