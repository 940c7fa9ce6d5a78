import pytest

from generator.slugs import slugify_name, unique_slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Large Language Models", "large-language-models"),
        ("C", "c"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("Adam's Q&A", "adams-q-and-a"),
        ("GPT-4", "gpt-4"),
        ("Erdős–Rényi graphs", "erdos-renyi-graphs"),
        ("图神经网络", "tu-shen-jing-wang-luo"),
        ("2024", "tag-2024"),
        ("index", "tag-index"),
        ("CON", "tag-con"),
        ("lpt9", "tag-lpt9"),
        ("console", "console"),
        ("", "tag"),
        ("∀∃", "tag"),
        ("&amp;", "and-amp"),
    ],
)
def test_slug_is_readable_and_safe(text: str, slug: str) -> None:
    assert slugify_name(text, fallback="tag") == slug


def test_long_names_are_cut_between_words() -> None:
    slug = slugify_name("word " * 60, fallback="abstract")
    assert len(slug) <= 60
    assert set(slug.split("-")) == {"word"}
    assert slugify_name("x" * 300, fallback="abstract") == "x" * 60
    assert len(slugify_name("7" * 300, fallback="abstract")) <= 60


def test_c_family_has_three_slugs() -> None:
    assert len({slugify_name(name, fallback="tag") for name in ("C", "C++", "C#")}) == 3


def test_unique_slug_adds_a_suffix_that_depends_on_the_text_alone() -> None:
    taken = {"graphs"}
    first = unique_slug("Graphs", taken, "Graphs!")
    assert first.startswith("Graphs-")
    assert unique_slug("Graphs", taken | {"unrelated"}, "Graphs!") == first
    assert unique_slug("Graphs", taken, "Graphs?") != first
    assert taken == {"graphs"}
    assert unique_slug("trees", taken, "Trees") == "trees"


def test_unique_slug_never_fails() -> None:
    taken: set[str] = set()
    for _ in range(20):
        taken.add(unique_slug("same", taken, "same"))
    assert len(taken) == 20
