"""What the agent said on a day, and to what: the acts a reflection looks at."""

from collections.abc import Callable, Iterator

from almario.becoming.reflection_runs import Span
from almario.becoming.rules.reflections import SAID, Source
from almario.domain.memories import ERASED
from almario.domain.plain_text import in_one_line, shortened
from almario.domain.turns import Turn, own_words
from almario.memory.facade import Memories
from almario.ports import Store
from almario.text.quoting import parted

# Of each conversation so many turns are looked at, and of each so much is told.
_TURNS, _MESSAGE, _ANSWER = 80, 160, 400


def acts(vault: Store, memory: Memories, span: Span, is_wanted: Callable[[str], bool]) -> Iterator[Source]:
    """Yield what the agent said in a span, each answer with what it answers, and named by that."""
    out = frozenset(memory.out_of_mind())
    begins = min(each for each in (span.begins, span.since) if each) if span.begins else None
    for session in vault.transcripts.sessions():
        message: Turn | None = None
        for turn in vault.transcripts.read(session, last=_TURNS):
            if turn.role == "user":
                message = turn if turn.origin == "owner" and _is_kept(turn) else None
            is_new = (begins is None or turn.at > begins) and turn.at <= span.upto
            if not is_new or turn.role != "assistant" or turn.origin != "agent" or not _is_kept(turn):
                continue
            first = message or turn
            text = _exchange(first, turn)
            if is_wanted(text) and out.isdisjoint({turn.id, first.id}):
                yield Source(first.id, "", SAID, text, turn.at.astimezone(vault.zone))


def _exchange(message: Turn, turn: Turn) -> str:
    answer = shortened(in_one_line(own_words(turn)), _ANSWER)
    words = shortened(in_one_line(parted(message.text).own), _MESSAGE) if message is not turn else ""
    return f"to «{words}»: {answer}" if words else answer


def _is_kept(turn: Turn) -> bool:
    return not turn.is_off and turn.text != ERASED and bool(own_words(turn))
