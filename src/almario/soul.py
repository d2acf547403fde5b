"""Soul: one agent's personality and memory, as a user of the library holds it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.identity import identity_value
from almario.domain.events import Actor
from almario.domain.memories import AnyKind
from almario.domain.messages import Sentence
from almario.domain.model import IMPORTED, SOUL_FILES, Mode, Query, Scope, any_file, check_question, soul_file
from almario.domain.plain_text import difference
from almario.domain.turns import DEFAULT_SESSION, ORIGIN_OF, REF, Role, Utterance, Whose
from almario.domain.withheld import left_out, named_kinds
from almario.errors import EditConflict, SoulError
from almario.former_names import answering
from almario.ports import ModelNames

# Loaded when it is first used: most commands need little of it.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime, tzinfo
    from typing import Protocol

    from almario.becoming.days import Days
    from almario.becoming.goals import Goals
    from almario.becoming.improving import Improved, Improving
    from almario.becoming.looking_back import LookingBack, News, TakenBack
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.conversation.agent import Agent, Incoming
    from almario.conversation.companion import Companion
    from almario.conversation.flush import Flushed
    from almario.conversation.learning import Learning
    from almario.conversation.notebook import Unaided
    from almario.conversation.presence import Presence
    from almario.conversation.prompt_sections import Prompt
    from almario.conversation.replying import Answer, Heard
    from almario.conversation.sessions import Sessions
    from almario.conversation.tidying import Tidying
    from almario.conversation.toolbox import Toolbox
    from almario.conversation.voice import Voice
    from almario.domain.documents.document import Document
    from almario.domain.events import Event
    from almario.domain.forgotten import Forgotten
    from almario.domain.model import Damage, Hit, Recalled, Version
    from almario.domain.portrait import KnownPerson, Portrait
    from almario.domain.turns import Turn
    from almario.exporting.exporter import Exporter
    from almario.importing.importer import Importer
    from almario.memory.admission import Receipt
    from almario.memory.facade import Memories
    from almario.ports import Hear, ModelNames, Models, Store, Watching
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
        @property
        def exporter(self) -> Exporter: ...


class Soul:
    """An agent's files, memory, goals and conversations behind one object; `almario.open` makes it."""

    def __init__(self, agent: str, vault: Store, parts: Whole, *, notices: Sequence[Sentence]) -> None:
        self.id = agent
        self.notices = tuple(notices)
        self._vault = vault
        self._parts: Whole = parts
        self._watches: list[Watching] = []

    def __enter__(self) -> Soul:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Bring MEMORY.md up to date; whoever opens the agent next does it otherwise.

        A step of learning in the background is finished, unless it waits for a model; the rest is left to the
        next opening.
        """
        for watch in self._watches:
            watch.stop()
        if learning := self._parts.made("learning"):
            learning.close()
        if self._parts.made("memory"):
            self.memory.close()

    def __repr__(self) -> str:
        return f"Soul({self.id!r}, {self.place!r})"

    @property
    def place(self) -> str:
        """Where it is stored, for display."""
        return self._vault.place

    @property
    def folder(self) -> Path | None:
        """The folder it is stored in, if any."""
        return self._vault.folder

    @property
    def path(self) -> Path:
        """The folder it is stored in; SoulError if there is none."""
        if self.folder is None:
            raise SoulError("{id} is kept in a database and has no folder", id=self.id)
        return self.folder

    @property
    def zone(self) -> tzinfo:
        """The owner's time zone."""
        return self._vault.zone

    @property
    def today(self) -> date:
        """Today's date in the owner's time zone."""
        return self._vault.now().date()

    @property
    def since(self) -> datetime | None:
        """When its journal starts."""
        first = self._vault.journal.first()
        return first.at if first else None

    @property
    def name(self) -> str:
        """The agent's name, or its id if it has none."""
        return self.identity("name") or self.id

    def identity(self, field: str) -> str:
        """Return one field of IDENTITY.md, or an empty string."""
        return identity_value(self._vault.read("IDENTITY.md").text, field)

    def files(self) -> list[Document]:
        """Return the soul files that exist."""
        documents = [self._vault.read(name) for name in SOUL_FILES]
        return [document for document in documents if document.content is not None]

    def read(self, file: str, version: str = "") -> Document:
        """Read a soul file, or any other file of the vault by its path; of an import, what is in mind.

        *version* is one that a soul file had: its number, or the start of its hash.
        """
        if version:
            name = soul_file(file)
            self._need_versions()
            text = self._text_of(self._vault.versions.find(name, version))
            return self._vault.read(name)._replace(content=text.encode("utf-8", "surrogateescape"))
        document = self._vault.read(any_file(file))
        if f"/{IMPORTED}" not in document.name or document.content is None:
            return document
        from almario.conversation.file_reading import in_mind

        text = in_mind(document.name, document.raw, self.memory.out_of_mind())
        return document._replace(content=text.encode("utf-8", "surrogateescape"))

    def write(self, document: Document, text: str, *, reason: str = "", actor: Actor = "owner") -> None:
        """Replace a soul file's text; EditConflict if the file has changed since it was read."""
        self._vault.write_soul(document, text, actor=actor, reason=reason or Sentence("written"))

    def history(self, file: str) -> list[Version]:
        """Return every version of a soul file, oldest first, including the owner's own edits."""
        self._need_versions()
        self._vault.settle()
        return self._vault.versions.history(soul_file(file))

    def diff(self, file: str, old: str = "", new: str = "") -> str:
        """Return a unified diff of two versions; by default of the last two, or of *old* and the latest."""
        history = self.history(file)
        name = soul_file(file)
        if not history:
            raise SoulError("{file} has no versions yet", file=name)
        after = self._vault.versions.find(name, new) if new else history[-1]
        before = self._vault.versions.find(name, old) if old else history[max(0, after.number - 2)]
        names = (f"{name} ({before.number})", f"{name} ({after.number})")
        return difference(self._text_of(before), self._text_of(after), *names)

    def restore(self, file: str, version: str, *, actor: Actor = "owner") -> Version:
        """Restore an earlier version; the current one stays in the history."""
        self._need_versions()
        return self._vault.restore(soul_file(file), version, actor=actor)

    def prune(self, *, keep: int = 0, days: int = 0) -> int:
        """Let go of versions of soul files, as `versions.keep` and `versions.days` do; return how many."""
        self._need_versions()
        return self._vault.prune(keep=keep, days=days)

    def lock(self, file: str, section: str, *, locked: bool = True, actor: Actor = "owner") -> None:
        """Lock or unlock a section; no proposal can change a locked one."""
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
        """Add a line to today's log, with secrets masked; return notices for the user.

        SoulError for a text that is nothing but a secret.
        """
        from almario.text.redaction import is_only_a_mask

        hidden = self._parts.redact(text)
        if is_only_a_mask(hidden.whole):
            kinds = named_kinds(hidden.kinds)
            raise SoulError("not written: it is only a secret ({kinds})", kinds=kinds)
        return [*left_out(hidden.kinds, hidden.suspected), *self._vault.add_to_log(hidden.whole, actor=actor)]

    @property
    def position(self) -> int:
        """The last line of its journal; `events` returns what comes after it."""
        return self._vault.journal.tail().seq

    def events(self, *, after: int = 0) -> list[Event]:
        """Return the journal's events after line *after*, in order."""
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

        return LookingBack(self._vault, self.memory, lambda: self.proposals)

    def visit(self, door: str = "") -> None:
        """Record the owner's visit: the next `news` starts here.

        Coming back within the hour counts as the same visit, with the same news.
        """
        self._back.visit(door)

    def news(self, *, limit: int = 20) -> News:
        """Return what was learned since the owner's previous visit."""
        return self._back.news(limit)

    @property
    def days(self) -> Days:
        """What each day holds: logs, summaries, reflections, memories."""
        from almario.becoming.days import Days

        return Days(self._vault, self.memory)

    def undo(self, line: int = 0, *, actor: Actor = "owner", memories_only: bool = False) -> TakenBack:
        """Undo a line of the journal if nothing builds on it; 0 means the latest change.

        It may be a change of memories or of a soul file, or a rejected proposal.
        """
        return self._back.undo_of_memories(line, actor) if memories_only else self._back.undo(line, actor)

    def undoable(self, name: str = "") -> int:
        """Return the journal line that `undo` would take back by itself, or that last changed a soul file.

        *name* is that file's, or the id of a proposal: then it is the line that answered it. 0 is none.
        """
        return self._back.line_of(name) if name else self._back.last_undoable()

    @property
    def memory(self) -> Memories:
        return self._parts.memory

    def finish(self) -> Sequence[Sentence]:
        """Bring MEMORY.md up to date; return the notices since the last call."""
        return self.memory.finish() if self._parts.made("memory") else ()

    @property
    def goals(self) -> Goals:
        return self._parts.goals

    @property
    def proposals(self) -> Proposals:
        return self._parts.proposals

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
        """Who has spoken where, and what they may see."""
        return self._parts.presence

    @property
    def companion(self) -> Companion:
        """What the agent is to another program's model: who it is, what comes to mind, what it hears."""
        return self._parts.companion

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
        """Imports the exports of other programs."""
        return self._parts.importer

    @property
    def exporter(self) -> Exporter:
        """Exports everything as a zip, or the memories as lines of JSON."""
        return self._parts.exporter

    @property
    def models(self) -> Models:
        """The models that talk and learn; they are looked up on first use."""
        return self._parts.models

    @property
    def model_names(self) -> ModelNames:
        """The names of the models that talk and learn."""
        talk, background, notices, _ = self.models
        return ModelNames(talk.model if talk else "", background.model if background else "", notices)

    def remember(
        self,
        text: str,
        value: str | None = None,
        *,
        kind: AnyKind = "",
        replaces: str = "",
        place: str | None = None,
    ) -> Receipt:
        """Remember "key: value", a key and a value, or plain text; the receipt says what was stored.

        *replaces* is the id of the memory it replaces; *place* a project, `work` for every project, or empty
        for home.
        """
        return self.memory.remember(text, value, kind=kind, replaces=replaces, place=place)

    def forget(self, target: str, *, every: bool = False, actor: Actor = "owner") -> Forgotten:
        """Forget what an id, a key or words match, wherever it is mentioned; `memory.purge` erases it.

        Forgets one match, or *every* match; if several match, SoulError lists them.
        """
        meant = self.memory.meant(target)
        return self.memory.put_out_of_mind(meant.hits(every=every), actor=actor)

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
        unasked: bool = False,
    ) -> Recalled:
        """Return the memories relevant to a question, best first; *min_score* overrides the usual threshold.

        With a *session*, leave out what that session already shows and what its listeners may not see; an
        *audience* replaces those listeners. In a project, leave out what was told elsewhere, unless the
        *scope* includes it. *unasked* is what goes with a message: what a prompt tells, or a coding agent.
        """
        from almario.memory.telling import Listener

        check_question(question, limit, min_score)
        hidden = {turn.id for turn in self.sessions.window(session).turns} if session else ()
        if audience is None:
            audience = self.audience(session) if session else OWNER_ALONE
        if scope.project:
            audience = audience._replace(project="" if scope.project == "all" else scope.project)
        query = Query(question, scope, mode, frozenset(hidden), neighbours, explain)
        return self.memory.recall(query, Listener(audience, limit, min_score, has_asked=not unasked))

    def portrait(self, person: str = "") -> Portrait:
        """Return what is known about the owner: sentences, each with its evidence.

        Or about another *person*; SoulError if nothing is.
        """
        return self._parts.portraits.page(person)

    def people(self) -> Sequence[KnownPerson]:
        """Return the people who have a page, those that most memories speak of first."""
        return self._parts.portraits.people()

    def audience(self, session: str, mode: Mode = "") -> Audience:
        """Return a session's audience: the owner alone, or others too."""
        return self._parts.agent.audience(session, mode)

    def improve(self, words: str) -> Improved:
        """Turn a request for change into proposals for the right files; nothing changes yet."""
        return self.improving.improve(words)

    def talk(
        self,
        message: str,
        session: str = DEFAULT_SESSION,
        *,
        hear: Hear | None = None,
        mode: Mode = "",
        pasted: Sequence[str] = (),
        origin: Literal["owner", "untrusted"] = "owner",
        speaker: str = "",
        ref: str = "",
    ) -> Answer:
        """Answer a message; *hear* receives the text as it arrives, *pasted* are attached documents.

        It counts as the owner's unless *origin* is "untrusted"; *speaker* names its author in a group.
        A message sent again with the same *ref* is stored and answered once.
        On LLMError there is no answer, but the message is stored.
        """
        from almario.conversation.agent import Incoming as Message

        incoming = Message(session, message, origin, speaker, tuple(pasted), mode, ref)
        return self.answer(incoming, hear)

    def answer(self, incoming: Incoming, hear: Hear | None = None) -> Answer:
        """Answer anybody, as `talk` does; kept from version 0.1."""
        from almario.conversation.replying import answered

        return answered(self._parts.agent, incoming, hear)

    def hear(self, incoming: Incoming, tools: Sequence[str] = ()) -> Heard:
        """Store a message that your own model will answer, carry out its requests, and return the prompt."""
        from almario.conversation.replying import heard

        return heard(self._parts.agent, incoming, tools)

    def unaided(self, message: str) -> Unaided:
        """Return what comes to mind for the owner's message, which was kept and no model answers."""
        from almario.text.forms import besides

        rest = besides(self._parts.agent.uncalled(message))
        return self._parts.notebook.answer(rest, OWNER_ALONE)

    def append(
        self, session: str, role: Role, text: str, *, origin: Whose = "", speaker: str = "", ref: str = ""
    ) -> Turn:
        """Append a turn to a session; once this returns, it survives a power cut.

        Without *origin*, a user is the owner, a tool is not trusted, and an assistant
        is the agent unless the model has seen what is not trusted. What comes again with the same *ref* is
        kept once: whoever does not know whether it arrived can send it once more.
        """
        utterance = Utterance(
            role, text, origin or ORIGIN_OF.get(role, ""), speaker, more={REF: ref} if ref else {}
        )
        if role == "assistant":
            self._parts.discretion.beware(session, self.sessions.current(session))
        return self._parts.agent.append(session, utterance)

    def off_record(self, session: str = DEFAULT_SESSION, *, off: bool = True) -> None:
        """Take a session off the record from now on; with *off* false, put it back on."""
        self._parts.discretion.switch(session, off=off)

    def put_back(self, session: str = DEFAULT_SESSION) -> list[Turn]:
        """Bring back and return what was last taken off the record in a session."""
        return self._parts.discretion.put_back(session)

    @property
    def tools(self) -> Toolbox:
        """The model's tools; add your own with `soul.tools.add(function)`."""
        from almario.conversation.toolbox import Toolbox

        return Toolbox(self._parts.agent)

    def flush(self, session: str = "") -> list[Flushed]:
        """Learn now from one session, or from all."""
        every = [session] if session else [view.session for view in self.sessions.list()]
        return [done for each in every for done in self._parts.flush.flush(each)]

    def end_session(self, session: str = DEFAULT_SESSION, *, clear: bool = False) -> list[Flushed]:
        """Learn from a session, and start afresh with the next message.

        With *clear*, what was said and learned from comes only on request; its last messages stay in a file.
        """
        learned = self.learning.end(session) if clear else None
        if clear:
            self.snapshot(session)
        self.sessions.reset(session, "cleared" if clear else "ended")
        return self.learning.end(session) if learned is None else learned

    def snapshot(self, session: str = DEFAULT_SESSION, *, ask: bool = True) -> str:
        """Keep the last fifteen messages of a session in a file; return its path, or nothing without any.

        A model is *asked* for its name, else that is the first words.
        """
        with suppress(EditConflict):  # something was erased meanwhile: nothing is kept
            return self._parts.snapshots.take(session, self.sessions.current(session), ask=ask)
        return ""

    def watch(self) -> Watching:
        """Pick up edits as they are made, until the watch is stopped: `with soul.watch(): …`, or `stop`."""
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
        """Build the prompt for a message from the current files and memory.

        *recalled* replaces the memories that would be found automatically. With a *session*,
        leave out what the model sees of it anyway and what its listeners may not see;
        *explain* counts those. *tools* are those that the model
        has, by name; None is all that there are in this mode.
        """
        from almario.conversation.prompting import PromptRequest

        if tools is None:
            tools = [tool.name for tool in self.tools.specs(mode, session=session)]
        request = PromptRequest(message, mode, recalled, blocks, tools, explain=explain)
        return self._parts.agent.prompt(request, session)

    if not TYPE_CHECKING:
        __getattr__ = answering("")

    def _need_versions(self) -> None:
        if not self._vault.versions.enabled:
            raise SoulError("versions are switched off; set versions.enabled = true")

    def _text_of(self, version: Version) -> str:
        return self._vault.versions.text(version.file, version.hash) if version.hash else ""


# Opens the agent that a command is about; it is closed when the command ends.
OpenSoul = Callable[[], Soul]
