"""Homes that are lived in, in both languages, and visitors who look at them at a desk and on a phone."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from almario.ports import LLM
from almario.testing import ScriptedLLM
from proofs.browser.chromium import Visitor, chromium, site_at, what_is_missing
from proofs.browser.hands import Hand, Keys, Pointer
from tests.apps.dashboard.lived import live

ANSWER = "You said yes: **the tower clock** is yours from January."
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "light"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "color_scheme": "dark",
    "has_touch": True,
    "is_mobile": True,
}
HomeOf = Callable[[str], Path]


class Guest(NamedTuple):
    """Somebody at a site, and what they have to press and to write with."""

    visitor: Visitor
    hand: Hand

    @property
    def soul(self) -> Any:
        return self.visitor.site.soul

    def window(self, path: str = "") -> Any:
        return self.visitor.window(path)


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


@pytest.fixture(params=["en-desk", "en-phone", "en-keys", "es-desk", "es-phone", "es-keys"])
def guest(request: pytest.FixtureRequest, browser: Any, copied_to: HomeOf) -> Iterator[Guest]:
    """Somebody who is logged in, with a pointer at a desk, a phone, or a keyboard alone."""
    language, size = request.param.split("-")
    with visiting(browser, copied_to(language), language, **(PHONE if size == "phone" else DESK)) as made:
        yield Guest(made, Keys() if size == "keys" else Pointer())


@pytest.fixture
def clio(browser: Any, copied_to: HomeOf) -> Iterator[Visitor]:
    """The same in English at a desk, for what is the same everywhere."""
    with visiting(browser, copied_to("en"), "en", **DESK) as made:
        yield made


@contextmanager
def visiting(
    browser: Any, home: Path, language: str, llm: LLM | None = None, **looks: Any
) -> Iterator[Visitor]:
    """Serve a home to somebody who is logged in; afterwards, nothing must have happened that should not."""
    with site_at(home, llm or ScriptedLLM(*[ANSWER] * 9)) as site:
        made = Visitor(browser, site, language=language, **looks)
        try:
            made.log_in().close()
            yield made
        finally:
            made.context.close()
        assert made.told == []
