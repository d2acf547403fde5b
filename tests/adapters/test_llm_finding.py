"""From the words of a setting to a model, and what is found without words."""

import socket
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from almario.adapters.llm import finding
from almario.adapters.llm.finding import PROVIDERS, Surroundings, choose, found
from almario.conversation.settings import ModelSettings
from almario.domain.talk import Ask, Message
from almario.errors import ConfigError, LLMUnavailable
from almario.wiring.models import models
from tests.adapters.llm_servers import LONG, ModelServer, serving, whole
from tests.tables import each_row

ASK = Ask((Message("user", "hello"),))


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        for name in ("OLLAMA", "LM_STUDIO"):
            monkeypatch.setattr(finding, name, f"http://127.0.0.1:{unused.getsockname()[1]}")
        yield


def around(url: str = "", **environment: str) -> Surroundings:
    return Surroundings(url, environment={"PATH": "/nowhere", **environment})


def name_of(text: str, surroundings: Surroundings | None = None) -> str:
    llm = choose(text, surroundings or around()).llm
    assert llm is not None
    return llm.model


@each_row(
    ("text", "model"),
    [
        ("anthropic/claude-opus-5-5", "anthropic/claude-opus-5-5"),
        (" ollama/qwen3:4b ", "ollama/qwen3:4b"),
        ("openrouter/meta-llama/llama-4", "openrouter/meta-llama/llama-4"),
        ("lmstudio", "lmstudio"),
        ("anthropic", "anthropic/claude-sonnet-5-5"),
        ("openai", "openai/gpt-6.1-terra"),
    ],
)
def test_a_name_is_a_provider_and_a_model(text: str, model: str) -> None:
    assert name_of(text) == model


@each_row(
    ("package", "listed"), [("anthropic", "types/model_param.py"), ("openai", "types/shared/chat_model.py")]
)
def test_usual_models_are_ones_that_the_packages_know(package: str, listed: str) -> None:
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None

    assert f'    "{PROVIDERS[package].model}",\n' in (Path(spec.origin).parent / listed).read_text()


@each_row(
    ("text", "said"),
    [
        ("antropic/claude", 'llm.model: "antropic/claude" names no provider; did you mean anthropic?'),
        ("qwen3:4b", "write provider/model, with one of anthropic, openai,"),
        ("", 'llm.model: "" names no provider'),
        ("ollama/", '"ollama/" does not name a model'),
        ("ollama, auto", '"auto" cannot be combined'),
        ("ollama,,groq", '"" names no provider'),
    ],
)
def test_a_name_that_means_nothing_is_told_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        choose(text, around())

    assert said in str(caught.value)


def test_several_names_are_asked_in_turn() -> None:
    chain = choose("anthropic, ollama/qwen3:4b", around()).llm

    assert chain is not None
    assert chain.model == "ollama/qwen3:4b"  # there is no key here


@each_row(
    ("variable", "model"),
    [
        ("ANTHROPIC_API_KEY", "anthropic/claude-sonnet-5-5"),
        ("OPENAI_API_KEY", "openai/gpt-6.1-terra"),
        ("GROQ_API_KEY", "groq"),
        ("OPENROUTER_API_KEY", "openrouter/openrouter/auto"),
    ],
)
def test_a_key_in_the_environment_is_found(variable: str, model: str) -> None:
    chosen = found(around(**{variable: " sk-1 "}))

    assert chosen.llm is not None
    assert chosen.llm.model == model
    assert chosen.llm.is_available()
    assert str(chosen.found) == f"found: {variable}"


def test_an_empty_key_is_none() -> None:
    assert found(around(ANTHROPIC_API_KEY=" ")).llm is None


def listed(*models: Any) -> dict[str, Any]:
    return {"models": list(models)}


def ollama(monkeypatch: pytest.MonkeyPatch, server: ModelServer, tags: Any) -> None:
    server.listed = tags
    monkeypatch.setattr(finding, "OLLAMA", server.url)
    monkeypatch.setattr(finding, "_CHECK_SECONDS", LONG)


def test_an_ollama_on_this_machine_is_found_with_its_first_model_that_talks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(whole(200, b"")) as server:
        tags = listed(
            {"name": "nomic-embed-text:latest"},
            {"name": "gpt-oss:120b-cloud", "remote_host": "https://ollama.com:443"},
            {"name": "qwen3:4b"},
            {"name": "llama3:8b"},
        )
        ollama(monkeypatch, server, tags)
        chosen = found(around())

        assert chosen.llm is not None
        assert chosen.llm.model == "ollama/qwen3:4b"
        assert [sent.path for sent in server.asked] == ["/api/tags"]


@pytest.mark.parametrize(
    "tags", [{}, {"models": None}, {"models": [1]}, listed({"name": "bge-m3"}), b"<html>", b"[" * 100_000]
)
def test_an_ollama_without_a_model_is_none(monkeypatch: pytest.MonkeyPatch, tags: Any) -> None:
    with serving(whole(200, b"")) as server:
        ollama(monkeypatch, server, tags)

        assert found(around()).llm is None


def test_an_ollama_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen()
        monkeypatch.setattr(finding, "OLLAMA", f"http://127.0.0.1:{deaf.getsockname()[1]}")

        assert found(around()).llm is None


def test_an_lm_studio_on_this_machine_is_found_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(whole(200, b"")) as server:
        server.listed = {"data": [{"id": "text-embedding-nomic"}, {"id": "qwen3-4b"}]}
        monkeypatch.setattr(finding, "LM_STUDIO", server.url)
        monkeypatch.setattr(finding, "_CHECK_SECONDS", LONG)
        chosen = found(around())

    assert chosen.llm is not None
    assert chosen.llm.model == "lmstudio/qwen3-4b"
    assert str(chosen.found) == "found: LM Studio on this machine"


def test_an_endpoint_of_ones_own_is_taken_before_anything_else() -> None:
    chosen = found(around("http://127.0.0.1:9/v1/", ANTHROPIC_API_KEY="sk-1"))

    assert chosen.llm is not None
    assert chosen.llm.model == "openai"
    assert chosen.llm.is_available()


def test_openais_key_goes_to_openai_alone() -> None:
    with serving(whole(401, {})) as server:
        llm = choose("openai/m", around(f"{server.url}/v1", OPENAI_API_KEY="sk-1")).llm
        assert llm is not None
        with pytest.raises(LLMUnavailable, match="there is no key for"):
            llm.reply(ASK)

        own = choose("openai/m", around(f"{server.url}/v1", ALMARIO_LLM_API_KEY="own")).llm
        assert own is not None
        with pytest.raises(LLMUnavailable):
            own.reply(ASK)

    assert "sk-1" not in server.asked[0].headers["authorization"]
    assert server.asked[1].headers["authorization"] == "Bearer own"


def test_an_endpoint_elsewhere_needs_its_key() -> None:
    llm = choose("openai/m", around("https://models.example/v1", OPENAI_API_KEY="sk-1")).llm

    assert llm is not None
    assert not llm.is_available()


@each_row("url", ["nonsense", "ftp://127.0.0.1", "http://user:secret@host/v1", "http://x:0"])
def test_an_address_that_is_none_is_told(url: str) -> None:
    with pytest.raises(ConfigError, match=r"llm\.url is not an address such as"):
        choose("openai/m", around(url))


def test_finding_loads_neither_package(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] in ("anthropic", "openai")]:
        monkeypatch.delitem(sys.modules, name)

    models(ModelSettings(), {"ANTHROPIC_API_KEY": "sk-1"})
    models(ModelSettings(model="openai/m, groq"), {"OPENAI_API_KEY": "sk-1"})

    assert not {"anthropic", "openai"} & set(sys.modules)


def test_no_model_is_told_with_how_to_get_one() -> None:
    for settings in (ModelSettings(), ModelSettings(model="none")):
        found = models(settings, {"PATH": "/nowhere"})

        assert found.talk is None
        assert found.background is None
        [notice] = found.notices
        assert '"almario model choose" finds one that is here' in str(notice)


def test_the_model_that_learns_is_the_one_that_talks_unless_it_is_set() -> None:
    same = models(ModelSettings(model="ollama/a"), {})
    other = models(ModelSettings(model="ollama/a", background="ollama/b"), {})
    alone = models(ModelSettings(model="ollama/a", background="none"), {})

    assert same.background is same.talk
    assert other.background is not None
    assert other.background.model == "ollama/b"
    assert alone.background is None
    assert same.notices == other.notices == alone.notices == ()


def test_a_bad_name_of_the_one_that_learns_is_told_by_its_setting() -> None:
    with pytest.raises(ConfigError, match=r"^llm\.background: "):
        models(ModelSettings(model="none", background="nobody/x"), {})


def test_a_model_without_its_key_is_told() -> None:
    found = models(ModelSettings(model="anthropic"), {})

    assert found.talk is not None
    assert "cannot be used yet" in str(found.notices[0])
