"""Making the index anew, and the memory smaller without losing any of it."""

from collections.abc import Sequence

import click

from almario.apps.cli.common import CommandCall, flag, make_command
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import line
from almario.apps.cli.printing import ProgressBar, print_below, print_line
from almario.domain.memories import Memory
from almario.domain.messages import CommandLine
from almario.errors import SoulError
from almario.soul import Soul


@make_command("reindex", "Rebuild the index.", "almario memory reindex")
def reindex(call: CommandCall) -> None:
    soul = call.soul()
    with ProgressBar(_("Indexing")) as progress:
        count = soul.memory.reindex(progress=progress)
    call.give({"passages": count}, _("Passages indexed: {count}.", count=count))


@make_command(
    "tidy",
    "Tidy the memory, as the daemon does each night. A language model merges duplicates, replaces what is "
    "contradicted, and writes what should bring a memory to mind and the pages about you and others; "
    "anything drastic waits as a proposal.",
    "almario memory tidy",
    "almario memory tidy --again",
)
@flag("--again", "Have the model write all cues and pages anew; what you wrote yourself stays.")
def tidy(call: CommandCall, again: bool) -> None:
    soul = call.soul()
    merged, cued = soul.tidying.consolidate(), soul.tidying.cue(again=again)
    cues_failed = cued.why if again or not cued.is_passed_over else None
    pages = soul.tidying.portray(again=again, if_due=not again)
    whys = list(dict.fromkeys(filter(None, (merged.why, cues_failed, pages.why))))
    value = {
        "changed": merged.changed,
        "proposal": merged.proposal,
        "cues": {"written": cued.written, "left": cued.left},
        "pages": len(pages.written),
        "why": [str(why) for why in whys],
    }
    if not call.gave_json(value):
        _show_merged(soul, merged.changed, merged.proposal)
        if cued.written:
            print_line(_("Cues written for: {count}.", count=cued.written))
        if pages.written:
            print_line(_("Pages written: {count}.", count=len(pages.written)))
        if not (merged.changed or merged.proposal or cued.written or pages.written):
            click.echo(_("Nothing was tidied."))
    if whys:
        raise SoulError(whys[0].text, **whys[0].facts)


def _show_merged(soul: Soul, changed: Sequence[Memory], proposal: str) -> None:
    lost = [memory for memory in changed if not memory.is_live]
    if lost:
        click.echo(_("Replaced:"))
    for memory in lost:
        print_below([line(soul, memory), "  → " + line(soul, soul.memory.get(memory.by))])
    if lost:
        print_below([_('"{undo}" brings it back', undo=CommandLine(f"almario undo {lost[0].seq}"))], dim=True)
    if proposal:
        accept = CommandLine(f"almario proposals accept {proposal}")
        sentence = 'This would remove more than is allowed without your consent; "{accept}" does it.'
        print_line(_(sentence, accept=accept))
