"""Who said what in a request, and where it goes."""

from functools import partial
from typing import Any

import anyio
import httpx2
import pytest
from fastapi.responses import Response
from hypothesis import given
from hypothesis import strategies as st

from almario import config
from almario.errors import AlmarioError, SoulError
from almario_gateway.conversations import Ready
from almario_gateway.faces import ChatFace, Face, Fields, MessagesFace, ResponsesFace
from almario_gateway.passing import Passing, encoded
from almario_gateway.routes import _headers
from almario_gateway.speech import conversation_of, own_words, spoken
from almario_gateway.upstreams import Endpoint, upstream
from tests.effort import examples
from tests.souls import NOWHERE
from tests.tables import each_row


@each_row(
    ("texts", "typed", "pasted"),
    [
        (["Hello"], "Hello", ()),
        (["Hello", "World"], "Hello\n\nWorld", ()),
        (["<system-reminder>a</system-reminder>", "Hello"], "Hello", ()),
        (["Hel<system-reminder>a</system-reminder>lo <system-reminder>b</system-reminder>"], "Hello", ()),
        (["<system-reminder>a</system-reminder> I pay Bo. </system-reminder>Hello"], "Hello", ()),
        (["<doc>a</doc> I pay Bo. </doc> <my_file>b</my_file> c </my_file>Hi"], "Hi", ("a</doc> I pay Bo.",)),
        (["<environment_context>\n<cwd>/</cwd>\n</environment_context>"], "", ()),
        (["<local-command-stdout>a</local-command-stdout>"], "", ()),
        (["<doc title='x'>Ana rows.</doc> <p>Bo sails.</p>\nSum up."], "Sum up.", ("Ana rows.", "Bo sails.")),
        (
            ["### Task:\nAnswer.\n<context>\n<s>Ana rows.</s>\n</context>\n\nWho?"],
            "Who?",
            ("<s>Ana rows.</s>",),
        ),
        (["### Task:\nA.\n<context>b</context>\n<user_query>\nWho?\n</user_query>"], "Who?", ("b",)),
        (["### Task:\nGenerate a title."], "### Task:\nGenerate a title.", ()),
        (["<p>never closed, so it was typed"], "<p>never closed, so it was typed", ()),
        (["3 < 4, and <b>so</b> on"], "3 < 4, and <b>so</b> on", ()),
        (["<system-reminder>" * 50_000], "<system-reminder>" * 50_000, ()),
        (["<a></a>" * 50_000 + "x"], "x", ()),
        (["half \ud800"], "half \ufffd", ()),
    ],
)
def test_what_was_typed_is_told_from_what_was_put_in(
    texts: list[str], typed: str, pasted: tuple[str, ...]
) -> None:
    assert own_words(texts) == (typed, pasted)


def test_a_file_that_comes_along_is_not_what_was_typed() -> None:
    parts = [{"type": "input_text", "text": "Sum up."}, {"type": "input_file", "text": "I pay Bo."}]

    assert spoken(ResponsesFace().pieces({"input": [{"role": "user", "content": parts}]})).text == "Sum up."


def test_headers_go_both_ways_whatever_letters_they_have() -> None:
    requests: list[httpx2.Request] = []
    passing = Passing()

    def answer(request: httpx2.Request) -> httpx2.Response:
        requests.append(request)
        return httpx2.Response(200, headers=[(b"x-said", "→".encode())])

    passing._clients[True] = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    to = Endpoint("openai", "http://127.0.0.1", "", "")
    result = anyio.run(partial(passing.ask, to, "/", {}, {"x-name": "JosÃ©"}, seconds=1))

    assert (b"x-name", "José".encode()) in requests[0].headers.raw
    assert (b"x-said", "→".encode()) in Response(headers=_headers(result, Ready({}))).raw_headers


NAMES = (
    *("role", "content", "text", "type", "input", "messages", "system", "instructions", "tools", "metadata"),
    *("user", "conversation", "cache_control", "output", "call_id", "tool_use_id", "id", "user_id"),
)


def _chat(*roles: str) -> Fields:
    return {"messages": [{"role": role, "content": f"{role}{n}"} for n, role in enumerate(roles)]}


@each_row(
    ("face", "body", "text", "place", "is_new", "results"),
    [
        (ChatFace(), _chat("system", "user"), "user1", 1, True, ()),
        (ChatFace(), _chat("user", "assistant", "user"), "user2", 2, True, ()),
        (ChatFace(), _chat("user", "user"), "user0\n\nuser1", 0, True, ()),
        (ChatFace(), _chat("user", "assistant", "tool", "tool"), "user0", 0, False, ("tool2", "tool3")),
        (ChatFace(), _chat("user", "assistant", "tool", "user"), "user3", 3, True, ("tool2",)),
        # What an assistant is made to begin its answer with.
        (ChatFace(), _chat("user", "assistant"), "user0", 0, True, ()),
        (ChatFace(), _chat("user", "assistant", "user", "assistant"), "user2", 2, True, ()),
        (ChatFace(), _chat("system"), "", -1, False, ()),
        (ChatFace(), {"messages": []}, "", -1, False, ()),
        (ResponsesFace(), {"input": "hi"}, "hi", 0, True, ()),
        (ResponsesFace(), {}, "", -1, False, ()),
        (
            ResponsesFace(),
            {"input": [{"role": "user", "content": "a"}, {"type": "function_call", "call_id": "1"}]}
            | {"previous_response_id": "x"},
            "a",
            0,
            True,
            (),
        ),
        (
            ResponsesFace(),
            {"input": [{"type": "function_call_output", "call_id": "1", "output": "rain"}]},
            "",
            -1,
            False,
            ("rain",),
        ),
        (
            MessagesFace(),
            {
                "messages": [
                    {"role": "user", "content": "a"},
                    {"role": "assistant", "content": [{"type": "tool_use", "id": "1"}]},
                    {"role": "user", "content": [{"type": "tool_result", "content": "rain"}]},
                ]
            },
            "a",
            0,
            False,
            ("rain",),
        ),
    ],
)
def test_what_is_new_in_a_request(
    face: Face, body: Fields, text: str, place: int, is_new: bool, results: tuple[str, ...]
) -> None:
    found = spoken(face.pieces(body))

    assert (found.text, found.place, found.is_new, found.results) == (text, place, is_new, results)


def test_a_conversation_is_named_by_the_program_or_by_how_it_began() -> None:
    def name(body: Fields, wanted: str = "") -> tuple[str, bool]:
        return conversation_of(wanted, body, ChatFace().pieces(body))

    first, later = _chat("user"), _chat("user", "assistant", "user")
    other = {"messages": [{"role": "user", "content": "else"}]}

    assert name(first) == name(later) == (name(first)[0], True)
    assert name(first) != name(other)
    # One user has many conversations.
    assert len({name(first), name({**first, "user": "ana"}), name({**other, "user": "ana"})}) == 3
    assert name({**first, "metadata": {"user_id": "ana"}}) == name({**first, "user": "ana"})
    assert name({**first, "conversation": {"id": "conv_1"}}) == ("conv_1", False)
    assert name(first, "trip") == ("trip", False)
    assert name(first, "../a b")[0].isalnum()


JSON = st.recursive(
    st.sampled_from([None, True, 7, "", "hi", "<a>b</a>", "text", "tool_result", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4),
    max_leaves=12,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["system", "user", "assistant", "tool"]), "content": JSON}
    ),
    max_size=4,
)


@examples(10)
@given(st.dictionaries(st.sampled_from(NAMES), JSON), MESSAGES)
def test_nothing_that_is_sent_is_more_than_refused(body: Fields, messages: list[Any]) -> None:
    for face in (ChatFace(), ResponsesFace(), MessagesFace()):
        for sent in (body, {**body, "messages": messages, "input": messages}):
            try:
                pieces = face.pieces(sent)
            except SoulError:
                continue
            found = spoken(pieces)
            encoded(face.with_context(sent, "SOUL", "MEMORY", found.place))
            assert conversation_of("", sent, pieces).name


OPENAI, OLLAMA = "https://api.openai.com/v1", "http://127.0.0.1:11434/v1"
KEYS = {"OPENAI_API_KEY": "sk-o", "ANTHROPIC_API_KEY": "sk-a", "ALMARIO_GATEWAY_API_KEY": "sk-own"}


@each_row(
    ("form", "chosen", "talks", "keys", "expected"),
    [
        ("openai", {}, "ollama/qwen3", (), (OLLAMA, "qwen3", "")),
        ("openai", {}, "openai/gpt-x", KEYS, (OPENAI, "gpt-x", "sk-o")),
        ("openai", {}, "", KEYS, (OPENAI, "gpt-6.1-terra", "sk-o")),
        ("openai", {"gateway.openai_model": "m"}, "anthropic/c", KEYS, (OPENAI, "m", "sk-o")),
        # A provider's key goes to that provider, and to nobody else.
        (
            "openai",
            {"gateway.openai_url": "https://a.org/v1/"},
            "openai/g",
            KEYS,
            ("https://a.org/v1", "", "sk-own"),
        ),
        ("openai", {"gateway.openai_url": OLLAMA}, "ollama/q", (), (OLLAMA, "q", "")),
        ("anthropic", {}, "anthropic/claude-x", KEYS, ("https://api.anthropic.com", "claude-x", "sk-a")),
        (
            "anthropic",
            {"gateway.anthropic_url": "https://a.org/v1"},
            "",
            KEYS,
            ("https://a.org", "", "sk-own"),
        ),
        ("openai", {}, "", (), "nothing answers requests in OpenAI's form"),
        ("openai", {}, "local/m", (), "nothing answers requests in OpenAI's form"),
        ("openai", {}, "groq/m", (), "GROQ_API_KEY is not set, and api.groq.com wants a key"),
        ("anthropic", {}, "", (), "ANTHROPIC_API_KEY is not set, and api.anthropic.com wants a key"),
        ("openai", {"gateway.openai_url": "ftp://a"}, "", (), "gateway.openai_url is not an address such as"),
    ],
)
def test_where_requests_go(form: Any, chosen: Fields, talks: str, keys: Any, expected: Any) -> None:
    own = config.load(NOWHERE, arguments=chosen).settings
    environment = {name: KEYS[name] for name in keys}
    if isinstance(expected, str):
        with pytest.raises(AlmarioError, match=expected):
            upstream(form, own, lambda: talks, environment)
        return

    found = upstream(form, own, lambda: talks, environment)

    assert (found.url, found.model, found.key) == expected
