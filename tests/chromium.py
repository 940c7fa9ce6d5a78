"""Opens built pages in a real Chromium and writes down what they should not do.

In: the address of a page, on disk or served by `serve_folder`. Out: the open page and its `Witness`. Tests use the
fixture `chromium` by importing it; it skips them where there is no browser.
"""

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Programs that are looked for in the PATH, in this order."""


@dataclass(slots=True)
class Witness:
    """What a page did that it should not do; all empty for a good page."""

    outside_requests: list[str] = field(default_factory=list)
    """Addresses that are neither on disk nor on the page's own server."""
    failed_requests: list[str] = field(default_factory=list)
    """Addresses that could not be read, missing files included."""
    errors: list[str] = field(default_factory=list)
    """Errors in the console, and exceptions that no script caught."""
    policy_violations: list[str] = field(default_factory=list)
    """What the page's content security policy refused."""

    def assert_clean(self) -> None:
        """Fail with all that was seen, if anything was."""
        assert self == Witness()


@pytest.fixture(scope="module")
def chromium() -> "Iterator[Browser]":
    """Yield a running browser; skip when the system has none."""
    program = next(filter(None, map(shutil.which, BROWSER_NAMES)), None)
    if program is None:
        pytest.skip(f"no Chromium: none of {', '.join(BROWSER_NAMES)} is in the PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright: install the dev dependencies")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield browser
        browser.close()


@contextmanager
def open_page(
    browser: "Browser",
    address: str,
    *,
    width: int = 1280,
    height: int = 800,
    dark: bool = False,
) -> "Iterator[tuple[Page, Witness]]":
    """Yield the open page in a fresh profile, with its witness; the network is off unless the page is served."""
    served = urlsplit(address).scheme in {"http", "https"}
    witness = Witness()
    context = browser.new_context(
        offline=not served,
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
    )
    page = context.new_page()

    def watch_request(request: "Request") -> None:
        target = urlsplit(request.url)
        own = target.netloc == urlsplit(address).netloc if served else target.scheme == "file"
        if not own and target.scheme not in {"data", "blob"}:
            witness.outside_requests.append(request.url)

    def watch_failure(request: "Request") -> None:
        # The browser gives up what it still loads, such as the icon, when the reader goes to another page.
        if request.failure != "net::ERR_ABORTED":
            witness.failed_requests.append(request.url)

    def watch_console(message: "ConsoleMessage") -> None:
        if "Content Security Policy" in message.text:
            witness.policy_violations.append(message.text)
        elif message.type == "error":
            witness.errors.append(message.text)

    page.on("request", watch_request)
    page.on("requestfailed", watch_failure)
    page.on("response", lambda answer: witness.failed_requests.append(answer.url) if answer.status >= 400 else None)
    page.on("console", watch_console)
    page.on("pageerror", lambda error: witness.errors.append(str(error)))
    page.goto(address)
    try:
        yield page, witness
    finally:
        context.close()


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """Yield the http address of ``folder``, without a slash at its end, while a local server offers it."""
    handler = functools.partial(_QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
