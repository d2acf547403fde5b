"""A screen has one language: kinds, states and origins are called what the reader calls them."""

import pytest

from almario.apps.cli import i18n
from almario.apps.cli.i18n import word
from almario.domain.memories import KINDS, ORIGINS, SOURCES, STATES
from tests.apps.conftest import Run


def test_every_closed_word_has_a_spanish_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(i18n, "_language", "es")

    assert {name for name in {*KINDS, *STATES, *SOURCES, *ORIGINS} if word(name) == name} == set()


def test_a_spanish_screen_shows_spanish_words_and_takes_them(run: Run, spawn: Run) -> None:
    run("init", "--yes")
    run("remember", "trabajo: diseño puentes")

    listed = spawn("memory", "list", "--kind", "perfil", "--state", "vigente", ALMARIO_LANGUAGE="es").out

    assert "perfil" in listed
    assert "profile" not in listed
    said = spawn("recall", "puentes", "--kind", "mensaje", "--kind", "nota", ALMARIO_LANGUAGE="es")
    assert said.code == 0
