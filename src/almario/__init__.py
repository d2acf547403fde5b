"""Almario keeps an AI agent's soul: who it is, what it wants and what it remembers, in plain files."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

__all__ = [
    "AlmarioError",
    "Answer",
    "Brief",
    "Hit",
    "Memory",
    "Persona",
    "Prompt",
    "Receipt",
    "Scope",
    "Soul",
    "Utterance",
    "Wanted",
    "create",
    "genesis",
    "open",
    "open_or_create",
    "session_key",
]

if TYPE_CHECKING:
    from almario.becoming.drafts import Brief
    from almario.conversation.prompt_sections import Prompt
    from almario.conversation.replying import Answer
    from almario.domain.memories import Memory, Wanted
    from almario.domain.model import Hit, Persona, Scope
    from almario.domain.turns import Utterance, session_key
    from almario.errors import AlmarioError
    from almario.memory.admission import Receipt
    from almario.soul import Soul
    from almario.wiring import create_soul as create
    from almario.wiring import open_or_create
    from almario.wiring import open_soul as open
    from almario.wiring.birth import genesis

_HOMES = {
    "AlmarioError": "errors",
    "Answer": "conversation.replying",
    "Brief": "becoming.drafts",
    "Hit": "domain.model",
    "Memory": "domain.memories",
    "Persona": "domain.model",
    "Prompt": "conversation.prompt_sections",
    "Receipt": "memory.admission",
    "Utterance": "domain.turns",
    "Scope": "domain.model",
    "Soul": "soul",
    "Wanted": "domain.memories",
    "create": "wiring:create_soul",
    "genesis": "wiring.birth",
    "open": "wiring:open_soul",
    "open_or_create": "wiring",
    "session_key": "domain.turns",
}
# Programs written against 0.1 find these here, too.
_OF_0_1 = {
    "Incoming": "conversation.agent",
    **dict.fromkeys(
        (
            "AgentNotFound",
            "BadReply",
            "ConfigError",
            "Damaged",
            "DocumentError",
            "EditConflict",
            "EmbedderUnavailable",
            "LLMError",
            "LLMUnavailable",
            "MissingExtra",
            "SchemaTooNew",
            "SoulError",
            "StoreBusy",
            "StoreError",
            "ToolError",
        ),
        "errors",
    ),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import almario` costs nothing."""
    home = _HOMES.get(name) or _OF_0_1.get(name)
    if not home:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    return getattr(import_module(f"almario.{module}"), attribute or name)
