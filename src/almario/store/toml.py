"""Changes of a settings file that keep what its owner wrote there: comments, order and form.

A comment above a table counts as the end of the one before it: what is added there comes below it, and it
goes with that one.
"""

from collections.abc import Callable, MutableMapping
from typing import Any

from almario.domain.documents.lines import with_newlines_of
from almario.errors import ConfigError

_BOM = "\ufeff"
_AGENTS = "agents"
_Tables = MutableMapping[str, Any]


def with_setting(text: str, key: str, value: bool | int | float | str) -> str:
    """Set `name` or `section.name`."""

    def change(tables: _Tables) -> None:
        section, _, name = key.rpartition(".")
        _table(tables, section)[name] = value

    return _changed(text, change)


def without_setting(text: str, key: str) -> str:
    """Take a setting out, if it is there."""

    def change(tables: _Tables) -> None:
        section, _, name = key.rpartition(".")
        if not section or section in tables:
            _table(tables, section).pop(name, None)

    return _changed(text, change)


def with_agent_path(text: str, agent: str, path: str) -> str:
    """Add `[agents.<agent>]` with its path."""

    def change(tables: _Tables) -> None:
        if agent in _table(tables, _AGENTS):
            raise ConfigError("almario.toml names the agent {agent} already", agent=agent)
        _table(tables[_AGENTS], agent)["path"] = path

    return _changed(text, change)


def without_agent(text: str, agent: str) -> str:
    """Take the table `[agents.<agent>]` out, and the default agent if it is this one."""

    def change(tables: _Tables) -> None:
        _take_out(tables, agent)
        if str(tables.get("agent", "")).lower() == agent.lower():
            del tables["agent"]

    return _changed(text, change)


def without_agent_path(text: str, agent: str) -> str:
    """Take the table `[agents.<agent>]` out."""
    return _changed(text, lambda tables: _take_out(tables, agent))


def without_agent_paths(text: str) -> str:
    """Take every table `[agents.…]` out."""

    def change(tables: _Tables) -> None:
        for agent in list(tables.get(_AGENTS, {})):
            _take_out(tables, agent)

    return _changed(text, change)


def with_agent_renamed(text: str, old: str, new: str) -> str:
    """Give `[agents.<old>]` and the default agent their new name."""

    def change(tables: _Tables) -> None:
        if old in tables.get(_AGENTS, {}):
            if new in tables[_AGENTS]:
                raise ConfigError("almario.toml names the agent {agent} already", agent=new)
            tables[_AGENTS][new] = tables[_AGENTS].pop(old)
        if str(tables.get("agent", "")).lower() == old.lower():
            tables["agent"] = new

    return _changed(text, change)


def _changed(text: str, change: Callable[[_Tables], None]) -> str:
    """Return a file as it is with a change; what it says then is read once more, and nothing else."""
    import tomllib  # noqa: PLC0415 - 30 ms with the next, and few commands change a setting

    import tomlkit  # noqa: PLC0415
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    plain = text.removeprefix(_BOM)
    try:
        tables = tomlkit.parse(plain)
        before = tables.unwrap()
        change(tables)
        if tables.unwrap() == before:
            return text
        after = tables.as_string()
        is_sound = _filled(tomllib.loads(after)) == _filled(tables.unwrap())
    except (TOMLKitError, ValueError) as exc:
        raise ConfigError("the file of the settings is not valid TOML: {why}", why=str(exc)) from exc
    if not is_sound:
        raise ConfigError("the settings are written in a way that only you can change; edit the file")
    return text[: len(text) - len(plain)] + with_newlines_of(after, plain)


def _table(tables: _Tables, name: str) -> _Tables:
    import tomlkit  # noqa: PLC0415 - few commands change a setting

    found = tables.setdefault(name, tomlkit.table()) if name else tables
    if not isinstance(found, MutableMapping):
        raise ConfigError("{key} is a section; write [{key}] above its settings", key=name)
    return found


def _take_out(tables: _Tables, agent: str) -> None:
    if tables.get(_AGENTS, {}).pop(agent, None) is not None and not tables[_AGENTS]:
        del tables[_AGENTS]


def _filled(tables: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in tables.items() if value != {}}
