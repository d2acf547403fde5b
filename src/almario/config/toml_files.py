"""Reading the settings' files."""

from pathlib import Path
from typing import Any

from almario.domain.messages import sentence_of
from almario.domain.plain_text import is_safe_id
from almario.errors import ConfigError
from almario.ports import OwnSettings
from almario.store.home import SETTINGS_FILE, expanded, settings_content


def read_toml(path: Path) -> dict[str, Any]:
    """Return what stands in a file; nothing if it is not there."""
    return tables_in(OwnSettings(str(path), settings_content(path)))


def tables_in(own: OwnSettings) -> dict[str, Any]:
    """Return what stands in settings as they are written; nothing if there are none."""
    try:
        text = (own.content or b"").decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as exc:
        raise ConfigError("{file} is not UTF-8 text; save it as UTF-8", file=own.file) from exc
    if not text.strip():
        return {}
    import tomllib  # noqa: PLC0415 - 5 ms, and many homes have no settings

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise ConfigError("{file} is not valid TOML: {why}", file=own.file, why=str(exc)) from exc


def agent_paths(home: Path) -> dict[str, Path]:
    """Return the folders of the agents that almario.toml puts elsewhere."""
    return paths_in(read_toml(home / SETTINGS_FILE).get("agents", {}), home)


def paths_in(table: Any, home: Path) -> dict[str, Path]:
    """Return the folders in the table `agents`; ConfigError names the entry that is wrong."""
    paths: dict[str, Path] = {}
    for name, entry in table.items() if isinstance(table, dict) else (("…", table),):
        path = entry.get("path") if isinstance(entry, dict) and set(entry) == {"path"} else None
        if not isinstance(path, str) or not path:
            raise ConfigError(
                'almario.toml: agents.{name} must have one key, path = "a folder"', name=str(name)
            )
        if not is_safe_id(name) or name.lower() in (known.lower() for known in paths):
            sentence = "almario.toml: agents.{name} is not a safe id, or one that is there already"
            raise ConfigError(sentence, name=name)
        try:
            paths[name] = expanded(path) if path.startswith("~") else home / path
        except ConfigError as exc:
            sentence = "almario.toml: agents.{name}: {why}"
            raise ConfigError(sentence, name=name, why=sentence_of(exc)) from exc
    return paths
