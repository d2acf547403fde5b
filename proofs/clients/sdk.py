"""The client of the official Python SDK, in both eras of the protocol."""

from typing import Literal

import anyio
from mcp import Client, StdioServerParameters

from proofs.clients.machine import Machine

ERAS: tuple[Literal["auto", "legacy"], ...] = ("auto", "legacy")


def check(user: Machine) -> str:
    """Remember something in one session and recall it in the next, in each era."""
    started = StdioServerParameters(command="almario", args=["mcp"], env=user.environment, cwd=user.project)
    versions = []

    async def talk() -> None:
        for era in ERAS:
            async with Client(started, mode=era) as client:
                await client.call_tool("remember", {"fact": f"the {era} era is tried"})
            async with Client(started, mode=era) as client:
                result = await client.call_tool("recall", {"query": f"which era is tried, {era}?"})
                assert f"the {era} era is tried" in str(result.structured_content), result
                versions.append(str(client.protocol_version))

    anyio.run(talk)
    return " and ".join(versions)
