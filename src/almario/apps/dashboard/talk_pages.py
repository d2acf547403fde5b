"""Talking: the conversations, and one to read and go on with; what came to mind beside each answer."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import Response

from almario.apps.dashboard.frame import CHANNEL, PageVisit, Visits
from almario.apps.dashboard.memory_pages import FoundMemories, found_by, listed
from almario.domain.memories import Memory, Wanted
from almario.domain.model import certainty
from almario.domain.turns import DEFAULT_SESSION, SPOKEN, Turn
from almario.errors import NotFound
from almario.text.forms import besides, forms_in

router = APIRouter(prefix="/a/{agent}/talk", include_in_schema=False)
# So many conversations are listed, and messages shown around the one that is meant.
_PAGE, _AROUND = 30, 30


class CameToMind(NamedTuple):
    """What a model was told for an answer: what it says today, where that is, and why it was told.

    Without a *match*, nobody kept how well it fitted.
    """

    name: str
    text: str
    link: str
    match: str
    how: str
    is_used: bool


class SpokenTurn(NamedTuple):
    """A message: its words, which tools it is about, what came to mind for it, what was learned from it."""

    turn: Turn
    text: str
    tools: str = ""
    came: Sequence[CameToMind] = ()
    learned: Sequence[Memory] = ()


@router.get("")
def conversations(visit: Visits, offset: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """List the conversations, the one that was last spoken in first."""
    views = visit.soul.sessions.list()
    return visit.shown(
        "talks.html",
        listed=lambda: [(view, _last_in(visit, view.session)) for view in views[offset : offset + _PAGE]],
        total=len(views),
        offset=offset,
        limit=_PAGE,
        usual=DEFAULT_SESSION,
    )


def _last_in(visit: PageVisit, session: str) -> Turn | None:
    """Return what was said last; of imported notes, which nobody said, what stands there last."""
    turns = visit.soul.sessions.turns(session, last=10)
    spoken = [turn for turn in turns if turn.role in SPOKEN and turn.text]
    return next(reversed(spoken or turns), None)


@router.get("/{session:path}")
def conversation(visit: Visits, session: str, turn: Annotated[int, Query(ge=0, le=10**9)] = 0) -> Response:
    """Show a conversation: the last of it, or what was said around a message."""
    sessions = visit.soul.sessions
    turns = sessions.turns(session, last=0 if turn else 2 * _AROUND)
    if not turns and not session.startswith(f"{CHANNEL}:"):
        raise NotFound("there is no session {session}", session=session)
    shown = [each for each in turns if abs(each.n - turn) <= _AROUND] if turn else turns
    is_end = not turns or (bool(shown) and shown[-1].n == turns[-1].n)
    view = sessions.view(session)
    return visit.shown(
        "talk.html",
        session=session,
        view=view,
        spoken=lambda: _spoken(visit, shown, view),
        unaided=lambda: _unaided(visit, shown) if is_end else ("", []),
        is_end=is_end,
        earlier=max(shown[0].n - _AROUND, 1) if shown and shown[0].n > 1 else 0,
        later=shown[-1].n + _AROUND if shown and not is_end else 0,
    )


def _spoken(visit: PageVisit, turns: Sequence[Turn], view: Any) -> list[SpokenTurn]:
    """Return what was said, with what came of it.

    Words that are off the record are shown for as long as the switch is on: they are only in mind.
    """
    heard = visit.soul.sessions.window(view.session).turns if view.is_off else ()
    whispered = {turn.n: turn.text for turn in heard if turn.is_off}
    learned = _learned(visit, turns)
    return [
        SpokenTurn(
            turn,
            whispered.get(turn.n, turn.text),
            _tools(turn),
            _came_to_mind(visit, turn),
            learned.get(turn.id, ()),
        )
        for turn in turns
    ]


def _unaided(visit: PageVisit, turns: Sequence[Turn]) -> tuple[str, list[FoundMemories]] | None:
    """Return what is answered to a last message without a model, and the memories that this tells.

    None: what it orders was done, and that is its answer.
    """
    last = turns[-1] if turns else None
    if not last or last.role != "user" or last.is_off or last.origin != "owner":
        return "", []
    if forms_in(last.text) and not besides(last.text):
        return None
    text, recalled = visit.soul.unaided(last.text)
    return text, [found_by(visit, hit) for hit in recalled]


def _came_to_mind(visit: PageVisit, turn: Turn) -> list[CameToMind]:
    """Return what a model was told for an answer, best first."""
    rows = [each for each in listed(turn, "came") if isinstance(each, list | tuple) and len(each) == 3]
    scored = {str(name): (score, str(how)) for name, score, how in rows if isinstance(score, int | float)}
    used, found = set(map(str, listed(turn, "used"))), []
    for name in dict.fromkeys([*scored, *map(str, listed(turn, "told")), *sorted(used)]):
        score, how = scored.get(name, (None, ""))
        text = visit.soul.memory.text_of(name)
        match = certainty(score) if score is not None else ""
        link = visit.place_of(name) if text or "/" in name else ""
        found.append(CameToMind(name, text, link, match, how, name in used))
    return found


def _tools(turn: Turn) -> str:
    """Return the tool that a turn is the result of, or those that it asks for; others may have written it."""
    calls = turn.more.get("calls")
    names = [call.get("name") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return ", ".join(str(name) for name in [turn.more.get("tool"), *names] if name)


def _learned(visit: PageVisit, turns: Sequence[Turn]) -> Mapping[str, Sequence[Memory]]:
    """Return what was learned from messages, each beside the last of those it rests on."""
    ids = [turn.id for turn in turns]
    found: dict[str, list[Memory]] = {}
    for memory in visit.soul.memory.list(Wanted(evidence=tuple(ids))) if ids else ():
        last = max((each for each in memory.evidence if each in ids), key=ids.index, default="")
        if last and memory.kind != "summary":
            found.setdefault(last, []).append(memory)
    return found
