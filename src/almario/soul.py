"""Soul: one agent's personality and memory, as a user of the library holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from almario.becoming.looking_back import LookingBack
from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.memories import AnyKind, Origin
from almario.domain.messages import Sentence
from almario.domain.model import Mode, Query, Scope, check_question
from almario.domain.turns import DEFAULT_SESSION, ORIGIN_OF, Role, Whose

# Loaded when it is first used: most commands need little of it.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from almario.becoming.drift import Drifting
    from almario.becoming.goals import Goals
    from almario.becoming.improving import Improved, Improving
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.conversation.agent import Agent, Incoming
    from almario.conversation.companion import Companion
    from almario.conversation.flights import Flights
    from almario.conversation.flush import Flushed
    from almario.conversation.learning import Learning
    from almario.conversation.presence import Presence
    from almario.conversation.prompt_sections import Prompt
    from almario.conversation.replying import Answer, Heard
    from almario.conversation.sessions import Sessions
    from almario.conversation.tidying import Tidying
    from almario.conversation.toolbox import Toolbox
    from almario.conversation.voice import Voice
    from almario.domain.events import Actor
    from almario.domain.forgotten import Forgotten
    from almario.domain.memories import Memory
    from almario.domain.model import Hit, Recalled
    from almario.domain.plans import Plan
    from almario.domain.turns import Turn
    from almario.importing.importer import Importer
    from almario.memory.admission import Receipt
    from almario.memory.facade import Memories
    from almario.ports import Hear, Models, Store, Watching
    from almario.upkeep.costs import Costs

    class Whole(Voice, Protocol):
        """All that a soul is made of besides its files: also what rests on the other parts."""

        @property
        def agent(self) -> Agent: ...
        @property
        def companion(self) -> Companion: ...
        @property
        def costs(self) -> Costs: ...
        @property
        def importer(self) -> Importer: ...


class Soul(LookingBack):
    """An agent's files, memory, goals and conversations behind one object; `almario.open` makes it."""

    def __init__(self, agent: str, vault: Store, parts: Whole, *, told: Sequence[Sentence]) -> None:
        super().__init__(agent, vault, lambda: parts.redact)
        self.told = tuple(told)
        self._parts: Whole = parts
        self._watches: list[Watching] = []

    def __enter__(self) -> Soul:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Bring MEMORY.md up to date; whoever opens the agent next does it otherwise.

        What is being learned in the background is left to the next opening.
        """
        for watch in self._watches:
            watch.stop()
        if learning := self._parts.made("learning"):
            learning.close(0)
        if self._parts.made("memory"):
            self.memory.close()

    def __repr__(self) -> str:
        return f"Soul({self.id!r}, {self.place!r})"

    @property
    def memory(self) -> Memories:
        return self._parts.memory

    def finish(self) -> Sequence[Sentence]:
        """Let MEMORY.md show what was changed here; return what is worth telling of the memory since."""
        return self.memory.finish() if self._parts.made("memory") else ()

    @property
    def goals(self) -> Goals:
        return self._parts.goals

    @property
    def proposals(self) -> Proposals:
        return self._parts.proposals

    @property
    def drift(self) -> Drifting:
        return self._parts.drift

    @property
    def improving(self) -> Improving:
        return self._parts.improving

    @property
    def reflection(self) -> Reflection:
        return self._parts.reflection

    @property
    def sessions(self) -> Sessions:
        return self._parts.sessions

    @property
    def presence(self) -> Presence:
        """Who has spoken where, and what they may hear."""
        return self._parts.presence

    @property
    def companion(self) -> Companion:
        """What the agent is to another program's model: who it is, what comes to mind, what it hears."""
        return self._parts.companion

    @property
    def flights(self) -> Flights:
        return self._parts.flights

    @property
    def learning(self) -> Learning:
        return self._parts.learning

    @property
    def tidying(self) -> Tidying:
        return self._parts.tidying

    @property
    def costs(self) -> Costs:
        return self._parts.costs

    @property
    def importer(self) -> Importer:
        """What takes in the exports of other programs."""
        return self._parts.importer

    @property
    def models(self) -> Models:
        """The models that talk and learn; they are looked for when this is first asked."""
        return self._parts.models

    def remember(
        self, text: str, value: str | None = None, *, kind: AnyKind = "", replaces: str = ""
    ) -> Receipt:
        """Remember "key: value", a key and a value, or plain text; the receipt says what became of it.

        *replaces* is the id of the memory whose place it takes.
        """
        return self.memory.remember(text, value, kind=kind, replaces=replaces)

    def update(self, memory_id: str, text: str = "", *, when: str = "", ended: str = "") -> Memory:
        """Change what a memory says, *when* it is or holds ("2026-12-03", "2025/.."), or its last day.

        What is empty stays as it is. Return the memory, or the one that takes its place.
        """
        from almario.memory.amending import Amendment

        return self.memory.amend(memory_id, Amendment(text, when, ended))

    def forget(self, target: str, *, every: bool = False, actor: Actor = "owner") -> Forgotten:
        """Put out of mind what an id, a key or words mean, wherever it was told; `memory.purge` erases it.

        One thing, or *every* one that is meant; SoulError names them if they are several.
        """
        return self.memory.forget(target, every=every, actor=actor)

    def recall(
        self,
        question: str,
        *,
        limit: int = 5,
        min_score: float | None = None,
        scope: Scope = Scope(),  # noqa: B008 - a constant
        mode: str = "",
        neighbours: int = 0,
        explain: bool = False,
        session: str = "",
        audience: Audience | None = None,
    ) -> Recalled:
        """Return what comes to mind about a question, best first; without *min_score*, what is worth showing.

        For a *session*, what is in sight there is left out, and what those present may not hear; an
        *audience* says who hears it in their place. In a session about a project, nothing is told that was
        learned in others alone, unless the *scope* says otherwise.
        """
        check_question(question, limit, min_score)
        hidden = {turn.id for turn in self.sessions.window(session).turns} if session else ()
        if audience is None:
            audience = self.audience(session) if session else OWNER_ALONE
        if scope.project:
            audience = audience._replace(project="" if scope.project == "all" else scope.project)
        return self.memory.recall(
            Query(question, limit, min_score, scope, mode, neighbours, explain, frozenset(hidden), audience)
        )

    def plans(self, *, passed: int = 0) -> Sequence[Plan]:
        """Return what is planned, in the order of its days; also what was in the last *passed* days."""
        return self.memory.plans(passed=passed)

    def audience(self, session: str, mode: Mode = "") -> Audience:
        """Return who hears what is told in a session: the owner alone, or others too."""
        return self._parts.agent.audience(session, mode)

    def improve(self, words: str) -> Improved:
        """Turn words about what should change into proposals for the right files; nothing changes yet."""
        return self.improving.improve(words)

    def talk(
        self,
        message: str,
        session: str = DEFAULT_SESSION,
        *,
        hear: Hear | None = None,
        mode: Mode = "",
        pasted: Sequence[str] = (),
        origin: Origin = "owner",
        speaker: str = "",
        ref: str = "",
    ) -> Answer:
        """Answer a message; *hear* gets the text as it comes, *pasted* are documents that came with it.

        It is the owner's unless its *origin* is "untrusted"; *speaker* is who said it, where several talk.
        One that comes again with the same *ref* is kept once and answered once.
        LLMError: there is no answer, and what was said is kept.
        """
        from almario.conversation.agent import Incoming as Message

        incoming = Message(session, message, origin, speaker, tuple(pasted), mode, ref)
        return self.answer(incoming, hear)

    def answer(self, incoming: Incoming, hear: Hear | None = None) -> Answer:
        """Answer anybody, as `talk` does, in the words of 0.1."""
        from almario.conversation.replying import answered

        return answered(self._parts.agent, incoming, hear)

    def hear(self, incoming: Incoming, tools: Sequence[str] = ()) -> Heard:
        """Keep a message that a model of yours answers, do what it wishes for, and return its prompt."""
        from almario.conversation.replying import heard

        return heard(self._parts.agent, incoming, tools)

    def remind(self, message: str, *, was_heard: bool = False) -> Recalled | None:
        """Return what comes to mind about a message that no model answers; None if it asks for nothing.

        *was_heard* says that it was dealt with already, but for the question in it.
        """
        from almario.conversation.remembered import reminded

        return reminded(self.memory, message, was_heard=was_heard)

    def append(
        self, session: str, role: Role, text: str, *, origin: Whose = "", speaker: str = "", ref: str = ""
    ) -> Turn:
        """Keep what was said in a session; when this returns, it survives a power cut.

        Without *origin*, a user is the owner, a tool is not trusted, and an assistant
        is the agent unless the model has seen what is not trusted. What comes again with the same *ref* is
        kept once: whoever does not know whether it arrived can send it once more.
        """
        from almario.domain.turns import REF, Said

        said = Said(role, text, origin or ORIGIN_OF.get(role, ""), speaker, more={REF: ref} if ref else {})
        return self._parts.agent.append(session, said)

    def off_record(self, session: str = DEFAULT_SESSION, *, off: bool = True) -> None:
        """Let all that is said in a session from now on be off the record; or, not *off*, on it again."""
        self._parts.discretion.switch(session, off=off)

    def put_back(self, session: str = DEFAULT_SESSION) -> list[Turn]:
        """Bring back what the last notice took off the record or set aside in a session; return it."""
        return self._parts.discretion.keep_noticed(session)

    @property
    def tools(self) -> Toolbox:
        """What a model may do, and what you let it do besides: `soul.tools.add(function)`."""
        from almario.conversation.toolbox import Toolbox

        return Toolbox(self._parts.agent)

    def flush(self, session: str = "") -> list[Flushed]:
        """Learn now from what was said in a session, or in all."""
        every = [session] if session else [view.session for view in self.sessions.all()]
        return [done for each in every for done in self._parts.flush.flush(each)]

    def end_session(self, session: str = DEFAULT_SESSION) -> list[Flushed]:
        """Learn from a session, and begin it anew with the next message."""
        self.sessions.reset(session, "ended")
        return self.learning.end(session)

    def clear(self, session: str = DEFAULT_SESSION) -> str:
        """Learn from a session, keep its last messages as a file, and begin it anew; return the file."""
        self.learning.end(session)
        path = self._parts.snapshots.take(session, self.sessions.current(session))
        self.sessions.reset(session, "cleared")
        return path

    def watch(self) -> Watching:
        """Take in edits as they are made, until the watch is stopped: `with soul.watch(): …`, or `stop`."""
        watch = self._vault.watch(lambda _: self.memory.settle())
        watch.start()
        self._watches.append(watch)
        return watch

    def prompt(
        self,
        message: str = "",
        mode: Mode = "",
        *,
        session: str = "",
        recalled: Sequence[Hit] | None = None,
        blocks: Sequence[str] = (),
        tools: Sequence[str] = (),
        explain: bool = False,
    ) -> Prompt:
        """Build the prompt for a message as the files and the memory are now.

        *recalled* is told as relevant in the place of what the memory finds by
        itself. Of a *session*, what the model sees of it anyway is left out, and what
        those present may not hear; *explain* counts that.
        """
        from almario.conversation.prompting import PromptRequest

        request = PromptRequest(message, mode, recalled, blocks, tools, explain=explain)
        return self._parts.agent.prompt(request, session)


# Opens the agent that a command is about; it is closed when the command ends.
OpenSoul = Callable[[], Soul]
