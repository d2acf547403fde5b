"""Making the index anew, and the memory smaller without losing any of it."""

from collections.abc import Sequence

import click

from almario.apps.cli.common import CommandCall, make_command
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import line
from almario.apps.cli.printing import ProgressBar, print_below, print_line
from almario.domain.memories import Memory
from almario.domain.messages import CommandLine
from almario.errors import SoulError
from almario.memory.rules.sources import places_of
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
    "contradicted, and writes what should bring a memory to mind where nothing does; anything drastic "
    "waits as a proposal.",
    "almario memory tidy",
)
def tidy(call: CommandCall) -> None:
    soul = call.soul()
    merged, cued = soul.tidying.consolidate(), soul.tidying.cue()
    whys = list(dict.fromkeys(filter(None, (merged.why, cued.why))))
    value = {
        "changed": merged.changed,
        "proposal": merged.proposal,
        "cues": {"written": cued.written, "left": cued.left},
        "why": [str(why) for why in whys],
    }
    if not call.gave_json(value):
        _show_merged(soul, merged.changed, merged.proposal)
        if cued.written:
            print_line(_("Cues written for: {count}.", count=cued.written))
        if not (merged.changed or merged.proposal or cued.written):
            click.echo(_("Nothing was tidied."))
    if whys:
        raise SoulError(whys[0].text, **whys[0].facts)


@make_command(
    "condense",
    "Shorten long logs. As the daemon does each night, a language model shortens the log of a past day that "
    "has more than 15 entries, and HISTORY.md past 500. What they said stays in memory/archive/, word for "
    "word, where search finds it.",
    "almario memory condense",
)
def condense(call: CommandCall) -> None:
    done = call.soul().tidying.condense()
    if not call.gave_json({"files": list(done.paths), "why": str(done.why or "")}):
        for path in done.paths:
            print_line(_("Shortened: {path}; as it was: {archive}", path=path, archive=places_of(path)[-1]))
        if not done.paths and not done.why:
            click.echo(_("No log is long enough to be shortened."))
    if done.why:
        raise SoulError(done.why.text, **done.why.facts)


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
