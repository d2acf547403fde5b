"""Learning again: old conversations are read by the model of today, and nothing changes before a yes."""

import json
from collections.abc import Callable
from datetime import date, datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from almario.becoming.settings import ReflectionSettings
from almario.domain.memories import ORIGINS, STATES, Memory, Origin, Wanted
from almario.domain.relearned import USED_UP, Differing, ReadingWish
from almario.domain.talk import Ask, Reply, Usage
from almario.domain.turns import Utterance
from almario.errors import LLMUnavailable, SoulError
from almario.memory.lessons import Lesson
from almario.ports import Store
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.wiring.daemon_parts import jobs_of
from tests.bad_replies import BAD_REPLIES
from tests.bad_replies import ids as bad_ids
from tests.effort import every as every_nth
from tests.killed import Killed
from tests.memory_store import MemoryStore
from tests.souls import soul_on, store_of
from tests.tables import each_row

pytestmark = pytest.mark.light

MONTH = "import-chatgpt:2024-05"
HOME = ("I live in Madrid.", "2024-05-02")
CAT = ("My cat is called Michi.", "2024-05-09")
MOVED = ("I moved, I live in Lisbon now.", "2024-05-20")


def answer(*facts: dict[str, Any], **more: Any) -> str:
    return json.dumps({"facts": facts, "episodes": [], "instructions": [], "summary": "", **more})


def fact(value: str, turn: int, key: str, **more: Any) -> dict[str, Any]:
    return {"turns": [turn], "key": key, "value": value, **more}


# What a good model finds in the turns of each text, by the number of the turn.
FINDS: dict[str, Callable[[int], str]] = {
    HOME[0]: lambda n: answer(fact("Lives in Madrid", n, "home")),
    CAT[0]: lambda n: answer(fact("Has a cat called Michi", n, "pet", kind="profile")),
    MOVED[0]: lambda n: answer(fact("Lives in Lisbon now", n, "home", known="replaces k1")),
}


def reads(ask: Ask) -> str:
    """Answer by what is said in a question, naming its turn; what it does not know teaches nothing."""
    shown = ask.messages[-1].text
    for text, found in FINDS.items():
        if (place := shown.find(f"owner: {text}")) >= 0:
            return found(int(shown[:place].rpartition("[")[2].partition("]")[0]))
    return answer()


def hear(
    soul: Soul,
    *said: tuple[str, ...],
    session: str = MONTH,
    origin: Origin = "imported",
    kept: bool = True,
) -> None:
    """Let things be said on their days, each with an answer, as an import or the chat leaves them.

    Each is a conversation of its own, unless it has an empty title.
    """
    turns = []
    for text, day, *given in said:
        at, title = datetime.fromisoformat(f"{day}T10:00:00+00:00"), "".join(given or [text[:8]])
        turns.append(Utterance("user", text, origin, at=at, more={"title": title} if title else {}))
        turns.append(Utterance("assistant", "I see.", "agent" if origin == "owner" else origin, at=at))
    with soul.memory.together():
        after = soul.memory.session(session).flushed
        last = soul.memory.append(session, turns)[-1].n
        soul.memory.take_lesson(Lesson(session, after, last, is_kept=kept))


@pytest.fixture
def llm() -> ScriptedLLM:
    return ScriptedLLM(reads)


@pytest.fixture
def store(clock: FixedClock) -> Store:
    return MemoryStore(clock)


@pytest.fixture
def soul(store: Store, llm: ScriptedLLM) -> Soul:
    return soul_on(store, llm=llm)


def every(soul: Soul) -> list[Memory]:
    return soul.memory.list(Wanted(states=STATES, origins=ORIGINS))


def offered(soul: Soul) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for item in soul.relearning.difference().items:
        found.setdefault(item.sort, []).append(item.memory.value)
    return found


def readings(soul: Soul) -> str:
    """Return all that is kept of readings, as it stands there."""
    return "".join(soul._vault.read(name).raw for name in soul._vault.documents.names("relearned"))


def item(soul: Soul, value: str) -> Differing:
    return next(each for each in soul.relearning.difference().items if each.memory.value == value)


def as_it_is(soul: Soul) -> object:
    """Return what an owner sees of the memory: MEMORY.md but for its last line, recall, evidence."""
    soul.memory.settle()
    text = soul.read("MEMORY.md").text.rpartition("<!--")[0]
    found = [soul.recall(question, limit=9) for question in ("Where do I live?", "Who is Michi?")]
    live = [(memory.text, memory.evidence, memory.renewed) for memory in soul.memory.list()]
    return text, [[(hit.text, hit.kind, hit.evidence) for hit in each] for each in found], live


def test_nothing_changes_before_a_yes_which_is_one_change_and_one_undo(soul: Soul, llm: ScriptedLLM) -> None:
    hear(soul, HOME, CAT, MOVED)
    soul.remember("pet: Has a cat called Michi")
    soul.remember("garden: Grows tomatoes")
    before, line = as_it_is(soul), soul.position

    plan = soul.relearning.plan()
    assert (plan.conversations, plan.exchanges, plan.cost) == (3, 3, None)
    assert (plan.first, plan.last) == (date(2024, 5, 2), date(2024, 5, 20))
    state = soul.relearning.run()
    assert (state.is_done, state.found, len(llm.asked)) == (True, 3, 3)
    assert (as_it_is(soul), soul.position) == (before, line)
    assert offered(soul) == {"new": ["Lives in Lisbon now"], "earlier": ["Lives in Madrid"]}
    assert soul.relearning.difference().same == 1

    taken = soul.relearning.accept(["all"])
    assert (taken.line, soul.position) == (line + 1, line + 1)
    assert {memory.value for memory in soul.memory.list()} == {
        *("Has a cat called Michi", "Grows tomatoes", "Lives in Lisbon now")
    }
    [cat] = soul.memory.list(Wanted(keys=("pet",)))
    assert cat.evidence == (f"{MONTH}#3",)  # found again: evidence, and no twin
    assert soul.relearning.difference().items == ()
    with pytest.raises(SoulError, match="nothing would change"):
        soul.relearning.accept(["all"])

    soul.undo()
    assert as_it_is(soul) == before
    assert offered(soul) == {"new": ["Lives in Lisbon now"], "earlier": ["Lives in Madrid"]}
    assert soul.memory.verify() == []


def test_a_fact_has_the_day_of_its_turn_and_is_nobodys_explicit_word(soul: Soul, llm: ScriptedLLM) -> None:
    marathon = {"turns": [3], "text": "Ran a marathon", "date": "2024-05-01"}
    order = {"turns": [3], "value": "Answer in bullet points"}
    llm.lines = [reads, answer(episodes=[marathon], instructions=[order])]
    hear(soul, HOME, ("Answer in bullet points. Yesterday I ran a marathon.", "2024-05-02"))
    soul.relearning.run()

    made = {memory.value: memory for memory in soul.relearning.accept(["all"]).memories}

    assert {memory.valid_from.date().isoformat() for memory in made.values()} == {"2024-05-01", "2024-05-02"}
    assert {memory.at.date().isoformat() for memory in made.values()} == {"2024-05-02"}
    assert {(memory.origin, memory.source) for memory in made.values()} == {("imported", "auto")}
    assert made["Answer in bullet points"].kind == "fact"  # said to another assistant: no order here
    assert made["Ran a marathon"].path == "memory/2024-05-01.md"
    assert all(memory.is_live for memory in soul.memory.list())


@each_row("how", ["forgotten", "rejected", "ended", "replaced", "erased"])
def test_what_the_owner_put_away_is_not_offered(how: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), llm=ScriptedLLM(reads))
    hear(soul, HOME, CAT)
    known = soul.remember("house: Lives in Madrid").memory
    assert known
    ways: dict[str, Callable[[], object]] = {
        "forgotten": lambda: soul.forget(known.id),
        "rejected": lambda: soul.memory.reject(known.id),
        "ended": lambda: soul.update(known.id, ended="2026-11-14"),
        "replaced": lambda: soul.remember("house", "Lives in Faro", replaces=known.id),
        "erased": lambda: soul.memory.purge(soul.memory.plan_purge(known.id)),
    }
    ways[how]()

    soul.relearning.run()

    assert offered(soul) == {"new": ["Has a cat called Michi"]}
    # What is forgotten is so wherever it was said, and what is erased leaves nothing to compare with.
    assert soul.relearning.difference().past == (how not in ("forgotten", "erased"))
    assert how != "erased" or "Lives in Madrid" not in readings(soul)


def test_an_older_turn_replaces_nothing_and_a_newer_one_only_what_is_no_better_word(
    soul: Soul, llm: ScriptedLLM, clock: FixedClock
) -> None:
    soul.remember("home: Lives in Lisbon")
    clock.advance(days=9)
    hear(soul, HOME, ("I live in Faro.", "2026-11-20"))
    llm.lines = [
        answer(fact("Lives in Madrid", 1, "home", known="replaces k1")),
        lambda ask: answer(fact("Lives in Faro", 3, "home", known=f"replaces {_named(ask, 'Lisbon')}")),
    ]
    soul.relearning.run()

    assert offered(soul) == {"earlier": ["Lives in Madrid"], "contradicted": ["Lives in Faro"]}
    soul.relearning.accept(["all"])
    states = {memory.value: (memory.state, memory.origin) for memory in every(soul)}
    assert states == {
        "Lives in Lisbon": ("live", "owner"),
        "Lives in Madrid": ("superseded", "imported"),
        "Lives in Faro": ("live", "imported"),
    }


def test_what_is_not_found_again_goes_only_by_its_name(soul: Soul) -> None:
    hear(soul, ("I have a boat.", "2026-11-02"), session="cli:old", origin="owner", kept=False)
    boat = soul.memory.learn("boat", "Owns a boat", evidence=["cli:old#1"]).memory
    hear(soul, CAT)
    assert boat
    soul.relearning.run()

    assert offered(soul) == {"new": ["Has a cat called Michi"], "gone": ["Owns a boat"]}
    soul.relearning.accept(["all"])
    assert offered(soul) == {"gone": ["Owns a boat"]}
    assert soul.relearning.accept([boat.id[:6]]).gone[0].state == "retired"
    assert [memory.value for memory in soul.memory.list()] == ["Has a cat called Michi"]


def test_what_expired_and_is_found_again_comes_back(soul: Soul, clock: FixedClock) -> None:
    soul.memory.learn("pet", "Has a cat called Michi")
    clock.advance(days=400)
    hear(soul, CAT)
    assert soul.memory.list() == []

    soul.relearning.run()

    assert offered(soul) == {"new": ["Has a cat called Michi"]}
    soul.relearning.accept(["all"])
    assert [memory.evidence for memory in soul.memory.list()] == [(f"{MONTH}#1",)]


def test_a_budget_holds_and_the_next_time_goes_on(soul: Soul, llm: ScriptedLLM) -> None:
    llm.lines = [lambda ask: Reply(reads(ask), usage=Usage(1500, 100))]
    hear(soul, HOME, CAT, MOVED)
    assert soul.relearning.plan(ReadingWish(budget="3k")).within < 3

    first = soul.relearning.run(ReadingWish(budget="3000 tokens"))
    assert (first.why, first.is_done, first.tokens) == (USED_UP, False, 1600)
    assert soul.relearning.plan().name == first.name

    [job] = [
        each for each in jobs_of(soul, None, ReflectionSettings(), purge_after=0) if each.name == "relearn"
    ]
    assert job.nightly
    assert job.run(date(2026, 11, 14)).outcome == "waits"  # another night, the same budget
    assert job.run(date(2026, 11, 15)).outcome == "done"
    assert job.run(date(2026, 11, 16)).outcome == "nothing"
    assert [_said(ask) for ask in llm.asked] == [HOME[0], CAT[0], MOVED[0]]


def test_to_be_asked_again_after_a_bad_reply_counts_before_it_is_done(soul: Soul, llm: ScriptedLLM) -> None:
    llm.lines = [Reply("no JSON", usage=Usage(1500, 100)), reads]
    hear(soul, HOME)

    first = soul.relearning.run(ReadingWish(budget="3000"))

    assert (first.why, first.tokens, len(llm.asked)) == (USED_UP, 1600, 1)
    assert soul.relearning.run().is_done
    assert offered(soul) == {"new": ["Lives in Madrid"]}


def _said(ask: Ask) -> str:
    return ask.messages[-1].text.partition("owner: ")[2].partition("\n")[0]


def _named(ask: Ask, text: str) -> str:
    """Return what something known is called in a question."""
    return next(line.split()[0] for line in ask.changing.splitlines() if text in line)


def test_money_is_a_budget_where_the_price_is_known(store: Store, llm: ScriptedLLM) -> None:
    llm.lines = [lambda ask: Reply(reads(ask), usage=Usage(2000, 100))]
    soul = soul_on(store, {"llm.prices": "scripted/* = 100, 100"}, llm=llm)
    hear(soul, HOME, CAT)
    assert soul.relearning.plan().cost
    assert soul.relearning.run(ReadingWish(budget="$0.30")).why == USED_UP
    assert len(llm.asked) == 1
    with pytest.raises(SoulError, match="is not known"):
        soul_on(store, llm=llm).relearning.run(ReadingWish(budget="$1"))
    for wrong in (ReadingWish(budget="much"), ReadingWish(since="May"), ReadingWish(session="cli:nowhere")):
        with pytest.raises(SoulError, match=r"May|much|nowhere"):
            soul.relearning.run(wrong)


def test_the_daily_budget_holds_too(store: Store, llm: ScriptedLLM) -> None:
    soul = soul_on(store, {"llm.daily_tokens": 1}, llm=llm)
    hear(soul, HOME, CAT)

    assert "daily budget" in str(soul.relearning.run().why)
    assert len(llm.asked) == 1


@pytest.mark.parametrize("is_kept", [False, True])
def test_a_process_that_is_killed_pays_for_nothing_twice(
    soul: Soul, llm: ScriptedLLM, monkeypatch: pytest.MonkeyPatch, is_kept: bool
) -> None:
    hear(soul, HOME, CAT, MOVED)
    documents, add_line = soul._vault.documents, soul._vault.documents.add_line

    def killed(name: str, line: bytes) -> None:
        if name.startswith("relearned/") and CAT[0].split()[-1][:-1].encode() in line:
            if is_kept:
                add_line(name, line)
            raise Killed
        add_line(name, line)

    monkeypatch.setattr(documents, "add_line", killed)
    with pytest.raises(Killed):
        soul.relearning.run()
    monkeypatch.setattr(documents, "add_line", add_line)

    again = soul_on(soul._vault, llm=llm)
    assert again.relearning.run().is_done
    assert [_said(ask) for ask in llm.asked].count(CAT[0]) == (1 if is_kept else 2)
    assert len(llm.asked) == (3 if is_kept else 4)
    assert again.relearning.difference().items


@each_row("name", every_nth(6, list(bad_ids)))
def test_a_bad_reply_is_told_and_what_was_read_stays(name: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), llm=(llm := ScriptedLLM(reads, BAD_REPLIES[name])))
    hear(soul, HOME, CAT)

    state = soul.relearning.run()
    before = every(soul)

    llm.lines = [reads]
    if not state.is_done:  # some of these say nothing wrong
        assert state.why
        assert soul.relearning.run().is_done
        assert offered(soul) == {"new": ["Lives in Madrid", "Has a cat called Michi"]}
    assert before == []


def test_what_no_reply_is_good_for_is_passed_over(soul: Soul, llm: ScriptedLLM) -> None:
    llm.lines = [lambda ask: "no JSON" if CAT[0] in str(ask.messages) else reads(ask)]
    hear(soul, CAT, HOME)
    states = [soul.relearning.run() for _ in range(5)]

    assert [state.is_done for state in states] == [False] * 4 + [True]
    assert offered(soul) == {"new": ["Lives in Madrid"]}


def test_what_is_quoted_or_only_an_assistant_said_is_not_the_owners_word(
    soul: Soul, llm: ScriptedLLM
) -> None:
    pasted = "Is this normal?\n\n> The tenant, Ferran Ribes, works at the port.\n\nIt looks copied."
    hear(soul, (pasted, "2024-05-03"))
    llm.lines = [answer(fact("Ferran Ribes works at the port", 1, "job"), fact("Sees it", 2, "view"))]
    soul.relearning.run()

    assert "owner: Is this normal? […] It looks copied." in llm.asked[0].messages[-1].text
    assert "Ferran" not in llm.asked[0].messages[-1].text
    assert len(llm.asked) == 1  # strangers' words are not asked about again
    assert "Ferran Ribes works at the port" not in str(offered(soul))


def test_an_older_turn_that_tells_more_is_added_and_replaces_nothing(soul: Soul, llm: ScriptedLLM) -> None:
    hear(soul, ("Our boat, the Gaviota, was built in Vigo in 1970.", "2024-05-03"))
    soul.remember("boat: Owns a boat called Gaviota")
    llm.lines = [answer(fact("The boat was built in Vigo in 1970", 1, "boat", known="adds k1"))]
    soul.relearning.run()

    assert '"adds k2"' in llm.asked[0].changing
    assert offered(soul) == {"new": ["The boat was built in Vigo in 1970"]}
    soul.relearning.accept(["all"])
    assert {memory.value: f"{memory.valid_from:%Y}" for memory in soul.memory.list()} == {
        "The boat was built in Vigo in 1970": "1970",
        "Owns a boat called Gaviota": "2026",
    }


def test_an_older_turn_that_says_more_of_the_same_takes_its_place_no_more_than_another(
    soul: Soul, llm: ScriptedLLM
) -> None:
    hear(soul, ("I live in Lisbon with Ana and 3 cats.", "2024-05-02"), session="cli:old", origin="owner")
    soul.remember("home: Lives in Lisbon")
    llm.lines = [answer(fact("Lives in Lisbon with Ana and 3 cats", 1, "home", known="renews k1"))]
    soul.relearning.run()

    soul.relearning.accept(["all"])

    assert {each.value for each in soul.memory.list()} == {
        "Lives in Lisbon",
        "Lives in Lisbon with Ana and 3 cats",
    }


def test_what_is_only_like_something_forgotten_is_listed_on_request_and_taken_by_its_number(
    soul: Soul, llm: ScriptedLLM
) -> None:
    hear(soul, HOME, CAT)
    known = soul.remember("house: Lives in Madrid with Luis").memory
    assert known
    soul.forget(known.id)
    soul.relearning.run()

    found = soul.relearning.difference()
    assert (found.past, found.withheld, offered(soul)) == (1, 1, {"new": ["Has a cat called Michi"]})
    [held] = [each for each in soul.relearning.difference(withheld=True).items if each.sort == "withheld"]
    assert (held.memory.value, held.memory.evidence) == ("Lives in Madrid", (f"{MONTH}#1",))

    soul.relearning.accept(["all"])
    assert [memory.value for memory in soul.memory.list()] == ["Has a cat called Michi"]
    soul.relearning.accept([held.name])
    assert {memory.value for memory in soul.memory.list()} == {"Has a cat called Michi", "Lives in Madrid"}
    assert soul.memory.get(known.id).state == "retired"
    soul.undo()
    assert soul.relearning.reject([held.name]) == 1
    assert soul.relearning.difference(withheld=True).items == ()


def test_later_readings_know_what_was_found_before_and_what_was_said_later(
    soul: Soul, llm: ScriptedLLM
) -> None:
    soul.remember("boat: Owns a boat called Gaviota")
    hear(soul, HOME, MOVED)
    soul.relearning.run()

    assert "Owns a boat called Gaviota (said 2026-11-14, kept as asked)" in llm.asked[1].changing
    assert "home: Lives in Madrid\n" in llm.asked[1].changing + "\n"
    assert "said after this conversation" in llm.asked[1].changing


Clean = Callable[[Soul, Memory], object]
CLEANED: dict[str, tuple[Clean, bool]] = {
    "a purge of a memory": (lambda soul, m: soul.memory.purge(soul.memory.plan_purge(m.id)), True),
    "what is taken off the record": (lambda soul, _: _taken_off(soul), True),
    "what is forgotten": (lambda soul, m: soul.forget(m.id), False),
}


def _taken_off(soul: Soul) -> None:
    soul.memory.take_back([f"{MONTH}#3"])
    soul.memory.erase_taken_back()


@pytest.mark.parametrize(
    ("how", "kind"), [*product(CLEANED, ["memory", "folder"]), ("a purge of a memory", "postgres")]
)
def test_what_is_erased_or_forgotten_leaves_a_reading_too(
    how: str, kind: str, tmp_path: Path, clock: FixedClock, llm: ScriptedLLM
) -> None:
    soul = soul_on(store_of(kind, tmp_path / "soul", clock), llm=llm)
    hear(soul, HOME, CAT)
    known = soul.memory.learn("animal", "Has a cat called Michi", evidence=[f"{MONTH}#3"]).memory
    soul.relearning.run()
    assert known
    clean, is_erased = CLEANED[how]

    clean(soul, known)

    assert offered(soul) == {"new": ["Lives in Madrid"]}
    assert ("Michi" not in readings(soul)) == is_erased
    soul.relearning.accept(["all"])
    assert "Michi" not in str(soul.memory.list())


DAMAGED = {
    "it was cut off": '{"part":{"session":"x","found":[{"n":9,"fact":{"value":"Has a cat called Michi","cu',
    "it is of other types": '{"part":{"found":[{"fact":{"value":"Has a cat called Michi","evidence":5}}]}}',
    "it tells of the turn": f'{{"part":{{"found":[{{"fact":["a tomcat, Michi","{MONTH}#3"]}}]}}}}',
}


@each_row("line", DAMAGED.values())
def test_a_damaged_line_of_a_reading_keeps_nothing_that_is_erased(line: str) -> None:
    half = ScriptedLLM(lambda ask: reads(ask) if HOME[0] in ask.messages[-1].text else answer())
    soul = soul_on(MemoryStore(FixedClock()), llm=half)
    hear(soul, HOME, CAT)
    known = soul.memory.learn("animal", "Has a cat called Michi", evidence=[f"{MONTH}#3"]).memory
    soul.relearning.run()
    [file] = soul._vault.documents.names("relearned")
    soul._vault.documents.add_line(file, f"{line}\n".encode())
    assert known

    soul.memory.purge(soul.memory.plan_purge(known.id))

    assert "Michi" not in readings(soul)
    assert offered(soul) == {"new": ["Lives in Madrid"]}


def test_what_an_undone_import_said_is_not_offered(soul: Soul) -> None:
    hear(soul, HOME, CAT)
    soul.relearning.run()

    soul.memory.leave_out([f"{MONTH}#3"])

    assert offered(soul) == {"new": ["Lives in Madrid"]}


def test_nothing_is_kept_of_what_is_erased_while_the_model_reads(soul: Soul, llm: ScriptedLLM) -> None:
    hear(soul, CAT)
    known = soul.memory.learn("animal", "Has a cat called Michi", evidence=[f"{MONTH}#1"]).memory
    assert known

    def erasing(ask: Ask) -> str:
        soul.memory.purge(soul.memory.plan_purge(known.id))
        return reads(ask)

    llm.lines = [erasing, reads]
    with pytest.raises(SoulError, match="erased in the meantime"):
        soul.relearning.run()
    assert "Michi" not in readings(soul)


def test_days_and_sessions_choose_what_is_read(soul: Soul, llm: ScriptedLLM) -> None:
    hear(soul, HOME, CAT, MOVED)
    hear(soul, ("Good morning.", "2025-01-01"), session="cli:main", origin="owner", kept=False)

    assert soul.relearning.plan(ReadingWish(since="2024-05-09", until="2024-05")).conversations == 2
    assert soul.relearning.plan(ReadingWish(session="cli:main")).conversations == 1
    assert soul.relearning.plan(ReadingWish(until="2023")).conversations == 0
    soul.relearning.run(ReadingWish(since="2024-05-20", until="2024-05-20"))
    assert [_said(ask) for ask in llm.asked] == [MOVED[0]]


def test_what_a_model_has_read_waits_and_is_read_once_more_only_on_request(
    soul: Soul, llm: ScriptedLLM
) -> None:
    hear(soul, HOME)
    first = soul.relearning.run()
    llm.asked.clear()

    for wish in (ReadingWish(), ReadingWish(since="2024-05-01")):
        assert soul.relearning.plan(wish)[:3] == (first.name, llm.model, 0)
        soul.relearning.run(wish)
    assert not llm.asked
    assert offered(soul) == {"new": ["Lives in Madrid"]}

    llm.lines = [LLMUnavailable("it is asleep")]
    assert soul.relearning.run(ReadingWish(again=True)).turns == 0
    assert offered(soul) == {"new": ["Lives in Madrid"]}
    llm.lines = [reads]
    assert soul.relearning.run().turns == 2  # what was asked for goes on
    hear(soul, CAT)
    assert soul.relearning.plan().conversations == 1  # only what is new
    assert soul.relearning.accept(["all"]).memories[0].value == "Lives in Madrid"


def test_what_is_said_again_in_a_later_conversation_is_accepted_with_it(soul: Soul, llm: ScriptedLLM) -> None:
    away = ("I am in Faro till 20 May.", "2024-05-02"), ("In Faro till 20 May.", "2024-05-09")
    hear(soul, *away)
    llm.lines = [answer(fact("In Faro till 20 May", n, "trip", when="2024-05-02/2024-05-20")) for n in (1, 3)]
    soul.relearning.run()

    [trip] = soul.relearning.difference().items
    for wanted in ("all", trip.name):
        [taken] = soul.relearning.accept([wanted]).memories
        assert taken.evidence == (f"{MONTH}#1", f"{MONTH}#3")
        soul.undo()


def test_conversations_are_read_in_the_order_of_time_and_not_of_the_export(
    soul: Soul, llm: ScriptedLLM
) -> None:
    hear(soul, MOVED, HOME)
    hear(soul, CAT, session="import-claude:2024-05")
    soul.relearning.run()

    assert [_said(ask) for ask in llm.asked] == [HOME[0], CAT[0], MOVED[0]]
    assert offered(soul)["earlier"] == ["Lives in Madrid"]


def test_what_was_so_earlier_is_not_so_now_if_it_is_accepted_alone(soul: Soul) -> None:
    hear(soul, HOME, MOVED)
    soul.relearning.run()

    [madrid] = soul.relearning.accept([item(soul, "Lives in Madrid").name]).memories

    assert soul.memory.list() == []
    assert madrid.valid_to
    assert (madrid.valid_from.date(), madrid.valid_to.date()) == (date(2024, 5, 2), date(2024, 5, 20))
    assert offered(soul) == {"changed": ["Lives in Lisbon now"]}
    soul.relearning.accept(["all"])
    assert [memory.value for memory in soul.memory.list()] == ["Lives in Lisbon now"]
    assert soul.memory.get(madrid.id).valid_to == madrid.valid_to


@each_row("is_known", [False, True])
def test_what_was_so_earlier_ends_on_the_day_on_which_something_else_was_said(is_known: bool) -> None:
    soul = soul_on(MemoryStore(FixedClock()), llm=(llm := ScriptedLLM()))
    offer = ("I was offered a job, and lean towards no.", "2024-05-02")
    post = ("I take the job, from 28 June on.", "2024-05-20")
    taken = fact("Takes the job from 28 June on", 3, "job", known="replaces k1", when="2024-06-28/..")
    llm.lines = [answer(fact("Leans towards no to the job", 1, "job")), answer(taken)]
    hear(soul, offer, post)
    if is_known:  # and read before what was said earlier
        llm.lines = [
            answer({**taken, "known": ""}),
            answer(fact("Leans towards no", 1, "job", known="replaces k1")),
        ]
        soul.relearning.run(ReadingWish(since="2024-05-20"))
        soul.relearning.accept(["all"])
    soul.relearning.run(ReadingWish(until="2024-05"))
    soul.relearning.accept(["all"])

    [lean] = soul.memory.list(Wanted(states=("superseded",)))
    assert lean.valid_to
    assert lean.valid_to.date() == date(2024, 5, 20)


def test_every_finding_is_accounted_for_and_a_guess_is_called_one(soul: Soul, llm: ScriptedLLM) -> None:
    hear(soul, HOME, CAT, ("I still live in Madrid, and may buy a boat.", "2024-05-20"))
    soul.remember("pet: Has a cat called Michi")
    boat = fact("May buy a boat", 5, "boat", guess=True)
    madrid = fact("Lives in Madrid", 5, "home", known="renews k1")
    llm.lines = [reads, reads, answer(madrid, boat, fact("Plays the oboe in Vienna", 5, "music"))]
    assert soul.relearning.run().found == 4

    found = soul.relearning.difference()
    assert {each.memory.value: each.guess for each in found.items} == {
        "Lives in Madrid": False,
        "May buy a boat": True,
    }
    assert (found.same, found.past, found.again, found.declined, found.dropped) == (1, 0, 1, 0, 1)
    soul.relearning.reject([item(soul, "Lives in Madrid").name])
    found = soul.relearning.difference()
    assert [each.memory.value for each in found.items] == ["May buy a boat"]
    assert (found.same, found.again, found.declined) == (1, 0, 2)  # what says it again, too


def test_all_that_the_turns_are_about_is_shown_as_known(soul: Soul, llm: ScriptedLLM) -> None:
    plans = "hotel zoo museum boat castle market theatre opera lighthouse circus vineyard aquarium".split()
    for noun in plans:
        text = (
            f"In May she will go to see the {noun}, together with her two sons and her sister who lives there"
        )
        soul.memory.learn(f"{noun} plan", text)
    for n in range(40):
        soul.memory.learn(
            f"note {n}", f"Said on some day that she would go there and see it, for the {n}th time"
        )
    hear(soul, (f"All of it is off: {', '.join(plans)}. We will not go there to see anything.", "2024-05-02"))

    soul.relearning.run()

    shown = llm.asked[0].changing
    assert [noun for noun in plans if f"{noun} plan: In May" not in shown] == []
    assert "…" not in shown  # who replaces it must tell the whole of it


def test_what_is_known_stands_in_the_order_of_time_without_what_is_long_over(
    soul: Soul, llm: ScriptedLLM
) -> None:
    hear(
        soul,
        ("The dentist is on 9 May.", "2024-05-02"),
        CAT,
        HOME,
        ("The cat, and the dentist.", "2024-12-01"),
    )
    dentist = fact("Dentist on 9 May", 1, "dentist", when="2024-05-09")
    llm.lines = [answer(dentist), reads]
    soul.relearning.run()

    known = [[line.partition(": ")[2] for line in ask.changing.splitlines()[1:]] for ask in llm.asked[1:]]
    assert known[1:] == [
        ["Dentist on 9 May (2024-05-09)", "Lives in Madrid"],
        ["Lives in Madrid", "Has a cat called Michi"],
    ]


def test_a_part_of_a_conversation_is_read_with_what_was_said_before_it(soul: Soul, llm: ScriptedLLM) -> None:
    hear(
        soul,
        ("My mum has her hip replaced on Tuesday.", "2024-05-05", "Mum"),
        ("Well, it didn't happen.", "2024-05-08", ""),
        ("How do I get egg off a jumper?", "2024-05-06", "Egg"),
    )
    assert soul.relearning.plan().conversations == 2  # as the import counts them

    soul.relearning.run()

    shown = {ask.messages[-1].text.rpartition("owner: ")[2][:4]: ask.messages[-1].text for ask in llm.asked}
    assert [key for key, text in shown.items() if "Said before, and learned already" in text] == ["Well"]
    assert "owner: My mum has her hip replaced on Tuesday." in shown["Well"]
    assert "[1]" not in shown["Well"]  # it has no number to rest on


def test_what_its_turns_hardly_say_replaces_what_was_found_and_a_guess_of_the_models_does_not(
    soul: Soul, llm: ScriptedLLM
) -> None:
    hear(soul, ("I gave up smoking today.", "2024-05-01"), ("So much for not smoking.", "2024-05-12"))
    again = fact("Smokes again", 3, "smoking", known="replaces k1")
    quit_it = answer(fact("Gave up smoking", 1, "smoking"))
    llm.lines = [quit_it, answer({**again, "guess": True})]
    soul.relearning.run(ReadingWish(since="2024-05-01"))
    assert offered(soul) == {"new": ["Gave up smoking"], "contradicted": ["Smokes again"]}

    llm.lines = [quit_it, answer(again)]
    soul.relearning.run(ReadingWish(again=True))

    assert offered(soul) == {"new": ["Smokes again"], "earlier": ["Gave up smoking"]}
    assert item(soul, "Smokes again").guess


@each_row(
    ("later", "end", "guesses"),
    [
        ("4 June, she says now.", "for £2,350, is due back on 4 June", [False]),
        ("4 June, she says now.", "for £2,900, is due back in Leeds on 4 June", []),
        ("Good morning.", "for £2,350, was sold", []),
    ],
)
def test_what_stood_in_what_is_replaced_needs_no_turn_of_its_own(
    later: str, end: str, guesses: list[bool]
) -> None:
    sofa = "Mrs Pennington's sofa, stripped and covered in green wool with brass studs"
    known = f"{sofa}, for £2,350, is due back on 21 May"
    now = fact(f"{sofa}, {end}", 3, "sofa", known="replaces k1")
    soul = soul_on(MemoryStore(FixedClock()), llm=ScriptedLLM(answer(fact(known, 1, "sofa")), answer(now)))
    hear(soul, (f"{known}.", "2024-05-02"), (later, "2024-05-12"))
    soul.relearning.run()

    found = soul.relearning.difference().items
    assert [each.guess for each in found if each.memory.value == now["value"]] == guesses


def test_nothing_is_older_than_its_turn_for_the_month_that_it_was_told_in(
    soul: Soul, llm: ScriptedLLM
) -> None:
    hear(soul, CAT)
    llm.lines = [answer(fact("The cat is well", 1, "cat", when="2024-05"))]
    soul.relearning.run()

    [cat] = soul.relearning.accept(["all"]).memories

    assert (cat.dated, cat.valid_from.date()) == ("2024-05/..", date(2024, 5, 9))


def test_what_gives_way_held_from_when_it_was_said_until_the_change_was(soul: Soul, llm: ScriptedLLM) -> None:
    offer = "The college wants her to teach from 28 June"
    hear(soul, (f"{offer}. I write a story.", "2024-05-02"), ("I teach there from 28 June.", "2024-05-09"))
    hear(soul, ("I entered the story.", "2024-05-20"), session="import-chatgpt:2024-06")
    entered = {"turns": [1], "text": "Entered the story", "date": "2024-05"}
    from_june = {"when": "2024-06-28/.."}
    llm.lines = [
        answer(fact(offer, 1, "college", **from_june), fact("Writes a story", 1, "story")),
        answer(fact("Teaches at the college from 28 June", 3, "college", known="replaces k1", **from_june)),
        lambda ask: answer(episodes=[{**entered, "known": f"ends {_named(ask, 'Writes a story')}"}]),
    ]
    soul.relearning.run()
    soul.relearning.accept(["all"])

    spans = {
        memory.value: (memory.valid_from.date().isoformat(), str(memory.valid_to and memory.valid_to.date()))
        for memory in every(soul)
    }
    assert spans[offer] == ("2024-05-02", "2024-05-09")
    assert spans["Writes a story"] == ("2024-05-02", "2024-05-20")
    assert spans["Entered the story (in May 2024)"] == ("2024-05-20", "None")


def test_an_undo_leaves_the_files_as_they_were_and_nothing_counts_as_forgotten(
    tmp_path: Path, clock: FixedClock, llm: ScriptedLLM
) -> None:
    soul = soul_on(store_of("folder", tmp_path / "agent", clock), llm=llm)
    marathon = {"turns": [1], "text": "Ran a marathon in Madrid", "date": "2024-05-01"}
    llm.lines = [answer(fact("Lives in Madrid", 1, "home"), episodes=[marathon])]
    hear(soul, ("I live in Madrid, and ran a marathon there yesterday.", "2024-05-02"))
    soul.relearning.run()
    documents = soul._vault.documents

    taken = soul.relearning.accept(["all"])
    soul.memory.settle()
    assert documents.names("memory") == ["memory/2024-05-01.md"]
    assert {memory.seq for memory in taken.memories} == {taken.line}

    assert len(soul.undo(taken.line).memories) == 2
    soul.memory.settle()
    assert documents.names("memory") == []
    assert soul._vault.read("MEMORY.md").content is None
    assert soul.memory.stats().states == {}
    assert soul.memory.verify() == []


def test_what_was_accepted_is_not_offered_again_though_it_was_replaced_on_its_day_or_is_partly_withheld(
    soul: Soul, llm: ScriptedLLM
) -> None:
    secret = "The router is at the door and its password is Tr0ub4dor&3xQ until June"
    hear(soul, ("I gave up smoking.", "2024-05-02"), (f"Still not smoking. {secret}.", "2024-05-09"))
    first = fact("Gave up smoking on 2 May", 1, "smoking", when="2024-05-02/..")
    more = fact("Still not smoking since 2 May", 3, "smoking", when="2024-05-02/..", known="replaces k1")
    router = fact("The router at the door has a password until June 2024", 3, "router", when="../2024-06")
    llm.lines = [answer(first), answer(more, router)]
    soul.relearning.run()

    soul.relearning.accept(["all"])

    assert soul.relearning.difference().items == ()


def test_what_must_not_be_kept_is_counted_too(soul: Soul, llm: ScriptedLLM) -> None:
    water = "The water will be cut off on Sunday in the whole city"
    hear(soul, (f"Look, the water in the city again:\n> {water}.", "2024-05-02"))
    llm.lines = [answer(fact(water, 1, "water"))]

    assert soul.relearning.run().found == 0
    assert soul.relearning.difference().dropped == 1


def test_a_month_that_was_imported_ends_with_its_last_day_whatever_the_order(soul: Soul) -> None:
    hear(soul, MOVED, HOME, CAT)

    view = soul.sessions.view(MONTH)

    assert view.first
    assert view.last
    assert (view.first.day, view.last.day) == (2, 20)
