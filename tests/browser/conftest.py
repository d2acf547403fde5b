"""Homes that are lived in, in both languages, and visitors who look at them at a desk and on a phone."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from almario.testing import ScriptedLLM
from tests.apps.dashboard.lived import live
from tests.browser.chromium import Visitor, chromium, site_at, what_is_missing

ANSWER = "You said yes: **the tower clock** is yours from January."
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "has_touch": True,
    "is_mobile": True,
}
HomeOf = Callable[[str], Path]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The browser that all windows belong to; without one, there is nothing to try."""
    if missing := what_is_missing():
        pytest.fail(missing, pytrace=False)
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> HomeOf:
    """Homes by language; who changes one takes a copy."""

    @cache
    def made(language: str) -> Path:
        home = tmp_path_factory.mktemp(f"lived-{language}") / "home"
        live(home, language)
        (home / "almario.toml").write_text('[embedder]\nname = "none"\n')
        return home

    return made


@pytest.fixture
def copied_to(lived_in: HomeOf, tmp_path: Path) -> HomeOf:
    """A copy of a lived-in home, that may be changed."""

    def made(language: str) -> Path:
        home = tmp_path / language
        shutil.copytree(lived_in(language), home, ignore=shutil.ignore_patterns("*-shm"))
        return home

    return made


@pytest.fixture(params=["en-desk", "en-phone", "es-desk", "es-phone"])
def guest(request: pytest.FixtureRequest, browser: Any, copied_to: HomeOf) -> Iterator[Visitor]:
    """Somebody who is logged in; afterwards, nothing must have happened that should not."""
    language, size = request.param.split("-")
    with ExitStack() as open_things:
        site = open_things.enter_context(site_at(copied_to(language), ScriptedLLM(*[ANSWER] * 9)))
        made = Visitor(browser, site, language=language, **(DESK if size == "desk" else PHONE))
        open_things.callback(made.context.close)
        made.log_in().close()
        yield made
        assert made.told == []


@pytest.fixture
def clio(browser: Any, copied_to: HomeOf) -> Iterator[Visitor]:
    """The same in English at a desk, for what is the same everywhere."""
    with ExitStack() as open_things:
        site = open_things.enter_context(site_at(copied_to("en"), ScriptedLLM(*[ANSWER] * 9)))
        made = Visitor(browser, site, language="en", **DESK)
        open_things.callback(made.context.close)
        made.log_in().close()
        yield made
        assert made.told == []
