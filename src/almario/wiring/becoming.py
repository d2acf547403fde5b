"""What one agent becomes with: proposals, drift, improving."""

from typing import NamedTuple

from almario import config as configuration
from almario.becoming.drift import Drifting
from almario.becoming.improving import Improving
from almario.becoming.proposals import Proposals
from almario.config import Config
from almario.memory.memory import Memories
from almario.store.vault import Vault
from almario.wiring.memory import embedder
from almario.wiring.thinking import Thinking


class Consent(NamedTuple):
    """The proposals, and what measures them."""

    proposals: Proposals
    drift: Drifting


def consent(vault: Vault, memory: Memories, config: Config, thinking: Thinking) -> Consent:
    """Return what the owner decides with."""
    chosen = config.settings
    drift = Drifting(
        vault,
        embedder(chosen.embedder),
        lambda: thinking.learner("probes"),
        chosen.drift,
        language=configuration.language(config),
        redact=lambda text: memory.redacted(text).text,
    )
    proposals = Proposals(vault, memory, chosen.proposals, drift.measure, warn=chosen.drift.warn)
    return Consent(proposals, drift)


def improving(
    vault: Vault, memory: Memories, proposals: Proposals, config: Config, thinking: Thinking
) -> Improving:
    """Return what turns the owner's words into proposals."""
    language = configuration.language(config)
    return Improving(vault, memory, proposals, lambda: thinking.learner("improve"), language=language)
