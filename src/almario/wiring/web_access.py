"""From the settings to what looks on the web."""

from almario.adapters.web.fetching import Pages
from almario.adapters.web.searching import Brave, SearXNG, Tavily, search_key
from almario.becoming.settings import ExplorerSettings
from almario.ports import WebPages, WebSearch


def search(settings: ExplorerSettings) -> WebSearch:
    """Return the search that is set."""
    if settings.search == "searxng":
        return SearXNG(settings.url)
    key = search_key()
    return Brave(key) if settings.search == "brave" else Tavily(key)


def pages() -> WebPages:
    """Return what fetches pages."""
    return Pages()
