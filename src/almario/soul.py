"""Soul: one agent's personality and memory, as a user of the library holds it."""

from collections.abc import Sequence
from datetime import date, tzinfo
from pathlib import Path

from almario.becoming.goals import Goals
from almario.conversation.prompting import PromptBuilder, PromptRequest
from almario.conversation.sections import Prompt
from almario.domain.documents.daily import LogEntry, parse_log
from almario.domain.documents.identity import identity_value
from almario.domain.memories import Memory
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, Damage, Hit, Recalled, Scope, Version, soul_file
from almario.domain.turns import Said, Turn
from almario.errors import SoulError
from almario.memory.admission import Receipt
from almario.memory.memory import Memories
from almario.memory.recall import Query
from almario.store.vault import Document, Vault
from almario.upkeep.watch import Watch, WatchSettings


class Soul:
    """An agent's files, goals, history and prompt behind one object; `almario.open` makes it."""

    def __init__(
        self,
        agent: str,
        vault: Vault,
        *,
        memory: Memories,
        prompts: PromptBuilder,
        goals: Goals,
        watch: WatchSettings | None = None,
        told: Sequence[Sentence] = (),
    ) -> None:
        self.id = agent
        self.memory = memory
        self.goals = goals
        self.told = tuple(told)
        self._vault = vault
        self._prompts = prompts
        self._watch = watch

    def __enter__(self) -> "Soul":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Bring MEMORY.md up to date; whoever opens the agent next does it otherwise."""
        self.memory.close()

    def __repr__(self) -> str:
        return f"Soul({self.id!r}, {str(self.path)!r})"

    @property
    def path(self) -> Path:
        return self._vault.root

    @property
    def zone(self) -> tzinfo:
        """The owner's time zone."""
        return self._vault.zone

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
        return self._vault.read(_named(file))

    def write(self, document: Document, text: str, *, reason: str = "", actor: str = "owner") -> None:
        """Put *text* in the place of a soul file as it was read; EditConflict if it changed since."""
        self._vault.write_soul(document, text, actor=actor, reason=reason or "written")

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
        from difflib import unified_diff  # noqa: PLC0415 - 9 ms that other commands need not pay

        history = self.history(file)
        name = soul_file(file)
        if not history:
            raise SoulError("{file} has no versions yet", file=name)
        after = self._vault.versions.find(name, new) if new else history[-1]
        before = self._vault.versions.find(name, old) if old else history[max(0, after.number - 2)]
        lines = unified_diff(
            _visible_lines(self._text_of(before)),
            _visible_lines(self._text_of(after)),
            f"{name} ({before.number})",
            f"{name} ({after.number})",
            lineterm="",
        )
        return "".join(line + "\n" for line in lines)

    def restore(self, file: str, version: str, *, actor: str = "owner") -> Version:
        """Put an earlier version back; what stood there stays in the history."""
        self._need_versions()
        return self._vault.restore(soul_file(file), version, actor=actor)

    def remember(
        self, text: str, value: str | None = None, *, kind: str = "", actor: str = "owner"
    ) -> Receipt:
        """Remember "key: value", a key and a value, or plain text; the receipt says what became of it."""
        return self.memory.remember(text, value, kind=kind, actor=actor)

    def forget(self, target: str, *, actor: str = "owner") -> list[Memory]:
        """Take out of use what an id or a key names; `memory.purge` erases it for good."""
        return self.memory.forget(target, actor=actor)

    def recall(
        self,
        question: str,
        *,
        limit: int = 5,
        min_score: float = 0.0,
        scope: Scope = Scope(),  # noqa: B008 - a constant
        mode: str = "",
        neighbours: int = 0,
        explain: bool = False,
    ) -> Recalled:
        """Return what is known about a question, best first."""
        query = Query(question, limit, min_score, scope, mode, neighbours, explain)
        return self.memory.recall(query)

    def append(self, session: str, turns: Sequence[Said]) -> Sequence[Turn]:
        """Add what was said to a session's transcript; when this returns, it survives a power cut."""
        return self.memory.append(session, turns)

    def watch(self) -> Watch:
        """Return a watch that takes in edits as they are made: `with soul.watch(): …`, or `start`, `stop`."""
        return Watch(self.path, lambda _: self.memory.settle(), self._watch)

    def log(self, text: str, *, actor: str = "owner") -> list[Sentence]:
        """Add a line to today's daily log, without its secrets; return what is worth telling."""
        hidden = self.memory.redacted(text)
        kinds = ", ".join(hidden.kinds)
        told = [Sentence("a secret was left out ({kinds})", kinds=kinds)] if kinds else []
        return told + self._vault.add_to_log(hidden.text, actor=actor)

    def log_of(self, day: date | None = None) -> list[LogEntry]:
        """Return the entries of a day's log; today's by default."""
        return parse_log(self._vault.log_of(day or self._vault.now().date()).text)

    def prompt(
        self,
        message: str = "",
        mode: str = "",
        *,
        recalled: Sequence[Hit] | None = None,
        blocks: Sequence[str] = (),
        tools: Sequence[str] = (),
    ) -> Prompt:
        """Build the prompt for a message as the files and the memory are now.

        *recalled* is told as relevant in the place of what the memory finds by itself.
        """
        return self._prompts.build(PromptRequest(message, mode, recalled, blocks, tools))

    def settle(self) -> list[Sentence]:
        """Notice edits made by hand since, and finish what was interrupted."""
        return self._vault.settle()

    def check(self) -> list[Damage]:
        """Read the whole journal and return what is damaged in it."""
        return self._vault.journal.check()

    def _need_versions(self) -> None:
        if not self._vault.versions.settings.enabled:
            raise SoulError("versions are switched off; set versions.enabled = true")

    def _text_of(self, version: Version) -> str:
        if version.hash is None:
            return ""
        return self._vault.versions.content(version.file, version.hash).decode("utf-8", "replace")


def _visible_lines(text: str) -> list[str]:
    """Return the lines of a text; a carriage return at the end of one is shown."""
    return [line.replace("\r", "␍") for line in text.removesuffix("\n").split("\n")]


def _named(file: str) -> str:
    try:
        return soul_file(file)
    except SoulError:
        return file
