"""What the value of a setting must be, and which time zone one means."""

import os
import time
import zoneinfo
from collections.abc import Callable, Mapping
from datetime import timedelta, timezone, tzinfo
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from almario.domain.messages import Sentence, sentence_of
from almario.domain.options import Option
from almario.domain.plain_text import is_safe_id, without_password
from almario.entry_points import installed
from almario.errors import ConfigError
from almario.memory.settings import EMBEDDERS
from almario.ports import OwnSettings
from almario.store.home import SETTINGS_FILE, expanded, settings_content

STORE = "store"


def checked(option: Option, value: Any, origin: str) -> Any:
    """Return a value as its setting has it; ConfigError says what it must be."""
    fits, allowed = _CHECKS.get(option.key, (lambda _: True, option.allowed))
    if not option.accepts(value) or not fits(value):
        sentence = "{file}: {key} must be {allowed}, not {value!r}"
        shown = fit_to_show(option.key, value)
        raise ConfigError(sentence, file=Sentence(origin), key=option.key, allowed=allowed, value=shown)
    return option.type(value)


def fit_to_show(key: str, value: Any) -> Any:
    """Return a setting's value as it may be shown: an address without its password."""
    return without_password(value) if key == STORE and isinstance(value, str) else value


def zone_named(name: str, environment: Mapping[str, str]) -> tzinfo:
    """Return the zone with that name; "auto" is that of TZ or of /etc/localtime, by name if it has one."""
    if name != "auto":
        return ZoneInfo(name)
    for place in (environment.get("TZ", "").lstrip(":"), os.path.realpath("/etc/localtime")):
        found = place.rpartition("zoneinfo/")[2]
        if found and _is_zone(found):
            return ZoneInfo(found)
        if place:  # a rule such as JST-9, or a copied file: the system knows how far we are from UTC now
            return timezone(timedelta(seconds=time.localtime().tm_gmtoff))
    return ZoneInfo("UTC")


def _is_schedule(text: str) -> bool:
    from almario.upkeep.scheduler import is_schedule  # noqa: PLC0415 - few set it

    return is_schedule(text)


def _names_drives(titles: str) -> bool:
    from almario.becoming.rules.consent import names_drives  # noqa: PLC0415 - as above

    return any(map(names_drives, titles.split(",")))


def _are_prices(text: str) -> bool:
    from almario.upkeep.rules.costs import prices_in  # noqa: PLC0415 - few set it

    try:
        prices_in(text)
    except ConfigError:
        return False
    return True


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


# What a value of these must be, besides what its option says.
_CHECKS: dict[str, tuple[Callable[[str], bool], Sentence]] = {
    STORE: (
        lambda url: not url or url.partition("://")[0] in {"postgres", "postgresql", *installed("stores")},
        Sentence('the address of a database, "postgres://…", or empty'),
    ),
    "timezone": (
        lambda name: name == "auto" or _is_zone(name),
        Sentence("a time zone such as Europe/Madrid"),
    ),
    "embedder.name": (
        lambda name: name in EMBEDDERS or name.partition("/")[0] in installed("embedders"),
        Sentence("local, openai, fastembed, none, or the name of a plug-in that is installed"),
    ),
    "llm.prices": (
        _are_prices,
        Sentence('prices such as "anthropic/claude-x = 3, 15; ollama/* = 0, 0"'),
    ),
    "reflection.schedule": (
        _is_schedule,
        Sentence('a time in cron\'s five fields, such as "30 3 * * *"'),
    ),
    "proposals.accept": (
        lambda titles: not _names_drives(titles),
        Sentence("titles of sections other than Core Drives, which never changes without asking"),
    ),
}


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
    import tomllib  # noqa: PLC0415 - see above

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


_TABLE = "zone.tab"
# Where the zone tells no country: the one that a language is spoken in, if one comes first to mind.
_BY_LANGUAGE = {"es": "ES", "pt": "PT", "fr": "FR", "de": "DE", "it": "IT", "ja": "JP"}


def region_of(zone: tzinfo, language: str) -> str:
    """Return the country of a zone, or else of a language, such as ES; empty if neither tells one."""
    return _country(getattr(zone, "key", "")) or _BY_LANGUAGE.get(language, "")


@cache
def _country(name: str) -> str:
    if not name:
        return ""
    for folder in zoneinfo.TZPATH:
        table = _text(os.path.join(folder, _TABLE))
        # An older name of a zone is a link to the newer one.
        real = os.path.relpath(os.path.realpath(os.path.join(folder, name)), os.path.realpath(folder))
        if table:
            return _in_table(table, name) or _in_table(table, real)
    from importlib import resources  # noqa: PLC0415 - 10 ms, where the system has no list

    try:
        return _in_table((resources.files("tzdata") / "zoneinfo" / _TABLE).read_text("utf-8"), name)
    except (ModuleNotFoundError, OSError):
        return ""


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return ""


def _in_table(table: str, name: str) -> str:
    rows = (row.split("\t") for row in table.splitlines() if not row.startswith("#"))
    return next((row[0] for row in rows if len(row) > 2 and row[2] == name), "")
