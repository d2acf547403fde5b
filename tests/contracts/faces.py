"""More faces of a soul for the programs of `test_client`: commands as they are typed, and tools of MCP.

A verb that has a command or a tool for what is asked is asked there; the others are the soul's own. What a
command prints as JSON is read as the client reads what a server answers. A tool tells less than a verb gives:
what is written by it must be what the verb writes, and what it finds must be what the verb finds.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from almario import Soul, Wanted, verb_table
from almario.domain.records import read
from almario.errors import SoulError
from tests.apps.conftest import Run
from tests.apps.mcp.programs import Program, text_of

Ask = Callable[..., Any]


class Face:
    """A soul some of whose verbs are asked *elsewhere*; those that were are *used*."""

    def __init__(self, soul: Any, elsewhere: Mapping[str, Ask], path: str = "") -> None:
        self._soul, self._elsewhere, self._path = soul, elsewhere, path
        self.used: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        path, own = self._path + name, getattr(self._soul, name)
        if path in verb_table.parts():
            part = Face(own, self._elsewhere, f"{path}.")
            part.used = self.used
            return part
        if path not in self._elsewhere:
            return own

        def ask(*args: Any, **named: Any) -> Any:
            answer = self._elsewhere[path](**verb_table.verb(path).given(args, named))
            self.used |= {path} if answer is not NotImplemented else set()
            return own(*args, **named) if answer is NotImplemented else answer

        return ask


def typed(soul: Soul, run: Run) -> Face:
    """Return a soul whose verbs are commands, where there are such."""
    return Face(soul, {name: _command(name, run) for name in COMMANDS})


def _command(name: str, run: Run) -> Ask:
    def ask(**given: Any) -> Any:
        if not (line := COMMANDS[name](**given)):
            return NotImplemented
        done = run(*line, "--json")
        if done.code and not done.out:
            raise SoulError(done.err.splitlines()[-1].removeprefix("Error: "))
        returns, said = verb_table.verb(name).returns, json.loads(done.out)
        return None if returns is type(None) else read(returns, said)

    return ask


def _line(*words: object, **options: Any) -> list[str]:
    """Return what is typed: `when="today"` is `--when today`, and what is empty is left out."""
    line = [str(word) for word in words]
    for name, value in options.items():
        for each in value if isinstance(value, tuple) else [value]:
            line += ([f"--{name}"] if each is True else [f"--{name}", str(each)]) if each else []
    return line


def _listed(wanted: Wanted = Wanted(), as_of: object = None) -> list[str]:  # noqa: B008 - a constant
    if as_of or wanted._replace(keys=(), states=()) != Wanted():
        return []
    return _line("memory", "list", key=wanted.keys, state=wanted.states)


def _memory_changed(memory_id: str, **more: Any) -> list[str]:
    match more:
        case {"right": right}:
            return _line("memory", "confirm" if right else "reject", memory_id)
        case {"shared": shared}:
            return _line("memory", "share", memory_id, off=not shared)
        case {"cues": _}:
            return []
    return _line("memory", "change", memory_id, **more)


def _goal_changed(wanted: str, state: str = "", note: str = "", priority: str = "") -> list[str]:
    if done := {"started": "start", "done": "complete", "dropped": "drop"}.get(state):
        return _line("goals", done, wanted, outcome=note)
    return _line("goals", "edit", wanted, reopen=state == "open", note=note, priority=priority)


COMMANDS: dict[str, Callable[..., list[str]]] = {
    "remember": lambda text, value=None, **more: _line("remember", value or text, key=value and text, **more),
    "forget": lambda target, every=False: _line("forget", target, all=every),
    "memory.plans": lambda: _line("plans"),
    "undo": lambda line="": _line("undo", *filter(None, [line])),
    "flush": lambda session: _line("flush", session=session),
    "memory.list": _listed,
    "memory.restore": lambda **one: _line("memory", "restore", *one.values()),
    "memory.change": _memory_changed,
    "goals.list": lambda: _line("goals"),
    "goals.add": lambda text, **more: _line("goals", "add", text, **more),
    "goals.change": _goal_changed,
    "proposals.list": lambda every=False: _line("proposals", all=every),
    "proposals.get": lambda wanted: _line("proposals", "show", wanted),
    "proposals.accept": lambda wanted: _line("proposals", "accept", wanted),
    "proposals.reject": lambda wanted, why="": _line("proposals", "reject", wanted, why=why),
    "sessions.list": lambda: _line("sessions"),
}


def by_tools(soul: Soul) -> Face:
    """Return a soul some of whose verbs are tools of a program that speaks MCP."""

    def call(name: str, **given: Any) -> Any:
        done = Program(soul).call(name, **{key: value for key, value in given.items() if value})
        if done.is_error:
            raise SoulError(text_of(done).removeprefix("Error: "))
        return done.structured_content

    def changed(wanted: str, state: str = "", note: str = "", priority: str = "") -> None:
        done = {"started": "start", "done": "complete", "open": "reopen", "dropped": "drop"}.get(state)
        action = done or ("note" if note else "reprioritise")
        call("goals", action=action, goal=wanted, text=note, priority=priority)

    def added(text: str, priority: str = "") -> None:
        call("goals", action="add", goal=text, priority=priority)

    def recall(**given: Any) -> Any:
        found = soul.recall(**given)
        if given.keys() <= {"question", "limit", "explain"}:
            told = call("recall", query=given["question"], top_k=given.get("limit", 5))["found"]
            assert [each["id"] for each in told] == [hit.name for hit in found]
        return found

    def why(memory_id: str) -> Any:
        found, told = soul.memory.why(memory_id), call("why", id=memory_id)
        assert [each["what"] for each in told["history"]] == [each.verb for each in found.history]
        assert (told["state"], tuple(told["evidence"])) == (found.state, found.memory.evidence)
        return found

    return Face(soul, {"goals.add": added, "goals.change": changed, "memory.why": why, "recall": recall})
