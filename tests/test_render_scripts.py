"""The bundler: modules in, classic scripts out that do the same, and clear words for what it doesn't understand."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.pages.templates import BUNDLED_TEMPLATES
from generator.render.scripts import ENTRY, ScriptError, SiteFacts, bundle, read_modules

FACTS = SiteFacts(id="0123456789ab", name="Owls & </script> \u2028", papers=3, newest="2031-05-06")

MODULES = {
    "start": 'import { add, Counter as Tally } from "./sums.js";\nimport { WORD } from "./words.js";\n\n'
    "const tally = new Tally();\ntally.count(add(1, 2));\nconsole.log(WORD, tally.total);\n",
    "sums": 'import { WORD } from "./words.js";\n\n/** Adds. See import("./words.js").T. */\nexport function add(a, b) {\n'
    "  return a + b + WORD.length;\n}\n\nexport class Counter {\n  total = 0;\n  count(n) {\n    this.total += n;\n  }\n}\n",
    "words": 'export const WORD = "tea";\nconsole.log("words first");\n',
}


@pytest.fixture(scope="module")
def node() -> str:
    program = shutil.which("node")
    if program is None:
        pytest.skip("no Node: no node is in the PATH")
    return program


def run(node: str, script: str) -> list[str]:
    """Return the lines that a classic script prints."""
    program = f"require('node:vm').runInNewContext({json.dumps(script)}, {{ console }});"
    return (
        subprocess.run([node, "-e", program], check=True, capture_output=True, text=True, encoding="utf-8", timeout=60)
        .stdout.rstrip("\n")
        .split("\n")
    )


def test_a_bundle_does_what_its_modules_do_each_run_once(node: str) -> None:
    assert run(node, bundle("start", MODULES)) == ["words first", "tea 6"]


def test_names_of_one_module_are_not_those_of_another(node: str) -> None:
    modules = {
        "one": 'import { name } from "./other.js";\nconst secret = 1;\nconsole.log(name, secret);\n',
        "other": 'const secret = "hidden";\nexport const name = secret + "!";\n',
    }
    assert run(node, bundle("one", modules)) == ["hidden! 1"]


def test_imports_may_span_lines_and_nothing_may_be_exported(node: str) -> None:
    modules = {
        "one": 'import {\n  first,\n  second as other,\n} from "./two.js";\nimport "./three.js";\nconsole.log(first, other);\nexport {};\n',
        "two": "export const first = 1;\nexport async function second() {}\n",
        "three": 'console.log("three");\n',
    }
    lines = run(node, bundle("one", modules))
    assert lines == ["three", "1 [AsyncFunction: second]"]


def test_comments_of_their_own_lines_are_left_out_and_text_stays() -> None:
    script = bundle(
        "one", {"one": '/**\n * Gone.\n */\nconst text = "/** stays */"; /** stays, too */\nconsole.log(text);\n'}
    )
    assert "Gone" not in script
    assert script.count("stays") == 2


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\nexport default 3;\n", 2, "export default 3;"),
        ('import x from "./words.js";\n', 1, "import x"),
        ('import * as x from "./words.js";\n', 1, "import [*]"),
        ('export * from "./words.js";\n', 1, "export [*]"),
        ("const a = 1;\nexport { a };\n", 2, "export { a }"),
        ("export let a = 1;\n", 1, "export let"),
        ('import { WORD } from "https://example.org/x.js";\n', 1, "import { WORD }"),
        ('\n\nimport { WORD } from "./nowhere.js";\n', 3, "'nowhere', which is not there"),
        ('import { WORDS } from "./words.js";\n', 1, "names that words.js exports, found WORDS"),
        ('import { add } from "./sums.js";\nimport { x } from "./back.js";\n', 1, "the circle start → back → start"),
    ],
)
def test_what_is_not_understood_is_told_with_its_place(text: str, line: int, words: str) -> None:
    modules = {**MODULES, "start": text, "back": 'import { y } from "./start.js";\nexport const x = 1;\n'}
    with pytest.raises(ScriptError, match=f"line {line}: expected .*{words}") as told:
        bundle("start", modules)
    assert "scripts/" in str(told.value)


def test_the_site_s_facts_take_the_place_of_the_module(node: str) -> None:
    modules = read_modules([BUNDLED_TEMPLATES], FACTS)
    show = 'import { SITE } from "./site.js";\nconsole.log(JSON.stringify(SITE));\n'
    script = bundle("show", {**modules, "show": show})
    assert script.isascii()
    assert json.loads(run(node, script)[0]) == {"id": FACTS.id, "name": FACTS.name, "papers": 3, "newest": FACTS.newest}


def test_the_user_s_own_module_is_taken(tmp_path: Path) -> None:
    own = tmp_path / "scripts"
    own.mkdir()
    (own / "keys.js").write_text(
        "// mine\nexport function listenToKeys() {}\nexport function keysButton() {}\n", encoding="utf-8"
    )
    script = bundle(ENTRY, read_modules([tmp_path, BUNDLED_TEMPLATES], FACTS))
    assert "// mine" in script


def test_the_bundled_scripts_are_understood_by_a_browser_s_parser(node: str, tmp_path: Path) -> None:
    path = tmp_path / "bundle.js"
    path.write_text(bundle(ENTRY, read_modules([BUNDLED_TEMPLATES], FACTS)), encoding="utf-8")
    subprocess.run([node, "--check", str(path)], check=True, timeout=60)
