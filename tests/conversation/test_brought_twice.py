"""A channel that is not sure brings a message again: it is kept once, and answered once."""

from almario.errors import LLMUnavailable
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on

HERE = "telegram:5"
DOWN = LLMUnavailable("no connection")


def test_a_message_that_comes_again_is_kept_once_and_its_answer_is_given_again() -> None:
    soul = soul_on(MemoryStore(FixedClock()), llm=(llm := ScriptedLLM("Hello.")))

    first = soul.talk("Hi there", HERE, ref="5/1")
    again = soul.talk("Hi there", HERE, ref="5/1")
    other = soul.talk("Hi there", HERE, ref="5/2")

    assert (first.text, again.text, other.text) == ("Hello.", "Hello.", "Hello.")
    assert [turn.text for turn in soul.sessions.turns(HERE)] == ["Hi there", "Hello."] * 2
    assert len(llm.asked) == 2


def test_one_that_was_kept_and_not_answered_is_answered_when_it_comes_again() -> None:
    store = MemoryStore(FixedClock())
    soul_on(store, llm=ScriptedLLM(DOWN)).talk("Remember that I row", HERE, pasted=["doc"], ref="5/1")

    soul = soul_on(store, llm=ScriptedLLM("Noted."))
    answer = soul.talk("Remember that I row", HERE, pasted=["doc"], ref="5/1")

    assert answer.text == "Noted."
    assert [turn.text for turn in soul.sessions.turns(HERE)] == ["doc", "Remember that I row", "Noted."]
    assert [memory.value for memory in soul.memory.list()] == ["I row"]


def test_a_wish_to_forget_that_comes_again_forgets_nothing_more() -> None:
    store = MemoryStore(FixedClock())
    soul = soul_on(store, llm=ScriptedLLM(DOWN))
    kept = soul.remember("boat: a red canoe called Marea").memory
    assert kept
    soul.talk(f"Forget {kept.id[:8]}", HERE, ref="5/1")
    soul.remember("canoe: a blue canoe")

    again = soul_on(store, llm=ScriptedLLM("Done.")).talk(f"Forget {kept.id[:8]}", HERE, ref="5/1")

    assert again.done == ()
    assert [memory.value for memory in soul.memory.list()] == ["a blue canoe"]


def test_an_undo_that_comes_again_takes_nothing_more_back() -> None:
    store = MemoryStore(FixedClock())
    soul = soul_on(store, llm=ScriptedLLM(DOWN))
    soul.remember("I row")
    soul.remember("I sail")
    soul.talk("undo that", HERE, ref="5/1")

    soul_on(store, llm=ScriptedLLM("Done.")).talk("undo that", HERE, ref="5/1")

    assert [memory.value for memory in soul.memory.list()] == ["I row"]


def test_off_the_record_its_words_are_written_nowhere_the_second_time_either() -> None:
    store = MemoryStore(FixedClock())
    soul = soul_on(store, llm=ScriptedLLM("I see.", DOWN))
    soul.talk("Don't write this down.", HERE, ref="5/1")
    announced = "I will quit the bakery on Friday"
    soul.talk(announced, HERE, ref="5/2")

    llm = ScriptedLLM("Good luck.")
    restarted = soul_on(store, llm=llm)
    restarted.talk(announced, HERE, ref="5/2")

    assert "I will quit the bakery" in llm.asked[0].messages[-1].text
    assert restarted.memory.list() == []
    assert all(turn.is_off and not turn.text for turn in store.transcripts.read(HERE, after=1))


def test_what_is_only_kept_is_kept_once_too_and_others_are_on_the_record() -> None:
    soul = soul_on(MemoryStore(FixedClock()), llm=ScriptedLLM("Yes."))
    soul.talk("Between us: the cake is a surprise", HERE)

    for _ in range(2):
        soul.append(HERE, "user", "Hello all", origin="untrusted", speaker="Pepe", ref="5/3")

    texts = [turn.text for turn in soul.sessions.turns(HERE) if turn.speaker == "Pepe"]
    assert texts == ["Hello all"]
