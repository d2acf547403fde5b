"""The programs that can be given a memory, a row each: all in which one differs from another.

Where each keeps its settings and how it has them written; of a coding agent with hooks, too, how it is
recognised, which of its events is which of ours, and in which form it wants its answer. A hook loads this
module while somebody waits.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, Literal

from almario.named_tuples import NamedTuple

# What the server is called in every program's settings.
NAME = "almario"
# Stand for what is known when a program is connected: what is run, and its arguments.
RUN, ARGUMENTS = "{run}", "{arguments}"
_CONFIG = "${XDG_CONFIG_HOME:-~/.config}"
_MAC = "~/Library/Application Support"


# What a program tells a hook, and the environment in which it does: whether that is this program.
Recognises = Callable[[Mapping[str, Any], Mapping[str, str]], bool]


class Hooks(NamedTuple):
    """Where a program has its hooks, which of its events is which of ours, and how it is spoken with."""

    file: str
    events: Mapping[str, str]
    recognises: Recognises
    # Claude's way: an event has groups of hooks. Cursor's: it has the commands themselves.
    is_grouped: bool = True
    # Whose form of answer it takes.
    answer: Literal["claude", "cursor"] = "claude"
    # What of its environment tells about a call: who calls, and about which project.
    variables: tuple[str, ...] = ()
    # What a new file begins with.
    head: Mapping[str, Any] = {}
    # What our command is told besides: a client that is not always known by what it says.
    options: tuple[str, ...] = ()
    # Of its events those that only some tools wake, and by which tools.
    matchers: Mapping[str, str] = {}
    # Whose form its own transcripts of sessions have.
    transcript: Literal["claude-code", "codex"] | None = None


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
    # What is left to do for whoever has connected it.
    note: str = ""


def _is_codex(payload: Mapping[str, Any], environment: Mapping[str, str]) -> bool:
    transcript, session = str(payload.get("transcript_path", "")), str(payload.get("session_id", ""))
    # Its sessions have UUIDs of version 7; those of Claude Code are of version 4.
    return (
        "turn_id" in payload or os.path.basename(transcript).startswith("rollout-") or session[14:15] == "7"
    )


def _is_cursor(payload: Mapping[str, Any], environment: Mapping[str, str]) -> bool:
    return "CURSOR_VERSION" in environment or "cursor_version" in payload or "conversation_id" in payload


_CLAUDE_EVENTS = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "user-prompt",
    "PreToolUse": "pre-tool-use",
    "PostToolUseFailure": "post-tool-use-failure",
    "Stop": "stop",
    "PreCompact": "pre-compact",
    "PostCompact": "post-compact",
    "SessionEnd": "session-end",
}
# To it a command that fails is one that was run.
_CODEX_EVENTS = {name: ours for name, ours in _CLAUDE_EVENTS.items() if name != "PostToolUseFailure"}
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
        hooks=Hooks(
            "${CLAUDE_CONFIG_DIR:-~/.claude}/settings.json",
            _CLAUDE_EVENTS,
            lambda _payload, _environment: True,
            variables=("CLAUDE_PROJECT_DIR",),
            matchers={
                "PreToolUse": "Read|Edit|MultiEdit|Write|NotebookEdit|Bash",
                "PostToolUseFailure": "Bash",
            },
            transcript="claude-code",
        ),
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
        hooks=Hooks(
            "${CODEX_HOME:-~/.codex}/hooks.json",
            _CODEX_EVENTS,
            _is_codex,
            options=("--client", "codex"),
            matchers={"PreToolUse": "Bash|apply_patch"},
            transcript="codex",
        ),
        note="Codex runs new hooks only after you approve them: type /hooks in Codex.",
    ),
    "cursor": Client(
        "Cursor",
        "cursor",
        "~/.cursor/mcp.json",
        hooks=Hooks(
            "~/.cursor/hooks.json",
            _CURSOR_EVENTS,
            _is_cursor,
            is_grouped=False,
            answer="cursor",
            variables=("CURSOR_VERSION",),
            head={"version": 1},
        ),
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
        note="Gemini CLI starts MCP servers only in folders that you trust.",
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
# The coding agents that have hooks. Each is asked whether it recognises a call, the last one first: the first
# takes what no other does.
HOOKED: dict[str, Hooks] = {name: client.hooks for name, client in CLIENTS.items() if client.hooks}
