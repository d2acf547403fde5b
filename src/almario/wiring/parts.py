"""The parts of one agent, each loaded when it is first asked for: few commands need them all."""

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from almario import config as configuration
from almario.config import Config
from almario.memory.memory import Memories
from almario.ports import LLM
from almario.soul import Parts, Talk
from almario.store.vault import Vault
from almario.upkeep.costs import Costs
from almario.wiring.basis import Basis
from almario.wiring.memory import embedder
from almario.wiring.thinking import Thinking

if TYPE_CHECKING:
    from almario.becoming.drift import Drifting
    from almario.becoming.goals import Goals
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.domain.drift import Drift

Part = TypeVar("Part")


def parts_of(vault: Vault, memory: Memories, config: Config, llm: LLM | None = None) -> Parts:
    """Return the parts of a soul; *llm* takes the place of the models that the settings name."""
    chosen, language = config.settings, configuration.language(config)
    costs = Costs(vault.root / "costs", vault.now, vault.zone, chosen.llm)
    thinking = Thinking(chosen.llm, costs, llm)
    basis = Basis(vault, memory, thinking, chosen, language)

    @_once
    def goals() -> "Goals":
        from almario.becoming.goals import Goals  # noqa: PLC0415 - see above

        return Goals(vault, chosen.goals, language=language, redact=memory.without_secrets)

    @_once
    def drift() -> "Drifting":
        from almario.becoming.drift import Drifting  # noqa: PLC0415 - see above

        return Drifting(
            vault,
            embedder(chosen.embedder),
            lambda: thinking.learner("probes"),
            chosen.drift,
            language=language,
            redact=memory.without_secrets,
        )

    @_once
    def proposals() -> "Proposals":
        from almario.becoming.proposals import Proposals  # noqa: PLC0415 - see above

        def measure(file: str, text: str, *, probe: bool = False) -> "Drift | None":
            return drift().measure(file, text, probe=probe)

        return Proposals(vault, memory, chosen.proposals, measure, warn=chosen.drift.warn)

    @_once
    def talk() -> Talk:
        from almario.wiring.talking import talk_with  # noqa: PLC0415 - see above

        return talk_with(basis, goals(), proposals())

    @_once
    def reflection() -> "Reflection":
        from almario.wiring.reflecting import reflection_with  # noqa: PLC0415 - see above

        return reflection_with(basis, goals(), proposals(), talk().tidying)

    return Parts(goals, proposals, drift, reflection, talk, thinking.models, costs)


def _once(make: Callable[[], Part]) -> Callable[[], Part]:
    """Return what makes a part the first time, and the same one ever after, in any thread."""
    made: list[Part] = []
    lock = RLock()

    def get() -> Part:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return get
