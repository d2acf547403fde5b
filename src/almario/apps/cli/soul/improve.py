"""`almario improve`: what should change, in words, becomes proposals that you answer."""

import click

from almario.apps.cli.common import Call, choose, make_command, tell, text_of
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import at_terminal
from almario.apps.repl import shown
from almario.domain.messages import Sentence

_SHOWN = ("id", "file", "state", "reason", "why", "origin", "evidence", "diff")


@make_command(
    "improve",
    "Say what should change about your agent, in words: each change is proposed for the file it "
    "belongs to, or as a memory. Nothing changes before you accept.",
    _('almario improve "stop apologising, and remember that I hate calls"'),
)
@click.argument("words", nargs=-1, required=True, metavar=_("WORDS..."))
@click.option("--accept", is_flag=True, help=_("Accept all that is proposed, without being asked."))
def command(call: Call, words: tuple[str, ...], accept: bool) -> None:
    said = text_of("-") if words == ("-",) else " ".join(words)
    soul = call.soul()
    if at_terminal() and (model := soul.models.background):
        tell([Sentence("{model} is thinking…", model=model.model)])
    done = soul.improve(said)
    # The difference that an accepted one made to memory is none any more, so it is told as it was.
    proposals = [
        each._replace(state=soul.proposals.accept(each.id).state) if accept and each.state == "open" else each
        for each in done.proposals
    ]
    value = [{name: getattr(each, name) for name in _SHOWN} for each in proposals]
    if call.gave_json({"proposals": value, "told": [_(sentence) for sentence in done.told]}):
        return
    for proposal in proposals:
        if proposal.state == "open" and at_terminal():
            shown.settle_proposal(soul, choose, proposal.id)
        else:
            shown.show_proposal(proposal)
            shown.tell_answered(proposal)
    tell(done.told)
