"""What a model may do for a soul: the one table of tools, as sessions and programs see it."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from almario.conversation import memory_tools, program_tools, soul_tools
from almario.conversation.tool_calls import Done, Question, ToolCaller
from almario.conversation.tools import Tool
from almario.domain.messages import Sentence
from almario.domain.model import Mode
from almario.domain.talk import ToolCall, ToolSpec
from almario.domain.turns import DEFAULT_SESSION
from almario.errors import SoulError

if TYPE_CHECKING:
    from almario.conversation.agent import Agent
    from almario.domain.proposal import Proposal

_OWNER = ToolCaller()
TABLE: Mapping[str, Tool] = {
    each.spec.name: each
    for module in (memory_tools, soul_tools, program_tools)
    for each in vars(module).values()
    if isinstance(each, Tool)
}
# What other programs are offered, in the order in which they are told of it.
_ORDER = "recall remember update forget why session_append goals propose as_of read search fetch"
OFFERED: Mapping[str, Tool] = {
    name: each for name in _ORDER.split() for each in TABLE.values() if each.offer and each.offer.name == name
}


def offered(*, every: bool = False) -> dict[str, Tool]:
    """Return the tools that other programs are offered, by their names there: the usual, or *every* one."""
    return {name: tool for name, tool in OFFERED.items() if every or (tool.offer and tool.offer.usual)}


class Toolbox:
    """Lists, calls and adds tools; `Soul.tools` gives it."""

    def __init__(self, agent: "Agent") -> None:
        self.agent = agent
        self._parts = agent.parts
        self.add = agent.parts.tools.add

    def specs(self, mode: Mode = "", *, session: str = "") -> tuple[ToolSpec, ...]:
        """Return the model's tools in a session and mode; the mode defaults to the settings'."""
        return self._parts.tools.specs(mode or self.agent.mode, self.agent.audience(session, mode))

    def call(
        self, name: str, arguments: Mapping[str, Any], *, session: str = DEFAULT_SESSION, mode: Mode = ""
    ) -> Done:
        """Run a tool call of a session's model; the result is stored in the session."""
        call = ToolCall(os.urandom(4).hex(), name, arguments)
        return self.agent.use(session, call, mode=mode)[0]

    def call_for(self, name: str, arguments: Mapping[str, Any], *, caller: ToolCaller = _OWNER) -> Done:
        """Run a tool call of another program's model; tools go by their public names.

        Its arguments count as the model's own words, unless a captured message of the owner contains them.
        If the result asks a question, finish with `decide`.
        """
        done = self.agent.use_for(caller, ToolCall(os.urandom(4).hex(), name, arguments))
        if not done.proposals:
            return done
        return done._replace(question=_question([self._parts.proposals.get(each) for each in done.proposals]))

    def decide(self, done: Done, yes: Sequence[str]) -> Done:
        """Carry out what the owner approved, by name; the rest is left as it is."""
        if done.question is None or not done.question.proposes:
            if yes:
                return self.call_for(done.name, done.arguments, caller=ToolCaller(frozenset(yes)))
            why = Sentence("your human did not agree, so nothing was done")
            return Done(f"Error: {why}", is_error=True, name=done.name, arguments=done.arguments)
        names = done.question.choices
        settled = [self._settled(each, accept=each in yes) for each in names]
        lines = [f"{made.id}, {made.file or 'memory'}: {made.state}" for made in settled]
        structured = {"proposals": list(map(soul_tools.proposal_json, settled)), "notes": []}
        return Done("\n".join(lines), structured=structured, name=done.name, arguments=done.arguments)

    def _settled(self, proposal: str, *, accept: bool) -> "Proposal":
        """Return a proposal with its answer; one that does not fit any more says so by its state."""
        if accept:
            with suppress(SoulError):
                return self._parts.proposals.accept(proposal)
        return self._parts.proposals.get(proposal)


def _question(waiting: "Sequence[Proposal]") -> Question:
    """Ask whether proposals are accepted, each shown whole."""
    text: list[Sentence] = []
    for made in waiting:
        file = made.file or Sentence("memory")
        text.append(
            Sentence("Your agent proposes a change to {file}: {reason}", file=file, reason=made.reason)
        )
        if made.origin == "untrusted":
            text.append(Sentence("It is based on what an untrusted person said."))
        if made.warning:
            text.append(Sentence("Careful: {why}.", why=made.warning))
        text.append(Sentence.own(made.diff))
    choices = {
        made.id: Sentence("Accept the change to {file}", file=made.file or Sentence("memory"))
        for made in waiting
    }
    return Question(tuple(text), choices, proposes=True)
