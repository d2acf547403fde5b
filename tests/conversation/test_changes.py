"""Without a model, what is told may take the place of a memory: that is asked, and nothing is lost."""

import pytest

import almario
from almario.testing import FixedClock
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light


@pytest.fixture
def soul() -> almario.Soul:
    return soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})


def values(soul: almario.Soul) -> list[str]:
    return [memory.value for memory in soul.memory.list()]


def asked(answer: almario.Answer) -> str:
    every = (action for action in answer.done if "replaces" in action.structured)
    return " ".join(str(each) for action in every for each in action.told)


@each_row(
    "known, said, right",
    [
        ("I work in a bakery", "I've changed jobs, I work at a clinic now", ""),
        ("I'm a vegan", "I eat meat again", ""),
        ("I'm going out with Daniel", "Daniel and I broke up", ""),
        ("my cat is called Pepper", "Pepper died last night", ""),
        ("we live in York", "we moved to Leeds", ""),
        ("trabajo en una panadería", "he cambiado de trabajo, ahora estoy en una clínica", ""),
        ("soy vegetariana", "ya no soy vegetariana", ""),
        ("the interview is on Monday at 10", "they've moved the interview to Tuesday, same time",
         "the interview is on Tuesday at 10"),
        ("Spanish class is on Tuesdays at 7pm", "Spanish class has changed to Thursdays",
         "Spanish class is on Thursdays at 7pm"),
        ("natación los lunes a las 19:30", "han cambiado natación a los viernes, a la misma hora",
         "natación los viernes a las 19:30"),
    ],
)  # fmt: skip
def test_what_changed_takes_the_place_of_what_was_after_a_yes_and_one_undo_takes_it_back(
    soul: almario.Soul, known: str, said: str, right: str
) -> None:
    memory = soul.remember(known).memory
    assert memory

    question = asked(soul.talk(said))
    assert known in question
    assert right in question
    assert values(soul) == [known, *([] if right else [said])]

    [done] = soul.talk("yes").done
    assert (right or said) in values(soul)
    assert known not in values(soul)

    soul.undo(int(done.structured["line"]))
    assert values(soul) == [known, *([] if right else [said])]
    for each in soul.memory.list():
        soul.forget(each.id)


@each_row(
    "known, said",
    [
        ("I work at a clinic", "my sister works in a bakery"),
        ("my sister works at a clinic", "I moved house last year"),
        ("soy vegetariana", "mi novio ya no es vegetariano"),
        ("mi hermana trabaja en una clínica", "he cambiado de trabajo, ahora estoy en una clínica"),
        ("my favourite colour is green", "my shoe size is 40"),
        ("physio on Thursday at 4", "physio next Thursday at 4 as well"),
        ("I live in Leeds", "I live in Leeds"),
        ("Comprar pan el viernes", "q tengo q comprar el viernes"),
        ("I have yoga every Tuesday at six", "yoga is on Thursday instead"),
        ("I run every Tuesday", "I ran 10k today"),
        ("mi jefe es Ramiro", "Ramiro me ha dado la tarde libre"),
        ("my favourite colour is green", "I've changed jobs, I work at a clinic now"),
    ],
)
def test_what_is_of_something_else_or_one_more_replaces_nothing(
    soul: almario.Soul, known: str, said: str
) -> None:
    memory = soul.remember(known).memory
    assert memory

    assert asked(soul.talk(said, f"cli:{said}")) == ""
    assert known in values(soul)
    for each in soul.memory.list():
        soul.forget(each.id)


@each_row("answer", ["no", "both", "las dos"])
def test_who_says_no_keeps_both(answer: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    soul.remember("I work in a bakery")
    soul.talk("I work at a clinic now")
    soul.talk(answer)

    assert values(soul) == ["I work in a bakery", "I work at a clinic now"]


@each_row("answer, left", [("yes", 1), ("no", 2)])
def test_an_order_is_carried_out_and_then_it_is_asked_what_it_replaces(answer: str, left: int) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    soul.remember("I work in a bakery")

    assert "I work in a bakery" in asked(soul.talk("remember that I now work at a clinic"))
    assert len(values(soul)) == 2

    done = soul.talk(answer).done[0]
    assert values(soul)[-left:] == ["I work in a bakery", "I now work at a clinic"][-left:]
    if answer == "yes":
        soul.undo(int(done.structured["line"]))
        assert len(values(soul)) == 2


def test_what_was_told_before_may_be_replaced_by_what_is_told_after(soul: almario.Soul) -> None:
    soul.talk("I work in a bakery")
    soul.talk("I work at a clinic now")
    soul.talk("yes")

    assert values(soul) == ["I work at a clinic now"]


@each_row(
    "known, said, right",
    [
        ("Grandma's flat is number 14", "no wait, it's number 41", "Grandma's flat is number 41"),
        ("my sister is called Nina", "no, it's Nora", "my sister is called Nora"),
        ("the fair is on 3 December at 9", "no, on the 12th", "the fair is on 12 December at 9"),
        ("mi hermana se llama Nina", "no, es Nora", "mi hermana se llama Nora"),
    ],
)
def test_a_brief_correction_is_of_what_was_just_remembered(known: str, said: str, right: str) -> None:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "local"})
    for message in (f"remember that {known}", said, "yes"):
        soul.talk(message)

    assert values(soul) == [right]


def test_the_owner_may_replace_a_memory_by_one_that_shares_no_word_with_it(soul: almario.Soul) -> None:
    old = soul.remember("I am a vegan").memory
    assert old

    receipt = soul.remember("ham is on the menu", replaces=old.id)

    assert [memory.id for memory in receipt.replaced] == [old.id]
    assert values(soul) == ["ham is on the menu"]


def test_what_is_withheld_of_a_note_makes_it_no_other_note(soul: almario.Soul) -> None:
    assert asked(soul.talk("remember that the alarm code is 5582")) == ""
