"""`almario relearn`: old conversations are read with the model of today, and you say what is to be known."""

import click

from almario.apps.cli.common import CommandCall, agreed, make_group, takes
from almario.apps.cli.home.cost import money
from almario.apps.cli.i18n import _, number
from almario.apps.cli.printing import ProgressBar, fitted, print_below, print_line
from almario.domain.memories import Memory
from almario.domain.messages import CommandLine
from almario.domain.relearned import (
    ALL,
    SORTS,
    USED_UP,
    Difference,
    ReadingState,
    ReadingWish,
    RelearnPlan,
)
from almario.errors import LLMError, SoulError

_TITLES = {
    "new": "New:",
    "changed": "Changed; replaces what is known:",
    "contradicted": "Contradicts what is known; if you accept it, both stand:",
    "earlier": "Earlier, and replaced since:",
    "gone": "Not found again; it stays unless you accept it by its id:",
    "withheld": "Much like something you forgot; it stays away unless you accept it by its number:",
}
_BESIDE = {"changed": "instead of {text}", "contradicted": "but {text}", "earlier": "now {text}"}
_reading = takes("--reading", "Which reading; the latest by default.", metavar=_("NAME"), default="")
_what = click.argument("what", nargs=-1, required=True, metavar=_("NUMBER…|all"))


@make_group(
    "relearn",
    "Read old conversations, your own or imported ones, with the model of today. It says what that costs and "
    "asks first, then shows what would change. Nothing changes until you accept it.",
    "almario relearn --since 2024 --budget 200k",
    "almario relearn --session import-chatgpt:2024-05",
    "almario relearn show",
    "almario relearn accept all",
)
@takes("--since", "Only what was said since then: 2024-05-01, 2024-05 or 2024.", metavar=_("DATE"))
@takes("--until", "Only what was said until then.", metavar=_("DATE"))
@takes("--session", "Only this session.", metavar=_("KEY"))
@takes("--model", "Which model reads; by default the one that learns.", metavar=_("NAME"))
@takes("--budget", "How much it may take at a time: 200000, 200k, or $2.50.", metavar=_("TOKENS|MONEY"))
@takes("--again", "Read once more what this model has read already.", is_flag=True)
@takes("--yes", "Do not ask.", "is_sure", is_flag=True)
def command(call: CommandCall, is_sure: bool, again: bool, **wish: str | None) -> None:
    relearning = call.soul().relearning
    wanted = ReadingWish(**{name: value or "" for name, value in wish.items()}, again=again)
    plan = relearning.plan(wanted)
    if not plan.conversations and plan.name:
        sentence = (
            '{model} has read all of it; "{show}" shows what that would change, and --again reads it anew'
        )
        show = CommandLine(f"almario relearn show --reading {plan.name}")
        raise SoulError(sentence, model=plan.model, show=show)
    if not plan.conversations:
        raise SoulError("there is nothing left to read")
    if not call.as_json:
        _show_plan(plan)
    if not (is_sure or call.as_json or agreed(call, _("Read them?"))):
        print_line(_("Nothing was read."))
        return
    with ProgressBar(_("Reading")) as progress:
        state = relearning.run(wanted, progress=progress)
    found = relearning.difference(state.name)
    if not call.gave_json({"reading": state, "difference": found}):
        _show_state(state)
        _show(found)
    if state.why and state.why != USED_UP:
        sentence = '{why}; what was read is kept, and "{again}" goes on'
        raise LLMError(sentence, why=state.why, again=CommandLine("almario relearn"))


@command.make("show", "Show what a reading would change.", "almario relearn show")
@takes("--withheld", "List what is much like something you forgot, too.", "withheld", is_flag=True)
@_reading
def show(call: CommandCall, reading: str, withheld: bool) -> None:
    found = call.soul().relearning.difference(reading, withheld=withheld)
    if not call.gave_json(found):
        _show(found)


@command.make("list", "List the readings.", "almario relearn list")
def listing(call: CommandCall) -> None:
    found = call.soul().relearning.readings()
    rows = [
        [
            each.name,
            ", ".join(each.models),
            *map(number, (each.turns, each.found, each.tokens)),
            _("done") if each.is_done else _("goes on with: almario relearn"),
        ]
        for each in found
    ]
    heads = [_("Reading"), _("Model"), _("Messages"), _("Found"), _("Tokens"), _("State")]
    call.give_table(found, rows, heads=heads, if_empty=_("Nothing has been read again yet."))


@command.make(
    "accept",
    "Remember what a reading found, all or by number. What was not found again is retired only by its id. "
    "One undo takes it back.",
    "almario relearn accept all",
    "almario relearn accept 3 7 1f9a2c3b",
)
@_what
@_reading
def accept(call: CommandCall, what: tuple[str, ...], reading: str) -> None:
    done = call.soul().relearning.accept(what, reading)
    undo = CommandLine(f"almario undo {done.line}")
    counts = {"count": len(done.memories), "gone": len(done.gone)}
    call.give(
        done,
        _("Accepted: {count}. Retired: {gone}.", **counts),
        "  → " + _('"{undo}" undoes it', undo=undo),
    )


@command.make(
    "reject",
    "Turn down what a reading found, all or by number. With all, the reading is deleted.",
    "almario relearn reject 4",
    "almario relearn reject all",
)
@_what
@_reading
def reject(call: CommandCall, what: tuple[str, ...], reading: str) -> None:
    count = call.soul().relearning.reject(what, reading)
    done = "The reading was deleted." if ALL in what else "Turned down: {count}."
    call.give({"rejected": count}, _(done, count=count))


def _show_plan(plan: RelearnPlan) -> None:
    days = " – ".join(dict.fromkeys(str(day) for day in (plan.first, plan.last) if day))
    facts = {"count": plan.conversations, "exchanges": plan.exchanges, "model": plan.model, "days": days}
    sentence = "Conversations: {count} (exchanges: {exchanges}), {days}, to be read by {model}."
    print_line(_(sentence, **facts))
    tokens = number(plan.tokens)
    if plan.cost is None:
        print_line(_("About {tokens} tokens; what they cost is not known.", tokens=tokens))
    else:
        print_line(_("About {tokens} tokens, {cost}.", tokens=tokens, cost=money(plan.cost)))
    if plan.within < plan.conversations:
        print_line(_("The budget is enough for {count} of them at a time.", count=plan.within))
    print_line(_("Nothing is remembered of it before you accept it."))


def _show_state(state: ReadingState) -> None:
    facts = {"name": state.name, "turns": state.turns, "found": state.found, "tokens": number(state.tokens)}
    sentence = "Reading {name} by {models}: messages {turns}, found {found}, tokens {tokens}."
    print_line(_(sentence, **facts, models=", ".join(state.models) or "–"))
    if state.why == USED_UP:
        again = CommandLine("almario relearn")
        print_line(
            _('The budget is used up; "{again}" goes on from there, and so does each night.', again=again)
        )


def _show(found: Difference) -> None:
    for sort in SORTS:
        items = [item for item in found.items if item.sort == sort]
        if items:
            click.secho(_(_TITLES[sort]), bold=True)
        for item in items:
            lead = f"  {item.name[:8]:<4} "
            marks = [_day(item.memory), *([_("a guess")] if item.guess else [])]
            print_line(f"{item.memory.text} ({', '.join(marks)})", lead=lead)
            for memory in item.beside:
                print_below(
                    [" " * 5 + fitted(_(_BESIDE[item.sort], text=f"{memory.text} ({_day(memory)})"), 7)],
                    dim=True,
                )
    facts = {"same": found.same, "past": found.past}
    print_line(
        _("Known already: {same}. Forgotten, ended or replaced since, and not offered: {past}.", **facts)
    )
    if found.withheld and not any(item.sort == "withheld" for item in found.items):
        sentence = 'Of these, {count} are only like something you forgot; "{listing}" lists them.'
        listing = CommandLine("almario relearn show --withheld")
        print_line(_(sentence, count=found.withheld, listing=listing))
    facts = {"again": found.again, "declined": found.declined, "dropped": found.dropped}
    if any(facts.values()):
        sentence = "Said again, and listed once: {again}. Turned down: {declined}. Not borne out: {dropped}."
        print_line(_(sentence, **facts))
    if found.items:
        one, last = found.items[0].name[:8], found.items[-1].name[:8]
        hints = ["accept all", f"accept {one}", *([f"reject {last}"] if last != one else [])]
        print_below([f"→ almario relearn {hint}" for hint in hints], dim=True)


def _day(memory: Memory) -> str:
    return f"{memory.valid_from:%Y-%m-%d}"
