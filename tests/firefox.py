"""Opens built pages in the distribution's Firefox, over WebDriver BiDi, since it comes without geckodriver.

In: the address of a page, on disk or on this machine. Out: the open page, to press keys on and to ask. Tests ask
`firefox_page` for it, which skips them where there is no Firefox. Protocol: https://w3c.github.io/webdriver-bidi/
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

FIREFOX_NAMES = ("firefox-esr", "firefox")
"""Programs that are looked for in the PATH, in this order."""

SECONDS_TO_START = 90.0
SECONDS_TO_ANSWER = 30.0
SECONDS_TO_END = 10.0

PREFERENCES: dict[str, bool | int | str] = {
    # Nothing listens at this port, so that no request leaves the machine; pages on the machine itself need no proxy.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "localhost, 127.0.0.1",
    "network.dns.disablePrefetch": True,
    # What Firefox would ask its makers for. Seen with strace: with these, and ENVIRONMENT, no socket is opened.
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.systemAddon.update.enabled": False,
    "extensions.update.enabled": False,
    "media.gmp-manager.updateEnabled": False,
    "media.gmp-manager.url": "",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.server": "data:,",
}

ENVIRONMENT = {"MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"}
"""Without it, Firefox does not mind ``services.settings.server``."""

KEYS = {"Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowUp": "\ue013", "ArrowDown": "\ue015"}  # fmt: skip
"""The keys that are no characters, as WebDriver writes them."""


class FirefoxError(Exception):
    """What Firefox answered instead of a result."""


class FirefoxPage:
    """One tab; every method fails with `FirefoxError` or `TimeoutError` rather than wait for ever."""

    def __init__(self, connection: "ClientConnection") -> None:
        self._connection = connection
        self._commands = 0
        self._errors: list[str] = []
        self._command("session.new", capabilities={})
        self._command("session.subscribe", events=["log.entryAdded"])
        self._tab: str = self._command("browsingContext.getTree", maxDepth=0)["contexts"][0]["context"]

    @property
    def errors(self) -> list[str]:
        """Errors in the console so far, exceptions that no script caught, and what a page's policy refused."""
        self.evaluate("0")  # what was reported before the answer comes in before the answer
        return list(self._errors)

    def goto(self, address: str) -> None:
        """Open an address, and return when it has loaded."""
        self._command("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def reload(self) -> None:
        """Load the page anew, and return when it has loaded."""
        self._command("browsingContext.reload", context=self._tab, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, as JSON can hold it; promises are awaited."""
        answer = self._command(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})) ?? 'null')()",
            awaitPromise=True,
            target={"context": self._tab},
        )
        if answer["type"] == "exception":
            raise FirefoxError(f"{answer['exceptionDetails']['text']} in {expression}")
        return json.loads(answer["result"]["value"])

    def wait_for(self, condition: str, seconds: float = 10) -> None:
        """Return as soon as a JavaScript expression is true."""
        deadline = time.monotonic() + seconds
        while not self.evaluate(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(f"not true after {seconds} s: {condition}; errors: {self._errors}")
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press and release a key: a character, or a name out of `KEYS`."""
        value = KEYS.get(key, key)
        actions = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        source = {"type": "key", "id": "keyboard", "actions": actions}
        self._command("input.performActions", context=self._tab, actions=[source])

    def type(self, text: str) -> None:
        """Press the keys of a text one by one."""
        for character in text:
            self.press(character)

    def _command(self, method: str, **parameters: object) -> Any:
        """Send a command and return its result; what is logged meanwhile is written down."""
        self._commands += 1
        self._connection.send(json.dumps({"id": self._commands, "method": method, "params": parameters}))
        deadline = time.monotonic() + SECONDS_TO_ANSWER
        while True:
            message = json.loads(self._connection.recv(timeout=max(0.0, deadline - time.monotonic())))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self._errors.append(message["params"]["text"])
            if message.get("id") != self._commands:
                continue
            if message["type"] == "error":
                raise FirefoxError(f"{method}: {message['error']}: {message['message']}")
            return message["result"]


@contextlib.contextmanager
def firefox_page(address: str) -> Iterator[FirefoxPage]:
    """Yield the open page in a fresh profile; skip the test when the system has no Firefox."""
    program = next(filter(None, map(shutil.which, FIREFOX_NAMES)), None)
    if program is None:
        pytest.skip(f"no Firefox: none of {', '.join(FIREFOX_NAMES)} is in the PATH")
    client = pytest.importorskip("websockets.sync.client", reason="no websockets: install the dev dependencies")
    with (
        # Firefox's helpers may still write while the folder is removed.
        tempfile.TemporaryDirectory(prefix="firefox-", ignore_cleanup_errors=True) as folder,
        _running(program, Path(folder)) as socket_address,
        client.connect(f"{socket_address}/session", max_size=None, proxy=None) as connection,
    ):
        page = FirefoxPage(connection)
        page.goto(address)
        yield page


@contextlib.contextmanager
def _running(program: str, folder: Path) -> Iterator[str]:
    """Yield the address of a new Firefox's socket; the browser and all its helpers are ended in any case."""
    profile = folder / "profile"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
    (profile / "user.js").write_text("".join(lines), encoding="utf-8")
    log = folder / "log.txt"
    command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    environment = {**os.environ, **ENVIRONMENT, "HOME": str(folder)}
    with log.open("wb") as stream:
        firefox = subprocess.Popen(command, env=environment, stdout=stream, stderr=stream, start_new_session=True)
    try:
        yield _socket_address(firefox, log)
    finally:
        _end(firefox)


def _socket_address(firefox: "subprocess.Popen[bytes]", log: Path) -> str:
    """Return where Firefox listens, as soon as it says so."""
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        text = log.read_text(encoding="utf-8", errors="replace")
        if said := re.search(r"WebDriver BiDi listening on (ws://\S+)\n", text):
            return said[1]
        if firefox.poll() is not None:
            raise FirefoxError(f"Firefox ended with {firefox.returncode}: {text}")
        time.sleep(0.1)
    raise TimeoutError(f"Firefox was not ready after {SECONDS_TO_START} s: {text}")


def _end(firefox: "subprocess.Popen[bytes]") -> None:
    """End Firefox with its helpers, which are in a session of their own."""
    firefox.terminate()
    try:
        firefox.wait(timeout=SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        firefox.kill()
        firefox.wait(timeout=SECONDS_TO_END)
    with contextlib.suppress(ProcessLookupError):  # what it left behind, mostly nothing
        os.killpg(firefox.pid, signal.SIGKILL)
