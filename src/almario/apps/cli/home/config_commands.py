"""`almario config`: every setting in force, where it came from, and another value for it."""

import json
from typing import Any

import click

from almario import config
from almario.apps.cli.common import CommandCall, CommandGroup, make_group, tell, text_of
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_table
from almario.config.checks import STORE
from almario.domain.messages import Sentence
from almario.errors import AgentNotFound, StoreError
from almario.wiring import choose_agent


class _ByKey(CommandGroup):
    """Takes a setting's name for `get` and that name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["get", *args])


@make_group(
    "config",
    "Show every setting in force and where its value came from, or change one.",
    "almario config",
    "almario config get prompt",
    "almario config set timezone Europe/Madrid",
    cls=_ByKey,
)
def command(call: CommandCall) -> None:
    _show(call, "")


@command.make("get", "Show one setting or one section.", "almario config get prompt.recent_days")
@click.argument("key", metavar=_("KEY"))
def get(call: CommandCall, key: str) -> None:
    _show(call, key)


def _show(call: CommandCall, key: str) -> None:
    found = call.configured()
    values = {
        name: value for name, value in found.values().items() if f"{name}.".startswith(key and f"{key}.")
    }
    if not values:
        raise config.unknown_key(key, "config")
    if call.gave_json({name: {"value": each, "from": found.origins[name]} for name, each in values.items()}):
        return
    rows = [[name, _(found.origins[name]), _written(value)] for name, value in values.items()]
    print_table(rows, heads=[_("Setting"), _("From"), _("Value")])
    for name, path in found.paths.items() if not key else ():
        click.echo(f"agents.{name}.path = {_written(str(path))}")


@command.make(
    "set",
    "Change a setting. In almario.toml for all agents, or with --agent in that agent's agent.toml. "
    "A value of - is read from a pipe, where no other account of this machine sees it.",
    "almario config set timezone Europe/Madrid",
    "almario config set prompt.recent_days 3 --agent work",
    "almario config set store -",
    as_json=False,
)
@click.argument("key", metavar=_("KEY"))
@click.argument("value", metavar=_("VALUE"))
def set_value(call: CommandCall, key: str, value: str) -> None:
    put(call, key, text_of("-").strip() if value == "-" else value)


@command.make(
    "unset",
    "Remove a setting. From almario.toml, or with --agent from that agent's agent.toml.",
    "almario config unset timezone",
    as_json=False,
)
@click.argument("key", metavar=_("KEY"))
def unset(call: CommandCall, key: str) -> None:
    put(call, key, None)


def put(call: CommandCall, key: str, text: str | None) -> None:
    """Write a setting down, or take it out for None; say which value is in force then."""
    opened = call.opened()
    agent = choose_agent(opened, call.agent) if call.agent else None
    file = opened.change(key, text, agent)
    try:
        found = opened.configured(agent or choose_agent(opened, None))
    except (AgentNotFound, StoreError):
        found = config.load(opened.root, arguments=call.settings)
    _confirm(found, key, file, is_set=text is not None)


def tell_of_store(call: CommandCall) -> None:
    """Say that a program which others start looks for agents elsewhere, unless almario.toml says where."""
    found = call.opened().config
    origin = found.origins[STORE]
    if found.settings.store and origin != config.HOME_FILE:
        sentence = "programs that others start do not see {origin}; put store in almario.toml, too"
        tell([Sentence(sentence, origin=Sentence(origin))])


def _confirm(found: config.Config, key: str, file: str, *, is_set: bool) -> None:
    if config.is_retired(key):
        click.echo(_("{key} is no longer there.", key=key))
        return
    now, origin = found.values()[key], found.origins[key]
    if key == "agent" and origin == file:
        click.echo(_("{id} is used when no agent is named.", id=now))
        return
    click.echo(_("{key} is {value} (from {origin}).", key=key, value=_written(now), origin=_(origin)))
    if is_set and origin != file:
        tell([Sentence("{origin} overrides {file}; change it there", file=file, origin=Sentence(origin))])


def _written(value: Any) -> str:
    return _("not set") if value is None else json.dumps(value, ensure_ascii=False)
