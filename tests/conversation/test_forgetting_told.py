"""Who asks to have something forgotten is not told of that later: the asking goes with the thing."""

from pathlib import Path

import pytest

import almario
from almario.domain.memories import Wanted
from almario.domain.talk import Ask, Reply, ToolCall
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from tests.memory_store import MemoryStore
from tests.souls import soul_on

MAIN = "cli:main"
ASKING = (
    "Could you get rid of what you know about my job at Umbrella?",
    "I don't want you to know about Umbrella any more.",
    "Eso de Umbrella, sacátelo de la cabeza.",
    "yes, that one about Umbrella",
)
WHICH, YES = "About my work, you carry around a certain detail that bothers me.", "yes please"
LATER = ("Where do I work?", "What did I say about Umbrella?", "¿Qué te pedí sobre Umbrella?")


class Forgetful:
    """A model that has what it is asked about forgotten, and then says what it has done."""

    def __init__(self) -> None:
        self.soul: Soul | None = None
        self.taught: list[str] = []

    def __call__(self, ask: Ask) -> Reply | str:
        if ask.schema:
            self.taught.append(str(ask.messages))
            return '{"facts": [], "episodes": [], "instructions": [], "summary": ""}'
        last = ask.messages[-1]
        said = next(each.text for each in reversed(ask.messages) if each.role == "user")
        if last.role != "tool" and WHICH in said:
            return 'Do you mean "works at Umbrella"?'
        if last.role != "tool" and any(each in said for each in (*ASKING, YES)):
            assert self.soul
            ids = [memory.id for memory in self.soul.memory.list(Wanted(keys=("job",)))]
            return Reply("", (ToolCall("c1", "forget", {"ids": ids}),))
        return "Done: I no longer know that you work at Umbrella." if last.role == "tool" else "Hm."


@pytest.fixture
def model() -> Forgetful:
    return Forgetful()


@pytest.fixture
def soul(furnished: Path, clock: FixedClock, model: Forgetful) -> Soul:
    model.soul = almario.open(
        furnished, clock=clock, llm=ScriptedLLM(model), settings={"flush.threshold": 1000}
    )
    return model.soul


@pytest.mark.parametrize("asking", ASKING)
def test_what_asked_to_forget_by_the_tool_is_never_recalled_told_or_learned(
    asking: str, soul: Soul, model: Forgetful, clock: FixedClock
) -> None:
    soul.remember("job: works at Umbrella")
    soul.talk("Hello.", MAIN)

    done = soul.talk(asking, MAIN).done
    assert (done[-1].name, done[-1].is_error) == ("forget", False)

    for question in LATER:
        told = soul.prompt(question, session="cli:new").text.replace(question, "")
        assert "Umbrella" not in told
        assert "Umbrella" not in str(soul.recall(question))
    clock.advance(minutes=1)
    soul.talk("Something else.", MAIN)
    window = [turn.text for turn in soul.sessions.window(MAIN).turns]
    assert "Umbrella" not in str(window)
    soul.end_session(MAIN)
    assert model.taught != []
    assert "Umbrella" not in str(model.taught)


def test_what_asked_to_forget_by_an_id_that_is_none_is_not_told_again_either(clock: FixedClock) -> None:
    wrong = Reply("", (ToolCall("c1", "forget", {"ids": ["3d2d"]}),))
    soul = soul_on(MemoryStore(clock), llm=ScriptedLLM(wrong, "I can't find it."))

    done = soul.talk(ASKING[0], MAIN).done

    assert (done[-1].name, done[-1].is_error) == ("forget", True)
    assert "Umbrella" not in str(soul.recall("Umbrella"))


def test_what_asked_first_and_was_answered_with_which_goes_with_it(soul: Soul, model: Forgetful) -> None:
    soul.remember("job: works at Umbrella")
    soul.talk("I work a lot, and it is raining.", MAIN)

    soul.talk(WHICH, MAIN)
    soul.talk(YES, MAIN)

    found = [hit.text.partition(" → ")[0] for hit in soul.recall("What did I say about my work?")]
    assert found == ["I work a lot, and it is raining."]
    soul.end_session(MAIN)
    assert "it is raining" in str(model.taught)
    assert WHICH not in str(model.taught)


@pytest.mark.parametrize("asking", ["forget the thing about Umbrella", "olvidate de lo de Umbrella"])
def test_what_asks_by_a_sure_form_is_not_told_again_though_it_forgets_nothing_yet(
    asking: str, furnished: Path, clock: FixedClock
) -> None:
    soul = almario.open(furnished, clock=clock)
    job = soul.remember("job: works at Umbrella").memory
    assert job

    soul.talk(asking, MAIN)

    for question in LATER:
        assert [hit.text for hit in soul.recall(question) if hit.turn] == []
        assert asking not in soul.prompt(question, session="cli:new").text
    soul.talk(f"forget {job.id[:8]}", MAIN)
    assert [hit.text for question in LATER for hit in soul.recall(question)] == []


def test_who_is_asked_which_is_meant_can_answer_with_the_question_in_sight(clock: FixedClock) -> None:
    heard: list[Ask] = []

    def model(ask: Ask) -> str:
        heard.append(ask)
        return "Do you mean the trumpet of the neighbour?"

    soul = soul_on(MemoryStore(clock), {"embedder.name": "none", "flush.enabled": False}, ScriptedLLM(model))
    soul.append("cli:other", "user", "The neighbour plays the trumpet at six.")
    soul.talk("Forget the trumpet", MAIN)

    soul.talk("yes, that one", MAIN)

    shown = [each.text for each in heard[-1].messages]
    assert any("Forget the trumpet" in each for each in shown)
    assert any("Do you mean the trumpet" in each for each in shown)
    assert not any("Forget the trumpet" in hit.text for hit in soul.recall("trumpet"))
