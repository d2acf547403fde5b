"""The models of this package are found by their names, and without one on a machine that has them."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from almario.adapters.llm import finding
from almario.adapters.llm.finding import PROVIDERS, Provider
from almario.conversation.settings import ModelSettings
from almario.wiring.models import models, offered_models
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
    program.log_in(is_in=False)
    with serving(whole(400, {"error": {"message": "not today"}})) as server:
        server.listed = {"models": [{"name": "qwen3:4b"}]}
        monkeypatch.setattr(finding, "OLLAMA", server.url)
        monkeypatch.setattr(finding, "_CHECK_SECONDS", LONG)
        monkeypatch.setitem(PROVIDERS, "ollama", Provider(f"{server.url}/v1"))
        talk = models(ModelSettings()).talk

    assert talk is not None
    assert talk.model == "ollama/qwen3:4b"
    assert program.called == []


def test_what_can_be_chosen_is_what_is_here_and_last_a_notebook(
    program: ClaudeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    offers = offered_models(ModelSettings(model="none"))
    program.log_in(is_in=False)
    without = offered_models(ModelSettings())

    assert [each.name for each in offers if not each.download] == ["openai", "claude-cli", "none"]
    assert [each.name for each in without if not each.download] == ["openai", "none"]


@each_row(("said",), ["", "error: unknown option '--json'", '{"loggedIn": "yes"}', "[]"])
def test_a_claude_that_does_not_say_that_it_is_logged_in_is_not_ready(
    program: ClaudeProgram, said: str
) -> None:
    (Path(os.environ["HOME"]) / "login.json").write_text(said)

    named = models(ModelSettings(model="claude-cli"))

    assert named.talk is not None
    assert not named.talk.is_available()
    assert "cannot be used yet" in str(named.notices[0])
