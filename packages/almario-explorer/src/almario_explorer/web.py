"""What the web brings: search results and the text of pages. None of it is trusted."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from almario.domain.plain_text import in_one_line, whole
from almario.errors import AlmarioError

# Longer addresses carry something else than a place.
LONGEST_URL = 2000
_TITLE, _SNIPPET = 200, 500

# Says which private word a text has in it; empty if it has none.
Private = Callable[[str], str]


class WebError(AlmarioError):
    """A page or a search could not be had, or must not be."""


class Result(NamedTuple):
    """One thing that a search found; *text* is the snippet."""

    title: str
    url: str
    text: str = ""


class Page(NamedTuple):
    """A page's text; *url* is where it was found in the end, *links* are the addresses it names."""

    url: str
    title: str
    text: str
    links: tuple[str, ...] = ()


class WebSearch(Protocol):
    """Searches the web."""

    def search(self, query: str, limit: int) -> Sequence[Result]:
        """Return what was found, best first; WebError says why there is nothing."""


class WebPages(Protocol):
    """Fetches pages that anybody may see."""

    def fetch(self, url: str) -> Page:
        """Return a page's text; WebError says why there is none."""


def results_in(found: Iterable[Sequence[Any]], limit: int) -> list[Result]:
    """Return what a search says it found (title, address, snippet), as far as it is that, each page once."""
    kept: dict[str, Result] = {}
    for title, url, text in found:
        if len(kept) < limit and isinstance(url, str) and is_web_address(url):
            result = Result(_line(title, _TITLE), url, _line(text, _SNIPPET))
            kept.setdefault(same_address(url), result)
    return list(kept.values())


def is_web_address(url: str) -> bool:
    """Return whether a text has the form of an address that a page could have."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    is_plain = len(url) <= LONGEST_URL and url.isprintable() and " " not in url
    return is_plain and parts.scheme in ("http", "https") and bool(parts.hostname)


def same_address(url: str) -> str:
    """Return an address without what does not tell pages apart; it need not be one."""
    return url.strip().partition("#")[0].rstrip("/")


def _line(text: Any, most: int) -> str:
    return in_one_line(whole(text[: 4 * most]))[:most] if isinstance(text, str) else ""
