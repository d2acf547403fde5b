"""What can go wrong with a search is one sentence, and keys and questions go nowhere else."""

from collections.abc import Iterator

import pytest

from almario_explorer.calling import HttpLine
from almario_explorer.fetching import Pages
from almario_explorer.plugin import search_set
from almario_explorer.searching import Brave, SearXNG, Tavily, search_key
from almario_explorer.settings import ExplorerSettings
from almario_explorer.web import WebError
from search_servers import KEY, SERVERS, SearchServer, serving
from tests.tables import each_row

SECRET = "a very private question"


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> Iterator[SearchServer]:
    with serving(SERVERS[request.param]()) as server:
        yield server


def refused(server: SearchServer, line: HttpLine | None = None) -> str:
    with pytest.raises(WebError) as error:
        server.search(line).search(SECRET, 5)
    assert "private" not in str(error.value)
    assert KEY not in str(error.value)
    return str(error.value)


@each_row("status", [400, 404, 500, 503])
def test_an_error_is_told_with_its_number(server: SearchServer, status: int) -> None:
    server.override = (status, b"{}")

    assert refused(server) == f"{server.url} answered {status}"


@each_row("status", [402, 429, 432])
def test_who_asks_too_often_is_told_so(server: SearchServer, status: int) -> None:
    server.override = (status, b"{}")

    assert "is rate-limiting us" in refused(server)


def test_a_redirect_is_not_followed(server: SearchServer) -> None:
    server.override = (302, f"{server.url}/elsewhere".encode())

    assert refused(server) == f"{server.url} answered 302"
    assert len(server.asked) == 1


@each_row(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b"7",
        b'{"results": 7, "web": 7}',
        b'{"results": {}, "web": {"results": {}}}',
        b'{"results": null, "web": null}',
        b"[" * 100_000,
        b'{"results": [',
        b"\xff\xfe\xff",
    ],
)
def test_what_is_no_answer_of_a_search_is_told(server: SearchServer, body: bytes) -> None:
    server.override = (200, body)

    assert refused(server).startswith(f"{server.url} did not answer like a search engine")


def test_items_that_are_no_objects_are_left_out(server: SearchServer) -> None:
    server.override = (200, b'{"results": [1, null, "x", []], "web": {"results": [1, null, "x", []]}}')

    assert server.search().search("owls", 5) == []


def test_an_answer_that_is_too_large_is_none(server: SearchServer) -> None:
    server.override = (200, b" " * 2_100_000)

    assert "is larger than 2 MB" in refused(server)


def test_a_search_that_is_silent_is_given_up(server: SearchServer) -> None:
    server.pause = 5

    assert "did not answer within 0.1 seconds" in refused(server, HttpLine(seconds=0.1))


def test_a_search_that_is_not_there_is_told(server: SearchServer) -> None:
    server.url = "http://127.0.0.1:9"

    assert refused(server).startswith("http://127.0.0.1:9/")
    assert refused(server).endswith("cannot be fetched: Connection refused")


def test_a_searxng_without_json_says_how_to_switch_it_on() -> None:
    with serving(SERVERS["searxng"]()) as server:
        server.override = (403, b"")

        assert "add json to search.formats in its settings.yml" in refused(server)


@each_row("search", [Brave, Tavily])
def test_a_key_that_is_missing_or_wrong_is_told_by_the_name_of_its_variable(
    search: type[Brave] | type[Tavily],
) -> None:
    with serving(SERVERS[search.__name__.lower()]()) as server:
        for key, expected in [("", "needs a key"), ("two words", "characters"), ("wrong", "does not accept")]:
            with pytest.raises(WebError, match=expected) as error:
                search(key, server.url).search("owls", 5)
            assert "ALMARIO_SEARCH_API_KEY" in str(error.value)
        assert len(server.asked) == 1


@each_row("url", ["", "searx", "ftp://x/", "http://", "http://a:b@x/", "http://x y/"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(WebError, match=r"explorer\.url is not an address"):
        SearXNG(url).search("owls", 5)


def test_a_searxng_may_stand_in_a_folder() -> None:
    with serving(SERVERS["searxng"]()) as server:
        with pytest.raises(WebError, match="answered 400"):
            SearXNG(f"{server.url}/searx/").search("owls", 5)
        assert server.asked[0].path == "/searx/search"


def test_the_settings_choose_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALMARIO_SEARCH_API_KEY", " k \n")

    assert search_key() == "k"
    assert isinstance(search_set(ExplorerSettings()), SearXNG)
    assert isinstance(search_set(ExplorerSettings(search="brave")), Brave)
    assert isinstance(search_set(ExplorerSettings(search="tavily")), Tavily)
    with pytest.raises(WebError, match="private network"):
        Pages().fetch("http://127.0.0.1:8080/")
