"""What comes of a message: the answer of our model, or the prompt for another program's.

Everything said is in the transcript before a model is asked, and the answer before it is called done.
What the model says with a stranger's words before it is trusted no more than those.
"""

from collections.abc import Sequence
from typing import Any

from almario.conversation.agent import Agent, Incoming
from almario.conversation.chat_messages import kept_calls, sound
from almario.conversation.notices import KEPT_ACTION
from almario.conversation.origins import is_heard, spoken_after
from almario.conversation.prompt_sections import Prompt
from almario.conversation.tool_calls import DANGER_ACTION, OFF_RECORD, Done
from almario.domain.messages import Sentence, say, sentence_of
from almario.domain.model import Hit, check_message
from almario.domain.plain_text import whole
from almario.domain.talk import Ask, Reply, ToolCall, ToolSpec, Usage
from almario.domain.turns import ANSWERS, Turn, Utterance
from almario.domain.withheld import where_shown
from almario.errors import LLMError, LLMUnavailable
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Hear
from almario.text.forms import besides

# How often one answer may use tools.
_TOOL_ROUNDS = 8
_NO_ANSWER = "The model used its tools {count} times and came to no answer; ask again, or otherwise."
_STOPPED = "stopped before it was done"


class Answer(NamedTuple):
    """What came of a message: the answer, its turns, what was recalled and done for it.

    *is_cut*: it was stopped, and the text is what had come; *told* says why, if nobody wanted it.
    *is_memory*: no model said it, but it is what came to mind.
    """

    text: str
    turns: tuple[Turn, ...] = ()
    recalled: tuple[Hit, ...] = ()
    done: tuple[Done, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    is_cut: bool = False
    told: tuple[Sentence, ...] = ()
    is_memory: bool = False


class Heard(NamedTuple):
    """A message that was kept: its turns, what was done as the owner wished, and the prompt to answer it."""

    turns: tuple[Turn, ...]
    done: tuple[Done, ...]
    prompt: Prompt


def heard(agent: Agent, incoming: Incoming, tools: Sequence[str] = ()) -> Heard:
    """Keep a message, do what the owner wishes for in it, and build the prompt for whoever answers it."""
    with agent.parts.memory.snapshot():
        agent.begin(incoming.session)
        turns, done = agent.hear(incoming)
        prompt = agent.prompt_for(incoming, done, tools, agent.parts.sessions.window(incoming.session))
    return Heard(tuple(turns), tuple(done), prompt)


def answered(agent: Agent, incoming: Incoming, hear: Hear | None = None) -> Answer:
    """Answer a message. LLMError: there is no answer, and what was said is kept."""
    check_message(incoming.text, incoming.pasted)
    if earlier := agent.parts.sessions.answer_to(incoming.session, incoming.ref):
        return Answer("\n\n".join(turn.text for turn in earlier if turn.text.strip()), tuple(earlier))
    try:
        return _Exchange(agent, incoming, hear).run()
    finally:
        agent.parts.learning.consider(incoming.session)


class _Exchange:
    """The answer to one message, as it comes about."""

    def __init__(self, agent: Agent, incoming: Incoming, hear: Hear | None) -> None:
        self._agent = agent
        self._incoming = incoming
        self._hear = hear
        self._heard: list[str] = []
        # What of the session the model is told, the new turns, and what was done: wishes and tools.
        self._earlier: list[Turn] = []
        self._new: list[Turn] = []
        self._done: list[Done] = []
        self._reply = Reply("")
        self._usage = Usage()
        self._texts: list[str] = []
        self._specs: tuple[ToolSpec, ...] = ()
        self._prompt = Prompt("", (), "", "")
        self._is_memory = False

    def run(self) -> Answer:
        """Ask the model; if there is none, what memory says and what was done is answer enough."""
        agent = self._agent
        with agent.parts.memory.snapshot():
            agent.begin(self._incoming.session)
            turns, done = agent.hear(self._incoming)
            self._new, self._done = list(turns), list(done)
            try:
                llm = agent.parts.talker()
            except LLMUnavailable:
                if not self._unaided():
                    raise
                return self._answer(())
            self._prepare()
        try:
            self._converse(llm)
        except KeyboardInterrupt:
            return self._cut(())
        except LLMError as exc:
            if not self._heard and not self._done:
                raise
            return self._cut((sentence_of(exc),))
        if not self._texts and self._reply.calls:  # it would go on for ever
            self._listen(text := say(agent.language, _NO_ANSWER, count=_TOOL_ROUNDS))
            self._texts.append(text)
        if not self._texts and not any(each.told for each in self._done):
            raise LLMError("the model said nothing")
        return self._answer(() if self._texts else (Sentence("the model said nothing"),))

    def _unaided(self) -> bool:
        """Answer the owner without a model, with what comes to mind; False if there is nothing to say."""
        incoming, parts = self._incoming, self._agent.parts
        if incoming.origin == "owner" and (rest := self._unanswered()):
            before = self._own_before()
            found = parts.notebook.answer(
                rest,
                self._agent.audience(incoming.session, incoming.mode),
                [turn.id for turn in self._new],
                is_kept=not any(each.name == OFF_RECORD for each in self._done),
                is_first=not any(map(besides, before)),
            )
            self._prompt = self._prompt._replace(recalled=found.recalled)
            self._is_memory = bool(found.text)
            if found.text:
                self._listen(found.text)
                self._texts.append(found.text)
            if shown := where_shown([found.text]):
                self._done.append(Done("", told=shown, is_error=True, name="recall"))
        return bool(self._texts or self._done)

    def _unanswered(self) -> str:
        """Return what of the message nothing was done about; whoever is in danger is told where to call."""
        if any(each.name in (DANGER_ACTION, KEPT_ACTION) for each in self._done):
            return ""
        return besides(self._agent.uncalled(self._incoming.text))

    def _own_before(self) -> list[str]:
        """Return what the owner said in this session before the message."""
        turns = self._agent.parts.sessions.current(self._incoming.session)
        own = (turn for turn in turns if (turn.role, turn.origin) == ("user", "owner"))
        return [turn.text for turn in own if turn.n < self._new[0].n]

    def _prepare(self) -> None:
        incoming, agent = self._incoming, self._agent
        session, in_one_moment = incoming.session, agent.parts.memory.sync.in_one_transaction
        window, audience = in_one_moment(
            lambda: (agent.parts.sessions.window(session), agent.audience(session, incoming.mode))
        )
        self._earlier = [turn for turn in window.turns if turn not in self._new and is_heard(turn, audience)]
        self._specs = agent.parts.tools.specs(incoming.mode or agent.mode, audience)
        names = tuple(spec.name for spec in self._specs)
        self._prompt = agent.prompt_for(incoming, self._done, names, window)

    def _converse(self, llm: LLM) -> None:
        agent = self._agent
        for rounds_left in reversed(range(_TOOL_ROUNDS + 1)):
            seen = [*self._earlier, *self._new]
            messages = agent.telling.messages(seen)
            tools = self._specs if rounds_left else ()
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
        more |= {ANSWERS: self._incoming.ref} if self._incoming.ref else {}
        utterance = Utterance("assistant", text, spoken_after(seen, text), more=more)
        self._new.append(self._agent.append(self._incoming.session, utterance))
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
                stopped = Done(_STOPPED, is_error=True, name=call.name, arguments=call.arguments)
                self._new.append(self._agent.keep_result(session, call, stopped))
            raise

    def _cut(self, notices: tuple[Sentence, ...]) -> Answer:
        seen = [*self._agent.parts.sessions.window(self._incoming.session).turns, *self._new]
        self._keep(whole("".join(self._heard)), (), seen, cut=True)
        return self._answer(notices)._replace(is_cut=True)

    def _answer(self, notices: tuple[Sentence, ...]) -> Answer:
        return Answer(
            text="\n\n".join(self._texts),
            turns=tuple(self._new),
            recalled=self._prompt.recalled,
            done=tuple(self._done),
            usage=self._usage,
            model=self._reply.model,
            told=notices,
            is_memory=self._is_memory,
        )
