"""One file to carry away: a built site as a zip.

A site's folder enters; the zip leaves: the same bytes for the same site, whenever it is made.
"""

import os
import zipfile
from pathlib import Path

from generator.check import NoSiteError

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first moment a zip can hold; every file gets it, so that the bytes do not depend on the clock."""

_PACKED_ALREADY = frozenset({".woff2", ".png", ".jpg", ".gz", ".zip"})


def pack_site(site_dir: Path, target: Path) -> int:
    """Write the site into the zip ``target``, in a folder named like it, and return the number of files.

    Hidden files are left out. The zip is there whole or not at all.

    Raises:
        NoSiteError: the folder holds no site.
    """
    if not (site_dir / "index.html").is_file():
        raise NoSiteError(site_dir)
    files = [
        path
        for path in sorted(site_dir.rglob("*"), key=lambda path: path.relative_to(site_dir).as_posix())
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(site_dir).parts)
        and path != target
    ]
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(draft, "w") as archive:
            for path in files:
                name = f"{target.stem}/{path.relative_to(site_dir).as_posix()}"
                info = zipfile.ZipInfo(name, _EARLIEST)
                info.external_attr = 0o644 << 16
                info.create_system = 3
                stored = path.suffix in _PACKED_ALREADY
                info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
                archive.writestr(info, path.read_bytes())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return len(files)
