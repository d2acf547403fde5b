"""What the owner wants in words, how sure that is, and what is done about it: nothing else acts on words.

| | to remember | to forget | not to keep |
|---|---|---|---|
| sure, by a row of a language | remembered | forgotten, if it names one thing | off the record |
| likely, as it is read | remembered as said, unless a model learns it | asked | set aside |
| else | the model, if there is one, has tools for each, and is told what was done |||

Every order of a message is dealt with. Without a model, what the owner tells is offered to be remembered, and
what corrects one clear memory in its place; a yes takes all offers of the last few messages.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from almario.conversation.tool_calls import OFF_RECORD, REMIND, WITHHELD_ACTION, Done
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.forgotten import Forgotten, name_of
from almario.domain.memories import Memory, Wanted
from almario.domain.messages import LANGUAGES, CommandLine, Sentence, Words, say, sentence_of
from almario.domain.model import Hit, Query
from almario.domain.opening_kinds import BEYOND, CORRECTION, NO, TELLING, WHICH, YES
from almario.domain.plain_text import shortened
from almario.domain.turns import PERHAPS, PREVIOUS, THIS, Turn
from almario.domain.validity import by_name, read
from almario.domain.withheld import withheld
from almario.domain.words import SMALL, fold, sentences_in
from almario.errors import SoulError
from almario.memory.admission import Receipt
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.answers import answer_words, chosen_in, sure_reply
from almario.text.corrections import Correction, correction_in
from almario.text.intentions import day_of_hour, intention_in, named_in, reminder_in
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
# The answer to a question is the owner's next message, to an offer one of the next few; within this time.
_AT_ONCE, _FEW, _SOON = 2, 4, timedelta(minutes=30)
# How much is shown of what is offered, and of a forgotten text: whatever else was said with it goes too.
_WHOLE = 300
# What is said around what is told.
_POLITE = ("greeting", "farewell", "thanks", "apology")
_REMEMBER = 'Thanks for telling me. Shall I remember "{text}"? Say "yes"'
_REMEMBER_DAY = 'Thanks for telling me. Shall I remember "{text}" ({day})? Say "yes"'
_REPLACE = 'shall I remember "{text}" in the place of "{before}"? Say "yes"; "no" keeps both'
_PUT_RIGHT = 'shall I remember "{text}"? Say "yes"'
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

    If that is nothing: whether to remember, in which memory's place, and in other words or of another day.
    """

    order: tuple[Turn, ...]
    hits: Sequence[Hit] = ()
    place: str = ""
    text: str = ""
    day: str = ""


class Wishing:
    """Grants wishes, with the message that says them as evidence."""

    def __init__(self, vault: Store, memory: Memories, learns: Callable[[], bool]) -> None:
        """*learns* says whether a model learns what is said."""
        self._vault = vault
        self._memory = memory
        self._learns = learns
        # By session: what was asked last, and what was offered to be remembered and waits for a yes.
        self._pending: dict[str, _Question] = {}
        self._offers: dict[str, list[_Question]] = {}

    def granted(self, message: Turn, audience: Audience, reading: Reading | None = None) -> list[Done]:
        """Do what an owner's message wishes for, and say what came of it."""
        text, wanted = message.text, wanted_in(message.text, reading)
        try:
            if found := self._replied(message, audience):
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
            likely = self._ask if wanted.forget else self._note if is_note else None
            return likely(message, audience) if likely else []
        except SoulError:
            return []

    def _ordered(self, wish: Wish, message: Turn, audience: Audience) -> list[Done]:
        """Do one thing that a message orders."""
        try:
            if wish.verb == FORGET:
                return self._forget(wish, message, audience)
            return [] if off_record_in(wish.text) else [self._remember(wish, message, audience)]
        except SoulError as exc:
            return [_done(wish, sentence_of(exc), is_error=True)]

    def _replied(self, message: Turn, audience: Audience) -> list[Done]:
        """Do what a message answers to what was asked or offered; nothing, if it is no answer."""
        session, is_yes = message.session, self._memory.embedding.reply(message.text) == YES
        pending, offers = self._pending.pop(session, None), self._offers.pop(session, [])
        if pending and pending.text and not pending.place:
            offers = offers[:-1]  # it puts that one right
        keeping = ordering_words(REMEMBER, NOTE).intersection(answer_words(message.text))
        if not (is_yes and keeping):  # only "yes, save it" takes back a no
            offers = [each for each in offers if len(each.order) == 1]
        asked = self._open([pending] if pending else offers, message, _AT_ONCE if pending else _FEW)
        every = [each._replace(order=(*each.order, message)) for each in asked[: None if is_yes else 1]]
        done = [each for one in every for each in self._answered(one, audience)]
        # Offers wait until something else was asked, and not answered; one that was declined waits no more.
        offers = self._open([each for each in offers if len(each.order) == 1], message, _FEW)
        if bool(pending) == bool(done) and offers:
            self._offers[session] = offers
            waiting = _done(Wish(REMEMBER, ""), _waiting(offers), is_error=True, asks=True)
            done += [waiting] if pending else []
        return done

    def _open(self, asked: Sequence[_Question], message: Turn, most: int) -> list[_Question]:
        """Return what a message may answer: asked a few turns ago, with nobody else between, and in mind."""
        if not asked:
            return []
        turns = [f"{message.session}#{n}" for n in range(max(1, message.n - most), message.n)]
        others = (turn for turn in self._vault.turns(turns) if turn.role != "assistant")
        first = max([message.n - most, *(turn.n for turn in others if turn.origin != "owner")])
        soon = [each for each in asked if each.order[-1].n >= first]
        gone = self._memory.out_of_mind()
        return [
            each for each in soon if each.order[0].id not in gone and message.at - each.order[-1].at < _SOON
        ]

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
        """Remember a message as it is, or as was agreed; alone, if what it was to replace is gone by now."""
        asked = asked or _Question((message,))
        start = min((message.text.find(each.text) for each in ordered_in(message.text, NOTE)), default=0)
        key, text = named_in(asked.text or message.text[max(start, 0) :])
        try:
            evidence = (message.id,)
            receipt = self._memory.remember(key, text, evidence=evidence, replaces=asked.place, day=asked.day)
        except SoulError:
            if not asked.place:
                raise
            alone = self._note(message, audience)
            return [each._replace(told=(Sentence(_REPLACED_GONE), *each.told)) for each in alone]
        if receipt.memory is None or not audience.is_private:
            return []
        wish = Wish(REMEMBER, message.text)
        if not _is_new(receipt):
            return [_done(wish, kept(receipt))]
        back = Sentence('"{undo}" takes it back', undo=CommandLine(f"almario undo {receipt.memory.seq}"))
        return [_done(wish, kept(receipt), back, line=receipt.memory.seq)]

    def offer(self, message: Turn, audience: Audience) -> list[Done]:
        """Ask whether to remember what the owner says, where no model learns it."""
        text, today, reader = message.text, message.at.date(), self._memory.embedding
        if not audience.is_private or len(text) > _LONGEST_NOTE:
            return []
        if (reminder := reminder_in(text, message.at)).what:
            done = self._remember(Wish(REMEMBER, reminder.what), message, audience, day=reminder.day)
            return [done if done.is_error else done._replace(told=(*done.told, _NO_BELL))]
        over = message
        for wish in (cancelled := ordered_in(text, CANCEL))[:1]:
            plan = Sentence("{plan} is cancelled", plan=wish.text)
            over = message._replace(text=say(likelier_in(text, "en", LANGUAGES), plan))
        if (correction := self._corrected(over)) or cancelled:
            return correction or [_done(cancelled[0], Sentence(_NO_PLAN), is_error=True)]
        if ordered_in(text, NOTE):
            return self._note(message, audience)
        stated = " ".join(filter(None, map(self._stated, sentences_in(text))))
        is_told = reader.opening(stated, among=(TELLING,)) or TELLING in reader.openings(stated)
        dated, day = _day_in(stated, message.at)
        is_timed = hours(stated) and (dated or spans(stated, today))
        opening = reader.opening(text)
        is_work = opening == BEYOND and stated == text
        if opening == CORRECTION:
            self._offers.pop(message.session, None)  # no late yes takes what was wrong
        is_other = opening in (CORRECTION, "apology") or bool(reader.danger(text))
        if not (is_told or is_timed) or is_work or is_other:
            return []
        offers = self._offers.setdefault(message.session, [])
        others = [_waiting(offers)] if offers else []
        offers.append(_Question((message._replace(text=stated),), day=dated))
        words = Words(shortened(stated, _WHOLE))
        question = Sentence(_REMEMBER_DAY if day else _REMEMBER, text=words, day=day)
        return [_done(Wish(REMEMBER, stated), question, *others, is_error=True, asks=True)]

    def _stated(self, sentence: str) -> str:
        """Return what of a sentence is told: what is asked before or after it is answered, and not kept."""
        reader, parts = self._memory.embedding, parts_of(sentence)
        if not parts or "?" in sentence:
            return "" if reader.asks(sentence) or reader.opening(sentence) in _POLITE else sentence
        asked = [reader.is_beside(each) or reader.opening(each) in _POLITE for each in parts]
        if all(asked):
            return ""
        first, last = asked.index(False), len(asked) - asked[::-1].index(False)
        start = sentence.find(parts[first]) if first else 0
        return sentence[start : sentence.find(parts[last], start) if last < len(parts) else None].rstrip(" ,")

    def _corrected(self, message: Turn) -> list[Done]:
        """Ask whether to put right what a message corrects: the only memory, or what was said just before."""
        today, before = message.at.date(), self._before(message)
        found = correction_in(message.text, today)
        memory = self._memory_of(found, before, today) if found else None
        if not found or not (memory or (before and not found.is_over)):
            return []
        text = memory.value if memory else before.text if before else ""
        stated_on = (memory.valid_from if memory else message.at).date()
        fixed, day = found.text, found.day or (memory.dated if memory else "")
        if found.is_over and (others := others_in(text, found.subject)):
            fixed = others
        elif found.is_over:
            day = f"{today}/.."
        elif not (fixed := found.applied_to(text, stated_on)):
            fixed = found.text if found.subject else text
        is_past = not found.is_over and (named := read(found.day)) is not None and named.is_over(today)
        if fixed == text or is_past or not found.is_of(text, stated_on):
            return []
        place, facts = (memory.id, {"before": Words(memory.value)}) if memory else ("", {})
        self._pending[message.session] = _Question((message,), (), place, fixed, day)
        question = Sentence(_REPLACE if memory else _PUT_RIGHT, text=Words(fixed), **facts)
        done = _done(Wish(REMEMBER, fixed), question, is_error=True, asks=True)
        return [done._replace(structured={"asks": True, "replaces": place, "day": day})]

    def _memory_of(self, found: Correction, before: Turn | None, today: date) -> Memory | None:
        """Return the memory that a correction is about, if that can be but one."""
        just = self._memory.list(Wanted(evidence=(before.id,))) if before else ()
        meant = self._memory.list(Wanted(text=found.wrong)) if found.wrong else just
        if found.subject and not found.wrong:
            day = read(found.day) if found.is_over else None
            is_again = found.day.startswith("XXXX")
            plans = [plan for plan in self._memory.plans() if found.is_over or plan.is_repeated == is_again]
            meant = [plan.memory for plan in plans if day is None or day.agrees(plan.when)]
        meant = [each for each in meant if found.is_of(each.value, today)]
        meant = [each for each in meant if each in just] if len(meant) > 1 else meant
        return meant[0] if len(meant) == 1 else None

    def _before(self, message: Turn) -> Turn | None:
        """Return what the owner told just before a message, but for a yes or no."""
        recent = [f"{message.session}#{n}" for n in range(max(1, message.n - 4), message.n)]
        earlier = reversed(self._vault.turns(recent))
        own = (turn for turn in earlier if turn.role == "user" and turn.origin == "owner")
        last = next(
            (turn for turn in own if tells(turn.text) and not self._memory.embedding.reply(turn.text)), None
        )
        is_fresh = last and not last.is_off and message.at - last.at < _SOON
        return last if last and is_fresh and last.id not in self._memory.out_of_mind() else None

    def _ask(self, message: Turn, audience: Audience) -> list[Done]:
        found = self._memory.recall(Query(message.text, _NAMED, hidden=frozenset((message.id,))))
        hits = [hit for hit in found if hit.memory] or found
        return self._which(message, hits) if hits and audience.is_private else []

    def _which(self, message: Turn, hits: Sequence[Hit]) -> list[Done]:
        """Ask which of these is to be forgotten: the one of the very words, if there is one."""
        hits = [hit for hit in hits if _named(_whole(hit)) == _named(message.text)][:1] or hits
        self._pending[message.session] = _Question((message,), hits)
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
        is_yes, is_no = found == YES, found == NO
        if not hits and (is_yes or (is_no and asked.place)):
            return self._note(order[0], audience, asked if is_yes else _Question(order))
        if not hits:
            self._offers[answer.session] = [asked] if is_no else []  # they may think better of it at once
            no = _done(Wish(REMEMBER, order[0].text), Sentence("all right: saved, not remembered"))
            return [no] if is_no else []
        # What a guess takes for a yes forgets nothing.
        is_number, is_sure = answer.text.strip(" .#").isdecimal(), sure_reply(answer.text, FORGET) == YES
        texts = [_whole(hit) for hit in hits]
        chosen = chosen_in(answer.text, texts, is_choice=found == WHICH) if not is_sure or texts[1:] else [0]
        if chosen:
            return self._gone([hits[each] for each in chosen], order, audience)
        if is_no:
            return [_done(wish, Sentence("nothing was forgotten"))]
        if is_yes or is_number:
            self._pending[answer.session] = asked
            which = Sentence("say a number from 1 to {most}, or no; nothing was forgotten", most=len(hits))
            return [_done(wish, which, is_error=True)]
        return []

    def _gone(self, hits: Sequence[Hit], order: Sequence[Turn], audience: Audience) -> list[Done]:
        gone = self._memory.put_out_of_mind(hits, order=tuple(turn.id for turn in order))
        notices = forgotten(gone, hits) if audience.is_private else [Sentence("forgotten")]
        return [_done(Wish(FORGET, order[0].text), *notices, line=gone.seq)]


def _day_in(text: str, now: datetime) -> tuple[str, Sentence | str]:
    """Return the day of what is told, if its words do not say that by themselves, and which to ask about."""
    today = now.date()
    days = [each for each in spans(text, today, is_fact=True) if each.first == each.last]
    # What moved is ahead, though that is told in the past: "the dentist moved to Thursday".
    moved = correction_in(text, today) if days and days[0].first < today else None
    day = moved.day if moved and moved.day > str(today) else day_of_hour(text, now)
    is_clear = not day and (len(days) != 1 or days[0].reading in ("again", "day_month"))
    return day, "" if is_clear else by_name((day or str(days[0].first))[: len("2026-12-03")])


def _is_new(receipt: Receipt) -> bool:
    """Return whether something was remembered that was not known: undoing the rest would take back more."""
    return receipt.outcome in ("new", "superseded")


def kept(receipt: Receipt) -> Sentence:
    """Say what became of something that was to be remembered."""
    what = receipt.memory.label if receipt.memory else ""
    if receipt.replaced:
        before = receipt.replaced[0].value
        return Sentence("remembered: {what} (before: {before})", what=what, before=before)
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


def _waiting(offers: Sequence[_Question]) -> Sentence:
    texts = "; ".join(shortened(each.order[0].text, _SHOWN) for each in offers)
    return Sentence('your "yes" remembers this, too: {texts}', texts=Words(texts))


def _named(text: str) -> list[str]:
    """Return the words of a text that say what is to be forgotten."""
    light = SMALL | ordering_words(FORGET)
    return [word for each in spelled_words(text) if (word := fold(each)) not in light]


def _whole(hit: Hit) -> str:
    return f"{hit.key}: {hit.text}" if hit.key else hit.text


def _short(text: str) -> str:
    return shortened(" ".join(text.split()), _SHOWN)
