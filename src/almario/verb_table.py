"""The public verbs of a `Soul`, each once: by which name other programs ask for it, and who may.

The server's routes, the check of arguments, what OpenAPI says and both faces of the client follow from
the method itself. Its types are looked up when a verb is first used, as that loads all they come from.
"""

import inspect
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

from almario.domain.records import hints_of
from almario.named_tuples import NamedTuple

Scope = Literal["read", "write", "admin"]

# What a token must allow, then the part of a Soul ("." is the Soul itself), and its verbs.
_TABLE = """
read  . name zone today place since position events identity files read history diff recall
      . portrait people prompt news undoable unaided model_names
read  memory list count get why history find meant plans stats export withheld
read  goals list get stale
read  proposals list get
read  sessions list view turns window
read  costs report
read  presence people places
read  reflection latest
read  tools specs
read  days between get
read  tidying waiting
write . remember forget talk append off_record put_back flush end_session snapshot log visit undo
write memory restore change reindex verify
      memory put_out_of_mind erase_taken_back
write goals add change
write proposals propose
write tools call call_for
write sessions reset
write learning want
write companion keep
write tidying consolidate condense cue portray
write reflection run
admin . write restore prune lock improve
admin memory keep accept import_lines plan_purge
      memory purge holding purge_held
admin proposals accept reject rewrite
admin presence trust
admin tools decide
"""

# What nobody asks from outside: it is always the owner's word, and functions stay where they are.
_INTERNAL = {"self", "actor", "audience", "progress", "hear", "door", "now", "trigger"}
_INTERNAL |= {"most", "caller"}
_INTERNAL_OF = {"reflection.run": {"day", "if_due"}, "memory.import_lines": {"evidence"}}
_INTERNAL_OF |= {"undo": {"memories_only"}}
_INTERNAL_OF |= {name: {"if_due"} for name in ("tidying.consolidate", "tidying.condense")}
_INTERNAL_OF |= {name: {"order"} for name in ("memory.meant", "memory.put_out_of_mind")}

# Done once, however often it is sent with the same key.
ONCE = frozenset({"remember", "append", "memory.import_lines"})
# Work that takes long: the same is not begun twice, and whoever asks waits for it.
LONG = {
    "consolidate": "tidying.consolidate",
    "portray": "tidying.portray",
    "reflect": "reflection.run",
    "reindex": "memory.reindex",
    "verify": "memory.verify",
}


class Verb(NamedTuple):
    """A verb as it is asked for: what it takes, of which types, and what comes of it."""

    name: str
    scope: Scope
    method: Any
    is_fact: bool
    parameters: Mapping[str, inspect.Parameter]
    kinds: Mapping[str, Any]
    returns: Any

    @property
    def about(self) -> str:
        return inspect.getdoc(self.method) or ""

    def given(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments by name; TypeError if they are not what it takes."""
        bound = inspect.Signature([*self.parameters.values()]).bind(*args, **named)
        return dict(bound.arguments)

    def on(self, soul: Any, given: Mapping[str, Any]) -> Any:
        """Do it."""
        part, _, name = self.name.rpartition(".")
        found = getattr(getattr(soul, part) if part else soul, name)
        if self.is_fact:
            return found
        many = [each for each in self.parameters.values() if each.kind is each.VAR_POSITIONAL]
        rest = given.get(many[0].name, ()) if many else ()
        return found(
            *rest, **{name: value for name, value in given.items() if not many or name != many[0].name}
        )


@cache
def scopes() -> dict[str, Scope]:
    """Return what a token must allow for each verb."""
    found: dict[str, Any] = {}
    scope = ""
    for line in _TABLE.strip().splitlines():
        words = line.split()
        if not line.startswith(" "):
            scope, *words = words
        part, *names = words
        found |= {name if part == "." else f"{part}.{name}": scope for name in names}
    return found


@cache
def parts() -> frozenset[str]:
    """Return the parts of a Soul that have verbs."""
    return frozenset(name.partition(".")[0] for name in scopes() if "." in name)


@cache
def verb(name: str) -> Verb:
    """Return what a verb takes and gives, by its method."""
    part, _, own = name.rpartition(".")
    from almario.soul import Soul  # noqa: PLC0415 - when a verb is first used

    method, is_fact = _method(hints_of(_method(Soul, part)[0])["return"] if part else Soul, own)
    hints = hints_of(method)
    internal = _INTERNAL | _INTERNAL_OF.get(name, set())
    taken = {
        each.name: each for each in inspect.signature(method).parameters.values() if each.name not in internal
    }
    kinds = {each: hints.get(each, Any) for each in taken}
    return Verb(name, scopes()[name], method, is_fact, taken, kinds, hints.get("return", Any))


def _method(kind: Any, name: str) -> tuple[Any, bool]:
    found = inspect.getattr_static(kind, name)
    is_fact = isinstance(found, property)
    return inspect.unwrap(found.fget if is_fact else found), is_fact
