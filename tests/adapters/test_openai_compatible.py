import contextlib
import json
import socket
import time
import traceback
from typing import Any

import pytest

from almario.adapters.embedders.openai_compatible import OpenAICompatibleEmbedder, key_for
from almario.errors import EmbedderUnavailable
from tests.adapters import llm_servers
from tests.adapters.endpoint import Answer, embeddings, serving
from tests.tables import each_row

KEY = "sk-very-secret"


def test_a_batch_is_one_request_and_the_key_goes_in_its_header() -> None:
    with serving() as endpoint:
        OpenAICompatibleEmbedder(endpoint.url, "some-model", KEY, batch=2).embed(["a", "b", "c"])

    assert endpoint.bodies == [
        {"model": "some-model", "input": ["a", "b"]},
        {"model": "some-model", "input": ["c"]},
    ]
    assert [headers["Authorization"] for headers in endpoint.headers] == [f"Bearer {KEY}"] * 2


def test_without_a_key_none_is_sent() -> None:
    with serving() as endpoint:
        OpenAICompatibleEmbedder(endpoint.url).embed(["a"])

    assert "Authorization" not in endpoint.headers[0]
    assert endpoint.bodies[0]["model"] == "nomic-embed-text"


def rows(*vectors: Any) -> Answer:
    return lambda body: (200, {"data": [{"index": i, "embedding": v} for i, v in enumerate(vectors)]})


@each_row(
    ("answer", "said"),
    [
        (
            lambda body: (401, {"error": {"message": f"Incorrect API key: {KEY}"}}),
            "set ALMARIO_EMBEDDER_API_KEY",
        ),
        (lambda body: (403, b""), "set ALMARIO_EMBEDDER_API_KEY"),
        (lambda body: (404, {"error": {"message": "model not found"}}), "run: ollama pull nomic-embed-text"),
        (lambda body: (500, {"error": {"message": f"{KEY} is\nlost"}}), "answered 500: … is lost"),
        (lambda body: (500, {"error": "out of memory"}), "answered 500: out of memory"),
        (lambda body: (503, b"<html>"), "answered 503: Service Unavailable"),
        (lambda body: (200, b"<html>"), "no embeddings"),
        (lambda body: (200, b"\xff\xfe"), "no embeddings"),
        (lambda body: (200, b"[" * 100_000), "no embeddings"),
        (lambda body: (200, {"data": None}), "no embeddings"),
        (lambda body: (200, {"data": [1, 2]}), "no embeddings"),
        (lambda body: (200, {"data": [{"index": 0}, {"index": 1}]}), "no embeddings"),
        (rows([1, 2]), "1 embeddings for 2 texts"),
        (rows([1, 2], [1, 2], [1, 2]), "3 embeddings for 2 texts"),
        (
            lambda body: (200, {"data": [{"index": 7, "embedding": [1]}, {"index": 0, "embedding": [1]}]}),
            "2 embeddings for 2 texts",
        ),
        (rows([1, 2], [1, 2, 3]), "rows of numbers of different lengths"),
        (rows([1, 2], [1, None]), "rows of numbers of different lengths"),
        (rows([1, 2], [1, "x"]), "rows of numbers of different lengths"),
        (rows([1, 2], [1, [2]]), "rows of numbers of different lengths"),
        (rows([1, 2], [1, float("nan")]), "rows of numbers of different lengths"),
        (rows([1, 2], [1, 10**400]), "rows of numbers of different lengths"),
        (rows([], []), "rows of numbers of different lengths"),
        (rows(None, None), "rows of numbers of different lengths"),
    ],
)
def test_a_bad_answer_is_told_in_a_sentence_that_has_no_key(answer: Answer, said: str) -> None:
    with serving(answer) as endpoint, pytest.raises(EmbedderUnavailable) as caught:
        OpenAICompatibleEmbedder(endpoint.url, key=KEY).embed(["a", "b"])

    assert said in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_vectors_that_change_their_length_are_refused() -> None:
    with serving(rows([1, 2])) as endpoint:
        embedder = OpenAICompatibleEmbedder(endpoint.url)
        embedder.embed(["a"])
        endpoint.answer = rows([1, 2, 3])
        with pytest.raises(EmbedderUnavailable, match="a different length than before"):
            embedder.embed(["a"])


def test_a_silent_endpoint_is_waited_for_no_longer_than_the_setting_says() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        with pytest.raises(EmbedderUnavailable, match=r"did not answer within 0\.2 seconds"):
            OpenAICompatibleEmbedder(f"http://127.0.0.1:{silent.getsockname()[1]}/v1", timeout=0.2).embed(
                ["a"]
            )

    assert time.monotonic() - started < 60


def test_an_endpoint_that_drips_is_waited_for_no_longer_than_a_silent_one() -> None:
    def dripping(call: llm_servers.Answering) -> None:
        call.begin()
        with contextlib.suppress(OSError):
            while not call.server.owner.released.wait(0.02):
                call.chunk(b" ")
        call.server.owner.left.set()
        call.close()

    with llm_servers.serving(dripping) as server:
        with pytest.raises(EmbedderUnavailable, match=r"did not answer within 0\.3 seconds"):
            OpenAICompatibleEmbedder(f"{server.url}/v1", timeout=0.3).embed(["a"])

        assert server.left.wait(llm_servers.LONG)


def test_a_redirect_is_not_followed_because_the_key_would_follow_it() -> None:
    with serving() as thief:
        away = {"to": f"{thief.url}/embeddings"}
        with (
            serving(lambda body: (302, away)) as endpoint,
            pytest.raises(EmbedderUnavailable, match="answered 302"),
        ):
            OpenAICompatibleEmbedder(endpoint.url, key=KEY).embed(["a"])

    assert thief.headers == []


def test_text_for_this_machine_goes_through_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as proxy, serving() as endpoint:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        OpenAICompatibleEmbedder(endpoint.url).embed(["a"])

    assert proxy.bodies == []


@each_row(
    "url",
    ["", "ollama", "file:///etc/passwd", "ftp://host/v1", "http://", "http://me:pw@host/v1", "http://h:x/"],
)
def test_what_is_no_web_address_is_not_asked(url: str) -> None:
    embedder = OpenAICompatibleEmbedder(url)

    assert not embedder.is_available()
    with pytest.raises(EmbedderUnavailable, match=r"embedder\.url is not an address") as caught:
        embedder.embed(["a"])
    assert "pw" not in str(caught.value) + embedder.model


def test_a_key_that_cannot_be_sent_is_not_quoted() -> None:
    with (
        serving() as endpoint,
        pytest.raises(EmbedderUnavailable, match="characters that keys never have") as caught,
    ):
        OpenAICompatibleEmbedder(endpoint.url, key=f"{KEY}\nX-Header: b").embed(["a"])

    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_its_name_tells_the_model_and_the_place() -> None:
    assert OpenAICompatibleEmbedder("https://api.openai.com/v1/", "m").model == "openai:m@api.openai.com"
    assert OpenAICompatibleEmbedder().model == "openai:nomic-embed-text@127.0.0.1:11434"


def test_openais_own_key_goes_to_openai_alone() -> None:
    environment = {"OPENAI_API_KEY": "general"}
    assert key_for("https://api.openai.com/v1", environment) == "general"
    assert key_for("https://api.openai.com.example.org/v1", environment) == ""
    assert key_for("http://127.0.0.1:11434/v1", environment) == ""
    both = environment | {"ALMARIO_EMBEDDER_API_KEY": "ours"}
    assert key_for("https://api.openai.com/v1", both) == key_for("http://elsewhere/v1", both) == "ours"


def test_a_text_with_nothing_in_it_is_sent_as_something() -> None:
    with serving() as endpoint:
        OpenAICompatibleEmbedder(endpoint.url).embed(["", " \n", "\ud800"])

    assert endpoint.bodies[0]["input"] == ["-", "-", "?"]
    assert json.dumps(endpoint.bodies)
    assert embeddings(endpoint.bodies[0])[0] == 200
