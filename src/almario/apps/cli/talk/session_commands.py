"""`almario sessions`: what was said, and what became of it."""

from collections import Counter

import click

from almario.apps.cli.common import CommandCall, flag, make_group, need_session
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import harmless, one_line, print_line, when
from almario.domain.model import IMPORTED
from almario.domain.turns import Turn
from almario.soul import Soul

# So many turns are shown unless all are asked for.
_SHOWN = 20
_key = click.argument("key", metavar=_("KEY"))


@make_group(
    "sessions",
    "List the sessions: how long each is, how much of it has been learned, what is waiting and why.",
    "almario sessions",
    "almario sessions show cli:main",
    "almario sessions reset cli:main",
)
def command(call: CommandCall) -> None:
    soul = call.soul()
    views = soul.sessions.list()
    rows = []
    for view in views:
        last = when(view.last, soul.zone) if view.last else ""
        # What was imported is kept, and not learned from.
        learned = "" if view.session.startswith(IMPORTED) else str(view.flushed or "")
        rows.append([view.session, str(view.turns), last, learned, str(view.waiting or "")])
    heads = [_("Session"), _("Turns"), _("Last"), _("Learned up to"), _("Waiting")]
    call.give_table(views, rows, heads=heads, if_empty=_("Nothing has been said yet."))
    reasons = Counter(_(view.why) for view in views if view.why and view.waiting)
    for why, count in reasons.items() if not call.as_json else ():
        print_line(_("Sessions waiting to be learned from: {count} ({why})", count=count, why=why))


@command.make(
    "show",
    "Print the last turns of a session. With --all, every turn, including archived ones.",
    "almario sessions show cli:main",
    "almario sessions show cli:main --all",
)
@_key
@flag("--all", "Print every turn.", "every")
def show(call: CommandCall, key: str, every: bool) -> None:
    soul = _known(call, key)
    turns = soul.sessions.turns(key, last=0 if every else _SHOWN)
    if not call.gave_json(turns):
        cleared = soul.sessions.view(key).cleared
        for turn in turns:
            _print(soul, turn)
            if turn.n == cleared:
                click.secho(f"——— {_('cleared here')} ———", dim=True)


@command.make(
    "reset",
    "Restart a session. The model no longer sees what was said in it so far.",
    "almario sessions reset cli:main",
)
@_key
def reset(call: CommandCall, key: str) -> None:
    soul = _known(call, key)
    is_done = soul.sessions.reset(key, "manual")
    done = "{session} restarted; nothing that was said is lost."
    if_empty = "Nothing has been said in {session} since it last started."
    call.give({"session": key, "reset": is_done}, _(done if is_done else if_empty, session=key))


def _known(call: CommandCall, key: str) -> Soul:
    """Open the agent; SoulError if it has no such session."""
    soul = call.soul()
    need_session(soul, key)
    return soul


def _print(soul: Soul, turn: Turn) -> None:
    mark = f" [{turn.origin}]" if turn.origin == "untrusted" else ""
    who = f"{one_line(turn.speaker) or turn.role}{mark}"
    head = click.style(f"#{turn.n}  {when(turn.at, soul.zone)}  {who}", dim=True)
    text = f"({_('off the record')})" if turn.is_off else harmless(turn.text)
    click.echo("\n".join([head, *(f"  {line}".rstrip() for line in text.split("\n"))]))
