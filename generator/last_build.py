"""What the last build read, wrote and said, so that a build of the same need not be made.

Inputs are compared by their content, outputs by what the file system says of them. The record lies in `.papershelf`;
whatever is wrong with it, it counts as none.
"""

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from generator.files import THEME_FOLDER, write_whole
from generator.model import SourceFile
from generator.pages.templates import BUNDLED_TEMPLATES
from generator.problems import Problem
from generator.project import BuildRequest, Project
from generator.report import Report
from generator.sources.files import STANDARD_INPUT, find_files
from generator.write import files_in

RECORD = "last-build.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class LastBuild:
    """The record of a build."""

    inputs: str
    """The digest of all that it depended on."""
    outputs: str
    """The digest of what its files were like when it ended."""
    own_pages: frozenset[str]
    """The files in ``docs_src/`` that are the user's."""
    counts: dict[str, int]
    sources: tuple[SourceFile, ...]
    problems: tuple[Problem, ...]

    @classmethod
    def of(cls, project: Project, inputs: str, report: Report) -> "LastBuild":
        """Return the record of a build that has just ended."""
        own_pages = frozenset(files_in(project.site.docs_dir)[0])
        outputs = outputs_of(project, own_pages)
        return cls(inputs, outputs, own_pages, dict(report.counts), tuple(report.sources), tuple(report.problems))

    def as_report(self, seconds: float, peak_mb: float) -> Report:
        """Return the report of a build that found nothing to do."""
        pages = self.counts["pages_written"] + self.counts["pages_unchanged"]
        counts = self.counts | {"pages_written": 0, "pages_unchanged": pages, "pages_removed": 0}
        return Report(counts, {"total": seconds}, peak_mb, self.sources, self.problems)


def is_repeatable(project: Project, request: BuildRequest) -> bool:
    """Return whether a build depends on nothing but what `inputs_of` knows, and may be left out when that is equal."""
    return project.site.is_self_contained and not request.refresh_tags and STANDARD_INPUT not in project.sources


def read_last_build(project: Project) -> LastBuild | None:
    """Return the record; None when there is none that can be used."""
    try:
        found = json.loads((project.state_dir / RECORD).read_bytes())
        return LastBuild(
            inputs=str(found["inputs"]),
            outputs=str(found["outputs"]),
            own_pages=frozenset(found["own_pages"]),
            counts={str(name): int(count) for name, count in found["counts"].items()},
            sources=tuple(SourceFile(**source) for source in found["sources"]),
            problems=tuple(Problem(**problem) for problem in found["problems"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write_last_build(project: Project, last: LastBuild) -> None:
    """Write the record; a build has not failed because there is no place for it."""
    content = asdict(last) | {"own_pages": sorted(last.own_pages)}
    with contextlib.suppress(OSError):
        write_whole(project.state_dir / RECORD, json.dumps(content).encode(), project.scratch)


def inputs_of(project: Project, request: BuildRequest, date: str, own_pages: Collection[str] | None) -> str:
    """Return a digest of what a build depends on: programs, options, templates, rules, sources, the user's pages.

    The lock file is an output here: a build leaves it as it will want it.

    Args:
        project: The project, with a site that `is_repeatable`.
        request: What is asked for.
        date: The build's.
        own_pages: The files in ``docs_src/`` that are the user's, where they are known without a look into each.
    """
    site = project.site
    digest = hashlib.blake2b(digest_size=20)
    options = (_FORMAT, sys.version, str(Path.cwd()), project.sources, str(project.site_dir), request.search, date)
    digest.update(repr((options, _installed())).encode())
    own_templates = site.project_dir / "site_templates"
    for folder in (Path(__file__).parent, BUNDLED_TEMPLATES, own_templates, *_theme_dirs(project)):
        _add_files(digest, sorted(_walk(folder)), folder)
    _add_files(digest, (site.file, project.titles_file, project.tags_file), site.project_dir)
    names = files_in(site.docs_dir)[0] if own_pages is None else own_pages
    _add_files(digest, sorted(site.docs_dir / name for name in names), site.docs_dir)
    found, problems = find_files(project.sources, project.own_files)
    digest.update(repr((found, problems)).encode())
    _add_files(digest, (file.path for file in found if file.path is not None), site.project_dir)
    return digest.hexdigest()


def outputs_of(project: Project, own_pages: Collection[str]) -> str:
    """Return a digest of the state of all files that a build writes, and of the names of all that lie among them."""
    digest = hashlib.blake2b(digest_size=20)
    docs_dir, site_dir = str(project.site.docs_dir), str(project.site_dir)
    for folder in (docs_dir, site_dir, str(project.site.project_dir / THEME_FOLDER)):
        digest.update(f"{folder}\n".encode(errors="surrogateescape"))
        for path, state in sorted(_states(folder)):
            name = path[len(folder) + 1 :]
            if folder == site_dir and name.startswith("."):
                continue  # the user's, such as .git
            is_own = folder == docs_dir and name.replace(os.sep, "/") in own_pages
            digest.update(f"{name}\0{'' if is_own else state}\n".encode(errors="surrogateescape"))
    with contextlib.suppress(OSError):
        digest.update(_state(project.lock_file.stat()).encode())
    return digest.hexdigest()


def _package_folders() -> list[Path]:
    return [path for path in map(Path, sys.path) if next(path.glob("*.dist-info"), None) is not None]


def _installed() -> list[str]:
    """Return the names and versions of all that is installed."""
    return sorted({path.name for folder in _package_folders() for path in folder.glob("*.dist-info")})


def _theme_dirs(project: Project) -> list[Path]:
    """Return the folders of templates that are the user's; the others belong to what is installed, or are outputs."""
    site = project.site
    outside = [*_package_folders(), site.project_dir / THEME_FOLDER]
    return [path for path in site.theme_dirs if not any(path == known or known in path.parents for known in outside)]


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield from (Path(place, name) for name in names)


def _add_files(digest: "hashlib.blake2b", paths: Iterable[Path], base: Path) -> None:
    """Add the names and the bytes of files; one that is missing counts as such."""
    for path in paths:
        digest.update(f"{os.path.relpath(path, base)}\0".encode(errors="surrogateescape"))
        try:
            with path.open("rb") as file:
                digest.update(hashlib.file_digest(file, "blake2b").digest())
        except OSError as error:
            digest.update(type(error).__name__.encode())


def _states(folder: str) -> Iterator[tuple[str, str]]:
    with contextlib.suppress(OSError):  # missing, say
        for entry in os.scandir(folder):
            if entry.is_dir():
                yield from _states(entry.path)
            else:
                yield entry.path, _state(entry.stat(follow_symlinks=False))


def _state(status: os.stat_result) -> str:
    """Return what changes when a file is written: also when it is written with its old length and an old time."""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"
