"""From the settings to the provider that answers what other programs ask here."""

import os
from collections.abc import Callable, Mapping
from typing import Literal

from almario.adapters.addresses import Endpoint, host_of, origin_of
from almario.adapters.llm.finding import PROVIDERS, Surroundings, endpoint_of
from almario.config import Settings
from almario.errors import ConfigError
from almario_gateway.settings import GatewaySettings

__all__ = ["Endpoint", "Form", "upstream"]

# The form of a request, by whose interface it is.
Form = Literal["openai", "anthropic"]
# The key of a provider of one's own; a provider's own key goes to that provider alone.
OWN_KEY = "ALMARIO_GATEWAY_API_KEY"
_ANTHROPIC = PROVIDERS["anthropic"]


def upstream(
    form: Form, settings: Settings, talks: Callable[[], str], environment: Mapping[str, str] = os.environ
) -> Endpoint:
    """Return where requests of a form go, with the key and the model that is asked if none is named.

    *talks* gives the name of the model that talks. ConfigError says what is missing.
    """
    if form == "anthropic":
        found = _anthropic(settings, talks, environment)
    else:
        found = _openai(settings, talks, environment)
    if found.needs_key and not found.key:
        sentence = "{variable} is not set, and {host} wants a key; set it where almario serve runs"
        raise ConfigError(sentence, variable=found.variable, host=host_of(found.url))
    return found


def _anthropic(settings: Settings, talks: Callable[[], str], environment: Mapping[str, str]) -> Endpoint:
    chosen = settings.of_plugin("gateway", GatewaySettings)
    url = chosen.anthropic_url.rstrip("/").removesuffix("/v1") or _ANTHROPIC.url
    found = _own("anthropic", url, environment, key="gateway.anthropic_url")
    provider, _, model = talks().partition("/") if not chosen.anthropic_model else ("", "", "")
    own = model if provider == "anthropic" else ""
    return found._replace(model=chosen.anthropic_model or own)


def _openai(settings: Settings, talks: Callable[[], str], environment: Mapping[str, str]) -> Endpoint:
    chosen = settings.of_plugin("gateway", GatewaySettings)
    if chosen.openai_url:
        url = chosen.openai_url.rstrip("/")
        found = _own("openai", url, environment, key="gateway.openai_url")
        return found._replace(model=chosen.openai_model or _same_place(url, settings, talks()))
    around = Surroundings(settings.llm.url, environment=environment)
    name = talks()
    if name.partition("/")[0] not in PROVIDERS or name.startswith("anthropic"):
        if not environment.get(PROVIDERS["openai"].variable, "").strip():
            raise ConfigError(
                "nothing answers requests in OpenAI's form: set gateway.openai_url, or OPENAI_API_KEY, where "
                "almario serve runs"
            )
        name = "openai"
    found = endpoint_of(name, around, "llm.model")
    return found._replace(model=chosen.openai_model or found.model)


def _own(form: Form, url: str, environment: Mapping[str, str], *, key: str) -> Endpoint:
    """Return the endpoint at an address; the key of a provider that we know goes nowhere else."""
    if not host_of(url):
        example = PROVIDERS["ollama"].url if form == "openai" else _ANTHROPIC.url
        raise ConfigError("{key} is not an address such as {example}", key=key, example=example)
    known = {origin_of(each.url): each.variable for each in PROVIDERS.values() if each.variable}
    origin = origin_of(url)
    variable = known.get(origin, OWN_KEY)
    secret = environment.get(variable, "").strip()
    return Endpoint(form, url, "", secret, variable, origin in known)


def _same_place(url: str, settings: Settings, name: str) -> str:
    """Return the model that talks, if it is asked at the same place."""
    provider, _, model = name.partition("/")
    known = settings.llm.url if provider == "openai" and settings.llm.url else ""
    known = known or (PROVIDERS[provider].url if provider in PROVIDERS else "")
    return model if known.rstrip("/") == url else ""
