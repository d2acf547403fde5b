"""Find anything: pages, memories, people, days, and what can be done; in a dialog over any page, or here."""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.care_pages import WORK, runs_home
from almario.apps.dashboard.frame import Looks, PageVisit
from almario.apps.dashboard.navigation import ENTRIES
from almario.apps.dashboard.talk_pages import fresh_session
from almario.domain.memories import Wanted
from almario.domain.messages import Sentence
from almario.domain.words import fold
from almario.text.timewords import whole_time

router = APIRouter(prefix="/a/{agent}/find", include_in_schema=False)
# So many are shown of each kind, and so many memories are searched for.
_MOST, _MOST_MEMORIES = 6, 8
# A search is of so many letters at least.
_LEAST = 2
# Pages that are in no menu.
_OTHERS = {
    "/soul/proposals": Sentence("Proposals"),
    "/soul/drift": Sentence("Drift"),
    "/care/figures": Sentence("Figures"),
}
_OF_HOME = {"/care/settings": Sentence("Settings"), "/care/home": Sentence("The home")}


class FoundPlace(NamedTuple):
    """Something that was found: where it is, or what does it."""

    title: str
    link: str = ""
    does: str = ""
    body: dict[str, Any] = {}  # noqa: RUF012 - never changed
    done: str = ""


@router.get("")
def find(visit: Looks, q: Annotated[str, Query(max_length=2000)] = "") -> Response:
    """Show what there is for some words; without any, the pages and what can be done."""
    asked = q.strip()
    return visit.shown("find.html", None, asked=asked, found=lambda: _found(visit, asked))


def _found(visit: PageVisit, asked: str) -> list[tuple[Sentence, list[FoundPlace]]]:
    groups = [
        (Sentence("Pages"), _pages(visit, asked)),
        (Sentence("Days"), _days(visit, asked)),
        (Sentence("People"), _people(visit, asked)),
        (Sentence("Memories"), _memories(visit, asked)),
        (Sentence("What you can do"), _acts(visit, asked)),
    ]
    return [(title, found) for title, of in groups if (found := list(of))]


def _fits(asked: str, *titles: str) -> bool:
    return not asked or any(fold(asked) in fold(title) for title in titles)


def _pages(visit: PageVisit, asked: str) -> Iterator[FoundPlace]:
    every = {entry.path: entry.title for entry in ENTRIES} | _OTHERS
    every |= _OF_HOME if runs_home(visit) else {}
    for path, title in every.items():
        if _fits(asked, visit.say(title)):
            yield FoundPlace(visit.say(title), visit.link(path))


def _days(visit: PageVisit, asked: str) -> Iterator[FoundPlace]:
    meant = whole_time(asked, visit.today) if len(asked) >= _LEAST else None
    if meant and meant.first == meant.last:
        yield FoundPlace(visit.long_day(meant.first), visit.link(f"/days/{meant.first}"))


def _people(visit: PageVisit, asked: str) -> Iterator[FoundPlace]:
    """Yield whom memories speak of, with their pages, and whoever else has spoken anywhere."""
    if not asked:
        return
    found = {each.name: visit.link("/memory", q=each.name) for each in visit.soul.presence.people()}
    found |= {each.name: visit.link(f"/people/{quote(each.name, safe='')}") for each in visit.soul.people()}
    for name in [each for each in found if _fits(asked, each)][:_MOST]:
        yield FoundPlace(name, found[name])


def _memories(visit: PageVisit, asked: str) -> Iterator[FoundPlace]:
    if len(asked) < _LEAST:
        return
    hits = visit.soul.recall(asked, limit=_MOST_MEMORIES)
    found = {hit.memory: hit.text for hit in hits if hit.memory}
    wanted = Wanted(text=asked, newest=True, limit=_MOST_MEMORIES)
    found |= {each.id: each.text for each in visit.soul.memory.list(wanted)}
    for memory, text in list(found.items())[:_MOST_MEMORIES]:
        yield FoundPlace(text, visit.memory_link(memory))
    yield FoundPlace(visit.say(Sentence("Search for “{words}”", words=asked)), visit.link("/memory", q=asked))


def _acts(visit: PageVisit, asked: str) -> Iterator[FoundPlace]:
    if not visit.may("write"):
        return
    if len(asked) >= _LEAST:
        title = visit.say(Sentence("Remember: “{words}”", words=asked))
        done = visit.say(Sentence("Remembered."))
        yield FoundPlace(title, does=f"POST {visit.api('/memories')}", body={"text": asked}, done=done)
    talk = visit.say(Sentence("New conversation"))
    if _fits(asked, talk):
        yield FoundPlace(talk, visit.talk_link(fresh_session(visit)))
    started = visit.say(Sentence("Started."))
    for work, (title, _, _) in WORK.items():
        if asked and _fits(asked, visit.say(title)):
            does = f"POST {visit.api('/jobs')}"
            yield FoundPlace(visit.say(title), does=does, body={"work": work}, done=started)
    backup = visit.say(Sentence("Back up now"))
    if asked and runs_home(visit) and _fits(asked, backup):
        yield FoundPlace(backup, does="POST /api/v1/jobs/backup", done=started)
    for agent, name in visit.agents:
        if asked and agent != visit.agent and _fits(asked, name, agent):
            yield FoundPlace(name, f"/a/{quote(agent)}")
