"""`almario prompt`: what a model would be told."""

import click

from almario.apps.cli.common import CommandCall, flag, make_command, need_session, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import one_line, print_table
from almario.domain.messages import CommandLine
from almario.domain.model import MODES, Mode
from almario.domain.withheld import MASK


@make_command(
    "prompt",
    "Print the prompt as it is built from the files right now.",
    "almario prompt",
    "almario prompt --mode autonomous",
    _('almario prompt --message "Where do I work?" --explain'),
)
@takes(
    "--mode",
    "The situation: you talk, you work together, or the agent is on its own.",
    type=click.Choice(MODES),
)
@takes("--message", "The message to answer; it decides which memories are included.", default="")
@takes(
    "--session",
    "The session it is for: only what those present may hear is included, and nothing already said there.",
    metavar=_("KEY"),
    default="",
)
@flag("--explain", "Show the size and source of each section, what was cut, and what was withheld.")
def command(call: CommandCall, mode: Mode | None, message: str, session: str, explain: bool) -> None:
    soul = call.soul()
    need_session(soul, session or None)
    prompt = soul.prompt(message, mode or "", session=session, tools=None, explain=explain or call.as_json)
    audience = prompt.audience
    if call.gave_json(prompt):
        return
    if explain:
        rows = []
        for number, section in enumerate(prompt.sections, 1):
            budget = str(section.budget) if section.budget is not None else ""
            cut = _("{tokens} tokens", tokens=section.left_out) if section.left_out else ""
            kept = str(section.kept_out) if section.kept_out else ""
            source = (
                ", ".join(_(part) for part in section.source.split(", ")) if section.text else _("(empty)")
            )
            rows.append([str(number), _(section.name), str(section.tokens), budget, cut, kept, source])
        rows.append(["", _("total"), str(prompt.tokens)])
        heads = ["", _("Section"), _("Tokens"), _("Budget"), _("No room"), _("May not be told"), _("Source")]
        print_table([row + [""] * (len(heads) - len(row)) for row in rows], heads=heads)
        names = ", ".join([*audience.others, *audience.trusted])
        if names:
            click.echo("\n" + _("Present besides you: {names}.", names=one_line(names)))
        elif not audience.is_private:
            click.echo("\n" + _("Others are present."))
        if MASK in prompt.text:
            sentence = 'Parts are left out, as they may be secrets; "{listing}" shows them.'
            click.echo("\n" + _(sentence, listing=CommandLine("almario keep --list")))
        click.secho("\n" + _("Token counts are estimates; see docs/reference/benchmarks.md."), dim=True)
    else:
        click.echo(prompt.text, nl=False)
