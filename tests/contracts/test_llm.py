"""What holds for every language model, the public fake included."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from almario.adapters.addresses import CallLimits, Endpoint
from almario.adapters.llm.anthropic import AnthropicLLM
from almario.adapters.llm.chain import ChainedLLM
from almario.adapters.llm.message_shapes import call_from
from almario.adapters.llm.openai import OpenAILLM
from almario.conversation.settings import ModelSettings
from almario.domain.talk import Ask, Message, Reply, ToolCall, ToolSpec, Usage
from almario.entry_points import Plugin
from almario.errors import LLMUnavailable
from almario.ports import LLM
from almario.testing import ScriptedLLM
from almario.wiring.models import PluggedLLM
from almario_local.claude_cli import ClaudeCliLLM
from tests.adapters.llm_servers import (
    ClaudeProgram,
    Said,
    anthropic_events,
    claude_steps,
    openai_events,
    serving,
    streaming,
)
from tests.tables import each_row

# Makes a model that says this, whatever it is asked.
Saying = Callable[[Said], LLM]

LIMITS = CallLimits(timeout=60, pause=lambda seconds: None)
WEATHER = ToolSpec(
    "weather", "Tells the weather.", {"type": "object", "properties": {"city": {"type": "string"}}}
)
HELLO = Ask((Message("user", "hello"),), stable="You are Alma.", changing="It is Sunday.")


@pytest.fixture(params=["anthropic", "openai", "claude-cli", "chain", "scripted", "plug-in"])
def saying(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Saying]:
    with ExitStack() as stack:

        def anthropic(said: Said) -> LLM:
            url = stack.enter_context(serving(streaming(anthropic_events(said)))).url
            return AnthropicLLM(Endpoint("anthropic", url, "m", "k", "ANTHROPIC_API_KEY"), LIMITS)

        def openai(said: Said) -> LLM:
            url = stack.enter_context(serving(streaming(openai_events(said)))).url
            return OpenAILLM(Endpoint("openai", f"{url}/v1", "m", needs_key=False), LIMITS)

        def claude_cli(said: Said) -> LLM:
            program = ClaudeProgram(tmp_path / "bin").plan(*claude_steps(said))
            return ClaudeCliLLM("m", LIMITS, environment=program.environment)

        def chain(said: Said) -> LLM:
            return ChainedLLM([ScriptedLLM(LLMUnavailable("not now"), model="absent/m"), scripted(said)])

        def scripted(said: Said) -> LLM:
            calls = tuple(call_from(id_, name, "".join(parts)) for id_, name, parts in said.calls)
            usage = Usage(said.told, said.said, said.cached)
            return ScriptedLLM(Reply("".join(said.pieces), calls, usage=usage, stop=said.stop))

        def plugged(said: Said) -> LLM:
            entry = SimpleNamespace(load=lambda: lambda model, settings: scripted(said))
            return PluggedLLM(Plugin("scripted", "almario-scripted", entry), "m", ModelSettings())

        makers = {
            "anthropic": anthropic,
            "openai": openai,
            "claude-cli": claude_cli,
            "chain": chain,
            "scripted": scripted,
            "plug-in": plugged,
        }
        yield makers[request.param]


def test_what_is_heard_piece_by_piece_is_the_answer(saying: Saying) -> None:
    heard: list[str] = []

    reply = saying(Said(["Good ", "morning, ", "Ana.\n", "```", "py\nx\n```"])).reply(HELLO, heard.append)

    assert reply.text == "".join(heard) == "Good morning, Ana.\n```py\nx\n```"
    assert len(heard) > 1
    assert reply.stop == "end"


def test_the_answer_is_the_same_when_nobody_listens(saying: Saying) -> None:
    assert saying(Said(["Good ", "morning"])).reply(HELLO).text == "Good morning"


def test_an_empty_answer_is_empty(saying: Saying) -> None:
    heard: list[str] = []

    assert saying(Said([])).reply(HELLO, heard.append).text == ""
    assert heard == []


def test_a_huge_answer_comes_whole(saying: Saying) -> None:
    assert len(saying(Said(["x" * 100_000 + "\n"] * 10)).reply(HELLO).text) == 1_000_010


def test_any_signs_come_through(saying: Saying) -> None:
    text = 'ñandú 日本語 👩‍👩‍👧 "quoted" \\ \t\n\u2028 end'

    assert saying(Said([text])).reply(HELLO).text == text


def test_calls_come_with_their_arguments(saying: Saying) -> None:
    heard: list[str] = []
    calls = [("c1", "weather", ['{"ci', 'ty": "Quito"}']), ("c2", "weather", ['{"city": "Łódź"}'])]

    reply = saying(Said(["Let me look.\n"], calls)).reply(HELLO._replace(tools=(WEATHER,)), heard.append)

    assert [(call.name, dict(call.arguments), call.problem) for call in reply.calls] == [
        ("weather", {"city": "Quito"}, ""),
        ("weather", {"city": "Łódź"}, ""),
    ]
    assert len({call.id for call in reply.calls}) == 2
    assert reply.stop == "tools"
    assert "".join(heard).strip() == "Let me look."


@each_row("arguments", ['{"city": ', "[1, 2]", "nonsense", '{"city": "Quito"}}'])
def test_arguments_that_cannot_be_read_are_a_problem_of_the_call(saying: Saying, arguments: str) -> None:
    [call] = saying(Said([], [("c1", "weather", [arguments])])).reply(HELLO._replace(tools=(WEATHER,))).calls

    assert call.problem
    assert dict(call.arguments) == {}


def test_a_whole_conversation_with_tools_is_accepted(saying: Saying) -> None:
    odd = (
        Message("assistant", "Welcome back."),
        Message("user", "weather?"),
        Message("assistant", "", (ToolCall("a:1", "weather", {"city": "Quito"}), ToolCall("b", "weather"))),
        Message("tool", "sunny", answers="a:1"),
        Message("user", ""),
        Message("user", "\ud800 half"),
        Message("assistant", "Sunny. "),
        Message("tool", "of nobody", answers="z"),
    )

    assert saying(Said(["ok"])).reply(HELLO._replace(messages=odd, tools=(WEATHER,))).text == "ok"


@each_row("stop", ["end", "length", "refused"])
def test_it_says_why_it_stopped(saying: Saying, stop: str) -> None:
    assert saying(Said(["So"], stop=stop)).reply(HELLO).stop == stop


def test_tokens_are_counted_and_the_model_is_named(saying: Saying) -> None:
    llm = saying(Said(["hi"], told=120, said=7, cached=100))

    reply = llm.reply(HELLO)

    assert reply.usage[:3] == (120, 7, 100)
    assert reply.model == llm.model
    assert "/" in reply.model


def test_an_interruption_by_who_listens_goes_through(saying: Saying) -> None:
    llm = saying(Said(["one ", "two ", "three"]))
    heard: list[str] = []

    def listen(piece: str) -> None:
        heard.append(piece)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        llm.reply(HELLO, listen)

    assert len(heard) == 1
    assert llm.reply(HELLO).text == "one two three"


def test_an_error_of_who_listens_is_not_taken_for_the_models(saying: Saying) -> None:
    def listen(piece: str) -> None:
        raise ValueError("the terminal is gone")

    with pytest.raises(ValueError, match="the terminal is gone"):
        saying(Said(["one "])).reply(HELLO, listen)


def test_it_says_that_it_can_be_used(saying: Saying) -> None:
    assert saying(Said(["hi"])).is_available()


def test_threads_that_ask_at_once_get_their_own_answers(saying: Saying) -> None:
    llm = saying(Said(["one ", "answer"]))
    llm.reply(HELLO)

    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(lambda _: llm.reply(HELLO).text, range(6)))

    assert found == ["one answer"] * 6
