"""tags.yml, applied: what each rule changes, and what it leaves alone."""

import json
from pathlib import Path

import pytest

from generator.model import Tagging
from generator.tags import tag_papers
from generator.tags.rules import NO_RULES, TagRules, read_tag_rules
from tests.projects import ABSTRACTS, make_project, records
from tests.test_tags import SUBJECTS, corpus, paper

PAPERS = corpus(("tide tables (TTs)", *(subject for subject in SUBJECTS if "LLMs" not in subject)))
PLAIN = tag_papers(PAPERS, ())


def rules(folder: Path, text: str) -> TagRules:
    path = folder / "tags.yml"
    path.write_text(text, encoding="utf-8")
    return read_tag_rules(path)


def shown(tagging: Tagging) -> list[set[str]]:
    return [{tag.label for tag in tags} for tags in tagging.tags]


def given(tagging: Tagging) -> set[str]:
    return {label for labels in shown(tagging) for label in labels}


def test_the_corpus_has_its_subjects_as_tags() -> None:
    assert {"coral reefs", "speech synthesis", "tide tables", "reinforcement learning"} <= given(PLAIN)
    assert PLAIN.problems == ()


@pytest.mark.parametrize("known", [(), PLAIN.vocabulary], ids=["first build", "second build"])
def test_a_blocked_tag_is_gone_with_its_variants(tmp_path: Path, known: tuple[()]) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, "block: [TTs, Coral Reef]"))
    assert not {"coral reefs", "tide tables", "TTs", "TT"} & given(tagging)
    assert "speech synthesis" in given(tagging)
    assert tagging.problems == ()


@pytest.mark.parametrize("known", [(), PLAIN.vocabulary], ids=["first build", "second build"])
def test_an_alias_counts_as_its_tag(tmp_path: Path, known: tuple[()]) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, "alias: {speech synthesis: coral reefs}"))
    assert "speech synthesis" not in given(tagging)
    for number, labels in enumerate(shown(PLAIN)):
        if labels & {"speech synthesis", "coral reefs"}:
            assert "coral reefs" in shown(tagging)[number]


@pytest.mark.parametrize("known", [(), PLAIN.vocabulary], ids=["first build", "second build"])
@pytest.mark.parametrize("target", ["notes", "life under water"], ids=["in the texts", "in no text"])
def test_the_tag_of_an_alias_may_be_new(tmp_path: Path, known: tuple[()], target: str) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, f"alias: {{coral reefs: {target}}}"))
    assert "coral reefs" not in given(tagging)
    assert target in given(tagging)
    for number, labels in enumerate(shown(PLAIN)):
        assert ("coral reefs" not in labels) or target in shown(tagging)[number]


@pytest.mark.parametrize("known", [(), PLAIN.vocabulary], ids=["first build", "second build"])
def test_a_renamed_tag_is_shown_so_and_the_lock_keeps_its_name(tmp_path: Path, known: tuple[()]) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, "rename: {coral reef: Reefs & atolls}"))
    assert "Reefs & atolls" in given(tagging)
    assert "coral reefs" not in given(tagging)
    assert {tag.label for tag in tagging.vocabulary} == {tag.label for tag in PLAIN.vocabulary}
    slugs = {tag.slug for tags in tagging.tags for tag in tags if tag.label == "Reefs & atolls"}
    assert slugs == {tag.slug for tag in PLAIN.vocabulary if tag.label == "coral reefs"}


def test_a_label_that_another_tag_has_is_not_taken(tmp_path: Path) -> None:
    tagging = tag_papers(PAPERS, (), rules(tmp_path, "rename: {coral reefs: Speech Synthesis}"))
    assert {"coral reefs", "speech synthesis"} <= given(tagging)
    (problem,) = tagging.problems
    assert problem.kind == "tag-label-taken"
    assert "Speech Synthesis" in problem.message
    assert problem.done == "the tag kept its label"


@pytest.mark.parametrize("known", [(), PLAIN.vocabulary], ids=["first build", "second build"])
def test_one_paper_is_enough_for_a_pinned_tag(tmp_path: Path, known: tuple[()]) -> None:
    lone = paper("Owl husbandry", "We keep owls. Owl husbandry and coral reefs have nothing in common.", 99)
    tagging = tag_papers([*PAPERS, lone], known, rules(tmp_path, "pin: [owl husbandry]"))
    assert tagging.tags[-1][0].label == "owl husbandry"
    assert tagging.tags[:-1] == tag_papers([*PAPERS, lone], known).tags[:-1]


@pytest.mark.parametrize("known", [(), PLAIN.vocabulary], ids=["first build", "second build"])
def test_what_is_never_merged_is_two_tags(tmp_path: Path, known: tuple[()]) -> None:
    papers = [
        *PAPERS,
        *(paper(f"TT {n}", f"TTs are in use. We print TTs by hand, batch {n}.", 900 + n) for n in range(3)),
    ]
    together = tag_papers(papers, known)
    assert all("tide tables" in labels for labels in shown(together)[-3:])
    apart = tag_papers(papers, known, rules(tmp_path, "never-merge: [[TT, tide table]]"))
    assert "tide tables" in given(apart)
    assert all(labels & {"TTs", "TT"} and "tide tables" not in labels for labels in shown(apart)[-3:])


@pytest.mark.parametrize(
    "text",
    [
        "block: [coral reefs]",
        "alias: {speech synthesis: coral reefs}",
        "rename: {coral reefs: Reefs}",
        "alias: {coral reefs: life under water}\npin: [notes]\nrename: {speech synthesis: Talking machines}",
    ],
)
def test_a_second_build_changes_nothing_and_without_rules_the_old_tags_are_back(tmp_path: Path, text: str) -> None:
    ruled = rules(tmp_path, text)
    first = tag_papers(PAPERS, PLAIN.vocabulary, ruled)
    assert tag_papers(PAPERS, first.vocabulary, ruled).tags == first.tags
    back = tag_papers(PAPERS, first.vocabulary, NO_RULES)
    assert given(PLAIN) <= given(back)


def test_rules_that_no_paper_gives_reason_for_are_reported(tmp_path: Path) -> None:
    text = "block:\n  - sea serpents\nalias:\n  krakens: coral reefs\npin: [coral reef]\n"
    tagging = tag_papers(PAPERS, (), rules(tmp_path, text))
    assert [(problem.kind, problem.file) for problem in tagging.problems] == [("tag-rule-idle", "tags.yml")] * 2
    messages = [problem.message for problem in tagging.problems]
    assert "alias" in messages[0]
    assert "'krakens' (line 4)" in messages[0]
    assert "'sea serpents' (line 2)" in messages[1]


def test_the_order_of_rules_does_not_matter(tmp_path: Path) -> None:
    one = rules(tmp_path, "pin: [notes, speech synthesis]\nblock: [coral reefs, protein folding]\n")
    other = rules(tmp_path, "block: [protein folding, coral reefs]\npin: [speech synthesis, notes]\n")
    assert tag_papers(PAPERS, (), one) == tag_papers(PAPERS, (), other)


def test_the_command_line_follows_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = make_project(tmp_path / "shelf", ABSTRACTS)
    assert project.run("build", project.source, "--no-search") == 0
    before = [set(map(str, record["tags"])) for record in records(project) if isinstance(record["tags"], list)]
    assert any("clay pots" in tags for tags in before)
    lock = project.folder / "papershelf.lock.json"
    slugs = {tag["label"]: tag["slug"] for tag in json.loads(lock.read_text(encoding="utf-8"))["tags"]}
    text = (
        "rename: {clay pots: Pottery}\nblock: [lighthouses]\npin: [village post office]\nalias: {gnomes: clay pots}\n"
    )
    (project.folder / "tags.yml").write_text(text, encoding="utf-8")
    capsys.readouterr()
    assert project.run("build", project.source, "--no-search") == 0
    assert "expected a phrase that a paper holds, found 'gnomes' (line 4)" in capsys.readouterr().err
    after = [set(map(str, record["tags"])) for record in records(project) if isinstance(record["tags"], list)]
    assert [("Pottery" in tags) for tags in after] == [("clay pots" in tags) for tags in before]
    assert not any("lighthouses" in tags for tags in after)
    assert sum("village post office" in tags for tags in after) == 1
    page = (project.site / "tags" / f"{slugs['clay pots']}.html").read_text(encoding="utf-8")
    assert "<h1>Pottery</h1>" in page or ">Pottery<" in page
    kept = {tag["label"] for tag in json.loads(lock.read_text(encoding="utf-8"))["tags"]}
    assert set(slugs) <= kept
