"""What the author of a plug-in builds on: the values that go in and come out, and the ports to fill.

A package brings a plug-in by an entry point, which is loaded when it is used:

    group               what the entry point is
    almario.llms        make(model, ModelSettings) -> LLM, for llm.model = "name/model"
    almario.models      a ModelSource, which finds models on this machine for llm.model = "auto"
    almario.embedders   make(model, EmbedderSettings) -> Embedder, for embedder.name = "name/model"
    almario.tools       add(Tools), which adds functions that the model may call
    almario.commands    a click command; with click.pass_obj it gets an OpenSoul
    almario.importers   a Kind, or read(bytes) -> Notes, for `almario import FILE --from name`
    almario.explorers   make(Exploration) -> Explorer, if the settings have a section of its name
    almario.stores      make(address, root, clock, arguments) -> DatabaseKeep, for store = "name://…"
    almario.doors       make(Souls) -> Door, what `almario serve` serves besides
    almario.settings    a Section, whose keys stand in the settings under its name

docs/plugins.md tells of each; errors are those of `almario.errors`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = [
    "LLM",
    "Ask",
    "Embedder",
    "EmbedderSettings",
    "Exploration",
    "Explored",
    "Explorer",
    "Finding",
    "FoundModel",
    "Hear",
    "Message",
    "ModelDownload",
    "ModelSettings",
    "ModelSource",
    "Note",
    "OpenSoul",
    "Reply",
    "Section",
    "Sentence",
    "ToolCall",
    "ToolSpec",
    "Tools",
    "Usage",
    "Vector",
    "option",
    "translate",
]

if TYPE_CHECKING:
    from almario.becoming.exploring import Exploration, Explored, Explorer
    from almario.conversation.settings import ModelSettings
    from almario.conversation.tools import Tools
    from almario.domain.messages import Sentence, translate
    from almario.domain.options import Group as Section
    from almario.domain.options import option
    from almario.domain.soul_events import Finding
    from almario.domain.talk import Ask, Message, Reply, ToolCall, ToolSpec, Usage
    from almario.memory.settings import EmbedderSettings
    from almario.memory.transfer import Note
    from almario.ports import LLM, Embedder, FoundModel, Hear, ModelDownload, ModelSource, Vector
    from almario.soul import OpenSoul

_HOMES = {
    "becoming.exploring": ("Exploration", "Explored", "Explorer"),
    "conversation.settings": ("ModelSettings",),
    "conversation.tools": ("Tools",),
    "domain.messages": ("Sentence", "translate"),
    "domain.options": ("option",),
    "domain.soul_events": ("Finding",),
    "domain.talk": ("Ask", "Message", "Reply", "ToolCall", "ToolSpec", "Usage"),
    "memory.settings": ("EmbedderSettings",),
    "memory.transfer": ("Note",),
    "ports": ("LLM", "Embedder", "FoundModel", "Hear", "ModelDownload", "ModelSource", "Vector"),
    "soul": ("OpenSoul",),
}


def __getattr__(name: str) -> Any:
    """Import a name when it is first used: a plug-in pays for what it needs."""
    if name == "Section":
        return import_module("almario.domain.options").Group
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"almario.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
