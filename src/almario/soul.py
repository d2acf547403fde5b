"""Soul: one agent's personality and memory, as a user of the library holds it."""

from collections.abc import Sequence
from datetime import date, tzinfo
from pathlib import Path

from almario.becoming.goals import Goals
from almario.conversation.prompting import PromptBuilder, PromptRequest
from almario.conversation.sections import Prompt
from almario.domain.documents.daily import LogEntry, parse_log
from almario.domain.documents.identity import identity_value
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, Damage, Hit, Version, soul_file
from almario.errors import SoulError
from almario.store.vault import Document, Vault


class Soul:
    """An agent's files, goals, history and prompt behind one object; `almario.open` makes it."""

    def __init__(
        self, agent: str, vault: Vault, *, prompts: PromptBuilder, goals: Goals, told: Sequence[Sentence] = ()
    ) -> None:
        self.id = agent
        self.goals = goals
        self.told = tuple(told)
        self._vault = vault
        self._prompts = prompts

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

    def log(self, text: str, *, actor: str = "owner") -> list[Sentence]:
        """Add a line to today's daily log; return what is worth telling."""
        return self._vault.add_to_log(text, actor=actor)

    def log_of(self, day: date | None = None) -> list[LogEntry]:
        """Return the entries of a day's log; today's by default."""
        return parse_log(self._vault.log_of(day or self._vault.now().date()).text)

    def prompt(
        self,
        message: str = "",
        mode: str = "",
        *,
        recalled: Sequence[Hit] = (),
        blocks: Sequence[str] = (),
        tools: Sequence[str] = (),
    ) -> Prompt:
        """Build the prompt for a message from the files as they are now."""
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
