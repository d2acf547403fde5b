"""The agent's goals: one list in GOALS.md, changed one goal at a time, or by an agent in one go."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, get_args

from almario.becoming.rules import goal_changes as changes
from almario.becoming.settings import GoalSettings
from almario.domain.documents.document import Document
from almario.domain.documents.goal_list import (
    PRIORITIES,
    Goal,
    GoalAction,
    GoalState,
    GoalUpdate,
    active_goals,
    find_goal,
    parse_goals,
)
from almario.domain.events import Actor, Cause, Filing
from almario.domain.memories import same_value
from almario.domain.messages import Sentence, Words, say, sentence_of
from almario.errors import Damaged, EditConflict, SoulError
from almario.former_names import answering
from almario.named_tuples import NamedTuple
from almario.ports import Store

FILE = "GOALS.md"
ARCHIVE = "memory/archive/goals.md"
# What can be done with a goal, and how the history says it.
_DONE = {
    "add": "goal added: {goal}",
    "start": "goal started: {goal}",
    "note": "goal noted: {goal}",
    "complete": "goal completed: {goal}",
    "reopen": "goal reopened: {goal}",
    "reprioritise": "goal reprioritised: {goal}",
    "drop": "goal dropped: {goal}",
}
# What brings a goal into a state.
_ACTIONS: Mapping[GoalState, GoalAction] = {
    "started": "start",
    "done": "complete",
    "open": "reopen",
    "dropped": "drop",
}
ACTIONS: tuple[GoalAction, ...] = get_args(GoalAction)
# What an agent may do unasked: nothing of the owner's is lost by it.
UNASKED = ("add", "start", "note", "complete")
# Somebody else may be changing the list at the same time.
_TRIES = 5
# After so many days without movement the agent asks about a goal.
PATIENCE = 14
_EMPTY = "# Goals\n\n## Active Goals\n\n## Completed\n"


class Stale(NamedTuple):
    """An active goal of which nothing has changed *since* a day, so many *days* ago."""

    goal: Goal
    since: date
    days: int


class Goals:
    """Lists and changes goals; each change is a version of GOALS.md and can be restored.

    *redact* takes secrets out of what is written; what the owner writes into GOALS.md by hand stays there.
    """

    def __init__(
        self,
        vault: Store,
        settings: GoalSettings | None = None,
        *,
        language: str = "en",
        redact: Callable[[str], str] = str,
    ) -> None:
        self._vault = vault
        self._redact = redact
        self._settings = settings or GoalSettings()
        self._language = language
        # What was last found stale, and for which list on which day.
        self._known: tuple[object, list[Stale]] = (None, [])

    def list(self) -> Sequence[Goal]:
        """Return all goals in GOALS.md, active ones first."""
        return parse_goals(self._vault.read(FILE).text)

    def get(self, wanted: str) -> Goal:
        """Return the goal with this number, or the only one containing these words."""
        return find_goal(self._vault.read(FILE).text, wanted)

    def add(self, text: str, *, priority: str = "medium") -> None:
        """Add a goal at the end of the active ones."""
        self.do(GoalUpdate("add", text, priority=priority))

    def change(self, wanted: str, *, state: GoalState = "", note: str = "", priority: str = "") -> None:
        """Change a goal: its *priority*, its *state* (what is "done" can be "open" again), or add a note.

        One that is done has its *note* as its outcome; one that is "dropped" leaves the list.
        """
        if not (state or note or priority):
            raise SoulError("nothing would change")
        if note and state != "done":
            self.do(GoalUpdate("note", wanted, note))
        if priority and state != "open":
            self.do(GoalUpdate("reprioritise", wanted, priority=priority))
        if state:  # last: its number changes with its place
            self.do(GoalUpdate(_ACTIONS[state], wanted, note, priority or "medium"))

    if not TYPE_CHECKING:
        __getattr__ = answering("goals")

    def do(self, update: GoalUpdate, *, actor: Actor = "owner") -> None:
        """Make one change; should the list change meanwhile, its goal is found again by its text."""
        update = self._fit_to_keep(update)

        def edit(goals: str) -> tuple[str, Cause]:
            nonlocal update
            named = _named(goals, update)
            edited = self._edited(goals, update)
            update = named
            return edited, Cause(_sentence_of(named))

        self._write(edit, actor)

    def apply(
        self, updates: Sequence[GoalUpdate], *, reflection: str, line: int | None = None
    ) -> Sequence[Sentence]:
        """Make a reflection's changes, as one version of GOALS.md; return what became of each.

        A goal that is added stands there as proposed. What cannot be done is
        told and left out. A *reflection* changes goals once: if there is a version of
        it, nothing is done, and what was told then is told again. EditConflict
        if a purge began after a *line* of the journal.
        """
        before = self._before(reflection)
        text = self._vault.read(FILE).text if before is None else before
        named = [_if_known(text, self._without_secrets(update)) for update in updates]
        notices: list[Sentence] = []

        def edit(there: str) -> tuple[str, Cause]:
            notices.clear()
            done = []
            before = self._before(reflection)
            goals = there if before is None else before
            for update in named:
                try:
                    goals = self._unasked(goals, update)
                except SoulError as exc:
                    left_out = 'left out, "{goal}": {why}'
                    notices.append(Sentence(left_out, goal=Words(update.goal), why=sentence_of(exc)))
                else:
                    notices.append(_sentence_of(update._replace(evidence=())))
                    done.append(_sentence_of(update))
            reason = Sentence("reflection {id}: {done}", id=reflection, done=tuple(done))
            return goals if before is None else there, Cause(reason, reflection=reflection)

        self._write(edit, "agent", line)
        return notices

    def stale(self, now: datetime | None = None) -> Sequence[Stale]:
        """Return the active goals without progress for `PATIENCE` days.

        This is read from the file's versions: without them, no goal is stale.
        """
        versions = self._vault.versions
        if not versions.enabled:
            return []
        today = (now or self._vault.now()).astimezone(self._vault.zone).date()
        goals = self._vault.read(FILE)
        state = (goals.hash, len(versions.history(FILE)), today)
        if self._known[0] != state:
            found = [Stale(goal, since, (today - since).days) for goal, since in self._unmoved(goals)]
            self._known = (state, [stale for stale in found if stale.days >= PATIENCE])
        return list(self._known[1])

    def _unmoved(self, goals: Document) -> Sequence[tuple[Goal, date]]:
        """Return each active goal with the day since which every version that is kept has it as it is."""
        active = active_goals(goals.text)
        since: dict[str, date] = {}
        left = set(active)
        for version in reversed(self._vault.versions.history(FILE)):
            content = None
            try:
                if version.hash:
                    content = self._vault.versions.content(FILE, version.hash)
                left &= active_goals(Document(FILE, content).text).keys()
            except (SoulError, Damaged):  # not kept any more, or unreadable: it says nothing
                continue
            if not left:
                break
            since |= dict.fromkeys(left, version.at.astimezone(self._vault.zone).date())
        return [(goal, since[text]) for text, goal in active.items() if text in since]

    def _before(self, reflection: str) -> str | None:
        versions = self._vault.versions
        history = versions.history(FILE)
        for earlier, each in pairwise([None, *history]):
            if each and each.reflection == reflection:
                kept = earlier.hash if earlier and earlier.kept else None
                return versions.text(FILE, kept) if kept else ""
        return None

    def _unasked(self, goals: str, update: GoalUpdate) -> str:
        """Return the list with one of an agent's own changes; SoulError says why it cannot be made."""
        action, goal, text = update[:3]
        if action not in UNASKED:
            raise SoulError("only your human can do that")
        if action == "add":
            known = [each for each in parse_goals(goals) if same_value(each.text) == same_value(goal)]
            if known:
                raise SoulError('"{goal}" is already on the list', goal=known[0].text)
            return self._edited(goals, update, status=say(self._language, "proposed"))
        if action == "note" and " ".join(text.split()) in find_goal(goals, goal).notes:
            raise SoulError("that is already noted")
        return self._edited(goals, update)

    def _fit_to_keep(self, update: GoalUpdate) -> GoalUpdate:
        """Return a change without the secrets in its words; SoulError if one of them is nothing else."""
        from almario.text.redaction import is_only_a_mask  # noqa: PLC0415 - only for changes

        clean = self._without_secrets(update)
        if any(map(is_only_a_mask, (clean.goal, clean.text))):
            raise SoulError("not written: it is only a secret")
        return clean

    def _without_secrets(self, update: GoalUpdate) -> GoalUpdate:
        """Return a change without the secrets in what it writes; a goal that is there is named as it is."""
        goal = self._redact(update.goal) if update.action == "add" else update.goal
        return update._replace(goal=goal, text=self._redact(update.text))

    def _edited(self, goals: str, update: GoalUpdate, *, status: str = "") -> str:
        action, goal, text, priority, _ = update
        if priority not in PRIORITIES:
            raise SoulError('"{priority}" is not a priority; use high, medium or low', priority=priority)
        edits: dict[str, Callable[[], str]] = {
            "add": lambda: changes.add_goal(goals, goal, priority=priority, status=status),
            "start": lambda: changes.set_status(goals, goal, say(self._language, "in progress")),
            "note": lambda: changes.add_note(goals, goal, text),
            "complete": lambda: changes.complete_goal(goals, goal, day=self._today(), outcome=text),
            "reopen": lambda: changes.reopen_goal(goals, goal, priority=priority),
            "reprioritise": lambda: changes.set_priority(goals, goal, priority),
            "drop": lambda: changes.drop_goal(goals, goal),
        }
        if action not in edits:
            raise SoulError(
                '"{action}" cannot be done with a goal; use {actions}',
                action=action,
                actions=", ".join(ACTIONS),
            )
        return edits[action]()

    def _today(self) -> date:
        return self._vault.now().date()

    def _write(self, edit: Callable[[str], tuple[str, Cause]], actor: Actor, line: int | None = None) -> None:
        """Write GOALS.md as *edit* makes it, for the reason it gives, and what moves out to the archive."""
        for tries_left in reversed(range(_TRIES)):
            before = self._vault.read(FILE)
            after, cause = edit(before.text or _EMPTY)
            reason = cause._replace(reason=cause.reason.changed(self._redact))
            if after == (before.text or _EMPTY):
                return
            after, old = changes.without_old_goals(after, self._settings.keep_completed)
            owed = Filing(ARCHIVE, old) if old else None
            try:
                self._vault.write_soul(before, after, actor=actor, reason=reason, owed=owed, line=line)
            except EditConflict:
                if not tries_left:
                    raise
            else:
                return


def _named(goals: str, update: GoalUpdate) -> GoalUpdate:
    """Name a change's goal by its whole text, which stays when numbers move."""
    is_new = update.action == "add"
    text = " ".join(update.goal.split()) if is_new else find_goal(goals, update.goal).text
    return update._replace(goal=text)


def _if_known(goals: str, update: GoalUpdate) -> GoalUpdate:
    try:
        return _named(goals, update)
    except SoulError:  # one that another change adds, or none
        return update


def _sentence_of(update: GoalUpdate) -> Sentence:
    done = Sentence(_DONE[update.action], goal=Words(update.goal))
    if not update.evidence:
        return done
    return Sentence("{done} [{evidence}]", done=done, evidence=", ".join(update.evidence))
