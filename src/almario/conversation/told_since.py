"""What the owner said after something and seems to be about the same: it may have changed since.

Nobody says everything anew: "they've put my start back a fortnight" names no job. Whether it goes on about
what was told before is a guess, so it is only said beside it, in the owner's own words.
"""

from collections.abc import Collection, Sequence

from almario.domain.memories import UNTRUSTED, Wanted
from almario.domain.turns import Turn
from almario.memory.facade import Memories
from almario.ports import Store
from almario.text.answers import takes_back
from almario.text.reader import LIKELY
from almario.text.wishes import besides_orders

# So many turns later something may still go on about it; the last of those that do are told.
_REACH, _MOST = 16, 3
# How likely it must be, just after it, and after something else.
_NEXT, _LATER = 0.16, 0.5


class ToldSince:
    """Finds what goes on about a memory, or about what was said, in the same session."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory

    def of(self, text: str, evidence: Sequence[str], shown: Collection[str]) -> list[str]:
        """Return what was said since about a text that rests on some turns, but for what is *shown*."""
        told, is_next, going_on = list[str](), True, self._memory.embedding.going_on
        for turn in self._after(evidence):
            if takes_back(turn.text):
                told = told[:-1] if is_next else told
            elif words := self._told(turn):
                chance = max(going_on(each, words) for each in (text, *told[-1:]))
                is_next = chance >= (_NEXT if is_next else _LATER)
                told += [words] if is_next else []
        return [each for each in told if each not in shown][-_MOST:]

    def _after(self, evidence: Sequence[str]) -> list[Turn]:
        """Return what the owner said after the last of some turns, as far as it may be brought up."""
        session, _, number = evidence[-1].rpartition("#") if evidence else ("", "", "")
        if not session or not number.isdecimal():
            return []
        later = [f"{session}#{n}" for n in range(int(number) + 1, int(number) + 1 + _REACH)]
        memory = self._memory
        away = [each for gone in (memory.taken_back(), memory.set_aside()) for each in gone.values()]
        gone = memory.out_of_mind().union(*away)
        turns = [each for each in self._vault.turns(later) if each.id not in gone and not each.is_off]
        return [each for each in turns if (each.role, each.origin) == ("user", "owner")]

    def _told(self, turn: Turn) -> str:
        """Return what a message tells: what was remembered of it, or its words; nothing, if it asks."""
        kept = self._memory.list(Wanted(evidence=(turn.id,)))
        if kept:
            return ". ".join(each.value.rstrip(". ") for each in kept if each.origin != UNTRUSTED)
        text, read = besides_orders(turn.text), self._memory.embedding
        reading = read.read(text)
        is_told = not read.asks(text) and max(reading.forget, reading.confidence) < LIKELY
        return self._memory.without_secrets(text) if is_told else ""
