"""In which forms an agent can go out: our own modules, and plug-ins of other packages."""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from almario.domain.plain_text import nearest
from almario.entry_points import installed
from almario.errors import SoulError
from almario.exporting.outgoing import Outgoing
from almario.named_tuples import NamedTuple

# Where each kind is.
_OWN = {
    "bundle": "bundle:BUNDLE",
    "jsonl": "bundle:JSONL",
    "openclaw": "openclaw:KIND",
    "card": "card:KIND",
    "letta": "letta:KIND",
    "mem0": "mem0:KIND",
    "markdown": "topic_notes:KIND",
}
_ZIP = ".zip"


class OutFile(NamedTuple):
    """A file of an export: its name there, with slashes, and its text in pieces."""

    name: str
    pieces: Iterable[str]


class OutKind(NamedTuple):
    """A form to go out in: what it *carries* of an agent, its *files*, and how its name ends.

    One that ends in nothing or `.zip` is a folder or a zip; any other is one file. One that
    *is_shared* tells others who the agent is, and has memories on request only.
    """

    name: str
    ending: str
    carries: tuple[str, ...]
    files: Callable[[Outgoing], Iterator[OutFile]]
    is_shared: bool = False

    @property
    def is_one_file(self) -> bool:
        return self.ending not in ("", _ZIP)


def names() -> list[str]:
    """Return the names of all kinds."""
    return [*_OWN, *(name for name in installed("exporters") if name not in _OWN)]


def kind_named(name: str) -> OutKind:
    """Return the kind of that name; SoulError if there is none."""
    if name in _OWN:
        module, _, own = _OWN[name].partition(":")
        found: OutKind = getattr(import_module(f"almario.exporting.{module}"), own)
        return found
    if plugin := installed("exporters").get(name):
        write = plugin.load()
        return OutKind(name, f".{name}", ("memories", "days"), lambda agent: _plugged(plugin, write, agent))
    if close := nearest(name, names()):
        raise SoulError('nothing exports as "{name}"; did you mean {close}?', name=name, close=close)
    raise SoulError('nothing exports as "{name}"; known: {known}', name=name, known=", ".join(names()))


def _plugged(plugin: Any, write: Any, agent: Outgoing) -> Iterator[OutFile]:
    def pieces() -> Iterator[str]:
        with plugin.blamed():
            yield from write(agent.notes())

    yield OutFile(plugin.name, pieces())
