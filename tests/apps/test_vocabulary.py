"""A screen has one language: kinds, states and origins are called what the reader calls them."""

from collections.abc import Iterable, Mapping

import pytest

from almario.apps.cli import i18n
from almario.apps.cli.i18n import word
from almario.domain import vocabulary
from almario.domain.documents.goal_list import PRIORITIES
from almario.domain.memories import KINDS, ORIGINS, SOURCES, STATES
from almario.domain.messages import Sentence
from tests.apps.conftest import Run


def test_every_closed_word_has_a_spanish_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_language", "es")

    tables: list[tuple[Iterable[str], Mapping[str, Sentence]]] = [
        (KINDS, vocabulary.KINDS),
        (STATES, vocabulary.STATES),
        (SOURCES, vocabulary.SOURCES),
        (ORIGINS, vocabulary.ORIGINS),
        (PRIORITIES, vocabulary.PRIORITIES),
    ]

    assert [name for names, words in tables for name in names if word(name, words) == name] == []


def test_a_spanish_screen_shows_spanish_words_and_takes_them(run: Run, spawn: Run) -> None:
    run("init", "--yes")
    run("remember", "trabajo: diseño puentes")

    listed = spawn("memory", "list", "--kind", "perfil", "--state", "en-uso", ALMARIO_LANGUAGE="es").out

    assert "perfil" in listed
    assert "profile" not in listed
    said = spawn("recall", "puentes", "--kind", "mensaje", "--kind", "nota", ALMARIO_LANGUAGE="es")
    assert said.code == 0


def test_an_option_offers_the_words_of_the_screen_and_takes_those_of_the_files(run: Run, spawn: Run) -> None:
    run("init", "--yes")

    assert "[alta|media|baja]" in spawn("goals", "add", "--help", ALMARIO_LANGUAGE="es").out
    added = [
        spawn("goals", "add", "nadar", "--priority", each, ALMARIO_LANGUAGE="es") for each in ("alta", "high")
    ]
    refused = spawn("remember", "x", "--kind", "foo", ALMARIO_LANGUAGE="es")

    assert [each.out.count("🔴 nadar") for each in added] == [1, 2]
    assert "'perfil', 'hecho'" in refused.err
