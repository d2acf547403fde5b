"""What the commands share: their options, the agent they mean, and how they print."""

import json
import sys
from collections.abc import Callable, Sequence
from datetime import datetime, tzinfo
from typing import Any, TypeVar

import click

from almario import config
from almario.apps.cli import words
from almario.apps.cli.words import _
from almario.domain.messages import Sentence, say
from almario.domain.model import SOUL_FILES
from almario.soul import Soul
from almario.wiring import Opened, open_home, open_soul

Command = TypeVar("Command", bound=Callable[..., Any])


class InOrder(click.Group):
    """Lists its commands in the order they are written in."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def standard(*, agent: bool = True, as_json: bool = True) -> Callable[[Command], Command]:
    """Give a command `--home`, `--agent` and `--json`."""

    def decorate(function: Command) -> Command:
        if as_json:
            function = click.option("--json", "as_json", is_flag=True, help=_("Print JSON."))(function)
        if agent:
            shown = click.option(
                "--agent", metavar="ID", help=_("The agent that is meant."), shell_complete=_agent_ids
            )
            function = shown(function)
        where = click.option(
            "--home", metavar=_("FOLDER"), help=_("The folder with all agents (default: ~/.almario).")
        )
        return where(function)

    return decorate


def examples(*lines: str) -> str:
    """Return a help text's examples, each on its own line."""
    return "\b\n" + _("Examples:") + "\n" + "\n".join(f"  {line}" for line in lines)


def settings_of(ctx: click.Context) -> dict[str, Any]:
    """Return the settings given as arguments."""
    return dict(config.parsed_argument(text) for text in ctx.find_root().obj["settings"])


def home_of(ctx: click.Context, home: str | None) -> str | None:
    """Return the home that was named, here or before the command."""
    named: str | None = home or ctx.find_root().obj["home"]
    return named


def agent_of(ctx: click.Context, agent: str | None) -> str | None:
    named: str | None = agent or ctx.find_root().obj["agent"]
    return named


def opened_home(ctx: click.Context, home: str | None) -> Opened:
    opened = open_home(home_of(ctx, home), settings=settings_of(ctx))
    tell(opened.told)
    return opened


def opened_soul(ctx: click.Context, home: str | None, agent: str | None) -> Soul:
    """Open the agent that is meant, and tell what opening it did."""
    soul = open_soul(home_of(ctx, home), agent_of(ctx, agent), settings=settings_of(ctx))
    tell(soul.told)
    return soul


def tell(sentences: Sequence[Sentence]) -> None:
    """Say on standard error what was done unasked."""
    for sentence in sentences:
        click.secho("· " + say(words.current(), sentence), err=True, dim=True)


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def print_table(rows: Sequence[Sequence[str]], *, heads: Sequence[str]) -> None:
    """Print rows in columns; the last column is never padded."""
    table = [[click.style(head, bold=True) for head in heads], *rows]
    widths = [max(_width(row[column]) for row in table) for column in range(len(heads) - 1)]
    for row in table:
        padded = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=False)]
        click.echo("  ".join([*padded, row[-1]]).rstrip())


def at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def when(instant: datetime, zone: tzinfo) -> str:
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M}"


def reason(text: str) -> str:
    """Say a version's reason; what follows a colon is somebody's own words."""
    known, colon, own = text.partition(": ")
    return _(known) + colon + own


class SoulFile(click.ParamType[str]):
    """A soul file's name, in any case, with or without `.md`."""

    name = "file"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list["click.shell_completion.CompletionItem"]:
        names = [name for name in SOUL_FILES if name.lower().startswith(incomplete.lower())]
        return [click.shell_completion.CompletionItem(name) for name in names]


def _agent_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    home = ctx.params.get("home") or (ctx.find_root().params.get("home"))
    return [agent.id for agent in open_home(home).home.agents() if agent.id.startswith(incomplete)]


def _width(cell: str) -> int:
    from unicodedata import combining, east_asian_width  # noqa: PLC0415 - only tables need it

    plain = click.unstyle(cell)
    if plain.isascii():
        return len(plain)
    return sum(
        0 if combining(char) or char in "\ufe0f\u200d" else 2 if east_asian_width(char) in "WF" else 1
        for char in plain
    )


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
