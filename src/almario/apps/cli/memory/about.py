"""`almario about`: what the agent knows about its owner, or about somebody."""

from contextlib import suppress
from datetime import date

import click

from almario.apps.cli.common import CommandCall, make_command, tell
from almario.apps.cli.i18n import _, word
from almario.apps.cli.memory.screens import short
from almario.apps.cli.printing import day, one_line, print_below, print_line, when
from almario.domain.messages import CommandLine
from almario.domain.portrait import Portrait, PortraitSentence
from almario.domain.validity import time_phrase_of
from almario.domain.vocabulary import ORIGINS, THEMES
from almario.errors import AccessDenied
from almario.soul import Soul

# Whoever says so means the owner.
_OWNER = ("", "me", "myself", "yo", "mí", "mi")


@make_command(
    "about",
    "Show what your agent knows about you, or about somebody: sentences, each with the memories it is based "
    "on. A model writes them, where there is anything new; without one they are your facts, by key and day.",
    "almario about me",
    _("almario about Inés"),
)
@click.argument("name", nargs=-1, metavar=_("[me|NAME]"))
def about(call: CommandCall, name: tuple[str, ...]) -> None:
    soul, who = call.soul(), " ".join(name).strip()
    who = "" if who.lower() in _OWNER else who
    with suppress(AccessDenied):  # who may only read is shown what there is
        if soul.model_names.background and (why := soul.tidying.portray(who).why):
            tell([why])
    page = soul.portrait(who)
    if call.gave_json(page):
        return
    click.secho(page.name or _("What I know about you"), bold=True)
    if page.note:
        for line in page.note.splitlines():
            print_line(line)
    today = soul.today
    for part in page.parts:
        click.echo()
        if part.theme != "person":
            click.secho(_(THEMES[part.theme]), bold=True)
        print_below(_line(each, today) for each in part.sentences)
        if part.more:
            print_below([_("and {count} more", count=part.more)], dim=True)
    if not page.parts and not page.note:
        remember = CommandLine("almario remember")
        click.echo(_('Nothing yet. Tell it something with "{remember}".', remember=remember))
    click.echo()
    _print_more(soul, page)


def _print_more(soul: Soul, page: Portrait) -> None:
    """Print what else there is to know of a page: of the owner's, who has one."""
    hints = []
    if page.since and page.last:
        origins = ", ".join(f"{word(origin, ORIGINS)} {count}" for origin, count in page.origins.items())
        facts = {"since": day(page.since), "last": day(page.last), "origins": origins}
        hints.append(_("Known since {since}, last spoken of {last}; sources: {origins}.", **facts))
    if page.made:
        facts = {"model": page.model, "when": when(page.made, soul.zone)}
        hints.append(_("Written by {model}, {when}; what is new since stands below.", **facts))
    if not page.name and (people := [one_line(each.name) for each in soul.people()]):
        about_them = CommandLine(f"almario about {_('NAME')}")
        hints.append(_('"{about}": {people}', about=about_them, people=", ".join(people[:12])))
    if page.parts:
        why = CommandLine("almario memory why ID")
        hints.append(_('"{why}" shows what a sentence is based on.', why=why))
    print_below(hints, dim=True)


def _line(each: PortraitSentence, today: date) -> str:
    text = f"“{one_line(each.text)}”" if each.quote else one_line(each.text)
    time = time_phrase_of(each.dated, today)
    marks = [_(time)] if time else []
    marks += [_("a guess")] if each.guess else []
    marks += [_("earlier")] if each.earlier else []
    shown = f" ({', '.join(marks)})" if marks else ""
    told = f"{day(each.day)}  " if each.day else ""
    return f"{text}{shown}  {told}{' '.join(short(one) for one in each.evidence)}"
