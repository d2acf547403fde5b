"""What the owner said after something and seems to be about the same: it may have changed since.

Nobody says everything anew: "they've put my start back a fortnight" names no job. Whether it goes on about
what was told before is a guess, so it is only said beside it, in the owner's own words.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from almario.conversation.pending import SOON
from almario.domain.memories import UNTRUSTED, Wanted
from almario.domain.turns import Turn
from almario.domain.words import shared_words
from almario.memory.facade import Memories
from almario.ports import Store
from almario.text.answers import begins_with_yes, takes_back
from almario.text.reader import LIKELY
from almario.text.wishes import besides_orders

# So many turns later something may still go on about it; the last of those that do are told.
_REACH, _MOST = 60, 3
# How likely it must be of what follows at once, and of what is said later and shares a word with it.
_NEXT, _LATER = 0.16, 0.5


class ToldSince:
    """Finds what goes on about a memory, or about what was said, in the same session."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory

    def of(self, text: str, evidence: Sequence[str], shown: Collection[str]) -> list[str]:
        """Return what was said since about a text that rests on some turns, but for what is *shown*."""
        told, is_next, going_on = list[str](), True, self._memory.embedding.going_on
        for before, turn in pairwise(self._from(evidence)):
            is_next = is_next and turn.at - before.at < SOON
            if takes_back(turn.text):
                told = told[:-1] if is_next else told
            # What does not follow at once shares a word with it.
            elif (is_next or shared_words(text, turn.text)) and (words := self._told(turn)):
                near = (text, *told[-1:]) if is_next else (text,)
                chance = max(going_on(each, words) for each in near)
                is_next = chance >= (_NEXT if is_next else _LATER)
                told += [words] if is_next else []
        return [each for each in told if each not in shown][-_MOST:]

    def _from(self, evidence: Sequence[str]) -> list[Turn]:
        """Return the last of some turns and what the owner said after it, as far as it may be brought up."""
        session, _, number = evidence[-1].rpartition("#") if evidence else ("", "", "")
        if not session or not number.isdecimal():
            return []
        first, memory = int(number), self._memory
        turns = self._vault.turns([f"{session}#{n}" for n in range(first, first + 1 + _REACH)])
        away = [each for gone in (memory.taken_back(), memory.set_aside()) for each in gone.values()]
        gone = memory.out_of_mind().union(*away)
        after = [each for each in turns[1:] if each.id not in gone and not each.is_off]
        return [*turns[:1], *(each for each in after if (each.role, each.origin) == ("user", "owner"))]

    def _told(self, turn: Turn) -> str:
        """Return what a message tells: what was remembered of it, or its words; nothing, if it asks."""
        kept = self._memory.list(Wanted(evidence=(turn.id,)))
        if kept:
            return ". ".join(each.value.rstrip(". ") for each in kept if each.origin != UNTRUSTED)
        text, read = besides_orders(turn.text), self._memory.embedding
        reading, is_reply = read.read(text), begins_with_yes(text) or read.reply(text)
        is_told = not is_reply and not read.asks(text) and max(reading.forget, reading.confidence) < LIKELY
        return self._memory.without_secrets(text) if is_told else ""
