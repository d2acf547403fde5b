"""A web for tests."""

from collections.abc import Sequence

from almario_explorer.web import Page, Result, WebError, results_in


class ScriptedWeb:
    """A web of these pages: found by the words they share with a question, fetched by their address.

    Every question is kept in *searched*, every address in *fetched*.
    """

    def __init__(self, *pages: Page) -> None:
        self.pages = list(pages)
        self.searched: list[str] = []
        self.fetched: list[str] = []

    def search(self, query: str, limit: int) -> Sequence[Result]:
        self.searched.append(query)
        words = set(query.lower().split())
        shared = {
            page: len(words.intersection(f"{page.title} {page.text}".lower().split())) for page in self.pages
        }
        best = sorted((page for page in shared if shared[page]), key=lambda page: -shared[page])
        return results_in([(page.title, page.url, page.text) for page in best], limit)

    def fetch(self, url: str) -> Page:
        self.fetched.append(url)
        for page in self.pages:
            if page.url == url:
                return page
        raise WebError("{url} answered {status}", url=url, status=404)
