"""What the owner tells where no model learns it: it is remembered, and what of the old it changes is marked.

It may correct a memory, be what became of one, call off a plan or leave out a day of what comes again. Each
is a guess: it is told, or asked, and the owner's next message settles it.
"""

import re
from collections.abc import Sequence
from datetime import date
from functools import partial
from itertools import takewhile

from almario.conversation.lookups import to_do_in
from almario.conversation.notices import done, undo
from almario.conversation.pending import SOON, Answered, Messages
from almario.conversation.stated import day_in, stated_in
from almario.conversation.tool_calls import Done
from almario.conversation.wishing import LONGEST_NOTE, Wishing, noted_in, noted_last
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.forgotten import hit_of
from almario.domain.memories import OWN_PASSAGE, UNTRUSTED, Memory, Wanted
from almario.domain.messages import LANGUAGES, Sentence, Words, say
from almario.domain.model import Query
from almario.domain.opening_kinds import BEYOND, CORRECTION, GROUP_OF, NO, TELLING, YES
from almario.domain.plain_text import regex
from almario.domain.plans import is_planned
from almario.domain.turn_ids import turn_ids
from almario.domain.turns import Turn
from almario.domain.validity import Validity, next_time, read, time_phrase, without
from almario.domain.withheld import MASK
from almario.domain.words import SMALL, all_forms, fold, names_in, shared_words
from almario.memory.amending import Amendment
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.answers import begins_with_yes, is_clear_yes, is_piece, keeps_both, sure_reply, takes_back
from almario.text.claims import day_of, turned_in
from almario.text.corrections import (
    BACK,
    CLEAR,
    CORRECTS,
    SURE,
    is_added,
    is_all_told,
    is_moved,
    is_told_again,
    put_right,
)
from almario.text.facts import facts_in
from almario.text.intentions import is_met, on_other_weekdays, reminder_in, subject_of
from almario.text.outdated import LIKELY
from almario.text.questions import begins_as_question, is_question
from almario.text.quoting import parted
from almario.text.reader import parts_of
from almario.text.times.lexicon import tokens
from almario.text.times.wording import tenses_in
from almario.text.timewords import spans
from almario.text.tongues import likelier_in
from almario.text.wishes import CANCEL, NOTE, REMEMBER, Wish, listed, off_record_in, ordered_in, others_in

# So many memories are compared with what is told, and so many plans are named of which one may be off.
_COMPARED, _MOST = 24, 5
_YEARLY = regex(r"XXXX-\d\d-\d\d")
# From this chance on, what reads as no correction takes the place of what was told before, if both share a
# word or are so near in meaning.
_REPLACES, _LIKE = 0.8, 0.4
_FINISHED = Sentence('I take it "{before}" is done; "no" puts it back')
_TO_DO_AGAIN = 'all right: "{before}" is on the list again'
_DOUBTED = Sentence('I take it "{before}" no longer holds; "no" takes this back, "both" keeps both')
# An answer to whether one memory takes another's place.
_BOTH = "both"
_SKIP = 'shall I leave out "{text}" ({time})? Say "yes"; "no" leaves it as it is'
_SKIPPED = "remembered: {what}; the next time is {time}"
_CHANGED_SINCE = "that plan was changed since, so nothing was left out"
_CHANGED_NEW = "what you told was changed since, so nothing was done"
_SETTLED = "that is settled already; nothing was changed"
_OVER = Sentence('I take it "{before}" no longer holds; "no" keeps both')
_NO_PLAN = 'I find no such plan, or more than one; "what\'s coming up?" shows them. Nothing was changed'
_NO_BELL = Sentence("I can't alert you: what has a date comes up when you open the chat that day")


class _Told(NamedTuple):
    """A part of what is told, and what was to be done that it tells is done."""

    text: str
    done: Memory | None


class Heeding:
    """Keeps what the owner tells, and marks what that changes."""

    def __init__(self, vault: Store, memory: Memories, wishing: Wishing) -> None:
        self._vault = vault
        self._memory = memory
        self._wishing = wishing

    def heed(self, message: Turn, audience: Audience) -> list[Done]:
        """Remember what the owner tells, where no model learns it, and mark what it corrects."""
        message, reader = message._replace(text=parted(message.text).own), self._memory.embedding
        text = message.text
        if not audience.is_private or len(text) > LONGEST_NOTE:
            return []
        if (reminder := reminder_in(text, message.at)).what:
            plan = self._wishing.remember(Wish(REMEMBER, reminder.what), message, audience, day=reminder.day)
            return [plan if plan.is_error else plan._replace(told=(*plan.told, _NO_BELL))]
        if noted := noted_last(text):
            told = self.heed(message._replace(text=text.removesuffix(noted).strip()), audience)
            note = ordered_in(noted, REMEMBER, NOTE)[0].text
            return [*told, *self._wishing.note(message, audience, note)]
        over, cancelled = message, ordered_in(text, CANCEL)
        for wish in cancelled[:1]:
            is_off = Sentence("{plan} is cancelled", plan=self._named_plan(wish.text))
            over = message._replace(text=say(likelier_in(text, "en", LANGUAGES), is_off))
        opening, is_danger = reader.opening(text), bool(reader.danger(text))
        stated, is_told = stated_in(text, opening, message.at, reader)
        may_change = is_told or opening == TELLING or GROUP_OF.get(opening) == "feeling"
        stated_anew = stated if may_change and not is_danger and not cancelled else ""
        is_asked = cancelled or is_danger or "?" in text or begins_as_question(text)
        changed = [] if is_asked else self._ticked_off(message, stated if is_told else "")
        changed = changed or self._changed(over, stated_anew, audience, is_off=bool(cancelled))
        if changed or cancelled:
            return changed or [done(cancelled[0], Sentence(_NO_PLAN), is_error=True)]
        if ordered_in(text, NOTE):
            return self._wishing.note(message, audience, noted_in(text))
        is_work = opening == BEYOND and stated == text
        is_other = is_work or is_danger or opening in (CORRECTION, "apology")
        return self._kept(message, stated) if is_told and not is_other else []

    def outdated(self, message: Turn, granted: Sequence[Done], audience: Audience) -> list[Done]:
        """Mark what a message that ordered something to be remembered seems to take the place of."""
        for each in granted:
            is_new = each.name == REMEMBER and "line" in each.structured
            if is_new and audience.is_private and not self._wishing.questions.is_open(message.session):
                text = str(each.arguments["text"])
                old = self._outdated(text, message, audience)
                marked = self._mark(message, old, text, "", _OVER)[:1] if old else []
                return [one._replace(told=one.told[1:2]) for one in marked]
        return []

    def _kept(self, message: Turn, stated: str) -> list[Done]:
        """Remember what is told, unasked: each fact by itself."""
        facts = {each: day_in(each, message.at) for each in facts_in(stated, message.at.date())}
        noted = self._wishing.note_each(message, OWNER_ALONE, facts)
        return [each._replace(structured={**each.structured, "unasked": True}) for each in noted]

    def _named_plan(self, order: str) -> str:
        """Return the words by which "the gig, the singer is ill" names the only plan that has any of them."""
        words = [word.strip(",.;:") for word in order.split()]
        every = [[word for word in words if is_met(word, plan.memory.value)] for plan in self._memory.plans()]
        named = [each for each in every if each]
        return " ".join(named[0]) if len(named) == 1 else order

    def _changed(self, message: Turn, stated: str, audience: Audience, *, is_off: bool) -> list[Done]:
        """Mark what a message changes: what was just told, a plan that it names, or another memory."""
        just, reader = self._just_told(message), self._memory.embedding
        subject = subject_of(message.text, message.at.date())
        # "I meant May" may read as a question that lacks its sign.
        if reader.asks(message.text) and (is_question(message.text) or not just):
            return []
        plans = [each for each in self._named_plans(message) if audience.hears_of(each)]
        if is_off:
            return self._corrected(message, plans, stated, is_off=True)
        # What a message names comes before what was just told, which it may mean without a name.
        named = [each for each in just if shared_words(subject, each.value)] or plans
        named = named or self._alike(message, audience)
        if any(is_told_again(each.value, message.text) for each in (*named, *just)):
            return []
        if fixed := self._corrected(message, named, stated) or self._corrected(message, just, stated):
            return fixed
        facts = facts_in(stated, message.at.date()) if stated else []
        for fact in facts:
            old = self._outdated(fact, message, audience)
            if not old or old.dated or reader.is_to_do(old.value):
                continue  # a plan is changed only by what reads so
            others = {each: day_in(each, message.at) for each in facts if each != fact}
            kept = self._wishing.note_each(message, OWNER_ALONE, others) if others else []
            return [*kept, *self._mark(message, old, fact, day_in(fact, message.at), _OVER)]
        return []

    def _corrected(
        self, message: Turn, known: Sequence[Memory], stated: str, *, is_off: bool = False
    ) -> list[Done]:
        """Mark the memory that a message corrects or takes back, if it is one of these; of several, ask."""
        change, today = self._memory.embedding.change, message.at.date()
        kinds = [BACK if is_off else change(each.value, message.text) for each in known]
        if len(known) == 1 and known[0].dated and is_moved(known[0].value, message.text, today):
            kinds = [CORRECTS]
        if BACK in kinds:
            several = [hit_of(each) for each in known[:_MOST]]
            return self._wishing.which(message, several) if known[1:] else self._called_off(message, known[0])
        wrong = [each for each, kind in zip(known, kinds, strict=True) if kind == CORRECTS]
        # A secret is no part of another thing, and what is withheld is not written anew.
        wrong = [each for each in wrong if MASK not in each.value]
        if not wrong or is_added(message.text) or self._memory.redact(message.text).suspected:
            return []
        old = max(wrong, key=lambda each: put_right(each.value, message.text).chance)
        series = on_other_weekdays(old.value, message.text, today) if _comes_again(old.dated) else ""
        if not series and _is_one_of_many(old, message.text, today):
            return []
        right = put_right(old.value, message.text)
        # Which words give way to which must be clear, and nothing else told.
        is_sure = right.chance >= SURE or is_piece(message.text) or message.text.startswith("*")
        is_whole = is_sure and is_all_told(old.value, message.text, right.text)
        # "I meant May" is enough of what was just told.
        is_just = not stated and old in self._just_told(message)
        # What is to be done is put right only by what is to be done, and not by how it went.
        is_to_do = self._memory.embedding.is_to_do
        is_other = is_to_do(old.value) and not is_to_do(right.text)
        is_clear = right.chance >= CLEAR and (is_whole or is_just) and not is_other
        if len(wrong) > 1 or not (series or is_clear):
            return self._kept(message, stated) if stated else []
        fixed = series or right.text
        # What a message says by itself is told, whatever becomes of the old; it is a guess if it takes words
        # from that, or says which of them are wrong.
        said, now = all_forms(message.text), all_forms(fixed)
        is_told = now <= said and said.isdisjoint(all_forms(old.value) - now)
        return self._mark(message, old, fixed, _day_of(fixed, old, message), _OVER if is_told else _DOUBTED)

    def _called_off(self, message: Turn, old: Memory) -> list[Done]:
        """Mark what is off: from now on, or was never so; ask whether it is on some days."""
        today = message.at.date()
        days = spans(message.text, today, is_fact=True)
        if skipped := self._skipping(message, old, read(days[0].dated) if len(days) == 1 else None):
            return skipped
        if _comes_again(old.dated) and any(each.first == each.last for each in days):
            return []  # "no yoga on Monday", of what comes on Tuesdays
        if not shared_words(message.text, old.value):
            return self._wishing.which(message, [hit_of(old)])
        others = others_in(old.value, subject_of(message.text, today))
        day = old.dated if others else f"{today}/.."
        return self._mark(message, old, others or message.text, day)

    def _mark(
        self, message: Turn, old: Memory, text: str, day: str, seems: Sentence = _DOUBTED
    ) -> list[Done]:
        """Remember what seems to take a memory's place, and mark that one until the owner settles it."""
        marked, answered = self._marked(message, old, text, day, seems)
        self._wishing.questions.ask((message,), answered)
        return marked

    def _marked(
        self, message: Turn, old: Memory, text: str, day: str, seems: Sentence
    ) -> tuple[list[Done], Answered]:
        """Remember what seems to take a memory's place, and mark that one; say what an answer does."""
        made = self._wishing.note_each(message, OWNER_ALONE, {text: day}, doubts=old.id)
        own, wish = self._told_by(message), Wish(REMEMBER, message.text)

        def answered(about: Messages) -> list[Done]:
            reply = self._agreed(about)
            if reply and not own <= self._told_by(message):
                return [done(wish, Sentence(_CHANGED_NEW), is_error=True)]
            if reply and self._is_settled(old):
                return [done(wish, Sentence(_SETTLED))]
            if reply == YES:
                return self._wishing.note(message, OWNER_ALONE, text, day=day, replaces=old.id)
            lines = [each.structured["line"] for each in made if "line" in each.structured]
            if lines and reply == NO and (seems == _DOUBTED or _is_taken_back(about)):
                return [self._wishing.undone(about, line) for line in lines]
            if reply:
                self._memory.confirm(old.id)
            is_done = seems == _FINISHED
            both = Sentence("all right: I remember both")
            settled = Sentence(_TO_DO_AGAIN, before=Words(old.value)) if is_done else both
            return [done(wish, settled)] if reply else []

        first, *others = made
        told = (*first.told[:1], Sentence(seems.text, before=Words(old.value)), *first.told[1:])
        more = {"doubts": old.id, "before": old.value, "is_done": seems == _FINISHED}
        more |= {**first.structured, "unasked": seems == _OVER}
        return [first._replace(told=told, structured=more), *others], answered

    def _is_settled(self, old: Memory) -> bool:
        """Return whether it was answered elsewhere: what was marked is replaced, or holds beside the new."""
        now = self._memory.get(old.id)
        return now.state == "superseded" or (now.is_live and not now.by)

    def _told_by(self, message: Turn) -> set[str]:
        return {each.id for each in self._memory.list(Wanted(evidence=(message.id,)))}

    def _agreed(self, about: Messages) -> str:
        """Return `yes`, `no` or `both`, if the last message says that; a yes with a but is `both`."""
        text = about[-1].text
        if keeps_both(text):
            return _BOTH
        if self._memory.embedding.reply(text) == YES:
            return YES if is_clear_yes(text) else _BOTH if begins_with_yes(text) else ""
        return NO if _is_taken_back(about) else sure_reply(text, REMEMBER, NOTE)

    def _outdated(self, text: str, message: Turn, audience: Audience) -> Memory | None:
        """Return the memory nearest to something told, if that is likely to take its place."""
        reader = self._memory.embedding
        query = Query(text, _COMPARED, 0.0, audience=audience, hidden=frozenset((message.id,)))
        found = self._memory.recall(query)
        own = {memory.id for memory in self._memory.list(Wanted(evidence=(message.id,)))}
        known = [hit for hit in found if hit.kind in OWN_PASSAGE and hit.memory not in own]
        nearest = max(known, key=lambda hit: reader.likeness_of_parts(text, hit.text), default=None)
        if nearest is None or (is_met(text, nearest.text) and not turned_in(text, nearest.text)):
            return None  # the same once more
        is_near = shared_words(text, nearest.text) or reader.likeness_of_parts(text, nearest.text) >= _LIKE
        is_likely = is_near and reader.replaces(text, nearest.text) >= _REPLACES
        old = self._memory.get(nearest.memory) if is_likely else None
        return old if old and self._may_change(old) else None

    def _just_told(self, message: Turn) -> list[Memory]:
        """Return what was remembered of the owner's last message, if that was not long ago."""
        recent = self._vault.turns(turn_ids(message.session, range(max(1, message.n - 4), message.n)))
        fresh = [turn.id for turn in reversed(recent) if message.at - turn.at < SOON]
        kept = (self._memory.list(Wanted(evidence=(each,))) for each in fresh)
        return list(next(filter(None, kept), ()))

    def _ticked_off(self, message: Turn, stated: str) -> list[Done]:
        """Mark what was to be done, where a clause likely tells that it is; remember what else is *stated*.

        "Rang the plumber, he can come" is one thing; "I got the milk and the dentist is on Friday" are two.
        """
        today = message.at.date()
        jotted = self._jotted() if _is_past(message.text) else []
        facts = facts_in(stated, today) if stated and jotted else []
        beside = [each for each in parts_of(message.text) or [message.text] if each not in stated]
        told = [each for fact in facts for each in self._told_in(fact, jotted, today)]
        told += [each for part in beside for each in self._told_in(part, jotted, today) if each.done]
        met = [(text, done) for text, done in told if done]
        others = {each.text: day_in(each.text, message.at) for each in told if not each.done}
        if not met:
            return []
        noted = self._wishing.note_each(message, OWNER_ALONE, others) if others else []
        lines, answers = [each.structured["line"] for each in noted if "line" in each.structured], []
        for text, old in met:
            marked, answered = self._marked(message, old, text, day_in(text, message.at), _FINISHED)
            noted += marked
            answers.append(answered)

        def settled(about: Messages) -> list[Done]:
            undone = [self._wishing.undone(about, each) for each in lines] if _is_taken_back(about) else []
            return [*undone, *(one for each in answers for one in each(about))]

        self._wishing.questions.ask((message,), settled)
        return noted

    def _jotted(self) -> list[Memory]:
        """Return what is to be done, on a day or none."""
        planned = (plan.memory for plan in self._memory.plans() if not plan.since)
        is_to_do = self._memory.embedding.is_to_do
        return [*to_do_in(self._memory), *(each for each in planned if is_to_do(each.value))]

    def _told_in(self, fact: str, jotted: Sequence[Memory], today: date) -> list[_Told]:
        """Part a fact where it tells that one more thing is done, or what is on a day of its own."""
        joins = "|".join(sorted(listed("joins")))
        first, *clauses = re.split(rf"(?<=[,;.])\s+|\s+(?=(?:{joins})\s)", fact)
        told = [_Told(first, self._done_in(first, jotted, today))]
        for clause in clauses:
            bare, last = re.sub(rf"\A(?:{joins})\s+", "", clause), told[-1]
            joined = f"{last.text} {clause}"
            found = self._done_in(bare if _is_past(bare) else joined, jotted, today)
            if (found and last.done and found != last.done) or (last.done and _is_of_a_day(bare, today)):
                told.append(_Told(bare, found if _is_past(bare) else None))
            else:
                told[-1] = _Told(joined, last.done or found)
        return [each._replace(text=each.text.strip(" ,;")) for each in told]

    def _done_in(self, text: str, jotted: Sequence[Memory], today: date) -> Memory | None:
        """Return what was to be done and, as a clause of a text likely tells, is."""
        clauses = [each for each in parts_of(text) or [text] if _is_past(each)]
        is_done = self._is_done
        found = (each for each in jotted if any(is_done(each.value, clause, today) for clause in clauses))
        return next(found, None)

    def _is_done(self, to_do: str, clause: str, today: date) -> bool:
        """Return whether a clause in the past likely tells that what was to be done is done."""
        verb, _, named = subject_of(to_do, today).partition(" ")
        # It may be told with another verb, but not with the very same: "I forgot to call the plumber".
        if not is_met(named, clause) or fold(verb) in fold(clause).split() or turned_in(clause, to_do):
            return False
        # Whoever is named before the verb did it: "the plumber called". And "ha llamado el fontanero" does
        # not say to whom, as "llamar al fontanero" does.
        before = _before(named, clause)
        leads = set(fold(_before(named, to_do)).split()[1:]) & SMALL - listed("articles")
        is_object = _is_past(before, clause) and leads <= set(fold(before).split())
        return is_object and self._memory.embedding.replaces(clause, to_do) >= LIKELY

    def _named_plans(self, message: Turn) -> list[Memory]:
        """Return the plans that share the most words with a message, and have every name in it."""
        today = message.at.date()
        subject = subject_of(message.text, today)
        names = [each for each in names_in(message.text) if not day_of(each)]
        plans = [each.memory for each in self._memory.plans() if not each.since]
        plans = [each for each in plans if all(is_met(name, each.value) for name in names)]
        shared = {each.id: shared_words(subject, subject_of(each.value, today)) for each in plans}
        most = max(shared.values(), default=0)
        return [each for each in plans if most and shared[each.id] == most]

    def _alike(self, message: Turn, audience: Audience) -> list[Memory]:
        """Return the memory that is nearest to a message and shares a word with it."""
        query = Query(message.text, _COMPARED, 0.0, audience=audience, hidden=frozenset((message.id,)))
        found = self._memory.recall(query)
        subject = subject_of(message.text, message.at.date())
        known = [hit for hit in found if hit.kind in OWN_PASSAGE and shared_words(subject, hit.text)]
        nearest = [self._memory.get(hit.memory) for hit in known[:1]]
        nearest = [each for each in nearest if self._may_change(each)]
        return [each for each in nearest if message.id not in each.evidence]  # the message comes again

    def _may_change(self, memory: Memory) -> bool:
        """Return whether a memory is in use, not a stranger's and not in doubt already."""
        is_known = memory.is_live and memory.origin != UNTRUSTED
        return is_known and not self._memory.earlier([memory])

    def _skipping(self, message: Turn, memory: Memory, days: Validity | None) -> list[Done]:
        """Ask whether to leave some days out of what comes again."""
        dated = without(memory.dated, days) if days else memory.dated
        if not days or dated == memory.dated:
            return []
        self._wishing.questions.ask((message,), partial(self._skipped, memory.id, days))
        question = Sentence(_SKIP, text=Words(memory.value), time=time_phrase(days, message.at.date()))
        asked = done(Wish(REMEMBER, memory.value), question, is_error=True)
        return [asked._replace(structured={"asks": True, "replaces": memory.id, "day": dated})]

    def _skipped(self, place: str, days: Validity, about: Messages) -> list[Done]:
        """Leave days out of what comes again, as it is by now."""
        agreed, before, today = self._agreed(about), self._memory.get(place), about[-1].at.date()
        dated = without(before.dated, days) if before.is_live else before.dated
        wish = Wish(REMEMBER, before.value)
        if agreed != YES or dated == before.dated:
            why = Sentence(_CHANGED_SINCE) if agreed == YES else Sentence("nothing was changed")
            return [done(wish, why, is_error=agreed == YES)] if agreed else []
        memory = self._memory.amend(place, Amendment(dated=dated))
        coming = next_time(memory.dated, today)
        time = time_phrase(coming, today) if coming else ""
        notice = Sentence(_SKIPPED if coming else "remembered: {what}", what=memory.label, time=time)
        return [done(wish, notice, undo(memory.seq), line=memory.seq)]


def _is_taken_back(about: Messages) -> bool:
    """Return whether the last message wants neither one nor the other: "scrap that", "off the record"."""
    return takes_back(about[-1].text) or bool(off_record_in(about[-1].text))


def _is_of_a_day(clause: str, today: date) -> bool:
    """Return whether a clause says what is on a day to come: "the dentist is on Friday", not "he comes"."""
    first = fold(clause).split()[:1]
    is_led = not listed("articles").isdisjoint(first)
    return is_led and any(each.last >= today for each in spans(clause, today, is_fact=True))


def _before(named: str, text: str) -> str:
    """Return the words of a text before the first that names something."""
    return " ".join(takewhile(lambda word: not is_met(word, named), text.split()))


def _is_past(text: str, clause: str = "") -> bool:
    """Return whether a text, or the beginning of a clause, tells of what was."""
    code = likelier_in(clause or text, "en", ("en", "es"))
    return "past" in tenses_in(tokens(text), frozenset({code}))


def _days(text: str, seen_from: date) -> list[str]:
    return [each.dated for each in spans(text, seen_from, is_fact=True)]


def _day_of(fixed: str, old: Memory, message: Turn) -> str:
    """Return the day of a memory that a message puts right: as it was, if the words for it are."""
    today = message.at.date()
    before, named = (_days(each, old.valid_from.date()) for each in (old.value, fixed))
    if before == named:
        return old.dated
    is_new = len(named) == 1 and not _YEARLY.fullmatch(old.dated)
    day = next(iter(_days(fixed, today)), "") if is_new else ""
    if day and is_planned(old, message.at) and day < str(today):  # "is delivered on Saturday" is ahead
        return next((each for each in _days(message.text, today) if each > str(today)), day)
    return day


def _is_one_of_many(old: Memory, text: str, today: date) -> bool:
    """Return whether a text moves only one of what comes again; the others stay."""
    is_often = _comes_again(old.dated) and not _YEARLY.fullmatch(old.dated)
    return is_often and not all(map(_comes_again, _days(text, today)))


def _comes_again(dated: str) -> bool:
    return dated.startswith(("XXXX", "R/"))
