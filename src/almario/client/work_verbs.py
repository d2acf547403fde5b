"""The verbs of `Soul` that take long: the server does them in the background, and the client waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from almario.client.calls import Call, Steps, named, one
from almario.client.from_json import read
from almario.client.responses import error_of
from almario.client.verbs import Face, Part, verb
from almario.domain.messages import Sentence

# What a value is of is loaded when it is first given.
# ruff: noqa: PLC0415
if TYPE_CHECKING:
    from datetime import date

    from almario.becoming.phases import Reflected
    from almario.conversation.tidying import Tidied
    from almario.memory.condensing import Condensed

# So many seconds a server may wait with its answer for work to end.
_WAIT = 20


def finished(work: str, **about: Any) -> Steps[Any]:
    """Have a server do some work, or join what is under way, and return its result once it has ended."""
    job = yield Call("POST", "/jobs", {"work": work, **about})
    while job["state"] in ("waiting", "running"):
        job = yield Call("GET", f"/jobs/{job['id']}", query={"wait": _WAIT})
    if job["state"] != "done":
        raise error_of({"detail": job["detail"], "error": job["error"]}, 500)
    return job["result"]


class RemoteReflection(Part[Face]):
    """Reflects elsewhere."""

    @verb
    def run(self, *, since: date | None = None) -> Steps[Reflected]:
        """Reflect, or go on with a reflection that was stopped; *since* looks again from that day on.

        What it looked at (*material*) stays where it is.
        """
        from almario.becoming.applying import Applied
        from almario.becoming.phases import Reflected
        from almario.domain.proposal import Proposal
        from almario.domain.soul_events import Finding

        said = yield from finished("reflect", since=since)
        made: list[Proposal] = []
        for each in said["proposals"]:
            whole = yield Call("GET", f"/proposals/{named(each['id'])}")
            made += [read(Proposal, whole)]
        findings, explored = (read(tuple[Finding, ...], said[name]) for name in ("findings", "explored"))
        return Reflected(
            said["id"],
            findings=findings,
            explored=explored,
            design=_design(said["design"]),
            applied=Applied(tuple(made), read(tuple[Sentence, ...], said["goals"])),
            why=Sentence.own(said["why"]) if said["why"] else None,
            entry=said["entry"],
            told=read(tuple[Sentence, ...], said["told"]),
            wanted=tuple(said["wanted"]),
        )


def _design(said: dict[str, Any]) -> Any:
    from almario.domain.soul_events import Design

    refused = [{"edit": each, "why": each["why"]} for each in said["refused"]]
    return read(Design, said | {"refused": refused})


class RemoteTidying(Part[Face]):
    """Puts what was learned in order, elsewhere."""

    @verb
    def waiting(self) -> Steps[dict[str, Sentence]]:
        """Return the jobs that were tried in vain, and why they wait."""
        return one(dict[str, Sentence], Call("GET", "/care"), at="waiting")

    @verb
    def consolidate(self) -> Steps[Tidied]:
        """Merge duplicates and let what is contradicted give way."""
        from almario.conversation.tidying import Tidied

        return read(Tidied, (yield from finished("consolidate")))

    @verb
    def condense(self) -> Steps[Condensed]:
        """Make HISTORY.md and the logs of past days shorter if they are long."""
        from almario.memory.condensing import Condensed

        return read(Condensed, (yield from finished("condense")))
