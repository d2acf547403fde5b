"""A soul beside another program's model, such as a coding agent's: that program asks the model, not we.

The model is told who it is when a session begins, and with each message of the owner's what comes to mind.
What the owner and the model say is kept like any conversation. What a session was told is marked on its
turns, so that it is told nothing twice, whichever process is asked. A call has a *ref*: whoever does not
know whether it was answered can make it once more, and what was said is kept once. What cannot be kept now,
because another process holds the agent's lock or its database is away, waits in the spool, and is kept before
anything that is said later.
"""
# ruff: noqa: PLC0415 - with each message somebody waits, so what only some need is loaded there

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import takewhile
from threading import local
from typing import TypeVar

from almario.conversation.acting import NOTHING, Acting, Before
from almario.conversation.agent import Agent, Incoming
from almario.conversation.deeds import told_as_turns
from almario.conversation.drawn import GivenMemories
from almario.conversation.prompt_sections import PromptSection, action_lines, fenced_lines, fenced_memory
from almario.conversation.settings import HookSettings
from almario.conversation.tool_calls import DANGER_ACTION, OFF_RECORD, WITHHELD_ACTION
from almario.conversation.waiting import waiting_notice, write_down
from almario.domain.acts import ACT, TOLD, Act, Call, as_kept
from almario.domain.audiences import Audience
from almario.domain.documents.identity import identity_sentences
from almario.domain.late import Late
from almario.domain.logs import Log
from almario.domain.memories import UNTRUSTED, State, Wanted
from almario.domain.messages import say, sentence_of
from almario.domain.model import SOUL_FILES, Hit, Query, Recalled
from almario.domain.places import NOWHERE
from almario.domain.plain_text import estimate_tokens, in_one_line, shortened
from almario.domain.turn_ids import turn_id
from almario.domain.turns import REF, Turn, Utterance, bears, named_in
from almario.errors import AlmarioError, DocumentError, EditConflict, NotFound, SoulError, StoreError
from almario.memory.lately import UNCALLED
from almario.ports import Spool
from almario.text.forms import forms_in, is_in_danger, subject_of

log = Log(__name__)
T = TypeVar("T")

# So many characters a coding agent is told at once, at most.
_MOST = 9000
# So much of the beginning and of the end of a message is searched for: what is pasted between says little.
_SOUGHT = 300
# After a compaction are told: so much of the soul, and the last so many messages, each so far.
_CORE, _LATEST, _MESSAGE = 1200, 4, 300
# So far a call is named of which the model was told something.
_NAMED = 120
# What happens where something is told for a tool.
_AT_ACT = "pre-tool-use"
# So many of the last turns of a session are looked at for the acts that they tell.
_LOOKED_AT = 1000
# Has words of times and of sure forms, and is none: whoever reads it has tried all of them.
_REHEARSED = "The sea between us and the island remembers Tuesday the 3rd of May at five o'clock, in 1999."
_SPEAKERS = {"user": "your human", "assistant": "you"}
# So much of what waits is kept before a call, whose client waits for that.
_BEFORE = 2
_GIVEN_STATES: tuple[State, ...] = ("live", "expired")


class Companion:
    """Tells another program's model what it should know, and keeps what is said there."""

    def __init__(self, agent: Agent, settings: HookSettings, spool: Spool, *, language: str) -> None:
        self._agent = agent
        self._parts = agent.parts
        self._vault = agent.parts.vault
        self._spool = spool
        self._settings = settings
        self._language = language
        self._acting = Acting(agent.parts, settings, language)
        # Whether its process ends with the call: what it alone has heard is gone then.
        self.is_brief = False
        # What the owner is to be shown with the answer to a call, which has a thread to itself.
        self._notices = local()

    @property
    def is_wanted(self) -> bool:
        """Whether the owner wants other programs to be told anything, and heard."""
        return self._settings.enabled

    def take_notice(self) -> tuple[str, int]:
        """Return what the owner is shown with the answer to a call, once, and how many memories that tells.

        The model hears of neither.
        """
        notices = vars(self._notices)
        text, count = notices.pop("text", ""), notices.pop("count", 0)
        if count:
            shown = self._say("◦ 1 memory") if count == 1 else self._say("◦ {count} memories", count=count)
            text = f"{shown}; {text}" if text else shown
        return text, count

    def begin(self, session: str, ref: str = "") -> str:
        """Return who the agent is and what it always knows; nothing if the session was told that before."""
        from almario.conversation.starting import Starting

        if any(turn.role == "system" for turn in _before(self._current(session), ref)):
            return ""
        starting = Starting(self._parts, is_whole=self._settings.soul == "whole", language=self._language)
        with self._parts.memory.snapshot():
            start = starting.told(session, self._agent.audience(session))
        begun = self._say("The model was told who it is and what it always knows.")
        self._mark(session, begun, start.standing, ref, start.uncalled)
        return _cut(start.text, _MOST)

    def resume(self, session: str, ref: str = "") -> str:
        """Return what a model holds on to whose conversation was compacted: who it is, what was under way."""
        self.compacted(session)
        if _before(self._current(session), ref):
            return ""
        anchor, given = self._anchor(session)
        self._mark_anchor(session, given, ref)
        return anchor

    def compacted(self, session: str) -> None:
        """Take it that the model no longer sees what was said: it may be told of it again."""
        self._or_later(self._late("post-compact", session), lambda: self._compacted(session))

    def _compacted(self, session: str) -> None:
        if any(turn.role != "system" for turn in self._current(session)):
            self._parts.sessions.reset(session, "compacted")

    def hear(self, session: str, message: str, ref: str = "", *, again: bool = False) -> str:
        """Keep what the owner says to the model, do what they wish for, and return what comes to mind.

        *again* says that the answer to this very call was never heard: what it told is told once more.
        """
        anchor, anchored, relevant = "", list[str](), ""
        hits: Sequence[Hit] = ()
        try:
            with self._parts.memory.snapshot():
                anchor, anchored, relevant, hits = self._called_for(session, message, ref if again else "")
        except StoreError as exc:  # what was said is worth more
            log.warning("nothing could be brought to mind: %s", sentence_of(exc))
        # A wish in it may come to be granted when the message is kept, but not the wish.
        ref = ref or os.urandom(8).hex()
        given = dict.fromkeys(name for hit in hits for name in (hit.name, *hit.evidence))
        incoming = Incoming(session, message, ref=ref, given=tuple(given), by_hook=True)
        done = self._keep(incoming) if self._settings.capture else ""
        if anchor:
            self._mark_anchor(session, anchored)
        ways = ((anchor, relevant, done), (relevant, done), (relevant,), (done,), ())
        way = next(way for way in ways if len(_joined(way)) <= _MOST)
        self._notices.count = len(hits) if relevant in way else 0
        return _joined(way)

    def _called_for(
        self, session: str, message: str, again: str
    ) -> tuple[str, list[str], str, Sequence[Hit]]:
        """Return what to tell with a message: who the agent is, if that is due, and what comes to mind.

        *again* names the call, if it was made before. What is told of the first goes by these names.
        """
        seen, audience = self._current(session), self._agent.audience(session)
        before = _before(seen, again)
        is_anew = not before and self._parts.memory.session(session).fresh
        hidden = frozenset(turn.id for turn in seen)
        anchor, anchored = self._anchor(session) if is_anew else ("", [])
        query = Query(_sought(message), hidden=hidden)
        told = [*named_in(before, "told"), *self._given_lately(session), *anchored]
        found = self._come_to_mind(query, audience, told)
        if again:  # whoever was asked before may have kept this very message meanwhile
            own = {turn.id for turn in self._current(session)}
            found = found.without(own)
        in_sight = None if self.is_brief else {*hidden, *told}
        section, hits = self._parts.remembered.lines_of(found, audience, in_sight)
        return anchor, anchored, self._fenced(section.text), hits

    def get_ready(self) -> None:
        """Load and make all that hearing a message needs, before one comes; nothing is kept."""
        self._come_to_mind(Query(_REHEARSED), Audience(project=NOWHERE), [])
        forms_in(_REHEARSED)
        is_in_danger(_REHEARSED)
        self._parts.memory.fit_to_keep(Utterance("user", _REHEARSED, "owner"))

    def answer(self, session: str, text: str, ref: str = "") -> None:
        """Keep what the model answered, once: off the record, if the question was."""
        if not self._settings.capture or not text.strip():
            return
        self._or_later(self._late("stop", session, text, ref), lambda: self._answered(session, text, ref))

    def _answered(self, session: str, text: str, ref: str, at: datetime | None = None) -> None:
        more = {REF: ref} if ref else {}
        utterance = self._parts.memory.fit_to_keep(Utterance("assistant", text, "", at=at, more=more))
        turns = self._current(session)
        if turns and (turns[-1].role, turns[-1].text) == ("assistant", utterance.text):
            return  # some clients tell it again
        question = next((turn for turn in reversed(turns) if turn.role == "user"), None)
        away = {each for turns in self._parts.memory.taken_back().values() for each in turns}
        if question and (question.is_off or question.id in away):
            self._parts.discretion.keep_off(session)
        self._parts.discretion.beware(session, turns)
        self._remind(session, turns, question.text if question else "")
        self._agent.append(session, utterance)

    def keep_acts(self, session: str, acts: Sequence[Act]) -> None:
        """Keep what the model did with its tools since this was last asked, each act once.

        What was done for a message off the record is not kept. What cannot be kept now still stands in the
        program's own transcript, and is kept with what is done next.
        """
        if not (self._settings.capture and self._settings.acts and acts):
            return
        memory = self._parts.memory
        acts = [as_kept(act, memory.redact.text) for act in acts]
        with suppress(StoreError), memory.together():
            turns = self._vault.transcripts.read(session, last=_LOOKED_AT)
            told = told_as_turns(acts, turns, memory.out_of_mind(), self._language)
            if told:
                memory.append(session, [memory.fit_to_keep(each) for each in told])

    def before(self, session: str, call: Call, error: str = "") -> Before:
        """Return what matters for a tool that is about to be used, or failed so: each thing once.

        A call may be held, once: then the reason is what the model gets in the place of the tool's result.
        """
        if not self._settings.at_act or (call.only_looks and not error):
            return NOTHING
        try:
            seen, audience = self._current(session), self._agent.audience(session)
            told = {*named_in(seen, "told"), *self._given_lately(session), *SOUL_FILES}
            held = NOTHING if error else self._acting.held(call, audience, seen, told)
            if held.reason and self._is_noted(session, call, held):
                return held
            found = self._acting.told(call, audience, seen, told, error=error)
        except AlmarioError as exc:  # a tool is never held up by what we cannot do
            log.warning("nothing could be brought to mind: %s", sentence_of(exc))
            return NOTHING
        if found.names:
            many = estimate_tokens(found.told)
            told_it = "Before {what} the model was told, in {count} tokens: {lines}"
            sentence = self._say(told_it, count=many, **_of_call(call, found.told))
            if self._settings.capture:
                late = self._late(_AT_ACT, session, sentence, "", found.names)
                self._or_tell(late, lambda: self._enter_mark(late))
            self._notices.count = found.number
        return found._replace(told=fenced_lines(found.told, self._language) if found.told else "")

    def _is_noted(self, session: str, call: Call, held: Before) -> bool:
        """Note that a call is held; if that cannot be kept, it is not, as it would be held again."""
        if not self._settings.capture:
            return False
        sentence = self._say("Held once: {what}. {lines}", **_of_call(call, held.reason))
        try:
            self._enter_mark(self._late(_AT_ACT, session, sentence, "", held.names))
        except StoreError as exc:
            log.warning("a call is not held: %s", sentence_of(exc))
            return False
        return True

    def end(self, session: str) -> None:
        """Take it that a session is over: what was taken off the record there is erased."""
        self._or_later(self._late("session-end", session), lambda: self._parts.discretion.end(session))

    def take_in(self, most: int | None = None) -> bool:
        """Keep what waits in the spool, oldest first, or so much of it; StoreError if it has to wait on.

        Return whether that was all. It waits on where nothing is to be kept: when it was told, the settings
        could not be read.
        """
        if not (self._settings.enabled and self._settings.capture):
            return True
        kept = 0
        for late in self._spool.waiting():
            if kept == most:
                return False
            try:
                self._keep_late(late)
            except SoulError as exc:  # it stays where it is, and the doctor names it
                log.warning("what a hook was told could not be kept: %s", sentence_of(exc))
            else:
                self._spool.taken(late)
                kept += 1
        return True

    def keep(self, late: Sequence[Late]) -> list[str]:
        """Store messages that waited on another machine, in this order; return the names of those stored.

        Duplicates are stored once; what can never be stored is left out.
        """
        kept = []
        for each in late:
            try:
                self._or_later(each, partial(self._keep_late, each))
                kept.append(each.ref)
            except (DocumentError, EditConflict, NotFound):  # a file is at fault, which can be mended
                raise
            except SoulError as exc:
                log.warning("what a hook was told could not be kept: %s", sentence_of(exc))
        return kept

    def _or_later(self, late: Late, keep: Callable[[], T]) -> T | None:
        """Keep something, after all that waits; what cannot be kept now, or behind so much, waits, too."""
        with suppress(StoreError):
            if self.take_in(_BEFORE):
                return keep()
        fit = self._parts.memory.fit_to_keep
        off = write_down(self._spool, late, lambda text: fit(Utterance("user", text, "owner")).text)
        if off:
            self._notices.text = waiting_notice(self._language)
        return None

    def _or_tell(self, late: Late, keep: Callable[[], T]) -> T | None:
        """Keep something now or later; where not even the spool can be written, the owner is told so."""
        try:
            return self._or_later(late, keep)
        except StoreError as exc:
            log.warning("what a hook was told could not be kept: %s", sentence_of(exc))
            self._notices.text = self._say("what you say here is not kept: {why}", why=sentence_of(exc))
            return None

    def _keep_late(self, late: Late) -> None:
        """Keep what waited, as of when it happened; what was kept by then is the same."""
        session = late.session
        if late.off:
            self._keep_off(late)
        elif late.event == "user-prompt":
            incoming = Incoming(session, late.text, ref=late.ref, given=late.told, at=late.at)
            self._agent.hear(incoming._replace(by_hook=True))
        elif late.event == "stop":
            self._answered(session, late.text, late.ref, late.at)
        elif late.event in ("session-start", _AT_ACT):
            self._enter_mark(late)
        elif late.event == "session-end":
            self._parts.discretion.end(session)
        else:
            self._compacted(session)

    def _keep_off(self, late: Late) -> None:
        """Keep what was said off the record until the session ends, out of mind; of an answer, no word."""
        memory, more = self._parts.memory, {REF: late.ref}
        utterance = Utterance("user", late.text, "owner", at=late.at, more=more)
        if late.event == "stop":
            utterance = Utterance("assistant", "", "agent", at=late.at, more=more, off=True)
        with memory.together():
            if not self._parts.sessions.brought(late.session, late.ref):
                turns = memory.append(late.session, [utterance])
                if utterance.text:
                    memory.take_back([turn.id for turn in turns])

    def _late(
        self, event: str, session: str, text: str = "", ref: str = "", given: Sequence[str] = ()
    ) -> Late:
        return Late(event, session, text, ref, self._vault.now(), tuple(given))

    def _given_lately(self, session: str) -> list[str]:
        """Return what a session was told with messages that wait."""
        return [name for late in self._spool.waiting() if late.session == session for name in late.told]

    def _come_to_mind(self, query: Query, audience: Audience, given: Sequence[str]) -> Recalled:
        """Return what is told that is not in sight and was not told before."""
        try:
            return self._parts.remembered.beside(query, audience, {*given, *SOUL_FILES})
        except AlmarioError as exc:  # what was said is worth more
            log.warning("nothing could be brought to mind: %s", sentence_of(exc))
            return Recalled()

    def _keep(self, incoming: Incoming) -> str:
        """Keep an owner's message with what was told for it; return what was done of what it wishes for."""
        self._notices.text = ""
        late = self._late("user-prompt", incoming.session, incoming.text, incoming.ref, incoming.given)
        _, every = self._or_tell(late, lambda: self._agent.hear(incoming)) or ((), ())
        if self.is_brief:  # nothing brings back what is never written down
            gone = [each for each in every if each.name == OFF_RECORD and "turns" not in each.arguments]
            every = [each._replace(told=each.told[:1]) if each in gone else each for each in every]
        names = (WITHHELD_ACTION, OFF_RECORD, DANGER_ACTION)
        shown = [each for action in every if action.name in names for each in action.told]
        if shown:
            self._notices.text = "; ".join(say(self._language, each) for each in shown)
        return " ".join(action_lines(every, self._language))

    def _anchor(self, session: str) -> tuple[str, list[str]]:
        """Return the core of the soul and the last that was said before a session was compacted.

        And the names of the turns of which that is all.
        """
        from almario.becoming.rules.locking import locked_spans
        from almario.becoming.rules.statements import core
        from almario.conversation.file_reading import turns_in_mind

        soul = self._file("SOUL.md")
        locked = core("SOUL.md", "\n\n".join(soul[span.start : span.end] for span in locked_spans(soul)))
        turns = self._vault.transcripts.read(session, last=10 * _LATEST)
        heard = turns_in_mind([turn for turn in turns if not turn.is_off], self._parts.memory.out_of_mind())
        spoken = [turn for turn in heard if turn.role in _SPEAKERS and turn.text.strip()][-_LATEST:]
        masked = self._parts.memory.redact.text
        lines = [f"- {_SPEAKERS[turn.role]}: {masked(_shown(turn))}" for turn in spoken]
        lead = self._say("This conversation was just shortened. You are still who you were:")
        who = " ".join(identity_sentences(self._file("IDENTITY.md"), self._language))
        under_way = self._fenced("\n".join(["## What Was Under Way", *lines]) if lines else "")
        whole = [turn.id for turn in spoken if len(turn.text) <= _MESSAGE]
        return _joined((lead, who, _cut(locked.strip() or soul, _CORE), under_way)), whole

    def _mark_anchor(self, session: str, given: Sequence[str], ref: str = "") -> None:
        again = self._say("The model was told again who it is, and what was under way.")
        self._mark(session, again, given, ref)

    def _mark(
        self, session: str, text: str, given: Sequence[str], ref: str, uncalled: Sequence[str] = ()
    ) -> None:
        """Note on a session that its model was told who it is, and these memories.

        What was told *uncalled* may still come with a message that calls for it.
        """
        if self._settings.capture:
            late = self._late("session-start", session, text, ref, [*given, *uncalled])
            self._or_tell(late, lambda: self._enter_mark(late._replace(told=tuple(given)), uncalled))

    def _enter_mark(self, late: Late, uncalled: Sequence[str] = ()) -> None:
        more: dict[str, object] = {"told": list(late.told), **({REF: late.ref} if late.ref else {})}
        more |= {UNCALLED: list(uncalled)} if uncalled else {}
        more |= {ACT: TOLD} if late.event == _AT_ACT else {}
        self._agent.append(late.session, Utterance("system", late.text, "agent", at=late.at, more=more))

    def _remind(self, session: str, turns: Sequence[Turn], message: str) -> None:
        """Let the agent know what the model was told from memory: to say that again proves nothing."""
        names = [*named_in(turns, "told"), *named_in(turns, UNCALLED)]
        known = self._parts.memory.list(Wanted(ids=tuple(names), states=_GIVEN_STATES)) if names else []
        lines = [memory.text for memory in known]
        others = self._parts.memory.list(Wanted(ids=tuple(names), origins=(UNTRUSTED,))) if names else []
        quoted = [memory.value for memory in others]
        for name in names:
            where, n = turn_id(name)
            if ":" in where:
                exchange = self._vault.transcripts.read(where, after=n - 1)[:2]
                lines += [line for turn in exchange for line in turn.text.splitlines()]
                quoted += [turn.text for turn in exchange[:1] if turn.origin == UNTRUSTED]
        given = GivenMemories(message, lines, [memory.id for memory in known])
        given.quoted = quoted
        self._agent.note_given(session, given)

    def _current(self, session: str) -> list[Turn]:
        return self._parts.sessions.current(session)

    def _file(self, name: str) -> str:
        text = self._vault.read(name).text.replace("\r\n", "\n").strip("\ufeff\n")
        return self._parts.memory.redact.text(text)

    def _fenced(self, text: str) -> str:
        return fenced_memory([PromptSection("remembered", text)], self._language) if text else ""

    def _say(self, sentence: str, **facts: object) -> str:
        return say(self._language, sentence, **facts)


def _before(turns: Sequence[Turn], ref: str) -> list[Turn]:
    """Return the turns before a call was first made, or all if it was not."""
    return list(takewhile(lambda turn: not bears(turn, ref), turns))


def _sought(message: str) -> str:
    """Return what a message is about, to search for; a long one costs no more than a short one."""
    if len(message) > 2 * _SOUGHT:
        first, last = message[:_SOUGHT].rpartition(" ")[0], message[-_SOUGHT:].partition(" ")[2]
        message = f"{first or message[:_SOUGHT]} {last or message[-_SOUGHT:]}"
    return subject_of(message)


def _shown(turn: Turn) -> str:
    return shortened(" ".join(turn.text.split()), _MESSAGE)


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(text for text in texts if text.strip())


def _cut(text: str, most: int) -> str:
    """Return as many whole lines of a text as there is room for."""
    lines = text[: most - 2].rpartition("\n")[0]
    return text if len(text) <= most else f"{lines}\n…"


def _of_call(call: Call, lines: str) -> dict[str, str]:
    what = shortened(in_one_line(call.line or call.path), _NAMED)
    return {"what": what, "lines": in_one_line(lines)}
