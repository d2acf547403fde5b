"""Checking what is remembered, making its index anew, and making it smaller without losing any of it."""

import click

from almario import wiring
from almario.apps.cli.common import Call, flag, make_command
from almario.apps.cli.home.doctor_commands import end, show_problems
from almario.apps.cli.i18n import _
from almario.apps.cli.memory.screens import line
from almario.apps.cli.printing import Bar, print_below, print_line
from almario.domain.messages import Sentence
from almario.errors import SoulError


@make_command(
    "verify",
    "Check that the journal, the index and the files agree. Exits with code 1 if something is wrong.",
    "almario memory verify",
)
def verify(call: Call) -> None:
    found = list(call.soul().memory.verify())
    if not call.gave_json(found):
        show_problems(found)
    end(found)


@make_command("reindex", "Rebuild the index.", "almario memory reindex")
def reindex(call: Call) -> None:
    soul = call.soul()
    with Bar(_("Indexing")) as progress:
        count = soul.memory.reindex(progress)
    call.give({"passages": count}, _("Passages indexed: {count}.", count=count))


@make_command(
    "download-model",
    "Download a model for fastembed. The embedder.model setting says which.",
    "almario memory download-model",
)
def download_model(call: Call) -> None:
    with Bar(_("Downloading")) as progress:
        path = wiring.download_model(call.home, call.agent, settings=call.settings, progress=progress)
    call.give({"path": str(path)}, _("The model is in {path}.", path=path))


@make_command(
    "consolidate",
    "Merge duplicates and replace what is contradicted. A language model compares pairs of "
    "memories; anything drastic waits as a proposal.",
    "almario memory consolidate",
)
def consolidate(call: Call) -> None:
    soul = call.soul()
    done = soul.tidying.consolidate()
    changed = done.changed
    is_json = call.gave_json({"changed": changed, "proposal": done.proposal, "why": str(done.why or "")})
    _fail(done.why)
    if is_json:
        return
    lost = [memory for memory in done.changed if not memory.is_live]
    click.echo(_("Replaced:") if lost else _("Nothing was merged or replaced."))
    for memory in lost:
        print_below([line(soul, memory), "  → " + line(soul, soul.memory.get(memory.by))])
    if lost:
        print_below([_('"{undo}" brings it back', undo=f"almario memory undo {lost[0].seq}")], dim=True)
    if done.proposal:
        accept = f"almario proposals accept {done.proposal}"
        print_line(
            _(
                'This would remove more than is allowed without your consent; "{accept}" does it.',
                accept=accept,
            )
        )


@make_command(
    "condense",
    "Shorten HISTORY.md and the logs of past days. The original lines go to memory/archive first.",
    "almario memory condense",
)
def condense(call: Call) -> None:
    soul = call.soul()
    done = soul.tidying.condense()
    value = {"files": list(done.paths), "why": str(done.why or "")}
    call.give(value, _("Shortened:") if done.paths else _("Nothing was shortened."))
    print_below(done.paths if not call.as_json else ())
    _fail(done.why)


@make_command(
    "cues",
    "Show what should bring each memory to mind. Has the model write what is missing, where there is one.",
    "almario memory cues",
    "almario memory cues --again",
)
@flag("--again", "Have the model write them all anew, but for those you gave yourself.")
def cues(call: Call, again: bool) -> None:
    soul = call.soul()
    done = soul.tidying.cue(again=again)
    cued = soul.memory.every_cued()
    shown = [(memory, cued[memory.id]) for memory in soul.memory.list() if memory.id in cued]
    rows = [{**memory._asdict(), "cues": own.cues, "by": own.model} for memory, own in shown]
    told = {"written": done.written, "left": done.left, "why": str(done.why or ""), "memories": rows}
    if call.gave_json(told):
        return
    if not any(own.cues for _memory, own in shown):
        click.echo(_("No memory has cues yet."))
    for memory, own in shown:
        if own.cues:
            click.echo(line(soul, memory))
            print_below(f"  {each}" for each in own.cues)
    for model, may in sorted(soul.memory.models_tried().items()):
        said = (
            "{model} passed the trial for writing cues"
            if may
            else "{model} failed the trial for writing cues"
        )
        click.secho(_(said, model=model), dim=True)
    if done.written:
        print_line(_("Written for {count} memories.", count=done.written))
    if again or not done.is_passed_over:
        _fail(done.why)
    elif done.why and done.left:
        print_line(_("Without cues: {count}. {why}.", count=done.left, why=_(done.why)))


def _fail(why: Sentence | None) -> None:
    """End with an error that says why a model did not do its part."""
    if why:
        raise SoulError(why.text, **why.facts)
