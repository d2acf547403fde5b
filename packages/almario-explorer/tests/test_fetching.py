"""A hostile web: nothing is called that may not be, and nothing takes longer or more than it may."""

import gzip
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

from almario_explorer.fetching import Pages
from almario_explorer.rules import is_public
from almario_explorer.web import Page, WebError
from hostile_web import LONG, PUBLIC, HostileWeb, answer, forever, redirect
from tests.tables import each_row

START = "http://start.example/"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.fixture
def web() -> Iterator[HostileWeb]:
    with HostileWeb().serving() as web:
        yield web
        assert all(is_public(address) for address, _ in web.called)


def fetched(web: HostileWeb, url: str = START, **more: Any) -> Page:
    return Pages(web.line(**more)).fetch(url)


def refused(web: HostileWeb, url: str = START, **more: Any) -> str:
    with pytest.raises(WebError) as error:
        fetched(web, url, **more)
    return str(error.value)


def test_a_page_is_its_text_and_where_it_was_found(web: HostileWeb) -> None:
    web.sites[START] = redirect("/there?q=1#part", "301 Moved Permanently")
    web.sites["http://start.example/there?q=1"] = answer("<title>Boats</title><p>A boat.<p>Two boats.")

    page = fetched(web)

    assert page == Page("http://start.example/there?q=1", "Boats", "A boat.\nTwo boats.")
    assert web.called == [(PUBLIC, 80)] * 2
    assert web.resolved == ["start.example"] * 2


@pytest.mark.parametrize(
    "to",
    [
        "http://localhost/",
        "http://inner.example/",
        "http://127.0.0.1/",
        "http://127.0.0.1./",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://１２７.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:7f00:1::]/",
        "http://[::127.0.0.1]/",
        "http://[fd00:ec2::254]/",
        "http://[fe80::1%25lo]/",
        "http://0.0.0.0/",
        "http://10.0.0.1/",
        "http://172.16.0.1/",
        "http://192.168.0.1/admin",
        "http://100.64.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://168.63.129.16/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "//localhost/",
        "file:///etc/passwd",
        "gopher://start.example/",
        "ftp://start.example/",
        "javascript:alert(1)",
        "data:text/html,hello",
        "http://user:word@start.example/",
        "http://start.example@127.0.0.1/",
        "http://start.example:22/",
        "http://start.example:0/",
        "http://start.example:99999/",
        "http://start.example\\@127.0.0.1/",
        "http://[",
    ],
)
def test_a_redirect_leads_nowhere_that_a_page_may_not_be(web: HostileWeb, to: str) -> None:
    web.names["inner.example"] = [["10.1.2.3"]]
    web.sites[START] = redirect(to.encode().decode("latin-1"))

    assert refused(web)
    assert refused(web, to)
    assert web.requests == [START]
    assert web.called == [(PUBLIC, 80)]


def test_a_redirect_may_have_letters_of_any_alphabet(web: HostileWeb) -> None:
    web.sites[START] = redirect("/Árbol/日本".encode().decode("latin-1"))
    web.sites["http://start.example/%C3%81rbol/%E6%97%A5%E6%9C%AC"] = answer("arrived")

    assert fetched(web).text == "arrived"


def test_three_hops_do_not_make_the_loopback_public(web: HostileWeb) -> None:
    web.sites[START] = redirect("http://two.example/")
    web.sites["http://two.example/"] = redirect("http://three.example/", "307 Temporary Redirect")
    web.sites["http://three.example/"] = redirect("http://127.0.0.1:8080/")

    assert refused(web) == "http://127.0.0.1:8080/ is not fetched: it is in a private network"
    assert len(web.called) == 3


def test_five_redirects_are_followed_and_not_six(web: HostileWeb) -> None:
    for hop in range(1, 7):
        web.sites[f"http://start.example/{hop}"] = redirect(f"/{hop + 1}")
    web.sites["http://start.example/7"] = answer("arrived")

    assert fetched(web, "http://start.example/2").text == "arrived"
    assert "redirects endlessly" in refused(web, "http://start.example/1")


def test_https_does_not_lead_to_http(web: HostileWeb) -> None:
    web.sites["https://safe.example/"] = redirect("http://start.example/")

    assert "from https to http" in refused(web, "https://safe.example/")
    assert web.requests == ["https://safe.example/"]


def test_a_name_is_resolved_once_and_the_address_that_was_checked_is_called(web: HostileWeb) -> None:
    web.names["start.example"] = [[PUBLIC], ["127.0.0.1"]]
    web.sites[START] = answer("hello")

    assert fetched(web).text == "hello"
    assert (web.resolved, web.called) == (["start.example"], [(PUBLIC, 80)])
    assert "private network" in refused(web)
    assert len(web.called) == 1


def test_one_private_address_among_public_ones_is_enough_to_refuse(web: HostileWeb) -> None:
    web.names["start.example"] = [[PUBLIC, "8.8.8.8", "192.168.1.1"]]

    assert "private network" in refused(web)
    assert web.called == []


def test_a_host_without_addresses_is_told(web: HostileWeb) -> None:
    web.names["start.example"] = [[]]

    assert refused(web) == "there is no host start.example"


def test_a_resolver_that_never_answers_costs_no_more_than_the_time_there_is(web: HostileWeb) -> None:
    is_over = threading.Event()

    def resolve(host: str, port: int) -> list[str]:
        is_over.wait(2 * LONG)
        return [PUBLIC]

    began = time.monotonic()

    with pytest.raises(WebError, match=r"did not answer within 0\.2 seconds"):
        Pages(web.line(seconds=0.2)._replace(resolve=resolve)).fetch(START)

    assert time.monotonic() - began < LONG
    is_over.set()


def test_a_server_that_never_shakes_hands_costs_no_more_either(web: HostileWeb) -> None:
    line = web.line(seconds=0.2)

    def connect(address: str, port: int, timeout: float) -> Any:
        connection = line.connect(address, 80, timeout)
        connection.settimeout(None)
        return connection

    began = time.monotonic()

    with pytest.raises(WebError, match=r"did not answer within 0\.2 seconds"):
        Pages(line._replace(connect=connect)).fetch("https://safe.example/")

    assert time.monotonic() - began < LONG


def test_another_address_is_tried_when_one_does_not_take_the_call(web: HostileWeb) -> None:
    web.names["start.example"] = [["8.8.8.8", PUBLIC]]
    web.sites[START] = answer("hello")
    line = web.line()

    def connect(address: str, port: int, timeout: float) -> Any:
        if address == "8.8.8.8":
            raise ConnectionRefusedError(111, "Connection refused")
        return line.connect(address, port, timeout)

    assert Pages(line._replace(connect=connect)).fetch(START).text == "hello"


def test_of_many_addresses_three_are_tried_each_with_its_share_of_the_time(web: HostileWeb) -> None:
    web.names["start.example"] = [[f"8.8.8.{n}" for n in range(9)]]
    tried = []

    def connect(address: str, port: int, timeout: float) -> Any:
        tried.append((address, round(timeout, 2)))
        raise ConnectionRefusedError(111, "Connection refused")

    line = web.line()._replace(connect=connect, clock=lambda: 0.0, seconds=6.0)
    with pytest.raises(WebError, match="Connection refused"):
        Pages(line).fetch(START)

    assert tried == [("8.8.8.0", 2.0), ("8.8.8.1", 3.0), ("8.8.8.2", 6.0)]


def test_the_certificate_must_hold_for_the_name(web: HostileWeb) -> None:
    web.sites["https://safe.example/"] = answer("hello")

    assert fetched(web, "https://safe.example/").text == "hello"
    assert web.servers == ["safe.example"]
    assert "no certificate that holds for other.example" in refused(web, "https://other.example/")
    assert web.requests == ["https://safe.example/"]


@each_row(
    ("what", "doing"),
    [
        ("endless body", forever(HEAD + b"\r\n", b"x" * 65536)),
        ("endless chunks", forever(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 9000)),
        ("endless headers", forever(HEAD, b"X-More: " + b"y" * 500 + b"\r\n")),
        ("endless header line", forever(HEAD + b"X-More: ", b"y" * 65536)),
        ("endless continues", forever(b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n" * 500)),
        ("gone at once", lambda to: None),
        ("no answer", answer("x", status="no status")),
        ("not http", lambda to: to.sendall(b"SSH-2.0-OpenSSH_9.9\r\n")),
        ("said to be huge", answer("x", Content_Length=str(10**12))),
        ("longer than it is", answer("hello", Content_Length="500")),
        (
            "chunks without an end",
            answer("5\r\nhello\r\n", Content_Length="", Transfer_Encoding="chunked"),
        ),
        ("nonsense chunks", answer("zz\r\nhello\r\n", Content_Length="", Transfer_Encoding="chunked")),
        ("gzip bomb", answer(gzip.compress(b"\0" * 15_000_000), Content_Encoding="gzip")),
        ("deflate bomb", answer(zlib.compress(b"\0" * 15_000_000), Content_Encoding="deflate")),
        ("half a gzip", answer(gzip.compress(b"hello" * 100)[:-9], Content_Encoding="gzip")),
        ("no gzip", answer("hello", Content_Encoding="gzip")),
        ("packed twice", answer("hello", Content_Encoding="gzip, gzip")),
        ("packed strangely", answer("hello", Content_Encoding="br")),
        ("a picture", answer(b"\x89PNG", Content_Type="image/png")),
        ("a program", answer(b"\x7fELF", Content_Type="application/octet-stream")),
        ("of no kind", answer("hello", Content_Type="")),
        ("an error", answer("<p>hello", status="500 Oops")),
        ("a redirect to nowhere", answer("", status="302 Found")),
    ],
)
def test_what_is_no_page_is_one_sentence_and_soon(web: HostileWeb, what: str, doing: Any) -> None:
    web.sites[START] = doing
    began = time.monotonic()

    result = refused(web, seconds=0.1)

    assert result.startswith(START)
    assert time.monotonic() - began < LONG


@pytest.mark.parametrize(
    "doing",
    [
        forever(HEAD + b"\r\n", b"x", 0.05),
        forever(HEAD, b"X: y\r\n", 0.05),
        forever(HEAD + b"X: ", b"y", 0.05),
        lambda to: to.recv(1),
    ],
    ids=["body", "headers", "header line", "silence"],
)
def test_who_is_slow_is_given_up(web: HostileWeb, doing: Any) -> None:
    web.sites[START] = doing

    assert refused(web, seconds=0.1).startswith(START)


CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "doing",
    [
        forever(HEAD + b"\r\n", b"x" * 65536),
        forever(CHUNKED, b"1;" + b"e" * 60_000 + b"\r\nx\r\n"),
        forever(CHUNKED + b"0\r\n", b"X-Trailer: y\r\n" * 500),
        forever(b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n" * 500),
    ],
    ids=["body", "chunk extensions", "trailers", "continues"],
)
def test_what_has_no_end_is_given_up_by_its_size_long_before_the_time(web: HostileWeb, doing: Any) -> None:
    web.sites[START] = doing

    assert "seconds" not in refused(web, seconds=LONG, most_bytes=100_000)


@pytest.mark.parametrize("size", [b"-5", b"FFFFFFFFFFFFFFFFFF", b"zz", b""])
def test_a_chunk_of_no_size_is_no_answer(web: HostileWeb, size: bytes) -> None:
    web.sites[START] = lambda to: to.sendall(CHUNKED + size + b"\r\nhello\r\n0\r\n\r\n")

    assert refused(web).endswith("cannot be fetched: its answer cannot be read")


def test_a_bomb_is_not_unpacked(web: HostileWeb) -> None:
    web.sites[START] = answer(gzip.compress(b"\0" * 40_000_000, 6), Content_Encoding="gzip")
    tracemalloc.start()
    try:
        assert "is larger than 1 MB" in refused(web, most_bytes=1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_what_was_packed_is_unpacked_up_to_the_same_size(web: HostileWeb) -> None:
    web.sites[START] = answer(gzip.compress(b"<p>hello"), Content_Encoding="gzip")
    web.sites["http://start.example/large"] = answer("x" * 3000)
    web.sites["http://start.example/packed"] = answer(gzip.compress(b"x" * 3000), Content_Encoding="gzip")

    assert fetched(web).text == "hello"
    assert "is larger than 0.002 MB" in refused(web, "http://start.example/large", most_bytes=2000)
    assert "is larger than 0.002 MB" in refused(web, "http://start.example/packed", most_bytes=2000)
    assert len(fetched(web, "http://start.example/large", most_bytes=3000).text) == 3000


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text/plain", "one\n\ntwo <b>", "one\ntwo <b>"),
        ("application/json", '{"a": 1}', '{"a": 1}'),
        ("application/xml; charset=latin-1", "ñ".encode("latin-1"), "ñ"),
        ("application/xhtml+xml", "<p>one</p><p>two</p>", "one\ntwo"),
        ("application/atom+xml", "<a>one</a>", "<a>one</a>"),
    ],
)
def test_other_texts_are_read_too(web: HostileWeb, kind: str, body: str | bytes, text: str) -> None:
    web.sites[START] = answer(body, Content_Type=kind)

    assert fetched(web).text == text


def test_nothing_is_told_to_a_page_but_what_every_reader_tells(web: HostileWeb) -> None:
    heard: list[bytes] = []
    line = web.line()

    def connect(address: str, port: int, timeout: float) -> Any:
        connection = line.connect(address, port, timeout)
        send = connection.sendall

        class Hearing:
            def __getattr__(self, name: str) -> Any:
                return getattr(connection, name)

            def sendall(self, content: bytes) -> None:
                heard.append(bytes(content))
                send(content)

        return Hearing()

    web.sites[START] = redirect("/next")
    web.sites["http://start.example/next"] = answer("hello", Set_Cookie="a=b")
    Pages(line._replace(connect=connect)).fetch(START)

    names = {line.partition(b":")[0] for request in heard for line in request.split(b"\r\n")[1:] if line}
    assert names == {b"Host", b"User-Agent", b"Accept", b"Accept-Encoding", b"Connection"}


def test_proxies_of_the_environment_are_not_used(web: HostileWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    web.sites[START] = answer("hello")

    assert fetched(web).text == "hello"
