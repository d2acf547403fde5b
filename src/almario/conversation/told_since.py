"""What the owner said after something and seems to be about the same: it may have changed since.

Nobody says everything anew: "they've put my start back a fortnight" names no job. Whether it goes on about
what was told before is a guess, so it is only said beside it, in the owner's own words.
"""

from collections.abc import Collection, Sequence
from datetime import timedelta
from itertools import pairwise

from almario.domain.memories import UNTRUSTED, Wanted
from almario.domain.plain_text import in_one_line, shortened
from almario.domain.turn_ids import turn_id, turn_ids
from almario.domain.turns import Turn
from almario.domain.words import shared_words
from almario.memory.facade import Memories
from almario.ports import Store
from almario.text.answers import begins_with_yes, takes_back
from almario.text.reader import LIKELY
from almario.text.wishes import besides_orders

SOON = timedelta(minutes=30)
# So many turns later something may still go on about it; the last of those that do are told.
_REACH, _MOST = 60, 3
# How likely it must be of what follows at once, and of what is said later and shares a word with it.
_NEXT, _LATER = 0.16, 0.5
# So much of a message is shown beside another; one that is longer was pasted.
_SHOWN, _LONGEST = 240, 2000


class ToldSince:
    """Finds what goes on about a memory, or about what was said, in the same session."""

    def __init__(self, vault: Store, memory: Memories) -> None:
        self._vault = vault
        self._memory = memory

    def of(self, text: str, evidence: Sequence[str], shown: Collection[str]) -> list[str]:
        """Return what was said since about a text that rests on some turns, but for what is *shown*."""
        return [words for words, _ in self._about(text, evidence) if words not in shown][-_MOST:]

    def exchanged(self, text: str, name: str) -> tuple[str, list[str]]:
        """Return what was said since about a turn, in one line with what the agent answered last; and where.

        A question may have been answered wrongly at first, and a cause be none.
        """
        told = self._about(text, (name,), in_haste=not self._memory.embedding.comparer)[-_MOST:]
        if not told:
            return "", []
        last = told[-1][1]
        answer = self._from((last.id,))[1].get(last.n + 1, "")
        mark = f" → (I said) {_short(self._memory.without_secrets(answer))}" if answer else ""
        line = " / ".join(_short(words) for words, _ in told)
        return line + mark, [turn.id for _, turn in told]

    def _about(self, text: str, evidence: Sequence[str], *, in_haste: bool = False) -> list[tuple[str, Turn]]:
        told, is_next, going_on = list[tuple[str, Turn]](), True, self._memory.embedding.going_on
        turns, answers = self._from(evidence)
        for before, turn in pairwise(turns):
            is_next = is_next and turn.at - before.at < SOON
            if takes_back(turn.text):
                told = told[:-1] if is_next else told
            # What does not follow at once shares a word with it.
            elif (is_next or shared_words(text, turn.text)) and (
                words := self._told(turn, in_haste=in_haste)
            ):
                near = (text, *(each for each, _ in told[-1:])) if is_next else (text,)
                by_words = is_next and shared_words(words, f"{before.text} {answers.get(before.n + 1, '')}")
                chance = max(going_on(each, words) for each in near) or by_words  # without a model of meaning
                is_next = chance >= (_NEXT if is_next else _LATER)
                told += [(words, turn)] if is_next else []
        return told

    def _from(self, evidence: Sequence[str]) -> tuple[list[Turn], dict[int, str]]:
        """Return the last of some turns and what the owner said after it, as far as it may be brought up.

        And what was answered, by the numbers of these turns.
        """
        session, first = turn_id(evidence[-1] if evidence else "")
        if not session:
            return [], {}
        gone = self._gone()
        turns = self._vault.turns(turn_ids(session, range(first, first + 1 + _REACH)))
        typed = [each for each in turns[1:] if len(each.text) <= _LONGEST]
        after = [each for each in typed if each.id not in gone and not each.is_off]
        answers = {each.n: each.text for each in after if (each.role, each.origin) == ("assistant", "agent")}
        said = [each for each in after if (each.role, each.origin) == ("user", "owner")]
        return [*turns[:1], *said], answers

    def _gone(self) -> Collection[str]:
        memory = self._memory
        away = [each for gone in (memory.taken_back(), memory.set_aside()) for each in gone.values()]
        return memory.out_of_mind().union(*away)

    def _told(self, turn: Turn, *, in_haste: bool) -> str:
        """Return what a message tells: what was remembered of it, or its words; nothing, if it asks.

        *in_haste* nothing is loaded that reads it: a hook by itself has no time for that.
        """
        kept = [each for each in self._memory.list(Wanted(evidence=(turn.id,))) if each.kind != "summary"]
        if kept:
            return ". ".join(each.value.rstrip(". ") for each in kept if each.origin != UNTRUSTED)
        if in_haste:
            return "" if "?" in turn.text else self._memory.without_secrets(turn.text)
        text, read = besides_orders(turn.text), self._memory.embedding
        reading, is_reply = read.read(text), begins_with_yes(text) or read.reply(text)
        is_told = not is_reply and not read.asks(text) and max(reading.forget, reading.confidence) < LIKELY
        return self._memory.without_secrets(text) if is_told else ""


def _short(text: str) -> str:
    return shortened(in_one_line(text), _SHOWN)
