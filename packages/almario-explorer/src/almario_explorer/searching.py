"""Searches: a SearXNG of one's own, Brave, Tavily.

The owner has chosen the address, so that it may be on this machine; what comes
from it is bounded all the same, and a redirect is not followed, because the key
would follow it.
"""

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from almario_explorer.calling import MEGABYTE, Deadline, HttpLine, WebRequest, addresses, call
from almario_explorer.rules import target_of
from almario_explorer.web import Result, WebError, is_web_address, results_in

KEY = "ALMARIO_SEARCH_API_KEY"
BRAVE_URL = "https://api.search.brave.com"
TAVILY_URL = "https://api.tavily.com"
# So much does an answer weigh at most, and so many results do the searches that take a number give.
_MOST_BYTES = 2 * MEGABYTE
_MOST_RESULTS = 20
# Too often, no credit left, or past what the plan allows, which Tavily has numbers of its own for.
_TOO_MUCH = (402, 429, 432, 433)


def search_key() -> str:
    """Return the key for the search that is set."""
    return os.environ.get(KEY, "").strip()


class SearXNG:
    """Asks a SearXNG, whose JSON must be switched on."""

    def __init__(self, url: str, line: HttpLine | None = None) -> None:
        self._engine = _Engine("SearXNG", url, line)

    def search(self, query: str, limit: int) -> list[Result]:
        """Return what was found, best first; WebError says why there is nothing."""
        found = self._engine.ask(f"/search?{urlencode({'q': query, 'format': 'json'}, errors='replace')}", {})
        return results_in(self._engine.items(found, "content"), limit)


class Brave:
    """Asks Brave Search."""

    def __init__(self, key: str, url: str = BRAVE_URL, line: HttpLine | None = None) -> None:
        self._engine = _Engine("Brave", url, line, key)
        self._headers = {"X-Subscription-Token": key}

    def search(self, query: str, limit: int) -> list[Result]:
        """Return what was found, best first; WebError says why there is nothing."""
        wanted = urlencode({"q": query, "count": min(limit, _MOST_RESULTS)}, errors="replace")
        found = self._engine.ask(f"/res/v1/web/search?{wanted}", self._headers)
        # Where nothing was found, this part is missing.
        return results_in(self._engine.items(found.get("web", {"results": []}), "description"), limit)


class Tavily:
    """Asks Tavily."""

    def __init__(self, key: str, url: str = TAVILY_URL, line: HttpLine | None = None) -> None:
        self._engine = _Engine("Tavily", url, line, key)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def search(self, query: str, limit: int) -> list[Result]:
        """Return what was found, best first; WebError says why there is nothing."""
        wanted = {"query": query, "max_results": min(limit, _MOST_RESULTS)}
        found = self._engine.ask("/search", self._headers, json.dumps(wanted).encode())
        return results_in(self._engine.items(found, "content"), limit)


class _Engine:
    """One search as it is reached: what it is called, where it is, and its key, unless it needs none."""

    def __init__(self, name: str, url: str, line: HttpLine | None, key: str | None = None) -> None:
        self._name = name
        self._url = url.rstrip("/")
        self._key = key
        self._line = line or HttpLine(most_bytes=_MOST_BYTES)

    def ask(self, path: str, headers: Mapping[str, str], body: bytes | None = None) -> Mapping[str, Any]:
        """Return the object that it answers with."""
        self._check()
        target = target_of(f"{self._url}{path}", is_own=True)
        deadline = Deadline(self._line)
        known = addresses(target, self._line, deadline)
        method = "POST" if body else "GET"
        request = WebRequest(target, {"Accept": "application/json", **headers}, method, body)
        answer = call(request, known, self._line, deadline)
        if not 200 <= answer.status < 300:
            raise self._refused(answer.status)
        try:
            found = json.loads(answer.body)
        except (ValueError, RecursionError) as exc:
            raise self._nonsense() from exc
        if not isinstance(found, dict):
            raise self._nonsense()
        return found

    def items(self, found: Any, snippet: str) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the title, address and snippet of each result, whatever they are."""
        results = found.get("results") if isinstance(found, dict) else None
        if not isinstance(results, list):
            raise self._nonsense()
        for each in results:
            if isinstance(each, dict):
                yield each.get("title"), each.get("url"), each.get(snippet)

    def _check(self) -> None:
        """Raise what is wrong before anything is sent."""
        if not is_web_address(self._url) or "@" in self._url:
            raise WebError(
                "explorer.url is not an address such as {example}", example="http://127.0.0.1:8080"
            )
        if self._key is None:
            return
        if not self._key:
            raise WebError("{provider} needs a key; set {variable}", provider=self._name, variable=KEY)
        if not (self._key.isascii() and self._key.isprintable() and " " not in self._key):
            sentence = "the key in {variable} contains characters that keys never have; copy it again"
            raise WebError(sentence, variable=KEY)

    def _refused(self, status: int) -> WebError:
        if status == 403 and self._key is None:
            sentence = "{url} returns no JSON; add json to search.formats in its settings.yml"
            return WebError(sentence, url=self._url)
        if status in (401, 403) and self._key:
            sentence = "{provider} does not accept the key, or wants one; set {variable}"
            return WebError(sentence, provider=self._name, variable=KEY)
        if status in _TOO_MUCH:
            sentence = "{name} is rate-limiting us; wait, or choose another with explorer.search"
            return WebError(sentence, name=self._name)
        return WebError("{url} answered {status}", url=self._url, status=status)

    def _nonsense(self) -> WebError:
        sentence = "{url} did not answer like a search engine; correct explorer.search or explorer.url"
        return WebError(sentence, url=self._url)
