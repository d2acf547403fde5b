"""Plug-ins: what other packages bring, found by their entry points and loaded when they are used.

Looking for them must cost next to nothing, because every command would pay for
it: what is installed is asked for only if some package names one of our groups.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from almario.errors import AlmarioError, PluginError
from almario.named_tuples import NamedTuple

Made = TypeVar("Made")
# What a package can bring; docs/plugins.md says what each must be.
Group = Literal[
    "llms",
    "models",
    "embedders",
    "tools",
    "commands",
    "importers",
    "explorers",
    "settings",
    "doors",
    "stores",
]

# Words that people type and a package of ours gives a meaning, so that who lacks it is told which it is.
OF_PACKAGES = {
    "explorer": "almario-explorer",
    "gateway": "almario-gateway",
    "import --from": "almario-formats",
    **dict.fromkeys(("local", "claude-cli", "model get", "model list", "model remove"), "almario-local"),
    **dict.fromkeys(("postgres", "postgresql", "store", "move"), "almario-postgres"),
    "telegram": "almario-telegram",
}


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

    def making(self, make: Callable[..., Iterable[Made]], *given: Any) -> Iterator[Made]:
        """Yield what the package makes of something, blamed for any failure but the system's own."""
        with self.blamed(OSError):
            yield from make(*given)


def installed(group: Group) -> Mapping[str, Plugin]:
    """Return the plug-ins of a group by their names, in order."""
    return _installed(group, tuple(sys.path))


def packages() -> Mapping[str, str]:
    """Return the packages that bring a plug-in, in order, and their versions."""
    return dict(sorted((name, version) for name, (version, _) in _found(tuple(sys.path)).packages.items()))


def files_called(name: str) -> Iterator[str]:
    """Yield where each of those packages has a file of that name beside its modules, if it has."""
    from importlib.util import find_spec  # noqa: PLC0415 - only who speaks another language looks for one

    for _, modules in _found(tuple(sys.path)).packages.values():
        for module in sorted(modules):
            found = find_spec(module)
            for folder in (found.submodule_search_locations if found else None) or ():
                yield os.path.join(folder, name)


@cache
def _installed(group: str, path: tuple[str, ...]) -> Mapping[str, Plugin]:
    found: dict[str, Plugin] = {}
    for name, package, value in sorted(_found(path).points.get(group, ())):
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


class _Found(NamedTuple):
    """The name, package and place of each plug-in, by group; the version and modules of each package."""

    points: Mapping[str, list[tuple[str, str, str]]]
    packages: Mapping[str, tuple[str, set[str]]]


@cache
def _found(path: tuple[str, ...]) -> _Found:
    """Look for plug-ins on a path.

    Python's own reader of these is as slow to load as all of click. A package that is there twice counts
    where it is found first.
    """
    points: dict[str, list[tuple[str, str, str]]] = {}
    packages: dict[str, tuple[str, set[str]]] = {}
    seen: set[str] = set()
    for folder in path:
        for package, version, text in _entry_points_in(folder):
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
                    points.setdefault(group.removeprefix("almario."), []).append(
                        (name.strip(), package, place)
                    )
                    packages.setdefault(package, (version, set()))[1].add(
                        place.partition(":")[0].partition(".")[0]
                    )
    return _Found(points, packages)


def _entry_points_in(folder: str) -> Iterator[tuple[str, str, str]]:
    try:
        names = [name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # no folder, or an archive, which brings no plug-ins
        return
    for name in names:
        package, _, version = name.rpartition(".")[0].partition("-")
        try:
            with open(os.path.join(folder, name, "entry_points.txt"), encoding="utf-8") as file:
                yield package.replace("_", "-"), version, file.read()
        except (OSError, ValueError):  # most packages have none
            continue
