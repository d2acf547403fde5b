"""The agent's goals: one list in GOALS.md, changed one goal at a time."""

from collections.abc import Callable

from almario.becoming.settings import GoalSettings
from almario.domain.documents import goal_changes as changes
from almario.domain.documents.goals import PRIORITIES, Goal, find_goal, parse_goals
from almario.domain.events import Filing
from almario.domain.messages import say
from almario.errors import EditConflict, SoulError
from almario.store.vault import Vault

FILE = "GOALS.md"
ARCHIVE = "memory/archive/goals.md"
# Somebody else may be changing the list at the same time.
_TRIES = 5
_EMPTY = "# Goals\n\n## Active Goals\n\n## Completed\n"


class Goals:
    """Lists and changes goals; each change is a version of GOALS.md and can be restored."""

    def __init__(self, vault: Vault, settings: GoalSettings | None = None, *, language: str = "en") -> None:
        self._vault = vault
        self._settings = settings or GoalSettings()
        self._language = language

    def all(self) -> list[Goal]:
        """Return all the goals in GOALS.md, the active ones first."""
        return parse_goals(self._vault.read(FILE).text)

    def find(self, wanted: str) -> Goal:
        """Return the goal with that number, or the only one with those words."""
        return find_goal(self._vault.read(FILE).text, wanted)

    def add(self, text: str, *, priority: str = "medium", actor: str = "owner") -> None:
        """Add a goal at the end of the active ones."""
        _check_priority(priority)
        words = " ".join(text.split())
        self._write(
            lambda goals: (changes.add_goal(goals, text, priority=priority), words), "goal added", actor
        )

    def start(self, wanted: str, *, actor: str = "owner") -> None:
        """Mark a goal as in progress."""
        status = say(self._language, "in progress")
        self._change(
            wanted, lambda goals, goal: changes.set_status(goals, goal, status), "goal started", actor
        )

    def note(self, wanted: str, note: str, *, actor: str = "owner") -> None:
        """Add a note to a goal."""
        self._change(wanted, lambda goals, goal: changes.add_note(goals, goal, note), "goal noted", actor)

    def complete(self, wanted: str, *, outcome: str = "", actor: str = "owner") -> None:
        """Tick a goal off, today."""
        day = self._vault.now().date()

        def edit(goals: str, goal: str) -> str:
            return changes.complete_goal(goals, goal, day=day, outcome=outcome)

        self._change(wanted, edit, "goal completed", actor)

    def reopen(self, wanted: str, *, priority: str = "medium", actor: str = "owner") -> None:
        """Make a completed goal active again."""
        _check_priority(priority)

        def edit(goals: str, goal: str) -> str:
            return changes.reopen_goal(goals, goal, priority=priority)

        self._change(wanted, edit, "goal reopened", actor)

    def reprioritise(self, wanted: str, priority: str, *, actor: str = "owner") -> None:
        """Change how much a goal matters."""
        _check_priority(priority)

        def edit(goals: str, goal: str) -> str:
            return changes.set_priority(goals, goal, priority)

        self._change(wanted, edit, "goal reprioritised", actor)

    def drop(self, wanted: str, *, actor: str = "owner") -> None:
        """Take a goal off the list."""
        self._change(wanted, changes.drop_goal, "goal dropped", actor)

    def _change(self, wanted: str, edit: Callable[[str, str], str], verb: str, actor: str) -> None:
        """Change one goal; should the list change meanwhile, it is found again by its text."""

        def edit_wanted(goals: str) -> tuple[str, str]:
            nonlocal wanted
            goal = find_goal(goals, wanted)
            edited = edit(goals, wanted)
            wanted = goal.text
            return edited, goal.text

        self._write(edit_wanted, verb, actor)

    def _write(self, edit: Callable[[str], tuple[str, str]], verb: str, actor: str) -> None:
        """Write GOALS.md as *edit* makes it, and what moves out of it to the archive."""
        for tries_left in reversed(range(_TRIES)):
            before = self._vault.read(FILE)
            after, goal = edit(before.text or _EMPTY)
            after, old = changes.without_old_goals(after, self._settings.keep_completed)
            owed = Filing(ARCHIVE, old) if old else None
            try:
                self._vault.write_soul(before, after, actor=actor, reason=f"{verb}: {goal}", owed=owed)
            except EditConflict:
                if not tries_left:
                    raise
            else:
                return


def _check_priority(priority: str) -> None:
    if priority not in PRIORITIES:
        raise SoulError('"{priority}" is not a priority; use high, medium or low', priority=priority)
