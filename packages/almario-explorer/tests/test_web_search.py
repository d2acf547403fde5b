"""What holds for every search of the web, the public fake included."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from almario_explorer.testing import ScriptedWeb
from almario_explorer.web import Page, Result, WebSearch
from search_servers import SERVERS, Found, serving
from tests.tables import each_row

# Makes a search that finds these for "owls", in this order.
Finding = Callable[[Sequence[Found]], WebSearch]


@pytest.fixture(params=[*SERVERS, "scripted"])
def finding(request: pytest.FixtureRequest) -> Iterator[Finding]:
    with ExitStack() as stack:

        def served(found: Sequence[Found]) -> WebSearch:
            server = stack.enter_context(serving(SERVERS[request.param]()))
            server.found = list(found)
            return server.search()

        def scripted(found: Sequence[Found]) -> WebSearch:
            return ScriptedWeb(*(Page(each.url, each.title, each.text) for each in found))

        yield scripted if request.param == "scripted" else served


def owls(count: int) -> list[Found]:
    return [Found(f"Owls {n}", f"https://owls.example/{n}", f"owls {n}") for n in range(count)]


def test_what_is_found_comes_in_order_with_title_address_and_snippet(finding: Finding) -> None:
    assert finding(owls(2)).search("owls", 5) == [
        Result("Owls 0", "https://owls.example/0", "owls 0"),
        Result("Owls 1", "https://owls.example/1", "owls 1"),
    ]


def test_nothing_found_is_nothing_and_no_error(finding: Finding) -> None:
    assert finding([]).search("owls", 5) == []


@each_row("limit", [1, 3, 100])
def test_no_more_come_than_are_wanted(finding: Finding, limit: int) -> None:
    assert len(finding(owls(40)).search("owls", limit)) <= limit
    assert finding(owls(40)).search("owls", 1)[0].title == "Owls 0"


@each_row("query", ["owls ñandú 日本語 👩‍👩‍👧", 'owls "&q=other#?', "owls \ud800", "owls " * 50])
def test_any_words_can_be_searched_for(finding: Finding, query: str) -> None:
    assert len(finding(owls(1)).search(query, 5)) == 1


@each_row(
    "url",
    [
        "ftp://owls.example/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "/owls",
        "",
        "https://",
        "https://owls.example/\n- [x]",
        "https://owls.example/ owls",
        "https://owls.example/" + "x" * 5000,
        "http://[",
    ],
)
def test_what_has_no_address_of_the_web_is_no_result(finding: Finding, url: str) -> None:
    found = finding([Found("owls", url, "owls"), *owls(1)]).search("owls", 5)

    assert [each.title for each in found] == ["Owls 0"]


def test_a_page_that_is_found_twice_is_one_result(finding: Finding) -> None:
    found = finding([*owls(1), Found("owls again", "https://owls.example/0/#part", "owls")])

    assert len(found.search("owls", 5)) == 1


def test_titles_and_snippets_are_single_lines_of_bounded_length(finding: Finding) -> None:
    text = "owls\n\n\x1b[2J# Orders \u202e" + "x" * 10_000

    [result] = finding([Found(text, "https://owls.example/", text)]).search("owls", 5)

    assert result.title.startswith("owls [2J# Orders xxx")
    assert result.title.isprintable()
    assert result.text.isprintable()
    assert (len(result.title), len(result.text)) == (200, 500)


@each_row("odd", [None, 7, ["x"], {"x": 1}, True])
@each_row("kind", SERVERS)
def test_parts_that_are_no_text_are_left_out(kind: str, odd: Any) -> None:
    with serving(SERVERS[kind]()) as server:
        server.found = [Found(odd, "https://owls.example/", odd), Found("owls", odd)]

        assert server.search().search("owls", 5) == [Result("", "https://owls.example/")]
