"""How far a session was learned from, what is queued, and where it began anew, as the journal tells it."""

from almario.domain.events import Event, MemoriesChanged, Reset, SessionQueued, SessionReset
from almario.domain.memories import ERASED
from almario.domain.messages import NOTHING, Sentence
from almario.domain.records import written
from almario.named_tuples import NamedTuple

# Summaries of a session kept in memory; all of them are in HISTORY.md.
_SUMMARIES = 40
# Why a session begins anew when its owner wants it out of sight.
CLEARED: Reset = "cleared"


class Summary(NamedTuple):
    """What a flush said of the turns after *after*, up to *to*."""

    after: int
    to: int
    text: str


class SessionState(NamedTuple):
    """One session as the journal leaves it.

    *flushed* is the watermark: the last turn whose outcome is known. *queued*
    is the last turn that was tried in vain since, *why*, and how many *times*.
    The window begins after turn *fresh*; up to *cleared*, the owner wanted it out of sight.
    *edges* are the last turns, not yet learned from, before the session began anew: what they part
    is learned apart.
    """

    flushed: int = 0
    queued: int = 0
    why: Sentence = NOTHING
    times: int = 0
    fresh: int = 0
    resets: int = 0
    at: str = ""
    summaries: tuple[Summary, ...] = ()
    cleared: int = 0
    edges: tuple[int, ...] = ()

    @property
    def out_of_mind(self) -> int:
        """The last turn that was cleared away and learned from: what it told is known without it."""
        return min(self.cleared, self.flushed)


def session_in(event: Event) -> str:
    """Return the session that an event is about, or nothing."""
    body = event.body
    if isinstance(body, SessionQueued | SessionReset):
        return body.session
    return body.flush["session"] if isinstance(body, MemoriesChanged) and body.flush else ""


def followed(state: SessionState, event: Event) -> SessionState:
    """Return a session's state after an event that is about it."""
    body = event.body
    if isinstance(body, SessionReset):
        # Two processes may have begun it anew after the same turn.
        is_new = body.after > state.fresh
        cleared = max(body.after, state.cleared) if body.why == CLEARED else state.cleared
        is_edge = is_new and body.after > state.flushed
        edges = (*state.edges, body.after) if is_edge else state.edges
        fresh = max(body.after, state.fresh)
        return state._replace(fresh=fresh, resets=state.resets + is_new, cleared=cleared, edges=edges)
    if isinstance(body, SessionQueued):
        return state._replace(queued=body.to, why=body.why, times=state.times + 1, at=written(event.at))
    if isinstance(body, MemoriesChanged) and body.flush:
        flush = body.flush
        has_summary = flush["summary"] not in ("", ERASED)
        new = [Summary(flush["from"], flush["to"], flush["summary"])] if has_summary else []
        kept = (*state.summaries, *new)[-_SUMMARIES:]
        edges = tuple(edge for edge in state.edges if edge > flush["to"])
        state = state._replace(flushed=flush["to"], queued=0, why=NOTHING, times=0, at=written(event.at))
        return state._replace(summaries=kept, edges=edges)
    return state
