"""Connecting a program to an agent, and disconnecting it: which files change and how, told before they do.

Only what is ours is put in and taken out. A text that could lose its comments
is left as it is, and its owner is told what to change.
"""

import json
import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from difflib import unified_diff
from itertools import pairwise
from pathlib import Path
from shutil import which
from typing import Any

from almario.apps.connecting.clients import ARGUMENTS, CLIENTS, NAME, RUN, Client, Hooks
from almario.apps.connecting.hook_settings import is_ours, our_hooks, with_hooks
from almario.apps.connecting.settings_file import SettingsFile, read_settings, replace, settings_in
from almario.domain.messages import Sentence, sentence_of
from almario.errors import EditConflict, SoulError
from almario.named_tuples import NamedTuple

# What the copy of a file as it was before Almario is called, after the file.
COPY = ".before-almario"
# `${VARIABLE:-folder}`, as in a shell.
_VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")


class Launch(NamedTuple):
    """How a client starts Almario: the program, and the options that say which home and which agent."""

    program: Sequence[str]
    options: Sequence[str]

    def server(self) -> list[str]:
        """Return the words that start the MCP server."""
        return [*self.program, "mcp", *self.options]

    def hook(self, event: str, *options: str) -> str:
        """Return the shell's command for a hook."""
        return shlex.join([*self.program, "hook", event, *self.options, *options])


class ConnectStep(NamedTuple):
    """A file that changes: its text before and after.

    If it has to be done by hand, *by_hand* is what to add or take out.
    """

    path: Path
    before: str | None
    after: str | None
    by_hand: str = ""
    # Whether a copy is kept of what was there: it has nothing of ours yet.
    keeps_copy: bool = False

    def diff(self) -> str:
        """Return what changes, as a unified diff."""
        before, after = ((text or "").splitlines() for text in (self.before, self.after))
        lines = unified_diff(before, after, str(self.path), str(self.path), lineterm="")
        return "".join(f"{line}\n" for line in lines)


class Program(NamedTuple):
    """A program that can be connected, and whether it is, by what and to which agent.

    Its *home* is empty if that is the default one. If its *file* cannot be read, *problem* says why.
    """

    id: str
    name: str
    is_installed: bool
    file: str
    mcp: bool = False
    hooks: bool = False
    agent: str = ""
    home: str = ""
    problem: Sentence | None = None
    # Which hooks of ours it could have, and does not.
    missing: tuple[str, ...] = ()

    @property
    def is_connected(self) -> bool:
        return self.mcp or self.hooks


def expanded(path: str) -> Path:
    """Return a path of the table on this machine."""
    here = _VARIABLE.sub(lambda found: os.environ.get(found[1]) or found[2], path)
    return Path(here).expanduser()


def path_of(client: Client) -> Path:
    """Return the file that has a program's MCP servers."""
    return expanded(client.mac_file if client.mac_file and sys.platform == "darwin" else client.file)


def is_installed(client: Client) -> bool:
    """Return whether a program seems to be on this machine: its command, or a folder for its settings."""
    files = [path_of(client), *([expanded(client.hooks.file)] if client.hooks else [])]
    return bool(which(client.program)) or any(
        file.parent != Path.home() and file.parent.is_dir() for file in files
    )


def programs() -> list[Program]:
    """Return the programs that can be connected, touching nothing."""
    return [program(name) for name in CLIENTS]


def program(name: str) -> Program:
    """Return one program that can be connected, touching nothing."""
    client = CLIENTS[name]
    found = Program(name, client.name, is_installed(client), str(path_of(client)))
    try:
        server = _words(read_settings(path_of(client)).entry((*client.key, NAME)))
        hooks = our_hooks(read_settings(expanded(client.hooks.file))) if client.hooks else {}
    except SoulError as exc:
        return found._replace(problem=sentence_of(exc))
    except OSError as exc:
        return found._replace(problem=Sentence("{path} cannot be read", path=str(exc.filename)))
    has_server = is_ours(server, "mcp")
    words = server if has_server else [word for line in hooks.values() for word in shlex.split(line)]
    agent, home = (
        next((after for word, after in pairwise(words) if word == option), "")
        for option in ("--agent", "--home")
    )
    could = client.hooks.events if client.hooks and hooks else {}
    missing = tuple(event for event in could if event not in hooks)
    return found._replace(mcp=has_server, hooks=bool(hooks), agent=agent, home=home, missing=missing)


def connecting(client: Client, line: Launch, *, mcp: bool = True, hooks: bool = True) -> list[ConnectStep]:
    """Return what has to change so that a client is connected; nothing if it is."""
    steps = [_put_server(client, line.server())] if mcp else []
    if hooks and client.hooks:
        steps.append(_put_hooks(client.hooks, line))
    return [step for step in steps if step]


def disconnecting(client: Client) -> list[ConnectStep]:
    """Return what has to change so that a client is not connected; nothing if it is not."""
    steps = [_take_server(client), _take_hooks(client.hooks) if client.hooks else None]
    return [step for step in steps if step]


def apply(step: ConnectStep) -> None:
    """Make a change, unless the file changed since; a copy is kept of what was there before Almario."""
    if read_settings(step.path).text != step.before:
        raise EditConflict("{path} changed in the meantime; run the command again", path=str(step.path))
    copy = copy_of(step.path)
    if step.before is not None and step.keeps_copy:
        replace(copy, step.before, like=step.path)
    if step.after is None:
        step.path.unlink()
    else:
        replace(step.path, step.after, like=step.path)
    if copy.exists() and read_settings(step.path).text == copy.read_bytes().decode():
        copy.unlink()


# The server in a client's settings


def _entry_for(client: Client, line: Sequence[str]) -> dict[str, Any]:
    """Return the entry that has a command line run."""
    known = {RUN: line[0], ARGUMENTS: list(line[1:])}
    return {
        key: known.get(value, value) if isinstance(value, str) else value
        for key, value in client.entry.items()
    }


def _put_server(client: Client, line: Sequence[str]) -> ConnectStep | None:
    file, path = read_settings(path_of(client)), (*client.key, NAME)
    there, wanted = file.entry(path), _entry_for(client, line)
    ours = {key: wanted[key] for key, value in client.entry.items() if value in (RUN, ARGUMENTS)}
    entry = {**there, **ours} if there else wanted
    if entry == there:
        return None
    after = file.with_entry(path, entry)
    if after is None:
        return _by_hand(file, _shown(file.path, path, entry))
    return ConnectStep(file.path, file.text, after, keeps_copy=not is_ours(_words(there), "mcp"))


def _take_server(client: Client) -> ConnectStep | None:
    file, path = read_settings(path_of(client)), (*client.key, NAME)
    there = file.entry(path)
    if there is None or not is_ours(_words(there), "mcp"):
        return None
    if step := _restored(file, lambda copy: copy.with_entry(path, there)):
        return step
    after = file.with_entry(path, None)
    if after is None:
        return _by_hand(file, _shown(file.path, path, there))
    return _left(file, after)


# The hooks in a client's settings


def _put_hooks(hooks: Hooks, line: Launch) -> ConnectStep | None:
    file = read_settings(expanded(hooks.file))
    wanted = {event: line.hook(ours, *hooks.options) for event, ours in hooks.events.items()}
    there = our_hooks(file)
    if there == wanted:
        return None
    value = with_hooks(hooks, file, wanted)
    after = file.with_value(value)
    if after is None:
        events = with_hooks(hooks, SettingsFile(file.path, None, {}, has_comments=False), wanted)
        return _by_hand(file, json.dumps(events, ensure_ascii=False, indent=2))
    return ConnectStep(file.path, file.text, after, keeps_copy=not there)


def _take_hooks(hooks: Hooks) -> ConnectStep | None:
    file = read_settings(expanded(hooks.file))
    there = our_hooks(file)
    if not there:
        return None
    if step := _restored(file, lambda copy: copy.with_value(with_hooks(hooks, copy, there))):
        return step
    after = file.with_value(with_hooks(hooks, file, {}))
    if after is None:
        return _by_hand(file, "\n".join(there.values()))
    return _left(file, after, head=hooks.head)


# What both have in common


def _restored(file: SettingsFile, connected: Callable[[SettingsFile], str | None]) -> ConnectStep | None:
    """Return how a file becomes what it was, byte for byte, if nothing but our part was changed since."""
    copy = copy_of(file.path)
    if not copy.exists():
        return None
    text = copy.read_bytes().decode(errors="replace")
    try:
        is_same = connected(settings_in(file.path, text)) == file.text
    except SoulError:
        return None
    return ConnectStep(file.path, file.text, text) if is_same and text != file.text else None


def _left(file: SettingsFile, after: str, *, head: Mapping[str, Any] | None = None) -> ConnectStep:
    is_json = file.path.suffix == ".json"
    is_empty = not after.strip() or (is_json and settings_in(file.path, after).value == (head or {}))
    return ConnectStep(file.path, file.text, None if is_empty and not copy_of(file.path).exists() else after)


def _by_hand(file: SettingsFile, snippet: str) -> ConnectStep:
    return ConnectStep(file.path, file.text, file.text, by_hand=snippet)


def _shown(file: Path, path: tuple[str, ...], entry: Mapping[str, Any]) -> str:
    return SettingsFile(file, None, {}, has_comments=False).with_entry(path, entry) or ""


def _words(entry: Mapping[str, Any] | None) -> list[str]:
    found = entry or {}
    arguments = found.get("args")
    run = found.get("command") or found.get("cmd") or ""
    return [str(run), *map(str, arguments if isinstance(arguments, list) else [])]


def copy_of(path: Path) -> Path:
    """Return where the copy of a file as it was before Almario is."""
    return path.with_name(path.name + COPY)
