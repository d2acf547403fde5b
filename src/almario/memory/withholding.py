"""What is withheld until the owner says that it may be used: what may be a secret, and what was set aside."""

from collections.abc import Callable, Collection, Mapping, Sequence

from almario.domain.memories import Memory, Wanted
from almario.domain.turns import Turn
from almario.domain.withheld import MASK, Withheld
from almario.errors import SoulError
from almario.memory.amending import Amending
from almario.memory.handwritten import Handwritten
from almario.memory.ledger import LEAST_ID
from almario.memory.writer import MemoryWriter, Write
from almario.named_tuples import NamedTuple
from almario.text.redaction import Redactor

# The most messages searched per session, where none is indexed.
_HEARD = 20


class Released(NamedTuple):
    """What may be used from now on: messages, with the lines that set them aside, and suspected secrets."""

    lines: tuple[int, ...]
    messages: tuple[str, ...]
    spans: tuple[str, ...]


class Withholding:
    """Knows what is withheld, and lets go of it."""

    def __init__(
        self,
        writer: MemoryWriter,
        redact: Redactor,
        amending: Amending,
        handwritten: Handwritten,
        turns: Callable[[], Mapping[str, Collection[str] | None]],
    ) -> None:
        """*turns* tells of each session in which something is withheld where; None if that is not known."""
        self._vault = writer.vault
        self._ledger = writer.ledger
        self._redact = redact
        self._amending = amending
        self._handwritten = handwritten
        self._turns = turns

    def waiting(self) -> Sequence[Withheld]:
        """Return what waits for the owner's word, latest first."""
        found, forgotten = [], self._ledger.out_of_mind()
        for memory in self._masked():
            whole = self._ledger.whole(memory)
            suspected = self._redact.suspected(whole.value, whole.key)
            found.append(Withheld(memory.id, memory.renewed, whole.text, suspected))
        for session, ids in sorted(self._turns().items()):
            found += [
                Withheld(turn.id, turn.at, turn.text, self._redact.suspected(turn.text))
                for turn in self._heard(session, ids)
                if turn.role == "user"
                and turn.origin == "owner"
                and not turn.is_off
                and turn.id not in forgotten
            ]
        now = self._vault.now()
        files = [Withheld(name, now, "", parts) for name, parts in self._handwritten.withheld()]
        aside = [each for turns in self._aside().values() for each in turns]
        every = sorted((*found, *aside), key=lambda each: each.at, reverse=True)
        return [each for each in (*every, *files) if each.suspected]

    def meant(self, what: str, *, every: bool) -> Released:
        """Return what an id, a file or words mean of it; of no words, what was withheld last."""
        waiting, aside = self.waiting(), self._aside()
        meant = waiting if every else [each for each in waiting if what and _is_meant(each, what)]
        meant = meant or ([] if what else waiting[:1])
        words = " ".join(what.split())
        lines = tuple(line for line, turns in aside.items() if any(each in meant for each in turns))
        messages = tuple(each.text for line in lines for each in aside[line])
        spans = dict.fromkeys(span for each in meant for span in each.suspected if span not in messages)
        named = [span for each in waiting for span in each.suspected if " ".join(span.split()) == words]
        chosen = Released(lines, messages, tuple(spans or dict.fromkeys(named)))
        if chosen.spans or chosen.messages:
            return chosen
        raise SoulError('"{what}" is not withheld', what=what) if what else SoulError("nothing is withheld")

    def keep(self, write: Write, chosen: Released) -> Sequence[str]:
        """Use from now on what the owner chose; return it."""
        for line in chosen.lines:
            self._amending.undo(write, line, actor="owner")
        if chosen.spans:
            self._amending.keep(write, chosen.spans, self._masked)
        return [*chosen.messages, *chosen.spans]

    def _heard(self, session: str, ids: Collection[str] | None) -> Sequence[Turn]:
        if ids is None:
            return self._vault.transcripts.read(session, last=_HEARD)
        first = min(int(each.rpartition("#")[2]) for each in ids)
        return [each for each in self._vault.transcripts.read(session, after=first - 1) if each.id in ids]

    def _masked(self) -> Sequence[Memory]:
        return self._ledger.table.select(Wanted(text=MASK, states=("live",)))

    def _aside(self) -> dict[int, list[Withheld]]:
        """Return the owner's messages that were set aside, by the line that says so."""
        found = {}
        for line, ids in self._ledger.set_aside().items():
            session, _, number = ids[0].rpartition("#")
            turns = self._vault.transcripts.read(session, after=int(number) - 1)[: len(ids)]
            own_turns = [turn for turn in turns if turn.id in ids and turn.origin == "owner" and turn.text]
            found[line] = [Withheld(turn.id, turn.at, turn.text, (turn.text,)) for turn in own_turns]
        return found


def _is_meant(each: Withheld, what: str) -> bool:
    is_id = len(what) >= LEAST_ID and "#" not in each.name and each.name.startswith(what)
    return each.name == what or (is_id and "." not in each.name)
