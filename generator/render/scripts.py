"""Enters: the browser's modules in ``site_templates/scripts/``.

Leaves: one classic script for all pages, since a page on disk may not load modules. Only what the modules use is
understood: imports of names from a module beside, and exports of constants, functions and classes; both at the start of
a line.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from generator.problems import PapershelfError

SCRIPTS_FOLDER = "scripts"
"""Within a folder of templates; a file in the user's own replaces the bundled one of that name."""

ENTRY = "every_page"
"""The module that the script of all pages begins with."""

_FACTS = "site"
"""The module whose text each build writes."""

_IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"\./([a-z][a-z0-9_]*)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function\*?|function\*?|class|const) ([A-Za-z_$][\w$]*))", re.MULTILINE)
_NOTHING_EXPORTED = re.compile(r"^export \{\};$", re.MULTILINE)
_COMMENT = re.compile(r"^[ ]*/\*\*(?:[^*]|\*(?!/))*\*/\n", re.MULTILINE)
"""A comment with lines of its own: a third of all bytes, which no reader's browser needs."""
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_NAME = re.compile(r"([A-Za-z_$][\w$]*)(?: as ([A-Za-z_$][\w$]*))?")


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """What the scripts know of the site."""

    id: str
    """12 hex digits, the same in all builds: what a browser keeps of a site stands under it."""
    name: str
    papers: int
    newest: str
    """The newest day on which a paper was added, ``YYYY-MM-DD``; empty for a site without papers."""


class ScriptError(PapershelfError):
    """A module cannot be made part of a script."""

    def __init__(self, module: str, line: int, expected: str, found: str) -> None:
        super().__init__(f"{SCRIPTS_FOLDER}/{module}.js, line {line}: expected {expected}, found {found}")


@dataclass(frozen=True, slots=True)
class _Module:
    body: str
    """Without imports, and without the word in front of what it exports."""
    exports: tuple[str, ...]
    imports: tuple[tuple[str, str, int], ...]
    """Names as they stand within braces, the module they are from, and the line."""


def read_modules(template_folders: Sequence[Path], facts: SiteFacts) -> dict[str, str]:
    """Return the text of each module by its name; where several folders have one, the first folder's is taken."""
    found: dict[str, str] = {}
    for folder in template_folders:
        for path in sorted((folder / SCRIPTS_FOLDER).glob("*.js")):
            found.setdefault(path.stem, path.read_text(encoding="utf-8"))
    found[_FACTS] = f"export const SITE = Object.freeze({json.dumps(asdict(facts))});\n"
    return found


def bundle(entry: str, modules: Mapping[str, str]) -> str:
    """Return one classic script that does what a module does, with all modules that it needs.

    Args:
        entry: Name of the module to begin with, without suffix.
        modules: Text of each module by name.

    Raises:
        ScriptError: a module is missing, or one is written in a way that is not understood.
    """
    read: dict[str, _Module] = {}
    _read(entry, modules, read, under_way=(), asked_by=(entry, 1))
    parts = [_wrapped(name, module, read) for name, module in read.items()]
    return "\n".join(['(() => {\n"use strict";', *parts, "})();", ""])


def _read(
    name: str,
    modules: Mapping[str, str],
    read: dict[str, _Module],
    under_way: tuple[str, ...],
    asked_by: tuple[str, int],
) -> None:
    """Read a module and all that it needs into ``read``, which then holds each after those that it needs."""
    if name in under_way:
        circle = " → ".join((*under_way[under_way.index(name) :], name))
        raise ScriptError(*asked_by, "modules that don't need each other", f"the circle {circle}")
    if name in read:
        return
    if name not in modules:
        raise ScriptError(*asked_by, "a module of that folder", f"{name!r}, which is not there")
    module = _parse(name, modules[name])
    for _, needed, line in module.imports:
        _read(needed, modules, read, (*under_way, name), (name, line))
    read[name] = module


def _parse(name: str, text: str) -> _Module:
    imports = tuple(
        (found[1] or "", found[2], text.count("\n", 0, found.start()) + 1) for found in _IMPORT.finditer(text)
    )
    exports = tuple(_EXPORT.findall(text))
    # Lines stay where they are, so that a message tells the right one.
    body = _IMPORT.sub(lambda found: "\n" * found[0].count("\n"), text)
    body = _NOTHING_EXPORTED.sub("", _EXPORT.sub("", body))
    left = _LEFT.search(body)
    if left:
        line = body.count("\n", 0, left.start()) + 1
        expected = 'import { name } from "./module.js"; or export function, class or const'
        raise ScriptError(name, line, expected, left[0])
    return _Module(_COMMENT.sub("", body).strip("\n"), exports, imports)


def _wrapped(name: str, module: _Module, read: Mapping[str, _Module]) -> str:
    taken = []
    for names, source, line in module.imports:
        pairs = []
        for each in filter(None, (part.strip() for part in names.split(","))):
            found = _NAME.fullmatch(each)
            if not found or found[1] not in read[source].exports:
                raise ScriptError(name, line, f"names that {source}.js exports", each)
            pairs.append(f"{found[1]}: {found[2]}" if found[2] else found[1])
        if pairs:
            taken.append(f"const {{ {', '.join(pairs)} }} = module_{source};")
    inside = "\n".join([*taken, module.body, f"return {{ {', '.join(module.exports)} }};"])
    return f"// {name}.js\nconst module_{name} = (() => {{\n{inside}\n}})();"
