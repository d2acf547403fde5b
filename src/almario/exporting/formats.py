"""In which forms an agent can go out: our own modules, and plug-ins of other packages."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from almario.entry_points import Plugin
from almario.exporting.outgoing import Outgoing
from almario.importing.kinds import found_kind
from almario.named_tuples import NamedTuple

# Where each kind is.
_OWN = {
    "bundle": "exporting.bundle:BUNDLE",
    "jsonl": "exporting.bundle:JSONL",
    "openclaw": "exporting.openclaw:KIND",
    "card": "exporting.card:KIND",
    "letta": "exporting.letta:KIND",
    "mem0": "exporting.mem0:KIND",
    "markdown": "exporting.topic_notes:KIND",
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


def kind_named(name: str) -> OutKind:
    """Return the kind of that name; SoulError if there is none."""
    return found_kind("exporters", _OWN, name, _of_plugin)


def _of_plugin(plugin: Plugin, write: Any) -> OutKind:
    def pieces(agent: Outgoing) -> Iterator[str]:
        with plugin.blamed():
            yield from write(agent.notes())

    def files(agent: Outgoing) -> Iterator[OutFile]:
        yield OutFile(plugin.name, pieces(agent))

    return OutKind(plugin.name, f".{plugin.name}", ("memories", "days"), files)
