"""The history of a soul file: the contents that it has had, as the journal tells of them."""

from collections.abc import Callable, Iterable, Sequence

from almario.domain.events import Event, SoulChanged, SoulEdited
from almario.domain.model import Version
from almario.errors import SoulError

_EDITED = "edited by hand"
_DELETED = "deleted by hand"


def versions_in(events: Iterable[Event], file: str, has: Callable[[str, str], bool]) -> list[Version]:
    """Return the versions of a file that events tell of; *has* says whether a content is still kept."""
    versions: list[Version] = []
    for event in events:
        body = event.body
        if isinstance(body, SoulChanged | SoulEdited) and body.file == file:
            reason = body.reason if isinstance(body, SoulChanged) else _EDITED if body.to else _DELETED
            kept = body.to is not None and has(file, body.to)
            number = len(versions) + 1
            versions.append(Version(file, number, body.to, event.at, event.actor, reason, kept))
    return versions


def version_named(history: Sequence[Version], file: str, wanted: str) -> Version:
    """Return the version with that number or that beginning of a hash."""
    if wanted.isdecimal() and len(wanted) < 10 and 1 <= int(wanted) <= len(history):
        return history[int(wanted) - 1]
    found = [version for version in history if len(wanted) >= 4 and (version.hash or "").startswith(wanted)]
    if not found:
        sentence = '{file} has no version "{wanted}"; "almario soul history {file}" lists them'
        raise SoulError(sentence, file=file, wanted=wanted)
    if len({version.hash for version in found}) > 1:
        raise SoulError(
            '"{wanted}" matches several versions of {file}; use a number', file=file, wanted=wanted
        )
    return found[-1]
