"""One small case for each rule by which tags are chosen and given."""

import random
import re
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from generator.model import Tag, Tagging
from generator.tags import tag_papers
from generator.tags.acronyms import read_acronyms
from generator.tags.labels import is_no_noun, label_of, nested_labels, verb_forms
from generator.tags.likelihood import CERTAIN, chances
from generator.terms import words_of
from tests.bench_relate import CORPORA, read_papers
from tests.test_tags import paper

FILLERS = (
    "Gulls scream above the harbour wall.",
    "Nets dry in the morning sun.",
    "An old pilot keeps the log.",
    "Ropes rot where salt meets rain.",
    "Lanterns swing on every mast.",
    "Children count the returning boats.",
)


def pile(texts: Sequence[tuple[str, str]], keywords: tuple[str, ...] = ()) -> Tagging:
    papers = [
        paper(title, f"{text} {FILLERS[number % len(FILLERS)]}", number, keywords)
        for number, (title, text) in enumerate(texts)
    ]
    return tag_papers(papers, ())


def labels(tagging: Tagging, number: int) -> list[str]:
    return [tag.label for tag in tagging.tags[number]]


@pytest.mark.parametrize(
    ("forms", "label"),
    [
        ({"robust": 30, "robustness": 9, "Robust": 2}, "robustness"),
        ({"robust": 300, "robustness": 2}, "robust"),
        ({"pre-trained": 30, "pre-training": 9}, "pre-training"),
        ({"pre-trained": 300, "pre-training": 1}, "pre-trained"),
        ({"tide tables": 4, "TTs": 20}, "tide tables"),
        ({"tide tables": 1, "TTs": 20}, "TTs"),
        ({"Coral Reefs": 5, "coral reefs": 3}, "coral reefs"),
        ({}, ""),
    ],
)
def test_the_label_is_what_readers_would_call_it(forms: dict[str, int], label: str) -> None:
    assert label_of(Counter(forms)) == label


def test_labels_are_nested_as_whole_words_whatever_their_case() -> None:
    found = nested_labels(["reef", "Coral Reef", "reefer", "coral"])
    assert found.tolist() == [0 * 4 + 1, 1 * 4 + 3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("low-rank adaptation (LoRA)", {"lora": ("low", "rank", "adapt")}),
        ("text-to-image (T2I)", {"t2i": ("text", "to-", "imag")}),
        ("sparse autoencoders (SAEs)", {"sae": ("spars", "autoencod")}),
        ("non-tidal lakes (TL)", {}),
        ("harbours (see Fig)", {}),
    ],
)
def test_what_an_acronym_stands_for(text: str, expected: dict[str, tuple[str, ...]]) -> None:
    assert read_acronyms([f"We study {text}."], 1).expansions == expected


def test_an_acronym_of_several_meanings_names_no_subject() -> None:
    meanings = ["coral lime (CL)", "cold lagoons (CL)", "coral lime (CL)", "cold lagoons (CL)"]
    assert read_acronyms([f"{text}." for text in meanings], 1).ambiguous == {"CL"}
    tagging = pile([(f"On {text[:-5]}", f"We study {text}. CL is common, and CL grows.") for text in meanings])
    assert "CL" not in {tag.label for tag in tagging.vocabulary}
    assert "coral lime" in labels(tagging, 0)
    assert "coral lime" not in labels(tagging, 1)


def test_no_tag_is_found_inside_a_hyphenated_word_but_before_a_mere_suffix() -> None:
    tagging = pile(
        [
            ("On kelp", "Kelp is brown. We dry kelp."),
            ("More kelp", "Kelp is wet. Kelp grows."),
            ("Of soap", "A kelp-based soap foams, and kelp-based glue sticks."),
            ("Of snails", "The anti-kelp snail eats. An anti-kelp fence keeps it."),
        ]
    )
    assert ["kelp" in labels(tagging, number) for number in range(4)] == [True, True, True, False]


@pytest.mark.parametrize("word", ["swiftly", "furthermore", "consequently", "demonstrate", "novel", "method"])
def test_words_that_name_no_subject_are_no_tags(word: str) -> None:
    tagging = pile(
        [(f"Kelp {n}", f"{word.capitalize()}, kelp is brown. And {word}, we say. Kelp dries.") for n in range(5)]
    )
    assert {tag.label.lower() for tag in tagging.vocabulary}.isdisjoint({word})
    assert "kelp" in {tag.label for tag in tagging.vocabulary}


def test_a_verb_with_its_object_is_no_tag() -> None:
    tagging = pile([(f"Kelp {n}", f"We uncover the kelp, and uncover a reef, for {n} days.") for n in range(5)])
    assert not {"uncover", "uncovers"} & {tag.label for tag in tagging.vocabulary}


def test_keywords_of_the_authors_are_tags_first() -> None:
    tagging = pile([(f"Kelp {n}", "Kelp is dried by wind.") for n in range(3)], ("wind drying",))
    assert labels(tagging, 0)[0] == "wind drying"


def test_what_a_paper_is_about_comes_before_what_it_mentions() -> None:
    tagging = pile(
        [("On kelp", "Kelp is brown. We dry kelp, and weigh kelp. At last there is limestone.")] * 1
        + [("On limestone", "Limestone is grey. We cut limestone, and weigh limestone. At last there is kelp.")]
        + [("Kelp and limestone", "Kelp grows on limestone. Limestone has kelp.")]
    )
    assert labels(tagging, 0)[0] == "kelp"
    assert labels(tagging, 1)[0] == "limestone"


def test_chances_rise_with_the_odds() -> None:
    found = chances(np.array([-50_000, -4000, 0, 4000, 50_000], dtype=np.int64)).tolist()
    assert found == sorted(found)
    assert found[2] == CERTAIN // 2
    assert found[1] + found[3] == CERTAIN


# -- variants ---------------------------------------------------------------------------------------------------------


def together(one: str, other: str) -> Tagging:
    """Return the tags of six papers, in turns on one thing and the other."""
    return pile([(f"On {form}", f"The whole text is about {form}. And {form} it is.") for form in [one, other] * 3])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kelp networks", "kelp network"),
        ("zero-shot parsing", "zero shot parsing"),
        ("reef pre-training", "reef pretraining"),
        ("oyster batteries", "oyster battery"),
        ("deep-sea moorings", "deep-sea mooring"),
        ("self-healing nets", "self healing nets"),
        ("tide pools", "tidepools"),
        ("tide modelling", "tide modeling"),
        ("sea colours", "sea colors"),
        ("fibre ropes", "fiber ropes"),
        ("tide optimisation", "tide optimization"),
        ("travelling pilots", "traveling pilots"),
        ("optimize", "optimization"),
        ("large kelp models (LKMs)", "LKM"),
        ("low-rank kelp adaptation (LoRKA)", "LoRKA"),
        ("kelp-to-soap (K2S)", "K2S"),
        ("GPT-4 pilots", "GPT 4 pilots"),
        ("kelp matrix", "kelp matrices"),
        ("tidal hypothesis", "tidal hypotheses"),
        ("kelp index", "kelp indices"),
        ("kelp vertex", "kelp vertices"),
        ("grey seals", "gray seals"),
        ("dialogue acts", "dialog acts"),
        ("artefact repair", "artifact repair"),
        ("sea judgement", "sea judgment"),
        ("dock labour", "dock labor"),
        ("Schrödinger seals", "Schrodinger seals"),
        ("k-means", "K-means"),
        ("X-ray optics", "x-ray optics"),
    ],
)
def test_variants_join_in_one_tag(one: str, other: str) -> None:
    tagging = together(one, other)
    common = set(tagging.tags[0]) & set(tagging.tags[1])
    words = {form.lower() for form in (one.split(" (")[0], other)}
    terms = [{table_key(form) for form in words} & set(tag.terms) for tag in common]
    assert any(terms), [tag.label for tag in tagging.vocabulary]
    # And there is no twin, of one of both alone.
    for tag in tagging.vocabulary:
        assert tag.label.lower() not in words or tag in common, [tag.label for tag in tagging.vocabulary]


def table_key(text: str) -> str:
    return " ".join(word.key for word in words_of(text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("supervised parsing", "unsupervised parsing"),
        ("supervised parsing", "semi-supervised parsing"),
        ("kelp RL", "kelp IRL"),
        ("convex hulls", "non-convex hulls"),
        ("left turns", "right turns"),
        ("C++ hulls", "C# hulls"),
        ("organ tuning", "organization tuning"),
        ("universal joints", "university joints"),
        ("policing", "policy"),
        ("text-to-image maps", "image-to-text maps"),
        ("news reading", "new reading"),
        ("2D moorings", "3D moorings"),
        ("GPT-3 pilots", "GPT-4 pilots"),
        ("kelp generation", "kelp degeneration"),
        ("symmetric hulls", "asymmetric hulls"),
        ("online pilots", "offline pilots"),
        ("physics of kelp", "physicians of kelp"),
    ],
)
def test_similar_words_do_not_join(one: str, other: str) -> None:
    for number, tags in enumerate(together(one, other).tags):
        own, strange = (one, other) if number % 2 == 0 else (other, one)
        assert strange not in [tag.label for tag in tags]
        assert own in [tag.label for tag in tags] or own.split()[0] in ("new", "non-convex")


@pytest.mark.parametrize("text", ["spelled tide tables", "the (TT) sign", "a tide (TTs)"])
def test_an_acronym_without_its_phrase_stands_for_nothing(text: str) -> None:
    assert read_acronyms([f"We print {text}."] * 3, 1).expansions == {}


@pytest.mark.parametrize(
    ("text", "expansion"),
    [
        ("the Tide Table (TT)", {"TT": ("tide", "tabl")}),
        ("all tide tables (TTs)", {"TT": ("tide", "tabl")}),
        ("the tide table (TT; see below)", {"TT": ("tide", "tabl")}),
        ("the tide table (TT, for short)", {"TT": ("tide", "tabl")}),
        ("an ocean of kelp (OOK)", {"OOK": ("ocean", "of", "kelp")}),
        ("an ocean of kelp (OK)", {"OK": ("ocean", "of", "kelp")}),
        ("kelp-to-soap (K2S)", {"k2s": ("kelp", "to-", "soap")}),
        ("low-rank kelp adaptation (LoRKA)", {"lorka": ("low", "rank", "kelp", "adapt")}),
    ],
)
def test_an_acronym_is_read_with_its_phrase(text: str, expansion: dict[str, tuple[str, ...]]) -> None:
    assert read_acronyms([f"We print {text}."], 1).expansions == expansion


# -- what names a subject ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a novel method",
        "our experiments",
        "the proposed approach",
        "extensive experiments",
        "significant improvements",
        "future work",
        "existing approaches",
        "several datasets",
        "high performance",
        "real-world scenarios",
        "training data",
        "case studies",
    ],
)
def test_phrases_that_say_nothing_are_no_tags(text: str) -> None:
    tagging = pile(
        [(f"Kelp {n}", f"On kelp there is {text}. With {text}, the kelp of week {n} dries.") for n in range(6)]
    )
    assert text.removeprefix("a ").removeprefix("the ").removeprefix("our ") not in given_labels(tagging)
    assert {text.split()[-1], text.split()[-1].rstrip("s")}.isdisjoint(given_labels(tagging))
    assert any("kelp" in label.lower() for label in given_labels(tagging))


def given_labels(tagging: Tagging) -> set[str]:
    return {tag.label for tags in tagging.tags for tag in tags}


@pytest.mark.parametrize("word", ["slowly", "notably", "elegantly", "seldomly"])
def test_adverbs_are_no_tags(word: str) -> None:
    tagging = pile([(f"Kelp {n}", f"The kelp dries {word}, and {word}, in week {n}.") for n in range(6)])
    assert word not in {label.lower() for label in given_labels(tagging)}


@pytest.mark.parametrize("word", ["family", "anomaly", "butterfly", "assembly"])
def test_nouns_that_end_like_adverbs_may_be_tags(word: str) -> None:
    assert not is_no_noun(word, frozenset())


@pytest.mark.parametrize(
    ("label", "verbs", "expected"),
    [
        ("swiftly", (), True),
        ("fly", (), False),
        ("promotes", ("promotes",), True),
        ("promotes kelp", ("promotes",), True),
        ("kelp promotes", ("promotes",), True),
        ("kelp promotes trade", ("promotes",), False),
        ("bridge", (), False),
        ("kelp bridge", ("bridge",), False),
        ("early kelp", (), False),
        ("", (), False),
    ],
)
def test_what_is_no_noun(label: str, verbs: tuple[str, ...], expected: bool) -> None:
    assert is_no_noun(label, frozenset(verbs)) is expected


def test_verbs_are_told_by_their_objects() -> None:
    texts = ["Kelp promotes the trade.", "It promotes a reef, and the bridge is long.", "Our design is a bridge."]
    assert verb_forms(texts) == {"promotes"}


def test_what_a_single_text_uses_once_as_a_verb_is_none() -> None:
    assert verb_forms(["The bridge spans the canal."]) == frozenset()


@pytest.mark.parametrize("name", ["k-means", "Q-learning", "U-Net", "n-grams", "X-ray", "t-SNE"])
def test_a_name_may_begin_with_a_letter_and_a_hyphen(name: str) -> None:
    assert name in given_labels(pile([(f"On {name}", f"The whole text is about {name}. And {name} it is.")] * 4))


# -- nesting -----------------------------------------------------------------------------------------------------------


def test_of_nested_tags_the_one_that_the_paper_is_about_is_given() -> None:
    texts = [(f"Kelp farm robots {n}", "Kelp farm robots cut kelp. We send kelp farm robots out.") for n in range(4)]
    texts += [(f"Kelp farms {n}", "A kelp farm needs ropes. The kelp farm is wet.") for n in range(4)]
    texts += [(f"Kelp {n}", "Kelp is brown. We eat kelp.") for n in range(4)]
    tagging = pile(texts)
    for number, own in enumerate(["kelp farm robots", "kelp farm", "kelp"]):
        for paper_number in range(4 * number, 4 * number + 4):
            assert own in labels(tagging, paper_number)
            assert not {"kelp", "kelp farm", "kelp farm robots"} - {own} & set(labels(tagging, paper_number))


def test_the_end_of_a_phrase_alone_is_no_tag() -> None:
    """In the hyphenated form it is no phrase, so that papers with one variant would have another tag than the rest."""
    tagging = pile(
        [
            (f"On {form}", f"All of it is about {form}, in the fog.")
            for form in ["deep-sea moorings", "deep sea moorings"] * 2
        ]
    )
    assert "sea moorings" not in given_labels(tagging)


# -- what a paper is about ---------------------------------------------------------------------------------------------


def tag(label: str, context: tuple[tuple[str, int], ...] = ()) -> Tag:
    return Tag(label, label, (label,), -2000, 1500, 500, context)


@pytest.mark.parametrize(
    ("about", "passing"),
    [
        (("Kelp, dried", "Kelp is brown."), ("Notes", "Fog. Rain. Fog again. Rain again. Then fog. At last, kelp.")),
        (
            ("Notes", "Kelp is brown. We dry kelp. Kelp rots."),
            ("Notes", "Fog. Rain. Fog again. Rain. Fog. Last, kelp."),
        ),
        (("Notes", "Kelp is brown, and fog is grey."), ("Notes", "Fog. Rain. Fog again. Rain again. Fog. Kelp.")),
    ],
    ids=["title", "often", "early"],
)
def test_what_speaks_for_a_tag(about: tuple[str, str], passing: tuple[str, str]) -> None:
    """Both papers mention kelp and fog; the one that is about kelp has it first, the other fog."""
    known = (tag("fog"), tag("kelp"))
    papers = [paper(*about, 1), paper(*passing, 2), paper("Notes", "Fog. Rain.", 3), paper("Notes", "Rain. Kelp.", 4)]
    tagging = tag_papers(papers, known)
    assert labels(tagging, 0)[0] == "kelp"
    assert labels(tagging, 1)[0] == "fog"


def test_a_keyword_of_the_authors_speaks_for_a_tag() -> None:
    known = (tag("fog"), tag("kelp"))
    text = "Fog, and kelp."
    papers = [paper("Dawn", text, 1, ("kelp",)), paper("Dusk", text, 2), paper("Noon", text, 3)]
    tagging = tag_papers(papers, known)
    assert [labels(tagging, number)[:2] for number in range(3)] == [["kelp", "fog"], ["fog", "kelp"], ["fog", "kelp"]]


def test_company_tells_two_things_of_one_name_apart() -> None:
    """``pitch`` is of ships here; a paper on choirs that says it as often puts its own subject first."""
    known = (
        tag("keel", (("mast", 3000),)),
        tag("pitch", (("mast", 3000), ("rudder", 2000))),
        tag("tempo", (("choir", 3000),)),
    )
    papers = [
        paper("Notes", "Pitch, then tempo. The mast and the rudder.", 1),
        paper("Notes", "Pitch, then tempo. The choir and the organ.", 2),
        paper("Notes", "The keel. Tempo. Pitch.", 3),
        paper("Notes", "The keel. Tempo! Pitch.", 4),
    ]
    tagging = tag_papers(papers, known)
    assert labels(tagging, 0)[0] == "pitch"
    assert labels(tagging, 1)[0] == "tempo"


def test_the_company_of_a_tag_is_learned_and_kept_in_the_lock() -> None:
    """What a few papers share besides the tag, but neither what the others have nor what all have."""
    texts = [(f"Pitch on deck, {n}", "We boil pitch beside the keel, and seal the hull with pitch.") for n in range(5)]
    for trade in ("barley malting", "wool dyeing", "bell casting", "ink grinding", "stone carving", "harp tuning"):
        texts += [(f"On {trade}, {n}", f"By {trade} we live. All {trade} needs a shed.") for n in range(8)]
    (pitch,) = [one for one in pile(texts).vocabulary if one.label.lower() == "pitch"]
    words = dict(pitch.context)
    assert {"hull", "keel", "seal"} <= words.keys()
    assert {"pitch", "malt", "wool", "shed"}.isdisjoint(words)
    assert list(words.values()) == sorted(words.values(), reverse=True)


# -- languages and hostile texts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("Wir messen die Gezeiten der Nordsee mit Pegeln und werten die Gezeiten aus.", {"die", "und", "der", "wir"}),
        ("Nous mesurons les marées de la mer du Nord avec des jauges pour la marée.", {"les", "de", "pour", "des"}),
        ("Medimos las mareas del mar del Norte con una regla para las mareas.", {"las", "del", "para", "una"}),
        ("我们提出一种基于潮汐的方法，用于研究北海的潮汐。", {"我们", "基于", "方法"}),
        ("🙂🙂 🙂", {"🙂"}),
        ("", set()),
        ("tide", set()),
    ],
)
def test_other_languages_get_sensible_tags_or_fewer(text: str, never: set[str]) -> None:
    tagging = pile([(f"Pegel {number}", text) for number in range(6)])
    assert never.isdisjoint({tag.label.lower() for tag in tagging.vocabulary})


GERMAN = (
    "Wir untersuchen Windräder an der Küste. Die Rotorblätter der Windräder ermüden, und wir messen ihre Schwingungen.",
    "Windräder werfen lange Schatten. Es wird gezeigt, wie Rotorblätter schwingen und was die Windräder dabei hören.",
    "Streuobstwiesen sind selten geworden. Wir beschreiben, wie alte Apfelsorten auf Streuobstwiesen erhalten werden.",
    "Alte Apfelsorten schmecken besser. Wir haben Menschen auf Streuobstwiesen befragt, und sie zeigen es deutlich.",
    "Der Klang alter Orgeln hängt vom Holz ab. Wir vergleichen Orgelpfeifen aus Eiche mit Orgelpfeifen aus Fichte.",
    "Orgelpfeifen verstimmen sich im Winter. Der Klang der Orgelpfeifen ändert sich dabei, was man leicht hört.",
)
SPANISH = (
    "Estudiamos la pesca artesanal en el norte. La pesca artesanal depende de las mareas, y medimos las mareas.",
    "Las mareas cambian la pesca artesanal. Se muestra cómo las mareas llegan a los muelles viejos.",
    "Los molinos de viento giran despacio. Contamos los molinos de viento y sus aspas de madera.",
    "Las aspas de madera se rompen en invierno. Cuarenta molinos de viento lo muestran con sus aspas.",
    "El queso de cabra madura en cuevas. En las cuevas se escucha el queso de cabra durante la noche.",
    "Las cuevas frías mejoran el queso de cabra, que duerme bien en todas las cuevas.",
)
CHINESE = (
    "我们研究海边的风车。风车的叶片会疲劳，我们测量叶片的振动。",
    "风车的叶片在风中振动。我们用新的方法测量风车的叶片。",
    "古老的管风琴的声音与木材有关。我们比较两种管风琴。",
    "管风琴在冬天走音。我们研究管风琴的声音。",
)
SOME_ENGLISH = tuple(
    f"{thing.capitalize()} of the coast. We weigh {thing} in week {week}."
    for week in range(14)
    for thing in ("kelp farms", "oyster beds", "amber looms")
)


def in_languages(*abstracts: str) -> Tagging:
    """Return the tags of abstracts whose titles are their first sentences."""
    papers = [paper(re.split("[.。]", abstract)[0], abstract, number) for number, abstract in enumerate(abstracts)]
    return tag_papers(papers, ())


@pytest.mark.parametrize("others", [(), SOME_ENGLISH], ids=["alone", "among English ones"])
@pytest.mark.parametrize(
    ("abstracts", "subjects", "never"),
    [
        (
            GERMAN,
            [{"windräder"}, {"streuobstwiesen", "alte apfelsorten"}, {"orgelpfeifen"}],
            {"der", "die", "das", "und", "wir", "wird", "auf", "mit", "sich", "es", "werden", "klang der orgelpfeifen"},
        ),
        (
            SPANISH,
            [
                {"pesca artesanal", "mareas"},
                {"molinos", "molinos de viento", "aspas", "viento"},
                {"queso", "queso de cabra", "cuevas"},
            ],
            {"las", "los", "de", "en", "el", "se", "las mareas", "los molinos", "de viento", "y", "sus", "con"},
        ),
    ],
    ids=["German", "Spanish"],
)
def test_abstracts_in_another_language_get_its_nouns(
    abstracts: Sequence[str], subjects: Sequence[set[str]], never: set[str], others: Sequence[str]
) -> None:
    tagging = in_languages(*abstracts, *others)
    for number in range(len(abstracts)):
        own = {label.lower() for label in labels(tagging, number)}
        assert own & subjects[number // 2]
        assert own.isdisjoint(never)
        for other in range(3):
            assert other == number // 2 or not own & subjects[other]


@pytest.mark.parametrize("others", [(), SOME_ENGLISH], ids=["alone", "among English ones"])
def test_chinese_abstracts_get_no_halves_of_words(others: Sequence[str]) -> None:
    tagging = in_languages(*CHINESE, *others)
    for number in range(len(CHINESE)):
        assert all(label.isascii() or label in {"风车", "叶片", "管风琴"} for label in labels(tagging, number))
    for number in range(len(CHINESE), len(CHINESE) + len(others)):
        assert {"kelp farms", "oyster beds", "amber looms"} & {label.lower() for label in labels(tagging, number)}


@pytest.mark.parametrize(
    ("frame", "word"),
    [
        ("In dieser Arbeit messen wir {}. Die Arbeit ist neu.", "arbeit"),
        ("Cet article porte sur {}. Dans cet article, on le mesure.", "article"),
        ("En este trabajo medimos {}. El trabajo es nuevo.", "trabajo"),
    ],
    ids=["German", "French", "Spanish"],
)
def test_what_any_paper_says_of_itself_is_no_tag_in_other_languages(frame: str, word: str) -> None:
    things = ("Orgeln", "Windmolen", "Telares", "Faroles")
    tagging = in_languages(*(frame.format(thing) for thing in things for n in range(2)))
    assert word not in {part for label in given_labels(tagging) for part in label.lower().split()}


MEGABYTE = {
    "a word": "a" * 1_000_000,
    "capitals": "A" * 1_000_000,
    "a phrase": "kelp farms " * 90_000,
    "a compound": "kelp-" * 200_000,
    "letters": "a b " * 250_000,
    "acronyms": "tide tables (TT) " * 15_000,
    "open acronyms": "(AB (AB " * 120_000,
    "a long acronym": f"({'AB' * 500_000})",
    "different words": " ".join(f"w{number}" for number in range(150_000)),
    "emoji": "🙂" * 250_000,
    "Chinese": "潮汐" * 300_000,
    "Arabic turned round": "\u202eابجد " * 100_000,
    "marks": "a" + "\u0301" * 500_000,
    "blanks": f"{' ' * 1_000_000}x",
    "objects": "promotes the " * 80_000,
    "an acronym of stop words": f"{'a of ' * 18}(BAOAOAOAO). " * 10_000,
}


@pytest.mark.parametrize("name", MEGABYTE)
def test_a_huge_abstract_takes_seconds_and_nothing_from_others(name: str) -> None:
    kelp = [("On kelp farms", "Kelp farms are wet. Kelp farms grow."), ("Of kelp farms", "Kelp farms. Kelp farms!")]
    papers = [paper(title, text, number) for number, (title, text) in enumerate([*kelp, ("Long", MEGABYTE[name])])]
    began = time.process_time()
    tagging = tag_papers(papers, ())
    assert time.process_time() - began < 20
    assert [labels(tagging, number) for number in (0, 1)] == [["kelp farms"]] * 2


def test_long_abstracts_take_time_in_proportion() -> None:
    """An acronym that is explained again and again is the slowest there is."""

    def seconds(count: int) -> float:
        papers = [paper("Long", "tide tables (TT) and low-rank kelp (LRK) " * count, 1), paper("Kelp", "Kelp.", 2)]
        began = time.process_time()
        tag_papers(papers, ())
        return time.process_time() - began

    seconds(100)
    assert seconds(8000) < 20 * max(seconds(1000), 0.05)


def test_a_word_that_a_line_break_cut_makes_no_tag_of_an_empty_word() -> None:
    texts = [("Kelp", "Our ap-proach to kelp is an approach, and an approach it stays. Kelp dries.")] * 6
    tagging = pile([(f"{title} {number}", text) for number, (title, text) in enumerate(texts)])
    assert "approach" not in {tag.label for tag in tagging.vocabulary}


# -- real abstracts --------------------------------------------------------------------------------------------------

REAL = "icml2025.jsonl"


@pytest.mark.corpora
@pytest.mark.skipif(not (CORPORA / REAL).exists(), reason=f"{REAL} is not in {CORPORA}")
def test_real_abstracts_in_any_order_and_one_more_or_less() -> None:
    papers = read_papers(REAL)[0][:1200]
    first = tag_papers(papers, ())
    given = dict(zip([one.id for one in papers], first.tags, strict=True))
    assert sum(3 <= len(tags) <= 6 for tags in first.tags) >= 0.97 * len(papers)
    assert min(Counter(tag.slug for tags in first.tags for tag in tags).values()) > 1
    shuffled = random.Random(5).sample(papers, len(papers))
    again = tag_papers(shuffled, ())
    assert again.vocabulary == first.vocabulary
    assert all(given[one.id] == tags for one, tags in zip(shuffled, again.tags, strict=True))
    for left_out in (0, 600):
        fewer = [*papers[:left_out], *papers[left_out + 1 :]]
        without = tag_papers(fewer, first.vocabulary)
        assert all(given[one.id] == tags for one, tags in zip(fewer, without.tags, strict=True))
        start = tag_papers(fewer, ())
        more = tag_papers(papers, start.vocabulary)
        assert more.tags[:left_out] + more.tags[left_out + 1 :] == start.tags
