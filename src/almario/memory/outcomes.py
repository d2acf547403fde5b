"""What became of every message: learned from, empty, or waiting."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from almario.domain.events import Event, JournalMended, MemoriesChanged, SessionQueued
from almario.domain.messages import NOTHING, Sentence
from almario.domain.model import Damage
from almario.domain.turns import SPOKEN, Turn, transcript_name
from almario.errors import SoulError
from almario.memory.rules.session_state import session_in
from almario.named_tuples import NamedTuple
from almario.ports import Transcripts

_EXTRACTED, _EMPTY, _KEPT, _LOST = "extracted", "empty", "kept", "lost"


class Outcome(NamedTuple):
    """How many messages of a session were learned from, held nothing, or wait; *why*, if that was tried.

    *lost* are those whose outcome stood in a line of the journal that was mended away; *off* those that
    were said off the record, of which nothing is kept. Those that are *kept* were imported.
    """

    session: str
    messages: int
    extracted: int
    empty: int
    waiting: int
    why: Sentence
    lost: int = 0
    off: int = 0
    kept: int = 0


class Stretch(NamedTuple):
    """Turns that have one outcome: those after *after*, up to *to*."""

    after: int
    to: int
    outcome: str


class Chain(NamedTuple):
    """What the journal says of a session, line by line; *queued* is the last turn that ever waited."""

    stretches: tuple[Stretch, ...] = ()
    seq: int = 0
    queued: int = 0
    why: Sentence = NOTHING
    problems: tuple[Sentence, ...] = ()

    @property
    def end(self) -> int:
        return max((each.to for each in self.stretches), default=0)


def chains(events: Sequence[Event]) -> dict[str, Chain]:
    """Follow each session through the journal."""
    mended = [event.body.lost for event in events if isinstance(event.body, JournalMended)]
    lost = {seq for seqs in mended for seq in seqs}
    found: dict[str, Chain] = {}
    for event in events:
        if session := session_in(event):
            found[session] = _followed(found.get(session, Chain()), event, lost)
    return found


def outcomes(transcripts: Transcripts, events: Sequence[Event]) -> list[Outcome]:
    """Count what became of the messages of every session."""
    known = chains(events)
    return [_counted(s, transcripts.read(s), known.get(s, Chain())) for s in transcripts.sessions()]


def unaccounted(
    transcripts: Transcripts, archived: Mapping[str, int], events: Sequence[Event]
) -> Iterator[Damage]:
    """Yield where a message has no outcome; *archived* was looked up before the journal was read."""
    known = chains(events)
    for session in known.keys() | archived.keys():
        chain = known.get(session, Chain())
        place = _place(session)
        for problem in chain.problems:
            yield Damage(place, None, problem)
        end = transcripts.last_number(session) if place != "journal" else chain.end
        if chain.end > end:
            beyond = "ends at turn {end}, but was learned from up to {to}"
            yield Damage(place, None, Sentence(beyond, end=end, to=chain.end))
        covered = max(chain.end, chain.queued)
        if archived.get(session, 0) > covered:
            unknown = "has turns in the archive that nobody learned from or queued: {first} to {last}"
            yield Damage(place, None, Sentence(unknown, first=covered + 1, last=archived[session]))


def _followed(chain: Chain, event: Event, lost: Iterable[int]) -> Chain:
    body = event.body
    if isinstance(body, SessionQueued):
        return chain._replace(queued=max(body.to, chain.queued), why=body.why)
    if not isinstance(body, MemoriesChanged) or not body.flush:
        return chain
    new = Stretch(body.flush["from"], body.flush["to"], body.flush["outcome"])
    before, problems = chain.end, list(chain.problems)
    stretches = [*chain.stretches]
    if new.after > before:
        if any(chain.seq < seq < event.seq for seq in lost):
            stretches.append(Stretch(before, new.after, _LOST))
        else:
            problem = "has turns without an outcome: {first} to {last}"
            problems.append(Sentence(problem, first=before + 1, last=new.after))
    if new.after < before:
        problem = "was learned from twice: turns {first} to {last}"
        problems.append(Sentence(problem, first=new.after + 1, last=before))
    if new.to <= new.after or new.outcome not in (_EXTRACTED, _EMPTY, _KEPT):
        problems.append(Sentence("has an outcome that says nothing, in line {seq}", seq=event.seq))
    return Chain((*stretches, new), event.seq, chain.queued, NOTHING, tuple(problems))


def _counted(session: str, turns: Sequence[Turn], chain: Chain) -> Outcome:
    spoken = [turn for turn in turns if turn.role in SPOKEN]
    numbers = [turn.n for turn in spoken if not turn.is_off]
    judged = {n: each.outcome for each in chain.stretches for n in range(each.after + 1, each.to + 1)}
    found = [judged.get(n, "") for n in numbers]
    return Outcome(
        session,
        messages=len(spoken),
        extracted=found.count(_EXTRACTED),
        empty=found.count(_EMPTY),
        waiting=sum(n > chain.end for n in numbers),
        why=chain.why,
        lost=found.count(_LOST),
        off=len(spoken) - len(numbers),
        kept=found.count(_KEPT),
    )


def _place(session: str) -> str:
    try:
        return f"sessions/{transcript_name(session)}"
    except SoulError:
        return "journal"
