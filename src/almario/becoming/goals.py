"""The agent's goals: one list in GOALS.md, changed one goal at a time."""

from collections.abc import Callable
from dataclasses import dataclass

from almario.domain.documents import goals as document
from almario.domain.documents.goals import PRIORITIES, Goal
from almario.domain.messages import say
from almario.domain.options import option
from almario.errors import SoulError
from almario.store.vault import Vault

FILE = "GOALS.md"
_EMPTY = "# Goals\n\n## Active Goals\n\n## Completed\n"


@dataclass(frozen=True, slots=True)
class GoalSettings:
    keep_completed: int = option(10, "How many completed goals stay in GOALS.md.", low=0, high=10_000)


class Goals:
    """Lists and changes goals; each change is a version of GOALS.md and can be restored."""

    def __init__(self, vault: Vault, settings: GoalSettings | None = None, *, language: str = "en") -> None:
        self._vault = vault
        self._settings = settings or GoalSettings()
        self._language = language

    def all(self) -> list[Goal]:
        """Return all the goals in GOALS.md, the active ones first."""
        return document.parse_goals(self._vault.read(FILE).text)

    def find(self, wanted: str) -> Goal:
        """Return the goal with that number, or the only one with those words."""
        return document.find_goal(self._vault.read(FILE).text, wanted)

    def add(self, text: str, *, priority: str = "medium", actor: str = "owner") -> None:
        _check_priority(priority)
        self._change(
            lambda goals: document.add_goal(goals, text, priority=priority), f"goal added: {text}", actor
        )

    def start(self, wanted: str, *, actor: str = "owner") -> None:
        """Mark a goal as in progress."""
        status = say(self._language, "in progress")
        reason = f"goal started: {self.find(wanted).text}"
        self._change(lambda goals: document.set_status(goals, wanted, status), reason, actor)

    def note(self, wanted: str, note: str, *, actor: str = "owner") -> None:
        reason = f"goal noted: {self.find(wanted).text}"
        self._change(lambda goals: document.add_note(goals, wanted, note), reason, actor)

    def complete(self, wanted: str, *, outcome: str = "", actor: str = "owner") -> None:
        day = self._vault.now().date()
        reason = f"goal completed: {self.find(wanted).text}"
        self._change(
            lambda goals: document.complete_goal(goals, wanted, day=day, outcome=outcome), reason, actor
        )

    def reopen(self, wanted: str, *, priority: str = "medium", actor: str = "owner") -> None:
        _check_priority(priority)
        reason = f"goal reopened: {self.find(wanted).text}"
        self._change(lambda goals: document.reopen_goal(goals, wanted, priority=priority), reason, actor)

    def reprioritise(self, wanted: str, priority: str, *, actor: str = "owner") -> None:
        _check_priority(priority)
        reason = f"goal reprioritised: {self.find(wanted).text}"
        self._change(lambda goals: document.set_priority(goals, wanted, priority), reason, actor)

    def drop(self, wanted: str, *, actor: str = "owner") -> None:
        reason = f"goal dropped: {self.find(wanted).text}"
        self._change(lambda goals: document.drop_goal(goals, wanted), reason, actor)

    def _change(self, edit: Callable[[str], str], reason: str, actor: str) -> None:
        """Write GOALS.md as *edit* makes it; what moves out is in the archive first."""
        before = self._vault.read(FILE)
        after, old = document.without_old_goals(edit(before.text or _EMPTY), self._settings.keep_completed)
        if old:
            self._vault.archive("goals.md", old)
        self._vault.write_soul(
            FILE, after, expected=before.hash, actor=actor, reason=" ".join(reason.split())
        )


def _check_priority(priority: str) -> None:
    if priority not in PRIORITIES:
        raise SoulError('"{priority}" is not a priority; use high, medium or low', priority=priority)
