"""What comes of a message: the answer of our model, or the prompt for another program's.

Everything said is in the transcript before a model is asked, and the answer before it is called done.
What the model says with a stranger's words before it is trusted no more than those.
"""

from collections.abc import Sequence
from typing import Any

from almario.conversation.agent import Agent, Incoming
from almario.conversation.chat_messages import kept_calls, sound
from almario.conversation.notices import quietly
from almario.conversation.origins import is_heard, spoken_after
from almario.conversation.pending import SOON
from almario.conversation.prompt_sections import Prompt
from almario.conversation.tool_calls import OFF_RECORD, REMIND, WITHHELD_ACTION, Done
from almario.domain.messages import Sentence, Words, sentence_of
from almario.domain.model import Hit, check_message
from almario.domain.plain_text import whole
from almario.domain.talk import Ask, Message, Reply, ToolCall, ToolSpec, Usage
from almario.domain.turn_ids import turn_ids
from almario.domain.turns import ANSWERS, PERHAPS, Turn, Utterance
from almario.domain.withheld import where_shown
from almario.errors import LLMError, LLMUnavailable
from almario.named_tuples import NamedTuple
from almario.ports import LLM, Hear
from almario.text.answers import without_bare_order
from almario.text.intentions import intention_in
from almario.text.wishes import CANCEL, NOTE, REMEMBER, besides_orders, wish_in

_STOPPED = "stopped before it was done"
_OFF_RECORD = (
    "A person says this to you, their assistant with a memory. Do they ask you not to remember or write down "
    "what they say in the last message? To keep it between you two is such a wish; that others must not hear "
    "of it, or that it is a surprise, is none by itself. "
    'Answer {"off": true} or {"off": false}.'
)
_SHORT = 60
# A short question goes on with one that stands at most so many turns before it.
_BEFORE = 6
# What is done about a message and leaves it to be answered.
_NOT_KEPT = 'saved, but not remembered: {text} If I should keep it, say "remember that …"'
_ASIDE = (OFF_RECORD, WITHHELD_ACTION, REMIND)


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
            place = next((n for n, each in enumerate(done) if each.arguments.get("sort") == PERHAPS), None)
            if place is None:
                self._prepare()
        if place is not None:
            self._settle(llm, place)
            with agent.parts.memory.snapshot():
                self._prepare()
        try:
            self._converse(llm)
        except KeyboardInterrupt:
            return self._cut(())
        except LLMError as exc:
            if not self._heard and not self._done:
                raise
            return self._cut((sentence_of(exc),))
        notices = () if self._texts else (Sentence("the model said nothing"),)
        return self._answer(notices)

    def _unaided(self) -> bool:
        """Answer the owner without a model, in their language: what is said is not kept. False if nothing is.

        What they tell is remembered, as no model learns it.
        """
        incoming, parts = self._incoming, self._agent.parts
        if incoming.origin != "owner":
            return bool(self._done)
        audience = self._agent.audience(incoming.session, incoming.mode)
        text = self._agent.uncalled(incoming.text)
        granted = [each for each in self._done if each.name not in _ASIDE]
        # An answer, or what is done by a guess, is the whole message.
        rest = "" if granted and not wish_in(text) else besides_orders(text, NOTE, CANCEL)
        if rest and (intention := intention_in(text, self._new[-1].at.date())):
            rest = rest.replace(intention.sentence, "").strip(" .")
        rest, kept, earlier = rest if self._done else text, [], self._said_before()
        rest = without_bare_order(rest) or rest  # "…, write it down please" wants nothing besides
        is_off = any(each.name == OFF_RECORD for each in self._done)
        # What comes again was heeded when it came first, and may have been taken back since.
        is_told = not parts.openings.asked_in_full(rest, earlier) and not parts.sessions.went_on(
            self._new[-1]
        )
        if rest and is_told and not incoming.pasted and not is_off:
            kept = parts.heeding.heed(self._new[-1]._replace(text=rest), audience)
        ordered = granted if wish_in(text) else []
        self._done += kept or parts.heeding.outdated(self._new[-1], ordered, audience)
        if rest and all(each.structured.get("unasked") for each in kept):
            is_done = any(each.name != REMIND for each in self._done)
            kept_of = self._new[-1].id if any("line" in each.structured for each in kept) else ""
            answer, found = parts.openings.answer(rest, audience, earlier, is_done=is_done, kept_of=kept_of)
            self._prompt = self._prompt._replace(recalled=found)
            if answer and parts.openings.is_sad(rest):
                self._done = [quietly(each) if each in kept else each for each in self._done]
            if answer:
                self._listen(answer)
                self._texts.append(answer)
            elif granted and not kept and audience.is_private:
                left = Sentence(_NOT_KEPT, text=Words(rest))
                self._done.append(Done("", told=(left,), is_error=True, name=REMEMBER))
            if shown := where_shown([answer]):
                self._done.append(Done("", told=shown, is_error=True, name="recall"))
        said_in = parts.openings.in_language_of
        self._done = [each._replace(told=said_in(incoming.text, each.told, earlier)) for each in self._done]
        return bool(self._texts or self._done)

    def _said_before(self) -> list[str]:
        """Return what the owner said just before, in its order."""
        last = self._new[-1]
        recent = turn_ids(last.session, range(max(1, last.n - _BEFORE), last.n))
        turns = self._agent.parts.vault.turns(recent)
        own = [each for each in turns if (each.role, each.origin) == ("user", "owner")]
        return [turn.text for turn in own if last.at - turn.at < SOON]

    def _settle(self, llm: LLM, place: int) -> None:
        """Ask the model whether a message that was set aside is meant so; else it is brought back."""
        from almario.structured_reply import ask_for, fenced  # noqa: PLC0415 - seldom needed
        from almario.structured_reply.schema import FLAG, record  # noqa: PLC0415 - as above

        before = self._agent.parts.discretion.announcement(self._incoming.session)
        parts = [fenced("message", each) for each in (before, self._incoming.text) if each]
        message = Message("user", "\n\n".join(parts))
        try:
            found = ask_for(llm, Ask((message,), _OFF_RECORD, schema=record(off=FLAG), most=_SHORT))
        except LLMError:
            return
        if not found["off"]:
            self._agent.parts.discretion.put_back(self._incoming.session)
            self._done.pop(place)

    def _prepare(self) -> None:
        incoming, agent = self._incoming, self._agent
        session, in_one_moment = incoming.session, agent.parts.memory.sync.in_one_transaction
        window, audience = in_one_moment(
            lambda: (agent.parts.sessions.window(session), agent.audience(session, incoming.mode))
        )
        self._earlier = [turn for turn in window.turns if turn not in self._new and is_heard(turn, audience)]
        self._specs = agent.parts.tools.specs(incoming.mode or agent.mode, audience)
        names = tuple(spec.name for spec in self._specs) if agent.settings.tool_rounds else ()
        self._prompt = agent.prompt_for(incoming, self._done, names, window)

    def _converse(self, llm: LLM) -> None:
        agent = self._agent
        for rounds_left in reversed(range(agent.settings.tool_rounds + 1)):
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
        )
