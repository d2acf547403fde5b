"""`almario people`: who has spoken where, and what they may hear."""

import click

from almario.apps.cli.common import CommandCall, flag, make_group, takes
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import one_line, print_table
from almario.domain.audiences import ALL, Hears


@make_group(
    "people",
    "List who else has spoken with your agent, where, and what they may hear. Anyone you do "
    "not trust hears only what was said in that conversation and what you share.",
    "almario people",
    "almario people trust Ana",
    "almario people trust Ana --in telegram:77 --off",
    "almario people trust telegram:77",
)
def command(call: CommandCall) -> None:
    soul = call.soul()
    people, places = soul.presence.people(), soul.presence.places()
    value = {"people": people, "sessions": places}
    if call.gave_json(value):
        return
    if not people and not places:
        click.echo(_("Nobody but you has spoken with your agent yet."))
        return
    rows = [[one_line(each.name), each.chat, ", ".join(each.sessions), _hears(each.hears)] for each in people]
    if rows:
        print_table(rows, heads=[_("Name"), _("Chat"), _("Sessions"), _("May hear")])
    cells = [[each.session, one_line(", ".join(each.people)), _hears(each.hears)] for each in places]
    if cells:
        click.echo()
        print_table(cells, heads=[_("Session"), _("Present"), _("May hear")])


@command.make(
    "trust",
    "Let a person or a session hear whatever you can hear.",
    "almario people trust Ana",
    "almario people trust telegram:77 --off",
)
@click.argument("who", metavar=_("NAME|SESSION"))
@takes("--in", "Which chat the person is in.", "chat", default="", metavar=_("CHAT"))
@flag("--off", "Limit them to what is said there and what you share.", "is_off")
def trust(call: CommandCall, who: str, chat: str, is_off: bool) -> None:
    hears: Hears = "shared" if is_off else ALL
    name, place = call.soul().presence.trust(who, chat=chat, hears=hears)
    sentence = "{name} in {place} may hear {hears}." if name else "Everyone in {place} may now hear {hears}."
    line = _(sentence, name=one_line(name), place=place, hears=_hears(hears))
    call.give({"name": name, "place": place, "hears": hears}, line)


def _hears(hears: str) -> str:
    return _("everything") if hears == ALL else _("only what is said there and what you share")
