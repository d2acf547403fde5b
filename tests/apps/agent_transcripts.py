"""Transcripts as Claude Code and Codex write them while a session goes on."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.apps.hooked import BOAT


class ClaudeCodeTranscript:
    """The transcript of one session: what is done is written down with its outcome."""

    def __init__(self, folder: Path, session: str = "s1") -> None:
        self.path = folder / f"{session}.jsonl"
        self._session = session
        self._count = 0

    def ran(self, command: str, output: str = "", *, failed: bool = False, at: datetime) -> None:
        shown = f"Exit code 1\n{output}" if failed else output
        kept = f"Error: {shown}" if failed else {"stdout": output, "stderr": "", "interrupted": False}
        self._used("Bash", {"command": command, "description": "Try it"}, shown, kept, failed, at)

    def edited(self, path: str, old: str, new: str, *, at: datetime) -> None:
        place = f"{BOAT}/{path}"
        given = {"file_path": place, "old_string": old, "new_string": new}
        kept = {"filePath": place, "oldString": old, "newString": new, "originalFile": "SECRETFILE " * 9}
        self._used("Edit", given, f"The file {place} has been updated.", kept, False, at)

    def _used(
        self, tool: str, given: Mapping[str, Any], shown: str, kept: object, failed: bool, at: datetime
    ) -> None:
        self._count += 1
        name = f"toolu_01A09q90qw90lq917835lq{self._count}"
        use = {"type": "tool_use", "id": name, "name": tool, "input": given}
        result = {"type": "tool_result", "tool_use_id": name, "content": shown, "is_error": failed}
        self._add("assistant", [use], at)
        self._add("user", [result], at, toolUseResult=kept)
        # A request as it was sent, with all that was said before.
        blob = {"type": "api-request-blob", "messages": [{"role": "user", "content": [use, result]}]}
        self._write(blob | {"sessionId": self._session, "message": {"role": "user", "content": [result]}})

    def _add(self, role: str, content: object, at: datetime, **more: Any) -> None:
        message = {"role": role, "content": content}
        line = {"type": role, "sessionId": self._session, "cwd": BOAT, "message": message}
        self._write({**line, "timestamp": at.isoformat(), "uuid": f"{role}-{self._count}", **more})

    def _write(self, line: Mapping[str, Any]) -> None:
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")


class CodexTranscript:
    """The rollout of one session of Codex."""

    def __init__(self, folder: Path, session: str = "s1") -> None:
        self.path = folder / f"rollout-2026-11-16T10-00-00-{session}.jsonl"
        self._count = 0

    def ran(self, command: str, output: str = "", *, failed: bool = False, at: datetime) -> None:
        item = {"type": "CommandExecution", "command": ["/bin/bash", "-lc", command], "cwd": BOAT}
        status = "failed" if failed else "completed"
        self._done(item | {"aggregated_output": output, "exit_code": int(failed), "status": status}, at)

    def edited(self, path: str, old: str, new: str, *, at: datetime) -> None:
        diff = f"@@ -1,1 +1,1 @@\n-{old}\n+{new}\n"
        changes = {f"{BOAT}/{path}": {"type": "update", "unified_diff": diff, "move_path": None}}
        self._done({"type": "FileChange", "changes": changes, "status": "completed"}, at)

    def _done(self, item: Mapping[str, Any], at: datetime) -> None:
        self._count += 1
        name = f"call_Zk3T9aWq8LrXv{self._count}"
        lines: Iterator[Mapping[str, Any]] = iter(
            (
                {"type": "function_call", "name": "exec_command", "call_id": name, "arguments": "{}"},
                {"type": "item_completed", "item": {"id": name, **item}},
                {"type": "function_call_output", "call_id": name, "output": "Process exited with code 0"},
            )
        )
        with self.path.open("a") as file:
            for payload in lines:
                kind = "event_msg" if payload["type"] == "item_completed" else "response_item"
                line = {"timestamp": at.isoformat(), "type": kind, "payload": payload}
                file.write(json.dumps(line) + "\n")
