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
    found = plain_tables(text)
    return _parsed(text, own.file) if found is None else found


def plain_tables(text: str) -> dict[str, Any] | None:
    """Read TOML of nothing but comments, [sections] and plain values; None if there is more to a text.

    Nearly every file is so, and what reads all of TOML takes long to load.
    """
    found: dict[str, Any] = {}
    table = found
    for line in text.replace("\r\n", "\n").split("\n"):
        if not line.isprintable():
            return None
        if not line or line.startswith("#"):
            continue
        name, is_set, value = line.partition(" = ")
        is_table = not is_set and name.startswith("[") and name.endswith("]")
        name = name[1:-1] if is_table else name
        made: Any = {} if is_table else _plain_value(value)
        if made is None or name in table or name in found or not _is_plain_name(name):
            return None
        if is_table:
            found[name] = table = made
        else:
            table[name] = made
    return found


def _is_plain_name(name: str) -> bool:
    return name.isascii() and name.replace("_", "").isalnum()


def _plain_value(text: str) -> str | bool | int | None:
    if len(text) > 1 and text[0] == text[-1] == '"' and not {'"', "\\"} & {*text[1:-1]}:
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    is_number = text.isascii() and text.isdecimal() and (text == "0" or text[0] != "0")
    return int(text) if is_number else None


def _parsed(text: str, file: str) -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - few files need it

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as exc:
        raise ConfigError("{file} is not valid TOML: {why}", file=file, why=str(exc)) from exc


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
