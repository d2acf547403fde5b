"""Older layouts: soul files in the home's root, and core memory under older names.

Nothing is overwritten, the originals are kept, and a run that is killed in
the middle is finished by the next one.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from almario.domain.documents.memory import with_lines_of
from almario.domain.events import LayoutMigrated
from almario.domain.messages import Sentence
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.errors import DocumentError, EditConflict
from almario.store import files
from almario.store.home import Home
from almario.store.vault import Vault

AGENT = "default"
# Where the originals of an older layout are kept, inside the home.
KEPT = "older-layout"
_FOLDERS = ("memory", "sessions")
# These alone do not make a folder an agent's: other programs use the names too.
_COMMON = ("AGENTS.md", "TOOLS.md")
# In order of age: what is folded in last stands last.
_OLDER_MEMORY = ("memory/legacy.md", "memory/MEMORY.md")


def migrate_home(home: Home) -> list[Sentence]:
    """Move soul files that lie in the home's root into `agents/default/`; return what was done."""
    if not _has_older_layout(home.root):
        return []
    with home.locked():
        folder = home.root / "agents" / AGENT
        with files.writing(folder):
            files.make_folder(folder)
            return [_move(home.root, name, folder) for name in _older_files(home.root)]


def fold_older_memory(vault: Vault) -> list[Sentence]:
    """Fold core memory of older forms into MEMORY.md; return what was done."""
    told = [_fold(vault, name) for name in _OLDER_MEMORY if (vault.root / name).is_file()]
    if told:
        note_migration(vault, told)
    return told


def note_migration(vault: Vault, told: Sequence[Sentence]) -> None:
    """Enter in the journal what was done to an older layout."""
    vault.record(LayoutMigrated(tuple(str(sentence) for sentence in told)), actor="almario")


def _has_older_layout(root: Path) -> bool:
    names = (*(name for name in SOUL_FILES if name not in _COMMON), CORE_MEMORY)
    return any((root / name).is_file() for name in names)


def _older_files(root: Path) -> list[str]:
    """Return what belongs to the agent, the files by which the layout is known last."""
    found = [name for name in _COMMON if (root / name).is_file()]
    for top in _FOLDERS:
        for folder, _, names in os.walk(root / top):
            found += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(names)]
    known = [name for name in (*SOUL_FILES, CORE_MEMORY) if name not in _COMMON]
    return found + [name for name in known if (root / name).is_file()]


def _move(root: Path, name: str, folder: Path) -> Sentence:
    original = root / name
    content = files.read_bytes(original) or b""
    target = files.inside(folder, name)
    try:
        files.create(target, content)
    except EditConflict:
        is_there = files.read_bytes(target) == content
    else:
        is_there = True
    kept = files.move_aside(original, (root / KEPT / name).parent)
    place = kept.relative_to(root).as_posix()
    if is_there:
        return Sentence("moved {name} to agents/default/; the original is in {kept}", name=name, kept=place)
    return Sentence(
        "agents/default/ has another {name} already, so the one from the home's root is only in {kept}",
        name=name,
        kept=place,
    )


def _fold(vault: Vault, name: str) -> Sentence:
    try:
        older = vault.read(name).text
        memory = vault.read(CORE_MEMORY)
        folded = with_lines_of(memory.text, older, title=f"From {name}")
    except DocumentError as exc:
        return Sentence(
            "{name} was not folded into MEMORY.md: {why}", name=name, why=Sentence(exc.message, **exc.facts)
        )
    if folded != memory.text:
        vault.write_file(CORE_MEMORY, folded, expected=memory.hash)
    kept = vault.move_to_archive(name)
    return Sentence("folded {name} into MEMORY.md; the original is in {kept}", name=name, kept=kept)
