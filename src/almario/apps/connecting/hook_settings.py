"""The hooks in a program's settings: which are ours, and the settings with them or without."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from almario.apps.connecting.clients import NAME, Hooks
from almario.apps.connecting.settings_file import SettingsFile

# How many seconds a client waits for a hook; at the end of a session Codex allows no more than three.
SECONDS, SECONDS_AT_END = 10, 3


def with_hooks(hooks: Hooks, file: SettingsFile, commands: Mapping[str, str]) -> dict[str, Any]:
    """Return settings with these commands of ours for these events, and none else of ours."""
    events: dict[str, Any] = {}
    for event, groups in _events(file).items():
        kept = [group for group in map(_without_ours, groups) if group is not None]
        if kept or not groups:
            events[event] = kept
    for event, command in commands.items():
        is_end = hooks.events[event] == "session-end"
        run = {"command": command, "timeout": SECONDS_AT_END if is_end else SECONDS}
        matcher = {"matcher": hooks.matchers[event]} if event in hooks.matchers else {}
        group = {**matcher, "hooks": [{"type": "command", **run}]} if hooks.is_grouped else run
        events[event] = [*events.get(event, []), group]
    head = {key: value for key, value in hooks.head.items() if key not in file.value} if commands else {}
    rest = {**head, **{key: value for key, value in file.value.items() if key != "hooks" or events}}
    return {**rest, "hooks": events} if events else rest


def _events(file: SettingsFile) -> dict[str, list[Any]]:
    found = file.entry(("hooks",)) or {}
    if not all(isinstance(groups, list) for groups in found.values()):
        raise file.not_an_object("hooks")
    return found


def our_hooks(file: SettingsFile) -> dict[str, str]:
    """Return the commands of ours that a file has, by event."""
    runs = [
        (event, each) for event, groups in _events(file).items() for group in groups for each in _runs(group)
    ]
    return {event: each["command"] for event, each in runs if _is_our_run(each)}


def _runs(group: Any) -> list[Any]:
    inner = group.get("hooks", [group]) if isinstance(group, dict) else []
    return inner if isinstance(inner, list) else []


def _without_ours(group: Any) -> Any:
    runs = _runs(group)
    kept = [run for run in runs if not _is_our_run(run)]
    if len(kept) == len(runs):
        return group
    return {**group, "hooks": kept} if kept else None


def _is_our_run(run: Any) -> bool:
    return isinstance(run, dict) and is_ours(_split(run.get("command")), "hook")


def _split(command: Any) -> list[str]:
    try:
        return shlex.split(command) if isinstance(command, str) else []
    except ValueError:
        return []


def is_ours(words: Sequence[str], verb: str) -> bool:
    """Return whether a command line runs Almario for *verb*."""
    return verb in words and any(Path(word).name == NAME for word in words[: words.index(verb)])
