"""Which programs' exports can be read: our own modules, and plug-ins of other packages."""

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from itertools import chain
from typing import Any

from almario.domain.messages import Sentence
from almario.domain.plain_text import nearest
from almario.entry_points import installed
from almario.errors import SoulError
from almario.importing.arrivals import Arrival, Kind
from almario.importing.source import Export

# Where each kind is, in the order in which a source is tried; any folder of notes may hold the others' files.
_OWN = {
    "bundle": "bundles:KIND",
    "chatgpt": "chatgpt:KIND",
    "claude": "claude:KIND",
    "claude-code": "coding_agents:CLAUDE_CODE",
    "codex": "coding_agents:CODEX",
    "card": "cards:KIND",
    "letta": "memory_stores:LETTA",
    "mem0": "memory_stores:MEM0",
    "mcp-memory": "memory_stores:MCP_MEMORY",
    "nanobot": "workspaces:NANOBOT",
    "hermes": "workspaces:HERMES",
    "openclaw": "workspaces:OPENCLAW",
    "vcard": "address_books:VCARD",
    "icalendar": "address_books:ICALENDAR",
    "markdown": "notebooks:KIND",
}


def names() -> list[str]:
    """Return the names of all kinds."""
    return [*_OWN, *(name for name in installed("importers") if name not in _OWN)]


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
    if name in _OWN:
        module, _, own = _OWN[name].partition(":")
        found: Kind = getattr(import_module(f"almario.importing.{module}"), own)
        return found
    if plugin := installed("importers").get(name):
        read = plugin.load()
        return Kind(
            name,
            Sentence("an export ({name})", name=name),
            lambda source: True,
            lambda source: _plugged(plugin, read, source),
        )
    if close := nearest(name, names()):
        raise SoulError('nothing imports from "{name}"; did you mean {close}?', name=name, close=close)
    sentence = 'nothing imports from "{name}"; known: {known}'
    raise SoulError(sentence, name=name, known=", ".join(names()))


def _plugged(plugin: Any, read: Any, source: Export) -> Iterator[Arrival]:
    """Yield what a plug-in finds in each file."""
    with plugin.blamed():
        yield from chain.from_iterable(read(entry.content()) for entry in source.entries)
