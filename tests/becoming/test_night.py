"""A night by a strong model: an English agent, an owner who speaks Spanish, and no word that is refused.

`a_night.json` has two weeks of their talk, and what a good model answered by hand to the questions as they
are sent; `python -m tests.becoming.test_night` counts it.
"""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from almario.becoming.reflecting import Reflected
from almario.domain.talk import Ask
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on

NIGHT: dict[str, Any] = json.loads(Path(__file__).with_name("a_night.json").read_text(encoding="utf-8"))
MOST_TOKENS = 5000


def at(written: str) -> datetime:
    return datetime.fromisoformat(written).replace(tzinfo=ZoneInfo("Europe/Madrid"))


def answered(ask: Ask) -> str:
    return json.dumps(NIGHT["answer"], ensure_ascii=False)


def night() -> tuple[Soul, ScriptedLLM, Reflected]:
    """Let two weeks pass, and reflect on them."""
    clock, llm = FixedClock(at("2026-11-02T20:00")), ScriptedLLM(answered)
    soul = soul_on(MemoryStore(clock), {"language": "en"}, llm)
    for goal in NIGHT["goals"]:
        soul.goals.add(goal)
    said = [(when, "", one, other) for when, one, other in NIGHT["talk"]]
    kept = [(when, "remember", one, other) for when, one, other in NIGHT["remembered"]]
    for when, is_kept, one, other in sorted(said + kept):
        clock.now = at(when)
        if is_kept:
            soul.remember(one, kind=other)
        else:
            soul.append("default", "user", one)
            soul.append("default", "assistant", other)
    clock.now = at("2026-11-17T03:30")
    return soul, llm, soul.reflection.run(trigger="night")


def tokens(ask: Ask) -> int:
    """Return what a question and its answer take, at four characters a token."""
    told = "".join([ask.system, *(message.text for message in ask.messages)])
    return (len(told) + len(json.dumps(ask.schema)) + len(answered(ask))) // 4


def test_a_strong_models_night_is_taken_as_it_is_in_one_question() -> None:
    soul, llm, done = night()

    assert (done.why, done.design.refused) == (None, ())
    assert len(llm.asked) == 1
    assert sum(map(tokens, llm.asked)) <= MOST_TOKENS
    assert len(done.findings) == len(NIGHT["answer"]["findings"])
    assert done.design.entry == NIGHT["answer"]["journal"]
    assert [edit.title for edit in done.design.edits] == [
        each["title"] for each in NIGHT["answer"]["changes"]
    ]
    assert len(done.applied.goals) == len(NIGHT["answer"]["goals"])
    waiting = soul.proposals.list()
    assert {proposal.file for proposal in waiting} == {"SOUL.md", "MOTIVATIONS.md"}
    assert all(proposal.evidence for proposal in waiting)


if __name__ == "__main__":
    _, model, reflected = night()
    counts = [tokens(ask) for ask in model.asked]
    print(
        f"{len(counts)} questions, {sum(counts)} tokens ({counts}), {len(reflected.design.refused)} refused"
    )
