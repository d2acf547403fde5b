"""`almario config`: every setting in force, where it came from, and another value for it."""

import json
from typing import Any

import click

from almario import config
from almario.apps.cli.common import Call, InOrder, helped, standard, tell
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json, print_table
from almario.config.checks import checked
from almario.domain.messages import Sentence
from almario.errors import AgentNotFound
from almario.wiring import choose_agent


class _ByKey(InOrder):
    """Takes a setting's name for `get` and that name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["get", *args])


@click.group(
    "config",
    cls=_ByKey,
    invoke_without_command=True,
    help=helped(
        _("Show every setting in force and where its value came from, or change one."),
        "almario config",
        "almario config get prompt",
        "almario config set timezone Europe/Madrid",
        "almario config --schema > almario.schema.json",
    ),
)
@click.option("--schema", is_flag=True, help=_("Print the JSON Schema of the settings files."))
@standard()
def command(call: Call, schema: bool) -> None:
    if schema:
        print_json(config.schema())
    elif not click.get_current_context().invoked_subcommand:
        _show(call, "")


@command.command(
    "get",
    help=helped(_("Show one setting or one section."), "almario config get prompt.recent_days"),
)
@click.argument("key", metavar=_("KEY"))
@standard()
def get(call: Call, key: str) -> None:
    _show(call, key)


def _show(call: Call, key: str) -> None:
    found = call.configured()
    values = {
        name: value for name, value in found.values().items() if f"{name}.".startswith(key and f"{key}.")
    }
    if not values:
        raise config.unknown_key(key, "config")
    if call.as_json:
        print_json({name: {"value": value, "from": found.origins[name]} for name, value in values.items()})
        return
    rows = [[name, _written(value), _(found.origins[name])] for name, value in values.items()]
    print_table(rows, heads=[_("Setting"), _("Value"), _("From")])
    for name, path in found.paths.items() if not key else ():
        click.echo(f"agents.{name}.path = {_written(str(path))}")


@command.command(
    "set",
    help=helped(
        _("Change a setting. In almario.toml for all agents, or with --agent in that agent's agent.toml."),
        "almario config set timezone Europe/Madrid",
        "almario config set prompt.recent_days 3 --agent work",
    ),
)
@click.argument("key", metavar=_("KEY"))
@click.argument("value", metavar=_("VALUE"))
@standard(as_json=False)
def set_value(call: Call, key: str, value: str) -> None:
    put(call, key, value)


@command.command(
    "unset",
    help=helped(
        _("Remove a setting. From almario.toml, or with --agent from that agent's agent.toml."),
        "almario config unset timezone",
    ),
)
@click.argument("key", metavar=_("KEY"))
@standard(as_json=False)
def unset(call: Call, key: str) -> None:
    put(call, key, None)


def put(call: Call, key: str, text: str | None) -> None:
    """Write a setting down, or take it out for None; say which value is in force then."""
    opened = call.opened()
    folder = choose_agent(opened, call.agent).path if call.agent else None
    file = config.AGENT_FILE if folder else config.HOME_FILE
    option = config.known(key, file)
    value = None if text is None else checked(option, option.parse(text), file)
    if key == "agent" and value:
        value = opened.home.agent(value).id
    opened.home.set(key, value, folder / file if folder else None)
    try:
        found = opened.configured(folder or choose_agent(opened, None).path)
    except AgentNotFound:
        found = config.load(opened.home.root, arguments=call.settings)
    _confirm(found, key, file, is_set=value is not None)


def _confirm(found: config.Config, key: str, file: str, *, is_set: bool) -> None:
    now, origin = found.values()[key], found.origins[key]
    click.echo(_("{key} is {value} (from {origin}).", key=key, value=_written(now), origin=_(origin)))
    if is_set and origin != file:
        tell([Sentence("{origin} overrides {file}; change it there", file=file, origin=Sentence(origin))])


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
