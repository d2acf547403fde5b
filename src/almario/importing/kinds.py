"""Which exports can be read: our own, and those of other programs, which packages bring."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from almario.domain.installing import to_install
from almario.domain.messages import Sentence
from almario.domain.plain_text import nearest
from almario.entry_points import OF_PACKAGES, Plugin, installed, packages
from almario.errors import AlmarioError, MissingExtra, PluginError, SoulError
from almario.importing import bundles
from almario.importing.arrivals import Arrival, Kind
from almario.importing.source import Export

_OWN = {bundles.KIND.name: bundles.KIND}
_PACKAGE = OF_PACKAGES["import --from"]
# What a file may be by its name: said to whoever lacks the package that can tell.
_LOOKS = {
    "conversations.json": Sentence("an export of ChatGPT or Claude"),
    ".af": Sentence("a Letta agent file"),
    ".md": Sentence("Markdown files"),
}


def names() -> list[str]:
    """Return the names of all kinds."""
    return list(dict.fromkeys((*_OWN, *installed("importers"))))


def kind_of(source: Export, wanted: str = "") -> Kind:
    """Return the kind of a source, or the one that is *wanted*; an error if there is none."""
    if not source.entries:
        raise SoulError("{name} holds nothing that can be imported", name=source.name)
    if wanted:
        return _named(wanted)
    broken: list[AlmarioError] = []
    for kind in _by_rank(broken):
        try:
            with suppress(ValueError, OSError):
                if kind.fits(source):
                    return kind
        except PluginError as exc:
            broken.append(exc)
    raise broken[0] if broken else _unknown(source)


def _by_rank(broken: list[AlmarioError]) -> Iterator[Kind]:
    """Yield our own kinds, then those of packages; what is wrong with one is added to *broken*."""
    yield from _OWN.values()
    brought = []
    for plugin in installed("importers").values():
        try:
            brought.append(_of_plugin(plugin, plugin.load()))
        except PluginError as exc:
            broken.append(exc)
    yield from sorted(brought, key=lambda kind: kind.rank)


def _unknown(source: Export) -> AlmarioError:
    path = str(source.path)
    if _PACKAGE in packages():
        sentence = "{path} is no export that Almario knows; say what it is with --from: {known}"
        return SoulError(sentence, path=path, known=", ".join(names()))
    endings = (what for ending, what in _LOOKS.items() if any(source.ending(ending)))
    if what := next(endings, None):
        sentence = "{path} looks like {what}, which needs the package {package}: {line}"
        return MissingExtra(sentence, path=path, what=what, package=_PACKAGE, line=to_install(_PACKAGE))
    sentence = (
        "{path} is no bundle of Almario's; what other programs keep needs the package {package}: {line}"
    )
    return MissingExtra(sentence, path=path, package=_PACKAGE, line=to_install(_PACKAGE))


def _of_plugin(plugin: Plugin, brought: Any) -> Kind:
    """Return the kind that a package brings, or one of what a function of its reads in each file."""

    def notes(source: Export) -> Iterator[Arrival]:
        for entry in source.entries:
            yield from brought(entry.content())

    called = Sentence("an export ({name})", name=plugin.name)
    kind = brought if isinstance(brought, Kind) else Kind(plugin.name, called, lambda _: False, notes)

    def fits(source: Export) -> bool:
        with plugin.blamed(ValueError, OSError):
            return kind.fits(source)

    return kind._replace(name=plugin.name, fits=fits, read=lambda source: plugin.making(kind.read, source))


def _named(name: str) -> Kind:
    """Return a kind by its name: one of our own, or a package's; an error if none has it."""
    if name in _OWN:
        return _OWN[name]
    brought = installed("importers")
    if plugin := brought.get(name):
        return _of_plugin(plugin, plugin.load())
    known = names()
    if close := nearest(name, known):
        raise SoulError('there is no kind "{name}"; did you mean {close}?', name=name, close=close)
    if _PACKAGE not in packages():
        sentence = (
            'there is no kind "{name}" here ({known}); those of other programs need the package {package}: '
            "{line}"
        )
        facts = {"known": ", ".join(known), "package": _PACKAGE, "line": to_install(_PACKAGE)}
        raise MissingExtra(sentence, name=name, **facts)
    raise SoulError('there is no kind "{name}"; known: {known}', name=name, known=", ".join(known))
