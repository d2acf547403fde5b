"""The portrait in brief: it stands in every prompt that cannot tell all facts, and says nothing private."""

from collections.abc import Callable
from pathlib import Path

import pytest

import almario
from almario.domain.turns import session_key
from almario.testing import FixedClock, ScriptedLLM
from tests.conversation.test_portraits_made import lived, made, page_of, texts
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light

RIVER = ("you", "You live by the river.", ["river"])
# Of themes that stand elsewhere, or only where a message calls for them; private itself, or by its evidence.
AHEAD = ("plans", "You live in a house by the sea.", ["river"])
KNOWN = ("home: a flat by the river", "pills: bisoprolol for the heart", "tally: of parcels")
TOLD = [f"- {RIVER[1]}"]


def crowded(soul: almario.Soul) -> almario.Soul:
    kept = "slides, letters and tickets, all in their order, with a list of what is lent to whom"
    with soul.memory.together():
        for n in range(60):
            soul.memory.learn(f"box {n}", f"Box {n} has {kept}")
    return soul


def brief(soul: almario.Soul, message: str = "so, what do you make of me?", session: str = "") -> list[str]:
    prompt = soul.prompt(message, session=session)
    [section] = [each for each in prompt.sections if each.name == "portrait"]
    assert section.tokens <= 200
    assert not section.text or section.text not in prompt.stable  # it is data, as all that is remembered
    return section.text.splitlines()[1:]


@pytest.fixture
def store(clock: FixedClock) -> MemoryStore:
    return MemoryStore(clock)


def test_it_stands_there_without_plans(store: MemoryStore) -> None:
    soul = crowded(made(store, RIVER, AHEAD, facts=KNOWN))

    assert brief(soul) == brief(soul, "good morning!") == TOLD


def test_what_it_rests_on_is_told_all_the_same(store: MemoryStore) -> None:
    soul = crowded(made(store, RIVER, facts=KNOWN))

    assert "home: a flat by the river" in soul.prompt("where do I live, by which river?").text


def test_it_does_not_stand_where_all_facts_have_room(store: MemoryStore) -> None:
    assert brief(made(store, RIVER, facts=KNOWN)) == []


def test_nobody_else_and_no_project_is_told_it(store: MemoryStore) -> None:
    soul = crowded(made(store, RIVER, facts=KNOWN))

    assert brief(soul, session="cli:main") == TOLD
    assert brief(soul, session=session_key("codex", "s2", project="boat-1")) == []
    soul.append("telegram:42", "user", "Hello, who is there?", origin="untrusted", speaker="Bruno")
    assert brief(soul, session="telegram:42") == []


@each_row(
    "how, change",
    [
        ("forgotten", lambda soul, one: soul.forget(one)),
        ("ended", lambda soul, one: soul.memory.change(one, ended="2026-11-01")),
        ("amended", lambda soul, one: soul.memory.change(one, "a flat by the sea")),
    ],
)
def test_it_says_nothing_whose_evidence_is_gone(
    how: str, change: Callable[[almario.Soul, str], object]
) -> None:
    soul = crowded(made(MemoryStore(FixedClock()), RIVER, facts=KNOWN))
    change(soul, soul.memory.find("river")[0].id)

    assert brief(soul) == []


def test_what_the_owner_did_not_say_is_no_part_of_it(store: MemoryStore) -> None:
    soul = soul_on(store, llm=ScriptedLLM(page_of(RIVER)))
    soul.memory.learn("home", "a flat by the river", origin="imported")
    soul.tidying.portray()

    assert texts(soul.portrait()) == [RIVER[1]]
    assert brief(crowded(soul)) == []


def test_what_the_owner_wrote_on_the_page_comes_first(home: Path, clock: FixedClock) -> None:
    soul = lived(almario.create(home, clock=clock, llm=ScriptedLLM(page_of(RIVER))), *KNOWN)
    soul.tidying.portray()
    file = Path(soul.place) / "memory/pages/owner.md"
    file.parent.mkdir(parents=True)
    own = "I drink flat whites with oat milk."
    file.write_text(f"# What I wrote\n\n- {own}\n")

    assert brief(soul) == [f"- owner: {own}"]
    assert brief(crowded(soul)) == [f"- owner: {own}", *TOLD]
