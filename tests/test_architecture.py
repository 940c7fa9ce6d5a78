"""ARCHITECTURE.md and the package agree."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
MODULES = sorted(path.relative_to(ROOT / "generator").as_posix() for path in (ROOT / "generator").rglob("*.py"))


@pytest.mark.parametrize("module", [module for module in MODULES if not module.endswith("__init__.py")])
def test_every_module_is_named(module: str) -> None:
    folder, _, name = module.rpartition("/")
    assert f"`{module}`" in TEXT or (f"`{folder}/`" in TEXT and f"`{name}`" in TEXT)


def test_every_module_named_exists() -> None:
    names = {module.rpartition("/")[2] for module in MODULES}
    assert set(re.findall(r"`(?:\w+/)?(\w+\.py)`", TEXT)) <= names


def test_every_dependency_has_a_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.split(r"[,|\s]+", TEXT.partition("## Dependencies")[2])
    missing = [name for name in project["dependencies"] if re.split(r"[>=<]", name)[0] not in named]
    assert missing == []


def test_stages_import_no_later_stage() -> None:
    order = ["sources", "markup", "titles", "tags", "pages", "render", "finish"]
    faults = []
    for number, stage in enumerate(order):
        for path in (ROOT / "generator" / stage).rglob("*.py"):
            imported = re.findall(r"^(?:from|import) generator\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
            faults += [f"{path.name} imports {later}" for later in imported if later in order[number + 1 :]]
    assert faults == []


def test_only_render_and_the_configuration_import_mkdocs() -> None:
    users = {
        path.relative_to(ROOT / "generator").parts[0]
        for path in (ROOT / "generator").rglob("*.py")
        if re.search(r"^\s*(?:from|import) mkdocs", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert users == {"render", "site_config.py"}
