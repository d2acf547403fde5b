"""The parts of one agent, each loaded when it is first asked for: few commands need them all."""

from collections.abc import Callable
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from almario import config as configuration
from almario.config import Config
from almario.memory.facade import Memories
from almario.ports import LLM, Embedder, Store
from almario.soul import Parts
from almario.upkeep.costs import Costs
from almario.wiring.basis import Basis
from almario.wiring.remembering import embedder
from almario.wiring.thinking import Thinking

if TYPE_CHECKING:
    from almario.becoming.drift import Drifting
    from almario.becoming.goals import Goals
    from almario.becoming.proposals import Proposals
    from almario.becoming.reflecting import Reflection
    from almario.conversation.tidying import Tidying
    from almario.conversation.voice import Talk
    from almario.domain.soul_drift import Drift

Part = TypeVar("Part")


def parts_of(
    vault: Store, memory: Memories, config: Config, llm: LLM | None = None, given: Embedder | None = None
) -> Parts:
    """Return the parts of a soul; *llm* and *given* take the place of what the settings name."""
    chosen, language = config.settings, configuration.language(config)
    costs = Costs(vault, chosen.llm)
    thinking = Thinking(chosen.llm, costs, llm)
    basis = Basis(vault, memory, thinking, chosen, language)

    goals = _once(lambda: _goals(basis))
    drift = _once(lambda: _drift(basis, given))
    proposals = _once(lambda: _proposals(basis, drift))
    talk = _once(lambda: _talk(basis, goals(), proposals()))
    reflection = _once(lambda: _reflection(basis, goals(), proposals(), talk().tidying))
    return Parts(goals, proposals, drift, reflection, talk, thinking.models, costs)


def _goals(basis: Basis) -> "Goals":
    from almario.becoming.goals import Goals  # noqa: PLC0415 - see above

    own = basis.settings.goals
    return Goals(basis.vault, own, language=basis.language, redact=basis.memory.without_secrets)


def _drift(basis: Basis, given: Embedder | None) -> "Drifting":
    from almario.becoming.drift import Drifting  # noqa: PLC0415 - see above

    return Drifting(
        basis.vault,
        given or embedder(basis.settings.embedder),
        lambda: basis.thinking.learner("probes"),
        basis.settings.drift,
        language=basis.language,
        redact=basis.memory.without_secrets,
    )


def _proposals(basis: Basis, drift: "Callable[[], Drifting]") -> "Proposals":
    from almario.becoming.proposals import Proposals  # noqa: PLC0415 - see above

    def measure(file: str, text: str, *, probe: bool = False) -> "Drift | None":
        return drift().measure(file, text, probe=probe)

    own, warn = basis.settings.proposals, basis.settings.drift.warn
    return Proposals(basis.vault, basis.memory, own, measure, warn=warn)


def _talk(basis: Basis, goals: "Goals", proposals: "Proposals") -> "Talk":
    from almario.wiring.talking import talk_with  # noqa: PLC0415 - see above

    return talk_with(basis, goals, proposals)


def _reflection(basis: Basis, goals: "Goals", proposals: "Proposals", tidying: "Tidying") -> "Reflection":
    from almario.wiring.examining import reflection_with  # noqa: PLC0415 - see above

    return reflection_with(basis, goals, proposals, tidying)


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
