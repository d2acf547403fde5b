"""Chains, tools in words, and conversations that are mended before they are sent."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almario.adapters.llm.chain import ChainedLLM
from almario.adapters.llm.message_shapes import sound
from almario.adapters.llm.spoken import Listening, spoken
from almario.domain.talk import Ask, Message, Reply, ToolCall, ToolSpec
from almario.errors import LLMUnavailable, MissingExtra
from almario.ports import Hear
from almario.testing import ScriptedLLM
from tests.tables import each_row

ASK = Ask((Message("user", "hello"),))


class HalfSaid(ScriptedLLM):
    """Says something, then is gone."""

    def reply(self, ask: Ask, hear: Hear | None = None) -> Reply:
        if hear:
            hear("Good ")
        raise LLMUnavailable("cut off")


@each_row("error", [LLMUnavailable("not now"), MissingExtra("not installed")])
def test_the_next_is_asked_when_one_is_not_to_be_had(error: Exception) -> None:
    chain = ChainedLLM(
        [ScriptedLLM(error, model="a/1"), ScriptedLLM("hi", model="b/2"), ScriptedLLM("never")]
    )

    assert chain.model == "a/1"
    assert chain.reply(ASK).model == "b/2"
    assert chain.model == "b/2"


def test_the_first_is_asked_first_every_time() -> None:
    first = ScriptedLLM(LLMUnavailable("not now"), "back", model="a/1")
    chain = ChainedLLM([first, ScriptedLLM("hi", model="b/2")])

    assert [chain.reply(ASK).text for _ in range(2)] == ["hi", "back"]


def test_once_something_was_heard_nobody_else_is_asked() -> None:
    other = ScriptedLLM("Good evening")
    heard: list[str] = []

    with pytest.raises(LLMUnavailable, match="cut off"):
        ChainedLLM([HalfSaid(), other]).reply(ASK, heard.append)

    assert heard == ["Good "]
    assert other.asked == []
    assert ChainedLLM([HalfSaid(), other]).reply(ASK).text == "Good evening"


def test_other_errors_go_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        ChainedLLM([ScriptedLLM(KeyboardInterrupt()), ScriptedLLM("hi")]).reply(ASK)


def test_of_several_reasons_one_that_may_pass_is_told() -> None:
    lasting, passing = LLMUnavailable("no key", passes=False), LLMUnavailable("overloaded")

    with pytest.raises(LLMUnavailable) as caught:
        ChainedLLM([ScriptedLLM(lasting), ScriptedLLM(passing)]).reply(ASK)

    assert caught.value is passing


def heard(text: str, cuts: list[int]) -> tuple[list[str], Reply]:
    pieces: list[str] = []
    listening = Listening(pieces.append)
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        listening(text[start:end])
    return pieces, listening.close(Reply(text))


LINES = st.sampled_from(
    [
        "Hello.\n",
        "```",
        "```tool",
        "```tool\n",
        "```\n",
        "```python\n",
        " \n",
        '{"name": "look"}\n',
        "``",
        "x",
    ]
)
CUTS = st.lists(st.integers(0, 200), max_size=8)


@given(st.lists(LINES, max_size=12).map("".join), CUTS)
def test_however_it_is_cut_the_same_is_heard(text: str, cuts: list[int]) -> None:
    pieces, reply = heard(text, cuts)
    _, at_once = heard(text, [])

    assert "".join(pieces) == reply.text == at_once.text
    assert [call[1:] for call in reply.calls] == [call[1:] for call in at_once.calls]


@given(st.text(alphabet="ab`\n tol", max_size=60).filter(lambda text: "```tool" not in text), CUTS)
def test_text_without_a_call_is_heard_as_it_is(text: str, cuts: list[int]) -> None:
    pieces, reply = heard(text, cuts)

    assert "".join(pieces) == reply.text == text
    assert reply.calls == ()


@given(
    st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3),
    st.integers(1, 3),
    CUTS,
)
def test_a_call_is_never_heard(arguments: dict[str, str], times: int, cuts: list[int]) -> None:
    block = f"```tool\n{json.dumps({'name': 'look', 'arguments': arguments})}\n```\n"
    pieces, reply = heard("Wait.\n" + block * times + "Done.", cuts)

    assert "".join(pieces) == "Wait.\nDone."
    assert [(call.name, dict(call.arguments), call.problem) for call in reply.calls] == [
        ("look", arguments, "")
    ] * times
    assert reply.stop == "tools"


@each_row(
    "block",
    [
        "```tool\n{broken\n```",
        "```tool\n7\n```",
        '```tool\n{"arguments": {}}\n```',
        '```tool\n{"name": "look"',
    ],
)
def test_a_block_that_cannot_be_read_is_a_call_with_a_problem(block: str) -> None:
    [call] = heard(block, [])[1].calls

    assert call.problem


def test_several_calls_may_stand_in_one_block() -> None:
    text = '```tool\n[{"name": "a"}, {"name": "b", "arguments": [1]}]\n```'
    one, other = heard(text, [])[1].calls

    assert (one.name, one.problem) == ("a", "")
    assert (other.name, other.problem) == ("b", "the arguments are not a JSON object")


def test_a_conversation_in_words_has_its_tools_calls_and_results() -> None:
    ask = Ask(
        (
            Message("user", "look"),
            Message("assistant", "", (ToolCall("c", "look", {"a": 1}),)),
            Message("tool", "seen", answers="c"),
        ),
        stable="You are Alma.",
        tools=(ToolSpec("look", "Looks.", {"type": "object"}),),
    )
    told = spoken(ask)

    assert told.tools == ()
    assert told.stable.startswith("You are Alma.")
    assert "- look: Looks." in told.stable
    assert [message.role for message in told.messages] == ["user", "assistant", "user"]
    assert told.messages[2].text == "Result of the tool look:\nseen"


CALLS = st.lists(st.sampled_from("abc"), max_size=2, unique=True).map(
    lambda ids: tuple(ToolCall(id_, "look") for id_ in ids)
)
MESSAGES = st.lists(
    st.one_of(
        st.sampled_from(["", " ", "hello", "\ud800"]).map(lambda text: Message("user", text)),
        st.tuples(st.sampled_from(["", "hi "]), CALLS).map(lambda said: Message("assistant", *said)),
        st.tuples(st.sampled_from(["", "seen"]), st.sampled_from("abc")).map(
            lambda result: Message("tool", result[0], answers=result[1])
        ),
    ),
    max_size=8,
)


@given(MESSAGES)
def test_any_conversation_is_made_one_that_providers_take(messages: list[Message]) -> None:
    mended = sound(messages)

    assert mended[0].role == "user"
    for before, message in zip([None, *mended], mended, strict=False):
        assert message.text.strip() or message.calls
        message.text.encode()
        if before is not None and message.role != "tool":
            assert before.role != message.role or before.calls
    owed: list[str] = []
    for message in mended:
        if message.role == "tool":
            assert message.answers == owed.pop(0)
        else:
            assert owed == []
            owed = [call.id for call in message.calls]
    assert owed == []


@given(MESSAGES)
def test_mending_loses_no_text(messages: list[Message]) -> None:
    kept = " ".join(message.text for message in sound(messages))

    assert kept.count("hello") == sum(message.text == "hello" for message in messages)
    assert kept.count("seen") <= sum(message.text == "seen" for message in messages)
