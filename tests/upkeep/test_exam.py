"""Exams: what is asked about memories, what recall and the agent knew of it, and what is kept."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest

from almario.domain.journal_lines import encode
from almario.domain.memories import Memory, split_fact
from almario.domain.model import Hit
from almario.domain.talk import Ask
from almario.domain.words import forms_of, shared_words
from almario.errors import LLMUnavailable, SoulError
from almario.soul import Soul
from almario.testing import FixedClock, ScriptedLLM
from almario.upkeep.rules.exam import Posed, by_rule, mark_of, of_nobody
from tests import bad_replies
from tests.effort import every
from tests.memory_store import MemoryStore
from tests.souls import soul_on
from tests.tables import each_row

pytestmark = pytest.mark.light

FACTS = (
    "sister: Her sister Inés repairs church organs in Braga since 2019",
    "brother: His brother Tomás plays the bassoon in the town band of Évora",
    "The key of the boathouse hangs behind the third oil can",
    "bicycle: A green Dutch one with a wicker basket, bought for 310 euros",
    "neighbour: Doña Ulla keeps a grey parrot that whistles tangos",
    "Inés's birthday: 14 May",
    "Tomás's boat: a blue dinghy with a patched sail",
    "library card: expires every September",
    "vecino: El vecino Ramón guarda 40 colmenas detrás del molino",
)


def told(*facts: str, llm: Any = None, **settings: Any) -> Soul:
    soul = soul_on(MemoryStore(FixedClock()), {"embedder.name": "none", **settings}, llm)
    for fact in facts or FACTS:
        soul.remember(fact)
    return soul


def numbered(ask: Ask) -> list[dict[str, Any]]:
    return [json.loads(line) for line in ask.messages[0].text.splitlines()]


class Model:
    """Writes the same question about every fact, answers all questions alike, and judges as it is told."""

    def __init__(self, question: str = "¿quién lo tiene?", verdict: str = "right") -> None:
        self.question, self.verdict = question, verdict
        self.answer = f"I believe: {FACTS[3]}"
        self.told: list[str] = []

    def __call__(self, ask: Ask) -> str:
        if ask.schema is None:
            self.told.append(ask.messages[-1].text)
            return self.answer
        if "facts" not in ask.schema["properties"]:
            said = [{"number": each["number"], "is": self.verdict} for each in numbered(ask)]
            return json.dumps({"answers": said})
        facts = numbered(ask)
        self.told += [each["text"] for each in facts]
        said = [
            {"number": each["number"], "question": self.question, "answer": each["text"]} for each in facts
        ]
        return json.dumps({"facts": [*said, {"number": 99, "question": "?", "answer": "?"}][:40]})


def asked(soul: Soul, **given: Any) -> list[tuple[str, str, str]]:
    return [(each.about, each.way, each.question) for each in soul.exam(20, **given).questions]


@each_row("fact", FACTS)
def test_a_question_by_rule_has_few_words_of_its_memory_and_not_its_answer(fact: str) -> None:
    key, value = split_fact(fact)
    whole = memory("aa11", value)._replace(key=key)
    count = len(forms_of(whole.text))
    made = [by_rule(whole, str(seed), date(2026, 11, 1), "en") for seed in range(8)]
    parts = [posed for posed in made if posed and posed.way == "part"]
    for posed in parts:
        assert shared_words(whole.text, posed.question) * count <= max(2, count / 4), posed.question
        assert posed.answer in value
        assert not shared_words(posed.answer, posed.question)
    assert parts or len(forms_of(value)) <= 4


def test_the_same_day_asks_the_same_and_another_day_does_not(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock))
    for n in range(6):
        soul.remember(f"shelf {n}: holds {n * 7} jars of plum jam from Ottering")
    first = asked(soul)

    assert asked(soul) == first
    clock.advance(days=1)
    assert asked(soul) != first


def test_the_last_exam_is_taken_again_as_it_was_asked(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock))
    for fact in FACTS:
        soul.remember(fact)
    first = asked(soul)
    clock.advance(days=3)
    soul.remember("A new lodger called Abel moved in above the bakery")
    soul.forget(soul.memory.list()[3].id)

    gone = soul.memory.gone(last=1)[0].change["id"]
    assert sorted(asked(soul, again=True)) == sorted(each for each in first if each[0] != gone)
    assert {each.way for each in soul.exams[-1].taken.questions} >= {"part", "unknown"}


def test_one_question_in_five_is_about_somebody_of_whom_nothing_is_known() -> None:
    unknown = [each for each in told().exam(10).questions if each.way == "unknown"]

    assert [each.answer for each in unknown] == ["", ""]
    assert len(told("I row", "I sing", FACTS[2]).exam(1).questions) == 1
    assert not [each for each in unknown if "Inés" in each.question or "Tomás" in each.question]


@each_row(
    "topic, found",
    [
        ("Tomás's boat", True),
        ("Tomás and Inés", False),
        ("Tomás's white wooden racing boat", False),
        ("boats", False),
    ],
)
def test_whoever_is_asked_about_somebody_unknown_is_asked_about_nothing_known(
    topic: str, found: bool
) -> None:
    known = "ottoline eustaquio thaddeus leocadia zebulon hermenegilda philomena"
    about = memory("y", "a sail")._replace(key=topic)
    made = of_nobody(about, "seed", "en", ["Tomás", "Inés"], known)

    assert bool(made) == found
    assert not made or made.question == "What do you know about Wenceslao's boat?"


def test_what_was_learned_before_a_day_is_left_out(clock: FixedClock) -> None:
    soul = soul_on(MemoryStore(clock))
    soul.remember(FACTS[0])
    clock.advance(days=9)
    soul.remember(FACTS[2])

    [late] = soul.exam(8, since=date(2026, 11, 20)).questions
    assert "boathouse" in soul.memory.get(late.about).value


def test_what_took_the_place_of_something_is_asked_for_its_latest_value() -> None:
    soul = told("car: drives a red tractor")
    new = soul.remember("car: drives a blue van", replaces=soul.memory.list()[0].id).memory
    assert new is not None
    [asked_of] = soul.exam(1).questions

    assert (asked_of.about, asked_of.way, asked_of.recall) == (new.id, "latest", "known")
    assert asked_of.question == "What is the latest on car?"


def memory(name: str, value: str) -> Memory:
    at = datetime(2026, 11, 1, tzinfo=UTC)
    return Memory(name, "car", value, "fact", "auto", "owner", at, at, at, evidence=("cli:main#4",))


def hit(name: str, text: str = "", score: float = 0.5, **more: Any) -> Hit:
    return Hit("fact", text, date(2026, 11, 1), score, memory=name, **more)


NEW, OLD = memory("new", "drives a blue van"), memory("old", "drives a red tractor")
CAR = Posed(NEW, "latest", "What is the latest on car?", NEW.value, (OLD,))
NOBODY = CAR._replace(way="unknown", question="What does Zebulon drive?", outdated=())


@each_row(
    "hits, posed, mark",
    [
        ([hit("other"), hit("new")], CAR, ("known", 2)),
        ([hit("other", evidence=("new",))], CAR, ("known", 1)),
        ([hit("", turn="cli:main#4")], CAR, ("known", 1)),
        ([hit("copy", "she drives a blue van")], CAR, ("known", 1)),
        ([hit("other")], CAR, ("missed", 0)),
        ([], CAR, ("missed", 0)),
        ([hit("old"), hit("new")], CAR, ("wrong", 1)),
        ([hit("new"), hit("old")], CAR, ("known", 1)),
        ([hit("new", score=0.39)], NOBODY, ("silent", 0)),
        ([hit("new", score=0.4)], NOBODY, ("wrong", 1)),
        ([], NOBODY, ("silent", 0)),
    ],
)
def test_recall_knows_misses_or_has_it_wrong(
    hits: Sequence[Hit], posed: Posed, mark: tuple[str, int]
) -> None:
    assert mark_of(hits, posed) == mark


def test_what_is_out_of_reach_is_missed_and_that_is_kept() -> None:
    soul = told()
    known = soul.exam(20)
    assert {each.recall for each in known.questions if each.way != "unknown"} == {"known"}

    deaf = soul_on(soul._vault, {"embedder.name": "none", "search.min_score": 1.0})
    marks = [each.recall for each in deaf.exam(20).questions if each.way != "unknown"]
    assert "missed" in marks
    assert [each.count("missed") for each in soul.exams] == [0, marks.count("missed")]


def test_an_exam_changes_no_memory_and_keeps_no_words() -> None:
    soul = told(llm=ScriptedLLM(Model()))
    before, line = soul.memory.list(), soul.position

    soul.exam(20, ask=True)

    [event] = soul.events(after=line)
    assert event.type == "exam.taken"
    written = encode(event)
    assert not [word for fact in FACTS for word in fact.split() if len(word) > 4 and word in written]
    assert soul.memory.list() == before
    assert soul.sessions.all() == []


def test_no_model_hears_what_is_withheld() -> None:
    model = Model()
    soul = told(*FACTS, "boathouse: the password is tundra", llm=ScriptedLLM(model))

    questions = soul.exam(20, ask=True).questions

    assert not [each for each in questions if "password" in soul.memory.get(each.about).value]
    assert model.told
    assert not [text for text in model.told if "tundra" in text]


def test_a_model_asks_in_other_words_and_by_rule_where_it_only_repeats() -> None:
    soul = told(llm=ScriptedLLM(Model("Who has it these days?")))
    exam = soul.exam(20)
    asked_by = {each.way for each in exam.questions if each.way != "unknown"}
    assert (asked_by, exam.model) == ({"model"}, "scripted/model")

    repeating = Model(
        "Inés church organs Braga Tomás bassoon band key boathouse oil parrot tangos colmenas molino"
    )
    exam = told(llm=ScriptedLLM(repeating)).exam(20)
    assert "part" in {each.way for each in exam.questions}


@pytest.fixture(scope="module")
def scripted() -> tuple[Soul, ScriptedLLM]:
    llm = ScriptedLLM("")
    return told(FACTS[0], llm=llm), llm


@each_row("name", every(6, list(bad_replies.ids)))
def test_a_model_that_answers_badly_leaves_the_exam_to_rules(
    name: str, scripted: tuple[Soul, ScriptedLLM]
) -> None:
    soul, llm = scripted
    llm.lines = [bad_replies.BAD_REPLIES[name]]

    exam = soul.exam(1)

    assert [each.way for each in exam.questions] != ["model"]
    assert exam.model == ""
    assert soul.exams[-1].score() == 1


def test_a_model_that_is_away_is_told_and_the_agent_is_not_marked() -> None:
    exam = told(FACTS[0], llm=ScriptedLLM(LLMUnavailable("the model is away"))).exam(1, ask=True)

    assert [str(each) for each in exam.told] == ["the model is away", "the model is away"]
    assert [each.agent for each in exam.questions] == [""]


def test_an_exam_keeps_to_the_budget_of_the_day() -> None:
    llm = ScriptedLLM(Model())
    soul = told(llm=llm, **{"llm.daily_tokens": 1})
    soul.exam(20)
    many = len(llm.asked)
    exam = soul.exam(20, ask=True)

    assert len(llm.asked) == many
    assert "daily budget" in str(exam.told[0])


def test_the_owner_alone_hears_an_exam_wherever_else_others_listen() -> None:
    llm = ScriptedLLM(Model())
    told(FACTS[2], llm=llm, **{"prompt.group_chat": True}).exam(1, ask=True)

    [answered] = [ask for ask in llm.asked if ask.schema is None]
    assert "third oil can" in answered.system


def test_the_agents_answers_are_judged_by_the_model_or_not_at_all() -> None:
    judged = told(llm=ScriptedLLM(Model(verdict="wrong"))).exam(20, ask=True)
    assert {each.agent for each in judged.questions} == {"wrong"}
    assert judged.told == ()
    assert {each.reply for each in judged.questions} == {f"I believe: {FACTS[3]}"}

    open_ = told(llm=ScriptedLLM(Model(verdict="open"))).exam(20, ask=True)
    assert {(each.way == "unknown", each.agent) for each in open_.questions} == {
        (False, "missed"),
        (True, "silent"),
    }

    model = Model(verdict="no such word")
    unjudged = told(llm=ScriptedLLM(model)).exam(20, ask=True)
    assert "no model judged these answers" in str(unjudged.told[-1])
    assert {each.agent for each in unjudged.questions} == {""}


@each_row(
    "given, why",
    [
        ({"questions": 0}, "from 1 to 100 questions"),
        ({"questions": 101}, "from 1 to 100 questions"),
        ({"again": True}, "no exam yet"),
        ({"ask": True}, "there is no language model"),
        ({"since": date(2027, 1, 1)}, "nothing to ask about"),
    ],
)
def test_what_cannot_be_asked_is_said_in_a_sentence(given: dict[str, Any], why: str) -> None:
    with pytest.raises((SoulError, LLMUnavailable), match=why):
        told(**{"llm.model": "none"}).exam(**given)
