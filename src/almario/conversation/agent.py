"""One turn of a conversation: keep what was said, ask the model, use its tools, keep its answer.

Everything said is in the transcript before the model is asked, and the answer
before it is called done. What the model says with a stranger's words before
it is trusted no more than those.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from almario.conversation.chat_messages import Telling, kept_calls, sound
from almario.conversation.discretion import Discretion
from almario.conversation.in_use import Told, drawn_on
from almario.conversation.learning import Learning
from almario.conversation.origins import owners_words
from almario.conversation.presence import Presence
from almario.conversation.prompt_sections import Prompt
from almario.conversation.prompting import PromptBuilder, PromptRequest
from almario.conversation.rules.echoes import echoes
from almario.conversation.sessions import Sessions, Window
from almario.conversation.settings import ModelSettings
from almario.conversation.tools import Context, Done, Tools
from almario.conversation.wishing import Wishing, off_record
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.memories import Memory, Origin, State, Wanted
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import Hit, Mode
from almario.domain.plain_text import whole
from almario.domain.talk import Ask, Reply, ToolCall, Usage
from almario.domain.turns import Said, Turn, lowest_of
from almario.errors import AlmarioError, LLMError, LLMUnavailable
from almario.memory.facade import Memories
from almario.memory.rules.provenance import rests_on
from almario.ports import LLM, Hear
from almario.text.denials import sentences_in
from almario.text.quoting import parted
from almario.text.wishes import PREVIOUS

log = logging.getLogger(__name__)

_STOPPED = "stopped before it was done"
# Who is not the owner, and has no name, is somebody all the same; what has no speaker is a document.
_NAMELESS = "?"
# Marks what a tool told with others present.
_AMONG_OTHERS = "among_others"
# What may be told as what is so, or may be.
_TOLD: tuple[State, ...] = ("live", "expired")


class Incoming(NamedTuple):
    """A message to be answered; *pasted* are documents that came with it, and are nobody's word."""

    session: str
    text: str
    origin: Origin = "owner"
    speaker: str = ""
    pasted: tuple[str, ...] = ()
    mode: Mode = ""


class Answer(NamedTuple):
    """What came of a message: the answer, its turns, what was recalled and done for it.

    *is_cut*: it was stopped, and the text is what had come; *told* says why, if nobody wanted it.
    """

    text: str
    turns: tuple[Turn, ...] = ()
    recalled: tuple[Hit, ...] = ()
    done: tuple[Done, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    is_cut: bool = False
    told: tuple[Sentence, ...] = ()


class Parts(NamedTuple):
    """What a conversation is made of; *llm* gives the model that talks, or raises LLMUnavailable."""

    memory: Memories
    sessions: Sessions
    prompts: PromptBuilder
    tools: Tools
    learning: Learning
    llm: Callable[[], LLM]
    presence: Presence
    discretion: Discretion
    wishing: Wishing


class Agent:
    """Talks: in sessions, with a memory, with tools."""

    def __init__(
        self,
        parts: Parts,
        settings: ModelSettings,
        *,
        mode: Mode = "conversation",
        language: str = "en",
    ) -> None:
        """*mode* is the one when none is asked for."""
        self.parts = parts
        self.settings = settings
        self.mode = mode
        self.telling = Telling(language)
        # What each session's prompts told from memory: to say it again proves nothing, but keeps it in use.
        self._told: dict[str, Told] = {}

    def answer(self, incoming: Incoming, hear: Hear | None = None) -> Answer:
        """Answer a message. LLMError: there is no answer, and what was said is kept."""
        session, parts = incoming.session, self.parts
        self.begin(session)
        said = [Said("user", text, "untrusted") for text in incoming.pasted]
        speaker = incoming.speaker or ("" if incoming.origin == "owner" else _NAMELESS)
        said.append(Said("user", incoming.text, incoming.origin, speaker))
        turns, done = self.hear(session, said, incoming.mode)
        try:
            return _Exchange(self, incoming, turns, hear, done).run()
        finally:
            parts.learning.consider(session)

    def hear(self, session: str, said: Sequence[Said], mode: Mode = "") -> tuple[Sequence[Turn], list[Done]]:
        """Keep a message with what came with it, and do what the owner wishes for in it, in words."""
        discretion, message = self.parts.discretion, said[-1]
        if message.origin != "owner":
            discretion.overheard(session)
            return discretion.keep(session, said), []
        heard = discretion.listen(session, message.text)
        gone = discretion.take_back(session, heard=False) if heard == PREVIOUS else None
        turns = discretion.keep(session, said)
        audience = self.audience(session, mode)
        if heard:
            return turns, [off_record(heard, gone, message.text, audience)]
        return turns, self.parts.wishing.granted(turns[-1], audience)

    def begin(self, session: str) -> None:
        """Begin a session anew if its time has come; what was said in it before is learned from."""
        if self.parts.sessions.reset_if_due(session):
            self.parts.learning.consider(session)

    def prompt(self, request: PromptRequest, session: str) -> Prompt:
        """Build a session's prompt: with what went before, without what the model sees anyway."""
        window = self.parts.sessions.window(session) if session else Window("", ())
        return self.prompt_within(request, session, window)

    def prompt_within(self, request: PromptRequest, session: str, window: Window) -> Prompt:
        """Build a session's prompt with a window that was read before."""
        skip = {*request.skip, *(turn.id for turn in window.turns)}
        audience = self.audience(session, request.mode)
        prompt = self.parts.prompts.build(
            replace(request, earlier=window.summary, skip=skip, audience=audience)
        )
        ids = [hit.memory for hit in prompt.recalled if hit.memory]
        self._told[session] = Told(request.message, prompt.remembered, ids, prompt.found)
        return prompt

    def audience(self, session: str, mode: Mode = "") -> Audience:
        """Return who hears what is told in a session."""
        return self.parts.presence.audience(session, mode or self.mode)

    def append(self, session: str, said: Said) -> Turn:
        """Keep what was said; of an assistant, with what it only repeats from memory, and what it drew on.

        An assistant without an origin is the agent, or a stranger if strangers are in its window. What the
        owner says off the record is heard for such, and so is the answer to it.
        """
        if said.role == "user" and said.origin == "owner":
            heard = self.parts.discretion.listen(session, said.text)
            if heard == PREVIOUS:
                self.parts.discretion.take_back(session, heard=False)
        if said.role == "assistant" and not said.origin:
            seen = self.parts.sessions.window(session).turns
            said = said._replace(origin=spoken_after(seen, said.text))
        said = self.parts.memory.fit_to_keep(said)
        if said.role == "assistant":
            said = said._replace(more={**self._of_memory(session, said.text), **said.more})
        [turn] = self.parts.discretion.keep(session, [said])
        return turn

    def _of_memory(self, session: str, answer: str) -> dict[str, Any]:
        """Return what an answer repeats of memory, what was found for it, and what of all that mattered."""
        told = self._told.get(session, Told())
        kept: dict[str, Sequence[object]] = {"recalled": echoes(answer, told.lines), "told": told.ids}
        try:
            kept["used"] = drawn_on(self._memories(told), told, answer)
        except AlmarioError as exc:  # the answer is worth more
            log.warning("could not renew what an answer drew on: %s", sentence_of(exc))
        return {name: list(each) for name, each in kept.items() if each}

    def _memories(self, told: Told) -> list[Memory]:
        """Return the memories that were told."""
        ids = Wanted(ids=tuple(told.ids), states=_TOLD)
        found = self.parts.memory.list(ids, caught_up=True) if told.ids else []
        core = self.parts.memory.core(caught_up=True) if told.lines else []
        every = {memory.id: memory for memory in (*found, *core)}
        return [memory for memory in every.values() if told.tells(memory)]

    def use(self, session: str, call: ToolCall, *, mode: Mode = "") -> tuple[Done, Turn]:
        """Use a tool as the model of a session wants, and keep the result there."""
        turns = self.parts.sessions.window(session).turns
        context = context_of(session, turns, mode or self.mode)
        audience, off = self.audience(session, mode), self.parts.discretion.is_off(session)
        done = self.parts.tools.call(call, context._replace(audience=audience, off=off))
        return done, self.keep_result(session, call, done, audience)

    def keep_result(self, session: str, call: ToolCall, done: Done, audience: Audience = OWNER_ALONE) -> Turn:
        """Keep what a tool gave back; which memories it told is kept with the answer."""
        told = self._told.setdefault(session, Told())
        told.lines += [line for line in done.text.splitlines() if line.strip()]
        told.ids += [each for each in done.memories if each not in told.ids]
        more: dict[str, Any] = {"tool": call.name, "call": call.id}
        more |= {} if audience.is_private else {_AMONG_OTHERS: True}
        return self.append(session, Said("tool", done.text, done.origin, more=more))


def context_of(session: str, turns: Sequence[Turn], mode: Mode) -> Context:
    """Return who is heard in these turns: the owner's message, if it is the last, and the least trusted."""
    asked = [turn for turn in turns if turn.role == "user"][-1:]
    own, quoted = owners_words(asked[0].text if asked and asked[0].origin == "owner" else "")
    seen = frozenset(turn.id for turn in turns)
    evidence = tuple(turn.id for turn in asked)
    return Context(session, own, lowest_of(turns), evidence, mode, seen, quoted=quoted)


def _is_heard(turn: Turn, audience: Audience) -> bool:
    """Say whether those present may see a turn: not what a tool told the owner alone, nor a confidence."""
    if audience.is_private:
        return True
    return not turn.is_off and (turn.role != "tool" or turn.more.get(_AMONG_OTHERS) is True)


def spoken_after(turns: Sequence[Turn], text: str) -> Origin:
    """Return the origin of what a model says: with strangers among what it has seen, it is a stranger's.

    So it is if it says what the owner has only quoted.
    """
    quoted = [others for turn in turns if turn.role == "user" and (others := parted(turn.text).others)]
    is_quoted = bool(quoted) and any(rests_on(each, quoted) for each in sentences_in(text))
    return "untrusted" if is_quoted or lowest_of(turns) == "untrusted" else "agent"


class _Exchange:
    """The answer to one message, as it comes about."""

    def __init__(
        self,
        agent: Agent,
        incoming: Incoming,
        turns: Sequence[Turn],
        hear: Hear | None,
        done: Sequence[Done] = (),
    ) -> None:
        """*done* are the wishes in the message that were granted."""
        self._agent = agent
        self._incoming = incoming
        self._hear = hear
        self._heard: list[str] = []
        self._new = list(turns)
        self._done: list[Done] = list(done)
        self._reply = Reply("")
        self._usage = Usage()
        self._texts: list[str] = []
        self._prompt = Prompt("", (), "", "")

    def run(self) -> Answer:
        """Ask the model; if there is none, what was wished for and done is answer enough."""
        try:
            llm = self._agent.parts.llm()
        except LLMUnavailable:
            if not self._done:
                raise
            return self._answer(())
        try:
            self._converse(llm)
        except KeyboardInterrupt:
            return self._cut(())
        except LLMError as exc:
            if not self._heard and not self._done:
                raise
            return self._cut((sentence_of(exc),))
        told = () if self._texts else (Sentence("the model said nothing"),)
        return self._answer(told)

    def _converse(self, llm: LLM) -> None:
        incoming, agent = self._incoming, self._agent
        window = agent.parts.sessions.window(incoming.session)
        audience = agent.audience(incoming.session, incoming.mode)
        earlier = [turn for turn in window.turns if turn not in self._new and _is_heard(turn, audience)]
        specs = agent.parts.tools.specs(incoming.mode or agent.mode, audience)
        names = tuple(spec.name for spec in specs) if agent.settings.tool_rounds else ()
        done = [sentence for deed in self._done if not deed.is_error for sentence in deed.told]
        undone = [deed.text for deed in self._done if deed.is_error]
        request = PromptRequest(incoming.text, incoming.mode, tools=names, done=done, undone=undone)
        self._prompt = agent.prompt_within(request, incoming.session, window)
        for rounds_left in reversed(range(agent.settings.tool_rounds + 1)):
            seen = [*earlier, *self._new]
            messages = agent.telling.messages(seen)
            tools = specs if rounds_left else ()
            ask = Ask(messages, self._prompt.stable, self._prompt.changing, tools)
            self._heard.clear()
            self._reply = sound(llm.reply(ask, self._listen))
            self._usage = self._usage.plus(self._reply.usage)
            calls = self._reply.calls if rounds_left else ()
            self._keep(self._reply.text, calls, seen)
            if not calls:
                return
            self._use(calls)

    def _listen(self, text: str) -> None:
        # What is said after the tools is a paragraph of its own, as in the whole answer.
        begins = self._texts and not self._heard
        self._heard.append(text)
        if self._hear:
            self._hear(f"\n\n{text}" if begins else text)

    def _keep(self, text: str, calls: Sequence[ToolCall], seen: Sequence[Turn], *, cut: bool = False) -> None:
        """Keep what the model said; until it is kept, what was heard stays at hand."""
        if not text.strip() and not calls:
            return
        more: dict[str, Any] = {"model": self._reply.model} if self._reply.model else {}
        more |= {"calls": kept_calls(calls)} if calls else {}
        more |= {"cut": True} if cut else {}
        said = Said("assistant", text, spoken_after(seen, text), more=more)
        self._new.append(self._agent.append(self._incoming.session, said))
        self._heard.clear()
        if text.strip():
            self._texts.append(text)

    def _use(self, calls: Sequence[ToolCall]) -> None:
        """Use the tools one after another; if that is stopped, each call has its result all the same."""
        session, mode = self._incoming.session, self._incoming.mode
        waiting = list(calls)
        try:
            while waiting:
                done, turn = self._agent.use(session, waiting[0], mode=mode)
                waiting.pop(0)
                self._done.append(done)
                self._new.append(turn)
        except KeyboardInterrupt:
            for call in waiting:
                stopped = Done(call.name, call.arguments, _STOPPED, is_error=True)
                self._new.append(self._agent.keep_result(session, call, stopped))
            raise

    def _cut(self, told: tuple[Sentence, ...]) -> Answer:
        """Keep what had come before the answer was stopped."""
        seen = [*self._agent.parts.sessions.window(self._incoming.session).turns, *self._new]
        self._keep(whole("".join(self._heard)), (), seen, cut=True)
        return self._answer(told)._replace(is_cut=True)

    def _answer(self, told: tuple[Sentence, ...]) -> Answer:
        return Answer(
            text="\n\n".join(self._texts),
            turns=tuple(self._new),
            recalled=self._prompt.recalled,
            done=tuple(self._done),
            usage=self._usage,
            model=self._reply.model,
            told=told,
        )
