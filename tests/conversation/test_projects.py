"""Projects: what was learned in one comes to mind in another only if it is about the person."""

import json
from typing import Any

import pytest

from almario.domain.audiences import Audience, is_of_project, project_of
from almario.domain.model import Scope
from almario.domain.turns import session_key
from almario.soul import Soul
from almario.testing import FixedClock, MemoryStore, ScriptedLLM
from tests.souls import soul_on
from tests.tables import each_row

BOAT = session_key("claude-code", "s1", project="boat-1")
BOAT_TOO = session_key("codex", "s2", project="boat-1")
HOUSE = session_key("claude-code", "s3", project="house-2")
CHAT = "cli:main"
QUESTION = "What is known about the varnish of the Gaviota?"

# What one session about the boat taught, each with a word of its own.
LESSON = {
    "facts": [
        {"turns": [1], "key": "varnish", "value": "The Gaviota gets varnish Alpha", "kind": "fact"},
        {"turns": [1], "key": "owner", "value": "Ana varnishes the Gaviota like Bravo", "kind": "profile"},
    ],
    "episodes": [{"turns": [1], "text": "Varnished the Gaviota with Charlie"}],
    "corrections": [{"turns": [1], "value": "Say varnish of the Gaviota as Delta"}],
    "summary": "They spoke of the varnish of the Gaviota, Echo.",
}
SAID = (
    "The Gaviota gets varnish Alpha. Ana varnishes the Gaviota like Bravo. Varnished the Gaviota with Charlie. "
    "Say varnish of the Gaviota as Delta. Foxtrot is the varnish of the Gaviota."
)
OF_THE_PROJECT = {"Alpha", "Charlie", "Echo", "Foxtrot"}
OF_THE_PERSON = {"Bravo", "Delta"}


@pytest.fixture
def soul(clock: FixedClock) -> Soul:
    """A soul that was told things in a session about a boat, and learned from it."""
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"}, ScriptedLLM(json.dumps(LESSON)))
    soul.append(BOAT, "user", SAID)
    soul.append(BOAT, "assistant", "Noted.")
    soul.flush(BOAT)
    return soul


def names_in(*texts: str) -> set[str]:
    return {name for name in OF_THE_PROJECT | OF_THE_PERSON if any(name in text for text in texts)}


def recalled(soul: Soul, session: str, **scope: Any) -> set[str]:
    found = soul.recall(QUESTION, limit=50, min_score=0.0, session=session, scope=Scope(**scope))
    return names_in(*(f"{hit.text} {hit.evidence}" for hit in found))


@each_row(
    ("session", "wanted"),
    [(HOUSE, OF_THE_PERSON), (BOAT_TOO, OF_THE_PROJECT | OF_THE_PERSON), (CHAT, OF_THE_PROJECT | OF_THE_PERSON)],
)
def test_what_comes_to_mind_where(soul: Soul, session: str, wanted: set[str]) -> None:
    assert recalled(soul, session) - {"Foxtrot"} <= wanted
    assert names_in(soul.prompt(QUESTION, session=session).text) - {"Foxtrot", "Echo"} == wanted - {
        "Foxtrot",
        "Echo",
    }
