"""Fetches pages that anybody may see, and nothing else.

A host is resolved once for each step of the way, every address it has must be
public, and the connection goes to an address that was checked: what a name
server says later changes nothing. A redirect is a new step under the same rules.
"""

from urllib.parse import urldefrag, urljoin

from almario_explorer.calling import Deadline, HttpAnswer, HttpLine, WebRequest, addresses, call
from almario_explorer.reading import Readable, decoded, readable_html, readable_text
from almario_explorer.rules import Target, is_public, target_of
from almario_explorer.web import Page, WebError

MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_ACCEPT = "text/html, application/xhtml+xml, text/plain, application/json, application/xml;q=0.9"
_HTML = ("text/html", "application/xhtml+xml")


class Pages:
    """Fetches pages by `almario_explorer.rules`."""

    def __init__(self, line: HttpLine | None = None) -> None:
        self._line = line or HttpLine()

    def fetch(self, url: str) -> Page:
        """Return a page's text; WebError says why there is none."""
        deadline = Deadline(self._line)
        target = target_of(url)
        for _ in range(MOST_REDIRECTS + 1):
            answer = self._fetched(target, deadline)
            if answer.status not in _REDIRECTS:
                return _page(target, answer)
            target = _next(target, answer)
        raise WebError("{url} redirects endlessly", url=url)

    def _fetched(self, target: Target, deadline: Deadline) -> HttpAnswer:
        found = addresses(target, self._line, deadline)
        if not all(is_public(address) for address in found):
            raise WebError("{url} is not fetched: it is in a private network", url=target.shown)
        return call(WebRequest(target, {"Accept": _ACCEPT}), found, self._line, deadline)


def _next(target: Target, answer: HttpAnswer) -> Target:
    try:
        url = urldefrag(urljoin(target.url, _sent(answer.headers.get("Location", "")))).url
    except ValueError as exc:
        raise WebError("{url} does not exist", url=target.shown) from exc
    onward = target_of(url)
    if target.scheme == "https" and onward.scheme == "http":
        raise WebError("{url} is not fetched: it leads from https to http", url=target.shown)
    return onward


def _sent(header: str) -> str:
    """Return a header as it was sent, if that is UTF-8: http.client takes every byte for a letter."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def _page(target: Target, answer: HttpAnswer) -> Page:
    if not 200 <= answer.status < 300:
        raise WebError("{url} answered {status}", url=target.shown, status=answer.status)
    kind = answer.headers.get_content_type() if "Content-Type" in answer.headers else ""
    if not _is_text(kind):
        raise WebError("{url} is not a readable page: {kind}", url=target.shown, kind=kind[:80] or "?")
    source = decoded(answer.body, str(answer.headers.get_content_charset() or ""))
    read: Readable = readable_html(source, target.url) if kind in _HTML else readable_text(source)
    return Page(target.url, read.title, read.text, read.links)


def _is_text(kind: str) -> bool:
    named = kind in (*_HTML, "application/json", "application/xml")
    return named or kind.startswith("text/") or kind.endswith(("+json", "+xml"))
