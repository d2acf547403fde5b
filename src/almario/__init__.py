"""Almario keeps an AI agent's soul: who it is, what it wants and what it remembers, in plain files."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "AgentNotFound",
    "AlmarioError",
    "ConfigError",
    "Damaged",
    "DocumentError",
    "EditConflict",
    "EmbedderUnavailable",
    "Hit",
    "Memory",
    "MissingExtra",
    "Persona",
    "Prompt",
    "Receipt",
    "Said",
    "SchemaTooNew",
    "Scope",
    "Soul",
    "SoulError",
    "StoreBusy",
    "StoreError",
    "Wanted",
    "create",
    "open",
]

if TYPE_CHECKING:
    from almario.conversation.sections import Prompt
    from almario.domain.memories import Memory, Wanted
    from almario.domain.model import Hit, Persona, Scope
    from almario.domain.turns import Said
    from almario.errors import (
        AgentNotFound,
        AlmarioError,
        ConfigError,
        Damaged,
        DocumentError,
        EditConflict,
        EmbedderUnavailable,
        MissingExtra,
        SchemaTooNew,
        SoulError,
        StoreBusy,
        StoreError,
    )
    from almario.memory.admission import Receipt
    from almario.soul import Soul
    from almario.wiring import create_soul as create
    from almario.wiring import open_soul as open

_HOMES = {
    "Hit": "domain.model",
    "Memory": "domain.memories",
    "Persona": "domain.model",
    "Prompt": "conversation.sections",
    "Receipt": "memory.admission",
    "Said": "domain.turns",
    "Scope": "domain.model",
    "Soul": "soul",
    "Wanted": "domain.memories",
    "create": "wiring:create_soul",
    "open": "wiring:open_soul",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import almario` costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _HOMES.get(name, "errors").partition(":")
    return getattr(import_module(f"almario.{module}"), attribute or name)
