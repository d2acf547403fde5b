"""Projects: what was told in one, and what is of home, comes to mind in another only by the gate."""

import json
from typing import Any

import pytest

from almario.conversation import presence
from almario.domain import audiences, places
from almario.domain.model import Query, Scope
from almario.domain.turns import Utterance, session_key
from almario.memory.telling import Listener
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
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
    "instructions": [{"turns": [1], "value": "In this project say varnish of the Gaviota as Delta"}],
    "summary": "We met at Echo and spoke of varnish for the Gaviota.",
}
SAID = (
    "The Gaviota gets varnish Alpha. Ana varnishes the Gaviota like Bravo. "
    "Varnished the Gaviota with Charlie. In this project say varnish of the Gaviota as Delta. "
    "We met at Echo and spoke of varnish for the Gaviota."
)
EVERYTHING = {"Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"}


@pytest.fixture
def soul(clock: FixedClock) -> Soul:
    """A soul that was told things in a session about a boat, and learned from it."""
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"}, ScriptedLLM(json.dumps(LESSON)))
    soul.append(BOAT, "user", SAID)
    soul.append(BOAT, "assistant", "Noted.")
    soul.flush(BOAT)
    soul.append(
        BOAT, "user", "Somebody at the pier sells Foxtrot, a cheap varnish for boats like the Gaviota."
    )
    soul.append(BOAT, "assistant", "Good to know.")
    return soul


def names_in(*texts: str) -> set[str]:
    return {name for name in EVERYTHING if any(name in text for text in texts)}


def recalled(soul: Soul, session: str, **scope: Any) -> set[str]:
    found = soul.recall(QUESTION, limit=50, min_score=0.0, session=session, scope=Scope(**scope))
    return names_in(*(f"{hit.text} {hit.evidence}" for hit in found))


def told(soul: Soul, session: str) -> set[str]:
    """Return what a prompt tells, and what the hooks of a coding agent do."""
    companion = soul.companion
    texts = (
        soul.prompt(QUESTION, session=session).text,
        companion.begin(session),
        companion.hear(session, QUESTION),
    )
    return names_in(*texts)


@each_row(
    ("said", "rule", "holds"),
    [
        ("always write commit messages in the imperative", "Write commit messages in the imperative", True),
        ("de ahora en adelante, comentarios en inglés", "Escribir los comentarios en inglés", True),
        ("here we always indent with tabs", "Always indent with tabs", False),
        ("in the boat repo always squash the commits", "Always squash the commits", False),
        ("en este repo no toques los tests de humo", "No tocar los tests de humo en este repo", False),
    ],
)
def test_a_rule_holds_in_every_project_unless_it_names_one(
    clock: FixedClock, said: str, rule: str, holds: bool
) -> None:
    lesson = {"facts": [], "episodes": [], "instructions": [{"turns": [1], "value": rule}], "summary": ""}
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"}, ScriptedLLM(json.dumps(lesson)))
    soul.append(BOAT, "user", f"The build is green. {said}")
    soul.append(BOAT, "assistant", "Noted.")
    soul.flush(BOAT)

    assert rule in soul.companion.begin(BOAT_TOO)
    assert (rule in soul.companion.begin(HOUSE)) == holds
    assert rule in soul.prompt("hello", session=CHAT).text


def test_in_another_project_nothing_of_its_work_comes_to_mind(soul: Soul) -> None:
    assert recalled(soul, HOUSE) == set()
    assert told(soul, HOUSE) == set()


@each_row("session", [BOAT_TOO, CHAT, ""])
def test_in_the_same_project_and_at_home_everything_does(soul: Soul, session: str) -> None:
    assert recalled(soul, session) == EVERYTHING
    if session:
        assert told(soul, session) >= {"Alpha", "Delta"}


def test_with_the_gate_taken_out_everything_comes_to_mind_everywhere(
    soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "project_of", lambda _: "")

    assert recalled(soul, HOUSE) == EVERYTHING
    assert told(soul, HOUSE) >= {"Alpha", "Delta"}


def test_what_is_told_in_a_project_is_found_on_request(soul: Soul) -> None:
    assert recalled(soul, HOUSE, project="all") == EVERYTHING
    assert recalled(soul, CHAT, project="house-2") == set()
    assert recalled(soul, "", project="boat-1") == EVERYTHING


def test_however_much_is_said_in_other_projects_this_one_is_found(soul: Soul) -> None:
    loud = [
        Utterance("user", f"It is known that varnish {n} of the Gaviota is in the house.", "owner")
        for n in range(150)
    ]
    soul.memory.append(HOUSE, loud)

    found = soul.recall(QUESTION, session=BOAT_TOO, scope=Scope(sources=("session",)))

    assert "Foxtrot" in found[0].text


def test_what_one_project_uses_takes_no_place_of_what_another_does(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"})
    for session, tool in ((BOAT, "Pytest"), (HOUSE, "Vitest")):
        turn = soul.append(session, "user", f"The tests run with {tool}.")
        soul.memory.learn("tests", f"They run with {tool}", kind="fact", evidence=(turn.id,))
        clock.advance(days=1)

    def of(session: str) -> list[str]:
        return [hit.text for hit in soul.recall("tests", session=session, scope=Scope(kinds=("fact",)))]

    assert of(BOAT_TOO) == ["They run with Pytest"]
    assert of(session_key("cursor", "s9", project="house-2")) == ["They run with Vitest"]
    assert sorted(of("")) == ["They run with Pytest", "They run with Vitest"]


def test_what_is_learned_in_one_project_is_not_shown_what_another_knows(soul: Soul) -> None:
    soul.append(HOUSE, "user", "Its door gets varnish, too.")
    soul.append(HOUSE, "assistant", "Which?")
    soul.flush(HOUSE)

    asked = soul.models.background.asked[-1]  # type: ignore[union-attr]
    assert names_in(asked.system) == set()


KEYS = [
    (BOAT, "boat-1"),
    (f"{BOAT}#17", "boat-1"),
    (session_key("codex", "a:b", "topic", project="x:y"), "x%3ay"),
    (CHAT, ""),
    ("telegram:42:topic-7", ""),
    ("web:project-7", ""),
    ("project-a:b:c", ""),
]


@each_row(("session", "project"), KEYS)
def test_the_key_of_a_session_says_which_project_it_is_about(session: str, project: str) -> None:
    assert places.project_of(session) == project


def test_a_project_is_no_way_around_an_audience(soul: Soul) -> None:
    soul.append(BOAT_TOO, "user", "Hello!", origin="untrusted", speaker="Pepe")

    assert not soul.audience(BOAT_TOO).is_private
    assert recalled(soul, BOAT_TOO) == set()
    assert recalled(soul, BOAT_TOO, project="all") == set()


OF_ONESELF = [
    ("Fix the build first. By the way, my dog Bruno is afraid of thunder.", "Is Bruno afraid of thunder?"),
    ("Por cierto, mi perro Bruno tiene miedo a los truenos.", "¿Tiene Bruno miedo a los truenos?"),
]
# What another project has of no one but itself, or is nobody's business there.
OF_THE_WORK = [
    "The dog Bruno in fixtures.json is afraid of thunder.",
    "I want you to make Bruno afraid of thunder.",
    "My function is_afraid(bruno) tells whether Bruno is afraid of thunder.",
    "Is my dog Bruno afraid of thunder?",
]


@each_row(("said", "question"), OF_ONESELF)
def test_what_the_owner_says_of_themselves_comes_to_mind_in_every_project(
    clock: FixedClock, *, said: str, question: str
) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"})
    soul.append(BOAT, "user", said)
    soul.append(BOAT, "assistant", "Poor Bruno. The build of the boat is fixed.")

    heard = soul.companion.hear(HOUSE, question)

    assert said.rpartition("Fix the build first. ")[2] in heard
    assert "build" not in heard  # the rest of it is of that project


@each_row("said", OF_THE_WORK)
def test_what_is_said_of_the_work_stays_in_its_project(clock: FixedClock, *, said: str) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"})
    soul.append(BOAT, "user", said)
    soul.append(BOAT, "assistant", "My dog Bruno is afraid of thunder, I think.")

    assert soul.companion.hear(HOUSE, "What is Bruno the dog afraid of?") == ""


@each_row("said", ["user", "stranger", "off"])
def test_nobody_elses_word_and_nothing_confidential_comes_to_mind_in_another_project(
    clock: FixedClock, *, said: str
) -> None:
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"})
    text = "My dog Bruno is afraid of thunder."
    utterance = (
        Utterance("user", text, "untrusted") if said == "stranger" else Utterance("user", text, "owner")
    )
    soul.memory.append(BOAT, [utterance._replace(off=said == "off")])

    found = soul.recall("Is Bruno afraid of thunder?", session=HOUSE)

    assert bool(found) is (said == "user")
    others = audiences.Audience(HOUSE, ("Tom",), project="house-2")
    assert soul.memory.recall(Query("Is Bruno afraid of thunder?"), Listener(others)) == []


def test_a_correction_in_one_project_is_of_nothing_that_was_learned_in_another() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    turn = soul.append(BOAT, "user", "The deploy server of the shop is called Gaviota")
    soul.memory.learn("", "The deploy server of the shop is called Gaviota", kind="fact", evidence=(turn.id,))

    answer = soul.talk("The deploy server of the shop is called Pelican, not Gaviota", HOUSE)

    assert not any({"doubts", "replaces"} & set(action.structured) for action in answer.done)
    assert not any(memory.by for memory in soul.memory.list())


@each_row(
    "message",
    [
        "Remember that we deploy on Thursdays only",
        "I need to remember the schema",
        "can you forget the old config? I don't use it",
        "tengo que acordarme del esquema",
    ],
)
def test_an_order_to_the_memory_is_not_near_to_every_other(message: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local", "llm.model": "none"})
    for each in (
        "Remember to call the plumber tomorrow",
        "I can't remember where I put the keys",
        "don't forget that the boiler is serviced in May",
        "no olvides que la caldera se revisa en mayo",
    ):
        soul.talk(each)
    soul.memory.prepare()

    told = soul.companion.hear(BOAT, message)

    assert not any(word in told for word in ("plumber", "keys", "boiler", "caldera"))
