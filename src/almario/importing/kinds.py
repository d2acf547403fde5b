"""Which programs' exports can be read: our own modules, and plug-ins of other packages."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from itertools import chain
from typing import Any, TypeVar

from almario.domain.messages import Sentence
from almario.domain.plain_text import nearest
from almario.entry_points import Group, Plugin, installed
from almario.errors import SoulError
from almario.importing.arrivals import Arrival, Kind
from almario.importing.source import Export

Found = TypeVar("Found")
# Where each kind is, in the order in which a source is tried; any folder of notes may hold the others' files.
_OWN = {
    "bundle": "importing.bundles:KIND",
    "chatgpt": "importing.chatgpt:KIND",
    "claude": "importing.claude:KIND",
    "claude-code": "importing.coding_agents:CLAUDE_CODE",
    "codex": "importing.coding_agents:CODEX",
    "card": "importing.cards:KIND",
    "letta": "importing.memory_stores:LETTA",
    "mem0": "importing.memory_stores:MEM0",
    "mcp-memory": "importing.memory_stores:MCP_MEMORY",
    "nanobot": "importing.workspaces:NANOBOT",
    "hermes": "importing.workspaces:HERMES",
    "openclaw": "importing.workspaces:OPENCLAW",
    "vcard": "importing.address_books:VCARD",
    "icalendar": "importing.address_books:ICALENDAR",
    "markdown": "importing.notebooks:KIND",
}


def names() -> list[str]:
    """Return the names of all kinds."""
    return known("importers", _OWN)


def kind_of(source: Export, wanted: str = "") -> Kind:
    """Return the kind of a source, or the one that is *wanted*; SoulError if there is none."""
    if wanted:
        return _named(wanted)
    for name in _OWN:
        kind = _named(name)
        with suppress(ValueError, OSError):
            if source.entries and kind.fits(source):
                return kind
    sentence = "{path} is no export that Almario knows; say what it is with --from: {known}"
    raise SoulError(sentence, path=str(source.path), known=", ".join(names()))


def _named(name: str) -> Kind:
    return found_kind("importers", _OWN, name, _of_plugin)


def _of_plugin(plugin: Plugin, read: Any) -> Kind:
    def arrivals(source: Export) -> Iterator[Arrival]:
        with plugin.blamed():
            yield from chain.from_iterable(read(entry.content()) for entry in source.entries)

    return Kind(plugin.name, Sentence("an export ({name})", name=plugin.name), lambda _: True, arrivals)


def known(group: Group, own: Mapping[str, str]) -> list[str]:
    """Return the names of our own kinds, then of those that plug-ins of a group bring."""
    return [*own, *(name for name in installed(group) if name not in own)]


def found_kind(
    group: Group, own: Mapping[str, str], name: str, of_plugin: Callable[[Plugin, Any], Found]
) -> Found:
    """Return a kind by its name: one of our *own*, by its place, or a plug-in's; SoulError if none has it."""
    if name in own:
        module, _, there = own[name].partition(":")
        found: Found = getattr(import_module(f"almario.{module}"), there)
        return found
    if plugin := installed(group).get(name):
        return of_plugin(plugin, plugin.load())
    every = known(group, own)
    if close := nearest(name, every):
        raise SoulError('there is no kind "{name}"; did you mean {close}?', name=name, close=close)
    raise SoulError('there is no kind "{name}"; known: {known}', name=name, known=", ".join(every))
