"""A Chromium, what it lacks where there is none, and a home that is served to it."""

import contextlib
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from almario.apps.web.access import Tokens
from almario.apps.web.readers import LANGUAGE_COOKIE
from almario.apps.web.serving import ServerPlace, announced, bound, server, url_of
from almario.ports import LLM
from almario.wiring.souls import Souls
from tests.apps.dashboard.lived import END

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# So many milliseconds something may take to appear: far more than it does, as a machine may be busy.
PATIENCE = 60_000
# Without a GPU or a sandbox of its own, as containers have it.
_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-lcd-text"]
# What a page does that it should not do is told by these; they are there before any script of the page.
_WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  window.almarioTold(`CSP: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
window.addEventListener("error", (event) => window.almarioTold(`error: ${event.message}`));
window.addEventListener("unhandledrejection", (event) => window.almarioTold(`rejected: ${event.reason}`));
"""


def path_of_chromium() -> str:
    """Return the browser to be used: the one that CHROMIUM names, or the first that is found; else none."""
    named = os.environ.get("CHROMIUM", "")
    return named or next((found for name in NAMES if (found := shutil.which(name))), "")


def what_is_missing() -> str:
    """Return what has to be installed before a browser can be tried, and how; nothing if all is there."""
    if find_spec("playwright") is None:
        return "NO BROWSER WAS TRIED: playwright is not installed (`make browser` installs it)"
    if not path_of_chromium():
        return (
            "NO BROWSER WAS TRIED: no Chromium is found (apt install chromium, or name one: CHROMIUM=/path)"
        )
    return ""


class Site:
    """A home that is served: its address, its souls, and links that let a browser in."""

    def __init__(self, souls: Souls, tokens: Tokens, url: str) -> None:
        self.souls, self.url, self._tokens = souls, url, tokens

    @property
    def soul(self) -> Any:
        return self.souls.soul("default")

    @property
    def folder(self) -> Path:
        return Path(self.souls.root) / "agents" / "default"

    def revoke_all(self) -> None:
        """Log out every browser."""
        for each in self._tokens.all():
            self._tokens.revoke(each.name)

    def login_link(self) -> str:
        return f"{self.url}/login?code={self._tokens.login_code()}"


@contextlib.contextmanager
def site_at(home: Path, llm: LLM | None = None) -> Iterator[Site]:
    """Serve a home as `almario serve` does; the time there goes on from the end of its story."""
    begun = datetime.now(UTC)
    souls, place = Souls(home, clock=lambda: END + (datetime.now(UTC) - begun), llm=llm), ServerPlace()
    tokens = Tokens(souls)
    tokens.owner_token()
    with bound(place) as listening, announced(home, url := url_of(place, listening)):
        made = server(souls, tokens, place, listening)
        thread = threading.Thread(target=made.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield Site(souls, tokens, url)
        finally:
            made.handle_exit(signal.SIGTERM, None)  # as Ctrl+C does it: whoever follows is let go
            thread.join()


@contextlib.contextmanager
def chromium() -> Iterator[Any]:
    """Start a browser without windows."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path_of_chromium(), args=_ARGUMENTS)
        yield browser
        browser.close()


class Visitor:
    """Somebody at a site with a browser of their own; *told* is what must not have happened there."""

    def __init__(self, browser: Any, site: Site, *, language: str = "", **looks: Any) -> None:
        self.site, self.told = site, list[str]()
        # What the server is meant to refuse in a test: a browser tells of it as of an error.
        self.refusals: set[int] = set()
        self.context = browser.new_context(locale=language or None, **looks)
        self.context.set_default_timeout(PATIENCE)
        self.context.expose_binding("almarioTold", lambda _, text: self.told.append(text))
        self.context.add_init_script(_WATCH)
        self.context.on("request", self._asked)
        if language:
            self.context.add_cookies([{"name": LANGUAGE_COOKIE, "value": language, "url": site.url}])

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.site.url, "data:", "about:")):
            self.told.append(f"asked {request.url}")

    def _window(self) -> Any:
        page = self.context.new_page()
        page.on("dialog", self._dialog)
        page.on("console", self._written)
        page.on("pageerror", lambda error: self.told.append(f"page error: {error}"))
        return page

    def _written(self, message: Any) -> None:
        """Take down what the console calls an error."""
        is_meant = any(f"status of {status} " in message.text for status in self.refusals)
        if message.type == "error" and not is_meant:
            self.told.append(f"console: {message.text} {message.location.get('url', '')}")

    def window(self, path: str = "") -> Any:
        """Open a window at a page of the agent."""
        page = self._window()
        self.go(page, path)
        return page

    def go(self, page: Any, path: str = "") -> None:
        """Go to a page of the agent in a window that is open."""
        answer = page.goto(f"{self.site.url}/a/default{path}", wait_until="domcontentloaded")
        assert answer.status == 200, f"{path}: {answer.status}"

    def _dialog(self, dialog: Any) -> None:
        if dialog.type != "beforeunload":
            self.told.append(f"dialog: {dialog.message}")
        dialog.accept()

    def log_in(self) -> Any:
        """Come in by a link, as one does."""
        page = self._window()
        page.goto(self.site.login_link())
        page.wait_for_url(f"{self.site.url}/a/default")
        return page
