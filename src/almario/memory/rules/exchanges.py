"""Exchanges: what somebody said, together with the answer to it.

Passages of a transcript have neighbouring ids. A conversation ends with the
day or the transcript: what was said in another is no neighbour.
"""

from collections.abc import Mapping, Sequence

from almario.domain.candidates import PLACE_BITS, Passage
from almario.domain.events import Event, MemoriesChanged, Reset, SessionQueued, SessionReset
from almario.domain.memories import ERASED
from almario.domain.messages import NOTHING, Sentence
from almario.domain.records import written
from almario.domain.turns import Turn
from almario.memory.rules.sources import STRANGER
from almario.named_tuples import NamedTuple

ASSISTANT = "assistant"


class Exchange(NamedTuple):
    """Passages that belong together: of what was *said*, and of the *answer*, if there is one.

    *tells* says whether what was said tells anything by itself; else only its answer does. *beside* are the
    passages of the same conversation right before and after it.
    """

    head: int
    all: tuple[int, ...]
    said: tuple[int, ...]
    answer: tuple[int, ...] = ()
    tells: bool = True
    beside: tuple[int, ...] = ()


class Exchanges:
    """The exchanges among some passages, as far as these hold them; what was not said stands alone."""

    def __init__(self, passages: Mapping[int, Passage]) -> None:
        self._passages = passages
        self._known: dict[int, Exchange] = {}
        # For each passage, the first of its exchange; for what was said, the number of its conversation.
        self.heads: dict[int, int] = {}
        self.talks: dict[int, int] = {}
        heads, talks = self.heads, self.talks
        talk, head, last, has_answer, source = 0, 0, 0, False, -1
        before: Passage | None = None
        for one in sorted(passages):  # hundreds for each question
            passage = passages[one]
            if not (turn := passage.turn):
                heads[one] = one
                continue
            goes_on = False
            if before is None or source != one >> PLACE_BITS or before.day != passage.day:
                source = one >> PLACE_BITS
                talk += 1
            elif last == one - 1:
                is_turn = not has_answer and turn == before.turn
                goes_on = is_turn or _answers(passage, before)
                has_answer = goes_on and not is_turn
            if not goes_on:
                head, has_answer = one, False
            talks[one] = talk
            heads[one] = head
            before, last = passage, one

    def of(self, head: int) -> Exchange:
        """Return the exchange that begins with a passage."""
        known = self._known.get(head)
        if known is None:
            known = self._known[head] = self._found(head)
        return known

    def _found(self, head: int) -> Exchange:
        passages, heads, talks = self._passages, self.heads, self.talks
        first = passages[head]
        if not first.turn:
            return Exchange(head, (head,), (head,), (), first.tells)
        end = head + 1
        while heads.get(end) == head:
            end += 1
        answered = head + 1
        while answered < end and passages[answered].turn == first.turn:
            answered += 1
        said, answer = tuple(range(head, answered)), tuple(range(answered, end))
        tells = first.tells or any(passages[one].tells for one in said)
        talk = talks[head]
        beside = tuple([one for one in (head - 1, end) if talks.get(one) == talk])
        return Exchange(head, said + answer, said, answer, tells, beside)


def exchanges_in(turns: Sequence[Turn]) -> list[list[Turn]]:
    """Part turns into exchanges: each begins with a message, with the documents that came with it."""
    parts: list[list[Turn]] = []
    is_document = False
    for turn in turns:
        if not parts or (turn.role == "user" and not is_document):
            parts.append([])
        parts[-1].append(turn)
        # What is nobody's word, and has no speaker.
        is_document = turn.role == "user" and turn.origin == "untrusted" and not turn.speaker
    return parts


def answered(turns: Sequence[Turn]) -> list[Turn]:
    """Return turns without the last exchange, if its answer has not come yet."""
    *whole, last = exchanges_in(turns) or [[]]
    is_asked = any(turn.role == "user" for turn in last)
    has_answer = any(turn.role == ASSISTANT and not turn.more.get("calls") for turn in last)
    return [turn for part in whole for turn in part] + (last if has_answer or not is_asked else [])


def _answers(passage: Passage, before: Passage) -> bool:
    """Say whether a passage is part of the answer to the one before: an assistant's, or one to a question."""
    role, earlier = passage.role, before.role
    if STRANGER in (role, earlier):
        return False
    if role == ASSISTANT:
        return True
    is_other = bool(passage.speaker) and passage.speaker != before.speaker
    return is_other and earlier != ASSISTANT and not before.tells


# So many summaries of a session are kept at hand; all of them are in HISTORY.md.
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
        is_told = flush["summary"] not in ("", ERASED)
        new = [Summary(flush["from"], flush["to"], flush["summary"])] if is_told else []
        kept = (*state.summaries, *new)[-_SUMMARIES:]
        edges = tuple(edge for edge in state.edges if edge > flush["to"])
        state = state._replace(flushed=flush["to"], queued=0, why=NOTHING, times=0, at=written(event.at))
        return state._replace(summaries=kept, edges=edges)
    return state
