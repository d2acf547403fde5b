"""What each sure form does, at the chat with a model and without one, and through a hook."""

from collections.abc import Callable

import pytest

import almario
from almario.domain.messages import say
from almario.domain.model import Query
from almario.memory.telling import Listener
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.conversation.unaided import a_soul, shown
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light
MAIN = "cli:main"
HOOK = "claude-code:project-boat:1"


@pytest.fixture(params=["alone", "with a model"])
def soul(request: pytest.FixtureRequest) -> Soul:
    llm = ScriptedLLM(lambda ask: "Fine.") if request.param == "with a model" else None
    return soul_on(MemoryStore(FixedClock()), {"embedder.name": "none", "flush.enabled": False}, llm=llm)


def values(soul: Soul) -> list[str]:
    return [memory.value for memory in soul.memory.list()]


def notices(answer: almario.Answer) -> list[str]:
    return [str(each) for action in answer.done for each in action.told]


@each_row(
    ("message", "fact"),
    [
        ("Remember that I have a cat called Michi.", "I have a cat called Michi"),
        ("recordá que vivo en Rosario", "vivo en Rosario"),
        ("Don't forget that Ana is allergic to nuts.", "Ana is allergic to nuts"),
    ],
)
def test_one_fact_is_remembered_in_the_owners_words_with_its_undo(message: str, *, fact: str) -> None:
    for llm in (None, ScriptedLLM("Fine.")):
        soul = soul_on(MemoryStore(FixedClock()), {"flush.enabled": False}, llm=llm)

        answer = soul.talk(message)

        [memory] = soul.memory.list()
        assert (memory.value, memory.source, memory.origin) == (fact, "explicit", "owner")
        assert notices(answer) == [f'remembered: {fact} ("almario undo {memory.seq}" takes it back)']


def test_a_rule_is_an_instruction(soul: Soul) -> None:
    soul.talk("From now on, keep your answers short.")

    [memory] = soul.memory.list()
    assert (memory.kind, memory.origin, memory.value) == ("instruction", "owner", "keep your answers short")


def test_what_may_be_meant_to_be_forgotten_is_listed_and_its_id_forgets_it(soul: Soul) -> None:
    kept = soul.remember("my cat is called Michi").memory
    soul.remember("my cat eats tuna")
    soul.remember("the boat leaks")
    assert kept

    listed = soul.talk("forget my cat")
    assert len(soul.memory.list()) == 3
    [lead, *lines] = notices(listed)
    gone = soul.talk(f"forget {kept.id[:4]}")

    assert lead.startswith('nothing is forgotten yet; to forget one of these, say "forget ')
    assert f"{kept.id[:8]}  my cat is called Michi" in lines
    assert not any("boat" in line for line in lines)
    assert notices(gone)[0].startswith('forgotten: my cat is called Michi ("almario undo ')
    assert values(soul) == ["my cat eats tuna", "the boat leaks"]


def test_an_order_is_not_among_what_may_be_forgotten() -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local", "language": "es"})
    for each in ("la boda es en Gante", "me gustan los tulipanes", "deshaz", "olvida", "conserva"):
        soul.talk(each)

    lines = notices(soul.talk("olvida lo del bautizo"))[1:] + notices(soul.talk("olvida la boda"))[1:]

    assert "#1  la boda es en Gante" in lines
    assert {line.split()[0] for line in lines} <= {"#1", "#2"}


@each_row("order", ["forget", "remember that", "olvida"])
def test_an_order_that_names_nothing_is_asked_to_and_is_no_knowledge(*, order: str) -> None:
    soul = a_soul()
    soul.talk("I like tulips")

    [told] = notices(soul.talk(order))

    assert told.startswith("say what is meant in the same message")
    assert [hit.text for hit in soul.talk("what do you know?").recalled] == ["I like tulips"]


def test_a_message_is_forgotten_by_its_number_here_and_by_its_whole_id_elsewhere(soul: Soul) -> None:
    soul.append(MAIN, "user", "The pearl is in the drawer")
    soul.append("cli:other", "user", "The canoe is in the shed")

    soul.talk("forget #1")
    soul.talk("forget cli:other#1")

    assert soul.recall("pearl drawer") == soul.recall("canoe shed") == []


def test_an_id_of_another_thing_and_a_guess_forget_nothing(soul: Soul) -> None:
    soul.remember("my cat is called Michi")

    answers = [soul.talk("forget beef"), soul.talk("forget the cat called Michi"), soul.talk("yes")]

    assert values(soul) == ["my cat is called Michi"]
    assert notices(answers[0]) == ["I find nothing like that to forget"]
    assert notices(answers[2]) == []


@each_row("order", ["undo 99999999999999999999", "forget 6834557e4cbc"])
def test_the_id_in_an_order_is_no_secret(soul: Soul, *, order: str) -> None:
    assert [each.name for each in soul.talk(order).done] == [order.partition(" ")[0]]


def test_the_order_to_forget_is_never_recalled_told_or_learned_not_even_after_an_undo(soul: Soul) -> None:
    kept = soul.remember("my cat is called Michi").memory
    assert kept
    soul.talk("forget the Michi cat business")
    soul.talk(f"forget {kept.id[:8]}")
    soul.talk("undo")

    assert values(soul) == ["my cat is called Michi"]
    found = soul.memory.recall(Query("forget the Michi cat business"), Listener(room=20, floor=0.0))
    assert [hit.text for hit in found if "forget" in hit.text] == []
    soul.talk("hello")
    assert "business" not in str([turn.text for turn in soul.sessions.window(MAIN).turns])
    assert "business" not in soul.prompt("forget the Michi cat business", session="cli:new").text


def test_undo_takes_back_what_was_done_last_and_names_it_and_its_own_undo(soul: Soul) -> None:
    soul.talk("Remember that I like tea.")
    soul.talk("forget the coffee")

    [told] = notices(soul.talk("undo"))
    assert values(soul) == []
    assert told.startswith('no longer remembered: "I like tea" ("almario undo ')
    line = told.split()[-4].rstrip('"')

    assert notices(soul.talk(f"undo {line}"))[0].startswith('remembered again: "I like tea"')
    assert values(soul) == ["I like tea"]


def test_nothing_is_answered_by_yes_no_or_a_number(soul: Soul) -> None:
    soul.remember("my cat is called Michi")
    soul.talk("forget my cat")

    for word in ("yes", "1", "no", "both", "sí"):
        assert soul.talk(word).done == ()
    assert values(soul) == ["my cat is called Michi"]


def test_who_is_in_danger_is_told_where_to_call_beside_all_else(soul: Soul) -> None:
    answer = soul.talk("I want to die. Remember that my sister is Vera.")

    assert "988" in notices(answer)[-1]
    assert values(soul) == ["my sister is Vera"]
    alone = soul.talk("I want to die")
    assert [action.name for action in alone.done] == ["danger"]
    assert "Kept" not in alone.text


def test_in_spanish_the_owner_is_told_in_spanish_where_to_call() -> None:
    soul = a_soul(language="es")

    [action] = soul.talk("quiero morirme").done

    assert "024" in say("es", action.told[0])
    assert "135" in say("es", action.told[0])


def test_the_model_is_told_what_was_done_before_it_answers() -> None:
    llm = ScriptedLLM("Noted.", "Which one?")
    soul = soul_on(MemoryStore(FixedClock()), {"flush.enabled": False}, llm=llm)
    soul.talk("Remember that I like tea.")
    soul.talk("forget my tea")

    assert "Already done, as your human asked: remembered: I like tea" in llm.asked[0].changing
    assert "nothing is forgotten yet" in llm.asked[1].changing


def test_what_is_said_besides_a_form_is_answered() -> None:
    soul = a_soul("my sister is called Vera")

    answer = soul.talk("Remember that I like tea. What is my sister called?")

    assert "my sister is called Vera" in shown(answer)


@pytest.fixture
def hook() -> tuple[Soul, Callable[[str], str]]:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "none"})
    return soul, lambda message: soul.companion.hear(HOOK, message)


def test_through_a_hook_undo_and_forget_act_only_with_an_id(
    hook: tuple[Soul, Callable[[str], str]],
) -> None:
    soul, say = hook
    kept = soul.remember("the deploy server is called Gaviota").memory
    assert kept

    for message in ("undo", "forget the deploy server", "forget it and try again"):
        assert "forgotten" not in say(message)
    assert values(soul) == ["the deploy server is called Gaviota"]
    assert not soul.memory.out_of_mind()

    say(f"forget {kept.id[:8]}")
    assert values(soul) == []
    say(f"undo {soul.undoable()}")
    assert values(soul) == ["the deploy server is called Gaviota"]


def test_through_a_hook_what_is_to_be_remembered_is(hook: tuple[Soul, Callable[[str], str]]) -> None:
    soul, say = hook

    say("Remember that the deploy server is called Gaviota.")

    assert values(soul) == ["the deploy server is called Gaviota"]
