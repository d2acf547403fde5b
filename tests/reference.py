"""Makes docs/reference/commands.md from the help of the commands, and the tables of settings and of verbs.

`make reference`, or `python -m tests.reference`, writes them.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click

from almario import config
from almario.apps.cli import i18n, root
from almario.apps.cli.command_table import FIRST, OTHERS
from almario.entry_points import Group, installed
from almario.verb_table import Scope, scopes

DOCS = Path(__file__).parent.parent / "docs"
COMMANDS = DOCS / "reference/commands.md"
SETTINGS = DOCS / "settings.md"
CLIENT = DOCS / "client.md"
# What every command has is said once.
COMMON = ("home", "agent", "as_json")
GENERATED = "## All of them\n\n"


def commands(command: click.Command, path: str = "almario") -> Iterator[tuple[str, click.Command]]:
    """Yield a command and all below it, each with its name in full."""
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from commands(command_of(command, name), f"{path} {name}")


def commands_page(page: str) -> str:
    """Return the page of commands with what their help says."""
    i18n.use("en")
    ours, generated, _ = page.partition(GENERATED)
    top = root()
    groups = {"Daily": tuple(FIRST), **OTHERS}
    for name, package in brought("commands").items():
        if "." not in name:  # else a command of one of our groups
            groups[package] = (*groups.get(package, ()), name)
    named = [name for names in groups.values() for name in names]
    shown = [name for name in top.list_commands(click.Context(top)) if name in named]
    sections = {name: section(name, command_of(top, name)) for name in shown}
    links = {
        group: ", ".join(f"[{name}](#{anchor(sections[name])})" for name in names)
        for group, names in groups.items()
    }
    listing = "\n".join(f"- {group}: {linked}" for group, linked in links.items())
    return "\n".join([ours + generated + listing, "", *sections.values()])


def brought(group: Group) -> dict[str, str]:
    """Return what our packages bring, each with its package; whoever makes the page may have others."""
    ours = {each.name for each in (DOCS.parent / "packages").iterdir()}
    return {name: each.package for name, each in installed(group).items() if each.package in ours}


def command_of(group: click.Group, name: str) -> click.Command:
    """Return a command of a group."""
    found = group.get_command(click.Context(group), name)
    assert found is not None
    return found


def section(name: str, command: click.Command) -> str:
    """Return what the page says of a command, and of those below it a line each."""
    below = list(commands(command, f"almario {name}"))[1:]
    # Of those below, what their own line does not show: an option, a pipe, a redirection.
    own = examples_of(command)
    theirs = [line for _, each in below for line in examples_of(each) if re.search(r" --|[|>(]", line)]
    shown = [line for line in dict.fromkeys([*own, *theirs]) if line != f"almario {name}"]
    lines = [f"## `{' '.join([f'almario {name}', *arguments_of(command)])}`", "", sentences_of(command), ""]
    if shown:
        lines += ["```sh", *shown, "```", ""]
    if options := options_of(command):
        lines += [f"Options: {options}", ""]
    for path, each in below:
        options = options_of(each)
        lines.append(
            f"- `{' '.join([path.removeprefix('almario '), *arguments_of(each)])}`: {sentences_of(each)}"
            + (f" Options: {options}" if options else "")
        )
    return "\n".join([*lines, ""] if below else lines)


def sentences_of(command: click.Command) -> str:
    """Return what a command's help says."""
    return (command.help or "").partition("\n\n\b\n")[0]


def examples_of(command: click.Command) -> list[str]:
    """Return the examples of a command's help."""
    return [line.strip() for line in (command.help or "").partition("\n\n\b\n")[2].splitlines()[1:]]


def arguments_of(command: click.Command) -> list[str]:
    """Return what a command takes besides its options."""
    context = click.Context(command)
    return [each.make_metavar(context) for each in command.params if isinstance(each, click.Argument)]


def options_of(command: click.Command) -> str:
    """Return the names of a command's own options."""
    context = click.Context(command)
    options = [each for each in command.params if isinstance(each, click.Option) and each.name not in COMMON]
    return ", ".join(option_name(each, context) for each in options)


def option_name(option: click.Option, context: click.Context) -> str:
    """Return an option's names and what it takes."""
    names = "`, `".join([*option.opts, *option.secondary_opts])
    return f"`{names}`" if option.is_flag else f"`{names} {option.make_metavar(context)}`"


def anchor(lines: str) -> str:
    """Return what a section is linked by."""
    return re.sub(r"[^\w -]", "", lines.partition("\n")[0].strip("# ").lower()).replace(" ", "-")


def settings_page(page: str) -> str:
    """Return the page of settings with the table as it is in the code, packages' own last."""
    rows = [row(option.key, option.default, option.limits.doc) for option in config.options()]
    for name in sorted(brought("settings")):
        declared = installed("settings")[name].load().declared
        rows += [row(f"{name}.{key}", option.default, option.limits.doc) for key, option in declared.items()]
    return re.sub(r"(?<=^\|---\|---\|---\|\n)(\| `.*\n)+", "".join(rows), page, flags=re.MULTILINE)


def client_page(page: str) -> str:
    """Return the client's page with the table of verbs as it is in the code, by what a token must allow."""
    parts: dict[str, dict[str, list[str]]] = {}
    for name, scope in scopes().items():
        part, _, own = name.rpartition(".")
        parts.setdefault(f"`.{part}`" if part else "on the client", {}).setdefault(scope, []).append(own)
    table = ""
    for part, of in parts.items():
        cells = [f"`{' '.join(of[scope])}`" if scope in of else "" for scope in get_args(Scope)]
        table += f"| {part} | {' | '.join(cells)} |\n"
    return re.sub(r"(?<=^\|---\|---\|---\|---\|\n)(\|.*\n)+", table, page, flags=re.MULTILINE)


def row(key: str, default: object, words: str) -> str:
    """Return the line of a setting, with its default as TOML has it."""
    return f"| `{key}` | {'not set' if default is None else f'`{json.dumps(default)}`'} | {words} |\n"


if __name__ == "__main__":
    COMMANDS.write_text(commands_page(COMMANDS.read_text()))
    SETTINGS.write_text(settings_page(SETTINGS.read_text()))
    CLIENT.write_text(client_page(CLIENT.read_text()))
