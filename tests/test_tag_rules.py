"""tags.yml, applied: what each rule changes, and what it leaves alone."""

import json
import time
from itertools import combinations, permutations
from pathlib import Path

import pytest

from generator.model import Tagging
from generator.tags import tag_papers
from generator.tags.rules import NO_RULES, TagRules, read_tag_rules
from tests.projects import ABSTRACTS, make_project, records
from tests.test_tags import SUBJECTS as SUBJECTS_OF_ALL
from tests.test_tags import corpus, paper

SUBJECTS = (*SUBJECTS_OF_ALL[:6], "tide tables (TTs)", "Bayesian inference")
PAPERS = corpus(SUBJECTS)
PLAIN = tag_papers(PAPERS, ())

KNOWN = pytest.mark.parametrize("known", [(), PLAIN.vocabulary], ids=["first build", "second build"])


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


@KNOWN
def test_a_blocked_tag_is_gone_with_its_variants(tmp_path: Path, known: tuple[()]) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, "block: [TTs, Coral Reef]"))
    assert not {"coral reefs", "tide tables", "TTs", "TT"} & given(tagging)
    assert "speech synthesis" in given(tagging)
    assert tagging.problems == ()


@KNOWN
def test_an_alias_counts_as_its_tag(tmp_path: Path, known: tuple[()]) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, "alias: {speech synthesis: coral reefs}"))
    assert "speech synthesis" not in given(tagging)
    for number, labels in enumerate(shown(PLAIN)):
        if labels & {"speech synthesis", "coral reefs"}:
            assert "coral reefs" in shown(tagging)[number]


@KNOWN
@pytest.mark.parametrize("target", ["notes", "life under water"], ids=["in the texts", "in no text"])
def test_the_tag_of_an_alias_may_be_new(tmp_path: Path, known: tuple[()], target: str) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, f"alias: {{coral reefs: {target}}}"))
    assert "coral reefs" not in given(tagging)
    assert target in given(tagging)
    for number, labels in enumerate(shown(PLAIN)):
        assert ("coral reefs" not in labels) or target in shown(tagging)[number]


@KNOWN
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


@KNOWN
def test_one_paper_is_enough_for_a_pinned_tag(tmp_path: Path, known: tuple[()]) -> None:
    lone = paper("Owl husbandry", "We keep owls. Owl husbandry and coral reefs have nothing in common.", 99)
    tagging = tag_papers([*PAPERS, lone], known, rules(tmp_path, "pin: [owl husbandry]"))
    assert tagging.tags[-1][0].label == "owl husbandry"
    assert tagging.tags[:-1] == tag_papers([*PAPERS, lone], known).tags[:-1]


@KNOWN
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


RULES = (
    "block: [coral reefs]",
    "block: [TTs]",
    "alias: {coral reefs: life under water}",
    "alias: {notes: coral reefs}",
    "alias: {protein folding: coral reefs, TTs: coral reefs}",
    "rename: {coral reefs: Reefs}",
    "pin: [our notes]",
    "pin: [coral]",
    "never-merge: [[TT, tide tables]]",
    "alias: {coral reefs: life under water}\npin: [notes]\nrename: {speech synthesis: Talking machines}",
)


@KNOWN
@pytest.mark.parametrize("text", RULES)
def test_a_second_build_with_the_same_rules_changes_nothing(tmp_path: Path, known: tuple[()], text: str) -> None:
    ruled = rules(tmp_path, text)
    first = tag_papers(PAPERS, known, ruled)
    assert tag_papers(PAPERS, first.vocabulary, ruled) == first


@pytest.mark.parametrize(
    "text",
    [
        "block: [coral reefs]",
        "block: [TTs]",
        "alias: {notes: coral reefs}",
        "alias: {coral reefs: life under water}",
        "alias: {field notes: coral reefs}",
        "rename: {coral reefs: Reefs}",
        "never-merge: [[TT, tide tables]]",
        "pin: [notes]",
        "alias: {speech synthesis: coral reefs}",
        "alias: {coral reefs: notes}",
    ],
)
def test_without_the_rules_the_old_tags_are_back(tmp_path: Path, text: str) -> None:
    ruled = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, text))
    assert shown(tag_papers(PAPERS, ruled.vocabulary, NO_RULES)) == shown(PLAIN)


def test_an_alias_of_the_first_build_ends_with_its_rule(tmp_path: Path) -> None:
    ruled = tag_papers(PAPERS, (), rules(tmp_path, "alias: {notes: coral reefs}"))
    tagging = tag_papers(PAPERS, ruled.vocabulary, NO_RULES)
    for titled, labels in zip(PAPERS, shown(tagging), strict=True):
        assert "coral reefs" not in labels or "coral reefs" in titled.title_text


def test_what_was_kept_apart_is_merged_again_without_the_rule(tmp_path: Path) -> None:
    subjects = ("tower bells (TBs)", *SUBJECTS[:6])
    papers = [
        paper(f"On {one} and {two}", f"We look at {one}. Then {two} come into it, by way of sample {number}.", number)
        for number, (one, two) in enumerate(combinations(subjects, 2), 1)
    ]
    papers += [paper(f"TB {n}", f"TBs ring at noon. We cast TBs by hand, batch {n}.", 900 + n) for n in range(3)]
    before = tag_papers(papers, ())
    assert all("tower bells" in labels for labels in shown(before)[-3:])
    ruled = tag_papers(papers, before.vocabulary, rules(tmp_path, "never-merge: [[TBs, tower bells]]"))
    after = tag_papers(papers, ruled.vocabulary, NO_RULES)
    assert all("tower bells" in labels for labels in shown(after)[-3:])


@KNOWN
@pytest.mark.parametrize(
    ("text", "touched"),
    [
        ("block: [coral reefs]", {"coral reefs"}),
        ("block: [TTs]", {"tide tables"}),
        ("alias: {coral reefs: life under water}", {"coral reefs"}),
        ("rename: {coral reefs: Reefs}", {"coral reefs"}),
        ("pin: [coral]", {"coral reefs"}),
        ("never-merge: [[TT, tide tables]]", {"tide tables"}),
        ("never-merge: [[coral reefs, speech synthesis]]", set()),
    ],
)
def test_a_rule_changes_no_paper_without_its_tag(
    tmp_path: Path, known: tuple[()], text: str, touched: set[str]
) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, text))
    for before, after in zip(shown(PLAIN), shown(tagging), strict=True):
        assert before == after or before & touched


def test_an_alias_changes_no_paper_without_its_tag(tmp_path: Path) -> None:
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, "alias: {speech synthesis: coral reefs}"))
    for before, after in zip(shown(PLAIN), shown(tagging), strict=True):
        assert before == after or before & {"speech synthesis", "coral reefs"}


# -- alias and block -------------------------------------------------------------------------------------------------


@KNOWN
@pytest.mark.parametrize("variant", ["gleaming reef", "reefs of gleam"])
def test_an_alias_may_be_a_phrase_that_is_no_tag(tmp_path: Path, known: tuple[()], variant: str) -> None:
    lone = paper(f"A {variant}", f"One {variant} at noon. No other {variant} is like it.", 99)
    papers = [*PAPERS, lone]
    assert "coral reefs" not in shown(tag_papers(papers, known))[-1]
    assert "coral reefs" in shown(tag_papers(papers, known, rules(tmp_path, f"alias: {{{variant}: coral reefs}}")))[-1]


@KNOWN
def test_several_phrases_count_as_one_tag(tmp_path: Path, known: tuple[()]) -> None:
    text = "alias: {reinforcement learning: machine learning, Bayesian inference: machine learning}"
    tagging = tag_papers(PAPERS, known, rules(tmp_path, text))
    for before, after in zip(shown(PLAIN), shown(tagging), strict=True):
        assert ("machine learning" in after) == bool(before & {"reinforcement learning", "Bayesian inference"})
        assert not after & {"reinforcement learning", "Bayesian inference"}


def test_a_blocked_tag_stays_away_however_many_papers_hold_it(tmp_path: Path) -> None:
    ruled = rules(tmp_path, "block: [coral-reef, TTs]")
    papers = [
        *PAPERS,
        *(
            paper(f"Coral reefs {n}", f"A coral reef bleaches. Tide tables of coral reefs, {n}.", 800 + n)
            for n in range(9)
        ),
    ]
    vocabulary = PLAIN.vocabulary
    for _ in range(3):
        tagging = tag_papers(papers, vocabulary, ruled)
        assert not {"coral reefs", "Coral reefs", "coral reef", "tide tables", "Tide tables", "TTs"} & given(tagging)
        vocabulary = tagging.vocabulary


def test_a_blocked_tag_of_the_lock_keeps_its_place_there(tmp_path: Path) -> None:
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, "block: [coral reefs]"))
    assert {tag.slug for tag in PLAIN.vocabulary} <= {tag.slug for tag in tagging.vocabulary}


# -- rename ----------------------------------------------------------------------------------------------------------


@KNOWN
def test_two_tags_may_change_their_labels(tmp_path: Path, known: tuple[()]) -> None:
    text = "rename: {coral reefs: speech synthesis, speech synthesis: coral reefs}"
    tagging = tag_papers(PAPERS, known, rules(tmp_path, text))
    assert tagging.problems == ()
    slugs = {tag.label: tag.slug for tags in tagging.tags for tag in tags}
    assert (slugs["coral reefs"], slugs["speech synthesis"]) == ("speech-synthesis", "coral-reefs")


def test_a_label_is_taken_when_its_tag_has_to_keep_it(tmp_path: Path) -> None:
    """``coral reefs`` cannot have the label that it should, so that its own is not free."""
    text = "rename:\n  coral reefs: Speech synthesis\n  protein folding: Coral Reefs\n"
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, text))
    assert shown(tagging) == shown(PLAIN)
    assert [problem.message for problem in tagging.problems] == [
        "rename: expected a label that no other tag has, found 'Speech synthesis' for 'coral reefs'",
        "rename: expected a label that no other tag has, found 'Coral Reefs' for 'protein folding'",
    ]


def test_a_blocked_tags_label_is_free(tmp_path: Path) -> None:
    text = "block: [speech synthesis]\nrename: {coral reefs: Speech synthesis}"
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, text))
    assert "Speech synthesis" in given(tagging)
    assert tagging.problems == ()


def test_a_new_label_that_holds_another_takes_no_tag_away(tmp_path: Path) -> None:
    text = "rename: {coral reefs: coral reefs and speech synthesis}"
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, text))
    assert [[tag.slug for tag in tags] for tags in tagging.tags] == [[tag.slug for tag in tags] for tags in PLAIN.tags]


def test_a_rename_of_what_is_no_tag_is_reported(tmp_path: Path) -> None:
    assert tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, "rename: {our notes: Remarks}")).problems


# -- pin and never-merge ---------------------------------------------------------------------------------------------


@KNOWN
def test_a_pinned_tag_comes_first_and_nothing_nested_beside_it(tmp_path: Path, known: tuple[()]) -> None:
    tagging = tag_papers(PAPERS, known, rules(tmp_path, "pin: [coral]"))
    for before, tags in zip(shown(PLAIN), tagging.tags, strict=True):
        labels = [tag.label for tag in tags]
        assert ("coral" in labels) == ("coral reefs" in before)
        assert "coral reefs" not in labels
        assert "coral" not in labels[1:]


@KNOWN
def test_pinned_tags_come_before_all_others(tmp_path: Path, known: tuple[()]) -> None:
    pinned = {"speech synthesis", "coral reefs"}
    tagging = tag_papers(PAPERS, known, rules(tmp_path, "pin: [speech synthesis, coral reefs]"))
    for tags in tagging.tags:
        labels = [tag.label for tag in tags]
        count = len(pinned & set(labels))
        assert set(labels[:count]) == pinned & set(labels)


def test_a_pinned_tag_is_labelled_as_the_rule_has_it(tmp_path: Path) -> None:
    lone = paper("Owl-husbandry", "We keep owls. OWL HUSBANDRY has nothing in common with them.", 99)
    tagging = tag_papers([*PAPERS, lone], PLAIN.vocabulary, rules(tmp_path, "pin: [Owl Husbandry]"))
    assert tagging.tags[-1][0].label == "Owl Husbandry"
    assert tagging.tags[-1][0].slug == "owl-husbandry"


@pytest.mark.parametrize("text", ["block: [TTs]\npin: [tide tables]", "alias: {TTs: coral reefs}\npin: [tide tables]"])
def test_a_pinned_tag_is_given_or_reported(tmp_path: Path, text: str) -> None:
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, text))
    assert "tide tables" in given(tagging) or tagging.problems


@KNOWN
def test_tags_that_are_two_already_are_let_alone_by_never_merge(tmp_path: Path, known: tuple[()]) -> None:
    ruled = rules(tmp_path, "never-merge: [[coral reefs, speech synthesis], [protein folding, Bayesian inference]]")
    assert tag_papers(PAPERS, known, ruled) == PLAIN


# -- what rules say that no paper gives reason for -------------------------------------------------------------------


def test_rules_that_no_paper_gives_reason_for_are_reported(tmp_path: Path) -> None:
    text = "block:\n  - sea serpents\nalias:\n  krakens: coral reefs\npin: [coral reef]\n"
    tagging = tag_papers(PAPERS, (), rules(tmp_path, text))
    assert [(problem.kind, problem.file) for problem in tagging.problems] == [("tag-rule-idle", "tags.yml")] * 2
    messages = [problem.message for problem in tagging.problems]
    assert "alias" in messages[0]
    assert "'krakens' (line 4)" in messages[0]
    assert "'sea serpents' (line 2)" in messages[1]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("alias:\n  krakens: coral reefs\n", "alias: expected a phrase that a paper holds, found 'krakens' (line 2)"),
        ("\n\nblock: [sea serpents]", "block: expected a phrase that a paper holds, found 'sea serpents' (line 3)"),
        ("rename: {hydras: Snakes}", "rename: expected a phrase that a paper holds, found 'hydras' (line 1)"),
        ("pin:\n- coral reefs\n- 猫\n", "pin: expected a phrase that a paper holds, found '猫' (line 3)"),
        ("never-merge: [[hydras, TTs]]", "never-merge: expected a phrase that a paper holds, found 'hydras' (line 1)"),
        # Parts of words, in one word and over two
        ("pin: [ral]", "pin: expected a phrase that a paper holds, found 'ral' (line 1)"),
        ("block: [coral ree]", "block: expected a phrase that a paper holds, found 'coral ree' (line 1)"),
        ("block: [oral reefs]", "block: expected a phrase that a paper holds, found 'oral reefs' (line 1)"),
        # Over the end of a sentence
        ("block: [reefs for]", "block: expected a phrase that a paper holds, found 'reefs for' (line 1)"),
    ],
)
def test_an_idle_rule_is_reported_with_its_line(tmp_path: Path, text: str, found: str) -> None:
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, text))
    assert [problem.message for problem in tagging.problems] == [found]
    assert shown(tagging) == shown(PLAIN) or "pin" in text


@pytest.mark.parametrize(
    "text",
    [
        "pin: [coral reefs, Coral-Reef, coralreefs]",
        "block: [reinforcement-learnings]",
        "alias: {coral reefs: mermaids}",
        "block: [graph neural networks]",
        "block: [new]",
    ],
)
def test_a_rule_with_a_phrase_of_the_texts_is_not_idle(tmp_path: Path, text: str) -> None:
    assert tag_papers(PAPERS, (), rules(tmp_path, text)).problems == ()


@pytest.mark.parametrize(
    ("written", "phrase"), [("fine tunes", "finetune"), ("finetuning", "fine-tune"), ("re-use", "reuse")]
)
def test_a_phrase_is_held_however_it_is_joined(tmp_path: Path, written: str, phrase: str) -> None:
    papers = [*PAPERS, paper("Bells", f"The ringer {written} all bells.", 99)]
    assert tag_papers(papers, PLAIN.vocabulary, rules(tmp_path, f"block: [{phrase}]")).problems == ()


# -- all together ----------------------------------------------------------------------------------------------------


def test_the_order_of_rules_does_not_matter(tmp_path: Path) -> None:
    one = rules(tmp_path, "pin: [notes, speech synthesis]\nblock: [coral reefs, protein folding]\n")
    other = rules(tmp_path, "block: [protein folding, coral reefs]\npin: [speech synthesis, notes]\n")
    assert tag_papers(PAPERS, (), one) == tag_papers(PAPERS, (), other)


def test_sections_and_lines_in_any_order_do_the_same(tmp_path: Path) -> None:
    sections = [
        "alias:\n  protein folding: coral reefs\n  our notes: speech synthesis\n",
        "block:\n  - irrigation control\n",
        "rename:\n  coral reefs: Reefs\n  speech synthesis: Talking\n",
        "pin:\n  - Bayesian inference\n  - notes\n",
        "never-merge:\n  - [TT, tide tables]\n  - [graph neural networks, reinforcement learning]\n",
    ]
    first = tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, "".join(sections)))
    assert {"Reefs", "Talking", "notes"} <= given(first)
    for number, order in enumerate(permutations(range(5))):
        if number % 17 == 0:
            turned = [
                "\n".join([lines[0], *reversed(lines[1:])]) for lines in (sections[n].splitlines() for n in order)
            ]
            assert tag_papers(PAPERS, PLAIN.vocabulary, rules(tmp_path, "\n".join(turned))) == first


def test_thousands_of_rules_are_followed_quickly(tmp_path: Path) -> None:
    block = ", ".join(f"reef {number}" for number in range(3000))
    alias = ", ".join(f"atoll {number}: coral reefs" for number in range(3000))
    ruled = rules(tmp_path, f"block: [{block}]\nalias: {{{alias}}}\n")
    began = time.process_time()
    tagging = tag_papers(PAPERS, PLAIN.vocabulary, ruled)
    assert time.process_time() - began < 10
    assert len(tagging.problems) == 6000
    assert shown(tagging) == shown(PLAIN)


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


def test_the_command_line_twice_and_without_the_rules(tmp_path: Path) -> None:
    project = make_project(tmp_path / "shelf", ABSTRACTS)
    lock, data = project.folder / "papershelf.lock.json", project.site / "papershelf" / "abstracts.jsonl"
    assert project.build() == 0
    plain = data.read_bytes()
    text = "rename: {clay pots: Pottery}\nblock: [lighthouses]\nalias: {model trains: choir}\n"
    (project.folder / "tags.yml").write_text(text, encoding="utf-8")
    assert project.build() == 0
    ruled = data.read_bytes()
    assert ruled != plain
    locked = lock.read_bytes()
    assert project.build() == 0
    assert (data.read_bytes() == ruled, lock.read_bytes() == locked) == (True, True)
    (project.folder / "tags.yml").unlink()
    assert project.build() == 0
    assert [record["tags"] for record in records(project)] == [json.loads(line)["tags"] for line in plain.splitlines()]


def test_a_faulty_file_ends_the_build_and_leaves_the_site_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make_project(tmp_path / "shelf", ABSTRACTS[:3])
    (project.folder / "tags.yml").write_text("pin: [tea]\nblock: [tea]\nblok: []\n", encoding="utf-8")
    assert project.build() == 2
    err = capsys.readouterr().err
    assert "line 1: pin: expected a phrase that is not under block" in err
    assert "did you mean block?" in err
    assert not project.site.exists()
