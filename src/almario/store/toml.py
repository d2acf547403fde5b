"""Small edits of a settings file that leave every other byte alone.

Each edit is proved by reading the result: if it does not say exactly what
was wanted, the file is left to its owner.
"""

import json
import re
import tomllib
from typing import Any

from almario.domain.documents.lines import split_lines, with_newlines_of
from almario.errors import ConfigError

_TABLE = re.compile(r"\s*\[")


def with_agent_path(text: str, agent: str, path: str) -> str:
    """Add `[agents.<agent>]` with its path at the end."""
    gap = "" if not text or text.endswith(("\n\n", "\n\r\n")) else "\n" if text.endswith("\n") else "\n\n"
    table = f"{gap}[agents.{agent}]\npath = {json.dumps(path, ensure_ascii=False)}\n"
    wanted = _tables(text)
    wanted.setdefault("agents", {})[agent] = {"path": path}
    return _proved(text + with_newlines_of(table, text), wanted, agent)


def without_agent(text: str, agent: str) -> str:
    """Take the table `[agents.<agent>]` out, and the default agent if it is this one."""
    text = _without_table(text, agent)
    lines = split_lines(text)
    wanted = _tables(text)
    if _is_default(wanted, agent):
        lines = [line for line in lines if not _default(agent).match(line)]
        del wanted["agent"]
    return _proved("".join(lines), wanted, agent)


def without_agent_paths(text: str) -> str:
    """Take every table `[agents.…]` out."""
    for agent in _tables(text).get("agents", {}):
        text = _without_table(text, agent)
    return text


def with_agent_renamed(text: str, old: str, new: str) -> str:
    """Give `[agents.<old>]` and the default agent their new name."""
    lines = split_lines(text)
    wanted = _tables(text)
    if old in wanted.get("agents", {}):
        _replace_first(lines, _header(old), new)
        wanted["agents"][new] = wanted["agents"].pop(old)
    if _is_default(wanted, old):
        _replace_first(lines, _default(old), new)
        wanted["agent"] = new
    return _proved("".join(lines), wanted, old)


def _without_table(text: str, agent: str) -> str:
    lines = split_lines(text)
    wanted = _tables(text)
    if agent not in wanted.get("agents", {}):
        return text
    start, end = _table_lines(lines, agent)
    while start and not lines[start - 1].strip():
        start -= 1
    del lines[start:end]
    del wanted["agents"][agent]
    wanted = {name: value for name, value in wanted.items() if name != "agents" or value}
    return _proved("".join(lines), wanted, agent)


def _is_default(tables: dict[str, Any], agent: str) -> bool:
    return str(tables.get("agent", "")).lower() == agent.lower()


def _default(agent: str) -> re.Pattern[str]:
    return re.compile(rf"\ufeff?\s*agent\s*=\s*[\"']({re.escape(agent)})[\"']", re.IGNORECASE)


def _tables(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _header(agent: str) -> re.Pattern[str]:
    return re.compile(rf"\ufeff?\s*\[\s*agents\s*\.\s*[\"']?({re.escape(agent)})[\"']?\s*\]")


def _replace_first(lines: list[str], pattern: re.Pattern[str], new: str) -> None:
    """Put *new* in the place of the group, in the first line that fits."""
    for index, line in enumerate(lines):
        if found := pattern.match(line):
            lines[index] = line[: found.start(1)] + new + line[found.end(1) :]
            return


def _table_lines(lines: list[str], agent: str) -> tuple[int, int]:
    header = _header(agent)
    start = next((n for n, line in enumerate(lines) if header.match(line)), None)
    if start is None:
        raise _by_hand(agent)
    end = next((n for n in range(start + 1, len(lines)) if _TABLE.match(lines[n])), len(lines))
    # A comment above the next table belongs to that one.
    while not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#"):
        end -= 1
    return start, end


def _proved(text: str, wanted: dict[str, Any], agent: str) -> str:
    try:
        fits = _tables(text) == wanted
    except tomllib.TOMLDecodeError:
        fits = False
    if not fits:
        raise _by_hand(agent)
    return text


def _by_hand(agent: str) -> ConfigError:
    return ConfigError(
        "almario.toml names the agent {agent} in a way that only you can change; edit it", agent=agent
    )
