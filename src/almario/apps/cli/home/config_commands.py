"""`almario config`: every setting in force, and where it came from."""

import json

import click

from almario import config
from almario.apps.cli.common import Call, helped, standard
from almario.apps.cli.i18n import _
from almario.apps.cli.printing import print_json, print_table


@click.command(
    "config",
    help=helped(
        _("Show every setting in force and where its value came from."),
        "almario config",
        "almario config prompt",
        "almario config --schema > almario.schema.json",
    ),
)
@click.argument("key", required=False, metavar=_("[KEY]"))
@click.option("--schema", is_flag=True, help=_("Print the JSON Schema of the settings files."))
@standard()
def command(call: Call, key: str | None, schema: bool) -> None:
    if schema:
        print_json(config.schema())
        return
    found = call.configured()
    values = {name: value for name, value in found.values().items() if not key or _is_under(name, key)}
    if not values and key:
        raise config.unknown_key(key, "config")
    if call.as_json:
        print_json({name: {"value": value, "from": found.origins[name]} for name, value in values.items()})
        return
    rows = [
        [name, json.dumps(value, ensure_ascii=False), _(found.origins[name])]
        for name, value in values.items()
    ]
    print_table(rows, heads=[_("Setting"), _("Value"), _("From")])
    for name, path in found.paths.items():
        if not key:
            click.echo(f"agents.{name}.path = {json.dumps(str(path), ensure_ascii=False)}")


def _is_under(name: str, key: str) -> bool:
    return name == key or name.startswith(key + ".")
