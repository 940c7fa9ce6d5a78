"""The search page in Chromium, from disk with the network off and over http: finding, narrowing, and the address."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.chromium import Witness, chromium, open_page, serve_folder
from tests.projects import HOSTILE, Project, as_lines, make_project, records

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["chromium"]

pytestmark = pytest.mark.browser

BAKERS = "Berta Laib"
PAPERS: list[dict[str, object]] = [
    {
        "title": "Sorting sourdough by smell",
        "abstract": "Forty bakers smell loaves in a zero-shot setting. Their noses beat every sensor we could borrow.",
        "authors": [BAKERS, "Ömer Kruste"],
        "year": 2031,
        "keywords": ["bread"],
    },
    {
        "title": "Smelling at bread",
        "abstract": "An eﬃcient nose needs ε-greedy training on loaves, in O(n log n) sniffs. Sensors like k-NN fail.",
        "authors": [BAKERS],
        "year": 2030,
    },
    {
        "title": "Sensors for ovens",
        "abstract": "Ovens have sensors, and sensors have ovens. No bakers were asked, no noses were used; see GPT-4.",
        "year": 2031,
    },
    {
        "title": "图神经网络的方法",
        "abstract": "我们提出一种图神经网络的方法来研究面包。 It is about bread dough in other words, and reads well.",
        "year": 2029,
    },
    {
        "title": "الخبز في القرية",
        "abstract": "ندرس رائحة الخُبز في قُرى الجبل، ونقيس الحرارة في الأفران القديمة. Bread of the mountains is studied.",
        "year": 2029,
    },
]
CHEESES: list[dict[str, object]] = [
    {
        "title": f"Cheese number {number}",
        "abstract": f"Cheese {number} ripens in cellar {number % 7}. It is turned daily, and weighed by the cellar master. "
        + ("Mould is welcome. " if number % 3 else "Mould is brushed off; the rind is washed in brine. ")
        + "A note on taste follows, in a scale from one to nine that the village agreed upon. "
        + "The rind says more. " * (number % 5 * 20),
        "year": 2020 + number % 5,
        "authors": ["Ada Rinde"] if number % 2 else ["Bo Lake", "Ada Rinde"],
    }
    for number in range(180)
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    # Blanks, a hash, a per cent sign and umlauts, since people's folders have them.
    project = make_project(tmp_path_factory.mktemp("search") / "my shelf #1 100% schön")
    (project.folder / "bread.jsonl").write_text(as_lines(PAPERS), encoding="utf-8")
    (project.folder / "cheese.jsonl").write_text(as_lines(CHEESES), encoding="utf-8")
    (project.folder / "hostile.jsonl").write_text(
        as_lines([{"title": f"Attack {text}", "abstract": text, "authors": [text]} for text in HOSTILE]),
        encoding="utf-8",
    )
    assert project.run("build", "papers.txt", "bread.jsonl", "cheese.jsonl", "hostile.jsonl") == 0
    return project


@contextmanager
def opened(
    browser: "Browser", project: Project, over: str = "file", at: str = "search.html", width: int = 1280
) -> "Iterator[tuple[Page, Witness]]":
    if over == "file":
        with open_page(browser, f"{project.site.as_uri()}/{at}", width=width) as opened_page:
            yield opened_page
    else:
        # Below a folder of its host, as on a page of a code host.
        with (
            serve_folder(project.site.parent) as host,
            open_page(browser, f"{host}/{quote(project.site.name)}/{at}", width=width) as opened_page,
        ):
            yield opened_page


def wait_for(page: "Page", query: str) -> None:
    """Wait until the list answers a query."""
    page.wait_for_function(
        "query => document.querySelector('#shelf-results').dataset.query === query", arg=query, timeout=20_000
    )


def ask(page: "Page", query: str) -> list[str]:
    """Type a query, and return the titles of the results that are in the page."""
    page.fill("#shelf-query", query)
    wait_for(page, query)
    return page.locator("#shelf-results .shelf-result__title").all_inner_texts()


def status(page: "Page") -> str:
    return page.locator("#shelf-status").inner_text()


def notes(page: "Page") -> str:
    return page.locator("#shelf-notes").inner_text()


@pytest.mark.parametrize("over", ["file", "http"])
def test_words_are_found_and_marked_and_nothing_leaves_the_site(
    chromium: "Browser", project: Project, over: str
) -> None:
    with opened(chromium, project, over) as (page, witness):
        wait_for(page, "")
        assert ask(page, "loaves noses borrow")[0] == "Sorting sourdough by smell"
        item = page.locator("#shelf-results > li").first
        assert set(item.locator("mark").all_inner_texts()) == {"loaves", "noses", "borrow"}
        known = next(record for record in records(project) if record["title"] == "Sorting sourdough by smell")
        assert item.get_attribute("data-id") == known["id"]
        assert "Berta Laib, Ömer Kruste · bread · 2031" in item.inner_text()
        with page.expect_navigation():
            item.locator("a").first.click()
        assert page.url.endswith(str(known["page"]))
        witness.assert_clean()


@pytest.mark.parametrize("over", ["file", "http"])
def test_an_abstract_page_asks_for_no_index(chromium: "Browser", project: Project, over: str) -> None:
    asked: list[str] = []
    with opened(chromium, project, over, at="index.html") as (page, witness):
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page.url.replace("index.html", str(records(project)[0]["page"])))
        page.wait_for_timeout(300)
        assert asked
        assert not [address for address in asked if "/papershelf/search/" in address]
        witness.assert_clean()


def test_papers_with_all_words_come_first(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        found = ask(page, "sensors bakers noses")
        assert set(found[:2]) == {"Sorting sourdough by smell", "Sensors for ovens"}
        assert status(page).endswith("2 with all words")


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("efficient", "Smelling at bread"),
        ("EFFICIENT Nose", "Smelling at bread"),
        ("zero-shot", "Sorting sourdough by smell"),
        ("zeroshot", "Sorting sourdough by smell"),
        ("zero shot", "Sorting sourdough by smell"),
        ("k-NN", "Smelling at bread"),
        ("knn", "Smelling at bread"),
        ("gpt4", "Sensors for ovens"),
        ("GPT-4", "Sensors for ovens"),
        ("epsilon", "Smelling at bread"),
        ("O(n log n)", "Smelling at bread"),
        ("ε-greedy", "Smelling at bread"),
        ("图神经网络", "图神经网络的方法"),
        ("面包", "图神经网络的方法"),
        ("الخبز", "الخبز في القرية"),
        ("omer kruste", "Sorting sourdough by smell"),
        ("sorti", "Sorting sourdough by smell"),
        ('"smell loaves in"', "Sorting sourdough by smell"),
        ("sensors -bakers", "Smelling at bread"),
        ('author:"Berta Laib" year:2030', "Smelling at bread"),
        ("author:laib -sourdough", "Smelling at bread"),
        ("collection:bread ovens", "Sensors for ovens"),
    ],
)
def test_it_is_found(chromium: "Browser", project: Project, query: str, title: str) -> None:
    with opened(chromium, project, at=f"search.html#q={quote(query)}") as (page, witness):
        wait_for(page, query)
        assert page.locator("#shelf-query").input_value() == query
        assert page.locator("#shelf-results .shelf-result__title").first.inner_text() == title
        assert notes(page) == ""
        witness.assert_clean()


def test_excluded_words_are_in_no_result(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        assert "Sensors for ovens" in ask(page, "sensors ")
        assert "Sensors for ovens" not in ask(page, "sensors -ovens ")
        assert len(ask(page, '"sensors have ovens" ')) == 1


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ('"ovens noses bakers"', "No paper fits “ovens noses bakers”: searched as plain words."),
        ("tag:quixotry sensors", "No paper fits tag:quixotry"),
        ("year:1807 sensors", "No paper fits year:1807"),
        ("sensors -sensors ", "No paper fits -sensors"),
    ],
)
def test_operators_that_would_empty_the_list_become_plain_words(
    chromium: "Browser", project: Project, query: str, told: str
) -> None:
    with opened(chromium, project) as (page, _):
        assert "Sensors for ovens" in ask(page, query)
        assert told in notes(page)


def test_a_misspelt_word_is_corrected_with_a_way_back(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        assert ask(page, "sourdogh smell")[0] == "Sorting sourdough by smell"
        assert "Searched “sourdough” for “sourdogh”" in notes(page)
        page.click("text=Search for exactly what I typed")
        page.wait_for_function("() => document.querySelector('#shelf-notes').textContent === ''")
        assert "exact=1" in page.url
        assert status(page).endswith("none with all words")


def test_nothing_found_says_what_to_try(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, witness):
        assert ask(page, "qqqqqqqq ") == []
        assert status(page) == "Nothing found. Try fewer or other words, or only the beginning of one."
        witness.assert_clean()


def test_two_tags_and_a_word_are_a_list_with_counts_and_an_address(chromium: "Browser", project: Project) -> None:
    tags: dict[str, set[str]] = {}
    for record in records(project):
        for tag in record["tags"] if isinstance(record["tags"], list) else []:
            tags.setdefault(str(tag), set()).add(str(record["id"]))
    first, second, both = max(
        ((one, other, tags[one] & tags[other]) for one in tags for other in tags if one != other),
        key=lambda found: (len(found[2]), found[:2]),
    )
    assert both
    with opened(chromium, project) as (page, _):
        page.locator(".shelf-facet__find >> nth=-1").wait_for()
        section = page.locator("details.shelf-facet", has=page.locator("summary", has_text="Tags"))
        for tag in (first, second):
            find = section.locator(".shelf-facet__find")
            if find.count():
                find.fill(tag)
            section.locator(".shelf-facet__only", has=page.get_by_text(tag, exact=True)).first.click()
            page.locator(".shelf-chip", has_text=tag).wait_for()
        assert status(page).startswith(f"{len(both)} paper")
        address = page.url
        for tag in (first, second):
            assert f"tag={quote(tag.replace(' ', '+'), safe='+')}" in address
    with open_page(chromium, address) as (page, witness):
        wait_for(page, "")
        assert status(page).startswith(f"{len(both)} paper")
        assert page.locator(".shelf-chip").count() == 2
        page.locator(".shelf-chip").first.click()
        page.wait_for_function("() => document.querySelectorAll('.shelf-chip').length === 1")
        witness.assert_clean()


def test_counts_follow_the_query_and_a_value_can_be_excluded(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project) as (page, _):
        ask(page, "brine ")
        page.locator("summary", has_text="Authors").click()
        section = page.locator("details.shelf-facet", has=page.locator("summary", has_text="Authors"))
        both = [record for record in records(project) if "brine" in str(record["abstract"])]
        lake = [record for record in both if "Bo Lake" in str(record["authors"])]
        button = section.locator(".shelf-facet__only", has_text="Bo Lake")
        button.wait_for()
        assert button.locator(".shelf-facet__count").inner_text() == str(len(lake))
        page.get_by_role("button", name="Without Bo Lake").click()
        page.locator(".shelf-chip", has_text="not Bo Lake").wait_for()
        assert status(page).startswith(f"{len(both) - len(lake)} result")
        assert "author=-Bo+Lake" in page.url
        section.locator(".shelf-facet__only", has_text="Bo Lake").click(modifiers=["Shift"])  # again: taken away
        page.wait_for_function("() => document.querySelectorAll('.shelf-chip').length === 0")


def test_a_year_takes_the_place_of_another(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project, at="search.html#q=cheese&year=2021") as (page, _):
        wait_for(page, "cheese")
        assert status(page).startswith("36 results")
        page.locator("summary", has_text="Years").click()
        section = page.locator("details.shelf-facet", has=page.locator("summary", has_text="Years"))
        assert section.locator(".shelf-facet__only").all_inner_texts()[0].startswith("2024")
        section.locator(".shelf-facet__only", has_text="2022").click()
        page.locator(".shelf-chip", has_text="2022").wait_for()
        assert "year=2022" in page.url
        assert "year=2021" not in page.url


@pytest.mark.parametrize(
    ("sort", "first"),
    [("newest", "Sorting sourdough by smell"), ("title", "A choir"), ("source", "Sourdough Atlas")],
)
def test_the_list_of_all_papers_is_sorted(chromium: "Browser", project: Project, sort: str, first: str) -> None:
    with opened(chromium, project, at=f"search.html#sort={sort}") as (page, _):
        wait_for(page, "")
        titles = page.locator("#shelf-results .shelf-result__title").all_inner_texts()
        if sort == "title":
            wanted = sorted(str(record["title"]).casefold() for record in records(project))[: len(titles)]
            assert [title.casefold() for title in titles][1:4] == wanted[1:4]
        elif sort == "newest":
            assert titles[:2] == [first, "Sensors for ovens"]
        else:
            assert titles[0] == records(project)[0]["title"]


def test_more_load_on_scrolling_and_the_page_stays_small(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project, at="search.html#q=cheese") as (page, witness):
        wait_for(page, "cheese")
        assert status(page).startswith("180 results")
        seen: set[str] = set()
        most = 0
        for _ in range(200):
            page.mouse.wheel(0, 700)
            page.wait_for_timeout(30)
            ids = page.eval_on_selector_all("#shelf-results > li", "all => all.map((item) => item.dataset.id)")
            seen.update(ids)
            most = max(most, len(ids))
            if len(seen) == 180:
                break
        assert len(seen) == 180
        assert most <= 80
        positions = page.eval_on_selector_all("#shelf-results > li", "all => all.map((item) => item.ariaPosInSet)")
        assert positions == [str(number) for number in range(181 - len(positions), 181)]
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_function("() => document.querySelector('#shelf-results > li').ariaPosInSet === '1'")
        witness.assert_clean()


def test_what_the_reader_sees_stays_while_items_of_any_height_come_and_go(
    chromium: "Browser", project: Project
) -> None:
    place = (
        "([id]) => document.querySelector(`#shelf-results > [data-id='${id}']`)?.getBoundingClientRect().top ?? null"
    )
    with opened(chromium, project, at="search.html#q=cheese", width=600) as (page, _):
        wait_for(page, "cheese")
        for item in page.locator("#shelf-results .shelf-read").all():
            item.click()  # whole texts, some of them long
        for step in [800] * 25 + [-800] * 25:
            page.mouse.wheel(0, step)
            page.wait_for_timeout(20)
            seen = page.evaluate(
                "() => [...document.querySelectorAll('#shelf-results > li')].find("
                "(item) => item.getBoundingClientRect().bottom > 0)?.dataset.id"
            )
            before = page.evaluate(place, [seen])
            page.wait_for_timeout(60)
            after = page.evaluate(place, [seen])
            assert abs(after - before) < 2


def test_hostile_texts_are_shown_and_do_nothing(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project, at=f"search.html#{'q=' + quote('<img src=x onerror=document.title=1> attack')}") as (
        page,
        witness,
    ):
        page.wait_for_function("() => document.querySelector('#shelf-results').dataset.query !== undefined")
        text = page.locator("#shelf-results").inner_text()
        assert "<img src=x onerror=document.title='pwned'>" in text
        assert page.title().startswith("Search")
        assert page.locator("#shelf-results script, #shelf-results img").count() == 0
        witness.assert_clean()


def test_a_missing_index_is_told(chromium: "Browser", project: Project) -> None:
    folder = project.site / "papershelf" / "search"
    folder.rename(folder.with_name("gone"))
    try:
        with opened(chromium, project) as (page, _):
            page.wait_for_function(
                "() => document.querySelector('#shelf-status').textContent.includes('papershelf build')"
            )
    finally:
        folder.with_name("gone").rename(folder)


@pytest.mark.parametrize("over", ["file", "http"])
def test_a_list_page_is_searched_in_place_and_reads_no_index_before(
    chromium: "Browser", project: Project, over: str
) -> None:
    asked: list[str] = []
    with opened(chromium, project, over, at="index.html") as (page, witness):
        page.on("request", lambda request: asked.append(request.url))
        page.goto(page.url.replace("index.html", "collections/cheese.html"))
        own = page.locator(".shelf-list")
        assert own.is_visible()
        page.wait_for_timeout(300)
        assert not [address for address in asked if "/papershelf/search/" in address]
        ask(page, "sensors brine")
        assert not own.is_visible()
        assert status(page) == "60 results, none with all words"  # the papers with sensors are of other collections
        assert all("cheese" in text for text in page.locator(".shelf-result__origin").all_inner_texts())
        assert page.url.endswith("cheese.html#q=sensors+brine")
        ask(page, "")
        assert own.is_visible()
        assert page.locator("#shelf-results > li").count() == 0
        assert page.url.endswith("cheese.html")
        witness.assert_clean()


def test_a_list_page_is_filtered_sorted_and_decided_on_in_place(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project, at="collections/cheese.html") as (page, witness):
        page.click("text=Filters")
        wait_for(page, "")
        assert status(page) == "180 papers"
        assert page.locator(".shelf-facet__only", has_text="cheese").count() == 0  # all have it: no filter
        page.locator("summary", has_text="Authors").click()
        page.locator(".shelf-facet__only", has_text="Bo Lake").click()
        page.locator(".shelf-chip", has_text="Bo Lake").wait_for()
        assert status(page) == "90 papers"
        page.select_option("select[aria-label=Order]", "newest")
        page.wait_for_function("() => location.hash.includes('sort=newest')")
        assert page.locator(".shelf-result__origin").first.inner_text() == "Bo Lake, Ada Rinde · cheese · 2024"
        page.keyboard.press("j")
        page.keyboard.press("s")
        page.locator("#shelf-results > [data-mark=kept]").wait_for()
        page.locator("#shelf-progress", has_text="1 of 180 seen, 1 kept.").wait_for()
        address = page.url
        page.goto("about:blank")
        page.goto(address)
        wait_for(page, "")
        assert status(page) == "90 papers"
        assert page.locator("#shelf-results > li").first.get_attribute("data-mark") == "kept"
        witness.assert_clean()


def test_an_operator_that_would_empty_the_list_of_a_page_becomes_plain_words(
    chromium: "Browser", project: Project
) -> None:
    with opened(chromium, project, at="collections/cheese.html") as (page, _):
        page.keyboard.press("/")
        page.keyboard.type("author:laib brine")
        wait_for(page, "author:laib brine")
        assert "No paper fits author:laib" in notes(page)
        assert status(page).startswith("60 results")


def test_a_list_page_stays_when_the_index_is_missing(chromium: "Browser", project: Project) -> None:
    folder = project.site / "papershelf" / "search"
    folder.rename(folder.with_name("gone"))
    try:
        with opened(chromium, project, at="collections/cheese.html") as (page, _):
            page.fill("#shelf-query", "brine")
            page.locator("#shelf-status", has_text="papershelf build").wait_for()
            assert page.locator(".shelf-list").is_visible()
    finally:
        folder.with_name("gone").rename(folder)


def test_an_author_leads_to_all_papers_of_that_name(chromium: "Browser", project: Project) -> None:
    with opened(chromium, project, at="search.html#q=smelling") as (page, witness):
        wait_for(page, "smelling")
        page.locator(".shelf-result__origin a", has_text=BAKERS).first.click()
        page.locator(".shelf-chip", has_text=BAKERS).wait_for()
        assert status(page) == "2 papers"
        assert page.locator("#shelf-query").input_value() == ""
        witness.assert_clean()


def test_nothing_is_wider_than_a_phone(chromium: "Browser", project: Project) -> None:
    for at in ("search.html#q=cheese", "collections/cheese.html", str(records(project)[0]["page"])):
        with opened(chromium, project, at=at, width=360) as (page, _):
            page.wait_for_timeout(400)
            assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
