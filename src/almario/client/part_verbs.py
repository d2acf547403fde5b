"""The verbs of what hangs on a `Soul`: goals, proposals, sessions, drift, costs, tools; asked of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from almario.client.calls import Call, Steps, done, named, one, pages
from almario.client.from_json import read
from almario.client.verbs import Face, Part, verb
from almario.domain.memories import Origin
from almario.domain.model import Mode
from almario.domain.turns import Turn

# What a value is of is loaded when it is first given.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

    from almario.becoming.goals import Stale
    from almario.becoming.rules.distance import Point
    from almario.conversation.sessions import SessionView
    from almario.conversation.tool_calls import Done
    from almario.domain.documents.goal_list import Goal
    from almario.domain.proposal import Proposal
    from almario.domain.soul_events import Drift
    from almario.domain.talk import ToolSpec
    from almario.upkeep.rules.costs import Report, Spent

    # A class with a verb called `list` cannot name the type by that word.
    Made = list[Proposal]


# So many days of costs can be asked for.
_LONGEST = 3660


class RemoteGoals(Part[Face]):
    """Lists and changes goals that are elsewhere."""

    @verb
    def all(self) -> Steps[list[Goal]]:
        """Return all the goals in GOALS.md, the active ones first."""
        from almario.domain.documents.goal_list import Goal

        return one(list[Goal], Call("GET", "/goals"))

    @verb
    def find(self, wanted: str) -> Steps[Goal]:
        """Return the goal with that number, or the only one with those words."""
        from almario.domain.documents.goal_list import find_goal

        said = yield Call("GET", "/files/GOALS.md")
        return find_goal(said["text"], wanted)

    @verb
    def stale(self) -> Steps[list[Stale]]:
        """Return the active goals without movement for as many days as the settings say."""
        from almario.becoming.goals import Stale

        said = yield Call("GET", "/goals")
        told = [{"goal": goal, "since": goal["stale_since"], "days": goal["stale_days"]} for goal in said]
        return read(list[Stale], [each for each in told if each["since"]])

    @verb
    def add(self, text: str, *, priority: str = "medium") -> Steps[None]:
        """Add a goal at the end of the active ones."""
        return done(Call("POST", "/goals", {"text": text, "priority": priority}))

    @verb
    def start(self, wanted: str) -> Steps[None]:
        """Mark a goal as in progress."""
        return _change(wanted, action="start")

    @verb
    def note(self, wanted: str, note: str) -> Steps[None]:
        """Add a note to a goal."""
        return _change(wanted, action="note", text=note)

    @verb
    def complete(self, wanted: str, *, outcome: str = "") -> Steps[None]:
        """Tick a goal off, today."""
        return _change(wanted, action="complete", text=outcome)

    @verb
    def reopen(self, wanted: str, *, priority: str = "medium") -> Steps[None]:
        """Reopen a completed goal."""
        return _change(wanted, action="reopen", priority=priority)

    @verb
    def reprioritise(self, wanted: str, priority: str) -> Steps[None]:
        """Change a goal's priority."""
        return _change(wanted, action="priority", priority=priority)

    @verb
    def drop(self, wanted: str) -> Steps[None]:
        """Take a goal off the list."""
        return _change(wanted, action="drop")


def _change(goal: str, **body: str) -> Steps[None]:
    return done(Call("PATCH", f"/goals/{named(goal)}", body))


class RemoteProposals(Part[Face]):
    """Makes, lists, accepts and rejects proposals elsewhere."""

    @verb
    def propose(
        self, file: str, text: str, *, reason: str, evidence: Sequence[str] = (), origin: Origin = "agent"
    ) -> Steps[Proposal]:
        """Propose a new text for a soul file; if the same is proposed already, return that."""
        why = {"reason": reason, "evidence": evidence, "origin": origin}
        return _proposal(Call("POST", "/proposals", {"file": file, "text": text, **why}))

    @verb
    def list(self, *, every: bool = False) -> Steps[Made]:
        """Return the proposals that wait for an answer, oldest first; *every* one on request."""
        from almario.domain.proposal import Proposal

        return pages(Proposal, "/proposals", every=every)

    @verb
    def get(self, wanted: str) -> Steps[Proposal]:
        """Return the proposal with that id, or that beginning of one, whatever its state."""
        return _proposal(Call("GET", f"/proposals/{named(wanted)}"))

    @verb
    def accept(self, wanted: str) -> Steps[Proposal]:
        """Do what is proposed; EditConflict if it does not fit any more into the file as it is."""
        return _proposal(Call("POST", f"/proposals/{named(wanted)}/accept"))

    @verb
    def reject(self, wanted: str, why: str = "") -> Steps[Proposal]:
        """Answer a proposal with no."""
        return _proposal(Call("POST", f"/proposals/{named(wanted)}/reject", {"why": why}))

    @verb
    def rewrite(self, wanted: str, text: str, *, base: str | None = None) -> Steps[Proposal]:
        """Put the owner's wording in the place of what an open proposal wants; SoulError if it may not be.

        With *base*, the file's text as it was when the owner began, what has changed in it since stays.
        """
        return _proposal(Call("POST", f"/proposals/{named(wanted)}/rewrite", {"text": text, "base": base}))


def _proposal(call: Call) -> Steps[Proposal]:
    from almario.domain.proposal import Proposal

    return one(Proposal, call)


class RemoteSessions(Part[Face]):
    """The conversations of an agent that is elsewhere."""

    @verb
    def all(self) -> Steps[list[SessionView]]:
        """Return the sessions, the one that was last spoken in first."""
        from almario.conversation.sessions import SessionView

        return one(list[SessionView], Call("GET", "/sessions"))

    @verb
    def view(self, session: str) -> Steps[SessionView]:
        """Return one session at a glance."""
        from almario.conversation.sessions import SessionView

        return one(SessionView, Call("GET", "/sessions/view", query={"session": session}))

    @verb
    def turns(self, session: str, *, last: int = 0) -> Steps[list[Turn]]:
        """Return what was said in a session, archived turns too, in order; or only the *last* of it."""
        said = yield from pages(Turn, "/turns", session=session)
        return said[-last:] if last else said


class RemoteDrift(Part[Face]):
    """How far a soul that is elsewhere has come."""

    @verb
    def measure(self, file: str, text: str) -> Steps[Drift | None]:
        """Return how far the soul would be with that text in a file."""
        from almario.domain.soul_events import Drift

        said = yield Call("POST", "/drift/measure", {"file": file, "text": text}, is_safe=True)
        return read(Drift, said["drift"]) if said["drift"] else None

    @verb
    def now(self) -> Steps[Drift | None]:
        """Return the drift of the soul as it is."""
        from almario.domain.soul_events import Drift

        said = yield Call("GET", "/drift")
        return read(Drift, said["now"]) if said["now"] else None

    @verb
    def timeline(self) -> Steps[list[Point]]:
        """Return how far the soul had come each time that it was measured, oldest first."""
        from almario.becoming.rules.distance import Point

        return one(list[Point], Call("GET", "/drift"), at="timeline")

    @verb
    def pinned_at(self) -> Steps[datetime | None]:
        """Return when the owner pinned the baseline; None if it is the first soul."""
        from datetime import datetime

        said = yield Call("GET", "/drift")
        return datetime.fromisoformat(said["pinned_at"]) if said["pinned_at"] else None

    @verb
    def pin(self) -> Steps[dict[str, str]]:
        """Measure from now on against the soul as it is; return the hashes of what is pinned."""
        return one(dict[str, str], Call("POST", "/drift/pin"))


class RemoteCosts(Part[Face]):
    """What the models of an agent that is elsewhere have cost."""

    @verb
    def report(self, days: int = 1) -> Steps[Report]:
        """Return what the last *days* have cost, today included."""
        from almario.upkeep.rules.costs import Report

        return one(Report, Call("GET", "/costs", query={"days": days}))

    @verb
    def spent(self, day: date | None = None) -> Steps[Spent]:
        """Return what a day has cost so far; today by default."""
        from almario.upkeep.rules.costs import Report, Spent

        said = yield Call("GET", "/costs", query={"days": _LONGEST if day else 1})
        return read(Report, said).days.get(day, Spent()) if day else read(Spent, said["today"])

    @verb
    def is_over(self) -> Steps[bool]:
        """Say whether today's budget for background work is used up."""
        said = yield Call("GET", "/costs")
        return bool(said["budget"]["is_over"])


class RemoteTools(Part[Face]):
    """What a model may do for an agent that is elsewhere."""

    @verb
    def specs(self, mode: Mode = "", *, session: str = "") -> Steps[tuple[ToolSpec, ...]]:
        """Return the tools that a model may use in a mode (of the settings, without one) and a session."""
        from almario.domain.talk import ToolSpec

        return one(tuple[ToolSpec, ...], Call("GET", "/tools", query={"mode": mode, "session": session}))

    @verb
    def call(
        self, name: str, arguments: Mapping[str, Any], *, session: str = "", mode: Mode = ""
    ) -> Steps[Done]:
        """Use a tool as a session's model wants; the result is kept in the session."""
        from almario.conversation.tool_calls import Done

        body = {"arguments": dict(arguments), "session": session, "mode": mode}
        return one(Done, Call("POST", f"/tools/{named(name)}", body))
