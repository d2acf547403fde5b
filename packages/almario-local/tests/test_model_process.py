"""The process that runs a model: when it is started, who finds it, and how it ends."""

import os
import re
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from almario.adapters.addresses import CallLimits, Endpoint
from almario.adapters.llm.openai import OpenAILLM
from almario.domain.installing import to_install
from almario.domain.talk import Ask, Message
from almario.errors import LLMUnavailable, MissingExtra
from almario_local.boxed import BoxedLLM
from almario_local.model_process import ModelProcess
from tests.adapters.boxes import CONTENT, is_gone, with_fake_llama

ASK = Ask((Message("user", "hello"),))


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with_fake_llama(monkeypatch)
    path = tmp_path / "small.gguf"
    path.write_bytes(CONTENT)
    yield path
    ModelProcess(path).stop()


def asked(weights: Path, *, idle: float = 600.0) -> tuple[int, int]:
    """Ask as a command of its own does; return which process answered, and its how manieth answer it was."""
    reply = BoxedLLM(ModelProcess(weights, idle=idle), CallLimits()).reply(ASK)
    found = re.fullmatch(r"process (\d+), question (\d+)", reply.text)
    assert found, reply
    assert reply.usage.cost == 0
    return int(found[1]), int(found[2])


def test_it_is_started_once_and_found_again_by_the_next_command(weights: Path) -> None:
    assert ModelProcess(weights).address() is None

    first, second = asked(weights), asked(weights)

    assert first == (second[0], 1)
    assert second[1] == 2
    assert first[0] != os.getpid()


def test_several_commands_at_once_share_one_process(weights: Path) -> None:
    with ThreadPoolExecutor(4) as several:
        pids = {pid for pid, _ in several.map(asked, [weights] * 4)}

    assert len(pids) == 1


def test_when_nobody_has_asked_for_a_while_it_ends_and_leaves_nothing_behind(weights: Path) -> None:
    pid, _ = asked(weights, idle=0)  # it waits for who is asking, though it may end at once

    assert is_gone(pid)
    assert ModelProcess(weights).address() is None


def test_one_that_was_killed_is_started_again(weights: Path) -> None:
    pid, _ = asked(weights)
    os.kill(pid, signal.SIGKILL)
    assert is_gone(pid)

    again, count = asked(weights)

    assert again != pid
    assert count == 1


def test_it_can_be_stopped_and_removed(weights: Path) -> None:
    process = ModelProcess(weights)
    pid, _ = asked(weights)

    assert process.stop()
    assert is_gone(pid)
    assert not process.stop()

    process.forget()
    assert list(weights.parent.iterdir()) == []


def test_it_answers_its_owner_alone(weights: Path) -> None:
    asked(weights)
    address = ModelProcess(weights).address()

    assert address is not None
    assert address.url.startswith("http://127.0.0.1:")
    modes = {path.suffix: path.stat().st_mode & 0o777 for path in weights.parent.iterdir() if path != weights}
    assert modes == {".run": 0o600, ".use": 0o600, ".log": 0o600}
    with pytest.raises(LLMUnavailable, match="does not accept the key"):
        OpenAILLM(Endpoint("local", address.url, "small", "guessed"), CallLimits()).reply(ASK)


def test_weights_that_cannot_be_run_are_told_in_one_sentence(weights: Path) -> None:
    weights.write_bytes(b"GGUF damaged")

    with pytest.raises(LLMUnavailable, match="the model small could not be started") as caught:
        asked(weights)

    log = re.search(r"\((.*) says more\)", str(caught.value))
    assert log
    assert "Failed to init server" in Path(log[1]).read_text()


def test_a_release_with_other_names_is_told_with_the_one_that_is_known(weights: Path) -> None:
    weights.write_bytes(b"GGUF renamed")

    with pytest.raises(LLMUnavailable, match="the model small could not be started") as caught:
        asked(weights)

    log = re.search(r"\((.*) says more\)", str(caught.value))
    assert log
    assert "run: pip install 'xllamacpp==2026" in Path(log[1]).read_text()


def test_no_release_is_refused_for_the_year_in_its_number() -> None:
    assert 'xllamacpp>=2026.10.11549"' in (Path(__file__).parents[1] / "pyproject.toml").read_text()


def test_a_model_that_is_not_here_is_told_with_how_to_get_one(weights: Path) -> None:
    llm = BoxedLLM(ModelProcess(weights.with_name("other.gguf")), CallLimits())

    assert llm.model == "local/other"
    assert not llm.is_available()
    with pytest.raises(LLMUnavailable, match='the model other is not on this machine; "almario model get"'):
        llm.reply(ASK)


def test_without_the_package_the_line_to_run_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("almario_local.model_process.find_spec", lambda name: None)
    path = tmp_path / "small.gguf"
    path.write_bytes(CONTENT)
    llm = BoxedLLM(ModelProcess(path), CallLimits())

    assert not llm.is_available()
    with pytest.raises(MissingExtra, match=to_install("almario-local")):
        llm.reply(ASK)
