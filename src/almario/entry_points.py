"""Plug-ins: what other packages bring, found by their entry points and loaded when they are used.

Looking for them must cost next to nothing, because every command would pay for
it: what is installed is asked for only if some package names one of our groups.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal

from almario.errors import AlmarioError, PluginError
from almario.named_tuples import NamedTuple

# What a package can bring; docs/plugins.md says what each must be.
Group = Literal["llms", "embedders", "tools", "commands", "importers", "explorers", "settings"]


class Plugin(NamedTuple):
    """One thing that a package brings, not loaded yet; *also* is another package that brings it, too."""

    name: str
    package: str
    point: Any
    also: str = ""

    def load(self) -> Any:
        """Return what the package brings; PluginError says what is wrong with it."""
        if self.also:
            sentence = 'both {package} and {other} provide a plug-in called "{name}"; uninstall one of them'
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
        except (Exception, SystemExit) as exc:  # whatever a stranger's code does
            sentence = '{package} is broken: its plug-in "{name}" failed ({why}); update or uninstall it'
            why = f"{type(exc).__name__}: {exc}"
            raise PluginError(sentence, package=self.package, name=self.name, why=why) from exc


def installed(group: Group) -> Mapping[str, Plugin]:
    """Return the plug-ins of a group by their names, in order."""
    return _installed(group, tuple(sys.path))


@cache
def _installed(group: str, path: tuple[str, ...]) -> Mapping[str, Plugin]:
    found: dict[str, Plugin] = {}
    for name, package, value in sorted(_points(path).get(group, ())):
        known = found.get(name)
        found[name] = known._replace(also=package) if known else Plugin(name, package, _Point(value))
    return MappingProxyType(found)


class _Point(NamedTuple):
    """Where a plug-in is: `package.module:name`."""

    value: str

    def load(self) -> Any:
        module, _, names = self.value.partition(":")
        found = import_module(module)
        for name in filter(None, names.split(".")):
            found = getattr(found, name)
        return found


@cache
def _points(path: tuple[str, ...]) -> Mapping[str, list[tuple[str, str, str]]]:
    """Return the name, package and place of each plug-in on a path, by group.

    Python's own reader of these is as slow to load as all of click. A package that is there twice counts
    where it is found first.
    """
    found: dict[str, list[tuple[str, str, str]]] = {}
    seen: set[str] = set()
    for folder in path:
        for package, text in _entry_points_in(folder):
            if package in seen:
                continue
            seen.add(package)
            group = ""
            for line in map(str.strip, text.splitlines()):
                if line.startswith("["):
                    group = line.strip("[]").strip()
                elif group.startswith("almario.") and "=" in line and not line.startswith(("#", ";")):
                    name, _, value = line.partition("=")
                    place = value.partition("[")[0].strip()  # what follows are extras
                    found.setdefault(group.removeprefix("almario."), []).append(
                        (name.strip(), package, place)
                    )
    return found


def _entry_points_in(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each package that is installed in a folder, and what it says of its entry points."""
    try:
        names = [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # no folder, or an archive, which brings no plug-ins
        return
    for name in names:
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:
                yield name.rpartition(".")[0].partition("-")[0].replace("_", "-"), file.read()
        except (OSError, ValueError):  # most packages have none
            continue
