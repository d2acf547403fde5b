"""From the settings to what looks on the web."""

from almario.adapters.web.fetching import Pages
from almario.adapters.web.searching import Brave, SearXNG, Tavily, key_in
from almario.becoming.settings import ExplorerSettings
from almario.ports import WebPages, WebSearch


def search(settings: ExplorerSettings) -> WebSearch:
    """Return the search that is set."""
    if settings.search == "searxng":
        return SearXNG(settings.url)
    return Brave(key_in()) if settings.search == "brave" else Tavily(key_in())


def pages() -> WebPages:
    """Return what fetches pages."""
    return Pages()
