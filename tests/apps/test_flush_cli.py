"""`almario flush` as people use it; the learning itself is scripted."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from almario.apps.cli import i18n
from almario.conversation.flush import Flush, Flushed
from almario.conversation.settings import FlushSettings
from almario.domain.turns import Said as Spoken
from almario.errors import LLMUnavailable
from almario.ports import LLM
from almario.soul import Soul
from almario.testing import ScriptedLLM
from tests.apps.conftest import Run

SESSION = "cli:main"
ANSWER = json.dumps(
    {
        "facts": [
            {"turns": [1], "key": "mascota", "value": "Tiene un gato llamado Michi"},
            {"turns": [1], "key": "violin", "value": "Plays the violin"},
        ],
        "episodes": [{"turns": [1], "text": "Adoptó un gato", "date": "2026-11-13"}],
        "instructions": [],
        "summary": "Habló de su gato.",
    }
)
Script = Callable[..., None]


@pytest.fixture
def script(run: Run, monkeypatch: pytest.MonkeyPatch) -> Script:
    """Make an agent whose model says what it is told to."""
    run("init", "--language", "en")

    def write(llm: LLM | None, **settings: Any) -> None:
        def flush(soul: Soul, session: str = "") -> list[Flushed]:
            learner = Flush(soul._vault, soul.memory, soul.sessions, lambda: llm, FlushSettings(**settings))
            found = [session] if session else learner.left()
            return [done for each in found for done in learner.flush(each)]

        monkeypatch.setattr(Soul, "flush", flush, raising=False)

    return write


@pytest.fixture
def talk(script: Script, home: Any) -> None:
    import almario

    with almario.open(home) as soul:
        soul.memory.append(SESSION, [Spoken("user", "Ayer adopté un gato llamado Michi.", "owner")])


def test_it_says_what_was_learned_and_how_to_take_it_back(run: Run, script: Script, talk: None) -> None:
    script(ScriptedLLM(ANSWER))

    said = run("flush")

    assert said.code == 0
    assert said.out.splitlines()[:4] == [
        "Learned from cli:main, turns 1 to 1:",
        "+ [fact] mascota: Tiene un gato llamado Michi",
        "+ [episode] Adoptó un gato",
        "+ [summary] Habló de su gato.",
    ]
    assert "left out because the conversation does not support it: 1" in said.err
    undo = said.out.splitlines()[4].strip().split('"')[1]
    assert run(*undo.split()[1:]).code == 0
    assert "Michi" not in run("memory", "list").out


def test_nothing_new_is_said_to_be_so(run: Run, script: Script, talk: None) -> None:
    script(ScriptedLLM(ANSWER))
    run("flush")

    assert run("flush").out == "Nothing new to learn from.\n"
    assert run("flush", "--json").out == "[]\n"


def test_a_conversation_without_news_is_said_to_be_one(run: Run, script: Script, talk: None) -> None:
    script(ScriptedLLM('{"facts": [], "episodes": [], "instructions": [], "summary": ""}'))

    assert run("flush", "--session", SESSION).out == "Nothing to remember in cli:main, turns 1 to 1.\n"


def test_json_has_every_receipt(run: Run, script: Script, talk: None) -> None:
    script(ScriptedLLM(ANSWER))

    [done] = json.loads(run("flush", "--json").out)

    assert (done["session"], done["after"], done["to"], done["outcome"]) == (SESSION, 0, 1, "extracted")
    assert done["dropped"] == 1
    assert [receipt["memory"]["kind"] for receipt in done["receipts"]] == ["fact", "episode", "summary"]


@pytest.mark.parametrize(
    ("llm", "settings", "language", "sentence"),
    [
        (None, {}, "en", "there is no language model to learn with"),
        (None, {}, "es", "no hay un modelo de lenguaje con el que aprender"),
        (None, {"enabled": False}, "en", "learning is switched off; set flush.enabled = true"),
        (ScriptedLLM(LLMUnavailable("gone")), {}, "en", "cli:main could not be learned from yet: gone"),
    ],
)
def test_what_cannot_be_learned_now_is_one_sentence_and_exit_code_2(
    llm: LLM | None,
    settings: dict[str, Any],
    language: str,
    sentence: str,
    run: Run,
    script: Script,
    talk: None,
) -> None:
    script(llm, **settings)
    i18n.use(language)
    try:
        said = run("flush")
    finally:
        i18n.use("en")

    assert said.code == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert sentence in said.err
