"""The history of a soul file: the contents that it has had, as the journal tells of them."""

from collections.abc import Callable, Iterable, Sequence

from almario.domain.model import Version
from almario.errors import SoulError


def versions_of(every: Iterable[Version], file: str, has: Callable[[str, str], bool]) -> list[Version]:
    """Return the versions of a file, numbered; *has* says whether a content is still kept."""
    own = (version for version in every if version.file == file)
    return [
        version._replace(number=number, kept=version.hash is not None and has(file, version.hash))
        for number, version in enumerate(own, 1)
    ]


def version_named(history: Sequence[Version], file: str, wanted: str) -> Version:
    """Return the version with that number or that beginning of a hash."""
    if wanted.isdecimal() and len(wanted) < 10 and 1 <= int(wanted) <= len(history):
        return history[int(wanted) - 1]
    found = [version for version in history if len(wanted) >= 4 and (version.hash or "").startswith(wanted)]
    if not found:
        sentence = '{file} has no version "{wanted}"; "almario soul history {file}" lists them'
        raise SoulError(sentence, file=file, wanted=wanted)
    if len({version.hash for version in found}) > 1:
        raise SoulError('"{wanted}" fits several versions of {file}; use a number', file=file, wanted=wanted)
    return found[-1]
