"""A coding agent as its hooks see it: it tells what clients were recorded to tell, and hears the answer."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from almario.apps.hooks.clients import read_call
from almario.apps.hooks.hooking import answered
from almario.domain.turns import session_key
from almario.ports import LLM, Store
from almario.projects import project_at
from almario.soul import Soul
from almario.wiring.remembering import derived
from tests.souls import soul_on

RECORDED: dict[str, dict[str, dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "hook_calls.json").read_text()
)
CLIENTS = tuple(RECORDED)
BOAT, HOUSE = "/src/boat", "/src/house"


def recorded(client: str, event: str, text: str = "", *, session: str, folder: str, **more: Any) -> bytes:
    """Return what a client told, with other words."""
    reply = json.dumps({**RECORDED[client][event], **more})
    for place, value in (("SESSION", session), ("FOLDER", folder), ("TEXT", text)):
        reply = reply.replace(place, json.dumps(value)[1:-1])
    return reply.encode()


class Client:
    """One session of a coding agent in a folder; each hook is a process of its own."""

    def __init__(
        self,
        opened: Callable[[], Soul],
        name: str = "claude-code",
        session: str = "s1",
        folder: str = BOAT,
        *,
        learns: bool = True,
    ) -> None:
        self._opened = opened
        self._name = name
        self._session = session
        self._folder = folder
        self._learns = learns
        self.key = session_key(name, session, project=project_at(folder))

    def __call__(self, event: str, text: str = "", **more: Any) -> str:
        """Call a hook, and return what the model is told."""
        content = recorded(self._name, event, text, session=self._session, folder=self._folder, **more)
        call = read_call(event, content, environment={})
        soul = self._opened()
        learn = (
            (lambda session: soul.flush(session) if session else None) if self._learns else (lambda _: None)
        )
        said, _ = answered(soul, call, learn) if call.has_content else ("", 0)
        soul.finish()
        return self._heard(said)

    def runs(self, command: str) -> str:
        """Tell a hook that a command is about to be run, and return what the model is told."""
        return self("pre-tool-use", command)

    def edits(self, path: str, old: str = "old", new: str = "new") -> str:
        """Tell a hook that a file of the project is about to be changed."""
        given = {"file_path": f"{self._folder}/{path}", "old_string": old, "new_string": new}
        return self("pre-tool-use", tool_name="Edit", tool_input=given)

    def another(self, session: str, **changed: Any) -> "Client":
        """Return another session of the same program."""
        own: dict[str, Any] = {"name": self._name, "folder": self._folder, "learns": self._learns}
        return Client(self._opened, session=session, **(own | changed))

    def _heard(self, said: str) -> str:
        if not said:
            return ""
        answer = json.loads(said)
        if self._name == "cursor":
            return str(answer["additional_context"])
        assert [name for name in answer if name != "systemMessage"] == ["hookSpecificOutput"]
        told = answer["hookSpecificOutput"]
        if told.get("permissionDecision") == "deny":
            return f"HELD: {told['permissionDecisionReason']}"
        assert sorted(told) == ["additionalContext", "hookEventName"]
        return str(told["additionalContext"])


def processes_on(
    store: Store, settings: Mapping[str, Any] | None = None, llm: LLM | None = None
) -> Callable[[], Soul]:
    """Return what opens the soul on a store as another process does each time."""
    index = derived(None)
    return lambda: soul_on(store, {"embedder.name": "none", **(settings or {})}, llm, index)
