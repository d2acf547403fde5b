"""Makes docs/reference/commands.md from the help of the commands, and the table of docs/settings.md.

`make reference`, or `python -m tests.reference`, writes both.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from almario import config
from almario.apps.cli import FIRST, OTHERS, i18n, root
from almario.apps.cli.plugged import names_in
from almario.domain.options import Option
from almario.entry_points import installed

DOCS = Path(__file__).parent.parent / "docs"
COMMANDS = DOCS / "reference/commands.md"
SETTINGS = DOCS / "settings.md"
# What every command has is said once.
COMMON = ("home", "agent", "as_json")
GENERATED = "## All of them\n\n"


def commands(command: click.Command, path: str = "almario") -> Iterator[tuple[str, click.Command]]:
    """Yield a command and all below it, each with its name in full."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from commands(found, f"{path} {name}")


def commands_page(page: str) -> str:
    """Return the page of commands with what their help says."""
    i18n.use("en")
    ours, generated, _ = page.partition(GENERATED)
    sections = {path: section(path, command) for path, command in list(commands(root()))[1:]}
    groups = {"Daily": tuple(FIRST), **OTHERS}
    for name in names_in():
        package = installed("commands")[name].package
        groups[package] = (*groups.get(package, ()), name)
    links = {
        group: ", ".join(f"[{name}](#{anchor(sections[f'almario {name}'])})" for name in names)
        for group, names in groups.items()
    }
    listing = "\n".join(f"- {group}: {named}" for group, named in links.items())
    return "\n".join([ours + generated + listing, "", *sections.values()])


def section(path: str, command: click.Command) -> str:
    """Return what the page says of a command."""
    context = click.Context(command)
    arguments = [each.make_metavar(context) for each in command.params if isinstance(each, click.Argument)]
    sentence, _, examples = (command.help or "").partition("\n\n\b\n")
    options = [each for each in command.params if isinstance(each, click.Option) and each.name not in COMMON]
    lines = [f"{'#' * (path.count(' ') + 1)} `{' '.join([path, *arguments])}`", "", sentence, ""]
    given = [line.strip() for line in examples.splitlines()[1:]]
    if given not in ([], [path]):
        lines += ["```sh", *given, "```", ""]
    if options:
        lines += ["Options: " + ", ".join(option_name(each, context) for each in options), ""]
    return "\n".join(lines)


def option_name(option: click.Option, context: click.Context) -> str:
    """Return an option's names and what it takes."""
    names = "`, `".join([*option.opts, *option.secondary_opts])
    return f"`{names}`" if option.is_flag else f"`{names} {option.make_metavar(context)}`"


def anchor(lines: str) -> str:
    """Return what a section is linked by."""
    return re.sub(r"[^\w -]", "", lines.partition("\n")[0].strip("# ").lower()).replace(" ", "-")


def settings_page(page: str) -> str:
    """Return the page of settings with the table as it is in the code."""
    rows = [
        f"| `{option.key}` | `{default_of(option)}` | {option.limits.doc} |\n" for option in config.options()
    ]
    return re.sub(r"(?<=^\|---\|---\|---\|\n)(\| `.*\n)+", "".join(rows), page, flags=re.MULTILINE)


def default_of(option: Option) -> str:
    """Return a setting's default as TOML has it."""
    default = str(option.default).lower() if isinstance(option.default, bool) else repr(option.default)
    return default.replace("'", '"')


if __name__ == "__main__":
    COMMANDS.write_text(commands_page(COMMANDS.read_text()))
    SETTINGS.write_text(settings_page(SETTINGS.read_text()))
