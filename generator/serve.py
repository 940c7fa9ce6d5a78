"""A local preview that follows changes.

A build request enters; a server on this machine runs until it is interrupted, and builds again when sources, pages,
templates, mkdocs.yml, titles.yml or tags.yml change. A build that fails leaves the site that is shown.
"""

import contextlib
import functools
import http.server
import io
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from rich.console import Console
from rich.text import Text
from watchfiles import Change, watch

from generator.build import build
from generator.files import STATE_FOLDER
from generator.lock import LOCK_NAME
from generator.pages import GENERATED_FOLDERS, GENERATED_ROOT_PAGES
from generator.pages.front_matter import is_generated
from generator.problems import PapershelfError
from generator.project import BuildRequest, Project, open_project
from generator.report import print_problems

_RELOAD_PATH = "/__papershelf/reload.js"
_WAIT_PATH = "/__papershelf/wait"
_WAIT_SECONDS = 25
_IDLE_MS = 5000
_NEW_FOLDER_MS = 100
"""How long nothing may change after a folder was made, before the site is built."""
_RELOAD_SCRIPT = b"""\
// The preview's alone: loads the page again when the site has been built anew.
(async () => {
  for (let build = null; ; ) {
    try {
      const answer = await fetch("/__papershelf/wait" + (build === null ? "" : "?" + build));
      const found = await answer.text();
      if (build !== null && found !== build) location.reload();
      build = found;
    } catch {
      await new Promise((resume) => setTimeout(resume, 1000));
    }
  }
})();
"""


@dataclass(slots=True)
class _Preview:
    """The number of the build that is shown; browsers wait for the next."""

    number: int = 1
    changed: threading.Condition = field(default_factory=threading.Condition)

    def announce(self) -> None:
        with self.changed:
            self.number += 1
            self.changed.notify_all()

    def wait(self, number: str) -> int:
        """Return the number as soon as it is another than the given one, or after a while."""
        with self.changed:
            self.changed.wait_for(lambda: str(self.number) != number, timeout=_WAIT_SECONDS)
            return self.number


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site, with a script in each page that waits for the next build."""

    def __init__(self, *args: object, preview: _Preview, directory: str) -> None:
        self.preview = preview
        super().__init__(*args, directory=directory)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path == _RELOAD_PATH:
            self._answer(_RELOAD_SCRIPT, "text/javascript")
        elif path == _WAIT_PATH:
            self._answer(str(self.preview.wait(query)).encode(), "text/plain")
        else:
            super().do_GET()

    def send_head(self) -> io.BytesIO | io.BufferedReader | None:
        path = Path(self.translate_path(self.path))
        if path.is_dir() and self.path.partition("?")[0].endswith("/"):
            path /= "index.html"
        if path.suffix != ".html" or not path.is_file():
            return super().send_head()  # type: ignore[return-value]
        script = f'<script src="{_RELOAD_PATH}"></script></body>'.encode()
        page = path.read_bytes().replace(b"</body>", script)
        self._head(len(page), "text/html; charset=utf-8")
        return io.BytesIO(page)

    def _answer(self, body: bytes, kind: str) -> None:
        with contextlib.suppress(ConnectionError):  # the page that waited has been left
            self._head(len(body), kind)
            self.wfile.write(body)

    def _head(self, length: int, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Stay silent: requests are not what a reader of the preview wants to see."""


class _Server(http.server.ThreadingHTTPServer):
    """Does not mind a browser that goes away in the middle of an answer."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class StandardInputError(PapershelfError):
    """A preview was asked for of what can be read once only."""

    def __init__(self) -> None:
        super().__init__("a preview reads its sources again at each change, and standard input can be read once only")


class PortTakenError(PapershelfError):
    """The preview's port is in use."""

    def __init__(self, port: int, reason: str) -> None:
        super().__init__(f"port {port} cannot be used ({reason}); choose another with --port")


def serve(request: BuildRequest, console: Console, *, port: int, stop: threading.Event | None = None) -> None:
    """Build the site, serve it on this machine alone, and follow changes until ``stop`` is set or Ctrl-C.

    Raises:
        PapershelfError: the first build fails, or the port is taken.
    """
    if "-" in request.sources:
        raise StandardInputError
    project = open_project(request)
    preview = _Preview()
    handler = functools.partial(_Handler, preview=preview, directory=str(project.site_dir))
    try:
        server = _Server(("127.0.0.1", port), handler)
    except (OSError, OverflowError) as error:
        raise PortTakenError(port, str(error)) from error
    with server:
        print_problems(build(request, console).problems, console)
        answering = threading.Thread(target=server.serve_forever, daemon=True)
        answering.start()
        console.print(f"Preview: http://127.0.0.1:{server.server_address[1]}/ (Ctrl-C ends it)", highlight=False)
        try:
            _follow(request, project, console, preview, stop or threading.Event())
        finally:
            server.shutdown()
            answering.join()


def _follow(
    request: BuildRequest, project: Project, console: Console, preview: _Preview, stop: threading.Event
) -> None:
    waiting = False  # whether a build waits for new folders to be watched, so that no change in them is missed
    while not stop.is_set():
        folders = _watched_folders(project)
        for changes in watch(
            *folders,
            watch_filter=_wanted(project),
            recursive=False,
            stop_event=stop,
            raise_interrupt=False,
            rust_timeout=_NEW_FOLDER_MS if waiting else _IDLE_MS,
            yield_on_timeout=True,
        ):
            if not changes and not waiting:
                continue
            if changes:
                changed = sorted({Path(path).name for _, path in changes})
                console.print(Text(f"changed: {', '.join(changed[:5])}"))
            waiting = _watched_folders(project) != folders
            if waiting:
                break
            try:
                print_problems(build(request, console).problems, console)
                preview.announce()
            except (PapershelfError, OSError) as error:
                console.print(Text(f"{error}\nthe last good site is still shown", style="red"))
            changed_project = _reopened(request, project)
            if changed_project != project:
                project = changed_project
                waiting = True
                break
        else:
            return  # interrupted


def _reopened(request: BuildRequest, project: Project) -> Project:
    """Return the project as mkdocs.yml has it now; as it was where that cannot be read."""
    try:
        return open_project(request)
    except PapershelfError:
        return project


def _watched_folders(project: Project) -> list[Path]:
    """Return every folder in which something may change that the site is made of.

    Folders, not files, since editors replace a file; one by one, since a source may lie in a home folder.
    """
    site = project.site
    found = {site.project_dir}
    for source in project.sources:
        path = Path(source)
        found.update(_with_subfolders(path) if path.is_dir() else [path.absolute().parent])
    found.update(_with_subfolders(site.docs_dir))
    found.update(_with_subfolders(site.project_dir / "site_templates"))
    return sorted(folder for folder in found if folder.is_dir())


def _with_subfolders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    below = (path for path in folder.rglob("*") if path.is_dir())
    return [folder, *(path for path in below if not any(part.startswith(".") for part in path.parts))]


def _wanted(project: Project) -> Callable[[Change, str], bool]:
    """Return which changes call for a build: not those that a build makes."""
    site = project.site
    sources = [Path(source).absolute() for source in project.sources]
    ours = (project.state_dir, project.site_dir, site.project_dir / LOCK_NAME)
    roots = (site.docs_dir, site.project_dir / "site_templates", site.file, project.titles_file, project.tags_file)

    def wanted(_change: Change, name: str) -> bool:
        path = Path(name)
        if any(path == own or own in path.parents for own in ours) or STATE_FOLDER in path.parts:
            return False
        if site.docs_dir in path.parents and path.suffix == ".md":
            place = path.relative_to(site.docs_dir)
            if place.parts[0] in (*GENERATED_FOLDERS, *GENERATED_ROOT_PAGES):
                return path.is_file() and not is_generated(path.read_text(encoding="utf-8", errors="replace")[:4096])
        return any(path == root or root in path.parents for root in (*roots, *sources))

    return wanted
