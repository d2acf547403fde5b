"""Commands of the version before, and what is typed instead of them; the next version drops this list."""

import click

from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_line
from almario.errors import SoulError
from almario.named_tuples import NamedTuple


class Heir(NamedTuple):
    """The line that is typed now; if it *runs*, it does the same with the same arguments after it.

    Where none follows that is no option, it is as if *otherwise* did.
    """

    line: str
    runs: bool = False
    otherwise: str = ""


OLD = {
    "checkin": Heir("move ID --to postgres://…"),
    "checkout": Heir("move ID --to folder"),
    "days": Heir("log --day DATE"),
    "agents new": Heir("init --agent", runs=True),
    "agents default": Heir("config set agent", runs=True),
    "daemon run": Heir("daemon", runs=True),
    "daemon uninstall": Heir("daemon install --remove", runs=True),
    "flight": Heir("serve"),
    "goals note": Heir("goals edit GOAL --note TEXT"),
    "goals priority": Heir("goals edit GOAL --priority PRIORITY"),
    "goals reopen": Heir("goals edit --reopen", runs=True),
    "memory accept": Heir("forget --not-in", runs=True),
    "memory as-of": Heir("memory list --as-of", runs=True),
    "memory condense": Heir("memory tidy"),
    "memory consolidate": Heir("memory tidy"),
    "memory cues": Heir("memory tidy"),
    "memory download-model": Heir("config set embedder.name openai"),
    "memory export": Heir("export --as jsonl --force --to", runs=True, otherwise="-"),
    "memory helped": Heir("memory confirm ID"),
    "memory history": Heir("undo --list"),
    "memory import": Heir("import --yes --from bundle", runs=True),
    "memory keys": Heir("memory list"),
    "memory purge": Heir("forget --purge --expired DAYS"),
    "memory show": Heir("memory why ID"),
    "memory stats": Heir("doctor"),
    "memory timeline": Heir("memory list --since DAY"),
    "memory trust": Heir("memory confirm", runs=True),
    "memory undo": Heir("undo", runs=True),
    "memory verify": Heir("doctor", runs=True),
    "memory unshare": Heir("memory share --off", runs=True),
    "news": Heir("memory list --since DAY"),
    "model stop": Heir("config set llm.local_idle_minutes MINUTES"),
    "people untrust": Heir("people trust --off", runs=True),
    "soul lint": Heir("prompt --explain"),
    "soul unlock": Heir("soul lock --off", runs=True),
    "store key": Heir("store --key", runs=True),
    "store status": Heir("store", runs=True),
    "verify": Heir("doctor", runs=True),
}


def as_now(ctx: click.Context, args: list[str]) -> list[str] | None:
    """Return what is typed now for a command of the version before; None if it never was one.

    SoulError names the new line where that is not the same.
    """
    old = " ".join([*_path(ctx), args[0]])
    heir = OLD.get(old)
    if heir is None:
        return None
    facts = {"old": f"almario {old}", "new": f"almario {heir.line}"}
    if not heir.runs:
        raise SoulError('"{old}" is gone; use "{new}"', **facts)
    if not ctx.resilient_parsing:
        print_line(_('"{old}" is now "{new}"', **facts), lead="· ", dim=True, err=True)
    is_alone = len(args) == 1 or args[1].startswith("--")
    return [*heir.line.split(), *([heir.otherwise] if heir.otherwise and is_alone else []), *args[1:]]


def _path(ctx: click.Context) -> list[str]:
    """Return the names of the groups that lead here, below the root."""
    return [*_path(ctx.parent), str(ctx.command.name)] if ctx.parent else []
