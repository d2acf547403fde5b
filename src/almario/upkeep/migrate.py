"""Older layouts: soul files in the home's root, and core memory under older names.

Nothing is overwritten, the originals are kept, and a run that is killed in
the middle is finished by the next one.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from almario.domain.events import LayoutMigrated
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, DEFAULT_AGENT, SOUL_FILES
from almario.errors import AlmarioError, EditConflict
from almario.memory.rules.older_memory import with_lines_of
from almario.store import files, replacing
from almario.store.home import Home
from almario.store.vault import Vault

# Where the originals of an older layout are kept, inside the home.
KEPT = "older-layout"
_FOLDERS = ("memory", "sessions")
# These alone do not make a folder an agent's: other programs use the names too.
_COMMON = ("AGENTS.md", "TOOLS.md")
# In order of age: what is folded in last stands last.
_OLDER_MEMORY = ("memory/legacy.md", "memory/MEMORY.md")


def migrate_home(home: Home) -> tuple[list[Sentence], Path | None]:
    """Move soul files that lie in the home's root to the default agent; return what was done, and where."""
    if not _has_older_layout(home.root):
        return [], None
    with home.locked():
        folder = home.folder_of(DEFAULT_AGENT)
        with files.writing(folder):
            files.make_folder(folder)
            return [_move(home.root, name, folder) for name in _older_files(home.root)], folder


def fold_older_memory(vault: Vault) -> list[Sentence]:
    """Fold core memory of older forms into MEMORY.md; return what was done."""
    done: list[Sentence] = []
    failed: list[Sentence] = []
    for name in _OLDER_MEMORY:
        if _is_own_file(vault.root / name) and not (vault.root / CORE_MEMORY).is_symlink():
            try:
                done.append(_fold(vault, name))
            except AlmarioError as exc:
                sentence = "{name} was not folded into MEMORY.md: {why}"
                failed.append(Sentence(sentence, name=name, why=sentence_of(exc)))
    if done:
        note_migration(vault, done)
    return done + failed


def note_migration(vault: Vault, told: Sequence[Sentence]) -> None:
    """Enter in the journal what was done to an older layout."""
    vault.record(LayoutMigrated(tuple(told)), actor="almario")


def _is_own_file(path: Path) -> bool:
    """Say whether this is a file and not a link: what a link leads to is not ours to move."""
    return path.is_file() and not path.is_symlink()


def _has_older_layout(root: Path) -> bool:
    names = (*(name for name in SOUL_FILES if name not in _COMMON), CORE_MEMORY)
    return any(_is_own_file(root / name) for name in names)


def _older_files(root: Path) -> list[str]:
    """Return what belongs to the agent, the files by which the layout is known last."""
    found = [name for name in _COMMON if _is_own_file(root / name)]
    for top in _FOLDERS:
        for folder, _, names in os.walk(root / top) if not (root / top).is_symlink() else ():
            paths = [os.path.join(folder, name) for name in sorted(names)]
            found += [os.path.relpath(path, root) for path in paths if _is_own_file(Path(path))]
    known = [name for name in (*SOUL_FILES, CORE_MEMORY) if name not in _COMMON]
    return found + [name for name in known if _is_own_file(root / name)]


def _move(root: Path, name: str, folder: Path) -> Sentence:
    original = root / name
    content = files.read_bytes(original) or b""
    target = files.inside(folder, name)
    try:
        replacing.create(target, content)
    except EditConflict:
        is_there = files.read_bytes(target) == content
    else:
        is_there = True
    kept = files.move_aside(original, (root / KEPT / name).parent).relative_to(root).as_posix()
    facts = {"name": name, "folder": str(folder), "kept": kept}
    if is_there:
        return Sentence("moved {name} to {folder}; the original is in {kept}", **facts)
    return Sentence("{folder} has another {name} already, so the one of the home is only in {kept}", **facts)


def _fold(vault: Vault, name: str) -> Sentence:
    older = vault.read(name).text
    memory = vault.read(CORE_MEMORY)
    folded = with_lines_of(memory.text, older, title=f"From {name}")
    if folded != memory.text:
        vault.write_file(memory, folded)
    kept = vault.move_to_archive(name)
    return Sentence("folded {name} into MEMORY.md; the original is in {kept}", name=name, kept=kept)
