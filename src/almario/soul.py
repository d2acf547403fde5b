"""Soul: one agent's personality and memory, as a user of the library holds it."""

from collections.abc import Callable, Sequence
from datetime import date, datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from almario.domain.audiences import OWNER_ALONE, Audience
from almario.domain.documents.daily import LogEntry, parse_log
from almario.domain.documents.document import Document
from almario.domain.documents.identity import identity_value
from almario.domain.events import Actor
from almario.domain.forgotten import Forgotten
from almario.domain.memories import AnyKind, Origin
from almario.domain.messages import Sentence
from almario.domain.model import (
    SOUL_FILES,
    Damage,
    Hit,
    Mode,
    Recalled,
    Scope,
    Version,
    any_file,
    check_question,
    soul_file,
)
from almario.domain.plain_text import difference
from almario.domain.turns import DEFAULT_SESSION, ORIGIN_OF, Role, Said, Turn, Whose
from almario.errors import SoulError
from almario.memory.admission import Receipt
from almario.memory.facade import Memories
from almario.memory.recall import Query
from almario.ports import Hear, Models, Store, Watching
from almario.text.redaction import is_only_a_mask

# Loaded when it is first used: most commands do not talk.
if TYPE_CHECKING:
    from almario.becoming.drift import Drifting
    from almario.becoming.goals import Goals
    from almario.becoming.improving import Improved, Improving
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.conversation.agent import Answer
    from almario.conversation.flush import Flushed
    from almario.conversation.learning import Learning
    from almario.conversation.presence import Presence
    from almario.conversation.prompt_sections import Prompt
    from almario.conversation.sessions import Sessions
    from almario.conversation.tidying import Tidying
    from almario.conversation.toolbox import Toolbox
    from almario.conversation.voice import Talk
    from almario.domain.plans import Plan
    from almario.upkeep.costs import Costs


class Parts(NamedTuple):
    """What a soul is made of besides its files and memory, each loaded when it is first asked for."""

    goals: "Callable[[], Goals]"
    proposals: "Callable[[], Proposals]"
    drift: "Callable[[], Drifting]"
    reflection: "Callable[[], Reflection]"
    talk: "Callable[[], Talk]"
    models: Callable[[], Models]
    costs: "Costs"


class Soul:
    """An agent's files, memory, goals and conversations behind one object; `almario.open` makes it."""

    def __init__(
        self,
        agent: str,
        vault: Store,
        memory: Memories,
        parts: Parts,
        *,
        told: Sequence[Sentence],
    ) -> None:
        self.id = agent
        self.memory = memory
        self.told = tuple(told)
        self._vault = vault
        self._parts = parts
        self._talking: Talk | None = None

    def __enter__(self) -> "Soul":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Bring MEMORY.md up to date; whoever opens the agent next does it otherwise.

        What is being learned in the background is left to the next opening.
        """
        if self._talking:
            self._talking.learning.close(0)
        self.memory.erase_taken_back()
        self.memory.close()

    def __repr__(self) -> str:
        return f"Soul({self.id!r}, {str(self.path)!r})"

    @property
    def path(self) -> Path:
        return Path(self._vault.place)

    @property
    def goals(self) -> "Goals":
        return self._parts.goals()

    @property
    def proposals(self) -> "Proposals":
        return self._parts.proposals()

    @property
    def drift(self) -> "Drifting":
        return self._parts.drift()

    @property
    def improving(self) -> "Improving":
        return self._talk.improving

    @property
    def reflection(self) -> "Reflection":
        return self._parts.reflection()

    @property
    def sessions(self) -> "Sessions":
        return self._talk.sessions

    @property
    def presence(self) -> "Presence":
        """Who has spoken where, and what they may hear."""
        return self._talk.presence

    @property
    def learning(self) -> "Learning":
        return self._talk.learning

    @property
    def tidying(self) -> "Tidying":
        return self._talk.tidying

    @property
    def costs(self) -> "Costs":
        return self._parts.costs

    @property
    def models(self) -> Models:
        """The models that talk and learn; they are looked for when this is first asked."""
        return self._parts.models()

    @property
    def zone(self) -> tzinfo:
        """The owner's time zone."""
        return self._vault.zone

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

    def remember(
        self, text: str, value: str | None = None, *, kind: AnyKind = "", replaces: str = ""
    ) -> Receipt:
        """Remember "key: value", a key and a value, or plain text; the receipt says what became of it.

        *replaces* is the id of the memory whose place it takes.
        """
        return self.memory.remember(text, value, kind=kind, replaces=replaces)

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
    ) -> Recalled:
        """Return what comes to mind about a question, best first; without *min_score*, what is worth showing.

        For a *session*, what is in sight there is left out, and what those present may not hear.
        """
        check_question(question, limit, min_score)
        hidden = {turn.id for turn in self.sessions.window(session).turns} if session else ()
        audience = self.audience(session) if session else OWNER_ALONE
        return self.memory.recall(
            Query(question, limit, min_score, scope, mode, neighbours, explain, frozenset(hidden), audience)
        )

    def plans(self, *, passed: int = 0) -> "Sequence[Plan]":
        """Return what is planned, in the order of its days; also what was in the last *passed* days."""
        return self.memory.plans(passed=passed)

    def audience(self, session: str, mode: Mode = "") -> Audience:
        """Return who hears what is told in a session: the owner alone, or others too."""
        return self._talk.agent.audience(session, mode)

    def improve(self, words: str) -> "Improved":
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
    ) -> "Answer":
        """Answer a message; *hear* gets the text as it comes, *pasted* are documents that came with it.

        It is the owner's unless its *origin* is "untrusted"; *speaker* is who said it, where several talk.
        LLMError: there is no answer, and what was said is kept.
        """
        from almario.conversation.agent import Incoming  # noqa: PLC0415 - only who talks needs it

        incoming = Incoming(session, message, origin, speaker, tuple(pasted), mode)
        return self._talk.agent.answer(incoming, hear)

    def append(self, session: str, role: Role, text: str, *, origin: Whose = "", speaker: str = "") -> Turn:
        """Keep what was said in a session; when this returns, it survives a power cut.

        Without *origin*, a user is the owner, a tool is not trusted, and an assistant
        is the agent unless the model has seen what is not trusted.
        """
        return self._talk.agent.append(session, Said(role, text, origin or ORIGIN_OF.get(role, ""), speaker))

    def off_record(self, session: str = DEFAULT_SESSION, *, off: bool = True) -> None:
        """Let all that is said in a session from now on be off the record; or, not *off*, on it again."""
        self._talk.discretion.switch(session, off=off)

    @property
    def tools(self) -> "Toolbox":
        """What a model may do, and what you let it do besides: `soul.tools.add(function)`."""
        from almario.conversation.toolbox import Toolbox  # noqa: PLC0415 - as above

        return Toolbox(self._talk.tools, self._talk.agent)

    def flush(self, session: str = "") -> "list[Flushed]":
        """Learn now from what was said in a session, or in all."""
        every = [session] if session else [view.session for view in self.sessions.all()]
        return [done for each in every for done in self._talk.flush.flush(each)]

    def end_session(self, session: str = DEFAULT_SESSION) -> "list[Flushed]":
        """Learn from a session, and begin it anew with the next message."""
        self.sessions.reset(session, "ended")
        return self.learning.end(session)

    def clear(self, session: str = DEFAULT_SESSION) -> str:
        """Learn from a session, keep its last messages as a file, and begin it anew; return the file."""
        self.learning.end(session)
        path = self._talk.snapshots.take(session, self.sessions.current(session))
        self.sessions.reset(session, "cleared")
        return path

    def watch(self) -> Watching:
        """Return a watch that takes in edits as they are made: `with soul.watch(): …`, or `start`, `stop`."""
        return self._vault.watch(lambda _: self.memory.settle())

    def log(self, text: str, *, actor: Actor = "owner") -> list[Sentence]:
        """Add a line to today's daily log, without its secrets; return what is worth telling.

        SoulError for a text that is nothing but a secret.
        """
        hidden = self.memory.redacted(text)
        kinds = ", ".join(hidden.kinds)
        if is_only_a_mask(hidden.text):
            raise SoulError("not written: it is nothing but a secret ({kinds})", kinds=kinds)
        told = [Sentence("a secret was left out ({kinds})", kinds=kinds)] if kinds else []
        return told + self._vault.add_to_log(hidden.text, actor=actor)

    def log_of(self, day: date | None = None) -> list[LogEntry]:
        """Return the entries of a day's log; today's by default."""
        return parse_log(self._vault.log_of(day or self._vault.now().date()).text)

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
    ) -> "Prompt":
        """Build the prompt for a message as the files and the memory are now.

        *recalled* is told as relevant in the place of what the memory finds by
        itself. Of a *session*, what the model sees of it anyway is left out, and what
        those present may not hear; *explain* counts that.
        """
        from almario.conversation.prompting import PromptRequest  # noqa: PLC0415 - as above

        request = PromptRequest(message, mode, recalled, blocks, tools, explain=explain)
        return self._talk.agent.prompt(request, session)

    def settle(self) -> list[Sentence]:
        """Notice edits made by hand since, and finish what was interrupted."""
        return self._vault.settle()

    def check(self) -> list[Damage]:
        """Read the whole journal and return what is damaged in it."""
        return self._vault.journal.check()

    @property
    def _talk(self) -> "Talk":
        self._talking = self._parts.talk()
        return self._talking

    def _need_versions(self) -> None:
        if not self._vault.versions.enabled:
            raise SoulError("versions are switched off; set versions.enabled = true")

    def _text_of(self, version: Version) -> str:
        return self._vault.versions.text(version.file, version.hash) if version.hash else ""


# Opens the agent that a command is about; it is closed when the command ends.
OpenSoul = Callable[[], Soul]
