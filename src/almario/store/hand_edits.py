"""What the owner did to the soul files by hand: found by comparing contents, and entered as the owner's.

A folder that a person edits tells nobody of an edit. It is looked for before
every write, and `watch` says in long-running processes when to look.
"""

from pathlib import Path

from almario.domain.documents.lines import hash_of
from almario.domain.events import SoulEdited
from almario.domain.model import SOUL_FILES
from almario.errors import AlmarioError
from almario.named_tuples import NamedTuple
from almario.store import files
from almario.store.documents import FolderVersions
from almario.store.journal import Appender


class Edit(NamedTuple):
    """A soul file whose content is not the one of the journal, whose hash is *before*."""

    file: str
    before: str | None
    content: bytes | None


def edits_in(root: Path, versions: FolderVersions) -> list[Edit]:
    """Return the soul files that are not what the journal says; without versions, nobody knows."""
    heads = versions.heads() if versions.enabled else {}
    found = []
    for name in SOUL_FILES if versions.enabled else ():
        try:
            content = files.read_bytes(files.inside(root, name))
        except AlmarioError:  # whoever reads this file will be told
            continue
        if heads.get(name) != hash_of(content):
            found.append(Edit(name, heads.get(name), content))
    return found


def enter(edit: Edit, versions: FolderVersions, appender: Appender) -> None:
    """Keep what the owner wrote as a version, and say in the journal that it is the owner's."""
    after = None if edit.content is None else versions.put(edit.file, edit.content)
    appender.append(SoulEdited(edit.file, edit.before, after), actor="owner")
