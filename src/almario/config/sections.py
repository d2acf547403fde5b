"""Sections of the settings that plug-ins bring, looked for when somebody sets what we do not know."""

from collections.abc import Mapping
from functools import cache

from almario.domain.logs import Log
from almario.domain.messages import sentence_of
from almario.domain.options import Declared, Limits
from almario.entry_points import Plugin, installed
from almario.errors import PluginError

log = Log(__name__)

Plugins = tuple[Plugin, ...]


def plugins() -> Plugins:
    """Return the plug-ins that have settings."""
    return tuple(installed("settings").values())


def is_section(name: str) -> bool:
    """Return whether a plug-in has a section of that name, be it broken or not."""
    return name in installed("settings")


@cache  # also so that what is broken is told once
def sections(found: Plugins) -> Mapping[str, Declared]:
    """Return the section of each plug-in; one that is broken has none."""
    declared: dict[str, Declared] = {}
    for plugin in found:
        try:
            kind = plugin.load()
            with plugin.blamed():
                declared[plugin.name] = Declared(kind(), Limits(""), kind)
        except PluginError as exc:
            log.warning("a plug-in was left out: %s", sentence_of(exc))
    return declared
