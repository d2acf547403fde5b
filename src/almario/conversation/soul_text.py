"""A soul file as a model is told of it: while a merge is undecided in it, as it was before that."""

from contextlib import suppress

from almario.domain.documents.conflicts import conflict_line
from almario.errors import SoulError, StoreError
from almario.ports import Store


def soul_text(vault: Store, name: str) -> str:
    """Return a soul file's text; of one with merge markers, its last content without; else nothing."""
    text = vault.read(name).text
    if not conflict_line(text):
        return text
    for version in reversed(vault.versions.history(name)):
        with suppress(SoulError, StoreError):  # it was erased since, or is damaged
            if version.kept and version.hash:
                earlier = vault.versions.text(name, version.hash)
                if not conflict_line(earlier):
                    return earlier
    return ""
