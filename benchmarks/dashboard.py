"""`python -m benchmarks.dashboard`: the dashboard's pages, and search as you type, timed at the server.

One `almario serve` answers requests, one after the other: the first page with all that it loads and every
keystroke of a search for an agent with 10,000 memories, then each page for one with 100,000 (and 300,000
messages). Vectors are by chance, a question's own is real. `--home` keeps the agents for a second run.
"""

import argparse
import http.client
import os
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import almario
from almario.testing import ScriptedLLM
from benchmarks.http_load import computed, serving
from benchmarks.large import grown
from benchmarks.measuring import milliseconds, percentile
from benchmarks.texts import passages, questions

# An agent as many have, and one of many years: memories and messages, and of these, answers of this month.
USUAL, OLD = (10_000, 10_000), (100_000, 300_000)
ANSWERS = 40
RUNS = 20
KILOBYTES, SECONDS, SEARCH = 300, 1.0, 0.1
# Of many years: a page, the first one after a start, and a keystroke of a search.
PAGE, FIRST, SEARCH_IN_MANY = 0.4, 1.5, 1.0
# Somebody of whom so many memories speak.
PERSON, NAMED = "Inés", 20
# So many searches are typed, each letter by letter from the second on.
TYPED, LETTERS = 24, 14
_ASSETS = re.compile(r'(?:src|href)="(/assets/[^"]+)"')
_AGENT = "/a/default"


class Taken(NamedTuple):
    """What some requests took: the size of the last answer, each time, and the time that was computed."""

    size: int
    times: Sequence[float]
    computing: float

    def row(self, what: str, bar: float) -> str:
        half, most = (milliseconds(percentile(self.times, share)) for share in (0.5, 0.95))
        told = [what, f"{self.size / 1000:.0f} KB", half, most, milliseconds(self.computing)]
        return f"| {' | '.join(told)} | {milliseconds(bar)} |"


class Browser:
    """One connection to a server, as a browser's, that says what requests take."""

    def __init__(self, home: Path, address: str, process: int) -> None:
        self._host = address.removeprefix("http://")
        self._connection = http.client.HTTPConnection(self._host)
        token = (home / ".token").read_text().strip()
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "text/html"}
        self._process = process

    def get(self, path: str) -> bytes:
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path}: {answer.status} {content[:300]!r}")
        return content

    def timed(self, paths: Sequence[str]) -> Taken:
        """Ask for some pages, one after the other."""
        return self._measured([lambda path=path: len(self.get(path)) for path in paths])  # type: ignore[misc]

    def first_page(self, times: int) -> Taken:
        """Ask for the first page and for all that it loads, so often."""

        def all_of_it() -> int:
            page = self.get(_AGENT)
            loaded = [self.get(path) for path in dict.fromkeys(_ASSETS.findall(page.decode()))]
            return len(page) + sum(map(len, loaded))

        return self._measured([all_of_it] * times)

    def _measured(self, work: Sequence[Callable[[], int]]) -> Taken:
        self._connection = http.client.HTTPConnection(self._host)  # what is not used for long is closed
        times, size, before = [], 0, computed(self._process)
        for do in work:
            begun = time.perf_counter()
            size = do()
            times.append(time.perf_counter() - begun)
        return Taken(size, times, (computed(self._process) - before) / len(work))


@contextmanager
def looking(home: Path, **settings: str) -> Iterator[Browser]:
    """Serve a home, and look at it."""
    with serving(home, **settings) as (address, process):
        yield Browser(home, address, process)


def lived(home: Path, memories: int, turns: int) -> None:
    """Make an agent, if it is not there; its latest answers have records."""
    if home.exists():
        return
    os.environ.setdefault("ALMARIO_LLM_MODEL", "none")
    grown(home, memories, turns)
    with almario.open(home, llm=ScriptedLLM(*passages(ANSWERS, seed=9))) as soul:
        for question in questions(ANSWERS, passages(100)):
            soul.talk(question)
        for number in range(NAMED):
            soul.remember(f"My sister {PERSON} has {number + 2} pots of basil")


def keystrokes(memories: int) -> list[str]:
    """Return what a search is asked for while somebody types it: a letter more each time."""
    chance = random.Random(5)
    told = passages(memories, seed=3, words=12)
    searches = [" ".join(chance.sample(chance.choice(told).lower().split(), 3)) for _ in range(TYPED)]
    return [search[:end] for search in searches for end in range(2, LETTERS + 1)]


def searched(browser: Browser, memories: int) -> Taken:
    """Type searches into the page of the memory."""
    asked = [f"{_AGENT}/memory?part=results&q={quote(typed)}" for typed in keystrokes(memories)]
    browser.timed(asked[:20])
    return browser.timed(asked)


def usual(home: Path) -> None:
    """Print the figures of an agent as many have."""
    memories, _ = USUAL
    lived(home, *USUAL)
    with looking(home) as browser:
        print(browser.first_page(1).row("first page and all it loads, server just started", 2 * SECONDS))
        print(
            browser.first_page(RUNS).row(f"first page and all it loads (≤ {KILOBYTES} KB)", SECONDS),
            flush=True,
        )
        print(searched(browser, memories).row("a keystroke of a search, by words and meaning", SEARCH))
    with looking(home, ALMARIO_EMBEDDER_NAME="none") as browser:
        print(searched(browser, memories).row("a keystroke of a search, by words", SEARCH))


def old(home: Path) -> None:
    """Print the figures of an agent of many years, page by page."""
    memories, _ = OLD
    lived(home, *OLD)
    with looking(home) as browser:
        print(browser.timed([_AGENT]).row("What it knows about you, server just started", FIRST))
        found = re.findall(rf'"{_AGENT}/memory/([0-9a-f]+)"', browser.get(f"{_AGENT}/memory").decode())
        for what, path in {
            "What it knows about you": "",
            "somebody's page": f"/people/{quote(PERSON)}",
            "Today": "/today",
            "Memory, first page": "/memory",
            "Memory, last page": f"/memory?offset={memories - 40}",
            "Memory, of a kind": "/memory?kind=profile",
            "Memory, of a key": "/memory?key=subject%2012",
            "Memory, as of a day": f"/memory?as_of={_days_ago(100)}",
            "a memory": f"/memory/{found[0]}",
            "Soul": "/soul",
            "Talk": "/talk",
            "a conversation": "/talk/talk:1500",
            "Days": "/days",
            "a day": f"/days/{_days_ago(50)}",
            "Care": "/care",
            "Care, figures": "/care/figures",
        }.items():
            browser.get(_AGENT + path)
            print(browser.timed([_AGENT + path] * RUNS).row(what, PAGE), flush=True)
        print(
            searched(browser, memories).row("a keystroke of a search, by words and meaning", SEARCH_IN_MANY)
        )


def _days_ago(days: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(time.time() - days * 86_400))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="keep the agents in this folder")
    parser.add_argument("--only", choices=("usual", "old"), help="one of the two agents")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = given.home or Path(place)
        for name, (memories, messages), measure in (("usual", USUAL, usual), ("old", OLD, old)):
            if given.only in (None, name):
                many = f"{memories:,} memories, {messages:,} messages"
                print(f"\n| {many} | size | median | p95 | computing | bar |")
                print("|---|--:|--:|--:|--:|--:|", flush=True)
                measure(folder / name)


if __name__ == "__main__":
    main()
