"""Cues written by a model: with what it learns, or at night; by one that does it well when tried."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from almario.domain.talk import Ask
from almario.domain.turns import Utterance
from almario.errors import LLMUnavailable
from almario.memory.cue_writing import SAMPLES, are_good
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.conversation.test_flush import SESSION, fact, flush_of, reply
from tests.memory_store import MemoryStore
from tests.souls import soul_on

pytestmark = pytest.mark.light

# What a good model wrote for the facts it is tried with, having seen nothing else.
GOOD = (
    ["garden party this summer", "¿puede jugar entre las flores?", "wasp, honey, swelling"],
    ["llanta desinflada", "my chain came off", "where to get the brakes done?", "cadena, pedales, arreglar"],
    ["shall we meet for a cappuccino?", "anoche no dormí nada", "insomnia again", "té por la tarde"],
    ["me regalaron lana", "a scarf for him", "hobby for the winter", "agujas, ovillos, punto"],
    ["storm warning for the weekend", "va a llover toda la semana", "boxes in the basement", "inundación"],
    ["vacaciones en Japón", "cheap plane tickets", "avión, turbulencias", "trip to New York"],
)
# The facts as questions, their words by themselves, what they are about, and worse.
POOR = {
    "questions": (
        ["What is Jonas allergic to?", "¿A qué es alérgico el sobrino?"],
        ["¿Quién arregla la bici?", "Who is Sofía?"],
        ["When does she lie awake?", "¿Qué pasa con el café?"],
        ["¿Quién le enseñó a tejer?", "Who taught her?"],
        ["What fills with water?", "¿Cuándo se inunda el sótano?"],
        ["¿Qué le da pánico?", "What is she afraid of?"],
    ),
    "words": (
        ["bee stings", "nephew", "alergia"],
        ["bici", "taller", "repairs"],
        ["coffee", "awake", "café"],
        ["abuela", "tejer", "grandmother"],
        ["cellar", "river", "sótano"],
        ["volar", "pánico", "fear"],
    ),
    "headings": (
        ["family facts", "salud de la familia"],
        ["contacts", "servicios del barrio"],
        ["daily habits", "rutina personal"],
        ["memories", "su familia"],
        ["house maintenance", "la casa"],
        ["feelings", "miedos"],
    ),
    "another's": (*GOOD[3:], *GOOD[:3]),
    "what fits, and what does not": tuple([each.fitting[0], *each.beside] for each in SAMPLES),
    "none": ([],) * 6,
}
PARROT = "Doña Ulla has a grey parrot that whistles tangos"


BY_MEANING = {"embedder.name": "local"}


def numbered(cues: Sequence[Sequence[str]]) -> str:
    return json.dumps({"facts": [{"fact": n, "cues": list(each)} for n, each in enumerate(cues, 1)]})


class Writer:
    """Answers what it is tried with in its way, and for every other fact with the same cues."""

    def __init__(self, tried: Sequence[Sequence[str]] = GOOD) -> None:
        self.tried = tried
        self.sizes: list[int] = []

    def __call__(self, ask: Ask) -> str:
        facts = [json.loads(line)["text"] for line in ask.messages[-1].text.splitlines()]
        if facts == [each.fact for each in SAMPLES]:
            return numbered(self.tried)
        self.sizes.append(len(facts))
        return numbered([["a talking bird", "¿qué mascota tiene la vecina?", each] for each in facts])


def with_facts(count: int, llm: Any, **settings: Any) -> Soul:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "none", **settings}, llm)
    for n in range(count):
        soul.remember(f"{PARROT} number {n}")
    return soul


def test_older_memories_get_theirs_twenty_to_a_call() -> None:
    writer = Writer()
    soul = with_facts(23, ScriptedLLM(writer))

    done = soul.tidying.cue()

    assert (done.written, done.left, writer.sizes) == (23, 0, [20, 3])
    memory = soul.memory.list()[0]
    assert soul.memory.cues(memory.id) == ("a talking bird", "¿qué mascota tiene la vecina?")
    assert soul.tidying.cue().written == 0  # what has cues is left alone


def test_a_few_memories_wait_for_a_day_and_no_longer(clock: FixedClock) -> None:
    writer = Writer()
    soul = soul_on(MemoryStore(clock), {"embedder.name": "none"}, ScriptedLLM(writer))
    soul.remember(PARROT)

    soul.tidying.cue(if_due=True)
    assert writer.sizes == []

    clock.advance(days=1)
    soul.tidying.cue(if_due=True)
    assert writer.sizes == [1]


def test_what_the_owner_gave_stays_when_they_are_written_again() -> None:
    soul = with_facts(2, ScriptedLLM(Writer()))
    first, second = soul.memory.list()
    soul.memory.cue(first.id, ["tango night"])
    soul.tidying.cue()

    done = soul.tidying.cue(again=True)

    assert done.written == 1
    assert soul.memory.cues(first.id) == ("tango night",)
    assert soul.memory.cues(second.id)


def test_where_cues_are_switched_off_no_model_is_asked_for_any() -> None:
    llm = ScriptedLLM(Writer())
    soul = with_facts(3, llm, **{"memory.cues": "never"})

    assert soul.tidying.cue().written == 0
    assert llm.asked == []
    learning, memory = learned_with(soul, None)
    assert soul.memory.cues(memory) == ()
    assert "cues" not in learning.asked[0].stable


@pytest.mark.parametrize("cues", POOR.values(), ids=POOR)
def test_a_model_that_wrote_poor_cues_when_it_was_tried_writes_none(cues: Sequence[Sequence[str]]) -> None:
    writer = Writer(cues)
    llm = ScriptedLLM(writer)
    soul = with_facts(3, llm, **BY_MEANING)

    first, again = soul.tidying.cue(), soul.tidying.cue()

    assert (first.written, again.written, writer.sizes, len(llm.asked)) == (0, 0, [], 1)
    assert "poor cues" in str(first.why)
    assert str(soul.memory.cue_writer()) == str(first.why)
    assert soul.tidying.waiting() == {}


def test_a_model_is_tried_once_unless_its_name_changes_or_the_index_is_gone() -> None:
    writer = Writer()
    llm = ScriptedLLM(writer)
    soul = with_facts(1, llm, **BY_MEANING)

    assert soul.tidying.cue().written == 1
    assert soul.tidying.cue(again=True).written == 1
    assert len(llm.asked) == 3
    assert "good cues" in str(soul.memory.cue_writer())

    another = ScriptedLLM(Writer(), model="another")
    soul.memory.write_cues(another, again=True)
    assert len(another.asked) == 2

    soul.memory.reindex()
    assert soul.memory.cue_writer() is None
    soul.memory.write_cues(another, again=True)
    assert len(another.asked) == 4


def test_cues_that_bring_no_more_than_the_text_itself_are_poor() -> None:
    facts = {each.fact for each in SAMPLES}
    fitting = {message for each in SAMPLES for message in each.fitting}

    def likeness(text: str, message: str, *, of_facts: float) -> float:
        return 0.1 if message not in fitting else of_facts if text in facts else 0.5

    assert are_good(GOOD, partial(likeness, of_facts=0.2))
    assert not are_good(GOOD, partial(likeness, of_facts=0.5))


def test_a_setting_overrules_what_came_of_it() -> None:
    llm = ScriptedLLM(Writer(POOR["questions"]))
    soul = with_facts(3, llm, **BY_MEANING, **{"memory.cues": "always"})

    assert soul.tidying.cue().written == 3
    assert len(llm.asked) == 1
    assert soul.memory.cue_writer() is None


def test_where_nothing_can_judge_cues_they_are_written_untried() -> None:
    llm = ScriptedLLM(Writer(POOR["questions"]))

    assert with_facts(3, llm).tidying.cue().written == 3
    assert len(llm.asked) == 1


def test_a_model_that_cannot_be_reached_when_it_is_to_be_tried_is_tried_later() -> None:
    llm = ScriptedLLM(LLMUnavailable("nobody answers"), Writer())
    soul = with_facts(1, llm, **BY_MEANING)

    assert soul.tidying.cue().written == 0
    assert soul.memory.cue_writer() is None
    assert "cues" in soul.tidying.waiting()

    assert soul.tidying.cue().written == 1


def test_learning_does_not_wait_for_a_trial_that_cannot_be_made() -> None:
    soul = with_facts(0, None, **BY_MEANING)

    llm, memory = learned_with(soul, None, LLMUnavailable("nobody answers"))

    assert len(llm.asked) == 2
    assert soul.memory.cues(memory) == ()
    assert soul.memory.cue_writer() is None


def test_models_in_turn_are_each_tried_once() -> None:
    soul = with_facts(1, None, **BY_MEANING)
    one, other = ScriptedLLM(*[Writer()] * 3, model="one"), ScriptedLLM(*[Writer()] * 3, model="other")
    for llm in (one, other, one, other):
        soul.memory.cues_asked_in(llm)

    assert (len(one.asked), len(other.asked)) == (1, 1)


def test_a_model_whose_answers_cannot_be_used_writes_none() -> None:
    soul = with_facts(1, ScriptedLLM("I would rather not."), **BY_MEANING)

    assert (soul.tidying.cue().written, soul.tidying.waiting()) == (0, {})
    assert "poor cues" in str(soul.memory.cue_writer())


@pytest.mark.parametrize(("tried", "is_asked"), [(GOOD, True), (POOR["words"], False)])
def test_a_model_is_tried_before_it_learns_and_only_a_good_one_is_asked_for_cues(
    tried: Sequence[Sequence[str]], is_asked: bool
) -> None:
    soul = with_facts(0, None, **BY_MEANING)

    llm, memory = learned_with(soul, ["a talking bird"] if is_asked else None, numbered(tried))

    trial, learning = llm.asked
    assert SAMPLES[0].fact in trial.messages[-1].text
    assert ("cues" in learning.stable) == is_asked
    assert soul.memory.cues(memory) == (("a talking bird",) if is_asked else ())


def test_a_model_that_cannot_be_reached_leaves_them_for_the_next_night() -> None:
    soul = with_facts(2, ScriptedLLM(LLMUnavailable("nobody answers"), Writer()))

    done = soul.tidying.cue()

    assert (done.written, done.left) == (0, 2)
    assert "cues" in soul.tidying.waiting()


def learned_with(
    soul: Soul, cues: Sequence[str] | None, *before: str | LLMUnavailable
) -> tuple[ScriptedLLM, str]:
    soul.memory.append(
        SESSION, [Utterance("user", f"{PARROT}.", "owner"), Utterance("assistant", "Lovely.", "agent")]
    )
    entry = fact(PARROT, 1, key="parrot") | ({"cues": list(cues)} if cues is not None else {})
    llm = ScriptedLLM(*before, reply(facts=[entry], summary=""))
    flush_of(soul, llm).flush(SESSION)
    return llm, next(memory.id for memory in soul.memory.list() if memory.key == "parrot")


def test_what_was_told_with_remember_has_its_cues_from_the_call_that_renews_it() -> None:
    soul = with_facts(1, None)
    soul.memory.append(SESSION, [Utterance("user", f"Remember: {PARROT} number 0.", "owner")])
    entry = {"turns": [1], "known": "renews k1", "cues": ["a talking bird", "la vecina y su mascota"]}
    llm = ScriptedLLM(reply(facts=[entry], summary=""))

    flush_of(soul, llm).flush(SESSION)

    assert '"kept as asked" and renewed' in llm.asked[0].stable
    [memory] = soul.memory.list()
    assert soul.memory.cues(memory.id) == ("a talking bird", "la vecina y su mascota")


def test_what_is_learned_has_its_cues_from_the_same_call() -> None:
    soul = with_facts(0, None)
    before = len(soul._vault.journal.read())

    repeated = [f"{PARROT}!", "whose grey parrot whistles?"]
    llm, memory = learned_with(soul, ["a talking bird", "la vecina y su mascota", *repeated])

    assert soul.memory.cues(memory) == ("a talking bird", "la vecina y su mascota")
    [event] = [each for each in soul._vault.journal.read()[before:] if each.type == "memory.changed"]
    assert [each.cues for each in event.body.cues] == [("a talking bird", "la vecina y su mascota")]  # type: ignore[union-attr]
    [ask] = llm.asked
    assert "half in English" in ask.stable
    assert "half in Spanish" in ask.stable
