"""`almario sessions`: what was said, and what became of it."""

import click

from almario.apps.cli.common import Call, InOrder, helped, need_session, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import one_line, print_json, print_line, print_table, when
from almario.domain.turns import Turn
from almario.soul import Soul

# So many turns are shown unless all are asked for.
_SHOWN = 20
_key = click.argument("key", metavar=_("KEY"))


@click.group(
    "sessions",
    cls=InOrder,
    invoke_without_command=True,
    help=helped(
        _("List the sessions: how long each is, how much of it has been learned, what is waiting and why."),
        "almario sessions",
        "almario sessions show cli:main",
        "almario sessions reset cli:main",
    ),
)
@standard()
def command(call: Call) -> None:
    if click.get_current_context().invoked_subcommand:
        return
    soul = call.soul()
    views = soul.sessions.all()
    if call.as_json:
        print_json([view._asdict() for view in views])
        return
    if not views:
        click.echo(_("Nothing has been said yet."))
        return
    rows = []
    for view in views:
        why = f" ({_(view.why)})" if view.why and view.waiting else ""
        last = when(view.last, soul.zone) if view.last else ""
        waiting = f"{view.waiting}{why}" if view.waiting else ""
        rows.append([view.session, str(view.turns), last, str(view.flushed or ""), waiting])
    print_table(rows, heads=[_("Session"), _("Turns"), _("Last"), _("Learned up to"), _("Waiting")])


@command.command(
    "show",
    help=helped(
        _("Print the last turns of a session. With --all, every turn, including archived ones."),
        "almario sessions show cli:main",
        "almario sessions show cli:main --all",
    ),
)
@_key
@click.option("--all", "every", is_flag=True, help=_("Print every turn."))
@standard()
def show(call: Call, key: str, every: bool) -> None:
    soul = _known(call, key)
    turns = soul.sessions.turns(key, last=0 if every else _SHOWN)
    if call.as_json:
        print_json([{"id": turn.id, **turn._asdict()} for turn in turns])
        return
    for turn in turns:
        _print(soul, turn)


@command.command(
    "reset",
    help=helped(
        _("Restart a session. The model no longer sees what was said in it so far."),
        "almario sessions reset cli:main",
    ),
)
@_key
@standard()
def reset(call: Call, key: str) -> None:
    soul = _known(call, key)
    is_done = soul.sessions.reset(key, "manual")
    if call.as_json:
        print_json({"session": key, "reset": is_done})
    elif is_done:
        print_line(_("{session} restarted; nothing that was said is lost.", session=key))
    else:
        print_line(_("Nothing has been said in {session} since it last started.", session=key))


def _known(call: Call, key: str) -> Soul:
    """Open the agent; SoulError if it has no such session."""
    soul = call.soul()
    need_session(soul, key)
    return soul


def _print(soul: Soul, turn: Turn) -> None:
    mark = f" [{turn.origin}]" if turn.origin == "untrusted" else ""
    who = f"{one_line(turn.speaker) or turn.role}{mark}"
    head = click.style(f"#{turn.n}  {when(turn.at, soul.zone)}  {who}", dim=True)
    # What a stranger said may hold signs that steer a terminal.
    said = "".join(sign if sign.isprintable() or sign in "\n\t" else "�" for sign in turn.text)
    said = f"({_('off the record')})" if turn.is_off else said
    click.echo("\n".join([head, *(f"  {line}".rstrip() for line in said.split("\n"))]))
