"""In asyncio one Soul answers many chats from many threads, and nothing of it is lost or mixed up."""

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import almario
from almario.domain.talk import Ask, Reply, ToolCall
from almario.soul import Soul
from almario.testing import ScriptedLLM
from tests.examples.conftest import Example

CHATS = ("ana", "bob", "carlos", "dora")


def echo(ask: Ask) -> str:
    return f"You said: {ask.messages[-1].text}"


def test_without_a_package_an_example_ends_with_a_sentence(
    example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    with pytest.raises(SystemExit, match="pip install fastapi uvicorn"):
        example("web_app")


@pytest.fixture
def talking(home: Path, soul: Soul) -> Soul:
    return almario.open(home, llm=ScriptedLLM(echo), settings={"flush.threshold": 1000})


def test_a_bot_answers_every_chat_in_its_order_and_keeps_all_of_it(example: Example, talking: Soul) -> None:
    bot, sent = example("bot"), defaultdict[str, list[str]](list)

    async def messages() -> AsyncIterator[Any]:
        for number in range(5):
            for chat in CHATS:
                yield bot.Incoming(chat, "", f"number {number} of {chat}", is_owner=True)

    async def send(chat: str, answer: str) -> None:
        sent[chat].append(answer)

    asyncio.run(bot.Bot(talking).run(messages(), send))
    talking.close()

    assert {chat: [f"You said: number {n} of {chat}" for n in range(5)] for chat in CHATS} == sent
    for chat in CHATS:
        texts = [turn.text for turn in talking.sessions.turns(f"bot:{chat}")]
        expected = [[f"number {n} of {chat}", f"You said: number {n} of {chat}"] for n in range(5)]
        assert texts == [text for pair in expected for text in pair]
    assert [str(each) for each in talking.memory.verify()] == []


def test_many_threads_may_remember_and_recall_with_one_soul(soul: Soul) -> None:
    async def remember(number: int) -> str:
        receipt = await asyncio.to_thread(soul.remember, f"bird {number}: ringed as B{number:03}")
        await asyncio.to_thread(soul.recall, f"bird {number}")
        await asyncio.to_thread(soul.prompt, f"bird {number}")
        return receipt.outcome

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(remember(number) for number in range(24)))

    assert asyncio.run(all_of_them()) == ["new"] * 24
    assert len(soul.memory.list()) == 24


def test_without_a_model_the_bot_says_so_and_keeps_what_was_said(example: Example, soul: Soul) -> None:
    bot = example("bot")

    result = asyncio.run(bot.Bot(soul).answer(bot.Incoming("ana", "Ana", "Write me a poem", is_owner=True)))

    assert "I have no language model" in result
    assert [turn.text for turn in soul.sessions.turns("bot:ana")] == ["Write me a poem"]


def test_a_tool_of_ones_own_answers(example: Example, home: Path, soul: Soul) -> None:
    own = example("own_tools")
    llm = ScriptedLLM(
        Reply("", (ToolCall("1", "tram_position", {"line": "28"}),)), lambda ask: ask.messages[-1].text
    )
    with almario.open(home, llm=llm) as talking:
        talking.tools.add(own.tram_position, reads=True)

        assert "Graça" in talking.talk("Where is the 28 now?").text


async def served(app: Any, method: str, path: str, body: object = None, query: str = "") -> tuple[int, str]:
    """Ask a web app something, as a server would."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": query.encode(),
        "headers": [(b"content-type", b"application/json")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    told: list[dict[str, Any]] = [{"type": "http.request", "body": json.dumps(body).encode()}]
    heard: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if told:
            return told.pop()
        await asyncio.Event().wait()  # nobody hangs up
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        heard.append(message)

    await app(scope, receive, send)
    return heard[0]["status"], b"".join(each.get("body", b"") for each in heard).decode()


@pytest.fixture
def web(example: Example) -> ModuleType:
    pytest.importorskip("fastapi", reason="the web app is FastAPI's: pip install '.[test]'")
    return example("web_app")


def test_a_web_app_answers_streams_and_recalls(web: ModuleType, talking: Soul, monkeypatch: Any) -> None:
    monkeypatch.setattr(almario, "open_or_create", lambda: talking, raising=False)

    async def visit() -> list[tuple[int, str]]:
        async with web.lifespan(web.app):
            message = {"text": "Remember that I like trains."}
            return [
                await served(web.app, "POST", "/chats/ana", message),
                await served(web.app, "POST", "/chats/bob/stream", {"text": "hello"}),
                await served(web.app, "GET", "/recall", query="question=trains"),
            ]

    answer, stream, recalled = asyncio.run(visit())

    assert (answer[0], json.loads(answer[1])) == (200, {"answer": "You said: Remember that I like trains."})
    assert stream == (200, "You said: hello")
    assert "trains" in json.loads(recalled[1])[0]["text"]
