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
        told, is_next = list[str](), True
        for before, turn in pairwise(self._from(evidence)):
            if takes_back(turn.text):
                told = told[:-1] if is_next else told
            elif words := self._told(turn):
                is_next = is_next and turn.at - before.at < SOON
                near = (text, *told[-1:]) if is_next else (text,)
                is_next = any(self._goes_on(each, words, is_next=is_next) for each in near)
                told += [words] if is_next else []
        return [each for each in told if each not in shown][-_MOST:]

    def _goes_on(self, text: str, words: str, *, is_next: bool) -> bool:
        """Return whether some words go on about a text, which they follow at once or share a word with."""
        is_of_it = is_next or shared_words(text, words) > 0
        return is_of_it and self._memory.embedding.going_on(text, words) >= (_NEXT if is_next else _LATER)

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
