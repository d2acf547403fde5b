"""What the dialog over any page finds: pages, people, days, and what can be done; Memory searches itself."""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from almario.apps.dashboard.care_pages import work_for
from almario.apps.dashboard.frame import PageVisit, Visits
from almario.apps.dashboard.navigation import ENTRIES
from almario.domain.messages import Sentence
from almario.domain.words import fold
from almario.text.timewords import whole_time

router = APIRouter(prefix="/a/{agent}/find", include_in_schema=False)
# So many people are shown.
_MOST = 6
# A search is of so many letters at least.
_LEAST = 2
# Pages that are in no menu.
_OTHERS = {
    "/care/figures": Sentence("Figures"),
}
_OF_HOME = {"/care/settings": Sentence("Settings"), "/care/home": Sentence("All agents")}
# What else one may look for when one means a page.
_ALSO = {
    "/soul": Sentence("soul files, proposals"),
    "/care/settings": Sentence("language model, provider, API key, costs, language, time zone, nights"),
    "/care/home": Sentence("backups, restore, agents, trash, tokens, browsers, phone, log out, programs"),
}


class FoundPlace(NamedTuple):
    """Something that was found: where it is, or what does it."""

    title: str
    link: str = ""
    does: str = ""
    body: dict[str, Any] = {}  # noqa: RUF012 - never changed
    done: str = ""


@router.get("")
def find(visit: Visits, q: Annotated[str, Query(max_length=2000)] = "") -> Response:
    """Return the dialog's part for some words: without any, the pages and what can be done."""
    query = q.strip()
    if "part" not in visit.request.query_params:  # a link of 0.2, which had a page for it
        return RedirectResponse(visit.link("/memory", q=query), 303)
    return visit.shown("found.html", None, asked=query, found=lambda: _found(visit, query))


def _found(visit: PageVisit, query: str) -> list[tuple[Sentence, list[FoundPlace]]]:
    groups = [
        (Sentence("Pages"), _pages(visit, query)),
        (Sentence("Days"), _days(visit, query)),
        (Sentence("People"), _people(visit, query)),
        (Sentence("Memories"), _memories(visit, query)),
        (Sentence("What you can do"), _acts(visit, query)),
    ]
    return [(title, found) for title, of in groups if (found := list(of))]


def _fits(query: str, *titles: str) -> bool:
    """Return whether a word of a title begins with what is asked for."""
    return not query or any(f" {fold(query)}" in f" {fold(title)}" for title in titles)


def _pages(visit: PageVisit, query: str) -> Iterator[FoundPlace]:
    every = {entry.path: entry.title for entry in ENTRIES} | _OTHERS
    every |= _OF_HOME if visit.runs_home else {}
    for path, title in every.items():
        if _fits(query, visit.say(title), visit.say(_ALSO.get(path, title))):
            yield FoundPlace(visit.say(title), visit.link(path))


def _days(visit: PageVisit, query: str) -> Iterator[FoundPlace]:
    meant = whole_time(query, visit.today) if len(query) >= _LEAST else None
    if meant and meant.first == meant.last:
        yield FoundPlace(visit.long_day(meant.first), visit.link(f"/days/{meant.first}"))


def _people(visit: PageVisit, query: str) -> Iterator[FoundPlace]:
    """Yield whom memories speak of, with their pages, and whoever else has spoken anywhere."""
    if not query:
        return
    found = {each.name: visit.link("/memory", q=each.name) for each in visit.soul.presence.people()}
    found |= {each.name: visit.link(f"/people/{quote(each.name, safe='')}") for each in visit.soul.people()}
    for name in [each for each in found if _fits(query, each)][:_MOST]:
        yield FoundPlace(name, found[name])


def _memories(visit: PageVisit, query: str) -> Iterator[FoundPlace]:
    if len(query) >= _LEAST:
        yield FoundPlace(
            visit.say(Sentence("Search for “{words}”", words=query)), visit.link("/memory", q=query)
        )


def _acts(visit: PageVisit, query: str) -> Iterator[FoundPlace]:
    if not visit.may("write"):
        return
    if len(query) >= _LEAST:
        title = visit.say(Sentence("Remember: “{words}”", words=query))
        done = visit.say(Sentence("Remembered."))
        yield FoundPlace(title, does=f"POST {visit.api('/memories')}", body={"text": query}, done=done)
    talk = visit.say(Sentence("New conversation"))
    if _fits(query, talk):
        yield FoundPlace(talk, visit.new_talk)
    started = visit.say(Sentence("Started."))
    for work, (title, _, _) in work_for(visit).items():
        if query and _fits(query, visit.say(title)):
            does = f"POST {visit.api('/jobs')}"
            yield FoundPlace(visit.say(title), does=does, body={"work": work}, done=started)
    backup = visit.say(Sentence("Back up now"))
    if query and visit.runs_home and _fits(query, backup):
        yield FoundPlace(backup, does="POST /api/v1/jobs/backup", done=started)
    for agent, name in visit.agents:
        if query and agent != visit.agent and _fits(query, name, agent):
            yield FoundPlace(name, f"/a/{quote(agent)}")
