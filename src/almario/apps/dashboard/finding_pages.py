"""What the dialog over any page finds: pages, people, days, and what can be done; Memory searches itself."""

from datetime import date
from functools import partial
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from almario.apps.dashboard.frame import PageVisit, Visits
from almario.domain.words import fold
from almario.text.timewords import whole_time

router = APIRouter(prefix="/a/{agent}/find", include_in_schema=False)
# So many people are shown.
_MOST = 6
# A search is of so many letters at least.
_LEAST = 2


@router.get("")
def find(visit: Visits, q: Annotated[str, Query(max_length=2000)] = "") -> Response:
    """Return the dialog's part for some words: without any, the pages and what can be done."""
    query = q.strip()
    if "part" not in visit.request.query_params:  # a link of 0.2, which had a page for it
        return RedirectResponse(visit.link("/memory", q=query), 303)
    return visit.shown(
        "found.html",
        asked=query,
        is_search=len(query) >= _LEAST,
        fits=partial(_fits, query),
        day=lambda: _day(visit, query),
        people=lambda: _people(visit, query),
    )


def _fits(query: str, *titles: str) -> bool:
    """Return whether a word of a title begins with what is asked for."""
    return not query or any(f" {fold(query)}" in f" {fold(title)}" for title in titles)


def _day(visit: PageVisit, query: str) -> date | None:
    meant = whole_time(query, visit.today) if len(query) >= _LEAST else None
    return meant.first if meant and meant.first == meant.last else None


def _people(visit: PageVisit, query: str) -> list[tuple[str, str]]:
    """Return whom memories speak of, with their pages, and whoever else has spoken anywhere."""
    if not query:
        return []
    found = {each.name: visit.link("/memory", q=each.name) for each in visit.soul.presence.people()}
    found |= {each.name: visit.link(f"/people/{quote(each.name, safe='')}") for each in visit.soul.people()}
    return [(name, link) for name, link in found.items() if _fits(query, name)][:_MOST]
