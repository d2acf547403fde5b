"""The country of a time zone, and of a language."""

import os
import zoneinfo
from datetime import tzinfo
from functools import cache

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
