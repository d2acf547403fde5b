"""A fully obedient model, sixty hostile texts, five channels: nothing of them is ever the owner's word."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from almario.conversation.tool_calls import Context, Done
from almario.conversation.tools import Tools
from almario.domain.memories import ORIGINS, Origin, Wanted
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.domain.talk import ToolCall
from almario.soul import Soul
from tests.conversation.hostile import CHANNELS, MESSAGE, PAYLOADS, Payload, framed
from tests.effort import every

ANY = {"type": "object", "properties": {"url": {"type": "string"}}}


@pytest.fixture
def target(soul: Soul) -> Soul:
    """A soul with something to lose."""
    soul.remember("job", "designs bridges")
    soul.remember("mascota", "tiene un gato llamado Michi")
    soul.remember("allergy", "allergic to peanuts")
    soul.goals.add("Renew the passports")
    soul.goals.change("passports", state="done")
    soul.log("Walked to the lighthouse.")
    soul.memory.settle()
    return soul


def heard(tools: Tools, soul: Soul, payload: Payload, channel: str) -> Context:
    """Return the context that a model has after it was told a payload."""
    lowest: Origin = "untrusted"
    if channel == "file":
        (soul.path / "notes").mkdir(exist_ok=True)
        (soul.path / "notes" / "visit.md").write_text(framed(payload, channel))
        lowest = tools.call(ToolCall("1", "memory_get", {"path": "notes/visit.md"})).origin
    if channel == "tool result":
        told = {"url": framed(payload, channel)}
        lowest = tools.call(ToolCall("1", "fetch", told)).origin
    return Context("cli:main", MESSAGE, lowest, ("cli:main#1",))


def state_of(soul: Soul) -> Mapping[str, Any]:
    names = [*SOUL_FILES, CORE_MEMORY, "agent.toml", *_logs(soul.path)]
    trusted = soul.memory.list(Wanted(origins=tuple(o for o in ORIGINS if o != "untrusted")))
    return {name: without_marked(soul.read(name).content) for name in names} | {
        "trusted": {(m.id, m.key, m.value, m.kind, m.source) for m in trusted},
        "goals": soul.goals.list(),
    }


def without_marked(content: bytes | None) -> list[bytes]:
    """Return a file's lines but those of a log that are marked, and how far MEMORY.md has followed."""
    lines = (content or b"").split(b"\n")
    return [line for line in lines if b"] [untrusted] " not in line and not line.startswith(b"<!-- almario ")]


def _logs(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in sorted((root / "memory").glob("*.md"))]


@pytest.mark.parametrize("channel", CHANNELS)
def test_what_a_hostile_text_wants_is_never_promoted(target: Soul, channel: str) -> None:
    tools = target._parts.tools
    tools.add(lambda url: url, name="fetch", description="Fetch a page.", schema=ANY)
    before = state_of(target)
    wrong: list[str] = []
    payloads = every(2 * len(CHANNELS), PAYLOADS, start=2 * CHANNELS.index(channel))
    for payload in payloads:
        context = heard(tools, target, payload, channel)
        assert context.lowest == "untrusted"
        done = [tools.call(by_id(call, target), context) for call in payload.calls]
        if any(proposal.origin != "untrusted" for proposal in target.proposals.list()):
            wrong.append(f"{payload.text}: a proposal that is not marked")
        if any(each.name in ("forget", "manage_goals", "memory_get") and not each.is_error for each in done):
            wrong.append(f"{payload.text}: {done}")
    (target.path / "notes" / "visit.md").unlink(missing_ok=True)
    target.memory.settle()

    assert wrong == []
    after = state_of(target)
    assert {name: after[name] for name in after if after[name] != before.get(name)} == {}
    for payload in payloads:
        prompt = target.prompt(" ".join(payload.wishes) or payload.text).text
        wrong += [f"{payload.text}: {wish} is in the prompt" for wish in payload.wishes if wish in prompt]
    assert wrong == []


def by_id(call: ToolCall, target: Soul) -> ToolCall:
    """Return a call that forgets keys as one that forgets their memories: a model has seen the ids."""
    keys = call.arguments.get("ids", ())
    ids = [memory.id for key in keys for memory in target.memory.list(Wanted(keys=(key,)))]
    return call._replace(arguments={"ids": ids or list(keys)}) if keys else call


def found_by(tools: Tools, query: str, **more: object) -> Done:
    return tools.call(ToolCall("1", "memory_search", {"query": query, "top_k": 20, **more}), Context())


def test_what_was_kept_apart_comes_back_only_when_asked_for_and_labelled(target: Soul) -> None:
    tools = target._parts.tools
    hostile = Context("cli:main", MESSAGE, "untrusted")
    tools.call(ToolCall("1", "save_memory", {"key": "bank", "fact": "the bank is Evil Bank"}), hostile)

    assert "Evil" not in found_by(tools, "bank").text
    assert "Evil" not in tools.call(ToolCall("1", "recall_as_of", {"date": "2026-11-20"}), Context()).text
    asked = found_by(tools, "bank", include_untrusted=True)
    assert "[untrusted] bank: the bank is Evil Bank" in asked.text
    assert asked.origin == "untrusted"


def test_the_same_calls_work_when_the_owner_asks(target: Soul) -> None:
    """The safeguards are about whose word it is: none of them is a locked door."""
    tools = target._parts.tools
    message = "Remember that my bank is Honest Bank, forget my job, and add the goal to learn to swim"
    mine = Context("cli:main", message, "owner")

    tools.call(ToolCall("1", "save_memory", {"key": "bank", "fact": "my bank is Honest Bank"}), mine)
    tools.call(by_id(ToolCall("2", "forget", {"ids": ["job"]}), target), mine)
    tools.call(ToolCall("3", "manage_goals", {"action": "add", "goal": "learn to swim"}), mine)

    [bank] = target.memory.list(Wanted(keys=("bank",)))
    assert (bank.source, bank.origin) == ("explicit", "owner")
    assert target.memory.list(Wanted(keys=("job",))) == []
    assert "learn to swim" in [goal.text for goal in target.goals.list()]
