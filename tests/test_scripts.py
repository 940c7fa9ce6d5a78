"""The browser scripts by themselves, in Node: their own tests in ``tests/scripts/``, and their types."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = sorted(path.name for path in (ROOT / "tests" / "scripts").glob("*.test.js"))


@pytest.fixture(scope="module")
def node() -> str:
    program = shutil.which("node")
    if program is None:
        pytest.skip("no Node: no node is in the PATH")
    return program


def assert_passes(*command: str | Path) -> None:
    """Fail with all that a command printed, if it fails."""
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=240)
    if ended.returncode != 0:
        pytest.fail(f"exit code {ended.returncode}\n{ended.stdout}{ended.stderr}", pytrace=False)


@pytest.mark.parametrize("name", TESTS)
def test_a_script_does_what_its_tests_say(node: str, name: str) -> None:
    assert_passes(node, "--test", f"tests/scripts/{name}")


def test_the_types_of_scripts_are_right(node: str) -> None:
    compiler = ROOT / "node_modules" / ".bin" / "tsc"
    if not compiler.exists():
        pytest.skip("no TypeScript: no tsc is in node_modules; `make lint` installs it")
    assert_passes(node, compiler)
