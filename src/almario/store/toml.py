"""Small edits of a settings file that leave every other byte alone.

Each edit is proved by reading the result: if it does not say exactly what
was wanted, the file is left to its owner.
"""

import json
import re
from typing import Any

from almario.domain.documents.lines import newline_of, split_lines, with_newlines_of
from almario.domain.plain_text import regex
from almario.errors import ConfigError

_BOM = "\ufeff"
_TABLE = regex(r"\s*\[")
# A value that stands in one line.
_VALUE = r"""\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"']+)"""


def with_setting(text: str, key: str, value: bool | int | float | str) -> str:
    """Set `name` or `section.name`: where it stands, or in a new line at the end of its section."""
    wanted = _tables(text)
    table, name = _table(wanted, key)
    lines = split_lines(text.removeprefix(_BOM))
    written = json.dumps(value, ensure_ascii=False)
    if name in table:
        number, found = _assignment(lines, key)
        _put(lines, number, found, written)
    else:
        _insert(lines, key.rpartition(".")[0], f"{name} = {written}{newline_of(text)}")
    table[name] = value
    return _proved(lines, text, wanted, _odd_setting(key))


def without_setting(text: str, key: str) -> str:
    """Take a setting out, if it is there."""
    wanted = _tables(text)
    table, name = _table(wanted, key)
    if name not in table:
        return text
    del table[name]
    lines = split_lines(text.removeprefix(_BOM))
    del lines[_assignment(lines, key)[0]]
    return _proved(lines, text, wanted, _odd_setting(key))


def with_agent_path(text: str, agent: str, path: str) -> str:
    """Add `[agents.<agent>]` with its path at the end."""
    wanted = _tables(text)
    wanted.setdefault("agents", {})[agent] = {"path": path}
    lines = split_lines(text.removeprefix(_BOM))
    _append(lines, [f"[agents.{agent}]\n", f"path = {json.dumps(path, ensure_ascii=False)}\n"], text)
    return _proved(lines, text, wanted, _odd_agent(agent))


def without_agent(text: str, agent: str) -> str:
    """Take the table `[agents.<agent>]` out, and the default agent if it is this one."""
    text = without_agent_path(text, agent)
    return without_setting(text, "agent") if _is_default(text, agent) else text


def without_agent_paths(text: str) -> str:
    """Take every table `[agents.…]` out."""
    for agent in _tables(text).get("agents", {}):
        text = without_agent_path(text, agent)
    return text


def with_agent_renamed(text: str, old: str, new: str) -> str:
    """Give `[agents.<old>]` and the default agent their new name."""
    wanted = _tables(text)
    if old in wanted.get("agents", {}):
        lines = split_lines(text.removeprefix(_BOM))
        found = _first(lines, _header("agents", old))
        if found:
            _put(lines, *found, new)
        wanted["agents"][new] = wanted["agents"].pop(old)
        text = _proved(lines, text, wanted, _odd_agent(old))
    return with_setting(text, "agent", new) if _is_default(text, old) else text


def without_agent_path(text: str, agent: str) -> str:
    """Take the table `[agents.<agent>]` out."""
    wanted = _tables(text)
    if wanted.get("agents", {}).pop(agent, None) is None:
        return text
    lines = split_lines(text.removeprefix(_BOM))
    found = _first(lines, _header("agents", agent))
    if not found:
        raise _odd_agent(agent)
    start, end = found[0], _end(lines, found[0] + 1)
    while start and not lines[start - 1].strip():
        start -= 1
    del lines[start:end]
    return _proved(lines, text, wanted, _odd_agent(agent))


def _is_default(text: str, agent: str) -> bool:
    return str(_tables(text).get("agent", "")).lower() == agent.lower()


def _tables(text: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - 7 ms, and few commands change a setting

    return tomllib.loads(text.removeprefix(_BOM))


def _table(tables: dict[str, Any], key: str) -> tuple[dict[str, Any], str]:
    section, _, name = key.rpartition(".")
    table = tables.setdefault(section, {}) if section else tables
    if not isinstance(table, dict):
        raise _odd_setting(key)
    return table, name


def _header(*names: str) -> re.Pattern[str]:
    *outer, last = map(re.escape, names)
    before = "".join(rf"{name}\s*\.\s*" for name in outer)
    return re.compile(rf"\s*\[\s*{before}[\"']?({last})[\"']?\s*\]")


def _first(lines: list[str], pattern: re.Pattern[str], start: int = 0) -> tuple[int, re.Match[str]] | None:
    return next(
        ((number, found) for number in range(start, len(lines)) if (found := pattern.match(lines[number]))),
        None,
    )


def _put(lines: list[str], number: int, found: re.Match[str], new: str) -> None:
    lines[number] = found.string[: found.start(1)] + new + found.string[found.end(1) :]


def _assignment(lines: list[str], key: str) -> tuple[int, re.Match[str]]:
    """Return the line that sets a key: under the header of its section, or above all of them."""
    section, _, name = key.rpartition(".")
    whole = _first(lines, re.compile(r"\s*" + r"\s*\.\s*".join(map(re.escape, key.split("."))) + _VALUE))
    if whole and whole[0] < _end(lines, 0):
        return whole
    header = _first(lines, _header(section)) if section else None
    found = _first(lines, re.compile(rf"\s*{re.escape(name)}{_VALUE}"), header[0]) if header else None
    if found and header and found[0] < _end(lines, header[0] + 1):
        return found
    raise _odd_setting(key)


def _end(lines: list[str], start: int) -> int:
    found = _first(lines, _TABLE, start)
    end = found[0] if found else len(lines)
    # A comment above the next table belongs to that one.
    while end > start and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _insert(lines: list[str], section: str, line: str) -> None:
    header = _first(lines, _header(section)) if section else None
    if section and not header:
        _append(lines, [f"[{section}]\n", line], line)
        return
    place = _end(lines, header[0] + 1 if header else 0)
    if not header and not place:
        # What is written above the first of all settings is about the file.
        heading = next((n for n, each in enumerate(lines) if not each.startswith("#")), len(lines))
        place = heading if heading == len(lines) or not lines[heading].strip() else 0
    if place and not lines[place - 1].endswith("\n"):
        lines[place - 1] += newline_of(line)
    lines.insert(place, line)


def _append(lines: list[str], table: list[str], like: str) -> None:
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline_of(like)
    if lines and lines[-1].strip():
        lines.append(newline_of(like))
    lines += [with_newlines_of(line, like) for line in table]


def _proved(lines: list[str], before: str, wanted: dict[str, Any], otherwise: ConfigError) -> str:
    text = before[: before.startswith(_BOM)] + "".join(lines)
    try:
        fits = _filled(_tables(text)) == _filled(wanted)
    except ValueError:  # it is no TOML
        fits = False
    if not fits:
        raise otherwise
    return text


def _filled(tables: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tables.items() if value != {}}


def _odd_agent(agent: str) -> ConfigError:
    return ConfigError(
        "almario.toml names the agent {agent} in a way that only you can change; edit it", agent=agent
    )


def _odd_setting(key: str) -> ConfigError:
    return ConfigError("{key} is written in a way that only you can change; edit the file", key=key)
