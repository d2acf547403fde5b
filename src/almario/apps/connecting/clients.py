"""The programs that can be given a memory: where each keeps its settings, and how it has them written."""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Any

from almario.named_tuples import NamedTuple

# What the server is called in every program's settings.
NAME = "almario"
# Stand for what is known when a program is connected: what is run, and its arguments.
RUN, ARGUMENTS = "{run}", "{arguments}"
# `${VARIABLE:-folder}`, as in a shell.
_VARIABLE = re.compile(r"\$\{(\w+):-([^}]*)\}")
_CONFIG = "${XDG_CONFIG_HOME:-~/.config}"
_MAC = "~/Library/Application Support"


class Hooks(NamedTuple):
    """Where a program has its hooks, and which of its events is which of ours."""

    file: str
    events: Mapping[str, str]
    # Claude's way: an event has groups of hooks. Cursor's: it has the commands themselves.
    is_grouped: bool = True
    # What a new file begins with.
    head: Mapping[str, Any] = {}
    # What our command is told besides: a client that is not always known by what it says.
    options: tuple[str, ...] = ()


class Client(NamedTuple):
    """A program, its file of settings, the place of MCP servers in it and the shape of one."""

    name: str
    # Its command, and on macOS its application.
    program: str
    file: str
    mac_file: str = ""
    key: tuple[str, ...] = ("mcpServers",)
    entry: Mapping[str, Any] = {"command": RUN, "args": ARGUMENTS}
    hooks: Hooks | None = None

    def path(self) -> Path:
        """Return the file that has its MCP servers."""
        return expanded(self.mac_file if self.mac_file and sys.platform == "darwin" else self.file)

    def is_installed(self) -> bool:
        """Return whether it seems to be on this machine: its command, or a folder for its settings."""
        files = [self.path(), *([expanded(self.hooks.file)] if self.hooks else [])]
        return bool(which(self.program)) or any(
            file.parent != Path.home() and file.parent.is_dir() for file in files
        )

    def entry_for(self, line: Sequence[str]) -> dict[str, Any]:
        """Return the entry that has a command line run."""
        known = {RUN: line[0], ARGUMENTS: list(line[1:])}
        return {
            key: known.get(value, value) if isinstance(value, str) else value
            for key, value in self.entry.items()
        }


_CLAUDE_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "user-prompt",
    "Stop": "stop",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compact",
    "SessionEnd": "session-end",
}
_CURSOR_EVENTS = {
    "sessionStart": "session-start",
    "beforeSubmitPrompt": "user-prompt",
    "afterAgentResponse": "stop",
    "preCompact": "pre-compact",
    "sessionEnd": "session-end",
}
_TYPED = {"type": "stdio", "command": RUN, "args": ARGUMENTS}

CLIENTS: dict[str, Client] = {
    "claude-code": Client(
        "Claude Code",
        "claude",
        "${CLAUDE_CONFIG_DIR:-~}/.claude.json",
        entry={**_TYPED, "env": {}},
        hooks=Hooks("${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json", _CLAUDE_EVENTS),
    ),
    "claude-desktop": Client(
        "Claude Desktop",
        "claude-desktop",
        f"{_CONFIG}/Claude/claude_desktop_config.json",
        f"{_MAC}/Claude/claude_desktop_config.json",
    ),
    "codex": Client(
        "Codex",
        "codex",
        "${CODEX_HOME:-~/.codex}/config.toml",
        key=("mcp_servers",),
        hooks=Hooks("${CODEX_HOME:-~/.codex}/hooks.json", _CLAUDE_EVENTS, options=("--client", "codex")),
    ),
    "cursor": Client(
        "Cursor",
        "cursor",
        "~/.cursor/mcp.json",
        hooks=Hooks("~/.cursor/hooks.json", _CURSOR_EVENTS, is_grouped=False, head={"version": 1}),
    ),
    "vscode": Client(
        "VS Code",
        "code",
        f"{_CONFIG}/Code/User/mcp.json",
        f"{_MAC}/Code/User/mcp.json",
        key=("servers",),
        entry=_TYPED,
    ),
    "gemini": Client(
        "Gemini CLI",
        "gemini",
        "~/.gemini/settings.json",
    ),
    "openclaw": Client(
        "OpenClaw",
        "openclaw",
        "${OPENCLAW_STATE_DIR:-~/.openclaw}/openclaw.json",
        key=("mcp", "servers"),
    ),
    "zed": Client(
        "Zed",
        "zed",
        f"{_CONFIG}/zed/settings.json",
        "~/.config/zed/settings.json",
        key=("context_servers",),
        entry={"command": RUN, "args": ARGUMENTS, "env": {}},
    ),
}


def expanded(path: str) -> Path:
    """Return a path of the table on this machine."""
    here = _VARIABLE.sub(lambda found: os.environ.get(found[1]) or found[2], path)
    return Path(here).expanduser()
