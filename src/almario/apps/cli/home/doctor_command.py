"""`almario doctor`: is everything well, and if not, how is it mended?"""

import click

from almario.apps.cli import i18n
from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json
from almario.domain.messages import say
from almario.wiring.health import examine

# What is not about an agent; an agent's id stays as it is.
_ABOUT = ("home", "disk", "settings")
_SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "failure": ("✗", "red")}


@click.command(
    "doctor",
    help=helped(
        _(
            "Check the home, its agents, their files and journals, and say how to repair what is "
            "wrong. Exits with code 1 if something has failed."
        ),
        "almario doctor",
        "almario doctor --mend",
    ),
)
@click.option("--mend", is_flag=True, help=_("Repair what can be repaired without losing a byte."))
@standard()
def command(call: Call, mend: bool) -> None:
    if mend:
        found = list(examine(call.home, call.agent, settings=call.settings))
        for mending in {finding.mend: None for finding in found if finding.mend}:
            mending()
    findings = list(examine(call.home, call.agent, settings=call.settings))
    language = i18n.current()
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
    else:
        for finding in findings:
            sign, colour = _SIGNS[finding.level]
            about = _(finding.about) if finding.about in _ABOUT else finding.about
            click.echo(f"{click.style(sign, fg=colour)} {about}: {say(language, finding.what)}")
            if finding.how:
                click.secho("  → " + say(language, finding.how), dim=True)
    if any(finding.level == "failure" for finding in findings):
        click.get_current_context().exit(1)
