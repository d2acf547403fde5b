"""`almario doctor`: is everything well, and if not, how is it mended?"""

import click

from almario.apps.cli.common import Call, make_command
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_below, print_json
from almario.wiring import examine

# What is not about an agent; an agent's id stays as it is.
_ABOUT = ("home", "disk", "settings")
_SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "failure": ("✗", "red")}


@make_command(
    "doctor",
    "Look over the home, its agents, their files and journals, and say how to mend what is wrong. "
    "It ends with exit code 1 if something has failed.",
    "almario doctor",
    "almario doctor --mend",
)
@click.option("--mend", is_flag=True, help=_("Mend what can be mended without losing a byte."))
def command(call: Call, mend: bool) -> None:
    if mend:
        found = list(examine(call.home, call.agent, settings=call.settings))
        for mending in {finding.mend: None for finding in found if finding.mend}:
            mending()
    findings = list(examine(call.home, call.agent, settings=call.settings))
    if call.as_json:
        print_json(
            [
                {
                    "level": f.level,
                    "about": f.about,
                    "what": str(f.what),
                    "how": str(f.how) if f.how else None,
                }
                for f in findings
            ]
        )
    for finding in findings if not call.as_json else ():
        sign, colour = _SIGNS[finding.level]
        about = _(finding.about) if finding.about in _ABOUT else finding.about
        click.echo(f"{click.style(sign, fg=colour)} {about}: {_(finding.what)}")
        if finding.how:
            print_below(["→ " + _(finding.how)], dim=True)
    if any(finding.level == "failure" for finding in findings):
        click.get_current_context().exit(1)
