"""`almario mcp` as a program starts it."""

import os
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from almario.soul import Soul
from tests.apps.conftest import Run
from tests.apps.mcp.programs import text_of

MAIN = "import sys; from almario.__main__ import main; sys.argv[0] = 'almario'; sys.exit(main())"


def test_a_program_starts_it_asks_it_and_leaves(soul: Soul, home: Path) -> None:
    soul.remember("allergy: Ana is allergic to peanuts")
    soul.close()
    started = StdioServerParameters(command=sys.executable, args=["-c", MAIN, "mcp"], env=dict(os.environ))

    async def ask() -> str:
        async with Client(started) as client:
            return text_of(await client.call_tool("recall", {"query": "what can Ana not eat?"}))

    assert "Ana is allergic to peanuts" in anyio.run(ask)


def test_an_agent_that_does_not_exist_is_told_before_mcp_is_spoken(soul: Soul, run: Run) -> None:
    said = run("mcp", "--agent", "nobody")

    assert (said.code, said.out) == (2, "")
    assert said.err == 'Error: there is no agent "nobody"; there are default\n'


def test_what_is_missing_is_told_with_the_line_to_run(
    soul: Soul, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("almario.apps.cli.doors.mcp_command.find_spec", lambda _: None)

    said = run("mcp")

    assert (said.code, said.out) == (2, "")
    assert "pip install 'almario[mcp]'" in said.err
