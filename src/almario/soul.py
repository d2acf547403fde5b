"""Soul: one agent's personality and memory, as a user of the library holds it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.events import Actor
from almario.domain.memories import AnyKind, Origin
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, Mode, Query, Scope, any_file, check_question, soul_file
from almario.domain.turns import DEFAULT_SESSION, ORIGIN_OF, Role, Whose
from almario.errors import SoulError

# Loaded when it is first used: most commands need little of it.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime, tzinfo
    from typing import Protocol

    from almario.becoming.days import Days
    from almario.becoming.drift import Drifting
    from almario.becoming.goals import Goals
    from almario.becoming.improving import Improved, Improving
    from almario.becoming.looking_back import LookingBack, News, TakenBack
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.conversation.agent import Agent, Incoming
    from almario.conversation.companion import Companion
    from almario.conversation.flights import Flights
    from almario.conversation.flush import Flushed
    from almario.conversation.learning import Learning
    from almario.conversation.portraits import Portraits
    from almario.conversation.presence import Presence
    from almario.conversation.prompt_sections import Prompt
    from almario.conversation.replying import Answer, Heard
    from almario.conversation.sessions import Sessions
    from almario.conversation.tidying import Tidying
    from almario.conversation.toolbox import Toolbox
    from almario.conversation.voice import Voice
    from almario.domain.documents.daily import LogEntry
    from almario.domain.documents.document import Document
    from almario.domain.events import Event
    from almario.domain.forgotten import Forgotten
    from almario.domain.memories import Memory
    from almario.domain.model import Damage, Hit, Recalled, Version
    from almario.domain.plans import Plan
    from almario.domain.portrait import KnownPerson, Portrait
    from almario.domain.soul_models import PastExam
    from almario.domain.turns import Turn
    from almario.exporting.exporter import Exporter
    from almario.importing.importer import Importer
    from almario.memory.admission import Receipt
    from almario.memory.facade import Memories
    from almario.ports import Hear, ModelNames, Models, Store, Watching
    from almario.upkeep.costs import Costs
    from almario.upkeep.exam import Examining
    from almario.upkeep.relearning import Relearning
    from almario.upkeep.rules.exam import Exam

    class Whole(Voice, Protocol):
        """All that a soul is made of besides its files: also what rests on the other parts."""

        @property
        def agent(self) -> Agent: ...
        @property
        def companion(self) -> Companion: ...
        @property
        def costs(self) -> Costs: ...
        @property
        def portraits(self) -> Portraits: ...
        @property
        def importer(self) -> Importer: ...
        @property
        def exporter(self) -> Exporter: ...
        @property
        def relearning(self) -> Relearning: ...
        @property
        def examining(self) -> Examining: ...


class Soul:
    """An agent's files, memory, goals and conversations behind one object; `almario.open` makes it."""

    def __init__(self, agent: str, vault: Store, parts: Whole, *, told: Sequence[Sentence]) -> None:
        self.id = agent
        self.told = tuple(told)
        self._vault = vault
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
    def place(self) -> str:
        """Where it is kept, as a person is told."""
        return self._vault.place

    @property
    def folder(self) -> Path | None:
        """The folder it is kept in, if it is kept in one."""
        return self._vault.folder

    @property
    def path(self) -> Path:
        """The folder it is kept in; SoulError if it is kept in none."""
        if self.folder is None:
            raise SoulError("{id} is kept in a database and has no folder", id=self.id)
        return self.folder

    @property
    def zone(self) -> tzinfo:
        """The owner's time zone."""
        return self._vault.zone

    @property
    def today(self) -> date:
        """The day it is where the owner is."""
        return self._vault.now().date()

    @property
    def since(self) -> datetime | None:
        """When its journal begins."""
        first = self._vault.journal.first()
        return first.at if first else None

    @property
    def name(self) -> str:
        """The agent's name, or its id if it has none."""
        return self.identity("name") or self.id

    def identity(self, field: str) -> str:
        """Return one field of IDENTITY.md, or nothing."""
        from almario.domain.documents.identity import identity_value

        return identity_value(self._vault.read("IDENTITY.md").text, field)

    def files(self) -> list[Document]:
        """Return the soul files that exist."""
        documents = [self._vault.read(name) for name in SOUL_FILES]
        return [document for document in documents if document.content is not None]

    def read(self, file: str) -> Document:
        """Read a soul file, or any other file of the vault by its path."""
        return self._vault.read(any_file(file))

    def write(self, document: Document, text: str, *, reason: str = "", actor: Actor = "owner") -> None:
        """Put *text* in the place of a soul file as it was read; EditConflict if it changed since."""
        self._vault.write_soul(document, text, actor=actor, reason=reason or Sentence("written"))

    def history(self, file: str) -> list[Version]:
        """Return every version a soul file has had, oldest first, the owner's own edits included."""
        self._need_versions()
        self._vault.settle()
        return self._vault.versions.history(soul_file(file))

    def version(self, file: str, wanted: str) -> str:
        """Return the text of one version, by its number or the beginning of its hash."""
        self._need_versions()
        found = self._vault.versions.find(soul_file(file), wanted)
        return self._text_of(found)

    def diff(self, file: str, old: str = "", new: str = "") -> str:
        """Return a unified diff of two versions; the last two, or *old* and the latest."""
        from almario.domain.plain_text import difference

        history = self.history(file)
        name = soul_file(file)
        if not history:
            raise SoulError("{file} has no versions yet", file=name)
        after = self._vault.versions.find(name, new) if new else history[-1]
        before = self._vault.versions.find(name, old) if old else history[max(0, after.number - 2)]
        names = (f"{name} ({before.number})", f"{name} ({after.number})")
        return difference(self._text_of(before), self._text_of(after), *names)

    def restore(self, file: str, version: str, *, actor: Actor = "owner") -> Version:
        """Put an earlier version back; what stood there stays in the history."""
        self._need_versions()
        return self._vault.restore(soul_file(file), version, actor=actor)

    def lock(self, file: str, section: str, *, locked: bool = True, actor: Actor = "owner") -> None:
        """Lock a section, so that no proposal can touch it; or unlock it."""
        from almario.becoming.rules.locking import with_lock, without_lock
        from almario.domain.soul_events import FILES

        name = soul_file(file)
        if name not in FILES:
            raise SoulError("locks are for {files}", files=", ".join(FILES))
        document = self.read(name)
        text = (with_lock if locked else without_lock)(document.text, section)
        done = "locked: {section}" if locked else "unlocked: {section}"
        self.write(document, text, reason=Sentence(done, section=section), actor=actor)

    def log(self, text: str, *, actor: Actor = "owner") -> list[Sentence]:
        """Add a line to today's daily log, without its secrets; return what is worth telling.

        SoulError for a text that is nothing but a secret.
        """
        from almario.domain.withheld import left_out
        from almario.text.redaction import is_only_a_mask

        hidden = self._parts.redact(text)
        kinds = ", ".join(hidden.kinds)
        if is_only_a_mask(hidden.whole):
            raise SoulError("not written: it is only a secret ({kinds})", kinds=kinds)
        return [*left_out(hidden.kinds, hidden.suspected), *self._vault.add_to_log(hidden.whole, actor=actor)]

    def log_of(self, day: date | None = None) -> list[LogEntry]:
        """Return the entries of a day's log; today's by default."""
        from almario.domain.documents.daily import parse_log

        return parse_log(self._vault.log_of(day or self._vault.now().date()).text)

    @property
    def position(self) -> int:
        """The last line of its journal: `events` tells what comes after."""
        return self._vault.journal.tail().seq

    def events(self, *, after: int = 0) -> list[Event]:
        """Return what has happened since line *after* of the journal, in order."""
        return self._vault.journal.read(after=after) if self.position > after else []

    def settle(self) -> list[Sentence]:
        """Notice edits made by hand since, and finish what was interrupted."""
        return self._vault.settle()

    def check(self) -> list[Damage]:
        """Read the whole journal and return what is damaged in it."""
        return self._vault.journal.check()

    @cached_property
    def _back(self) -> LookingBack:
        from almario.becoming.looking_back import LookingBack

        return LookingBack(self._parts)

    def visit(self, door: str = "") -> None:
        """Note that the owner is here: the next time, what is new is told from now on.

        Who comes back within the hour is still here, and sees the same news.
        """
        self._back.visit(door)

    def news(self, *, limit: int = 20) -> News:
        """Return what was learned since the owner's visit before this one."""
        return self._back.news(limit)

    @property
    def days(self) -> Days:
        """What each day left behind: logs, summaries, reflections, snapshots, memories."""
        from almario.becoming.days import Days

        return Days(self._vault, self.memory)

    def undo(self, line: int = 0, *, actor: Actor = "owner") -> TakenBack:
        """Take back what a line of the journal did, if nothing followed it; 0: the latest change of memories.

        That is a change of memories, of a soul file, or a no to a proposal.
        """
        return self._back.undo(line, actor)

    def line_of(self, name: str) -> int:
        """Return the latest line of the journal that changed a soul file or answered a proposal; 0: none."""
        return self._back.line_of(name)

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
    def exporter(self) -> Exporter:
        """What writes exports: for other programs, or all of it in a form of our own."""
        return self._parts.exporter

    @property
    def relearning(self) -> Relearning:
        """What reads conversations again with the model of today."""
        return self._parts.relearning

    @property
    def models(self) -> Models:
        """The models that talk and learn; they are looked for when this is first asked."""
        return self._parts.models

    @property
    def model_names(self) -> ModelNames:
        """The names of the models that talk and learn."""
        from almario.ports import ModelNames

        talk, background, told, _ = self.models
        return ModelNames(talk.model if talk else "", background.model if background else "", told)

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

    def exam(
        self, questions: int = 20, *, since: date | None = None, ask: bool = False, again: bool = False
    ) -> Exam:
        """Ask what is known of memories, and mark what recall knows, misses or has wrong.

        A day asks the same all day long. *since* leaves out what was learned before; *ask* asks the agent
        itself, too; *again* asks what the last exam asked. No memory changes, and no words are kept.
        """
        return self._parts.examining.take(questions, since, ask=ask, again=again)

    @property
    def exams(self) -> Sequence[PastExam]:
        """The exams that were taken, oldest first: marks and ids."""
        return self._parts.examining.past()

    def plans(self, *, passed: int = 0) -> Sequence[Plan]:
        """Return what is planned, in the order of its days; also what was in the last *passed* days."""
        return self.memory.plans(passed=passed)

    def portrait(self, *, audience: Audience = OWNER_ALONE) -> Portrait:
        """Return what is known about the owner: sentences by theme, each with the memories it rests on."""
        return self._parts.portraits.page(audience=audience)

    def page(self, person: str, *, audience: Audience = OWNER_ALONE) -> Portrait:
        """Return the same about somebody; SoulError if nothing is known of them."""
        if not person.strip():
            raise SoulError("whose page? say a name")
        return self._parts.portraits.page(person, audience)

    def people(self, *, audience: Audience = OWNER_ALONE) -> Sequence[KnownPerson]:
        """Return whom memories speak of, the most frequent first, and whoever else has a page."""
        return self._parts.portraits.people(audience)

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
        watch = self._vault.watch(self.memory.settle)
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
        tools: Sequence[str] | None = (),
        explain: bool = False,
    ) -> Prompt:
        """Build the prompt for a message as the files and the memory are now.

        *recalled* is told as relevant in the place of what the memory finds by
        itself. Of a *session*, what the model sees of it anyway is left out, and what
        those present may not hear; *explain* counts that. *tools* are those that the model
        has, by name; None is all that there are in this mode.
        """
        from almario.conversation.prompting import PromptRequest

        if tools is None:
            tools = [tool.name for tool in self.tools.specs(mode, session=session)]
        request = PromptRequest(message, mode, recalled, blocks, tools, explain=explain)
        return self._parts.agent.prompt(request, session)

    def _need_versions(self) -> None:
        if not self._vault.versions.enabled:
            raise SoulError("versions are switched off; set versions.enabled = true")

    def _text_of(self, version: Version) -> str:
        return self._vault.versions.text(version.file, version.hash) if version.hash else ""


# Opens the agent that a command is about; it is closed when the command ends.
OpenSoul = Callable[[], Soul]
