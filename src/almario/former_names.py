"""What verbs of a `Soul` were called in the version before: each still works there, and says its new name.

Whoever renames one adds its row; the rows of a version go with the next.
"""

from collections.abc import Callable
from functools import partial
from typing import Any
from warnings import warn

# Each with what it is called now, and how that is asked for the same.
FORMER: dict[str, tuple[str, Callable[..., Any]]] = {
    "update": ("memory.change", lambda soul, *given, **more: soul.memory.change(*given, **more)),
    "plans": ("memory.plans", lambda soul, **more: soul.memory.plans(**more)),
    "version": ("read", lambda soul, file, version: soul.read(file, version).text),
    "log_of": ("days.get", lambda soul, day=None: soul.days.get(day).log),
    "page": ("portrait", lambda soul, person: soul.portrait(person)),
    "line_of": ("undoable", lambda soul, name: soul.undoable(name)),
    "clear": ("end_session", lambda soul, *session: soul.end_session(*session, clear=True)),
    "memory.cues": ("memory.why", lambda memory, id_: memory.why(id_).cues),
    "memory.life": ("memory.why", lambda memory, id_: memory.why(id_).life),
    "memory.evidence": ("memory.why", lambda memory, of, *, most=20: memory.why(of.id).evidence[-most:]),
    "memory.as_of": (
        "memory.list",
        lambda memory, then, *, believed=False: memory.list(as_of=then, believed=believed),
    ),
    "memory.named": ("memory.find", lambda memory, target: memory.find(target)),
    "memory.plan_purge_expired": (
        "memory.plan_purge",
        lambda memory, older_than=0: memory.plan_purge(expired=older_than),
    ),
    "memory.confirm": ("memory.change", lambda memory, id_, **more: memory.change(id_, right=True, **more)),
    "memory.reject": ("memory.change", lambda memory, id_, **more: memory.change(id_, right=False, **more)),
    "memory.share": (
        "memory.change",
        lambda memory, id_, *, shared=True, **more: memory.change(id_, shared=shared, **more),
    ),
    "memory.cue": (
        "memory.change",
        lambda memory, id_, cues, **more: memory.why(memory.change(id_, cues=cues, **more).id).cues,
    ),
    "costs.is_over": ("costs.report", lambda costs: costs.report().budget.is_over),
    "memory.forget": (
        "forget",
        lambda memory, target, *, every=False: memory.put_out_of_mind(memory.meant(target).hits(every=every)),
    ),
    "sessions.all": ("sessions.list", lambda sessions: sessions.list()),
    "reflection.last_night": (
        "reflection.latest",
        lambda reflection: found.day if (found := reflection.latest()) else None,
    ),
    "reflection.last_entry": (
        "reflection.latest",
        lambda reflection: found[1:] if (found := reflection.latest()) else ("", ""),
    ),
    "goals.all": ("goals.list", lambda goals: goals.list()),
    "goals.find": ("goals.get", lambda goals, wanted: goals.get(wanted)),
    "goals.start": ("goals.change", lambda goals, wanted: goals.change(wanted, state="started")),
    "goals.note": ("goals.change", lambda goals, wanted, note: goals.change(wanted, note=note)),
    "goals.complete": (
        "goals.change",
        lambda goals, wanted, *, outcome="": goals.change(wanted, state="done", note=outcome),
    ),
    "goals.reopen": (
        "goals.change",
        lambda goals, wanted, *, priority="": goals.change(wanted, state="open", priority=priority),
    ),
    "goals.reprioritise": (
        "goals.change",
        lambda goals, wanted, priority: goals.change(wanted, priority=priority),
    ),
    "goals.drop": ("goals.change", lambda goals, wanted: goals.change(wanted, state="dropped")),
}  # fmt: skip


def name_now(verb: str) -> str:
    """Return what a verb of the version before is called now; nothing, if there was none."""
    return FORMER[verb][0] if verb in FORMER else ""


def answering(part: str) -> Callable[[Any, str], Any]:
    """Return the `__getattr__` by which a part of a Soul answers to its former names."""

    def answer(self: Any, name: str) -> Any:
        verb = f"{part}.{name}".lstrip(".")
        if verb not in FORMER:
            return object.__getattribute__(self, name)  # which says what is wrong
        now, ask = FORMER[verb]
        warn(
            f"{verb} is {now} now; the old name goes with the next version", DeprecationWarning, stacklevel=2
        )
        return partial(ask, self)

    return answer
