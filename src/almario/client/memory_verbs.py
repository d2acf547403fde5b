"""The verbs of `Soul.memory`, asked of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from almario.client.calls import Call, Steps, named, new_key, one, pages
from almario.client.from_json import read
from almario.client.verbs import Face, Part, verb
from almario.domain.memories import AnyKind, Memory, State, Wanted
from almario.domain.messages import Sentence
from almario.errors import SoulError

# What a value is of is loaded when it is first given.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from almario.domain.forgotten import Forgotten
    from almario.domain.validity import Plan
    from almario.memory.admission import Receipt
    from almario.memory.amending import Undone
    from almario.memory.purge import Erasure
    from almario.memory.queries import KeyUse, Reasons, Stats
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
        told = {"key": wanted.keys, "kind": wanted.kinds, "state": wanted.states, "origin": wanted.origins}
        unasked = wanted._replace(keys=(), kinds=(), states=(), origins=(), text="")
        if unasked != Wanted():
            raise SoulError("over HTTP, memories can only be listed by keys, kinds, states, origins and text")
        return pages(Memory, "/memories", **told, text=wanted.text)

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
        from almario.memory.queries import Reasons

        return one(Reasons, Call("GET", _at(memory_id, "/why")))

    @verb
    def restore(self, memory_id: str) -> Steps[Memory]:
        """Put a memory that is out of use back into use."""
        return one(Memory, Call("POST", _at(memory_id, "/restore")))

    @verb
    def trust(self, memory_id: str) -> Steps[Memory]:
        """Vouch for what somebody who is not trusted said; return the owner's memory that takes its place."""
        return one(Memory, Call("POST", _at(memory_id, "/trust")))

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
        from almario.domain.validity import Plan

        return one(list[Plan], Call("GET", "/plans", query={"passed": passed}))

    @verb
    def keys(self) -> Steps[Sequence[KeyUse]]:
        """Return every key in use, with those that may mean the same."""
        from almario.memory.queries import KeyUse

        return one(list[KeyUse], Call("GET", "/memories/keys"))

    @verb
    def stats(self) -> Steps[Stats]:
        """Count what there is."""
        from almario.memory.queries import Stats

        return one(Stats, Call("GET", "/stats"))

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


def _erasure(body: dict[str, Any]) -> Steps[Erasure]:
    from almario.memory.purge import Erasure

    return one(Erasure, Call("POST", "/memories/purge", body))
