"""tags.yml: what its rules say, and what they may not say."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.problems import PapershelfError
from generator.strict_yaml import UserFileError
from generator.tags.phrases import joined_name
from generator.tags.rules import NO_RULES, SECTIONS, Alias, Rename, RulePhrase, TagRules, read_tag_rules
from generator.terms import words_of
from tests.user_files import assert_faults

WHOLE = """\
# My rules
alias:
  LLMs:  large   language models
  RL: reinforcement learning
block: [state of the art, C++]
rename:
  Reinforcement-Learning: RL & control
pin:
  - sourdough bread
  - 猫の行動
never-merge:
  - [data sets, databases]
  - [GAN, generative model, data set]
"""


def phrase(text: str, line: int) -> RulePhrase:
    keys = [word.key for word in words_of(text)]
    return RulePhrase(text, " ".join(keys), joined_name(keys), line)


def read(path: Path, text: str | bytes) -> TagRules:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_tag_rules(path)


def test_rules_are_read_with_their_lines(tmp_path: Path) -> None:
    assert read(tmp_path / "tags.yml", WHOLE) == TagRules(
        aliases=(
            Alias(phrase("LLMs", 3), phrase("large language models", 3)),
            Alias(phrase("RL", 4), phrase("reinforcement learning", 4)),
        ),
        blocked=(phrase("state of the art", 5), phrase("C++", 5)),
        renames=(Rename(phrase("Reinforcement-Learning", 7), "RL & control"),),
        pinned=(phrase("sourdough bread", 9), phrase("猫の行動", 10)),
        never_merged=(
            (phrase("data sets", 12), phrase("databases", 12)),
            (phrase("GAN", 13), phrase("generative model", 13), phrase("data set", 13)),
        ),
    )


def test_rules_are_looked_up_by_name(tmp_path: Path) -> None:
    def name(text: str) -> str:
        return phrase(text, 1).name

    rules = read(tmp_path / "tags.yml", WHOLE)
    assert rules.tags_by_alias()[name("LLM")].text == "large language models"
    assert rules.labels_by_tag() == {name("reinforcement learning"): "RL & control"}
    assert rules.blocked_names() == {name("state-of-the-art"), name("C++")}
    assert name("C") not in rules.blocked_names()
    assert rules.pinned_names() == {name("Sourdough breads"), name("猫の行動")}
    groups = rules.groups_apart()
    assert groups[name("dataset")] == {0, 1}
    assert groups[name("dataset")] & groups[name("database")]
    assert not groups[name("databases")] & groups[name("GANs")]


def test_the_first_of_two_aliases_for_one_phrase_gives_its_tag(tmp_path: Path) -> None:
    rules = read(tmp_path / "tags.yml", "alias: {LLMs: language models, LLM: Language Model}\n")
    assert rules.tags_by_alias()[phrase("llm", 1).name].text == "language models"


@pytest.mark.parametrize(
    "text", ["", "# none\n", "---\n", "{}", "pin:\nblock:\n", "alias: {}\npin: []\nnever-merge: []\n"]
)
def test_a_file_may_hold_no_rules(tmp_path: Path, text: str) -> None:
    assert read(tmp_path / "tags.yml", text) == NO_RULES


def test_no_file_is_no_rules(tmp_path: Path) -> None:
    assert read_tag_rules(tmp_path / "tags.yml") == NO_RULES


@pytest.mark.parametrize(
    "text",
    [
        "pin: [no, 012, 1e5, off]\n",
        "pin: [GPT-4, R&D, p53, E, i]\n",
        "pin: [one two three four five six]\n",
        "pin: [自然言語処理の研究]\n",
        f"rename: {{a: {'b' * 60}}}\n",
        "pin: [LLM, LLMs]\nblock: [x ray, x-rays]\n",
        "alias: {LLMs: language models, LLM: language model}\n",
        "alias: {a1: c1, b1: c1}\nnever-merge: [[a1, d1], [b1, d1]]\n",
        "alias: {a1: c1}\nblock: [a1]\n",
        "rename: {a1: b1, b1: a1}\n",
        "never-merge: [[a1, a1, b1]]\n",
    ],
)
def test_what_does_no_harm_is_no_fault(tmp_path: Path, text: str) -> None:
    assert read(tmp_path / "tags.yml", text) != NO_RULES


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        # The file
        ("a: b: c\n", ["line 1: expected YAML"]),
        ("- pin\n", ["line 1: expected names with values (name: value), found a list"]),
        ("pin: [a]\npin: [b]\n", ["line 2: expected each name once, found 'pin' again (line 1)"]),
        ("pin: [*x]\n", ["line 1: expected a text, found an alias"]),
        ("pin: &x [a]\n", ["line 1: expected a text, found an anchor"]),
        ("pin: [[[[a]]]]\n", ["line 1: expected at most 3 levels"]),
        (b"pin: [\xff]\n", ["line 1: expected text in UTF-8, found the byte 0xff"]),
        ("pin: [\x01]\n", ["line 1: expected text, found a control character"]),
        # Sections
        ("\nblok: [a]\n", ["line 2: expected one of the sections alias, block, rename, pin, never-merge, found 'blok'; did you mean block?"]),
        ("never_merge: []\n", ["found 'never_merge'; did you mean never-merge?"]),
        ("Pin: []\n", ["found 'Pin'; did you mean pin?"]),
        ("zzz: []\n", ["found 'zzz'"]),
        ("alias: [a]\n", ["line 1: alias: expected phrases with their tags (LLMs: large language models), found a list"]),
        ("rename: a\n", ["line 1: rename: expected tags with their labels (tag: label), found 'a'"]),
        ("block: a\n", ["line 1: block: expected a list of phrases ([one, another]), found 'a'"]),
        ("pin: {a: b}\n", ["line 1: pin: expected a list of phrases ([one, another]), found a mapping"]),
        ("never-merge: [a, b]\n", ["found 'a'", "line 1: never-merge: expected lists of phrases ([[one, another], [third, fourth]]), found 'b'"]),
        ("never-merge: a\n", ["line 1: never-merge: expected lists of phrases"]),
        # Phrases and labels
        ("pin: ['']\n", ["line 1: pin: expected a phrase with a letter or digit, found nothing"]),
        ("block:\n- a\n-\n", ["line 3: block: expected a phrase with a letter or digit, found nothing"]),
        ("pin: ['?!']\n", ["line 1: pin: expected a phrase with a letter or digit, found '?!'"]),
        ("pin: [[a]]\n", ["line 1: pin: expected a phrase, found a list"]),
        ("alias: {'': a}\n", ["line 1: alias: expected a phrase with a letter or digit, found nothing"]),
        ("alias:\n  a:\n", ["line 2: alias: expected a phrase with a letter or digit, found nothing"]),
        ("alias: {a: [b]}\n", ["line 1: alias: expected a phrase, found a list"]),
        ("pin: [one two three four five six seven]\n", ["line 1: pin: expected a phrase of at most 6 words, found 7 in 'one two"]),
        ("pin: [state-of-the-art machine learning system]\n", ["expected a phrase of at most 6 words, found 7"]),
        ("rename:\n  a:\n", ["line 2: rename: expected a label with a letter or digit, found nothing"]),
        ("rename: {a: '-'}\n", ["line 1: rename: expected a label with a letter or digit, found '-'"]),
        ("rename: {a: {b: c}}\n", ["line 1: rename: expected a label, found a mapping"]),
        ('rename: {a: "x\\u202ey"}\n', ["line 1: rename: expected characters that are shown, found characters that cannot be shown (U+202E)"]),
        ('pin: ["big\\u200b cake"]\n', ["line 1: pin: expected characters that are shown, found characters that cannot be shown (U+200B)"]),
        (f"rename: {{a: {'b' * 61}}}\n", ["line 1: rename: expected a label of at most 60 characters, found 61 in 'bbb"]),
        ("never-merge: [[]]\n", ["line 1: never-merge: expected two or more different phrases in a list, found none"]),
        ("never-merge: [[LLM]]\n", ["expected two or more different phrases in a list, found 'LLM'"]),
        ("never-merge: [[LLM, LLMs]]\n", ["expected two or more different phrases in a list, found 'LLM' and 'LLMs'"]),
        ("never-merge: [[data set, dataset, Data-Sets]]\n", ["expected two or more different phrases"]),
        # Contradictions
        ("alias: {LLMs: LLM}\n", ["line 1: alias: expected another phrase than 'LLMs', found 'LLM'"]),
        ("alias:\n  a1: b1\n  b1: c1\n", ["line 2: alias: expected a tag that is no alias, found 'b1', itself an alias of 'c1' (line 3)"]),
        ("alias:\n  a1: b1\n  b1: a1\n", ["line 2: alias: expected a tag that is no", "line 3: alias: expected a tag that is no alias, found 'a1', itself an alias of 'b1' (line 2)"]),
        ("alias:\n  LLM: b1\n  LLMs: c1\n", ["line 3: alias: expected one tag for 'LLMs', found 'c1' and 'b1' (line 2)"]),
        ("pin: [LLM]\nblock: [LLMs]\n", ["line 1: pin: expected a phrase that is not under block, found 'LLMs' there too (line 2)"]),
        ("rename: {LLM: x}\nblock: [LLMs]\n", ["line 1: rename: expected a phrase that is not under block, found 'LLMs' there too (line 2)"]),
        ("alias: {a1: LLM}\nblock: [LLMs]\n", ["line 1: alias: expected a phrase that is not under block, found 'LLMs' there too (line 2)"]),
        ("alias: {LLM: a1}\npin: [LLMs]\n", ["line 2: pin: expected a phrase that is not under alias, found 'LLM' there too (line 1)"]),
        ("alias: {LLM: a1}\nrename: {LLMs: x}\n", ["line 2: rename: expected a phrase that is not under alias, found 'LLM' there too (line 1)"]),
        ("rename:\n  LLM: x\n  LLMs: y\n", ["line 3: rename: expected one label for 'LLMs', found 'y' and 'x' (line 2)"]),
        ("rename:\n  a1: Big  X\n  b1: big x\n", ["line 3: rename: expected one tag with the label 'big x', found 'b1' and 'a1' (line 2)"]),
        ("rename:\n  a1: Cake\n  b1: \uff23\uff41ke\n", ["line 3: rename: expected one tag with the label '\uff23\uff41ke', found 'b1' and 'a1' (line 2)"]),
        ("alias:\n  a1: b1\nnever-merge:\n- [b1, a1]\n", ["line 4: never-merge: expected phrases that no alias joins, found 'b1' and 'a1', which are one tag by an alias (line 2)"]),
        ("alias:\n  a1: c1\n  b1: c1\nnever-merge: [[a1, d1, b1]]\n", ["line 4: never-merge: expected phrases that no alias joins, found 'a1' and 'b1'"]),
        # All together
        (
            "alias: {a1: a1}\nblock: [b1, '']\npin:\n- b1\nrename: {c1: '?'}\nnever-merge: [d1]\nspin: []\n",
            [
                "line 1: alias: expected another phrase",
                "line 2: block: expected a phrase with",
                "line 4: pin: expected a phrase that is not under block",
                "line 5: rename: expected a label",
                "line 6: never-merge: expected lists",
                "line 7: expected one of the sections",
            ],
        ),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_lines(tmp_path: Path, text: str | bytes, faults: list[str]) -> None:
    assert_faults(read_tag_rules, tmp_path / "tags.yml", text, faults)


@pytest.mark.parametrize("section", ["alias", "rename"])
def test_long_chains_take_no_square_of_time(tmp_path: Path, section: str) -> None:
    with pytest.raises(UserFileError) as raised:
        read(tmp_path / "tags.yml", f"{section}:\n" + "".join(f"  a{n}: {'a' if section == 'alias' else 'b?'}{n + 1}\n" for n in range(20_000)) + "pin: ['']\n")  # fmt: skip
    assert len(raised.value.faults) == (20_000 if section == "alias" else 1)


RULES = st.recursive(
    st.sampled_from(["", "a", "LLM", "LLMs", "b c", "?", "no", "c", "one two three four five six seven"]),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.sampled_from(["a", "LLM", "b c", ""]), parts, max_size=3),
    max_leaves=6,
)  # fmt: skip
FILES = st.dictionaries(st.sampled_from([*SECTIONS, "pinn", ""]), RULES, max_size=5)


@given(
    data=FILES.map(lambda rules: yaml.safe_dump(rules).encode())
    | st.text().map(lambda text: f"pin: {text}".encode(errors="replace"))
)
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-tags.yml"
    try:
        rules = read(path, data)
    except PapershelfError:
        return
    assert not rules.blocked_names() & rules.pinned_names()
    assert not rules.tags_by_alias().keys() & {tag.name for tag in rules.tags_by_alias().values()}
    assert not rules.blocked_names() & rules.labels_by_tag().keys()
