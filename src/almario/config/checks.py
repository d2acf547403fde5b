"""What the value of a setting must be, and which time zone one means."""

import os
import time
from collections.abc import Callable, Mapping
from datetime import timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from almario.domain.messages import Sentence
from almario.domain.options import Option
from almario.domain.plain_text import shown_address
from almario.entry_points import installed
from almario.errors import ConfigError
from almario.memory.settings import EMBEDDERS

STORE = "store"
# Where a setting comes from that was given with a command.
ARGUMENT = "argument"


def checked(option: Option, value: Any, origin: str) -> Any:
    """Return a value as its setting has it; ConfigError says what it must be."""
    fits, allowed = _CHECKS.get(option.key, (None, None))
    if not option.accepts(value) or (fits and not fits(value)):
        allowed = allowed or option.allowed
        sentence = "{key} must be {allowed}, not {value!r}"
        shown = fit_to_show(option.key, value)
        raise wrong(origin, Sentence(sentence, key=option.key, allowed=allowed, value=shown))
    return option.type(value)


def wrong(origin: str, what: Sentence) -> ConfigError:
    """Return the error for a setting, with the file or the variable that has it."""
    if origin == ARGUMENT:
        return ConfigError(what.text, **what.facts)
    return ConfigError("{file}: {what}", file=Sentence(origin), what=what)


def fit_to_show(key: str, value: Any) -> Any:
    """Return a setting's value as it may be shown: of an address, the host."""
    return shown_address(value) if key == STORE and isinstance(value, str) else value


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
    from almario.upkeep.schedules import is_schedule  # noqa: PLC0415 - few set it

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
        Sentence("local, openai, none, or the name of a plug-in that is installed"),
    ),
    "llm.prices": (_are_prices, Sentence('prices such as "anthropic/claude-x = 3, 15; ollama/* = 0, 0"')),
    "reflection.schedule": (_is_schedule, Sentence('a time in cron\'s five fields, such as "30 3 * * *"')),
    "proposals.accept": (
        lambda titles: not _names_drives(titles),
        Sentence("titles of sections other than Core Drives, which never changes without asking"),
    ),
}
