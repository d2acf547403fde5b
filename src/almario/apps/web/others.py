"""What whoever is not the owner may do: hear what others hear, and talk in sessions of their own.

The same holds by whatever address they ask; what is not here is for the owner's tokens alone.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from almario.apps.web.access import Grant
from almario.domain.memories import Memory, Wanted
from almario.domain.model import Mode, Recalled
from almario.domain.turns import SPOKEN, Turn
from almario.errors import AccessDenied, NotFound, SoulError
from almario.soul import Soul
from almario.verb_table import verb

# What a conversation is for where others are present.
_AMONG_OTHERS: Mode = "collaboration"
_Given = Mapping[str, Any]


def _recall(soul: Soul, grant: Grant, given: _Given) -> Recalled:
    session = grant.session(given.get("session", ""))
    found = soul.recall(**{**given, "session": session, "audience": grant.audience(session)})
    found.kept_out = 0  # how much is kept from them is not theirs to know
    return found


def _prompt(soul: Soul, grant: Grant, given: _Given) -> Any:
    session = grant.session(given.get("session", ""))
    made = soul.prompt(given.get("message", ""), _AMONG_OTHERS, session=session, tools=None)
    sections = tuple(each._replace(kept_out=0) for each in made.sections)
    return made._replace(sections=sections, recalled=(), found=(), told=(), audience=grant.audience(session))


def _talk(soul: Soul, grant: Grant, given: _Given) -> Any:
    who = {"session": grant.session(given.get("session", "")), "mode": _AMONG_OTHERS}
    who |= {"origin": "untrusted", "speaker": grant.name, "ref": _ref(grant, given)}
    done = soul.talk(**{**given, **who})
    return type(done)(done.text, model=done.model, is_cut=done.is_cut)


def _append(soul: Soul, grant: Grant, given: _Given) -> Turn:
    if given["role"] != "user":
        raise AccessDenied("with this token, only what a user said can be added")
    session = grant.session(given.get("session", ""))
    who: Any = {"origin": "untrusted", "speaker": grant.name, "ref": _ref(grant, given)}
    return _visible_turn(soul.append(session, "user", given["text"], **who))


def _ref(grant: Grant, given: _Given) -> str:
    """Return by what a message is known again; nobody else's can be meant by it."""
    ref = given.get("ref", "")
    return f"{grant.name}:{ref}" if ref and not ref.startswith(f"{grant.name}:") else ref


def _visible_turn(turn: Turn) -> Turn:
    return turn._replace(more={})


def _turns(soul: Soul, grant: Grant, given: _Given) -> list[Turn]:
    turns = soul.sessions.turns(**{**given, "session": grant.session(given.get("session", ""))})
    return [
        _visible_turn(turn) for turn in turns if turn.role in SPOKEN
    ]  # the rest is between agent and model


def _sessions(soul: Soul, grant: Grant, _: _Given) -> list[Any]:
    own = grant.own_session
    return [view for view in soul.sessions.all() if f"{view.session}:".startswith(f"{own}:")]


def _memories(soul: Soul, grant: Grant, given: _Given) -> Sequence[Memory]:
    """List what they hear; a page is cut of that, or its length would tell of the rest."""
    audience, wanted = grant.audience(), given.get("wanted", Wanted())
    every = soul.memory.list(wanted._replace(limit=0, offset=0, most=0))
    heard = [memory for memory in every if audience.hears_of(memory)][wanted.offset :]
    most = [each for each in (wanted.limit, wanted.most) if each]
    return heard[: min(most)] if most else heard


def _memory(soul: Soul, grant: Grant, given: _Given) -> Memory:
    unknown = NotFound("there is no memory {id} for this token", id=given["memory_id"])
    try:
        memory = soul.memory.get(given["memory_id"])
    except SoulError as exc:
        raise unknown from exc
    if not grant.audience().hears_of(memory):
        raise unknown
    return memory


def _heard(name: str, soul: Soul, grant: Grant, given: _Given) -> Any:
    """Do what a verb says that can be told who hears it."""
    return verb(name).on(soul, {**given, "audience": grant.audience()})


OTHERS: Mapping[str, Callable[[Soul, Grant, _Given], Any]] = {
    "recall": _recall,
    "prompt": _prompt,
    "talk": _talk,
    "append": _append,
    "sessions.all": _sessions,
    "sessions.turns": _turns,
    "memory.list": _memories,
    "memory.get": _memory,
    **{name: partial(_heard, name) for name in ("portrait", "page", "people", "memory.export")},
}
