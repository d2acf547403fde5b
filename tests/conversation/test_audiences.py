"""Who hears what: canaries of every kind, by every door, for every audience."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import almario
from almario.conversation.toolbox import TABLE
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.model import Hit, Scope
from almario.domain.talk import Ask, Reply, ToolCall
from almario.errors import SoulError
from almario.memory.telling import hears_turns
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import copy_of, soul_on
from tests.tables import each_row

PRIVATE, GROUP, TOPIC = "telegram:1", "telegram:42:topic-8", "telegram:42:topic-7"
# One thing of each kind that only the owner may hear; each has a word of its own.
KINDS = {
    "turn": "quetzal",
    "answer": "ocelote",
    "fact": "jacaranda",
    "instruction": "mangosta",
    "learned": "tapir",
    "episode": "colibri",
    "summary": "armadillo",
    "log": "guacamayo",
    "prose": "capibara",
    "user": "zarigueya",
    "goal": "puercoespin",
    "observation": "murcielago",
    "note": "salamandra",
    "topic": "escarabajo",
    "stranger": "luciernaga",
    "plan": "vizcacha",
}
FORGOTTEN, OFF = "axolotl", "ornitorrinco"
QUESTION = " ".join([*KINDS.values(), FORGOTTEN, OFF])


def about(kind: str) -> str:
    """Return a secret; no two share most of their words."""
    word = KINDS.get(kind, kind)
    return f"El {word} de {word[::-1]} duerme con {word[:4]}{word[-3:]}."


def furnish(home: Path) -> None:
    """Make a soul with a canary of every kind."""
    clock = FixedClock()
    almario.create(home, clock=clock, persona=almario.Persona(language="es")).close()
    soul = almario.open(home, clock=clock, settings={"flush.enabled": False})
    soul.append(PRIVATE, "user", about("turn"))
    soul.append(PRIVATE, "assistant", about("answer"))
    turn = soul.append(PRIVATE, "user", "Te cuento tres cosas.")
    soul.append(TOPIC, "user", about("topic"))
    soul.append(PRIVATE, "user", about("stranger"), origin="untrusted", speaker="Rita")
    soul.remember(f"dinero: {about('fact')}")
    soul.remember("trato", about("instruction"), kind="instruction")
    soul.memory.learn("caja", about("learned"), evidence=[turn.id])
    soul.memory.learn("nota", about("episode"), kind="episode", evidence=[turn.id])
    soul.memory.learn("nota", about("summary"), kind="summary", evidence=[turn.id])
    soul.remember(f"cita: el 20 de noviembre. {about('plan')}")
    soul.log(about("log"))
    soul.goals.add(about("goal"))
    for file, kind in (("USER.md", "user"), ("MOTIVATIONS.md", "observation")):
        heading = "\n## Self-Observations\n\n- " if kind == "observation" else "\n- "
        document = soul.read(file)
        soul.write(document, f"{document.text}{heading}{about(kind)}\n")
    soul.memory.settle()
    (soul.path / "MEMORY.md").write_text((soul.path / "MEMORY.md").read_text() + f"\n{about('prose')}\n")
    (soul.path / "memory" / "notas.md").write_text(f"# Notas\n\n{about('note')}\n")
    forgotten = soul.remember(f"olvido: {about(FORGOTTEN)}").memory
    assert forgotten
    soul.forget(forgotten.id)
    soul.close()


@pytest.fixture
def soul(home: Path, clock: FixedClock, tmp_path_factory: pytest.TempPathFactory) -> Soul:
    """A soul with a canary of every kind; whatever it is asked, its model says the same."""
    copy_of(furnish, home, tmp_path_factory)
    llm = ScriptedLLM(*["Bien."] * 20)
    soul = almario.open(home, clock=clock, llm=llm, settings={"flush.enabled": False})
    soul.script = llm  # type: ignore[attr-defined]
    soul.append(PRIVATE, "user", f"Entre nosotros, no lo anotes: {about(OFF)}")
    soul.append(GROUP, "user", "Hola, ¿quién está?", origin="untrusted", speaker="Pepe")
    soul.append(GROUP, "user", "Aquí hablamos del terrario.")
    return soul


def leaks(texts: Iterator[str]) -> set[str]:
    words = {*KINDS.values(), FORGOTTEN, OFF}
    return {word for text in texts for word in words if word in text}


ARGUMENTS: dict[str, dict[str, Any]] = {
    "save_memory": {"fact": "una cosa", "key": "dinero"},
    "update_memory": {"id": "dinero", "share": True},
    "forget": {"ids": ["dinero"]},
    "undo": {},
    "memory_search": {"query": QUESTION, "top_k": 20, "include_untrusted": True},
    "memory_get": {"path": "USER.md"},
    "recall_as_of": {"date": "2030-01-01"},
    "manage_goals": {"action": "list"},
}


def told(soul: Soul, session: str, mode: Any) -> Iterator[str]:
    """Yield all that those present in a session can be told, by every door there is."""
    audience = soul.audience(session, mode)
    prompt = soul.prompt(QUESTION, mode, session=session, explain=True)
    yield prompt.text
    yield from (section.text for section in prompt.sections)
    given = list(soul.recall(QUESTION, limit=50, min_score=0))
    yield soul.prompt(QUESTION, mode, session=session, recalled=given).text
    if session:
        yield from map(str, soul.recall(QUESTION, limit=50, min_score=0, session=session, neighbours=5))
        every = Scope(include=("expired", "superseded", "untrusted"), sources=("memory", "session", "soul"))
        yield from map(str, soul.recall(QUESTION, limit=50, min_score=0, session=session, scope=every))
    if not audience.is_private:  # what is the owner's is exported whole, the forgotten too
        yield from soul.memory.export(audience)
    for name in TABLE:
        done = soul.tools.call(name, ARGUMENTS.get(name, {}), session=session or "nowhere", mode=mode)
        yield done.text


AMONG_OTHERS = [(GROUP, ""), (GROUP, "collaboration"), ("telegram:42", ""), ("", "collaboration")]


@pytest.mark.parametrize(("session", "mode"), AMONG_OTHERS)
def test_with_others_present_no_canary_is_told_by_any_door(soul: Soul, session: str, mode: Any) -> None:
    assert not soul.audience(session, mode).is_private

    assert leaks(told(soul, session, mode)) == set()


def test_with_the_decision_taken_out_every_canary_sings(soul: Soul, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audience, "is_private", property(lambda self: True))

    assert leaks(told(soul, GROUP, "")) == set(KINDS.values())


def test_the_owner_alone_is_told_all_but_what_is_forgotten_or_off_the_record(soul: Soul) -> None:
    assert soul.audience("cli:main").is_private

    assert leaks(told(soul, "cli:main", "")) == set(KINDS.values())


def test_a_stranger_is_answered_from_what_was_said_there_and_the_prompt_says_who_is_there(soul: Soul) -> None:
    soul.append(GROUP, "user", "El terrario mide un metro.")

    soul.talk(f"¿Cuánto mide el terrario? {QUESTION}", GROUP, origin="untrusted", speaker="Pepe")

    ask: Ask = soul.script.asked[-1]  # type: ignore[attr-defined]
    assert leaks(iter([ask.system])) == set()
    assert "El terrario mide un metro." in [message.text for message in ask.messages]
    assert "Presentes además de tu humano: Pepe." in ask.system
    assert "Estás hablando con tu humano" not in ask.system
    assert [tool.name for tool in ask.tools] == ["save_memory", "memory_search"]


def test_who_has_no_name_is_somebody_all_the_same(soul: Soul) -> None:
    soul.talk(QUESTION, "web:1", origin="untrusted")

    assert soul.audience("web:1").others == ("?",)
    assert leaks(iter([soul.script.asked[-1].system])) == set()  # type: ignore[attr-defined]


def test_a_document_is_nobody(soul: Soul) -> None:
    soul.talk("¿Qué dice?", pasted=["Estimado cliente"])

    assert soul.audience("cli:main").is_private


def test_topics_are_apart_and_their_people_are_not(soul: Soul) -> None:
    assert soul.audience(TOPIC).others == ("Pepe",)
    assert [hit.turn for hit in soul.recall(KINDS["topic"], session=TOPIC)] == []  # it is in sight there
    assert soul.recall("terrario", session=TOPIC) == []


def test_what_is_shared_is_told_to_others_and_no_more_when_it_is_not(soul: Soul) -> None:
    [fact] = [memory for memory in soul.memory.list() if KINDS["fact"] in memory.value]

    soul.memory.change(fact.id, shared=True)
    assert leaks(told(soul, GROUP, "")) == {KINDS["fact"]}
    soul.memory.change(fact.id, shared=False)
    assert leaks(told(soul, GROUP, "")) == set()
    with pytest.raises(SoulError, match="is not shared"):
        soul.memory.change(fact.id, shared=False)


def test_what_takes_the_place_of_what_is_shared_is_private_until_it_is_shared(soul: Soul) -> None:
    shared = soul.remember("job: designs bridges").memory
    assert shared
    soul.memory.change(shared.id, shared=True)

    soul.remember("job: designs tunnels for the navy", replaces=shared.id)

    assert soul.recall("navy tunnels bridges", session=GROUP) == []


def test_what_was_said_in_a_group_and_is_forgotten_is_not_told_there_even_if_asked_for(soul: Soul) -> None:
    turn = soul.append(GROUP, "user", "The piano tuner comes to us by bicycle.")
    learned = soul.memory.learn("tuner", "comes by bicycle", evidence=[turn.id]).memory
    assert learned
    for n in range(40):
        soul.append(GROUP, "user", f"And this is number {n}.")
    every = Scope(include=("retired", "superseded"))
    assert "bicycle" in str(soul.recall("piano tuner", session=GROUP, scope=every))

    soul.forget(learned.id)

    assert "bicycle" in str(soul.recall("piano tuner", scope=every))
    assert "bicycle" not in str(soul.recall("piano tuner", session=GROUP, scope=every))


def test_sharing_is_proposed_by_the_model_and_decided_by_the_owner(soul: Soul) -> None:
    [fact] = [memory for memory in soul.memory.list() if KINDS["fact"] in memory.value]

    done = soul.tools.call("update_memory", {"id": fact.id[:8], "share": True})

    assert soul.memory.get(fact.id).audience == ""
    [proposal] = soul.proposals.list()
    assert "(shared)" in proposal.diff
    assert done.proposals == (proposal.id,)
    soul.proposals.accept(proposal.id)
    assert soul.memory.get(fact.id).audience == "all"


def test_who_is_trusted_hears_all_and_the_prompt_still_says_who_is_there(soul: Soul) -> None:
    soul.presence.trust("Pepe")

    audience = soul.audience(GROUP)
    assert audience == Audience(GROUP, trusted=("Pepe",))
    assert KINDS["fact"] in soul.prompt(session=GROUP).text
    assert "Presentes además de tu humano: Pepe." in soul.prompt(session=GROUP).text
    soul.append(GROUP, "user", "hola", origin="untrusted", speaker="Ana")
    assert leaks(told(soul, GROUP, "")) == set()
    soul.presence.trust("Pepe", hears="shared")
    assert soul.audience(GROUP).others == ("Ana", "Pepe")


def test_the_same_name_in_another_chat_is_another_person(soul: Soul) -> None:
    soul.append("telegram:99", "user", "soy Pepe", origin="untrusted", speaker="Pepe")

    with pytest.raises(SoulError, match="say which with --in"):
        soul.presence.trust("Pepe")
    soul.presence.trust("Pepe", chat="telegram:42")

    assert soul.audience(GROUP).is_private
    assert not soul.audience("telegram:99").is_private


def test_a_session_can_be_trusted_or_said_to_have_others_in_it(
    soul: Soul, reopened: Callable[[], Soul]
) -> None:
    soul.presence.trust(GROUP)
    soul.presence.trust("matrix:5", hears="shared")

    again = reopened()
    assert again.audience(GROUP).is_private
    assert not again.audience(TOPIC).is_private
    assert not again.audience("matrix:5").is_private
    assert [place.session for place in again.presence.places() if place.hears == "all"] == [GROUP]


@pytest.mark.parametrize(
    ("who", "why"), [("", "say who"), ("Nadie", "nobody called"), ("a" * 300 + ":x", "too long")]
)
def test_who_cannot_be_trusted_is_told_why(soul: Soul, who: str, why: str) -> None:
    with pytest.raises(SoulError, match=why):
        soul.presence.trust(who)


def test_a_wish_in_a_group_tells_nothing_of_what_was_known(soul: Soul) -> None:
    soul.remember("job: earns 100 euros a day")
    soul.remember("note: Marta swims")
    soul.remember("note: Marta sings")

    kept = soul.talk("Remember that job: earns 200 euros a day", GROUP)
    asked = soul.talk("Forget everything about Marta", GROUP)

    notices = [str(sentence) for answer in (kept, asked) for deed in answer.done for sentence in deed.told]
    assert notices == [
        "remembered: job → earns 200 euros a day",
        "tell me that in a private chat",
    ]


def test_what_an_audience_was_kept_from_is_counted(soul: Soul) -> None:
    prompt = soul.prompt(f"¿qué hay del {KINDS['turn']}?", session=GROUP, explain=True)

    kept = {section.name: section.kept_out for section in prompt.sections if section.kept_out}
    assert kept.keys() == {"coming", "goals", "human", "instructions", "known", "recent", "relevant"}
    own = soul.prompt(QUESTION, explain=True).sections
    assert {section.name for section in own if section.kept_out} <= {"relevant"}  # what is out of use


def test_a_hit_from_elsewhere_is_not_told_because_a_caller_gives_it(soul: Soul) -> None:
    hit = Hit("turn", about("turn"), None, 1.0, turn=f"{PRIVATE}#1")

    assert leaks(iter([soul.prompt("¿?", session=GROUP, recalled=[hit]).text])) == set()


def test_the_one_decision() -> None:
    group = Audience("telegram:42", ("Pepe",))

    assert hears_turns(OWNER_ALONE)
    assert hears_turns(OWNER_ALONE, ["cli:main#1"])
    assert hears_turns(group, ["telegram:42#3", "telegram:42#4"])
    assert not hears_turns(group, ["telegram:42#3", "cli:main#1"])
    assert not hears_turns(group, ["telegram:42:topic-1#3"])
    assert not hears_turns(group, ["telegram:4#2"])
    assert not hears_turns(group)
    assert not hears_turns(Audience(is_open=True), ["#3"])


def test_a_tool_that_a_model_calls_though_it_was_not_offered_is_refused(soul: Soul) -> None:
    call = Reply("", (ToolCall("c1", "memory_get", {"path": "USER.md"}),))
    soul.script.lines[:0] = [call]  # type: ignore[attr-defined]

    answer = soul.talk("lee USER.md", GROUP, origin="untrusted", speaker="Pepe")

    assert [done.is_error for done in answer.done] == [True]
    assert "while others are present" in answer.done[0].text


def test_an_order_to_forget_in_a_group_does_not_tell_what_it_was(soul: Soul) -> None:
    kept = soul.remember("bank: Zafiro account overdrawn").memory
    assert kept

    answer = soul.talk(f"Forget {kept.id[:8]}", GROUP)

    assert [str(sentence) for deed in answer.done for sentence in deed.told] == ["forgotten"]
    assert "Zafiro" not in soul.script.asked[-1].system  # type: ignore[attr-defined]
    assert soul.recall("Zafiro") == []


def test_what_a_tool_told_the_owner_alone_is_not_shown_when_somebody_comes(soul: Soul) -> None:
    calls = (
        ToolCall("c1", "memory_get", {"path": "USER.md"}),
        ToolCall("c2", "manage_goals", {"action": "list"}),
    )
    soul.script.lines[:0] = [Reply("", calls)]  # type: ignore[attr-defined]
    soul.talk("¿Qué sabes de mí?", "telegram:5")
    assert KINDS["user"] in str(soul.script.asked[-1].messages)  # type: ignore[attr-defined]
    soul.talk(f"Entre nosotros, no lo anotes: {about(OFF)}", "telegram:5")

    soul.talk("hola", "telegram:5", origin="untrusted", speaker="Ana")

    ask: Ask = soul.script.asked[-1]  # type: ignore[attr-defined]
    assert leaks(iter([ask.system, str(ask.messages)])) == set()
    assert soul.sessions.turns("telegram:5")[-1].text == "Bien."  # what Ana hears is on the record


@pytest.mark.parametrize("declared", ["telegram:9", "telegram:9:topic-1"])
def test_a_chat_that_is_a_group_is_one_in_every_topic(soul: Soul, declared: str) -> None:
    soul.presence.trust(declared, hears="shared")

    for session in ("telegram:9", "telegram:9:topic-1", "telegram:9:topic-2"):
        assert not soul.audience(session).is_private


def test_a_guest_called_like_a_session_does_not_catch_its_trust(soul: Soul) -> None:
    soul.append(GROUP, "user", "hi", origin="untrusted", speaker="telegram:77")

    assert soul.presence.trust("telegram:77") == ("", "telegram:77")
    assert not soul.audience(GROUP).is_private


@each_row(
    "tool, given",
    [
        ("read", {"path": "MEMORY.md"}),
        ("as_of", {"date": "2030-01-01"}),
        ("why", {"id": "ID"}),
        ("recall", {"query": "how much do I earn?"}),
        ("search", {"query": "how much do I earn?"}),
        ("fetch", {"id": "ID"}),
        ("goals", {"action": "list"}),
    ],
)
def test_a_program_that_works_among_others_is_told_nothing_that_is_the_owners_alone(
    tool: str, given: dict[str, str]
) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"prompt.group_chat": True})
    memory = soul.remember("salary: 61,400 a year").memory
    soul.goals.add("Ask for 61,400 more")
    assert memory

    done = soul.tools.call_for(
        tool, {name: memory.id if each == "ID" else each for name, each in given.items()}
    )

    assert "61,400" not in done.text
