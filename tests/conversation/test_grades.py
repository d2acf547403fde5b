"""What a message wants acts by how sure that is: at once, with a word to take it back, or after asking."""

import pytest

from almario import Soul
from almario.conversation.wishing import LIKELY, SURE, Wishes, wanted_in
from almario.domain.forgotten import hit_of, name_of
from almario.errors import SoulError
from almario.memory.amending import Amendment
from almario.testing import FixedClock, ScriptedLLM
from almario.text.reader import HEADS, Reading
from tests.conversation.unaided import a_soul, talked, values
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

NOTHING = Reading(*[0.0] * len(HEADS))


@pytest.fixture
def soul(clock: FixedClock) -> Soul:
    return soul_on(MemoryStore(clock), {"embedder.name": "local"})


def test_what_is_likely_to_be_remembered_is_kept_as_it_was_said_and_taken_back_with_one_word(
    soul: Soul,
) -> None:
    said = "Stick this in your notes: the boiler man comes every second Tuesday"

    [action] = soul.talk(said).done

    [memory] = soul.memory.list()
    assert memory.value == said
    assert [str(each) for each in action.told] == [
        f"remembered: {said}",
        f'"almario undo {memory.seq}" takes it back',
    ]
    assert action.structured["line"] == memory.seq
    soul.undo()
    assert soul.memory.list() == []


@each_row("learns", [True, False])
def test_what_is_only_likely_to_be_an_order_is_left_to_a_model_that_learns(
    clock: FixedClock, learns: bool
) -> None:
    settings = {"embedder.name": "local", "flush.enabled": learns}
    soul = soul_on(MemoryStore(clock), settings, ScriptedLLM("Noted."))

    answer = soul.talk("Stick this in your notes: the boiler man comes every second Tuesday")
    sure = soul.talk("Remember that my bicycle is red")

    assert len(answer.done) == (0 if learns else 1)
    assert [str(each.told[0]) for each in sure.done] == ["remembered: my bicycle is red"]


def test_only_what_was_new_can_be_taken_back_by_its_line(soul: Soul) -> None:
    [first] = soul.talk("Remember that my bicycle is red").done
    [memory] = soul.memory.list()
    [again] = soul.talk("Remember that my bicycle is red").done

    assert (first.structured, again.structured) == ({"line": memory.seq}, {})


def test_what_has_a_word_of_what_is_to_be_forgotten_is_asked_about_alone(soul: Soul) -> None:
    for known in ("I take warfarin at night", "I see the cardiologist at night", "name: Grace"):
        soul.remember(known)

    [action] = soul.talk("forget the warfarin").done

    assert [each.partition("  ")[0] for each in map(str, action.told)] == [
        'did you mean me to forget this? Say "yes":',
        "1. I take warfarin at night",
    ]


def test_what_is_likely_to_be_forgotten_is_asked_about_and_stays(soul: Soul) -> None:
    kept = soul.remember("job: bakes bread at the bakery in Lugo").memory
    assert kept

    [action] = soul.talk("please scrub my job at the bakery in Lugo from your records").done

    assert action.is_error
    assert [str(each) for each in action.told] == [
        'did you mean me to forget this? Say "yes":',
        f"1. job: bakes bread at the bakery in Lugo  {name_of(hit_of(kept))}",
    ]
    assert [each.id for each in soul.memory.list()] == [kept.id]


@each_row("answers", [["Yes please."], ["sí"], ["1"], ["7", "yes"]])
def test_a_yes_forgets_what_was_asked_about_and_the_order(answers: list[str]) -> None:
    soul = a_soul("job: bakes bread at the bakery in Lugo")
    talked(soul, "please scrub my job at the bakery in Lugo from your records", *answers)

    assert values(soul) == []
    assert list(soul.recall("the bakery in Lugo", min_score=0.0)) == []


@each_row(
    "message, is_asked",
    [
        ("forget the bakery", True),
        ("Forget about the bakery.", True),
        ("olvídate de la bakery", True),
        ("forget it", False),
        ("forget the bakery, let's stay in", False),
        ("did you forget the bakery?", False),
        ("vergiss die bakery nicht", False),
    ],
)
def test_a_verb_of_forgetting_and_what_it_names_is_asked_about(message: str, is_asked: bool) -> None:
    assert wanted_in(message) == Wishes(forget=LIKELY if is_asked else "")


@each_row("meanwhile", ["said", "an hour"])
def test_a_question_lapses(soul: Soul, clock: FixedClock, meanwhile: str) -> None:
    soul.remember("job: bakes bread at the bakery in Lugo")
    soul.talk("please scrub my job at the bakery in Lugo from your records")

    if meanwhile == "said":
        soul.append("cli:main", "user", "No, keep it!")
        soul.append("cli:main", "assistant", "Shall I book the table?")
    else:
        clock.advance(hours=1)
    assert soul.talk("yes").done == ()
    assert len(soul.memory.list()) == 1


def test_a_sure_word_comes_before_a_guess() -> None:
    guess = NOTHING._replace(forget=0.9, confidence=0.9)

    assert wanted_in("Remember that I like tea", guess) == Wishes(remember=SURE)
    assert wanted_in("Scrub that, will you", guess) == Wishes(off="perhaps")
    assert wanted_in("Scrub that, will you", guess._replace(confidence=0.1)) == Wishes(forget=LIKELY)
    assert wanted_in("Hold that", NOTHING._replace(remember=0.9)) == Wishes(remember=LIKELY)
    assert wanted_in("x" * 1000, NOTHING._replace(remember=0.9)) == Wishes()
    assert wanted_in("Hold that") == Wishes()


def test_to_keep_means_what_was_noticed_last(soul: Soul) -> None:
    for said in ("Between us, I am broke.", "The gate code is 3381."):
        soul.talk(said)

    assert soul.put_back() == []
    assert {each.suspected for each in soul.memory.withheld()} == {("3381",)}

    assert [turn.text for turn in soul.put_back()] == ["Between us, I am broke."]


def test_a_guess_at_a_confidence_takes_nothing_back(soul: Soul) -> None:
    soul.talk("my sister lives in York")

    [action] = soul.talk("between you and me my boss drinks").done

    assert "set aside" in str(action.told[0])
    assert values(soul) == ["my sister lives in York"]


def test_who_edits_around_what_may_be_a_secret_keeps_it(soul: Soul) -> None:
    memory = soul.remember("the gate code is 3381").memory
    assert memory is not None
    assert "3381" not in memory.value

    edited = soul.memory.amend(memory.id, Amendment(value=f"in May {memory.value}"))

    assert "in May the gate code is 3381" in {each.text for each in soul.memory.withheld()}
    with pytest.raises(SoulError, match="leave"):
        soul.memory.amend(edited.id, Amendment(value=f"{edited.value} {edited.value}"))
