"""The first page: what is known about the owner; and a page for each person that memories speak of."""

from collections.abc import Callable
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import Response

from almario.apps.dashboard.care_pages import jobs_of
from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.dashboard.settings_pages import fetching, offers
from almario.apps.web.settings_routes import config_of
from almario.domain.memories import STATES, Memory, Wanted
from almario.domain.plain_text import regex
from almario.domain.portrait import KnownPerson, Portrait, PortraitSentence
from almario.domain.withheld import MASK
from almario.errors import NotFound
from almario.memory.rules.page_file import page_path
from almario.wiring.models import is_chosen

router = APIRouter(prefix="/a/{agent}", include_in_schema=False)
# So many people are listed.
_MOST_PEOPLE = 24
# What stands for something withheld; what identifies somebody and opens nothing is shown to the owner.
_HIDDEN, _NUMBERS = regex(r"\[withheld:([a-z-]+)\]"), ("phone", "national-id")


@router.get("")
def portrait(visit: Visits) -> Response:
    """Show what is known about the owner."""
    return _shown(visit, "", visit.soul.portrait)


@router.get("/people/{person}")
def person(visit: Visits, person: str) -> Response:
    """Show what is known about somebody."""
    try:
        found = visit.soul.portrait(person)
    except NotFound:
        if "part" not in visit.request.query_params:
            raise
        found = Portrait(person)  # all that was known was just called wrong, on this very page
    return _shown(visit, found.name, lambda: found)


def _shown(visit: PageVisit, name: str, page: Callable[[], Portrait]) -> Response:
    settings = config_of(visit.souls, visit.agent)
    return visit.shown(
        "portrait.html",
        name=name,
        file=page_path(name),
        page=lambda: _with_numbers(visit, page()),
        evidence=lambda found: _evidence(visit, found),
        people=lambda: _people(visit),
        may_ask=not name and visit.has_model,
        writing=lambda: [each for each in jobs_of(visit, visit.agent) if each.work == "portray"][:1],
        asks_model=not name and visit.runs_home,
        is_open=lambda: not (visit.souls.llm or is_chosen(settings)),
        offers=lambda: offers(visit, settings),
        fetching=lambda: fetching(visit),
    )


def _with_numbers(visit: PageVisit, page: Portrait) -> Portrait:
    """Return a page with its telephone numbers, which no model is told: here the owner looks."""
    if not any(MASK in each.text for each in page.sentences):
        return page
    held = {each.name: each.suspected for each in visit.soul.memory.withheld()}

    def whole(each: PortraitSentence) -> PortraitSentence:
        hidden = held.get(each.evidence[0], ()) if len(each.evidence) == 1 else ()
        if len(hidden) != each.text.count(MASK):
            return each
        left = iter(hidden)
        told = _HIDDEN.sub(lambda mask: (mask[0], next(left))[mask[1] in _NUMBERS], each.text)
        return each._replace(text=told)

    parts = (part._replace(sentences=tuple(map(whole, part.sentences))) for part in page.parts)
    return page._replace(parts=tuple(parts))


def _evidence(visit: PageVisit, page: Portrait) -> dict[str, Memory]:
    """Return the memories that sentences of a page rest on which rest on several, by id."""
    ids = [one for each in page.sentences if len(each.evidence) > 1 for one in each.evidence]
    found = visit.soul.memory.list(Wanted(ids=tuple(dict.fromkeys(ids)), states=STATES)) if ids else []
    return {memory.id: memory for memory in found}


def _people(visit: PageVisit) -> list[tuple[KnownPerson, str]]:
    known = visit.soul.people()[:_MOST_PEOPLE]
    return [(each, visit.link(f"/people/{quote(each.name, safe='')}")) for each in known]
