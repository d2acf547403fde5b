"""Models that run on this machine: fetched, listed and removed, and offered by a chat without one."""

import json
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from almario.adapters.llm import finding
from almario.apps.cli import i18n
from almario.apps.cli.home import model_commands
from almario.domain.installing import to_install
from almario_local import commands as fetched_models
from almario_local import model_box, weights
from almario_local.model_process import ModelProcess
from tests.adapters.boxes import CONTENT, SMALL, Hub, serving_models, with_fake_llama
from tests.apps.conftest import Run
from tests.apps.dashboard.conftest import Browser
from tests.tables import each_row


@pytest.fixture(autouse=True)
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let nothing be found, and one small model be known."""
    monkeypatch.setenv("ALMARIO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ALMARIO_LLM_MODEL", "auto")
    monkeypatch.setenv("PATH", "/nowhere")
    with_fake_llama(monkeypatch)
    for module in (weights, model_box):
        monkeypatch.setattr(module, "CATALOGUE", (SMALL,))
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        for name in ("OLLAMA", "LM_STUDIO"):
            monkeypatch.setattr(finding, name, f"http://127.0.0.1:{unused.getsockname()[1]}")
        yield tmp_path / "cache" / "models"
    ModelProcess(tmp_path / "cache" / "models" / "small.gguf").stop()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with serving_models() as serving:
        monkeypatch.setenv("ALMARIO_LLM_LOCAL_SOURCE", serving.url)
        yield serving


def test_a_model_is_downloaded_from_the_settings_page(run: Run, hub: Hub, home: Path) -> None:
    run("init", "--yes")
    browser = Browser(home)
    assert "local/small" in browser.open("/care/settings").text
    done = browser.served.finished(browser.served.post("/api/v1/jobs/model"), "/api/v1/jobs")

    assert (done["state"], done["result"]) == ("done", {"name": "local/small"})
    page = browser.open("/care/settings").text
    assert "local/small" in page
    assert "Download" not in page
    browser.served.post("/api/v1/jobs/model", status=404)
    browser.close()


def test_the_model_that_suits_the_machine_is_fetched_listed_and_removed(
    run: Run, hub: Hub, box: Path
) -> None:
    got = run("model", "get")

    assert got.code == 0
    assert "small is ready: local/small." in got.out
    assert '"almario chat" now uses it.' in got.out
    assert (box / "small.gguf").read_bytes() == CONTENT
    [listed] = json.loads(run("model", "list", "--json").out)
    assert (listed["name"], listed["state"], listed["is_recommended"]) == ("small", "here", True)

    assert run("model", "remove", "small").out == "small was deleted.\n"
    assert "best for this machine" in run("model", "list").out
    assert list(box.iterdir()) == []


def test_a_file_of_ones_own_is_taken_by_its_path(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.gguf").write_bytes(CONTENT)

    assert json.loads(run("model", "get", str(tmp_path / "own.gguf"), "--json").out)["name"] == "own"
    assert [each["name"] for each in json.loads(run("model", "list", "--json").out)] == ["small", "own"]


def test_what_cannot_be_had_is_one_sentence_and_exit_code_2(run: Run, hub: Hub, tmp_path: Path) -> None:
    hub.status = 503
    wrong = [
        (("get", "smal"), 'there is no model called "smal"; did you mean small?'),
        (("get", str(tmp_path / "nothing.gguf")), "No such file or directory"),
        (("get", "small"), "answered 503"),
        (("remove", "small"), "you have no model called small"),
        (("remove", "../cache"), "you have no model called ../cache"),
    ]
    for arguments, sentence in wrong:
        result = run("model", *arguments)
        assert (result.code, result.err.count("\n")) == (2, 1), arguments
        assert sentence in result.err


def test_an_interruption_says_how_to_go_on(run: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(model_commands, "ProgressBar", lambda label: _Bar(interrupted))

    result = run("model", "get")

    assert result.code == 1
    assert 'Stopped. "almario model get small" resumes the download.' in result.err
    assert json.loads(run("model", "list", "--json").out)[0]["state"] == "begun"


class _Bar:
    def __init__(self, progress: Callable[..., None]) -> None:
        self._progress = progress

    def __enter__(self) -> Callable[..., None]:
        return self._progress

    def __exit__(self, *_: object) -> None:
        pass


def test_what_is_missing_to_run_it_is_told(run: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetched_models, "can_run_models", lambda: False)
    assert f"you need one more package: {to_install('almario-local')}" in run("model", "get").out

    monkeypatch.setattr(fetched_models, "can_run_models", lambda: True)
    result = run("--set", "llm.model=ollama/a", "model", "get")
    assert "To talk with it, set llm.model to local/small; it is now ollama/a." in result.out


def test_a_model_that_was_fetched_is_found_tried_and_stopped(run: Run, hub: Hub) -> None:
    run("model", "get")

    shown = json.loads(run("model", "--json").out)["talks"]
    tried = run("model", "--try")

    assert shown == {"model": "local/small", "ready": True, "from": "found: a downloaded model"}
    assert "local/small answered in" in tried.out
    assert json.loads(run("model", "list", "--json").out)[0]["state"] == "running"


@pytest.fixture
def unanswered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody have said which model talks, and somebody be there; the messages come from a pipe."""
    monkeypatch.delenv("ALMARIO_LLM_MODEL")
    monkeypatch.setattr(model_commands, "at_terminal", lambda: True)


@pytest.mark.usefixtures("unanswered")
def test_the_first_chat_asks_which_model_talks_fetches_it_and_talks(run: Run, hub: Hub) -> None:
    result = run("chat", stdin="1\nhello\n")

    assert "1  local/small · to download: " in result.out
    assert "2  none · a notebook" in result.out
    assert "Which one? [2]" in result.out
    assert "local/small talks" in result.out
    assert "process " in result.out  # what the fake model answers
    assert f"process {os.getpid()}," not in result.out
    assert "Which one?" not in run("chat", stdin="hello\n").out


@pytest.mark.usefixtures("unanswered")
@pytest.mark.parametrize("answer", ["2\n", "\n", "what?\n9\n\n", ""])
def test_a_notebook_is_an_answer_and_asked_no_more(run: Run, hub: Hub, answer: str) -> None:
    first = run("chat", stdin=answer)

    assert "It is a notebook" in first.out
    assert ("Type a number from 1 to 2." in first.out) == ("what?" in answer)
    assert "Which one?" not in run("chat", stdin="\n").out
    assert run("config", "get", "llm.model").out.split()[-1] == '"none"'
    assert hub.asked == []


@pytest.mark.usefixtures("unanswered")
def test_a_download_that_fails_is_told_and_asked_again(run: Run, hub: Hub) -> None:
    hub.most = 1000

    result = run("chat", stdin="1\n2\n")

    assert "run the same command to resume" in result.err
    assert result.out.count("Which one?") == 2
    assert "It is a notebook" in result.out


def test_nobody_is_asked_who_could_not_answer_or_has(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Which one?" not in run("chat", stdin="hello\n").out  # llm.model is auto, by the environment
    monkeypatch.delenv("ALMARIO_LLM_MODEL")
    assert "Which one?" not in run("chat", stdin="hello\n").out  # no terminal


@pytest.mark.usefixtures("unanswered")
def test_a_key_that_is_here_is_the_first_choice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-1")
    run("init", "--yes")

    result = run("model", "choose", stdin="\n")

    assert "1  anthropic · found: ANTHROPIC_API_KEY" in result.out
    assert "anthropic talks" in result.out
    assert json.loads(run("model", "--json").out)["talks"]["model"].startswith("anthropic/")


def test_a_model_is_chosen_by_its_name(run: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ALMARIO_LLM_MODEL")
    run("init", "--yes")

    listed = json.loads(run("model", "choose", "--json").out)
    run("model", "choose", "ollama/qwen3:4b")
    chosen = json.loads(run("model", "--json").out)["talks"]["model"]
    wrong = run("model", "choose", "olama/qwen3:4b")
    fetched = run("model", "choose", "local/small")

    assert [each["model"] for each in listed] == ["local/small", "none"]
    assert chosen == "ollama/qwen3:4b"
    assert (wrong.code, "did you mean ollama?" in wrong.err) == (2, True)
    assert "local/small talks" in fetched.out
    assert json.loads(run("model", "--json").out)["talks"]["ready"]


def test_a_model_that_was_fetched_where_none_talks_talks(
    run: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALMARIO_LLM_MODEL")
    run("init", "--yes")
    run("model", "choose", "none")

    assert '"almario chat" now uses it.' in run("model", "get").out


@pytest.mark.usefixtures("unanswered")
def test_the_question_is_asked_in_spanish_too(run: Run) -> None:
    i18n.use("es")
    try:
        result = run("chat", stdin="2\n")
    finally:
        i18n.use("en")

    assert "¿Cuál?" in result.out
    assert "Es una libreta" in result.out


def test_the_first_page_of_the_dashboard_asks_once(
    run: Run, hub: Hub, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ALMARIO_LLM_MODEL")
    run("init", "--yes")
    browser = Browser(home)
    asked = browser.open().text
    browser.served.ask("PUT", "/api/v1/model", json={"provider": "none", "model": ""})

    assert "Which language model shall talk?" in asked
    assert "local/small" in asked
    assert "Notebook" in asked
    assert "Which language model shall talk?" not in browser.open().text
    browser.served.finished(browser.served.post("/api/v1/jobs/model"), "/api/v1/jobs")
    assert json.loads(run("model", "--json").out)["talks"]["model"] == "local/small"
    browser.close()
