"""What a coding agent is told, and what stays at home: through the hook's JSON, as the agent meets it."""

import pytest

from almario.domain.model import Query, Recalled
from almario.domain.places import HOME, WORK
from almario.domain.turns import Utterance
from almario.memory import telling
from almario.memory.facade import Memories
from almario.memory.telling import Listener
from almario.memory.topics import Backed
from almario.projects import project_at
from almario.soul import Soul
from almario.testing import FixedClock
from almario.text import forms
from tests.apps.hooked import BOAT, HOUSE, Client, processes_on
from tests.memory_store import MemoryStore
from tests.tables import each_row

CHAT = "cli:main"
PAY = "I earn 61,400 gross a year."
OF_CODE = "Rename the column: what people earn gross a year."
OF_ONESELF = "How much do I earn in a year, gross?"


@pytest.fixture
def store(clock: FixedClock) -> MemoryStore:
    return MemoryStore(clock)


@pytest.fixture
def soul(store: MemoryStore) -> Soul:
    return processes_on(store)()


@pytest.fixture
def client(store: MemoryStore) -> Client:
    return Client(processes_on(store))


def at_home(soul: Soul, text: str) -> None:
    soul.memory.append(CHAT, [Utterance("user", text, "owner"), Utterance("assistant", "Noted.", "agent")])


@each_row("how", ["said", "remembered", "learned"])
def test_what_is_of_home_comes_only_where_a_message_speaks_of_its_writer(
    clock: FixedClock, *, how: str
) -> None:
    store = MemoryStore(clock)
    soul = processes_on(store)()
    at_home(soul, PAY)
    if how == "remembered":
        soul.remember(PAY)
    elif how == "learned":
        soul.memory.learn("pay", PAY, evidence=(f"{CHAT}#1",))
    client = Client(processes_on(store))

    assert "61,400" not in client("session-start")
    assert "61,400" not in client("user-prompt", OF_CODE)
    assert "61,400" in client("user-prompt", OF_ONESELF)


def test_with_the_gate_taken_out_it_comes_with_code(
    client: Client, soul: Soul, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home(soul, PAY)
    monkeypatch.setattr(telling, "may_tell", lambda *_: True)

    assert "61,400" in client("user-prompt", OF_CODE)


NEAR = "how much do I get paid?"


@each_row("folder", [BOAT, HOUSE])
def test_with_a_model_of_meaning_it_comes_where_it_means_nearly_the_same(
    clock: FixedClock, *, folder: str
) -> None:
    store = MemoryStore(clock)
    soul = processes_on(store, {"embedder.name": "local"})()
    soul.remember("My salary is 61,400 gross.")
    soul.remember("My mother has early Alzheimer's.")
    client = Client(processes_on(store, {"embedder.name": "local"}), folder=folder)

    told = client("user-prompt", NEAR)

    assert "61,400" in told
    assert "Alzheimer" not in told
    assert "61,400" not in client("user-prompt", "the salary slider jumps back, can you fix it?")


def test_what_is_of_work_is_told_in_every_project_and_of_one_only_there(client: Client, soul: Soul) -> None:
    soul.remember("Commits are written in English.", place=WORK)
    soul.remember("The tests of the boat run with pytest.", place=project_at(BOAT))
    elsewhere = client.another("s2", folder=HOUSE)

    assert "Commits are written in English." in client("session-start")
    begun = elsewhere("session-start")
    assert "Commits are written in English." in begun
    assert "pytest" not in begun
    assert "pytest" not in elsewhere("user-prompt", "How do the tests of the boat run?")
    assert "pytest" in client.another("s3")("user-prompt", "How do the tests of the boat run?")


SAID = [
    ("My dog Bruno is afraid of thunder.", True),
    ("Mi perro Bruno tiene miedo a los truenos (afraid of thunder).", True),
    ("We made the class Bruno afraid of thunder.", False),
    ("Bruno the fixture is afraid of thunder.", False),
    ("I want you to make Bruno afraid of thunder.", False),
    ("My call is_afraid(bruno) says that Bruno is afraid of thunder.", False),
]


@each_row(("said", "comes"), SAID)
def test_of_another_project_comes_what_the_owner_said_of_themselves(
    clock: FixedClock, *, said: str, comes: bool
) -> None:
    client = Client(processes_on(MemoryStore(clock)))
    client("user-prompt", said)
    client("stop", "Poor Bruno.")

    told = client.another("s2", folder=HOUSE)("user-prompt", "Is Bruno afraid of thunder?")

    assert ("Bruno" in told) is comes
    assert "Poor" not in told


def test_with_the_form_taken_out_the_work_of_another_project_comes(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "tells_of_oneself", lambda _: True)
    monkeypatch.setattr("almario.memory.statements.tells_of_oneself", lambda _: True)
    client("user-prompt", "Bruno the fixture is afraid of thunder.")

    assert "Bruno" in client.another("s2", folder=HOUSE)("user-prompt", "Is Bruno afraid of thunder?")


def test_what_was_answered_from_home_is_of_home_too(client: Client, soul: Soul) -> None:
    at_home(soul, PAY)
    assert "61,400" in client("user-prompt", OF_ONESELF)
    client("stop", "In a year you earn 61,400 gross, so the salary table needs five figures.")

    assert "61,400" not in client.another("s2")("user-prompt", "How many figures does the salary table need?")


def test_what_is_answered_later_from_what_was_told_of_home_is_of_home_too(client: Client, soul: Soul) -> None:
    soul.remember(PAY)
    assert "61,400" in client("user-prompt", OF_ONESELF)
    client("stop", "A good deal.")
    client("user-prompt", "Which width is right for the salary table?")
    client("stop", "In a year you earn 61,400 gross, so the salary table needs five figures.")

    assert "61,400" not in client.another("s2")("user-prompt", "How many figures does the salary table need?")


def test_what_was_answered_after_a_search_that_found_something_of_home_is_of_home_too(
    client: Client, soul: Soul, clock: FixedClock
) -> None:
    at_home(soul, PAY)
    clock.advance(minutes=5)
    question = "How many figures does the salary table need?"
    client("user-prompt", "Which budget goes into the form of the salary table?")
    assert "61,400" in soul.tools.call_for("recall", {"query": OF_ONESELF}).text
    made = soul.tools.call_for("remember", {"fact": "The salary table holds 61,400", "key": "salary table"})
    client("stop", "In a year you earn 61,400 gross, so the salary table needs five figures.")

    assert "61,400" not in client.another("s2")("user-prompt", question)
    assert soul.memory.get(made.structured["memory"]["id"]).place == HOME


def test_a_search_that_finds_nothing_of_home_leaves_no_mark(client: Client, soul: Soul) -> None:
    client("user-prompt", "Remember that the vault of the boat opens with a whistle.")

    soul.tools.call_for("recall", {"query": "vault of the boat"})
    soul.tools.call_for("recall", {"query": "zafiro"})

    assert [turn.role for turn in soul.sessions.turns(client.key)] == ["user"]


def test_what_is_forgotten_or_undone_of_home_by_its_id_is_not_told(client: Client, soul: Soul) -> None:
    known = soul.remember(PAY).memory
    assert known is not None

    told = client("user-prompt", f"forget {known.id[:6]}")
    [line] = [word for word in told.split() if word.rstrip('"').isdecimal()]
    back = client("user-prompt", f"undo {line}")

    assert soul.memory.get(known.id).is_live
    assert "forgotten" in told
    assert "it is as it was before" in back
    assert "61,400" not in told + back


def test_what_was_moved_home_is_no_longer_told_nor_the_turn_that_said_it(client: Client, soul: Soul) -> None:
    client("user-prompt", "Remember that the vault of the boat opens with a whistle.")
    client("stop", "Noted: the vault of the boat opens with a whistle.")
    question = "How does the vault of the boat open?"
    assert "whistle" in client.another("s2")("user-prompt", question)
    [memory] = soul.memory.list()

    soul.memory.change(memory.id, place="")

    assert "whistle" not in client.another("s3")("user-prompt", question)


def test_a_plan_of_home_is_not_told_as_a_session_begins(client: Client, soul: Soul) -> None:
    soul.remember("The biopsy is on 2026-11-15.")
    soul.remember("The release is on 2026-11-15.", place=project_at(BOAT))

    begun = client("session-start")

    assert "release" in begun
    assert "biopsy" not in begun


def test_in_the_folder_of_no_project_nothing_of_home_is_told(store: MemoryStore, soul: Soul) -> None:
    soul.remember(PAY)
    client = Client(processes_on(store), folder="/")

    assert "61,400" not in client("session-start")
    assert "61,400" not in client("user-prompt", OF_CODE)


def test_a_search_for_the_owner_finds_everything(soul: Soul) -> None:
    soul.remember(PAY)
    soul.remember("The tests of the boat run with pytest.", place=project_at(BOAT))

    assert [hit.text for hit in soul.recall("What do I earn?", limit=1)] == [PAY]
    assert "pytest" in soul.recall("How do the tests run?", limit=1)[0].text


def test_who_gets_ready_has_tried_every_row_of_the_sure_forms_and_kept_nothing(soul: Soul) -> None:
    soul.companion.get_ready()

    rows = [row for table in forms._tables() for _, row in (*table.beginning, *table.alone)]
    rows += [table.danger for table in forms._tables()]
    assert all("match" in vars(row) for row in rows)
    assert (soul.sessions.list(), soul.memory.list()) == ([], [])


def test_what_is_far_from_a_message_is_no_line(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client("user-prompt", "The map is white on Safari, the tiles are loaded over http.")
    client("stop", "Noted.")
    far = "Is the sidebar white, too?"
    assert client.another("s2")("user-prompt", far) == ""

    def near(hit: Backed) -> float:
        return 1.0

    monkeypatch.setattr(telling, "nearness", near)
    assert "Safari" in client.another("s3")("user-prompt", far)


PASTED = "\n".join(f"  at frame {n} of the tile loader in module number {n}" for n in range(2000))


def test_of_a_long_message_its_beginning_and_its_end_are_searched_for(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    client("user-prompt", "The map is white on Safari, the tiles are loaded over http.")
    client("stop", "Noted.")
    sought: list[str] = []
    recall = Memories.recall

    def counted(memories: Memories, query: Query, listener: Listener) -> Recalled:
        sought.append(query.question)
        return recall(memories, query, listener)

    monkeypatch.setattr(Memories, "recall", counted)

    told = client.another("s2")("user-prompt", f"look:\n{PASTED}\nwhy is the map white on Safari?")

    assert "Safari" in told
    assert [len(each) <= 600 for each in sought] == [True]
