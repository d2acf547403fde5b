"""Plug-ins: what other packages bring, found by their entry points and loaded when they are used.

Looking for them must cost next to nothing, because every command would pay for
it: what is installed is asked for only if some package names one of our groups.
"""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from almario.errors import AlmarioError, PluginError

# What a package can bring; docs/plugins.md says what each must be.
Group = Literal["llms", "embedders", "tools", "commands", "importers", "explorers", "settings"]

_GROUP = re.compile(rb"^\[almario\.(\w+)\]", re.MULTILINE)


class Plugin(NamedTuple):
    """One thing that a package brings, not loaded yet; *also* is another package that brings it, too."""

    name: str
    package: str
    point: Any
    also: str = ""

    def load(self) -> Any:
        """Return what the package brings; PluginError says what is wrong with it."""
        if self.also:
            sentence = 'both {package} and {other} bring a plug-in called "{name}"; uninstall one of them'
            raise PluginError(sentence, package=self.package, other=self.also, name=self.name)
        with self.blamed():
            return self.point.load()

    @contextmanager
    def blamed(self, *passing: type[BaseException]) -> Iterator[None]:
        """Say that the package is broken if anything fails meanwhile; what is *passing* goes through."""
        known: tuple[type[BaseException], ...] = (AlmarioError, *passing)
        try:
            yield
        except known:
            raise
        except Exception as exc:  # whatever a stranger's code does
            sentence = '{package} is broken: its plug-in "{name}" failed ({why}); update or uninstall it'
            why = f"{type(exc).__name__}: {exc}"
            raise PluginError(sentence, package=self.package, name=self.name, why=why) from exc


def installed(group: Group) -> Mapping[str, Plugin]:
    """Return the plug-ins of a group by their names, in order."""
    return _installed(group, tuple(sys.path))


@cache
def _installed(group: str, path: tuple[str, ...]) -> Mapping[str, Plugin]:
    found: dict[str, Plugin] = {}
    if group not in _groups(path):
        return MappingProxyType(found)
    from importlib.metadata import entry_points  # noqa: PLC0415 - as slow to load as all of click

    for point in sorted(entry_points(group=f"almario.{group}"), key=lambda each: each.name):
        package = point.dist.name if point.dist else "?"
        known = found.get(point.name)
        found[point.name] = known._replace(also=package) if known else Plugin(point.name, package, point)
    return MappingProxyType(found)


@cache
def _groups(path: tuple[str, ...]) -> frozenset[str]:
    """Return the groups that some package on a path brings something for, without importing anything."""
    texts = b"\n".join(text for folder in path for text in _entry_points_in(folder) if b"almario." in text)
    return frozenset(name.decode() for name in _GROUP.findall(texts))


def _entry_points_in(folder: str) -> Iterator[bytes]:
    try:
        names = [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # no folder, or an archive, which brings no plug-ins
        return
    for name in names:
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                yield file.read()
        except OSError:  # most packages have none
            continue
