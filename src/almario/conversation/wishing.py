"""What the owner wants in words, how sure that is, and what is done about it: nothing else acts on orders.

| | to remember | to forget | not to keep |
|---|---|---|---|
| sure, by a row of a language | remembered | forgotten, if it names one thing | off the record |
| likely, as it is read | remembered as said, unless a model learns it | asked | set aside |
| else | the model, if there is one, has tools for each, and is told what was done |||

Every order of a message is dealt with. What was remembered last, a "no" takes back at once.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from almario.conversation.notices import done, forgotten, is_new, kept, short, undo
from almario.conversation.pending import Messages, PendingQuestions
from almario.conversation.tool_calls import REMIND, WITHHELD_ACTION, Done
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.events import MemoriesChanged
from almario.domain.forgotten import hit_of, name_of
from almario.domain.memories import Memory, Wanted
from almario.domain.messages import Sentence, Words, sentence_of
from almario.domain.model import Hit, Query
from almario.domain.opening_kinds import NO, TELLING, WHICH, YES
from almario.domain.turn_ids import turn_ids
from almario.domain.turns import PERHAPS, THIS, Turn
from almario.domain.withheld import withheld
from almario.domain.words import SMALL, fold, sentences_in, shared_words
from almario.errors import SoulError
from almario.memory.facade import Memories
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.text.answers import (
    asks_to_undo,
    chosen_in,
    is_bare_no,
    sure_reply,
    takes_back,
    without_bare_order,
)
from almario.text.corrections import CORRECTS
from almario.text.facts import facts_in
from almario.text.intentions import intention_in, named_in
from almario.text.reader import LIKELY as LIKE
from almario.text.reader import Reading, parts_of
from almario.text.tongues import spelled_words
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
# So few words beside "between us" tell nothing: "ok?". A guess at such an order may be about what was said
# before, if it is as short as that.
_FEW_WORDS, _BRIEF = 2, 6
# So few words with one of what was asked about may answer that.
_ABOUT = 4
# A longer message is no note.
LONGEST_NOTE = 400
# How many candidates are listed when it is unclear what to forget.
_NAMED = 5
# So many turns back is what was remembered last.
_NEAR = 8
# What tells something, or is small talk, from here on, declines nothing.
_NO_DECLINE = 0.18
_NOT_CLEARED = (
    "nothing was deleted: no message makes me do that. To delete everything for good, delete the folder "
    '{place}, and your backups if you made any; "forget that …" forgets one thing'
)
_ALSO = 'this went with it: "{more}"; tell me that again if it is to stay'
_IN_CLEAR = 'your message is kept as you wrote it; "forget what I just said" erases it when you leave'
_REPLACED_GONE = "what this was to replace is no longer remembered, so it stands alone"
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
    # "One more thing: forget my address."
    is_brief = any(map(may_ask_to_forget, (message, message.rpartition(":")[2])))
    if is_brief or reading is None or clears(message) or ordered_in(message, CANCEL, NOTE):
        return Wishes(forget=LIKELY if is_brief else "")
    likeliest = max(LIKE, reading.confidence, reading.forget, reading.remember)
    if reading.confidence == likeliest:
        return Wishes(off=PERHAPS)
    if reading.forget == likeliest:
        return Wishes(forget=LIKELY)
    return Wishes(remember=LIKELY if reading.remember == likeliest and len(message) <= LONGEST_NOTE else "")


def announced_in(message: str, reading: Reading) -> str:
    """Say of which sort the next message is, if this one only says that it is a confidence."""
    if announces(message):
        return THIS
    return PERHAPS if reading.announcing >= LIKE else ""


def noted_in(text: str) -> str:
    """Return what of a text is to be remembered as it stands: without the words that order it."""
    start = min((text.find(each.text) for each in ordered_in(text, NOTE)), default=0)
    return without_bare_order(text[max(start, 0) :])


def noted_last(text: str) -> str:
    """Return the last sentence, if only that is a note: "the code is in the folder. Note: …"."""
    *first, last = sentences_in(text) or [""]
    orders = (REMEMBER, NOTE)
    return last if first and ordered_in(last, *orders) and not ordered_in(text, *orders) else ""


class Wishing:
    """Grants wishes, with the message that says them as evidence."""

    def __init__(self, vault: Store, memory: Memories, learns: Callable[[], bool]) -> None:
        """*learns* says whether a model learns what is said."""
        self._vault = vault
        self._memory = memory
        self._learns = learns
        self.questions = PendingQuestions(vault, memory)

    def granted(
        self, message: Turn, audience: Audience, reading: Reading | None = None, *, is_off: bool = False
    ) -> list[Done]:
        """Do what an owner's message wishes for, and say what came of it.

        If it *is_off* the record, or set aside, and tells nothing itself, so is what was remembered unasked
        just before.
        """
        try:
            found = self._answered(message, is_off=is_off) if audience.is_private else []
            return found or self._wished(message, audience, reading)
        except SoulError:
            return []

    def _wished(self, message: Turn, audience: Audience, reading: Reading | None) -> list[Done]:
        text, wanted = message.text, wanted_in(message.text, reading)
        if clears(text):
            return self._not_cleared((message,))
        intention = intention_in(text, message.at.date())
        wishes = [Wish(REMEMBER, intention.sentence)] if intention else []
        wishes += [each for each in ordered_in(text) if not wishes or each.text not in wishes[0].text]
        if wishes:
            return [one for wish in wishes for one in self._ordered(wish, message, audience)]
        if wanted.forget and not ordered_in(text, NOTE):  # "que no se te olvide …"
            return self._ask(message, audience)
        # Who only tells something gives no order: a model that learns keeps what matters of it.
        if not wanted.remember or self._learns() or noted_last(text):
            return []
        facts = facts_in(noted_in(text), message.at.date())
        return self.note_each(message, audience, dict.fromkeys(facts, ""))

    def _answered(self, message: Turn, *, is_off: bool) -> list[Done]:
        """Do what a message answers to what was asked, or done unasked; nothing, if it is no answer.

        What was asked in private is answered in private.
        """
        asked = self.questions.taken(message)
        is_sure = bool(off_record_in(message.text))
        own, most = (besides_orders(message.text), _FEW_WORDS) if is_sure else (message.text, _BRIEF)
        # "Esto no lo apuntes: …" is about what follows.
        is_off = is_off and len(own.split()) <= most and not (asked and asked.is_order)
        if asked and (is_off or asks_to_undo(message.text)):
            kept = self._memory.list(Wanted(evidence=(asked.about[0].id,)))
            if is_off and not is_sure:
                return self.which(message, [hit_of(each) for each in kept], asked.about) if kept else []
            # Several things of one message, each of a line of its own, are all meant.
            lines = [asked.line] if asked.line else sorted({each.seq for each in kept})
            nothing = done(Wish(FORGET, message.text), Sentence("nothing was changed"))
            return [self.undone(asked.about, each) for each in lines] or ([] if is_off else [nothing])
        found = asked.answered((*asked.about, message)) if asked else []
        if found or not takes_back(message.text, is_named=True):
            return found
        recent = tuple(turn_ids(message.session, range(max(1, message.n - _NEAR), message.n)))
        if asks_to_undo(message.text) and (line := self._latest_line(recent)):
            return [self.undone((message,), line)]
        latest = sorted(self._memory.list(Wanted(evidence=recent)), key=lambda each: each.seq)[-1:]
        return self.which(message, [hit_of(each) for each in latest]) if latest else []

    def _latest_line(self, recent: Sequence[str]) -> int:
        """Return the line of the latest change of memories, if one of the *recent* messages made it."""
        line = self._memory.last_undoable
        since = self._vault.journal.read(after=line - 1) if line else []
        bodies = [each.body for each in since if isinstance(each.body, MemoriesChanged)]
        # What was taken back since is the latest, and what was learned is nobody's order.
        if len(bodies) != 1 or since[0].actor != "owner":
            return 0
        [body] = bodies
        changed = (self._memory.get(each["id"]) for each in body.changes)
        # What was said of a thing goes with it, and is no order to forget it.
        mentions = {turn for memory in changed for turn in memory.evidence}
        made = {turn for each in body.changes for turn in each.get("evidence", ())}
        return 0 if made.union(set(body.out) - mentions).isdisjoint(recent) else line

    def _not_cleared(self, about: Messages) -> list[Done]:
        """Say that no message deletes everything, once more to whoever says yes to that."""

        def insists(about: Messages) -> list[Done]:
            return self._not_cleared(about) if sure_reply(about[-1].text) == YES else []

        self.questions.ask(about, insists)
        place = Sentence(_NOT_CLEARED, place=self._vault.place)
        return [done(Wish(FORGET, about[-1].text), place, is_error=True)]

    def _ordered(self, wish: Wish, message: Turn, audience: Audience) -> list[Done]:
        """Do one thing that a message orders."""
        try:
            if wish.verb == FORGET:
                return self._forget(wish, message, audience)
            return [] if off_record_in(wish.text) else [self.remember(wish, message, audience)]
        except SoulError as exc:
            return [done(wish, sentence_of(exc), is_error=True)]

    def remember(self, wish: Wish, message: Turn, audience: Audience, *, day: str = "") -> Done:
        """Remember what is wished for, of a *day* if its words do not say that."""
        for known in self._memory.list(Wanted(evidence=(message.id,))):
            if known.value == wish.text:  # the message comes again
                return done(wish, Sentence("remembered: {what}", what=known.label), line=known.seq)
        receipt = self._memory.remember(wish.text, evidence=(message.id,), day=day)
        if receipt.memory is None:
            return done(wish, *receipt.told, *self._said_in_clear(wish.text), is_error=True)
        if not all(map(audience.hears_of, (receipt.memory, *receipt.replaced))):
            return done(wish, Sentence("noted"))
        about_it = withheld(self._suspected(message))  # is told of the whole message
        others = (each for each in receipt.told if each != about_it)
        line = receipt.memory.seq if is_new(receipt) else 0
        if line and audience.is_private:

            def again(message: Turn, audience: Audience) -> list[Done]:
                return [self.remember(wish, message, audience, day=day)]

            def answered(about: Messages) -> list[Done]:
                # What was ordered is not taken back by "no, thanks".
                return self._noted(line, again, about) if is_bare_no(about[-1].text) else []

            self.questions.ask((message,), answered, line=line, is_order=True)
        return done(wish, kept(receipt), *others, line=line)

    def note(
        self,
        message: Turn,
        audience: Audience,
        text: str,
        *,
        day: str = "",
        replaces: str = "",
    ) -> list[Done]:
        """Remember what a message tells; alone, if what it *replaces* is gone by now."""
        return self.note_each(message, audience, {text: day}, replaces=replaces)

    def note_each(
        self,
        message: Turn,
        audience: Audience,
        facts: Mapping[str, str],
        *,
        replaces: str = "",
        doubts: str = "",
    ) -> list[Done]:
        """Remember the facts that a message tells, each with its day; if any is new, a "no" takes all.

        *doubts* is the memory that they only seem to replace.
        """
        told = [(*named_in(text), day) for text, day in facts.items()]
        evidence, wish = (message.id,), Wish(REMEMBER, message.text)
        known = {each.value: each for each in self._memory.list(Wanted(evidence=evidence))}
        is_plain = not replaces and not doubts
        if is_plain and audience.is_private and all(value in known for _, value, _ in told):
            again = [known[value] for _, value, _ in told]  # the message comes again
            what = Sentence("remembered: {what}", what=tuple(each.label for each in again))
            return [done(wish, what, undo(again[0].seq), line=again[0].seq)]
        try:
            receipts = self._memory.remember_each(told, evidence=evidence, replaces=replaces, doubts=doubts)
        except SoulError:
            if not replaces:
                raise
            alone = self.note_each(message, audience, facts)
            return [each._replace(told=(Sentence(_REPLACED_GONE), *each.told)) for each in alone]
        if not audience.is_private:
            return []
        entered = [each for each in receipts if each.memory]
        in_clear = [] if entered else self._said_in_clear(message.text)
        about_it = withheld(self._suspected(message))  # is told of the whole message
        others = [notice for each in receipts for notice in each.told if notice != about_it]
        changed = [each.memory if is_new(each) else next(iter(each.replaced), None) for each in entered]
        line = next((memory.seq for memory in changed if memory), 0)
        notices = [
            *([kept(*entered)] if entered else []),
            *others,
            *in_clear,
            *([undo(line)] if line else []),
        ]
        if line and not replaces:
            once_more = partial(self.note_each, facts=facts)
            self.questions.ask((message,), partial(self._noted, line, once_more), line=line)
        return [done(wish, *notices, is_error=not entered, line=line)]

    def _noted(self, line: int, again: Callable[..., list[Done]], about: Messages) -> list[Done]:
        """Take back after a sure no what was just remembered; ask, after what may be one."""
        first, *_, answer = about
        sure, reading = sure_reply(answer.text, REMEMBER, NOTE), self._memory.embedding.read(answer.text)
        reply = sure or self._memory.embedding.reply(answer.text)
        remembered = self._memory.list(Wanted(evidence=(first.id,)))
        if sure == NO or self._takes_back(answer.text, remembered, reading):

            def thinks_better(about: Messages) -> list[Done]:
                text, heard = about[-1].text, self._memory.embedding.reply
                is_yes = YES in map(heard, (text, *parts_of(text)))
                return again(first, OWNER_ALONE) if is_yes else []

            undone = self.undone(about, line)
            if not undone.is_error:
                self.questions.ask(about, thinks_better)
            return [undone]
        if reply == YES:
            return [done(Wish(REMEMBER, first.text), Sentence("it is remembered"))]
        if reply != NO or max(reading.telling, reading.small_talk / 2) >= _NO_DECLINE:
            return []
        return self.which(answer, [hit_of(each) for each in remembered]) if remembered else []

    def _takes_back(self, text: str, told: Sequence[Memory], reading: Reading) -> bool:
        """Return whether a clause takes back what was told, and the others tell nothing instead."""
        parts, reader = parts_of(text), self._memory.embedding
        rest = [each for each in parts if not takes_back(each)]
        is_told = any(reader.opening(each) == TELLING for each in rest) or any(
            reader.change(memory.value, each) == CORRECTS for memory in told for each in rest
        )
        return rest != parts and bool(wanted_in(text, reading).forget) and not is_told

    def undone(self, about: Messages, line: int) -> Done:
        """Take back what was just remembered or forgotten, unless it was changed since."""
        wish, undone = Wish(REMEMBER, about[0].text), self._memory.undo(line)
        if undone.left and not undone.changed:
            is_gone = {self._memory.state(memory) for memory in undone.left} == {"retired"}
            left = "nothing was changed" if is_gone else "it was changed since, so it stays remembered"
            return done(wish, Sentence(left), is_error=True)
        gone, back = list[str](), list[str]()
        for memory in undone.changed:
            (back if self._memory.state(memory) == "live" else gone).append(short(memory.value))
        notices = (
            [Sentence('all right, not remembered: "{text}"', text=Words("; ".join(gone)))] if gone else []
        )
        if back or not gone:  # of messages that were forgotten, no memory tells
            is_back = Sentence('remembered again: "{text}"', text=Words("; ".join(back)))
            notices.append(is_back if back else Sentence("it is as it was before"))
        return done(wish, *notices)

    def _ask(self, message: Turn, audience: Audience) -> list[Done]:
        found = self._memory.recall(Query(message.text, _NAMED, hidden=frozenset((message.id,))))
        hits = [hit for hit in found if hit.memory] or found
        # What has a word of the message is likelier meant than what is merely near.
        hits = [hit for hit in hits if shared_words(message.text, _whole(hit))] or hits
        return self.which(message, hits) if hits and audience.is_private else []

    def which(self, message: Turn, hits: Sequence[Hit], before: Messages = ()) -> list[Done]:
        """Ask which of these is to be forgotten: the one of the very words, if there is one.

        What was said *before* goes with it.
        """
        hits = [hit for hit in hits if _named(_whole(hit)) == _named(message.text)][:1] or hits
        self.questions.ask((*before, message), partial(self._chosen, hits))
        is_one = len(hits) == 1
        this = 'did you mean me to forget this? Say "yes":'
        question = Sentence(this if is_one else "did you mean me to forget one of these? Say its number:")
        numbered = (
            Sentence("{number}. {text}  {name}", number=number, text=short(_whole(hit)), name=name_of(hit))
            for number, hit in enumerate(hits, 1)
        )
        asked = done(Wish(FORGET, message.text), question, *numbered, is_error=True)
        names = ", ".join(f"{name_of(hit)} ({short(hit.text)})" for hit in hits)
        text = f"perhaps they want this forgotten: {names}; nothing is forgotten yet"
        return [asked._replace(text=text, structured={"asks": is_one})]

    def due(self, message: Turn, audience: Audience) -> list[Done]:
        """Bring up what the owner wanted to be reminded of in a situation, if their message speaks of it."""
        if not audience.is_private:
            return []
        found = self._memory.bring_up(message.text, audience)
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

    def _said_in_clear(self, text: str) -> list[Sentence]:
        """Say of a secret that was refused that the message with it is kept, and how to erase that."""
        return [Sentence(_IN_CLEAR)] if self._memory.redact(text).kinds else []

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
        elif hits and self.questions.is_open(message.session):
            why = Sentence("one at a time: say again what else to forget")
        elif hits:
            return self.which(message, hits)
        return [done(wish, why, is_error=True)]

    def _chosen(self, hits: Sequence[Hit], about: Messages) -> list[Done]:
        """Forget what an answer chooses; what a guess takes for a yes forgets nothing."""
        answer, wish, texts = about[-1].text, Wish(FORGET, about[0].text), [_whole(hit) for hit in hits]
        reply, is_number = self._memory.embedding.reply(answer), answer.strip(" .#").isdecimal()
        chosen = [0] if sure_reply(answer, FORGET) == YES else []
        if texts[1:] or is_number:
            is_choice = reply == WHICH or sure_reply(answer.partition(",")[0]) == YES
            chosen = chosen_in(answer, texts, is_choice=is_choice)
        if chosen:
            return self._gone([hits[each] for each in chosen], about, OWNER_ALONE)
        if reply == NO:
            return [done(wish, Sentence("nothing was forgotten"))]
        # "Keep the bank one" may be an answer that is not understood.
        is_about = len(answer.split()) <= _ABOUT and any(shared_words(answer, text) for text in texts)
        if reply == YES or is_number or (is_about and texts[1:]):
            self.questions.ask(about, partial(self._chosen, hits))
            which = Sentence("say a number from 1 to {most}, or no; nothing was forgotten", most=len(hits))
            return [done(wish, which, is_error=True)]
        return []

    def _gone(self, hits: Sequence[Hit], about: Messages, audience: Audience) -> list[Done]:
        gone = self._memory.put_out_of_mind(hits, order=tuple(turn.id for turn in about))
        notices = forgotten(gone, hits) if audience.is_private else [Sentence("forgotten")]
        return [done(Wish(FORGET, about[0].text), *notices, line=gone.seq)]


def _named(text: str) -> list[str]:
    """Return the words of a text that say what is to be forgotten."""
    light = SMALL | ordering_words(FORGET)
    return [word for each in spelled_words(text) if (word := fold(each)) not in light]


def _whole(hit: Hit) -> str:
    return f"{hit.key}: {hit.text}" if hit.key else hit.text
