"""Options of mkdocs.yml: defaults, types, and all faults together."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from generator.markup.macros import Macro
from generator.settings import Settings, SettingsError, read_settings


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (None, Settings()),
        ({}, Settings()),
        ({"sources": None}, Settings()),
        ({"sources": "a.txt"}, Settings(sources=("a.txt",))),
        ({"sources": ["a.txt", "folder"]}, Settings(sources=("a.txt", "folder"))),
        ({"entries_per_page": 10}, Settings(entries_per_page=10)),
        ({"entries_per_page": 200, "search": False}, Settings(search=False)),
        ({"macros": None}, Settings()),
        ({"macros": {"R": r"\mathbb{R}"}}, Settings(macros={"R": Macro(r"\mathbb{R}", 0)})),
        ({"macros": {r"\norm": r"\|#1\|_#2"}}, Settings(macros={"norm": Macro(r"\|#1\|_#2", 2)})),
    ],
)
def test_options_are_read(options: object, settings: Settings) -> None:
    assert read_settings(options, file="mkdocs.yml") == settings


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("yes", "expected options with values, found 'yes'"),
        (["sources"], "expected options with values"),
        ({"serach": True}, "serach: no such option; there are sources, entries_per_page, search"),
        ({1: True}, "1: no such option"),
        ({"sources": [1]}, "sources: expected a list of files and folders, found [1]"),
        ({"sources": [""]}, "sources: expected"),
        ({"sources": {"a": 1}}, "sources: expected"),
        ({"entries_per_page": 9}, "entries_per_page: expected a whole number from 10 to 200, found 9"),
        ({"entries_per_page": 201}, "found 201"),
        ({"entries_per_page": True}, "found True"),
        ({"entries_per_page": "50"}, "found '50'"),
        ({"entries_per_page": 50.0}, "found 50.0"),
        ({"search": "yes"}, "search: expected true or false, found 'yes'"),
        ({"macros": ["R"]}, "macros: expected names with what they stand for, found ['R']"),
        ({"macros": {"R2": "x"}}, "macros: expected a name of letters, found 'R2'"),
        ({"macros": {1: "x"}}, "macros: expected a name of letters, found 1"),
        ({"macros": {"R": 2}}, "macros: R: expected LaTeX of at most 2,000 characters, found 2"),
    ],
)
def test_a_fault_says_what_was_expected_and_found(options: object, words: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(words)) as raised:
        read_settings(options, file="mkdocs.yml")
    assert "mkdocs.yml" in str(raised.value)
    assert raised.value.exit_code == 2


def test_all_faults_are_reported_together() -> None:
    with pytest.raises(SettingsError) as raised:
        read_settings({"a": 1, "sources": 5, "entries_per_page": 0, "search": 3}, file="mkdocs.yml")
    assert [fault.split(":")[0] for fault in raised.value.faults] == ["a", "sources", "entries_per_page", "search"]


def test_a_new_mkdocs_yml_shows_every_option_with_its_default() -> None:
    config = (Path(__file__).parents[1] / "site_templates" / "new" / "mkdocs.yml").read_text(encoding="utf-8")
    for option in fields(Settings):
        assert f"    {option.name}: " in config
