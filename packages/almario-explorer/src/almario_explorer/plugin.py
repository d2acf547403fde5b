"""From the settings to what looks on the web: the entry point."""

from almario.plugins import Exploration
from almario_explorer.exploring import WebExplorer
from almario_explorer.fetching import Pages
from almario_explorer.searching import Brave, SearXNG, Tavily, search_key
from almario_explorer.settings import ExplorerSettings
from almario_explorer.web import WebSearch


def explorer(given: Exploration) -> WebExplorer | None:
    """Return what looks on the web, if its owner lets it."""
    settings: ExplorerSettings = given.settings
    if not settings.enabled:
        return None
    return WebExplorer(
        search_set(settings),
        Pages(),
        given.llm,
        settings,
        language=given.language,
        redact=given.redact,
        private=given.private,
    )


def search_set(settings: ExplorerSettings) -> WebSearch:
    """Return the search that is set."""
    if settings.search == "searxng":
        return SearXNG(settings.url)
    key = search_key()
    return Brave(key) if settings.search == "brave" else Tavily(key)
