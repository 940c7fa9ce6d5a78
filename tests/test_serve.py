"""The preview: a real server that follows changes."""

import io
import os
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console

from generator.problems import PapershelfError
from generator.project import BuildRequest
from generator.serve import PortTakenError, serve
from tests.projects import ABSTRACTS, Project, as_text, command, make_project, set_option

PATIENCE = 20.0
"""Seconds that a change may take to be seen; it takes about one."""


def until(true: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@dataclass(slots=True)
class Preview:
    """A preview that runs."""

    project: Project
    output: io.StringIO
    address: str

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def wait_for(self, path: str, words: str) -> None:
        def shown() -> bool:
            try:
                return words in self.get(path)
            except (urllib.error.HTTPError, ConnectionError):
                return False

        until(shown, f"{words!r} never came up in {path}; the preview said:\n{self.output.getvalue()}")

    def wait_for_message(self, words: str) -> None:
        until(lambda: words in self.output.getvalue(), f"no message {words!r} in:\n{self.output.getvalue()}")


@contextmanager
def previewing(project: Project, sources: tuple[str, ...]) -> Iterator[Preview]:
    output, stop = io.StringIO(), threading.Event()
    console = Console(file=output, soft_wrap=True)
    request = BuildRequest(project.folder / "mkdocs.yml", sources, search=False)
    failed: list[BaseException] = []

    def run() -> None:
        try:
            serve(request, console, port=0, stop=stop)
        except BaseException as error:  # noqa: BLE001 - shown by the test, since a thread's would be lost
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        until(lambda: "Preview: " in output.getvalue() or failed, "no preview")
        assert not failed, failed
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", output.getvalue())
        assert found
        time.sleep(0.3)  # until the folders are watched
        yield Preview(project, output, f"http://127.0.0.1:{found[1]}")
    finally:
        stop.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert not failed, failed


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = make_project(tmp_path / "shelf", ABSTRACTS[:4])
    (project.folder / "site_templates" / "pages").mkdir(parents=True)
    return project


@pytest.fixture
def preview(project: Project) -> Iterator[Preview]:
    with previewing(project, (str(project.source),)) as preview:
        yield preview


def test_pages_come_with_a_script_that_waits(preview: Preview) -> None:
    for path in ("/", "/index.html", "/search.html", "/tags/index.html?x=1"):
        assert preview.get(path).count('<script src="/__papershelf/reload.js"></script></body>') == 1
    assert "/__papershelf/wait" in preview.get("/__papershelf/reload.js")
    # The site itself has none.
    assert "__papershelf" not in (preview.project.site / "index.html").read_text(encoding="utf-8")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        preview.get("/nothing.html")
    head = urllib.request.Request(f"{preview.address}/index.html", method="HEAD")
    with urllib.request.urlopen(head, timeout=PATIENCE) as answer:
        assert answer.read() == b""
        assert int(answer.headers["Content-Length"]) > 1000


def test_changes_of_all_kinds_are_followed(preview: Preview) -> None:
    project = preview.project
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(preview.get, "/__papershelf/wait?1")
        project.source.write_text(as_text(ABSTRACTS[:4], "Another village 2031"), encoding="utf-8")
        preview.wait_for("/index.html", "Another village 2031")
        assert int(waiting.result()) > 1, "the page that waited was not told"

    (project.docs / "about.md").write_text("# All about pigeons\n", encoding="utf-8")
    preview.wait_for("/about.html", "All about pigeons")

    (project.docs / "deep" / "er").mkdir(parents=True)
    (project.docs / "deep" / "er" / "page.md").write_text("# First words\n", encoding="utf-8")
    preview.wait_for("/deep/er/page.html", "First words")
    (project.docs / "deep" / "er" / "page.md").write_text("# Second words\n", encoding="utf-8")
    preview.wait_for("/deep/er/page.html", "Second words")

    (project.folder / "site_templates" / "pages" / "home.md.j2").write_text("# A home of my own\n", encoding="utf-8")
    preview.wait_for("/index.html", "A home of my own")

    (project.folder / "titles.yml").write_text("We introduce Sourdough Atlas: All about loaves\n", encoding="utf-8")
    preview.wait_for("/abstracts/index.html", "All about loaves")

    set_option(project, "entries_per_page", "100")
    config = project.folder / "mkdocs.yml"
    config.write_text(
        config.read_text(encoding="utf-8").replace("site_name: ", "site_name: New name of "), encoding="utf-8"
    )
    preview.wait_for("/index.html", "New name of")


def test_a_build_that_fails_keeps_the_last_site(preview: Preview) -> None:
    project = preview.project
    good = preview.get("/index.html")
    template = project.folder / "site_templates" / "pages" / "home.md.j2"
    template.write_text("{{ nothing }}", encoding="utf-8")
    preview.wait_for_message("'nothing' is undefined")
    preview.wait_for_message("the last good site is still shown")
    assert preview.get("/index.html") == good
    template.write_text("# Mended\n", encoding="utf-8")
    preview.wait_for("/index.html", "Mended")

    (project.folder / "site_templates" / "theme").mkdir()
    frame = project.folder / "site_templates" / "theme" / "main.html"
    frame.write_text("{% if %}", encoding="utf-8")
    preview.wait_for_message("MkDocs could not build the site")
    assert "Mended" in preview.get("/index.html")
    frame.unlink()

    project.source.write_text("", encoding="utf-8")
    preview.wait_for_message("no abstract")
    project.source.write_text(as_text(ABSTRACTS[:2], "Back again 2032"), encoding="utf-8")
    preview.wait_for("/abstracts/index.html", "2 abstracts")

    config = project.folder / "mkdocs.yml"
    right = config.read_text(encoding="utf-8")
    config.write_text("a: [", encoding="utf-8")
    preview.wait_for_message("mkdocs.yml")
    config.write_text(right.replace("site_name: ", "site_name: Healed "), encoding="utf-8")
    preview.wait_for("/index.html", "Healed")


def test_its_own_files_call_for_no_build(preview: Preview) -> None:
    time.sleep(1.5)
    assert "changed:" not in preview.output.getvalue()
    (preview.project.folder / "unrelated.txt").write_text("x", encoding="utf-8")
    preview.project.docs.joinpath("about.md").touch()
    time.sleep(1)
    assert "unrelated.txt" not in preview.output.getvalue()


def test_a_browser_that_goes_away_is_no_error(preview: Preview, capfd: pytest.CaptureFixture[str]) -> None:
    port = int(preview.address.rsplit(":", 1)[1])
    for request in (b"GET /__papershelf/wait?1 HTTP/1.1\r\n\r\n", b"GET /index.html HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            # Closed with a reset, as a browser does that leaves the page.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
            connection.sendall(request)
    preview.project.source.write_text(as_text(ABSTRACTS[:3], "Gone 2033"), encoding="utf-8")
    preview.wait_for("/index.html", "Gone 2033")
    time.sleep(0.3)
    assert "Traceback" not in capfd.readouterr().err


def test_a_taken_port_is_named_before_anything_is_built(project: Project) -> None:
    request = BuildRequest(project.folder / "mkdocs.yml", (str(project.source),))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortTakenError, match=f"port {port} .*--port"):
            serve(request, Console(file=io.StringIO()), port=port)
    assert not project.site.exists()


def test_a_first_build_that_fails_ends_the_preview(project: Project) -> None:
    request = BuildRequest(project.folder / "mkdocs.yml", ("missing.txt",))
    with pytest.raises(PapershelfError, match=r"missing\.txt"):
        serve(request, Console(file=io.StringIO()), port=0)


def test_ctrl_c_ends_it(project: Project) -> None:
    with subprocess.Popen(
        command("serve", "papers.txt", "--no-search", "--port", "0"),
        cwd=project.folder,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whatever runs in a shell's background is born deaf to Ctrl-C; this one must hear it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        try:
            assert process.stderr is not None
            assert any("Preview: http://127.0.0.1:" in line for line in iter(process.stderr.readline, ""))
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode in (0, 130)
    assert "Traceback" not in err
