"""The settings of the explorer: the section `[explorer]`."""

from almario.plugins import Section, option


class ExplorerSettings(Section):
    enabled: bool = option(False, "Let a reflection look for its open questions on the web.")
    search: str = option("searxng", "Which search is asked.", choices=("searxng", "brave", "tavily"))
    url: str = option("http://127.0.0.1:8080", "Where the SearXNG is.")
    rounds: int = option(6, "How often a model may use the web in one reflection.", low=1, high=100)
    pages: int = option(8, "How many pages may be fetched in one reflection.", low=1, high=1000)
