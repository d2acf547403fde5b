"""`almario remember`: tell the agent something to keep."""

from datetime import date

import click

from almario.apps.cli.arguments import DAY, names_a_time
from almario.apps.cli.common import CommandCall, flag, make_command, takes, tell, text_of
from almario.apps.cli.i18n import _, word
from almario.apps.cli.memory.screens import KIND, SHORT, place_named, place_word, short, time_word
from almario.apps.cli.printing import fitted, one_line, print_below, print_fitted, print_line
from almario.domain.memories import AnyKind, Memory, Wanted, same_key
from almario.domain.messages import CommandLine
from almario.domain.plans import Plan
from almario.domain.validity import by_name, time_phrase
from almario.domain.vocabulary import KINDS, STATES, WEEKDAYS
from almario.errors import SoulError
from almario.served import home_of
from almario.soul import Soul
from almario.text.timewords import undated

# So many that stand under the same key are named with a new one.
_BESIDE = 3
_OUTCOMES = {
    "new": "Remembered.",
    "renewed": "Already known; confirmed.",
    "linked": "Already known, in other words.",
    "superseded": "Remembered, replacing:",
}


def _beside(soul: Soul, memory: Memory) -> list[Memory]:
    found = soul.memory.list(Wanted(keys=(memory.key,))) if memory.key else []
    return [each for each in reversed(found) if each.id != memory.id]


@make_command(
    "remember",
    "Remember something. A key before a colon says what it is about. Something already known "
    "is confirmed; anything else is added, unless you say what it replaces.",
    _('almario remember "job: designs bridges"'),
    _('almario remember "The spare key is with Marta."'),
    _('almario remember --key "favourite colour" green'),
    _("cat rice.txt | almario remember --key recipe -"),
    _('almario remember "job: teaches physics" --replaces 3f9a1c22'),
    _('almario remember "commits are written in English" --project work'),
)
@click.argument("text", nargs=-1, required=True, metavar=_("TEXT..."))
@takes("--key", "What it is about; the text is then taken as it is.", metavar=_("KEY"))
@takes("--kind", "The kind of memory (default: profile, which never expires).", type=KIND)
@takes("--replaces", "The memory it replaces.", metavar=_("ID|KEY"))
@takes(
    "--project",
    "The project in which coding agents are told it; work is every project.",
    default="",
    metavar=_("NAME|FOLDER"),
)
def command(
    call: CommandCall,
    text: tuple[str, ...],
    key: str | None,
    kind: AnyKind | None,
    replaces: str | None,
    project: str,
) -> None:
    if replaces is not None and not replaces.strip():
        listing = CommandLine("almario memory list")
        raise SoulError('"{id}" is not an id; "{listing}" shows them', id=replaces, listing=listing)
    fact = text_of("-") if text == ("-",) else " ".join(text)
    soul = call.soul()
    whole = (fact, None) if key is None else (key, fact)
    under = soul.memory.list(Wanted(keys=(same_key(replaces),))) if replaces else []
    if len(under) > 1:
        ids = ", ".join(each.id[:SHORT] for each in under)
        raise SoulError('"{key}" names several memories: {ids}; say which by its id', key=replaces, ids=ids)
    older = under[0].id if len(under) == 1 else replaces or ""
    place = place_named(soul, project, home_of(call.home)) if project else None
    with soul.memory.snapshot(fresh=False):  # one lock, and whoever asks next looks at the folder
        receipt = soul.remember(*whole, kind=kind or "", replaces=older, place=place)
        memory = receipt.memory
        also = _beside(soul, memory) if memory and receipt.outcome == "new" else []
    is_json = call.gave_json(receipt)
    if memory is None:
        why = receipt.told[0]
        raise SoulError(why.text, **why.facts)
    tell(receipt.told)
    if is_json:
        return
    print_line(_(_OUTCOMES[receipt.outcome]))
    for each in receipt.replaced:
        click.secho(f"- {fitted(each.text, 2)}", fg="red")
    kept = fitted(memory.text, 2)
    click.echo(click.style(f"+ {kept}", fg="green") if receipt.replaced else f"  {kept}")
    known = [
        _("also known: {text} ({id})", text=fitted(each.text, 20), id=each.id[:SHORT])
        for each in also[:_BESIDE]
    ]
    if time := time_word(memory):
        known.append(_("Time: {time}.", time=time))
    known += filter(None, [place_word(memory)])
    facts = {
        "kind": word(memory.kind, KINDS),
        "id": memory.id[:SHORT],
        "undo": CommandLine(f"almario undo {memory.seq}"),
    }
    print_below([*known, _('{kind} {id} · "{undo}" undoes it', **facts)], dim=True)


_EVER = 400_000


@make_command(
    "log",
    "Write a line in today's daily log, or show what was noted on a day. The lines of its log and what was "
    "remembered, in order; a day alone, such as 2026-11-14 or yesterday, shows that one.",
    _('almario log "We met today."'),
    "almario log",
    "almario log yesterday",
)
@click.argument("text", required=False, metavar=_("[TEXT|DATE]"))
def log(call: CommandCall, text: str | None) -> None:
    day: date | None = None
    if text and names_a_time(text):
        context = click.get_current_context()
        text, day = None, DAY.convert(text, context.command.params[0], context)
    soul = call.soul()
    if text is not None:
        tell(soul.log(text))
    noted = soul.days.get(day).noted
    if call.gave_json(noted):
        return
    if not noted:
        ahead = (day - soul.today).days if day else 0
        if ahead > 0:
            plans = CommandLine("almario plans")
            click.echo(_('That day is still to come. "{plans}" shows what is planned.', plans=plans))
        else:
            click.echo(_("Nothing was noted that day.") if ahead else _("Nothing is noted yet today."))
    for each in noted:
        category = word(each.category, KINDS) if each.memory else each.category
        mark = "" if each.is_trusted else click.style(_("[not trusted]") + " ", fg="yellow")
        lead = f"{each.at:%H:%M}  " + (click.style(f"{category}  ", dim=True) if category else "") + mark
        state = f"({word(each.state, STATES)})" if each.state not in ("", "live") else ""
        *lines, last = each.text.splitlines() or [""]
        for line in (*lines, "  ".join(filter(None, [last, state, each.memory[:8]]))):
            print_line(line, lead=lead)
            lead = " " * 7


@make_command(
    "plans",
    "List what is coming up, nearest first. With --all, also what was planned and is over.",
    "almario plans",
    "almario plans --all",
)
@flag("--all", "Include past ones.", "every")
def plans(call: CommandCall, every: bool) -> None:
    soul = call.soul()
    found = soul.memory.plans(passed=_EVER if every else 0)
    if call.gave_json(found):
        return
    if found:
        heads = ["ID", _("When"), _("From now"), _("Key"), _("Value")]
        print_fitted([_row(plan) for plan in found], heads=heads)
    else:
        sentence = (
            'Nothing coming up. Say "remember that the dentist is on Friday", and it appears here; '
            "with a model, mentioning it is enough."
        )
        print_line(_(sentence))


def _row(plan: Plan) -> list[str]:
    memory, far = plan.memory, plan.how_far
    when = _(time_phrase(plan.when, plan.today))
    if plan.when.is_day:
        when = f"{_(WEEKDAYS[plan.when.first_day.weekday()])}, {_(by_name(plan.when.first))}"
    text = undated(memory.value, plan.today)
    return [short(memory.id), when, _(far) if far else "", one_line(memory.key), text]
