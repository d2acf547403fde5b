"""The verbs of `Soul.memory`, asked of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from almario.client.calls import Call, Steps, named, new_key, one, pages
from almario.client.from_json import read
from almario.client.verbs import Face, Part, verb
from almario.client.work_verbs import finished
from almario.domain.memories import EVERY, TRUSTED, AnyKind, Memory, State, Wanted
from almario.domain.messages import Sentence
from almario.domain.turns import Turn
from almario.errors import SoulError

# What a value is of is loaded when it is first given.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from almario.domain.forgotten import Forgotten
    from almario.domain.model import Damage
    from almario.domain.plans import Plan
    from almario.domain.withheld import Withheld
    from almario.memory.admission import Receipt
    from almario.memory.amending import Undone
    from almario.memory.purge import Erasure
    from almario.memory.reports import KeyUse, Latency, Reasons, Stats
    from almario.memory.rules.lives import Learned, Step
    from almario.memory.transfer import Imported

# A class with a verb called `list` cannot name the type by that word.
Found = list[Memory]
Lines = list[str]


def _at(memory_id: str, verb: str = "") -> str:
    return f"/memories/{named(memory_id)}{verb}"


class RemoteMemories(Part[Face]):
    """What an agent remembers that is elsewhere."""

    @verb
    def remember(
        self, text: str, value: str | None = None, *, kind: AnyKind = "", replaces: str = ""
    ) -> Steps[Receipt]:
        """Remember a fact as the owner's wish; *replaces* is the id of the memory whose place it takes."""
        from almario.memory.admission import Receipt

        body = {"text": text, "value": value, "kind": kind, "replaces": replaces}
        try:
            said = yield Call("POST", "/memories", body, key=new_key())
        except SoulError as exc:
            if getattr(exc, "outcome", "") != "refused":
                raise
            return Receipt("refused", None, (Sentence.own(str(exc)),))
        return read(Receipt, said)

    @verb
    def forget(self, target: str, *, every: bool = False) -> Steps[Forgotten]:
        """Put out of mind what an id, a key or words mean: one thing, or *every* one that they mean."""
        from almario.domain.forgotten import Forgotten

        said = yield Call("POST", "/memories/forget", {"target": target, "every": every})
        gone = Forgotten(read(Found, said["memories"]))
        gone.turns, gone.lines, gone.seq = tuple(said["turns"]), tuple(said["lines"]), said["line"]
        return gone

    @verb
    def list(self, wanted: Wanted = Wanted()) -> Steps[Found]:  # noqa: B008 - a constant
        """Return the memories that fit, oldest first; without states, those in use that are trusted."""
        order = "newest" if wanted.newest else "oldest"
        if not wanted.limit and not wanted.offset:
            return pages(Memory, "/memories", **_chosen(wanted), order=order)
        page = {"order": order, "limit": wanted.limit or 1000, "offset": wanted.offset}
        return one(Found, Call("GET", "/memories", query=_chosen(wanted) | page), at="items")

    @verb
    def count(self, wanted: Wanted = Wanted()) -> Steps[int]:  # noqa: B008 - a constant
        """Return how many memories `list` would return, were there no pages."""
        return one(int, Call("GET", "/memories/counts", query=_chosen(wanted)), at="total")

    @verb
    def counts(self, wanted: Wanted, by: Literal["state", "kind", "origin"]) -> Steps[dict[str, int]]:
        """Return how many memories fit for each state, kind or origin."""
        said = yield Call("GET", "/memories/counts", query=_chosen(wanted))
        states = wanted.states or (() if wanted.true_at else ("live",))
        asked = {"state": states, "origin": wanted.origins or TRUSTED, "kind": wanted.kinds}
        own: dict[str, int] = said[f"{by}s"]
        return {name: count for name, count in own.items() if name in asked[by] or not asked[by]}

    @verb
    def timeline(self, wanted: Wanted = EVERY) -> Steps[Sequence[Learned]]:
        """Return how many memories were learned on each day on which there were any, oldest first."""
        from almario.memory.rules.lives import Learned

        return one(list[Learned], Call("GET", "/memories/timeline", query=_chosen(wanted)))

    @verb
    def get(self, memory_id: str) -> Steps[Memory]:
        """Return the memory with that id, or that beginning of one."""
        return one(Memory, Call("GET", _at(memory_id)))

    @verb
    def state(self, memory: Memory) -> Steps[State]:
        """Return a memory's state now."""
        said = yield Call("GET", _at(memory.id))
        state: State = said["state"]
        return state

    @verb
    def why(self, memory_id: str) -> Steps[Reasons]:
        """Return what a memory rests on, and what became of it."""
        from almario.memory.reports import Reasons

        return one(Reasons, Call("GET", _at(memory_id, "/why")))

    @verb
    def withheld(self) -> Steps[Sequence[Withheld]]:
        """Return what waits for the owner's word that it is no secret, the latest first."""
        from almario.domain.withheld import Withheld

        return one(list[Withheld], Call("GET", "/withheld"), at="items")

    @verb
    def keep(self, what: str = "", *, every: bool = False) -> Steps[Sequence[str]]:
        """Take the owner's word that something is no secret, and use it from now on; return what it is.

        *what* is an id, a file, or the words themselves; by default what was withheld last. With *every*,
        all that is withheld.
        """
        said = yield Call("POST", "/keep", {"what": what, "every": every})
        return tuple(said["kept"])

    @verb
    def restore(self, memory_id: str) -> Steps[Memory]:
        """Put a memory that is out of use back into use."""
        return one(Memory, Call("POST", _at(memory_id, "/restore")))

    @verb
    def trust(self, memory_id: str) -> Steps[Memory]:
        """Vouch for what somebody who is not trusted said; return the owner's memory that takes its place."""
        return one(Memory, Call("POST", _at(memory_id, "/trust")))

    @verb
    def confirm(self, memory_id: str) -> Steps[Memory]:
        """Take the owner's word that a memory is right; return it, or the owner's that takes its place."""
        return one(Memory, Call("POST", _at(memory_id, "/confirm")))

    @verb
    def reject(self, memory_id: str) -> Steps[Memory]:
        """Take the owner's word that a memory is wrong: it goes out of use, what was said stays."""
        return one(Memory, Call("POST", _at(memory_id, "/reject")))

    @verb
    def life(self, memory_id: str) -> Steps[Sequence[Step]]:
        """Return what happened to a memory, oldest first."""
        from almario.memory.rules.lives import Step

        return one(tuple[Step, ...], Call("GET", _at(memory_id, "/why")), at="life")

    @verb
    def evidence(self, memory: Memory) -> Steps[Sequence[Turn]]:
        """Return the very turns on which a memory rests, as far as they are there."""
        return one(list[Turn], Call("GET", _at(memory.id, "/why")), at="evidence")

    @verb
    def cues(self, memory_id: str) -> Steps[Sequence[str]]:
        """Return what brings a memory to mind besides what it says."""
        return one(tuple[str, ...], Call("GET", _at(memory_id, "/why")), at="cues")

    @verb
    def cue(self, memory_id: str, cues: Iterable[str]) -> Steps[Sequence[str]]:
        """Give a memory what should bring it to mind, in the place of what did; none takes that away."""
        return one(tuple[str, ...], Call("PUT", _at(memory_id, "/cues"), {"cues": list(cues)}), at="cues")

    @verb
    def share(self, memory_id: str, *, shared: bool = True) -> Steps[Memory]:
        """Mark a memory as fit to be told to others, or as the owner's alone again."""
        return one(Memory, Call("PATCH", _at(memory_id), {"shared": shared}))

    @verb
    def undo(self, line: int = 0) -> Steps[Undone]:
        """Take back a line of the journal (0: the latest that changed memories) where nothing followed it."""
        from almario.memory.amending import Undone

        return one(Undone, Call("POST", "/memories/undo", {"line": line}))

    @verb
    def as_of(self, then: datetime, *, believed: bool = False) -> Steps[Found]:
        """Return what was true at an instant as it is known now; or what was *believed* then."""
        return pages(Memory, "/memories/as-of", at=then.isoformat(), believed=believed)

    @verb
    def plans(self, *, passed: int = 0) -> Steps[Sequence[Plan]]:
        """Return what is planned, in the order of its days; also what was in the last *passed* days."""
        from almario.domain.plans import Plan

        return one(list[Plan], Call("GET", "/plans", query={"passed": passed}))

    @verb
    def keys(self) -> Steps[Sequence[KeyUse]]:
        """Return every key in use, with those that may mean the same."""
        from almario.memory.reports import KeyUse

        return one(list[KeyUse], Call("GET", "/memories/keys"))

    @verb
    def stats(self) -> Steps[Stats]:
        """Count what there is."""
        from almario.memory.reports import Stats

        return one(Stats, Call("GET", "/stats"))

    @verb
    def latency(self) -> Steps[Latency]:
        """Return how long the last searches of the server took."""
        from almario.memory.reports import Latency

        return one(Latency, Call("GET", "/care"), at="latency")

    @verb
    def verify(self) -> Steps[Sequence[Damage]]:
        """Read everything, and return each place where journal, index and files disagree."""
        from almario.domain.model import Damage

        return read(list[Damage], (yield from finished("verify"))["problems"])

    @verb
    def reindex(self) -> Steps[int]:
        """Make all that is derived anew, vectors too; return how many passages there are."""
        said = yield from finished("reindex")
        return int(said["passages"])

    @verb
    def settle(self) -> Steps[Sequence[Sentence]]:
        """Take in the owner's edits; return what is worth telling since it was last asked."""
        return one(list[Sentence], Call("POST", "/memories/settle"), at="told")

    @verb
    def accept(self, name: str) -> Steps[Found]:
        """Forget what is missing in a version of MEMORY.md that was set aside; return it."""
        return one(Found, Call("POST", "/memories/accept", {"name": name}), at="memories")

    @verb
    def export(self) -> Steps[Lines]:
        """Return every memory that may be told, whatever its state, as a line of JSON; the last is a seal."""
        said: str = yield Call("GET", "/memories/export")
        return said.split("\n")[:-1]

    @verb
    def import_lines(self, lines: Iterable[str]) -> Steps[Imported]:
        """Put exported memories back; one that is here already stays as it is here."""
        from almario.memory.transfer import Imported

        text = "\n".join(line.removesuffix("\n") for line in lines)
        return one(Imported, Call("POST", "/memories/import", text, key=new_key()))

    @verb
    def plan_purge(self, *targets: str) -> Steps[Erasure]:
        """Say what `purge` would erase with what ids, keys or words name."""
        return _erasure({"targets": targets})

    @verb
    def plan_purge_expired(self, older_than: int = 0) -> Steps[Erasure]:
        """Say what `purge` would erase of what expired so long ago, and no soul file says all the same."""
        return _erasure({"expired_for": older_than})

    @verb
    def purge(self, erasure: Erasure) -> Steps[Lines]:
        """Erase for good what was planned; return the files that were cleaned."""
        if not erasure.memories:
            raise SoulError("there is nothing to erase")
        body = {"targets": [memory.id for memory in erasure.memories], "dry_run": False}
        return one(Lines, Call("POST", "/memories/purge", body), at="cleaned")


def _chosen(wanted: Wanted) -> dict[str, Any]:
    """Return which memories are meant as a query; SoulError for what HTTP has no words for."""
    unasked = wanted._replace(
        keys=(), kinds=(), states=(), origins=(), text="", evidence=(), since=None, until=None, true_at=None,
        unused=False, newest=False, limit=0, offset=0,
    )  # fmt: skip
    if unasked != Wanted():
        names = [name for name in Wanted._fields if getattr(unasked, name) != getattr(Wanted(), name)]
        raise SoulError("over HTTP, memories cannot be listed by: {names}", names=", ".join(names))
    lists = {"key": wanted.keys, "kind": wanted.kinds, "state": wanted.states, "origin": wanted.origins}
    times = {"since": wanted.since, "until": wanted.until, "as_of": wanted.true_at}
    told = {name: each.isoformat() for name, each in times.items() if each}
    return lists | told | {"text": wanted.text, "turn": wanted.evidence, "unused": wanted.unused or None}


def _erasure(body: dict[str, Any]) -> Steps[Erasure]:
    from almario.memory.purge import Erasure

    return one(Erasure, Call("POST", "/memories/purge", body))
