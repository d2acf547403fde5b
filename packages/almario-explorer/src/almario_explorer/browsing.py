"""The two things that a model may do on the web: search, and read a page.

It reads only what a search or a page has named, by the address as it stood
there: an address of the model's own making could carry words out.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from almario.domain.messages import Sentence, sentence_of
from almario.domain.plain_text import whole
from almario.domain.talk import ToolCall, ToolSpec
from almario.structured_reply.schema import problems, record, text
from almario_explorer.web import (
    LONGEST_URL,
    Page,
    Private,
    Result,
    WebError,
    WebPages,
    WebSearch,
    same_address,
)

# So much of a page is shown at once, and so many of its links.
SHOWN = 4000
_LINKS = 20
_RESULTS = 6
# Searches take no longer questions than this.
_QUERY, _WORDS = 400, 50
# So many failures are told; a web that is out of reach fails often, and in few ways.
_MOST_NOTICES = 5


def _tool(name: str, description: str, argument: str, about: str, most: int) -> ToolSpec:
    given = {**text(most, least=1), "description": about}
    return ToolSpec(name, description, record(**{argument: given}))


TOOLS = (
    _tool("web_search", "Search the web.", "query", "What to search for: few words, no names.", _QUERY),
    _tool(
        "web_fetch",
        "Read a page.",
        "url",
        "Its address, exactly as a search or a page has given it.",
        LONGEST_URL,
    ),
)
_SPECS = {spec.name: spec for spec in TOOLS}


class Seen(NamedTuple):
    """What a page says, or what a search says of it."""

    url: str
    title: str
    text: str
    was_read: bool = False


class Web(NamedTuple):
    """A search and pages; *redact* takes secrets out of what is searched for, *private* words are refused."""

    search: WebSearch
    pages: WebPages
    redact: Callable[[str], str]
    private: Private


class Browsing:
    """Searches and reads for a model, so often and no oftener, and remembers what was seen."""

    def __init__(self, web: Web, *, most: int) -> None:
        """*most* is how many pages may be fetched."""
        self._web = web
        self._left = most
        self._named: dict[str, str] = {}
        self._seen: dict[str, Seen] = {}
        self.has_searched = False
        self.notices: list[Sentence] = []

    @property
    def seen(self) -> tuple[Seen, ...]:
        """What was seen, the pages that were read first."""
        return tuple(sorted(dict.fromkeys(self._seen.values()), key=lambda each: not each.was_read))

    def address(self, url: str) -> str:
        """Return the address of something seen, as it was there; empty if it was not."""
        found = self._seen.get(same_address(url))
        return found.url if found else ""

    def use(self, call: ToolCall) -> str:
        """Do what a model wants done, and return what it is told."""
        spec = _SPECS.get(call.name)
        if spec is None:
            return f"There is no such tool; there are {' and '.join(_SPECS)}."
        wrong = [call.problem] if call.problem else problems(call.arguments, spec.schema)
        if wrong:
            return "; ".join(wrong)
        [given] = call.arguments.values()
        try:
            if spec.name == "web_search":
                return _listed(self.search(given))
            return _shown(self.fetch(given))
        except WebError as exc:
            self._tell(exc)
            return str(exc)

    def search(self, query: str) -> Sequence[Result]:
        """Return what a search finds; its addresses may be read from now on."""
        self.has_searched = True
        wanted = self._web.redact(whole(query))
        if word := self._web.private(wanted):
            raise WebError('searches may not contain "{word}", which is in memory', word=word)
        found = self._web.search.search(" ".join(wanted.split()[:_WORDS])[:_QUERY], _RESULTS)
        for result in found:
            self._named.setdefault(same_address(result.url), result.url)
            seen = Seen(result.url, result.title, result.text)
            self._seen.setdefault(same_address(result.url), seen)
        return found

    def fetch(self, url: str) -> Page:
        """Return a page that was named before."""
        named = self._named.get(same_address(url))
        if named is None:
            raise WebError("only what a search or a page has named is fetched")
        if not self._left:
            raise WebError("no more pages will be fetched in this reflection")
        self._left -= 1
        page = self._web.pages.fetch(named)
        for each in (page.url, *page.links):
            self._named.setdefault(same_address(each), each)
        for each in (named, page.url):
            self._seen[same_address(each)] = Seen(page.url, page.title, page.text, was_read=True)
        return page

    def look(self, question: str) -> None:
        """Search for a question and read the first page, for a model that does not do it itself."""
        try:
            found = self.search(question)
            if found and self._left:
                self.fetch(found[0].url)
        except WebError as exc:
            self._tell(exc)

    def _tell(self, error: WebError) -> None:
        if len(self.notices) < _MOST_NOTICES and str(error) not in map(str, self.notices):
            self.notices.append(sentence_of(error))


def _listed(found: Sequence[Result]) -> str:
    lines = [f"- {each.url}\n  {each.title}\n  {each.text}" for each in found]
    return "\n".join(lines) or "Nothing was found."


def _shown(page: Page) -> str:
    links = "\n".join(f"- {link}" for link in page.links[:_LINKS])
    return "\n\n".join(
        [page.url, page.title, page.text[:SHOWN], f"It links to:\n{links}" if links else ""]
    ).strip()
