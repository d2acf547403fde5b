"""What is sent to each provider, and what happens when an endpoint does not know a part of it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from almario.adapters.addresses import CallLimits, Endpoint
from almario.adapters.llm.anthropic import AnthropicLLM
from almario.adapters.llm.openai import OpenAILLM, first_talker
from almario.adapters.llm.spoken import spoken
from almario.domain.talk import Ask, Message, ToolCall, ToolSpec
from almario.errors import LLMUnavailable
from tests.adapters.llm_servers import (
    ModelServer,
    Said,
    Step,
    anthropic_events,
    failing,
    openai_events,
    serving,
    streaming,
    whole,
)
from tests.tables import each_row

LIMITS = CallLimits(timeout=60, most=500, pause=lambda seconds: None)
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": ["integer", "null"], "minimum": 0}},
    "required": ["name"],
}
TOOLS = (
    ToolSpec("remember", "Keeps a fact.", {"type": "object", "properties": {"fact": {"type": "string"}}}),
    ToolSpec("look", "Looks it up.", {"type": "object", "properties": {}}),
)
TALK = (
    Message("user", "I am Ana"),
    Message("assistant", "Noted.", (ToolCall("c:1", "remember", {"fact": "Ana"}), ToolCall("c2", "look"))),
    Message("tool", "done", answers="c:1"),
    Message("user", "And?"),
)
ASK = Ask(TALK, stable="You are Alma.", changing="It is Sunday.", tools=TOOLS)
OK = Said(["ok"])


def anthropic(server: ModelServer) -> AnthropicLLM:
    return AnthropicLLM(Endpoint("anthropic", server.url, "m", "the-key", "ANTHROPIC_API_KEY"), LIMITS)


def openai(server: ModelServer, provider: str = "openai", model: str = "m", key: str = "") -> OpenAILLM:
    return OpenAILLM(Endpoint(provider, f"{server.url}/v1", model, key, "SOME_KEY", bool(key)), LIMITS)


def test_anthropic_keeps_the_tools_the_stable_part_and_what_was_said_before() -> None:
    with serving(streaming(anthropic_events(OK))) as server:
        anthropic(server).reply(ASK)

    [sent] = server.asked
    kept = {"cache_control": {"type": "ephemeral"}}
    assert sent.path == "/v1/messages"
    assert "the-key" in sent.headers.get("x-api-key", "") + sent.headers.get("authorization", "")
    assert sent.body["system"] == [{"type": "text", "text": "You are Alma.", **kept}]
    blocks = [block for message in sent.body["messages"] for block in message["content"]]
    assert [block.get("cache_control") for block in blocks[-3:]] == [None, kept["cache_control"], None]
    assert blocks[-1]["text"] == "It is Sunday.\n\nAnd?"
    assert [tool.get("cache_control") for tool in sent.body["tools"]] == [None, kept["cache_control"]]
    assert sent.body["max_tokens"] == 500


def test_anthropic_is_told_a_conversation_as_it_wants_it() -> None:
    with serving(streaming(anthropic_events(OK))) as server:
        anthropic(server).reply(ASK)

    roles = [message["role"] for message in server.asked[0].body["messages"]]
    _, calls, results = server.asked[0].body["messages"]
    assert roles == ["user", "assistant", "user"]
    assert [block["type"] for block in calls["content"]] == ["text", "tool_use", "tool_use"]
    assert calls["content"][1]["input"] == {"fact": "Ana"}
    assert [block["type"] for block in results["content"]] == ["tool_result", "tool_result", "text"]
    assert [block["id"] for block in calls["content"][1:]] == [
        block["tool_use_id"] for block in results["content"][:2]
    ]
    assert all(id_.replace("_", "").isalnum() for id_ in [calls["content"][1]["id"]])


def test_while_tools_are_used_anthropic_keeps_what_was_known_by_then() -> None:
    with serving(streaming(anthropic_events(OK))) as server:
        anthropic(server).reply(ASK._replace(messages=TALK[:-1]))

    first, *_, last = server.asked[0].body["messages"]
    assert first["content"] == [{"type": "text", "text": "It is Sunday.\n\nI am Ana"}]
    assert [block["type"] for block in last["content"]] == ["tool_result", "tool_result"]
    assert ["cache_control" in block for block in last["content"]] == [False, True]


WITH_A_DOCUMENT = (
    Message("user", "Hello"),
    Message("assistant", "Hello."),
    Message("user", "<memory-00> It is Monday. </memory-00>"),
    Message("user", "Sum this up"),
)


@each_row("tools", [TOOLS, ()])
def test_what_changes_stands_before_the_newest_message_and_all_that_came_with_it(
    tools: tuple[ToolSpec, ...],
) -> None:
    ask = ASK._replace(messages=WITH_A_DOCUMENT, tools=tools)
    with serving(streaming(anthropic_events(OK)), streaming(openai_events(OK))) as server:
        anthropic(server).reply(ask)
        openai(server).reply(ask)

    native, others = (sent.body["messages"] for sent in server.asked)
    told = "It is Sunday.\n\n<memory-00> It is Monday. </memory-00>\n\nSum this up"
    assert native[-1] == {"role": "user", "content": [{"type": "text", "text": told}]}
    assert others[-1] == {"role": "user", "content": told}
    assert [message["content"] for message in others[:-1]] == ["You are Alma.", "Hello", "Hello."]


def test_what_was_known_stays_where_it_was_while_tools_are_used_in_words() -> None:
    told = spoken(ASK._replace(messages=TALK[:-1]))

    assert told.changing == ""
    assert [message.text.startswith("It is Sunday.") for message in told.messages] == [True, False, False]


def test_a_schema_that_anthropic_refuses_is_told_in_words_from_then_on() -> None:
    with serving(
        failing(400, "output_config.format: this schema is not supported"), streaming(anthropic_events(OK))
    ) as server:
        llm = anthropic(server)
        llm.reply(ASK._replace(schema=SCHEMA))
        llm.reply(ASK._replace(schema=SCHEMA))

    assert ["output_config" in sent.body for sent in server.asked] == [True, False, False]
    assert '"minimum": 0' in server.asked[2].body["system"][0]["text"]


def test_openai_is_told_the_stable_part_first() -> None:
    with serving(streaming(openai_events(OK))) as server:
        openai(server, key="the-key").reply(ASK._replace(most=9))

    [sent] = server.asked
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["authorization"] == "Bearer the-key"
    assert sent.body["messages"][0] == {"role": "system", "content": "You are Alma."}
    assert [message["role"] for message in sent.body["messages"]] == [
        *("system", "user", "assistant", "tool", "tool", "user")
    ]
    assert sent.body["messages"][-1]["content"] == "It is Sunday.\n\nAnd?"
    assert sent.body["messages"][2]["tool_calls"][0]["function"]["arguments"] == '{"fact": "Ana"}'
    assert sent.body["max_tokens"] == 9
    assert sent.body["stream_options"] == {"include_usage": True}


def test_what_the_environment_has_for_openai_goes_to_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, "from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    with serving(streaming(openai_events(OK)), streaming(anthropic_events(OK))) as server:
        openai(server).reply(ASK)
        anthropic(server).reply(ASK)

    assert len(server.asked) == 2
    assert not [sent for sent in server.asked if "from-the-environment" in sent.headers.values()]
    assert not [sent for sent in server.asked if "Bearer from-the-environment" in sent.headers.values()]


def test_what_is_on_this_machine_is_asked_through_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with serving(streaming(openai_events(OK)), streaming(anthropic_events(OK))) as server:
        assert openai(server).reply(ASK).text == anthropic(server).reply(ASK).text == "ok"


REFUSALS: list[tuple[Step, str]] = [
    (failing(400, "This model does not support response format `json_schema`."), "response_format"),
    (failing(422, "extra fields not permitted: response_format"), "response_format"),
    (failing(400, "registry/gemma:2b does not support tools"), "tools"),
    (failing(500, "tools param requires --jinja flag"), "tools"),
    (failing(404, "No endpoints found that support tool use"), "tools"),
    (failing(400, "unknown field: stream_options"), "stream_options"),
    (failing(400, "Use 'max_completion_tokens' instead."), "max_tokens"),
    (failing(400, ""), "response_format"),
]


@each_row(("step", "part"), REFUSALS)
def test_a_part_that_an_endpoint_refuses_is_left_out_from_then_on(step: Step, part: str) -> None:
    good = streaming(openai_events(OK))
    with serving(step, good) as server:
        llm = OpenAILLM(
            Endpoint("openai", f"{server.url}/v1", "m", needs_key=False), LIMITS._replace(retries=0)
        )
        asked = ASK._replace(schema=SCHEMA)
        assert llm.reply(asked).text == llm.reply(asked).text == "ok"

    assert [part in sent.body for sent in server.asked] == [True, False, False]


def test_a_refusal_that_has_another_cause_is_not_remembered() -> None:
    full = failing(400, "This model's maximum context length is 8192 tokens, tools included")
    with serving(full, streaming(openai_events(OK))) as server:
        llm = openai(server)
        with pytest.raises(LLMUnavailable, match="refused the call"):
            llm.reply(ASK)
        llm.reply(ASK)

        assert ["tools" in sent.body for sent in server.asked] == [True, True]

        server.steps[:] = [failing(400, ""), failing(400, ""), failing(400, ""), streaming(openai_events(OK))]
        with pytest.raises(LLMUnavailable):
            llm.reply(ASK._replace(schema=SCHEMA))
        llm.reply(ASK._replace(schema=SCHEMA))

    assert "tools" in server.asked[-1].body
    assert "response_format" in server.asked[-1].body


def test_tools_that_are_refused_are_used_in_words() -> None:
    heard: list[str] = []
    block = ["I look.\n``", '`tool\n{"name": "look", "argu', 'ments": {}}\n``', "`"]
    with serving(failing(400, "m does not support tools"), streaming(openai_events(Said(block)))) as server:
        reply = openai(server).reply(ASK, heard.append)

    assert [call.name for call in reply.calls] == ["look"]
    assert reply.text == "".join(heard) == "I look.\n"
    assert reply.stop == "tools"
    told = server.asked[1].body["messages"]
    assert "- remember: Keeps a fact." in told[0]["content"]
    assert {message["role"] for message in told} == {"system", "user", "assistant"}


def chunk(**delta: Any) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": None}]
    return f"data: {json.dumps({'id': 'c', 'choices': choices})}\n\n".encode()


def test_calls_that_are_all_numbered_alike_are_parted_by_their_ids() -> None:
    calls = [
        chunk(tool_calls=[{"index": 0, "id": id_, "function": {"name": "look", "arguments": "{}"}}])
        for id_ in ("a", "b")
    ]
    with serving(streaming([*calls, *openai_events(Said())[1:]])) as server:
        reply = openai(server).reply(ASK)

    assert [(call.id, call.name) for call in reply.calls] == [("a", "look"), ("b", "look")]
    assert reply.stop == "tools"


def test_a_refusal_of_the_model_is_its_answer() -> None:
    with serving(streaming([chunk(refusal="I will not."), *openai_events(Said())[1:]])) as server:
        reply = openai(server).reply(ASK)

    assert (reply.text, reply.stop) == ("I will not.", "refused")


def test_what_a_call_cost_is_told_where_the_provider_tells_it() -> None:
    with serving(streaming(openai_events(Said(["ok"], cost=0.0125)))) as server:
        reply = openai(server, "openrouter").reply(ASK)

        assert server.asked[0].body["usage"] == {"include": True}
        assert reply.usage.cost == 0.0125
        assert reply.model == "openrouter/m"


@each_row(
    ("names", "taken"),
    [
        (["nomic-embed-text:latest", "qwen3:4b", "llama3"], "qwen3:4b"),
        (["whisper-large-v3", "llama-guard-4", "llama-3.3-70b"], "llama-3.3-70b"),
        (["bge-m3:567m", "all-minilm"], ""),
        ([], ""),
    ],
)
def test_the_first_model_that_talks_is_taken(names: Sequence[str], taken: str) -> None:
    assert first_talker(names) == taken


def test_without_a_model_the_endpoint_is_asked_which_it_has() -> None:
    with serving(streaming(openai_events(OK))) as server:
        server.listed = {"object": "list", "data": [{"id": "text-embed"}, {"id": "loaded"}]}
        llm = openai(server, "lmstudio", model="")
        before = llm.model
        llm.reply(ASK)
        llm.reply(ASK)

    assert (before, llm.model) == ("lmstudio", "lmstudio/loaded")
    assert [sent.path for sent in server.asked] == ["/v1/models", *["/v1/chat/completions"] * 2]
    assert server.asked[1].body["model"] == "loaded"


def test_an_endpoint_without_any_model_says_so() -> None:
    none_yet = pytest.raises(LLMUnavailable, match="has no model yet; load one")
    with serving(whole(500, b"")) as server, none_yet:
        openai(server, "lmstudio", model="").reply(ASK)
