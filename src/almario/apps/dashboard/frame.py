"""What every page has: who looks, at which agent, in which language and colours; and the frame around it."""

from contextlib import suppress
from datetime import date, datetime
from functools import cached_property
from typing import Annotated, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import Depends, Path, Request
from fastapi.responses import Response

from almario.apps.dashboard.rendering import day_word, html, rendered
from almario.apps.web.access import SCOPES, Grant, Scope, csrf_of
from almario.apps.web.asking import grant_of, soul_for, souls_of
from almario.apps.web.gatekeeping import COOKIE, LOGIN
from almario.apps.web.readers import reading_language, tell
from almario.domain.documents.daily import log_day
from almario.domain.messages import Sentence
from almario.domain.model import DEFAULT_AGENT
from almario.domain.turn_ids import turn_id
from almario.domain.validity import by_name, time_phrase_of
from almario.domain.vocabulary import WEEKDAYS, conversation
from almario.errors import NotFound
from almario.soul import Soul
from almario.wiring.souls import Souls

THEMES = ("light", "dark")
# What a browser keeps of how its owner wants to see pages.
THEME_COOKIE = "almario-theme"
# Of more agents than these, only the ids are shown: each name is a file to read.
_MOST_NAMES, _MOST_SHOWN = 20, 500
# Conversations that are begun on a page, and what they are called after.
CHANNEL, _STAMP = "web", "%Y-%m-%d-%H%M%S"


class PageStyle(NamedTuple):
    """The language that a page is in, and its colours; without a theme, the system's."""

    language: str
    theme: str


def style_of(request: Request) -> PageStyle:
    """Return how a browser wants to see pages: as it was told, as the settings say, or as it asks."""
    theme = request.cookies.get(THEME_COOKIE, "")
    return PageStyle(reading_language(), theme if theme in THEMES else "")


class PageVisit:
    """One look at a page of an agent."""

    def __init__(self, request: Request, soul: Soul, grant: Grant) -> None:
        self.request = request
        self.soul = soul
        self.grant = grant
        self.language, self.theme = style_of(request)

    @property
    def agent(self) -> str:
        return self.soul.id

    @cached_property
    def name(self) -> str:
        return self.soul.name

    @cached_property
    def emoji(self) -> str:
        return self.soul.identity("emoji")

    @property
    def souls(self) -> Souls:
        return souls_of(self.request)

    @cached_property
    def now(self) -> datetime:
        """The present instant, where the owner is."""
        return self.souls.clock().astimezone(self.soul.zone)

    @property
    def today(self) -> date:
        return self.now.date()

    @cached_property
    def position(self) -> str:
        """Where the events were as the page was begun; what is said or changed after it reaches the page."""
        return f"{self.soul.position}-{int(self.now.timestamp() * 1000)}"

    @property
    def csrf(self) -> str:
        cookie = self.request.cookies.get(COOKIE, "")
        return csrf_of(cookie) if cookie else ""

    @property
    def address(self) -> str:
        """Where the page is, with its query."""
        return self._asked_for()

    def list_from(self, offset: int) -> str:
        """Return where the same page shows its list from another place on."""
        return self._asked_for(offset=offset if offset > 0 else None)

    def _asked_for(self, **other: object) -> str:
        """Return the address of the whole page, with *other* values for some of its query; None is none."""
        asked = {**self.request.query_params, "part": None, **other}
        query = urlencode({name: value for name, value in asked.items() if value is not None})
        return self.request.url.path + (f"?{query}" if query else "")

    @cached_property
    def agents(self) -> list[tuple[str, str]]:
        """The agents that may be looked at: ids and names."""
        known = self.souls.agents(self.grant.agents, most=_MOST_SHOWN)
        are_few = len(known) <= _MOST_NAMES
        return [(agent.id, self.souls.name_of(agent) if are_few else agent.id) for agent in known]

    def may(self, scope: Scope) -> bool:
        """Return whether an act is allowed that needs a scope."""
        return SCOPES.index(self.grant.scope) >= SCOPES.index(scope)

    @property
    def runs_home(self) -> bool:
        """Whether whoever looks may look after the whole home."""
        return self.may("admin") and self.grant.agents is None

    @property
    def has_model(self) -> bool:
        return self.soul.models.talk is not None

    def link(self, path: str = "", **query: object) -> str:
        """Return the address of a page of this agent; what is empty is left out of the query."""
        fields = {name: value for name, value in query.items() if value not in ("", None, (), [])}
        return f"/a/{quote(self.agent)}{path}" + (f"?{urlencode(fields, doseq=True)}" if fields else "")

    def memory_link(self, memory_id: str) -> str:
        return self.link(f"/memory/{quote(memory_id, safe='')}")

    def turn_link(self, turn: str) -> str:
        """Return where a message stands in its conversation, by its id."""
        session, n = turn_id(turn)
        return f"{self.talk_link(session, turn=n)}#turn-{n}"

    def talk_link(self, session: str, **query: object) -> str:
        """Return where a conversation is."""
        return self.link(f"/talk/{quote(session, safe=':')}", **query)

    @property
    def new_talk(self) -> str:
        """Where a conversation is that begins now; it is called after its instant."""
        return self.talk_link(f"{CHANNEL}:{self.now:{_STAMP}}")

    def conversation(self, session: str) -> str:
        """Return what a conversation is called; one that was begun here, by when that was."""
        channel, _, stamp = session.partition(":")
        with suppress(ValueError):
            begun = datetime.strptime(stamp, _STAMP).replace(tzinfo=self.soul.zone)
            session = f"{channel}:{self.when(begun)}"
        return conversation(session)

    def place_of(self, name: str) -> str:
        """Return where a memory, a message or a line of a log is, by its name; nothing if it has no page.

        Names are `3f9a2c1b`, `cli:main#2`, `memory/2026-11-14.md#5`.
        """
        path = name.rpartition("#")[0]
        if not path:
            return self.memory_link(name)
        if day := log_day(path):
            return self.link(f"/days/{day}")
        return self.turn_link(name) if ":" in turn_id(name).session else ""

    def api(self, path: str) -> str:
        """Return the address of the API for this agent."""
        return f"/api/v1/agents/{quote(self.agent)}{path}"

    def command(self, line: str) -> str:
        """Return what does the same in a terminal."""
        return f"almario {line}" + (f" --agent {self.agent}" if self.agent != DEFAULT_AGENT else "")

    def say(self, sentence: Sentence) -> str:
        """Say a sentence of ours in the reader's language; anybody's words in it stay as they are."""
        return tell(sentence)

    def day(self, day: date | datetime) -> str:
        """Say a day as people do."""
        local = day.astimezone(self.soul.zone).date() if isinstance(day, datetime) else day
        return self.say(day_word(local, self.today))

    def long_day(self, day: date) -> str:
        """Say a day with its name: Monday, 16 November 2026."""
        weekday, named = WEEKDAYS[day.weekday()], by_name(day.isoformat())
        return self.say(Sentence("{weekday}, {date}", weekday=weekday, date=named))

    def when(self, at: datetime) -> str:
        """Say an instant as people do: the day, and the hour."""
        return f"{self.day(at)}, {self.clock(at)}"

    def fully(self, at: datetime) -> str:
        """Say an instant with its whole date, for who points at it."""
        return f"{self.long_day(at.astimezone(self.soul.zone).date())}, {self.clock(at)}"

    def clock(self, at: datetime) -> str:
        return f"{at.astimezone(self.soul.zone):%H:%M}"

    def exactly(self, at: datetime) -> str:
        """Return an instant for machines."""
        return at.astimezone(self.soul.zone).isoformat(timespec="seconds")

    def dated(self, written: str) -> str:
        """Say when something was, or since and until when it holds; nothing if that was not said."""
        phrase = time_phrase_of(written, self.today)
        return self.say(phrase) if phrase else ""

    def shown(self, template: str, **facts: object) -> Response:
        """Return the page, or the part of it that is asked for."""
        part = self.request.query_params.get("part", "")
        with self.soul.memory.snapshot():  # a page is one look at the folder
            text = rendered(self.language, template, {"visit": self, **facts}, part)
        if text is None:
            raise NotFound('this page has no part "{part}"', part=part)
        return html(text)


def _visit(
    request: Request, agent: Annotated[str, Path(description="The agent's id.", examples=["default"])]
) -> PageVisit:
    grant = grant_of(request)
    grant.need("read")
    return PageVisit(request, soul_for(souls_of(request), grant, agent), grant)


# Whoever looks at a page of an agent: with an owner's token or cookie, or not at all.
Visits = Annotated[PageVisit, Depends(_visit)]


def plain_page(request: Request, template: str, status: int = 200, **facts: object) -> Response:
    """Return a page that is about no agent."""
    style = style_of(request)
    text = rendered(style.language, template, {"look": style, **facts})
    return html(text or "", status)


def problem_page(request: Request, status: int, detail: str) -> Response:
    """Tell a person in a browser what is wrong, and what to do about it."""
    if status == 401:
        return plain_page(request, "login.html", status, detail=detail if request.url.path == LOGIN else "")
    return plain_page(request, "problem.html", status, detail=detail)
