"""What the owner wants in words, how sure that is, and what is done about it: nothing else acts on words.

| | to remember | to forget | not to keep |
|---|---|---|---|
| sure, by a row of a language | remembered | forgotten, if it names one thing | off the record |
| likely, as it is read | remembered as said, unless a model learns it | asked | set aside |
| else | the model, if there is one, has tools for each, and is told what was done |||

Every order of a message is dealt with. Where no model learns, what the owner tells is remembered, too, and a
"no" takes that back at once; whether it corrects a memory, or takes the place of one, is asked.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from almario.conversation.tool_calls import OFF_RECORD, REMIND, WITHHELD_ACTION, Done
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.forgotten import Forgotten, hit_of, name_of
from almario.domain.memories import OWN_PASSAGE, UNTRUSTED, Memory, Wanted
from almario.domain.messages import LANGUAGES, CommandLine, Sentence, Words, say, sentence_of
from almario.domain.model import Hit, Query
from almario.domain.opening_kinds import BEYOND, CORRECTION, GROUP_OF, NO, TELLING, WHICH, WORK, YES
from almario.domain.plain_text import regex, shortened
from almario.domain.turns import PERHAPS, PREVIOUS, THIS, Turn
from almario.domain.validity import Validity, by_name, next_time, read, time_phrase, without
from almario.domain.withheld import withheld
from almario.domain.words import SMALL, fold, sentences_in
from almario.errors import SoulError
from almario.memory.admission import Receipt
from almario.memory.amending import Amendment
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.answers import chosen_in, is_order_alone, sure_reply
from almario.text.claims import turned_in
from almario.text.corrections import Correction, correction_in, corrections_in, is_in_doubt
from almario.text.intentions import day_by_day, day_of_hour, intention_in, is_met, named_in, reminder_in
from almario.text.outdated import LIKELY as CHANGED
from almario.text.quoting import parted
from almario.text.reader import LIKELY as LIKE
from almario.text.reader import Reading, parts_of
from almario.text.times.clock import hours
from almario.text.timewords import spans, tells
from almario.text.tongues import likelier_in, spelled_words
from almario.text.wishes import (
    CANCEL,
    FORGET,
    NOTE,
    REMEMBER,
    Wish,
    announces,
    besides_orders,
    clears,
    may_ask_to_forget,
    off_record_in,
    ordered_in,
    ordering_words,
    others_in,
    wish_in,
)

# How sure it is what a message wants.
SURE, LIKELY = "sure", "likely"
# A longer message is no note.
_LONGEST_NOTE = 400
# How many candidates are listed when it is unclear what to forget, and how long each may be.
_NAMED, _SHOWN = 5, 60
# An answer is the owner's next message, within this time.
_SOON = timedelta(minutes=30)
# What tells something, or is small talk, from here on, declines nothing.
_NO_DECLINE = 0.18
# What is read as no opening tells something from here on, if it is of oneself; with a feeling, from the last.
_TOLD, _OF_ONESELF, _TOLD_WITH_FEELING = 0.7, 0.5, 0.2
# So many memories are compared with what is told.
_COMPARED = 12
# How much is shown of a forgotten text: whatever else was said with it goes too.
_WHOLE = 300
# What is said around what is told.
_POLITE = ("greeting", "farewell", "thanks", "apology")
_YEARLY = regex(r"XXXX-\d\d-\d\d")
_REPLACE = 'shall I remember "{text}" in the place of "{before}"? Say "yes"; "no" keeps both'
_SKIP = 'shall I leave out "{text}" ({time})? Say "yes"; "no" leaves it as it is'
_SKIPPED = "remembered: {what}; the next time is {time}"
_CHANGED_SINCE = "that plan was changed since, so nothing was left out"
_OVER = 'does that take the place of "{before}"? Say "yes"; "no" keeps both'
_NOT_CLEARED = (
    "nothing was deleted: no message makes me do that. To delete everything for good, delete the folder "
    '{place}, and your backups if you made any; "forget that …" forgets one thing'
)
_ALSO = 'this went with it: "{more}"; tell me that again if it is to stay'
_NO_PLAN = 'I find no such plan, or more than one; "what\'s coming up?" shows them. Nothing was changed'
_REPLACED_GONE = "what this was to replace is no longer remembered, so it stands alone"
_NO_BELL = Sentence("I can't alert you: what has a date comes up when you open the chat that day")
_WANTED = "as you wanted, I bring this up now: {what}"
_BROUGHT_UP = {"imported": "what you imported is to come up now: {what}"}


class Wishes(NamedTuple):
    """What a message wants, each with how sure that is; *off* is `this`, `previous`, `perhaps` or nothing."""

    remember: str = ""
    forget: str = ""
    off: str = ""


def wanted_in(message: str, reading: Reading | None = None) -> Wishes:
    """Say what a message wants: what its words say for sure comes before how it is *read*."""
    wish, off = wish_in(message), off_record_in(message)
    if wish and wish.verb == REMEMBER:
        return Wishes(remember="" if off_record_in(wish.text) else SURE, off=off)
    if wish or off:
        return Wishes(forget=SURE if wish else "", off=off)
    is_brief = may_ask_to_forget(message)
    if is_brief or reading is None or clears(message) or ordered_in(message, CANCEL):
        return Wishes(forget=LIKELY if is_brief else "")
    likeliest = max(LIKE, reading.confidence, reading.forget, reading.remember)
    if reading.confidence == likeliest:
        return Wishes(off=PERHAPS)
    if reading.forget == likeliest:
        return Wishes(forget=LIKELY)
    return Wishes(remember=LIKELY if reading.remember == likeliest and len(message) <= _LONGEST_NOTE else "")


def announced_in(message: str, reading: Reading) -> str:
    """Say of which sort the next message is, if this one only says that it is a confidence."""
    if announces(message):
        return THIS
    return PERHAPS if reading.announcing >= LIKE else ""


class _Question(NamedTuple):
    """What was asked last: of which messages, the latest last, and what they want forgotten.

    If that is nothing: whether to remember, in which memory's place, and in other words or of another day; or
    by which *line* of the journal it was remembered unasked; or, if it *is_kept*, whether the other is over;
    or whether to leave a day out of what comes again.
    """

    order: tuple[Turn, ...]
    hits: Sequence[Hit] = ()
    place: str = ""
    text: str = ""
    day: str = ""
    line: int = 0
    is_kept: bool = False
    is_skip: bool = False
    heard: str = ""


class Wishing:
    """Grants wishes, with the message that says them as evidence."""

    def __init__(self, vault: Store, memory: Memories, learns: Callable[[], bool]) -> None:
        """*learns* says whether a model learns what is said."""
        self._vault = vault
        self._memory = memory
        self._learns = learns
        # By session: what the next message may answer.
        self._pending: dict[str, _Question] = {}

    def granted(
        self, message: Turn, audience: Audience, reading: Reading | None = None, *, is_off: bool = False
    ) -> list[Done]:
        """Do what an owner's message wishes for, and say what came of it.

        If it *is_off* the record, or set aside, so is what was remembered unasked just before.
        """
        text, wanted = message.text, wanted_in(message.text, reading)
        try:
            if found := self._taken_off(message) if is_off else self._replied(message, audience):
                return found
            before = self._before(message) if sure_reply(text) == YES else None
            if clears(before.text if before else text):
                place = Sentence(_NOT_CLEARED, place=self._vault.place)
                return [_done(Wish(FORGET, text), place, is_error=True)]
            intention = intention_in(text, message.at.date())
            wishes = [Wish(REMEMBER, intention.sentence)] if intention else []
            wishes += [each for each in ordered_in(text) if not wishes or each.text not in wishes[0].text]
            if wishes:
                return [done for wish in wishes for done in self._ordered(wish, message, audience)]
            # Who only tells something gives no order: a model that learns keeps what matters of it.
            is_note = wanted.remember and not self._learns()
            if is_note and not wanted.forget:
                return self._kept(message, self._stated_in(text) or text, audience)
            return self._ask(message, audience) if wanted.forget else []
        except SoulError:
            return []

    def _ordered(self, wish: Wish, message: Turn, audience: Audience) -> list[Done]:
        """Do one thing that a message orders."""
        try:
            if wish.verb == FORGET:
                return self._forget(wish, message, audience)
            if off_record_in(wish.text):
                return []
            done = self._remember(wish, message, audience)
            may_ask = audience.is_private and not self._learns() and message.session not in self._pending
            old = self._outdated(wish.text, message) if done.structured and may_ask else None
            return [done, self._ask_if_over(message, old, wish.text)] if old else [done]
        except SoulError as exc:
            return [_done(wish, sentence_of(exc), is_error=True)]

    def _replied(self, message: Turn, audience: Audience) -> list[Done]:
        """Do what a message answers to what was asked or done just before; nothing, if it is no answer."""
        asked = self._asked_before(message)
        return self._answered(asked._replace(order=(*asked.order, message)), audience) if asked else []

    def _taken_off(self, message: Turn) -> list[Done]:
        asked = self._asked_before(message)
        return [self._undone(asked, is_final=True)] if asked and asked.line else []

    def _asked_before(self, message: Turn) -> _Question | None:
        """Return what a message may answer: asked just before it, with nobody between, and in mind."""
        asked = self._pending.pop(message.session, None)
        if not asked or message.at - asked.order[-1].at >= _SOON:
            return None
        between = [f"{message.session}#{n}" for n in range(asked.order[-1].n + 1, message.n)]
        is_next = all(turn.role == "assistant" for turn in self._vault.turns(between))
        # What was erased since must not come back.
        is_there = self._heard(asked) == asked.heard and asked.order[0].id not in self._memory.out_of_mind()
        return asked if is_next and is_there else None

    def _wait(self, asked: _Question) -> None:
        """Let the next message of its session be the answer to what is asked."""
        self._pending[asked.order[-1].session] = asked._replace(heard=self._heard(asked))

    def _heard(self, asked: _Question) -> str:
        return "".join(turn.text for turn in self._vault.turns([asked.order[0].id]))

    def _remember(self, wish: Wish, message: Turn, audience: Audience, *, day: str = "") -> Done:
        receipt = self._memory.remember(wish.text, evidence=(message.id,), day=day)
        if receipt.memory is None:
            return _done(wish, *receipt.told, is_error=True)
        if not all(map(audience.hears_of, (receipt.memory, *receipt.replaced))):
            return _done(wish, Sentence("noted"))
        about_it = withheld(self._suspected(message))  # is told of the whole message
        others = (each for each in receipt.told if each != about_it)
        return _done(wish, kept(receipt), *others, line=receipt.memory.seq if _is_new(receipt) else 0)

    def _note(self, message: Turn, audience: Audience, asked: _Question | None = None) -> list[Done]:
        """Remember a message as it is, or as was agreed; alone, if what it was to replace is gone by now.

        If it is new, a "no" takes it back.
        """
        asked = asked or _Question((message,))
        start = min((message.text.find(each.text) for each in ordered_in(message.text, NOTE)), default=0)
        key, text = named_in(asked.text or message.text[max(start, 0) :])
        try:
            evidence = (message.id,)
            receipt = self._memory.remember(key, text, evidence=evidence, replaces=asked.place, day=asked.day)
        except SoulError:
            if not asked.place:
                raise
            alone = self._note(message, audience, asked._replace(place=""))
            return [each._replace(told=(Sentence(_REPLACED_GONE), *each.told)) for each in alone]
        wish = Wish(REMEMBER, message.text)
        if not audience.is_private:
            return []
        if receipt.memory is None:
            return [_done(wish, *receipt.told, is_error=True)]
        changed = receipt.memory if _is_new(receipt) else next(iter(receipt.replaced), None)
        if changed is None:
            return [_done(wish, kept(receipt))]
        if not asked.place:
            self._wait(asked._replace(line=changed.seq))
        back = Sentence('"{undo}" takes it back', undo=CommandLine(f"almario undo {changed.seq}"))
        return [_done(wish, kept(receipt), back, line=changed.seq)]

    def heed(self, message: Turn, audience: Audience) -> list[Done]:
        """Remember what the owner tells, where no model learns it, or ask about what it corrects."""
        message, reader = message._replace(text=parted(message.text).own), self._memory.embedding
        text = message.text
        if not audience.is_private or len(text) > _LONGEST_NOTE:
            return []
        if (reminder := reminder_in(text, message.at)).what:
            done = self._remember(Wish(REMEMBER, reminder.what), message, audience, day=reminder.day)
            return [done if done.is_error else done._replace(told=(*done.told, _NO_BELL))]
        over = message
        for wish in (cancelled := ordered_in(text, CANCEL))[:1]:
            plan = Sentence("{plan} is cancelled", plan=self._named_plan(wish.text))
            over = message._replace(text=say(likelier_in(text, "en", LANGUAGES), plan))
        stated = self._stated_in(text)
        opening, is_danger = reader.opening(text), bool(reader.danger(text))
        is_told = self._tells(stated, opening)
        may_change = is_told or GROUP_OF.get(opening) == "feeling"
        stated_anew = stated if may_change and not is_danger and not cancelled else ""
        if (correction := self._corrected(over, stated_anew)) or cancelled:
            return correction or [_done(cancelled[0], Sentence(_NO_PLAN), is_error=True)]
        if ordered_in(text, NOTE):
            return self._note(message, audience)
        is_timed = hours(stated) and (_day_in(stated, message.at) or spans(stated, message.at.date()))
        is_work = opening == BEYOND and stated == text
        is_other = is_work or is_danger or opening in (CORRECTION, "apology")
        return self._kept(message, stated, audience) if (is_told or is_timed) and not is_other else []

    def _kept(self, message: Turn, stated: str, audience: Audience) -> list[Done]:
        """Remember what is told, unasked: of several days, each by itself."""
        told = [
            _Question((message,), text=each, day=_day_in(each, message.at))
            for each in day_by_day(stated, message.at.date())
        ]
        noted = [done for each in told for done in self._note(message, audience, each)]
        return [each._replace(structured={**each.structured, "unasked": True}) for each in noted]

    def _undone(self, asked: _Question, *, is_final: bool = False) -> Done:
        """Take back what was remembered unasked; unless that *is_final*, a yes remembers it again."""
        wish, undone = Wish(REMEMBER, asked.order[0].text), self._memory.undo(asked.line)
        if undone.left:
            return _done(wish, Sentence("it was changed since, so it stays remembered"), is_error=True)
        if not is_final:
            self._wait(asked._replace(line=0))
        texts = "; ".join(_short(memory.value) for memory in undone.changed)
        return _done(wish, Sentence('all right, not remembered: "{text}"', text=Words(texts)))

    def _named_plan(self, order: str) -> str:
        """Return the words by which "the gig, the singer is ill" names the only plan that has any of them."""
        words = [word.strip(",.;:") for word in order.split()]
        every = [[word for word in words if is_met(word, plan.memory.value)] for plan in self._memory.plans()]
        named = [each for each in every if each]
        return " ".join(named[0]) if len(named) == 1 else order

    def _tells(self, stated: str, opening: str) -> bool:
        """Return whether something is told that lasts, by itself or with a feeling."""
        reader, is_felt = self._memory.embedding, GROUP_OF.get(opening) == "feeling"
        chance = _TOLD_WITH_FEELING if is_felt else LIKE
        if reader.opening(stated, chance=chance, among=(TELLING,)) or TELLING in reader.openings(stated):
            return True
        reading = reader.read(stated)
        return not opening and reading.telling >= _TOLD and reading.personal >= _OF_ONESELF

    def _stated_in(self, text: str) -> str:
        return " ".join(filter(None, map(self._stated, sentences_in(text))))

    def _stated(self, sentence: str) -> str:
        """Return what of a sentence is told: what is asked before or after it is answered, and not kept."""
        reader, parts = self._memory.embedding, parts_of(sentence)
        work, colon, _ = sentence.partition(":")
        if is_order_alone(sentence) or (colon and reader.opening(work, among=(BEYOND, *WORK))):
            return ""  # what comes after "translate:" is material
        if not parts or "?" in sentence:
            return "" if reader.asks(sentence) or reader.opening(sentence) in _POLITE else sentence
        asked = [
            is_order_alone(each)
            or (not hours(each) and (reader.is_beside(each) or reader.opening(each) in _POLITE))
            for each in parts
        ]
        if all(asked):
            return ""
        first, last = asked.index(False), len(asked) - asked[::-1].index(False)
        start = sentence.find(parts[first]) if first else 0
        return sentence[start : sentence.find(parts[last], start) if last < len(parts) else None].rstrip(" ,")

    def _corrected(self, message: Turn, stated: str) -> list[Done]:
        """Ask whether to put right what a message corrects: the only memory, or what was said just before.

        What is *stated* and not worded as a correction may take the place of a memory as well.
        """
        today, before = message.at.date(), self._before(message)
        every = [(each, self._meant(each, before, today)) for each in corrections_in(message.text, today)]
        found, meant = next((each for each in every if each[1]), every[0] if every else (None, []))
        if found and found.is_over and len(meant) > 1:
            return self._which(message, [hit_of(each) for each in meant[:_NAMED]])
        memory = meant[0] if len(meant) == 1 else None
        if memory is None and stated and not is_in_doubt(stated):
            old = self._outdated(stated, message)
            if asked := self._replacing(message, old, stated, found) if old else []:
                return asked
        return self._put_right(message, found, memory, before) if found else []

    def _put_right(
        self, message: Turn, found: Correction, memory: Memory | None, before: Turn | None
    ) -> list[Done]:
        """Ask whether a correction takes the place of a memory; remember what was only said *before*."""
        today = message.at.date()
        if not memory and (found.is_over or not before):
            return []
        if memory and found.is_over and (skipped := self._skipping(message, memory, read(found.day))):
            return skipped
        text = memory.value if memory else before.text if before else ""
        stated_on = (memory.valid_from if memory else message.at).date()
        is_yearly = memory is not None and _YEARLY.fullmatch(memory.dated) is not None
        fixed, day = found.text, found.day or (memory.dated if memory else "")
        day = f"XXXX{day[4:]}" if is_yearly and len(day) == len("2026-12-03") else day
        if found.is_over and (others := others_in(text, found.subject)):
            fixed = others
        elif found.is_over:
            day = f"{today}/.."
        elif not (fixed := found.applied_to(text, stated_on)):
            fixed = found.text if found.subject else text
        is_past = not found.is_over and (named := read(found.day)) is not None and named.is_over(today)
        if fixed == text or is_past or not found.is_of(text, stated_on):
            return []
        if not memory:
            return self._note(message, OWNER_ALONE, _Question((message,), text=fixed, day=day))
        return self._ask_to_replace(message, memory, fixed, day)

    def _replacing(self, message: Turn, old: Memory, stated: str, found: Correction | None) -> list[Done]:
        """Ask whether what is stated takes a memory's place; of a plan that moved, the rest stays."""
        stated_on = old.valid_from.date()
        if found and found.day and _comes_again(old.dated) and not _comes_again(found.day):
            return []  # one of many moves, and the others stay
        is_moved = found and not found.is_over and found.is_of(old.value, stated_on)
        moved = found.applied_to(old.value, stated_on) if found and is_moved else ""
        if found and moved not in ("", old.value):
            return self._ask_to_replace(message, old, moved, found.day or old.dated)
        noted = self._kept(message, stated, OWNER_ALONE)
        return [*noted, self._ask_if_over(message, old, stated)]

    def _ask_to_replace(self, message: Turn, old: Memory, text: str, day: str) -> list[Done]:
        self._wait(_Question((message,), (), old.id, text, day))
        question = Sentence(_REPLACE, text=Words(text), before=Words(old.value))
        done = _done(Wish(REMEMBER, text), question, is_error=True, asks=True)
        return [done._replace(structured={"asks": True, "replaces": old.id, "day": day})]

    def _ask_if_over(self, message: Turn, old: Memory, text: str) -> Done:
        """Ask whether what was just remembered takes the place of something else."""
        self._wait(_Question((message,), (), old.id, text, is_kept=True))
        done = _done(Wish(REMEMBER, text), Sentence(_OVER, before=Words(old.value)), is_error=True, asks=True)
        return done._replace(
            structured={"asks": True, "replaces": old.id, "before": old.value, "unasked": True}
        )

    def _outdated(self, text: str, message: Turn) -> Memory | None:
        """Return the memory whose place something told is likeliest to take, if it is likely."""
        reader = self._memory.embedding
        found = self._memory.recall(Query(text, _COMPARED, 0.0, hidden=frozenset((message.id,))))
        own = {memory.id for memory in self._memory.list(Wanted(evidence=(message.id,)))}
        known = (hit for hit in found if hit.kind in OWN_PASSAGE and hit.memory not in own)
        newer = [hit for hit in known if not is_met(text, hit.text) or turned_in(text, hit.text)]
        chances = {hit.memory: reader.replaces(text, hit.text) for hit in newer}
        best = max(chances, key=chances.__getitem__, default="")
        old = self._memory.get(best) if chances.get(best, 0) >= CHANGED else None
        return old if old and old.is_live and old.origin != UNTRUSTED else None

    def _meant(self, found: Correction, before: Turn | None, today: date) -> list[Memory]:
        """Return the memories that a correction may be about: of several, what was kept just before."""
        just = self._memory.list(Wanted(evidence=(before.id,))) if before else []
        meant = self._memory.list(Wanted(text=found.wrong)) if found.wrong else just
        if (found.subject or found.is_over) and not found.wrong:
            day = read(found.day) if found.is_over else None
            plans = self._memory.plans()
            plans = [each for each in plans if found.is_over or each.is_repeated == _comes_again(found.day)]
            then = [(plan, next_time(plan.memory.dated, day.first_day) if day else None) for plan in plans]
            meant = [plan.memory for plan, when in then if day is None or day.agrees(when or plan.when)]
        meant = [each for each in meant if found.is_of(each.value, today)]
        is_clear = found.is_over or len(meant) == 1
        return [each for each in meant if is_clear or each in just] or meant

    def _before(self, message: Turn) -> Turn | None:
        """Return what the owner told just before a message, but for a yes or no."""
        recent = [f"{message.session}#{n}" for n in range(max(1, message.n - 4), message.n)]
        earlier = reversed(self._vault.turns(recent))
        own = [turn for turn in earlier if turn.role == "user" and turn.origin == "owner"]
        # What was remembered is meant rather than "thank you, dear" after it.
        own = [turn for turn in own if self._memory.list(Wanted(evidence=(turn.id,)))] or own
        last = next(
            (turn for turn in own if tells(turn.text) and not self._memory.embedding.reply(turn.text)), None
        )
        is_fresh = last and not last.is_off and message.at - last.at < _SOON
        return last if last and is_fresh and last.id not in self._memory.out_of_mind() else None

    def _skipping(self, message: Turn, memory: Memory, days: Validity | None) -> list[Done]:
        """Ask whether to leave some days out of what comes again."""
        dated = without(memory.dated, days) if days else memory.dated
        if not days or dated == memory.dated:
            return []
        self._wait(_Question((message,), (), memory.id, day=str(days), is_skip=True))
        question = Sentence(_SKIP, text=Words(memory.value), time=time_phrase(days, message.at.date()))
        done = _done(Wish(REMEMBER, memory.value), question, is_error=True)
        return [done._replace(structured={"asks": True, "replaces": memory.id, "day": dated})]

    def _skipped(self, asked: _Question) -> list[Done]:
        before, days, today = self._memory.get(asked.place), read(asked.day), asked.order[-1].at.date()
        dated = without(before.dated, days) if days and before.is_live else before.dated
        if dated == before.dated:
            return [_done(Wish(REMEMBER, before.value), Sentence(_CHANGED_SINCE), is_error=True)]
        memory = self._memory.amend(asked.place, Amendment(dated=dated))
        back = Sentence('"{undo}" takes it back', undo=CommandLine(f"almario undo {memory.seq}"))
        coming = next_time(memory.dated, today)
        time = time_phrase(coming, today) if coming else ""
        notice = Sentence(_SKIPPED if coming else "remembered: {what}", what=memory.label, time=time)
        return [_done(Wish(REMEMBER, memory.value), notice, back, line=memory.seq)]

    def _ask(self, message: Turn, audience: Audience) -> list[Done]:
        found = self._memory.recall(Query(message.text, _NAMED, hidden=frozenset((message.id,))))
        hits = [hit for hit in found if hit.memory] or found
        return self._which(message, hits) if hits and audience.is_private else []

    def _which(self, message: Turn, hits: Sequence[Hit]) -> list[Done]:
        """Ask which of these is to be forgotten: the one of the very words, if there is one."""
        hits = [hit for hit in hits if _named(_whole(hit)) == _named(message.text)][:1] or hits
        self._wait(_Question((message,), hits))
        is_one = len(hits) == 1
        this = 'did you mean me to forget this? Say "yes":'
        question = Sentence(this if is_one else "did you mean me to forget one of these? Say its number:")
        numbered = (
            Sentence("{number}. {text}  {name}", number=number, text=_short(_whole(hit)), name=name_of(hit))
            for number, hit in enumerate(hits, 1)
        )
        done = _done(Wish(FORGET, message.text), question, *numbered, is_error=True, asks=is_one)
        names = ", ".join(f"{name_of(hit)} ({_short(hit.text)})" for hit in hits)
        return [done._replace(text=f"perhaps they want this forgotten: {names}; nothing is forgotten yet")]

    def due(self, message: Turn, audience: Audience) -> list[Done]:
        """Bring up what the owner wanted to be reminded of in a situation, if their message speaks of it."""
        if not audience.is_private:
            return []
        found = self._memory.bring_up(message.text)
        notices = [Sentence(_BROUGHT_UP.get(each.origin, _WANTED), what=Words(each.text)) for each in found]
        return [
            Done(str(one), told=(one,), memories=(each.id,), name=REMIND, arguments={"memory": each.id})
            for each, one in zip(found, notices, strict=True)
        ]

    def withheld(self, message: Turn, audience: Audience) -> list[Done]:
        """Say at once what of an owner's message is told to no model later, as it may be a secret."""
        suspected = self._suspected(message)
        if not suspected or not audience.is_private:
            return []
        return [Done("", told=(withheld(suspected),), name=WITHHELD_ACTION)]

    def _suspected(self, message: Turn) -> tuple[str, ...]:
        """Return what of a message may be a secret; what it orders to be kept is searched as it is kept."""
        wishes = [wish.text for wish in ordered_in(message.text)]
        texts = [*wishes, besides_orders(message.text)] if wishes else [message.text]
        return tuple(dict.fromkeys(part for each in texts for part in self._memory.redact(each).suspected))

    def _forget(self, wish: Wish, message: Turn, audience: Audience) -> list[Done]:
        meant = self._memory.meant(wish.text, (message.id,))
        # Of several paragraphs, one may be somebody else's that was pasted.
        if meant.is_one and "\n\n" not in message.text.strip():
            gone = self._gone(meant.hits(), (message,), audience)
            others = others_in(meant.sure[0].text, wish.text) if audience.is_private else ""
            also = (Sentence(_ALSO, more=Words(others)),) if others else ()
            return [each._replace(told=each.told + also) for each in gone]
        hits = (meant.sure or meant.likely)[:_NAMED]
        why = Sentence("I find nothing like that to forget")
        if hits and not audience.is_private:
            why = Sentence("tell me in a private chat what to forget")
        elif hits and message.session in self._pending:
            why = Sentence("one at a time: say again what else to forget")
        elif hits:
            return self._which(message, hits)
        return [_done(wish, why, is_error=True)]

    def _answered(self, asked: _Question, audience: Audience) -> list[Done]:
        order, hits = asked.order, asked.hits
        answer, wish = order[-1], Wish(FORGET, order[0].text)
        found = self._memory.embedding.reply(answer.text)
        is_both = bool(asked.place) and chosen_in(answer.text, ("", "")) == [0, 1]
        is_yes, is_no = found == YES and not is_both, found == NO or is_both
        if not hits:
            return self._agreed(asked, YES if is_yes else NO if is_no else "", audience)
        # What a guess takes for a yes forgets nothing.
        is_number, is_sure = answer.text.strip(" .#").isdecimal(), sure_reply(answer.text, FORGET) == YES
        texts = [_whole(hit) for hit in hits]
        chosen = (
            chosen_in(answer.text, texts, is_choice=found == WHICH)
            if texts[1:] or is_number
            else [0] * is_sure
        )
        if chosen:
            return self._gone([hits[each] for each in chosen], order, audience)
        if is_no:
            return [_done(wish, Sentence("nothing was forgotten"))]
        if is_yes or is_number:
            self._wait(asked)
            which = Sentence("say a number from 1 to {most}, or no; nothing was forgotten", most=len(hits))
            return [_done(wish, which, is_error=True)]
        return []

    def _agreed(self, asked: _Question, answer: str, audience: Audience) -> list[Done]:
        """Remember after a yes, or beside the other after a no; or undo what was remembered unasked."""
        order, wish = asked.order, Wish(REMEMBER, asked.order[0].text)
        if asked.line and answer == NO:
            return self._declined(asked)
        if asked.line:
            return [_done(wish, Sentence("it is remembered"))] if answer == YES else []
        if answer == NO and (asked.is_kept or asked.is_skip):
            both = (
                Sentence("all right: I remember both") if asked.is_kept else Sentence("nothing was changed")
            )
            return [_done(wish, both)]
        if answer == YES and asked.is_skip:
            return self._skipped(asked)
        is_kept = answer == YES or (answer == NO and asked.place)
        meant = asked if answer == YES else _Question(order, day=asked.day)
        return self._note(order[0], audience, meant._replace(is_kept=False)) if is_kept else []

    def _declined(self, asked: _Question) -> list[Done]:
        """Take back what was remembered unasked after a sure no; ask, after what may be one."""
        answer, reader = asked.order[-1].text, self._memory.embedding
        if sure_reply(answer, REMEMBER, NOTE) == NO:
            return [self._undone(asked)]
        reading = reader.read(answer)
        if max(reading.telling, reading.small_talk / 2) >= _NO_DECLINE:
            return []
        kept_by = self._memory.list(Wanted(evidence=(asked.order[0].id,)))
        return self._which(asked.order[-1], [hit_of(each) for each in kept_by]) if kept_by else []

    def _gone(self, hits: Sequence[Hit], order: Sequence[Turn], audience: Audience) -> list[Done]:
        gone = self._memory.put_out_of_mind(hits, order=tuple(turn.id for turn in order))
        notices = forgotten(gone, hits) if audience.is_private else [Sentence("forgotten")]
        return [_done(Wish(FORGET, order[0].text), *notices, line=gone.seq)]


def _day_in(text: str, now: datetime) -> str:
    """Return the day of what is told, if its words do not say that by themselves."""
    today = now.date()
    spans_of_it = spans(text, today, is_fact=True)
    days = [each.first for each in spans_of_it if each.first == each.last and each.reading != "again"]
    if days == [today] and hours(text):
        return str(today)  # "dinner tonight at 8" is no state that begins today
    # What moved is ahead, though that is told in the past: "the dentist moved to Thursday".
    moved = correction_in(text, today) if days and days[0] < today else None
    return moved.day if moved and moved.day > str(today) else day_of_hour(text, now)


def _comes_again(dated: str) -> bool:
    return dated.startswith("XXXX")


def _is_new(receipt: Receipt) -> bool:
    """Return whether something was remembered that was not known: undoing the rest would take back more."""
    return receipt.outcome in ("new", "superseded")


def kept(receipt: Receipt) -> Sentence:
    """Say what became of something that was to be remembered, and of which day it is."""
    what, dated = (receipt.memory.label, receipt.memory.dated) if receipt.memory else ("", "")
    if receipt.replaced:
        before = receipt.replaced[0].value
        return Sentence("remembered: {what} (before: {before})", what=what, before=before)
    day = dated.removesuffix("/..")
    if _is_new(receipt) and day.replace("-", "").isdecimal() and len(day) == len("2026-12-03"):
        return Sentence("remembered: {what} ({day})", what=what, day=by_name(day))
    return Sentence("remembered: {what}" if _is_new(receipt) else "already known: {what}", what=what)


def forgotten(gone: Forgotten, hits: Sequence[Hit]) -> list[Sentence]:
    """Say what was forgotten, and whether messages and lines went out of mind with it."""
    shortened_texts = (shortened(" ".join(hit.text.split()), _WHOLE) for hit in hits)
    texts = [memory.label for memory in gone] or shortened_texts
    notices = [Sentence("forgotten: {text}", text=text) for text in texts]
    if gone.turns or gone.lines:
        notices.append(Sentence("what was said and noted about it is no longer recalled either"))
    return [*notices, Sentence('"{undo}" brings it back', undo=CommandLine(f"almario undo {gone.seq}"))]


def off_record(
    heard: str, gone: Forgotten | None = None, audience: Audience = OWNER_ALONE, *, ahead: bool = False
) -> Done:
    """Say that something is off the record or set aside, or what is taken back, and how to have it again."""
    keep = CommandLine("almario keep" if heard == PERHAPS else "keep")
    if heard == PERHAPS:
        aside = "set aside, as it sounds like a secret: it is kept, but not learned or brought up"
        both = "set aside, as it sounds like a secret: this and your next message"
        every = [Sentence(both if ahead else aside), Sentence('"{keep}" lets me use it', keep=keep)]
    elif gone is not None:
        known = [*(f'"{_short(text)}"' for text in gone.said), *(memory.text for memory in gone)]
        names = ", ".join([*(known if audience.is_private else ()), *gone.turns])
        notice = Sentence("off the record, to be erased when you leave: {names}", names=names)
        every = [notice, Sentence('"{keep}" brings it back until then', keep=keep)]
    elif heard == PREVIOUS:
        every = [Sentence("there is nothing earlier to take off the record")]
    else:
        none = "off the record: none of this is written down, and it is gone when you leave"
        notice = Sentence("off the record: this and your next message" if ahead else none)
        every = [notice, Sentence('"{keep}" puts it on the record', keep=keep)]
    taken = {"turns": gone.turns} if gone is not None and heard == PREVIOUS else {}
    text = "; ".join(map(str, every))
    return Done(text, told=tuple(every), name=OFF_RECORD, arguments={"sort": heard, **taken})


def put_back(turns: Sequence[Turn]) -> Done:
    """Say what is on the record again."""
    text = "; ".join(_short(turn.text) for turn in turns if turn.role == "user")
    notice = Sentence("back on the record: {text}", text=text)
    return Done(str(notice), told=(notice,), name="keep")


def _done(wish: Wish, *notices: Sentence, is_error: bool = False, line: int = 0, asks: bool = False) -> Done:
    """Say what came of a wish: the *line* of the journal undoes it; or it *asks* for yes or no."""
    text, given = "; ".join(map(str, notices)), {"text": wish.text}
    more = {"line": line} if line else {"asks": True} if asks else {}
    return Done(text, told=notices, is_error=is_error, structured=more, name=wish.verb, arguments=given)


def _named(text: str) -> list[str]:
    """Return the words of a text that say what is to be forgotten."""
    light = SMALL | ordering_words(FORGET)
    return [word for each in spelled_words(text) if (word := fold(each)) not in light]


def _whole(hit: Hit) -> str:
    return f"{hit.key}: {hit.text}" if hit.key else hit.text


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), _SHOWN)
