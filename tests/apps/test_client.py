"""The client of a server: how it finds it, what it makes of refusals, and what it does when a line is cut."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from almario import Soul, client
from almario.apps.web.access import Tokens
from almario.apps.web.serving import announced
from almario.client import AsyncRemoteSoul, RemoteSoul
from almario.client.calls import HttpCall
from almario.client.carrying import Here, There
from almario.client.responses import Answering, error_of
from almario.domain.installing import to_install
from almario.errors import (
    AccessDenied,
    AgentNotFound,
    AlmarioError,
    DocumentError,
    EditConflict,
    LLMUnavailable,
    MissingExtra,
    ServerUnavailable,
    SoulError,
)
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring.souls import Souls
from tests.apps.served import HOST, Served, serving
from tests.tables import each_row

STREAM = {"content-type": "text/event-stream"}


@pytest.fixture
def served(furnished: Path, clock: FixedClock) -> Iterator[Served]:
    with Served(furnished, clock, llm=ScriptedLLM("Good evening.")) as served:
        yield served


def connected(served: Served, token: str = "", agent: str = "default") -> RemoteSoul:
    return RemoteSoul(Here(served.client(token or served.owner), agent), agent)


class Line(httpx2.BaseTransport):
    """A line to a server that is cut after so many requests were carried out."""

    def __init__(self, answer: Callable[[httpx2.Request], httpx2.Response], *, cuts: int = 1) -> None:
        self.asked: list[httpx2.Request] = []
        self._answer = answer
        self._cuts = cuts

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        answer = self._answer(request)
        if len(self.asked) <= self._cuts:
            raise httpx2.ReadError("cut", request=request)
        return answer


def over(transport: httpx2.BaseTransport) -> RemoteSoul:
    made = httpx2.Client(transport=transport, base_url=f"http://{HOST}")
    return RemoteSoul(Here(made, "default"), "default")


def saying(content: Any, status: int = 200) -> RemoteSoul:
    return over(httpx2.MockTransport(lambda _: httpx2.Response(status, json=content)))


def test_it_finds_the_server_of_the_home_and_hears_an_answer_as_it_comes(
    furnished: Path, clock: FixedClock
) -> None:
    heard: list[str] = []
    with serving(furnished, ScriptedLLM("Good evening, Ana."), clock):
        with client.connect(home=furnished) as soul:
            soul.remember("cat: Michi")
            answer = soul.talk("Good evening!", hear=heard.append)

        async def awaited() -> str:
            async with client.connect_async(home=furnished) as other:
                return f"{await other.name}: {(await other.recall('cat'))[0].text}"

        assert asyncio.run(awaited()) == "Alma: Michi"
    assert answer.text == "".join(heard) == "Good evening, Ana."
    assert len(heard) == 3
    with pytest.raises(ServerUnavailable, match="no server is running for"):
        client.connect(home=furnished)


def test_a_home_shows_its_token_to_its_own_server_alone(furnished: Path, monkeypatch: Any) -> None:
    Tokens(Souls(furnished)).owner_token()
    monkeypatch.setenv("ALMARIO_HOME", str(furnished))
    with announced(furnished, "http://127.0.0.1:1"):
        with pytest.raises(ServerUnavailable, match=r"no server can be reached at http://127\.0\.0\.1:1"):
            client.connect().remember("cat: Michi")
        assert "127.0.0.1:1" in repr(client.connect("http://127.0.0.1:1/"))
        with pytest.raises(SoulError, match=r"https://example\.org needs a token"):
            client.connect("https://example.org")
    for address in ("localhost:8420", "http://[::1", "https://localhost:many"):
        with pytest.raises(SoulError, match="is not the address of a server"):
            client.connect(address, "alm_1")
    with pytest.raises(SoulError, match="is not a certificate"):
        client.connect("https://localhost:1", "alm_1", certificate=str(furnished / "none.pem"))


def test_without_its_extra_it_says_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)

    with pytest.raises(MissingExtra, match=re.escape(to_install("almario[client]"))):
        client.connect("http://localhost:1", "alm_1")


def test_who_may_not_is_told_so(served: Served) -> None:
    reader = served.tokens.create("reader", scope="read")

    with pytest.raises(AccessDenied, match="this needs a valid token"):
        connected(served, "alm_wrong").memory.plans()
    with pytest.raises(AgentNotFound, match='there is no agent "nobody"'):
        connected(served, agent="nobody").memory.plans()
    with pytest.raises(AccessDenied, match='a token with the scope "write"'):
        connected(served, reader).remember("cat: Michi")


@each_row(
    ("act", "times", "is_told"),
    [
        (lambda soul: soul.remember("cat: Michi"), 2, False),
        (lambda soul: soul.append("app:ana", "user", "Hello!"), 2, False),
        (lambda soul: soul.memory.import_lines(()), 2, False),
        (lambda soul: soul.recall("cat"), 2, False),
        (lambda soul: soul.memory.list(), 2, False),
        (lambda soul: soul.goals.add("Find Michi"), 1, True),
        (lambda soul: soul.talk("Hello!"), 1, True),
    ],
)
def test_what_can_be_sent_again_is_and_is_done_once(
    served: Served, act: Callable[[RemoteSoul], Any], times: int, is_told: bool
) -> None:
    carrying = served.client(served.owner)
    line = Line(carrying.send)
    soul = over(line)
    soul._face.client.headers = carrying.headers
    before = (served.get("/memories")["total"], len(served.get("/sessions")))

    if is_told:
        with pytest.raises(ServerUnavailable, match="was lost before the answer"):
            act(soul)
    else:
        act(soul)

    assert len(line.asked) == times
    assert len({request.headers.get("idempotency-key") for request in line.asked[:2]}) == 1
    assert served.get("/memories")["total"] <= before[0] + 1
    turns = served.get("/turns", params={"session": "app:ana"})["items"]
    assert len(turns) <= 1


def event(name: str, value: Any) -> bytes:
    return f"event: {name}\ndata: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def cut_stream(*pieces: bytes, is_broken: bool) -> RemoteSoul:
    """Return a soul whose answers come in pieces, and end too early."""

    def told_so_far() -> Iterator[bytes]:
        yield from pieces
        if is_broken:
            raise httpx2.RemoteProtocolError("incomplete chunked read")

    return over(httpx2.MockTransport(lambda _: httpx2.Response(200, headers=STREAM, content=told_so_far())))


@each_row(
    ("pieces", "is_broken", "kind", "why"),
    [
        ((event("text", {"text": "Good "}),), True, ServerUnavailable, "was lost before the answer"),
        ((event("text", {"text": "Good "}),), False, ServerUnavailable, "the answer was cut off"),
        (
            (event("text", {"text": "Good "}), b"event: ans"),
            False,
            ServerUnavailable,
            "the answer was cut off",
        ),
        (
            (event("text", {"text": "Good "}), event("problem", {"status": 503, "detail": "no model"})),
            False,
            ServerUnavailable,
            "no model",
        ),
        (
            (
                event("text", {"text": "Good "}),
                event("problem", {"status": 502, "detail": "{}", "error": "BadReply"}),
            ),
            False,
            AlmarioError,
            "{}",
        ),
    ],
)
def test_a_stream_that_is_cut_off_is_an_error(
    pieces: tuple[bytes, ...], is_broken: bool, kind: type[Exception], why: str
) -> None:
    heard: list[str] = []

    with pytest.raises(kind, match=why):
        cut_stream(*pieces, is_broken=is_broken).talk("Hello!", hear=heard.append)

    assert heard == ["Good "]


def test_a_stream_is_read_whatever_its_pieces_and_signs_are() -> None:
    heard: list[str] = []
    answering = Answering(
        HttpCall("/do/talk", {}, hear=heard.append), 200, "text/event-stream; charset=utf-8"
    )
    whole = b": here\n\n" + event("text", {"text": "tea\u2028time: 🫖\n\n"}) + event("answer", {"text": "x"})

    for byte in whole:
        answering.feed(bytes([byte]))

    assert heard == ["tea\u2028time: 🫖\n\n"]
    assert answering.end() == [("answer", {"text": "x"})]


def test_a_stream_of_something_else_is_an_error() -> None:
    for strange in (b"event: text\ndata: {\n\n", b"event: text\ndata: 1\n\n", b"event: \xff\n\n"):
        with pytest.raises(ServerUnavailable, match="cannot be read"):
            cut_stream(strange, is_broken=False).talk("Hello!")


@each_row(
    ("soul", "why"),
    [
        (saying([{"id": 1}]), "cannot be read; it may be another version"),
        (saying(["nothing"]), "cannot be read; it may be another version"),
        (saying({"error": "gone"}, 500), "the server answered 500, but not as Almario does"),
        (saying({"detail": "too many requests", "status": 429}, 429), "too many requests"),
        (saying({}, 307), "the server answered 307"),
        (
            over(httpx2.MockTransport(lambda _: httpx2.Response(502, text="<html>"))),
            "the server answered 502",
        ),
        (
            over(
                httpx2.MockTransport(
                    lambda _: httpx2.Response(200, text="{", headers={"content-type": "a/json"})
                )
            ),
            "cannot be read",
        ),
    ],
    ids=lambda _: "",
)
def test_what_no_server_of_ours_says_is_one_error(soul: RemoteSoul, why: str) -> None:
    with pytest.raises(ServerUnavailable, match=why):
        soul.memory.list()


def test_a_server_that_is_slow_is_not_asked_twice() -> None:
    asked = []

    def slow(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        raise httpx2.ReadTimeout("slow", request=request)

    with pytest.raises(ServerUnavailable, match="did not answer in time"):
        over(httpx2.MockTransport(slow)).remember("cat: Michi")
    assert len(asked) == 1


def test_an_awaited_call_is_sent_again_as_well() -> None:
    asked = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers.get("idempotency-key"))
        if len(asked) < 2:
            raise httpx2.ReadError("cut", request=request)
        return httpx2.Response(200, json={"new": 1, "known": 0, "different": 0, "told": []})

    async def program() -> None:
        made = httpx2.AsyncClient(transport=httpx2.MockTransport(answer), base_url=f"http://{HOST}")
        async with AsyncRemoteSoul(There(made, "default"), "default") as soul:
            assert (await soul.memory.import_lines(["{}"])).new == 1
            asked.clear()
            with pytest.raises(ServerUnavailable, match="was lost"):
                await soul.goals.add("Find Michi")
            asked.clear()
            with pytest.raises(ServerUnavailable, match="another version"):
                await soul.files()

    asyncio.run(program())
    assert len(asked) == 2


def test_an_error_brings_along_what_it_says_besides_its_sentence(served: Served, furnished: Path) -> None:
    (furnished / "agents" / "default" / "SOUL.md").write_bytes(b"\xff")

    assert connected(served).read("SOUL").content == b"\xff"
    with pytest.raises(DocumentError) as damaged:
        connected(served).lock("SOUL", "Boundaries")
    down = error_of({"detail": "no model", "error": "LLMUnavailable", "passes": False, "status": 503}, 503)
    strange = error_of({"detail": "new", "error": "__doc__", "status": 409}, 409)

    assert (damaged.value.path, damaged.value.line) == ("SOUL.md", 1)
    assert isinstance(down, LLMUnavailable)
    assert down.passes is False
    assert type(strange) is EditConflict


def test_it_takes_and_tells_what_a_soul_does_and_nothing_else(served: Served) -> None:
    soul: Any = connected(served)

    assert {"memory", "recall", "goals", "id"} <= set(dir(soul))
    assert {"list", "purge"} <= set(dir(soul.memory))
    assert soul.recall.__doc__ == Soul.recall.__doc__
    for named in ({}, {"question": "cat", "audience": None}, {"question": "cat", "nothing": 1}):
        with pytest.raises(TypeError):
            soul.recall(**named)
    with pytest.raises(TypeError):
        soul.forget("cat", actor="agent")
    for part, missing in ((soul, "watch"), (soul.memory, "sync"), (soul, "nothing")):
        with pytest.raises(AttributeError, match="an agent that is elsewhere has no"):
            getattr(part, missing)


def test_importing_it_loads_neither_the_server_nor_the_store_nor_what_carries_requests() -> None:
    code = (
        "import sys, almario.client; print([m for m in sys.modules if m.startswith(('fastapi', 'httpx', "
        "'almario.store', 'almario.memory', 'almario.conversation', 'almario.becoming', 'almario.wiring'))])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
