"""What a message wants acts by how sure that is: at once, with a word to take it back, or after asking."""

from contextlib import suppress
from pathlib import Path

import pytest

import almario
from almario import Soul
from almario.conversation.wishing import LIKELY, SURE, Wanted, wanted_in
from almario.errors import LLMUnavailable
from almario.testing import FixedClock
from almario.text.reader import HEADS, Reading
from tests.tables import each_row

NOTHING = Reading(*[0.0] * len(HEADS))


@pytest.fixture
def soul(tmp_path: Path) -> Soul:
    return almario.create(tmp_path / "home", clock=FixedClock(), settings={"embedder.name": "local"})


def test_what_is_likely_to_be_remembered_is_kept_as_it_was_said_and_taken_back_with_one_word(
    soul: Soul,
) -> None:
    said = "Stick this in your notes: the boiler man comes every second Tuesday"

    [deed] = soul.talk(said).done

    [memory] = soul.memory.list()
    assert memory.value == said
    assert [str(each) for each in deed.told] == [
        f"remembered: {said}",
        f'"almario undo {memory.seq}" takes it back',
    ]
    soul.undo()
    assert soul.memory.list() == []


def test_what_is_likely_to_be_forgotten_is_asked_about_and_stays(soul: Soul) -> None:
    kept = soul.remember("job: bakes bread at the bakery in Lugo").memory
    assert kept

    [deed] = soul.talk("please scrub my job at the bakery in Lugo from your records").done

    assert deed.is_error
    told = [str(each) for each in deed.told]
    assert told[0] == 'did you mean me to forget something? "almario forget ID" does it:'
    assert kept.id[:8] in told[1]
    assert [each.id for each in soul.memory.list()] == [kept.id]


def test_what_is_said_for_sure_to_be_forgotten_is(soul: Soul) -> None:
    soul.remember("job: bakes bread at the bakery in Lugo")

    soul.talk("Forget what I told you about the bakery in Lugo")

    assert soul.memory.list() == []


def test_what_only_tells_something_does_nothing(soul: Soul) -> None:
    with pytest.raises(LLMUnavailable):
        soul.talk("The boiler man came on Tuesday and forgot his tools.")

    assert soul.memory.list() == []


def test_a_sure_word_comes_before_a_guess() -> None:
    guess = NOTHING._replace(forget=0.9, confidence=0.9)

    assert wanted_in("Remember that I like tea", guess) == Wanted(remember=SURE)
    assert wanted_in("Scrub that, will you", guess) == Wanted(off="perhaps")
    assert wanted_in("Scrub that, will you", guess._replace(confidence=0.1)) == Wanted(forget=LIKELY)
    assert wanted_in("Hold that", NOTHING._replace(remember=0.9)) == Wanted(remember=LIKELY)
    assert wanted_in("x" * 1000, NOTHING._replace(remember=0.9)) == Wanted()
    assert wanted_in("Hold that") == Wanted()


@each_row("order", ["Forget the bread.", "Olvídate del pan"])
def test_an_order_to_forget_that_may_be_an_idiom_only_asks(soul: Soul, order: str) -> None:
    kept = soul.remember("pan, bread: only rye").memory
    assert kept

    [deed] = soul.talk(order).done

    assert deed.is_error
    assert [each.id for each in soul.memory.list()] == [kept.id]


def test_to_keep_means_what_was_noticed_last(soul: Soul) -> None:
    for said in ("Between us, I am broke.", "The gate code is 3381."):
        with suppress(LLMUnavailable):
            soul.talk(said)

    assert soul.put_back() == []
    assert [each.suspected for each in soul.memory.withheld()] == [("3381",)]

    assert [turn.text for turn in soul.put_back()] == ["Between us, I am broke."]
