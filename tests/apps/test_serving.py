"""The server as a process has it: on a socket, with the daemon beside it, and ended cleanly."""

import contextlib
import http.client
import importlib.util
import json
import re
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import uvicorn

from almario.apps.web import serving
from almario.apps.web.access import Tokens
from almario.apps.web.serving import ServerPlace, bound, server, tended, url_of, warmed_up
from almario.domain.installing import to_install
from almario.ports import Vector
from almario.testing import FixedClock, WordEmbedder
from almario.wiring import daemon_status, souls
from almario.wiring.daemon_parts import housekeeping
from almario.wiring.souls import Souls
from tests.apps.conftest import Run
from tests.apps.served import Served, copied
from tests.waiting import comes_true

MEMORIES = "/api/v1/agents/default/memories"


@pytest.fixture
def listening(furnished: Path, clock: FixedClock) -> Iterator[socket.socket]:
    """A socket on which a home is served, as long as the test lasts."""
    souls, place = Souls(furnished, clock=clock), ServerPlace()
    with bound(place) as found:
        made = server(souls, Tokens(souls), place, found)
        thread = threading.Thread(target=made.run, kwargs={"sockets": [found]})
        thread.start()
        yield found
        made.should_exit = True
        thread.join()


def asked(listening: socket.socket, method: str, body: object = None, **headers: str) -> tuple[int, object]:
    connection = http.client.HTTPConnection(url_of(ServerPlace(), listening).removeprefix("http://"))
    content = None if body is None else json.dumps(body)
    connection.request(method, MEMORIES, content, {"Content-Type": "application/json", **headers})
    answer = connection.getresponse()
    status, said = answer.status, json.loads(answer.read())
    connection.close()
    return status, said


def test_it_answers_on_its_socket_and_outlives_rude_clients(
    listening: socket.socket, furnished: Path
) -> None:
    token = Tokens(Souls(furnished)).owner_token()
    shown = {"Authorization": f"Bearer {token}"}
    head = f"POST {MEMORIES} HTTP/1.1\r\nHost: localhost:{listening.getsockname()[1]}\r\n"
    rude = [
        f"{head}Authorization: Bearer {token}\r\nContent-Length: 1000\r\n\r\n" + '{"text": "cat: Mi',
        f"{head}Content-Length: 99999999999\r\n\r\n",
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "",
    ]

    for content in rude:
        with socket.create_connection(listening.getsockname()) as client:
            client.sendall(content.encode())

    assert asked(listening, "POST", {"text": "dog: Rex"}, **shown)[0] == 201
    assert asked(listening, "GET")[0] == 401
    assert asked(listening, "GET", Host="evil.org", **shown)[0] == 421
    _, found = asked(listening, "GET", **shown)
    assert [each["text"] for each in found["items"]] == ["dog: Rex"]  # type: ignore[index]


def test_streams_end_with_the_server(furnished: Path, clock: FixedClock) -> None:
    served = Served(furnished, clock)
    served.app.state.streams.is_over = True

    assert served.get("/events") == ": here\n\n"


def test_the_daemon_keeps_the_home_while_it_is_served(furnished: Path, clock: FixedClock) -> None:
    with tended(housekeeping(furnished, clock=clock)), tended(None):
        pass

    is_running, told = daemon_status(furnished)
    assert (is_running, told["pid"]) == (False, None)
    assert told["stopped"]


class _Slow(WordEmbedder):
    """An embedder that takes as long to load as a test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.go_on = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.begun.set()
        self.go_on.wait(30)
        return super().embed(texts)


def logged(home: Path) -> list[tuple[str, str, str]]:
    lines = (home / "logs" / "daemon.jsonl").read_text().splitlines()
    return [(line["agent"], line["job"], line["outcome"]) for line in map(json.loads, lines)]


def test_the_model_for_meaning_is_loaded_in_the_background_and_the_end_waits_for_it(
    furnished: Path, clock: FixedClock
) -> None:
    slow = _Slow()
    souls = Souls(furnished, clock=clock, embedder=slow)
    Tokens(souls).create("phone", agents=("default", "gone"), scope="read")

    with warmed_up(souls, Tokens(souls)):
        assert slow.begun.wait(30)  # it is served meanwhile
        slow.go_on.set()

    assert logged(furnished)[0] == ("default", "warm-up", "done")
    assert "almario-warm-up" not in {thread.name for thread in threading.enumerate()}


def test_without_a_model_or_with_one_elsewhere_nothing_is_loaded(furnished: Path, clock: FixedClock) -> None:
    for name in ("none", "openai"):
        Souls(furnished, clock=clock, settings={"embedder.name": name}).warm_up(["default"], lambda: False)
    Souls(furnished, clock=clock, embedder=_Slow()).warm_up(["default"], lambda: True)  # it has to stop

    assert not (furnished / "logs" / "daemon.jsonl").exists()
    Souls(furnished, clock=clock).warm_up(["gone"], lambda: False)
    assert logged(furnished) == [("gone", "warm-up", "failed")]


def test_a_signal_that_comes_before_the_server_is_up_ends_it_too(
    furnished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextlib.contextmanager
    def early(*_: object) -> Iterator[None]:
        signal.raise_signal(signal.SIGTERM)
        yield

    ended: list[bool] = []
    monkeypatch.setattr(serving, "announced", early)
    monkeypatch.setattr(uvicorn.Server, "run", lambda made, sockets: ended.append(made.should_exit))
    souls = Souls(furnished)
    with bound(ServerPlace()) as listening:
        serving.serve(souls, Tokens(souls), ServerPlace(), listening)

    assert ended == [True]


def test_when_it_says_that_it_serves_a_browser_can_be_let_in(
    furnished: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def asked_at_once(made: uvicorn.Server, sockets: object) -> None:
        said.append(run("tokens", "login").out)

    monkeypatch.setattr(uvicorn.Server, "run", asked_at_once)

    served = run("serve", "--port", "0", "--no-daemon")

    [url] = re.findall(r"Serving .* on (http://127.0.0.1:\d+); Ctrl", served.err)
    assert f"  {url}/login?code=alm_" in served.err  # in a log, too
    assert said[0].startswith(f"{url}/login?code=alm_")


def test_the_body_of_an_answer_does_not_wait_for_word_of_its_headers() -> None:
    with bound(ServerPlace()) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_name_is_a_host_with_its_port_if_need_be() -> None:
    for name in ("soul.example.org", "SOUL.example.org:8443", "10.0.0.7:80", "[fe80::1]:8420", "nas_1.lan."):
        ServerPlace(names=(name,)).check(is_public=False)


def test_what_cannot_be_served_is_told_in_one_sentence(furnished: Path, run: Run) -> None:
    lost, wrong = str(furnished / "lost.pem"), str(Path(__file__))
    for options in (
        ["--host", "0.0.0.0"],
        ["--host", "not a host"],
        ["--name", "bad host/"],
        ["--name", "https://soul.example.org"],
        ["--name", ""],
        ["--certificate", "x"],
        ["--certificate", lost, "--key", lost],
        ["--certificate", wrong, "--key", wrong],
    ):
        result = run("serve", *options)
        assert (result.code, result.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("module", "package"),
    [("fastapi", "fastapi"), ("uvicorn", "uvicorn"), ("jinja2", "jinja2"), ("markdown_it", "markdown-it-py")],
)
def test_the_package_that_is_missing_is_named(
    module: str, package: str, furnished: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "almario.apps.cli.doors.serve_command.find_spec", lambda name: None if name == module else find(name)
    )

    result = run("serve")

    assert (result.code, result.err) == (
        2,
        f"Error: not installed: {package}; run: {to_install('almario[serve]')}\n",
    )


def test_headers_that_only_drip_do_not_hold_a_connection(
    listening: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = listening.getsockname()
    with contextlib.ExitStack() as opened:
        kept = opened.enter_context(contextlib.closing(http.client.HTTPConnection(*address)))
        kept.request("GET", "/assets/none")
        kept.getresponse().read()
        monkeypatch.setattr(serving.Punctual, "seconds", 0.2)
        dripping = [opened.enter_context(socket.create_connection(address)) for _ in range(100)]
        for each in dripping[1:]:  # one says nothing at all
            each.sendall(b"GET /api/v1/agents HTTP/1.1\r\nX: ")

        def are_closed() -> bool:
            kept.request("GET", "/assets/none")  # whoever asks is answered all the while
            kept.getresponse().read()
            dripping[:] = [each for each in dripping if drips(each)]
            return not dripping

        assert comes_true(are_closed)


def drips(connection: socket.socket) -> bool:
    """Send one byte more; say whether anybody is there."""
    connection.setblocking(False)
    try:
        connection.send(b"x")
        return bool(connection.recv(1000))
    except BlockingIOError:
        return True
    except OSError:
        return False


def test_of_many_agents_those_are_closed_that_nobody_has_asked_for_lately(
    furnished: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied(furnished, "work")
    opened = Souls(furnished, clock=clock)
    first = opened.soul("default")
    opened.soul("work")
    assert opened.is_open("default")  # they are not many
    opened.let_go("work")

    monkeypatch.setattr(souls, "_MOST_OPEN", 1)
    opened.soul("work")
    assert opened.is_open("default")  # somebody has just asked for it
    opened.let_go("work")
    monkeypatch.setattr(souls, "_IDLE", 0.0)
    opened.soul("work")
    assert (opened.is_open("default"), opened.is_open("work")) == (False, True)
    assert opened.soul("default") is not first
    opened.close()
