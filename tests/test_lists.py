"""Lists in pages: how many, with what in them, under which paths."""

import pytest

from generator.pages.lists import paginate


@pytest.mark.parametrize(
    ("src_uri", "count", "paths"),
    [
        ("tags/gpt.md", 0, ["tags/gpt.md"]),
        ("tags/gpt.md", 1, ["tags/gpt.md"]),
        ("tags/gpt.md", 10, ["tags/gpt.md"]),
        ("tags/gpt.md", 11, ["tags/gpt.md", "tags/gpt/2.md"]),
        ("tags/index.md", 30, ["tags/index.md", "tags/2.md", "tags/3.md"]),
        ("abstracts/index.md", 20, ["abstracts/index.md", "abstracts/2.md"]),
        ("collections/md.md", 20, ["collections/md.md", "collections/md/2.md"]),
    ],
)
def test_paths(src_uri: str, count: int, paths: list[str]) -> None:
    parts = list(paginate(src_uri, range(count), 10))
    assert [part.src_uri for part in parts] == paths
    assert all(part.src_uris == tuple(paths) for part in parts)
    assert [entry for part in parts for entry in part.items] == list(range(count))
    assert [part.previous for part in parts] == [None, *paths[:-1]]
    assert [part.next for part in parts] == [*paths[1:], None]
    assert {part.last for part in parts} == {len(paths)}
    assert {part.total for part in parts} == {count}


@pytest.mark.parametrize(("count", "first"), [(0, [0]), (5, [1]), (25, [1, 11, 21])])
def test_entries_are_numbered_within_the_whole_list(count: int, first: list[int]) -> None:
    assert [part.first_entry for part in paginate("tags/a.md", range(count), 10)] == first


def test_page_two_of_gpt_never_meets_the_tag_gpt_2() -> None:
    both = [part.src_uri for uri in ("tags/gpt.md", "tags/gpt-2.md") for part in paginate(uri, range(25), 10)]
    assert len(set(both)) == len(both)
