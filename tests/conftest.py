"""What all tests share.

Golden pages lie in ``tests/golden/``. ``pytest --refresh-golden`` writes them anew instead of comparing; read the
difference before you commit it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--refresh-golden", action="store_true", help="write tests/golden/ anew instead of comparing")


class Golden:
    """Compares texts with the files in ``tests/golden/``, or writes them."""

    def __init__(self, refresh: bool) -> None:
        self.refresh = refresh

    def check(self, name: str, text: str) -> None:
        path = GOLDEN / name
        if self.refresh:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"no golden file {name}: run `pytest --refresh-golden` and read what it writes"
        assert text == path.read_text(encoding="utf-8"), f"{name} differs; `pytest --refresh-golden` writes it anew"

    def check_names(self, folder: str, names: set[str]) -> None:
        """Compare the names of all files of a folder, so that no golden file is left over."""
        found = {path.relative_to(GOLDEN / folder).as_posix() for path in (GOLDEN / folder).rglob("*.md")}
        if self.refresh:
            for name in found - names:
                (GOLDEN / folder / name).unlink()
            found &= names
        assert found == names


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(refresh=bool(request.config.getoption("--refresh-golden")))


@pytest.fixture(autouse=True, scope="session")
def fixed_day() -> Iterator[None]:
    """Let every build happen on one day, and no build depend on the environment."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1924991999")  # 2030-12-31, 23:59:59
        patch.delenv("PYTHONHASHSEED", raising=False)
        yield
