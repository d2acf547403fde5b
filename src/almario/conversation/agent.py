"""What an agent does in a session: keep what is said, do what is wished for, build prompts, use tools."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from almario.conversation.drawn import GivenMemories, came_to_mind, drawn_on, given_memories
from almario.conversation.prompt_sections import Prompt
from almario.conversation.settings import ModelSettings
from almario.conversation.tool_calls import Done, ToolCaller
from almario.conversation.voice import Voice
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.identity import identity_value
from almario.domain.logs import Log
from almario.domain.memories import UNTRUSTED, Origin, Wanted
from almario.domain.messages import say, sentence_of
from almario.domain.model import Mode
from almario.domain.places import project_of
from almario.domain.talk import ToolCall
from almario.domain.turns import KEEP, NEXT, NOTICE, REF, THIS, Turn, Utterance, Window
from almario.errors import AlmarioError
from almario.named_tuples import NamedTuple
from almario.text.addressing import without_call

if TYPE_CHECKING:
    from almario.conversation.chat_messages import ChatRendering
    from almario.conversation.prompting import PromptRequest
    from almario.domain.forgotten import Forgotten

# Who only wants a prompt needs nothing of what judges words and answers, and who only hears needs no prompt.
# ruff: noqa: PLC0415
log = Log(__name__)

# Who is not the owner, and has no name, is somebody all the same; what has no speaker is a document.
_NAMELESS = "?"
# Whose word can take something off the record: a model may report what its human said.
_ASKING = ("owner", "agent")
# Under these names a tool is given what it is to write down.
_WRITTEN = ("fact", "goal", "text")


class Incoming(NamedTuple):
    """A message to be answered; *pasted* are documents that came with it, and are nobody's word.

    *ref* is what its channel calls it: one that comes again is the same message. *given* names what its model
    is told from memory with it, where that is another program's. It is said now, unless it was *at* another
    time; to a coding agent, if it came *by_hook*.
    """

    session: str
    text: str
    origin: Origin = "owner"
    speaker: str = ""
    pasted: tuple[str, ...] = ()
    mode: Mode = ""
    ref: str = ""
    given: tuple[str, ...] = ()
    at: datetime | None = None
    by_hook: bool = False


class Agent:
    """Hears and is told: in sessions, with a memory, with tools; `replying` asks the model."""

    def __init__(
        self, parts: Voice, settings: ModelSettings, *, mode: Mode = "conversation", language: str = "en"
    ) -> None:
        """*mode* is the one when none is asked for."""
        self.parts = parts
        self.settings = settings
        self.mode = mode
        self.language = language
        # What each session's prompts told from memory: to say it again proves nothing, but keeps it in use.
        self._given: dict[str, GivenMemories] = {}

    @cached_property
    def telling(self) -> "ChatRendering":
        """What tells turns to a model: the same for all of them, so that providers know its fence again."""
        from almario.conversation.chat_messages import ChatRendering

        return ChatRendering(self.language)

    def hear(self, incoming: Incoming) -> tuple[Sequence[Turn], list[Done]]:
        """Keep a message with what came with it, and do what the owner wishes for in it, in words."""
        session, discretion, text = incoming.session, self.parts.discretion, incoming.text
        is_owners = incoming.origin == "owner"
        if is_owners and text.strip().lower() in KEEP and (back := discretion.put_back(session)):
            from almario.conversation.notices import put_back

            return discretion.keep(session, [Utterance("user", text, "owner", incoming.speaker)]), [
                put_back(back)
            ]
        speaker = incoming.speaker or ("" if is_owners else _NAMELESS)
        more: dict[str, Any] = {REF: incoming.ref} if incoming.ref else {}
        at = incoming.at
        utterances = [Utterance("user", each, "untrusted", at=at, more=more) for each in incoming.pasted]
        more = {**more, "told": list(incoming.given)} if incoming.given else more
        utterances.append(Utterance("user", text, incoming.origin, speaker, at, more=more))
        with self.parts.memory.together():
            if known := self.parts.sessions.brought(session, incoming.ref):
                turns = discretion.heard_again(session, known, text)
                off, gone = (THIS if turns[-1].is_off else ""), None
            else:
                turns, off, gone = self._keep(session, utterances)
        # A wish to forget goes with the thing, and what was done then may have been taken back since.
        is_past = known and (
            turns[-1].id in self.parts.memory.out_of_mind() or self.parts.sessions.went_on(turns[-1])
        )
        if is_past or not is_owners:
            return turns, []
        audience = self.audience(session, incoming.mode)
        wishing, done = self.parts.wishing, list[Done]()
        if off:
            from almario.conversation.notices import off_record

            done.append(off_record(off, gone, audience))
        done += [] if known else wishing.due(turns[-1], audience)
        called = turns[-1]._replace(text=self.uncalled(text))
        done += wishing.granted(called, audience, by_hook=incoming.by_hook, is_again=bool(known))
        withheld = [] if off else wishing.withheld(turns[-1], audience)
        if withheld:
            discretion.note_secret(session)
        return turns, [*done, *withheld, *wishing.helped(called)]

    def uncalled(self, text: str) -> str:
        """Return a message without what only calls the agent: its name, or "ok?"."""
        return without_call(text, identity_value(self.parts.vault.read("IDENTITY.md").text, "name"))

    def begin(self, session: str) -> None:
        """Begin a session anew if its time has come; what was said in it before is learned from."""
        if self.parts.sessions.reset_if_due(session):
            self.parts.learning.consider(session)

    def prompt(self, request: "PromptRequest", session: str) -> Prompt:
        """Build a session's prompt: with what went before, without what the model sees anyway."""
        with self.parts.memory.snapshot():
            in_one_moment = self.parts.memory.sync.in_one_transaction
            window = in_one_moment(lambda: self.parts.sessions.window(session)) if session else Window("", ())
            return self.prompt_within(request, session, window)

    def prompt_within(self, request: "PromptRequest", session: str, window: Window) -> Prompt:
        """Build a session's prompt with a window that was read before."""
        turns = {turn.id for turn in window.turns}
        known = self.parts.memory.list(Wanted(evidence=tuple(turns))) if turns else ()
        # The turns tell what rests on them alone; on which day that is, only memory may.
        told = (each.id for each in known if not each.dated and turns.issuperset(each.evidence))
        skip = {*request.skip, *turns, *told}
        in_one_moment = self.parts.memory.sync.in_one_transaction
        last_day = self.parts.sessions.last_day
        audience, last_talk = in_one_moment(
            lambda: (self.audience(session, request.mode), last_day(session) if session else None)
        )
        prompt = self.parts.prompts.build(
            request._replace(earlier=window.summary, skip=skip, audience=audience, last_talk=last_talk)
        )
        ids = [hit.memory for hit in prompt.recalled if hit.memory]
        given = self._given[session] = GivenMemories(request.message, prompt.remembered, ids, prompt.found)
        given.came = came_to_mind(prompt)
        others = [hit for hit in (*prompt.recalled, *prompt.found) if hit.state == UNTRUSTED]
        given.quoted = list({hit.text for hit in others if hit.name in prompt.told})
        return prompt

    def note_given(self, session: str, given: GivenMemories) -> None:
        """Take it that a session's model was told this from memory, by another way than a prompt of ours."""
        self._given[session] = given

    def prompt_for(
        self, incoming: Incoming, done: Sequence[Done], tools: Sequence[str], window: Window
    ) -> Prompt:
        """Build the prompt to answer a message that was kept; the model is told what was *done* for it."""
        from almario.conversation.prompting import PromptRequest

        text, mode = self.uncalled(incoming.text), incoming.mode
        request = PromptRequest(text, mode, tools=tools, searches=bool(tools), done=done)
        return self.prompt_within(request, incoming.session, window)

    def audience(self, session: str, mode: Mode = "") -> Audience:
        """Return who hears what is told in a session."""
        return self.parts.presence.audience(session, mode or self.mode)

    def append(self, session: str, utterance: Utterance) -> Turn:
        """Keep what was said; of an assistant, with what it only repeats from memory, and what it drew on.

        An assistant without an origin is the agent, or a stranger if strangers are in its window. What the
        owner says off the record is heard for such, and so is the answer to it.
        """
        ref = str(utterance.more.get(REF, ""))
        with self.parts.memory.together() if ref else nullcontext():
            known = self.parts.sessions.brought(session, ref)
            return known[-1] if known else self._append(session, utterance)

    def _append(self, session: str, utterance: Utterance) -> Turn:
        if utterance.role == "user":
            with self.parts.memory.together():
                return self._keep(session, [self.parts.memory.fit_to_keep(utterance)])[0][-1]
        if utterance.role == "assistant" and not utterance.origin:
            from almario.conversation.origins import spoken_after

            seen = self.parts.sessions.window(session).turns
            quoted = self._given.get(session, GivenMemories()).quoted
            utterance = utterance._replace(origin=spoken_after(seen, utterance.text, quoted))
        utterance = self.parts.memory.fit_to_keep(utterance)
        if utterance.role == "assistant":
            utterance = utterance._replace(
                more={**self._of_memory(session, utterance.text), **utterance.more}
            )
        with self.parts.memory.together():
            if utterance.role == "assistant":
                kept = self.parts.discretion.without_whispers(session, utterance.text)
                # What is marked in it stands elsewhere then.
                utterance = (
                    utterance
                    if kept == utterance.text
                    else utterance._replace(text=kept, more=_unmarked(utterance.more))
                )
            [turn] = self.parts.discretion.keep(session, [utterance])
        return turn

    def _keep(
        self, session: str, utterances: Sequence[Utterance]
    ) -> "tuple[Sequence[Turn], str, Forgotten | None]":
        """Keep a message as it asks for: off the record, or with what was said just before taken off it.

        A model that reports a conversation tells it as its human said it; others are on the record.
        """
        discretion, message = self.parts.discretion, utterances[-1]
        if message.role != "user" or message.origin not in _ASKING:
            discretion.overheard(session)
            return discretion.keep(session, utterances), "", None
        off = discretion.listen(session, self.uncalled(message.text))
        turns = discretion.keep(session, utterances)
        gone = discretion.take_back(session, previous=off != NEXT) if off and off != THIS else None
        return turns, off, gone

    def _of_memory(self, session: str, answer: str) -> dict[str, Any]:
        from almario.conversation.echoes import echoes

        given = self._given.get(session, GivenMemories())
        kept: dict[str, Sequence[object]] = {"recalled": echoes(answer, given.lines), "told": given.ids}
        kept["came"] = given.came
        try:
            memories = given_memories(self.parts.memory, given)
            kept["used"] = drawn_on(memories, given, answer)
        except AlmarioError as exc:  # the answer is worth more
            log.warning("could not mark the memories an answer used as in use: %s", sentence_of(exc))
        return {name: list(each) for name, each in kept.items() if each}

    def use(self, session: str, call: ToolCall, *, mode: Mode = "") -> tuple[Done, Turn]:
        """Use a tool as the model of a session wants, and keep the result there."""
        from almario.conversation.origins import context_of

        turns = self.parts.sessions.window(session).turns
        context = context_of(session, turns, mode or self.mode)
        if self._given.get(session, GivenMemories()).quoted:
            context = context._replace(lowest=UNTRUSTED, alone=False)
        audience, off = self.audience(session, mode), self.parts.discretion.is_off(session)
        done = self.parts.tools.call(call, context._replace(audience=audience, off=off))
        return done, self.keep_result(session, call, done, audience)

    def use_for(self, caller: ToolCaller, call: ToolCall) -> Done:
        """Use a tool as another program wants, held to what the owner was heard to say."""
        words = [str(call.arguments[name]) for name in _WRITTEN if name in call.arguments]
        context = self.parts.captured.context(words)
        audience = self.audience("")
        done = self.parts.tools.call(call, context._replace(audience=audience, mode=self.mode, caller=caller))
        if project_of(context.session) and not (context.off or done.is_error):
            self._note_searched(context.session, done)
        return done

    def _note_searched(self, session: str, done: Done) -> None:
        """Mark a coding agent's session with what its model was told of home: what it answers is of home."""
        found = done.structured.get("found", done.structured.get("results"))
        ids = [each["id"] for each in found] if found is not None else [done.structured.get("id", done.name)]
        names = done.memories or ids
        try:
            if self.parts.tools.reads(done.name) and self.parts.memory.are_of_home(names):
                searched = say(self.language, "The model searched the memory.")
                self.append(session, Utterance("system", searched, "agent", more={"told": [*names]}))
        except AlmarioError as exc:  # the answer is worth more
            log.warning("could not note what a search told: %s", sentence_of(exc))

    def keep_result(self, session: str, call: ToolCall, done: Done, audience: Audience = OWNER_ALONE) -> Turn:
        """Keep what a tool gave back; which memories it told is kept with the answer."""
        from almario.conversation.origins import AMONG_OTHERS_MARK

        given = self._given.setdefault(session, GivenMemories())
        given.lines += [line for line in done.text.splitlines() if line.strip()]
        given.ids += [each for each in done.memories if each not in given.ids]
        more: dict[str, Any] = {"tool": call.name, "call": call.id}
        more |= {} if audience.is_private else {AMONG_OTHERS_MARK: True}
        if done.told:
            more[NOTICE] = "; ".join(say(self.language, each) for each in done.told)
        return self.append(session, Utterance("tool", done.text, done.origin, more=more))


def _unmarked(more: Mapping[str, Any]) -> dict[str, Any]:
    return {name: each for name, each in more.items() if name != "recalled"}
