"""`almario improve`: what should change, in words, becomes proposals that you answer."""

from typing import Any

import click

from almario.apps.cli.common import Call, choose, helped, standard, tell, text_of
from almario.apps.cli.i18n import _, current
from almario.apps.cli.printing import at_terminal, print_json
from almario.apps.repl import shown
from almario.domain.messages import Sentence, say
from almario.domain.proposal import Proposal
from almario.soul import Soul

_SHOWN = ("id", "file", "state", "reason", "why", "origin", "evidence", "diff")


@click.command(
    "improve",
    help=helped(
        _(
            "Say in your own words what should change about your agent. Each change is proposed for "
            "the file it belongs to, or as a memory; nothing changes until you accept."
        ),
        _('almario improve "stop apologising, and remember that I hate calls"'),
    ),
)
@click.argument("words", nargs=-1, required=True, metavar=_("WORDS..."))
@click.option("--accept", is_flag=True, help=_("Accept every proposal without asking."))
@standard()
def command(call: Call, words: tuple[str, ...], accept: bool) -> None:
    said = text_of("-") if words == ("-",) else " ".join(words)
    soul = call.soul()
    if at_terminal():
        _wait(soul)
    done = soul.improve(said)
    # The difference that an accepted one made to memory is none any more, so it is told as it was.
    proposals = [
        each._replace(state=soul.proposals.accept(each.id).state) if accept and each.state == "open" else each
        for each in done.proposals
    ]
    if call.as_json:
        told = [say(current(), sentence) for sentence in done.told]
        print_json({"proposals": [_fields(proposal) for proposal in proposals], "told": told})
        return
    for proposal in proposals:
        if proposal.state == "open" and at_terminal():
            shown.settle_proposal(soul, choose, proposal.id)
        else:
            shown.show_proposal(proposal)
            shown.tell_answered(proposal)
    tell(done.told)


def _wait(soul: Soul) -> None:
    if model := soul.models.background:
        tell([Sentence("{model} is thinking…", model=model.model)])


def _fields(proposal: Proposal) -> dict[str, Any]:
    return {name: getattr(proposal, name) for name in _SHOWN}
