"""Settings: the model and its key, costs and limits, language, nights and backups; and all there are."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from almario import config
from almario.apps.dashboard.care_pages import jobs_of, nights_of
from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.dashboard.navigation import CARE
from almario.apps.dashboard.today import cost_today
from almario.apps.web.settings_routes import config_of
from almario.config import Config, ShownSetting
from almario.config.checks import ARGUMENT
from almario.domain.messages import Sentence, sentence_of
from almario.entry_points import installed
from almario.errors import AccessDenied, AlmarioError
from almario.wiring.model_keys import ADDRESS, VARIABLES, place_of, with_keys
from almario.wiring.models import AUTO, NONE, Models, OfferedModel, models, offered_models

router = APIRouter(prefix="/a/{agent}/care/settings", include_in_schema=False)
# What most people come for, by what it is about; the page shows all others below.
_FIRST = {
    "costs": ("llm.daily_tokens", "llm.daily_cost", "llm.prices"),
    "language": ("language", "timezone"),
    "nights": ("reflection.enabled", "reflection.schedule", "flush.enabled"),
    "backup": ("backup.enabled", "backup.keep", "backup.folder"),
}
# Who can be asked for a model, as people call them.
PROVIDERS: dict[str, Sentence] = {
    AUTO: Sentence("Whatever is found on this computer"),
    "anthropic": Sentence.own("Anthropic (Claude)"),
    "openai": Sentence.own("OpenAI (GPT)"),
    "openrouter": Sentence.own("OpenRouter"),
    "groq": Sentence.own("Groq"),
    "ollama": Sentence("{program}, on this computer", program="Ollama"),
    "lmstudio": Sentence("{program}, on this computer", program="LM Studio"),
    "vllm": Sentence("{program}, on this computer", program="vLLM"),
    "llamacpp": Sentence("{program}, on this computer", program="llama.cpp"),
    "local": Sentence("A downloaded one, on this computer"),
    "claude-cli": Sentence("The program claude, with its own login"),
    ADDRESS: Sentence("Another server with an OpenAI-compatible API"),
    NONE: Sentence("None"),
}
_PLACES = {
    "environment": Sentence("in the environment"),
    "keyring": Sentence("in the system’s keyring"),
    "file": Sentence("in a file that only you can read"),
}


@router.get("")
def settings(visit: Visits) -> Response:
    """Show every setting, with where its value came from."""
    if not visit.runs_home:
        raise AccessDenied("this is only for an owner's token that may do everything with all agents")
    found = config_of(visit.souls, visit.agent)
    every = found.shown()
    sections = [(name, list(of)) for name, of in groupby(every.values(), lambda each: _section(each.key))]
    return visit.shown(
        "settings.html",
        CARE,
        view="settings",
        models=lambda: _models(visit, found),
        offers=lambda: offers(visit, found),
        fetching=lambda: fetching(visit),
        provider=_provider(found),
        named=found.settings.llm.model.partition("/")[2],
        url=found.settings.llm.url,
        providers={name: word for name, word in PROVIDERS.items() if _is_there(name)},
        address=ADDRESS,
        keys=lambda: _keys(visit),
        first={about: [every[key] for key in keys] for about, keys in _FIRST.items()},
        sections=sections,
        cost=lambda: cost_today(visit),
        nights=lambda: list(nights_of(visit)),
        backups=visit.souls.backups,
        origin=lambda each: _origin(visit, each),
    )


def offers(visit: PageVisit, found: Config) -> Sequence[OfferedModel]:
    """Return the models that can be chosen with one click."""
    return offered_models(found.settings.llm, with_keys(visit.souls.root))


def fetching(visit: PageVisit) -> Sequence[tuple[Any, ...]]:
    """Return the download of a model, if one was asked for."""
    return [each for each in jobs_of(visit, "") if each[0].work == "model"][:1]


def _models(visit: PageVisit, found: Config) -> Models:
    given = visit.souls.llm
    try:
        return Models(given, given) if given else models(found.settings.llm, with_keys(visit.souls.root))
    except AlmarioError as exc:
        return Models(None, None, (sentence_of(exc),))


def _section(key: str) -> str:
    return key.rpartition(".")[0]


def _provider(found: Config) -> str:
    """Return who is asked for the model that talks; empty if several are, in turn."""
    model, url = found.settings.llm.model or AUTO, found.settings.llm.url
    provider = model.partition("/")[0]
    if provider in ("openai", AUTO) and url:
        return ADDRESS
    return provider if provider in PROVIDERS and "," not in model else ""


def _is_there(provider: str) -> bool:
    return provider not in ("local", "claude-cli") or provider in installed("llms")


def _keys(visit: PageVisit) -> list[tuple[str, str, bool]]:
    places = [(each, place_of(visit.souls.root, each)) for each in VARIABLES]
    return [(each, visit.say(_PLACES[place]), place != "environment") for each, place in places if place]


def _origin(visit: PageVisit, each: ShownSetting) -> str:
    words = {
        config.DEFAULT: Sentence("default"),
        config.HOME_FILE: Sentence("set for all agents"),
        config.AGENT_FILE: Sentence("set for {name}", name=visit.name),
        ARGUMENT: Sentence("given when the server was started"),
    }
    return visit.say(words.get(each.origin) or Sentence("from the environment: {name}", name=each.origin))
