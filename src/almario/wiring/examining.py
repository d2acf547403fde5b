"""What one agent examines itself with: the web, too, if its owner lets it."""

from almario.becoming.applying import Applying
from almario.becoming.architect import Architect
from almario.becoming.exploring import Explorer
from almario.becoming.goals import Goals
from almario.becoming.privacy import private
from almario.becoming.proposals import Proposals
from almario.becoming.reflecting import Needs, Reflection
from almario.conversation.tidying import Tidying
from almario.ports import LLM
from almario.wiring.basis import Basis


def reflection_with(basis: Basis, goals: Goals, proposals: Proposals, tidying: Tidying) -> Reflection:
    """Return what the agent examines itself with."""
    vault, memory, thinking, chosen, language = basis

    def explorer(llm: LLM) -> Explorer | None:
        if not chosen.explorer.enabled:
            return None
        from almario.wiring.web_access import pages, search  # noqa: PLC0415 - off by default

        web = search(chosen.explorer), pages()
        return Explorer(
            *web,
            llm,
            chosen.explorer,
            language=language,
            redact=memory.without_secrets,
            private=lambda: private(vault, memory),
        )

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
