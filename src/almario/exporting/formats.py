"""In which forms an agent can go out: our own, and those that packages bring."""

from collections.abc import Iterator
from typing import Any

from almario.entry_points import Plugin
from almario.exporting.bundle import BUNDLE, JSONL
from almario.exporting.outgoing import OutFile, Outgoing, OutKind
from almario.importing.kinds import found_kind

_OWN = {kind.name: kind for kind in (BUNDLE, JSONL)}


def kind_named(name: str) -> OutKind:
    """Return the kind of that name; an error that says which there are if there is none."""
    return found_kind("exporters", _OWN, name, _of_plugin)


def _of_plugin(plugin: Plugin, brought: Any) -> OutKind:
    """Return the kind that a package brings, or one whose file a function of its makes from notes."""
    name = plugin.name

    def written(agent: Outgoing) -> Iterator[OutFile]:
        yield OutFile(name, brought(agent.notes()))

    kind = (
        brought if isinstance(brought, OutKind) else OutKind(name, f".{name}", ("memories", "days"), written)
    )

    def files(agent: Outgoing) -> Iterator[OutFile]:
        for file in plugin.making(kind.files, agent):
            yield OutFile(file.name, plugin.making(iter, file.pieces))

    return kind._replace(name=name, files=files)
