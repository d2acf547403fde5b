"""What one agent examines itself with: the web, too, if its owner lets it."""

from almario import config as configuration
from almario.becoming.applying import Applying
from almario.becoming.architect import Architect
from almario.becoming.exploring import Explorer
from almario.becoming.goals import Goals
from almario.becoming.proposals import Proposals
from almario.becoming.reflecting import Needs, Reflection
from almario.config import Config
from almario.conversation.tidying import Tidying
from almario.memory.memory import Memories
from almario.ports import LLM
from almario.store.vault import Vault
from almario.wiring.thinking import Thinking


def reflection(
    vault: Vault,
    memory: Memories,
    config: Config,
    thinking: Thinking,
    parts: tuple[Goals, Proposals, Tidying],
) -> Reflection:
    """Return what the agent examines itself with."""
    chosen, language = config.settings, configuration.language(config)
    goals, proposals, tidying = parts

    def explorer(llm: LLM) -> Explorer | None:
        if not chosen.explorer.enabled:
            return None
        from almario.wiring.web import pages, search  # noqa: PLC0415 - off by default

        web = search(chosen.explorer), pages()
        return Explorer(*web, llm, chosen.explorer, language=language, redact=memory.without_secrets)

    needs = Needs(
        thinking.learner,
        Applying(vault, goals, proposals, language=language, accept=chosen.proposals.accept),
        explorer,
        lambda: tidying.condense().paths,
        lambda llm: Architect(llm, language=language, redact=memory.without_secrets),
        proposals.get,
        goals.stale,
    )
    return Reflection(vault, memory, needs, chosen.reflection, language=language)
