"""What one agent examines itself with."""

from functools import partial

from almario.becoming.applying import Applying
from almario.becoming.architect import Architect
from almario.becoming.exploring import Exploration, Explorer
from almario.becoming.goals import Goals
from almario.becoming.privacy import private
from almario.becoming.proposals import Proposals
from almario.becoming.reflecting import Needs, Reflection
from almario.conversation.tidying import Tidying
from almario.ports import LLM
from almario.wiring import plugged
from almario.wiring.basis import Basis


def reflection_with(basis: Basis, goals: Goals, proposals: Proposals, tidying: Tidying) -> Reflection:
    """Return what the agent examines itself with."""
    vault, memory, thinking, chosen, language = basis

    def explorer(llm: LLM) -> Explorer | None:
        whose = partial(private, vault, memory)
        return plugged.explorer(chosen, Exploration(llm, None, language, memory.without_secrets, whose))

    needs = Needs(
        thinking.learner,
        Applying(vault, goals, proposals, language=language, accept=chosen.proposals.accept),
        explorer,
        lambda: tidying.condense().paths,
        lambda llm: Architect(llm, language=language, redact=memory.without_secrets),
        proposals.get,
        goals.stale,
        proposals.list,
    )
    return Reflection(vault, memory, needs, chosen.reflection, language=language)
