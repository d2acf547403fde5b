"""Settings: the model and its key, costs and limits, language, nights and backups; and all there are."""

from collections.abc import Sequence
from itertools import groupby

from fastapi import APIRouter
from fastapi.responses import Response

from almario.apps.dashboard.care_pages import jobs_of, nights_of
from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.web.jobs import WebJob
from almario.apps.web.settings_routes import config_of
from almario.config import Config
from almario.domain.messages import sentence_of
from almario.entry_points import installed
from almario.errors import AccessDenied, AlmarioError
from almario.wiring.model_keys import ADDRESS, VARIABLES, hosts_of, place_of, with_keys
from almario.wiring.models import AUTO, Models, OfferedModel, models, offered_models

router = APIRouter(prefix="/a/{agent}/care/settings", include_in_schema=False)
# What most people come for besides the model, by what it is about: seven things; the page has all others on
# request.
_FIRST = {
    "costs": ("llm.daily_tokens",),
    "language": ("language", "timezone"),
    "nights": ("reflection.enabled", "reflection.schedule"),
    "backup": ("backup.enabled", "backup.folder"),
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
        models=lambda: _models(visit, found),
        offers=lambda: offers(visit, found),
        fetching=lambda: fetching(visit),
        provider=_provider(found),
        named=found.settings.llm.model.partition("/")[2],
        url=found.settings.llm.url,
        is_there=_is_there,
        keys=lambda: _keys(visit),
        first={about: [every[key] for key in keys] for about, keys in _FIRST.items()},
        sections=sections,
        nights=lambda: nights_of(visit),
        backups=visit.souls.backups,
    )


def offers(visit: PageVisit, found: Config) -> Sequence[OfferedModel]:
    """Return the models that can be chosen with one click."""
    return offered_models(found.settings.llm, with_keys(visit.souls.root, found))


def fetching(visit: PageVisit) -> Sequence[WebJob]:
    """Return the download of a model, if one was asked for."""
    return [each for each in jobs_of(visit, "") if each.work == "model"][:1]


def _models(visit: PageVisit, found: Config) -> Models:
    given = visit.souls.llm
    try:
        return (
            Models(given, given) if given else models(found.settings.llm, with_keys(visit.souls.root, found))
        )
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
    return "" if "," in model else provider


def _is_there(provider: str) -> bool:
    return provider not in ("local", "claude-cli") or provider in installed("llms")


def _keys(visit: PageVisit) -> list[tuple[str, str, str]]:
    """Return the keys that there are, each with its place, and the hosts that it is kept for."""
    root = visit.souls.root
    found = [(each, place_of(root, each), ", ".join(hosts_of(root, each))) for each in VARIABLES]
    return [each for each in found if each[1]]
