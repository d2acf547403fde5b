"""A home that somebody lives in, served to a browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from almario.apps.web.access import csrf_of
from almario.apps.web.gatekeeping import COOKIE
from almario.apps.web.readers import LANGUAGE_COOKIE
from almario.testing import FixedClock
from tests.apps.dashboard.lived import END, live
from tests.apps.dashboard.reading import Page
from tests.apps.served import Served

HTML = {"Accept": "text/html,application/xhtml+xml"}


class Browser:
    """A browser that is logged in: `browser.open("/memory")` is a page of the agent."""

    def __init__(self, home: Path, *, only_looks: bool = False) -> None:
        self._seen: dict[tuple[str, str], Page] | None = {} if only_looks else None
        (home / "almario.toml").write_text('[embedder]\nname = "none"\n')  # by words is enough, and quicker
        self.served = Served(home, FixedClock(END))
        self._client = self.served.client()
        self._client.__enter__()
        self.cookie = self.served.tokens.redeem(self.served.tokens.login_code()) or ""

    def close(self) -> None:
        self._client.__exit__(None, None, None)

    def get(self, path: str, language: str = "en") -> Any:
        cookies = f"{COOKIE}={self.cookie}; {LANGUAGE_COOKIE}={language}"
        found = self._client.get(path, headers={**HTML, "Cookie": cookies})
        self._client.cookies.clear()  # each look is a browser's first
        return found

    def act(self, does: str, body: Any = None, language: str = "en") -> Any:
        """Do what a button of a page does, and return what the answer says."""
        method, path = does.split()
        proof = {"Cookie": f"{COOKIE}={self.cookie}", "X-CSRF-Token": csrf_of(self.cookie)}
        headers = {**proof, "Accept": "application/json", "Accept-Language": language}
        return self._client.request(method, path, json=body or {}, headers=headers).json()

    def open(self, path: str = "", language: str = "en", status: int = 200) -> Page:
        """Look at a page of the agent, or with a whole address at any."""
        address = path if path.startswith("/a/") else f"/a/default{path}"
        if self._seen and (seen := self._seen.get((address, language))):
            return seen
        answer = self.get(address, language)
        assert answer.status_code == status, f"{address}: {answer.status_code} {answer.text[:500]}"
        page = Page(answer.text)
        if self._seen is not None and status == 200:
            self._seen[address, language] = page
        return page


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with some weeks of life in it; who changes it takes a copy."""
    home = tmp_path_factory.mktemp("lived") / "home"
    live(home)
    return home


@pytest.fixture(scope="module")
def browser(lived: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser at that home, for tests that only look: a page is asked for once."""
    home = tmp_path_factory.mktemp("looked") / "home"
    shutil.copytree(lived, home, ignore=shutil.ignore_patterns("*-shm"))
    made = Browser(home, only_looks=True)
    yield made
    made.close()


@pytest.fixture
def clio(lived: Path, tmp_path: Path) -> Iterator[Browser]:
    """A browser at a copy of that home, which may be changed."""
    home = tmp_path / "home"
    shutil.copytree(lived, home, ignore=shutil.ignore_patterns("*-shm"))
    made = Browser(home)
    yield made
    made.close()


@pytest.fixture
def furnished_browser(furnished: Path) -> Iterator[Browser]:
    """A browser at the home of an agent that nobody has talked to."""
    made = Browser(furnished)
    yield made
    made.close()
