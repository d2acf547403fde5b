"""The models of this package are found by their names, and without one on a machine that has them."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from almario.adapters.llm import finding
from almario.adapters.llm.finding import PROVIDERS, Provider
from almario.conversation.settings import ModelSettings
from almario.domain.talk import Ask, Message
from almario.errors import LLMError
from almario.wiring.models import models
from tests.adapters.llm_servers import LONG, ClaudeProgram, serving, whole
from tests.tables import each_row


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("PATH", "/nowhere")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        for name in ("OLLAMA", "LM_STUDIO"):
            monkeypatch.setattr(finding, name, f"http://127.0.0.1:{unused.getsockname()[1]}")
        yield


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClaudeProgram:
    found = ClaudeProgram(tmp_path / "bin")
    for name, value in found.environment.items():
        monkeypatch.setenv(name, value)
    return found


@each_row(("text", "model"), [("claude-cli", "claude-cli"), ("claude-cli/sonnet", "claude-cli/sonnet")])
def test_claude_is_named_with_or_without_a_model(text: str, model: str) -> None:
    talk = models(ModelSettings(model=text)).talk

    assert talk is not None
    assert talk.model == model


def test_where_there_is_no_claude_the_next_name_is_asked() -> None:
    chain = models(ModelSettings(model="claude-cli, ollama/qwen3:4b")).talk

    assert chain is not None
    assert chain.model == "ollama/qwen3:4b"


def test_the_claude_program_is_found(program: ClaudeProgram) -> None:
    found = models(ModelSettings())

    assert found.talk is not None
    assert found.talk.model == "claude-cli"
    assert str(found.found[0]) == "found: the program claude"
    assert program.called == []


def test_if_claude_is_not_logged_in_a_server_on_this_machine_is_asked(
    program: ClaudeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.plan(("stderr", "Not logged in · /login"), ("exit", 1))
    with serving(whole(400, {"error": {"message": "not today"}})) as server:
        server.listed = {"models": [{"name": "qwen3:4b"}]}
        monkeypatch.setattr(finding, "OLLAMA", server.url)
        monkeypatch.setattr(finding, "_CHECK_SECONDS", LONG)
        monkeypatch.setitem(PROVIDERS, "ollama", Provider(f"{server.url}/v1"))
        talk = models(ModelSettings()).talk
        assert talk is not None
        with pytest.raises(LLMError):
            talk.reply(Ask((Message("user", "hello"),)))

    assert len(program.called) == 1
    assert server.asked[-1].path == "/v1/chat/completions"
