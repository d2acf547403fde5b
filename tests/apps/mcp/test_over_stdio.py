"""`almario mcp` as a program starts it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.message import SessionMessage

from almario.apps.mcp.first_answers import Opening
from almario.apps.mcp.server import create_server
from almario.apps.mcp.visiting import Visitor
from almario.domain.installing import to_install
from almario.served import contacts
from almario.soul import Soul
from almario.wiring.offering import offered
from tests.apps.conftest import Run
from tests.apps.mcp.programs import text_of

ABOUT = "io.modelcontextprotocol/"
MAIN = "import sys; from almario.__main__ import main; sys.argv[0] = 'almario'; sys.exit(main())"


def test_a_program_starts_it_asks_it_and_leaves(soul: Soul, home: Path) -> None:
    soul.remember("allergy: Ana is allergic to peanuts")
    soul.close()
    started = StdioServerParameters(command=sys.executable, args=["-c", MAIN, "mcp"], env=dict(os.environ))

    async def ask() -> str:
        async with Client(started, mode="legacy") as client:
            first = await client.list_tools()
            told = text_of(await client.call_tool("recall", {"query": "what can Ana not eat?"}))
            assert await client.list_tools() == first
            return told

    assert "Ana is allergic to peanuts" in anyio.run(ask)
    assert [(each.what, each.memories) for each in contacts(home)["mcp"]] == [("recall", 1), ("recall", 1)]


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25", "2025-06-18"])
def test_what_is_answered_before_the_sdk_is_loaded_is_what_the_sdk_would_answer(version: str) -> None:
    meta = {"_meta": {ABOUT + "protocolVersion": version, ABOUT + "clientCapabilities": {}}}
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "b", "version": "1"}}
    if version == "2026-07-28":
        requests: list[Any] = [("server/discover", meta), ("tools/list", meta)]
    else:
        requests = [("initialize", hello), ("tools/list", {})]
    lines = [{"jsonrpc": "2.0", "id": n, "method": m, "params": p} for n, (m, p) in enumerate(requests)]
    opening = Opening(offered())

    ours = [json.loads(opening.answer(json.dumps(line).encode())) for line in lines]

    assert ours == anyio.run(by_the_sdk, lines)


def test_tools_are_listed_for_who_asks_nothing_else() -> None:
    bare = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()

    listed = json.loads(Opening(offered()).answer(bare))

    assert [each["name"] for each in listed["result"]["tools"]] == list(offered())


async def by_the_sdk(lines: list[dict[str, Any]]) -> list[Any]:
    """Return what the SDK answers to a program, as it is written."""
    server = create_server(lambda _: Visitor(lambda: pytest.fail("the agent is not needed")))
    to, reading = anyio.create_memory_object_stream[SessionMessage | Exception](9)
    writing, back = anyio.create_memory_object_stream[SessionMessage](9)
    answers = []
    async with to, back, anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, reading, writing, server.create_initialization_options())
        for line in lines:
            await to.send(SessionMessage(types.jsonrpc_message_adapter.validate_python(line)))
            said = (await back.receive()).message
            answers.append(json.loads(said.model_dump_json(by_alias=True, exclude_unset=True)))
        tasks.cancel_scope.cancel()
    return answers


def test_what_cannot_be_read_is_answered_with_why(soul: Soul) -> None:
    soul.close()
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    half = call | {"params": {"name": "recall", "arguments": {"query": "tea \ud800"}}}
    lines = [
        json.dumps(half).encode(),
        b'{"jsonrpc": ',
        b"\xff\xfe",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 2, "method": "ping"}',
    ]

    told = subprocess.run(
        [sys.executable, "-c", MAIN, "mcp"], input=b"\n".join([*lines, b""]), capture_output=True, check=True
    )

    answers = [json.loads(line) for line in told.stdout.splitlines()]
    why = [(each["id"], each.get("error", {}).get("message")) for each in answers]
    no_object = (None, "this is no JSON object, so it is no message")
    no_json = (None, "this is not valid JSON")
    assert why == [
        (1, "the text has characters that are not valid Unicode"),
        no_json,
        no_json,
        no_object,
        (2, None),
    ]


def test_nothing_heavy_is_loaded_before_the_tools_are_listed() -> None:
    heavy = "{'mcp', 'mcp_types', 'pydantic', 'anyio', 'numpy'}"
    program = f"import sys, almario.apps.mcp.over_stdio; print({heavy} & {{*sys.modules}})"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stdout == "set()\n"


def test_an_agent_that_does_not_exist_is_told_before_mcp_is_spoken(soul: Soul, run: Run) -> None:
    result = run("mcp", "--agent", "nobody")

    assert (result.code, result.out) == (2, "")
    assert result.err == 'Error: there is no agent "nobody", only default\n'


def test_what_is_missing_is_told_with_the_line_to_run(
    soul: Soul, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("almario.apps.cli.doors.mcp_command.find_spec", lambda _: None)

    result = run("mcp")

    assert (result.code, result.out) == (2, "")
    assert to_install("almario[mcp]") in result.err
