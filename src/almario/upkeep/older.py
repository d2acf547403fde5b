"""Older layouts: a soul in the home's root, and memory under older names in an agent's folder.

Nothing is overwritten, the originals are kept, and a run that is killed in
the middle is finished by the next one.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from almario.domain.documents.daily import log_day
from almario.domain.documents.document import decoded
from almario.domain.documents.identity import identity_value
from almario.domain.documents.lines import split_lines
from almario.domain.memories import EVERY
from almario.domain.messages import Sentence, sentence_of
from almario.domain.model import CORE_MEMORY, SOUL_FILES
from almario.errors import AlmarioError
from almario.memory.facade import Memories
from almario.memory.rules.mirror import core_lines, parse, same
from almario.memory.rules.older_lines import as_bullets
from almario.memory.transfer import Note, lines_of
from almario.named_tuples import NamedTuple
from almario.ports import Store
from almario.store import files, replacing

# Where the originals of a soul are kept that lay in the home's root.
KEPT = "older-layout"
# These alone make no soul: other programs use the names, too.
_COMMON = ("AGENTS.md", "TOOLS.md")
SOULS = tuple(name for name in (*SOUL_FILES, CORE_MEMORY) if name not in _COMMON)
_FOLDERS = ("memory", "sessions")
# Core memory under its older names, and where daily logs were; `wiring` looks for them.
CORE = ("memory/legacy.md", "memory/MEMORY.md")
DAILY = "memory/daily"


class OlderSoul(NamedTuple):
    """A soul in the home's *root*: its *name*, if IDENTITY.md tells it, and its *files*."""

    root: Path
    name: str
    files: tuple[str, ...]

    @property
    def summary(self) -> str:
        """Its files, without those in folders."""
        return ", ".join(name for name in self.files if "/" not in name)


def older_soul(root: Path) -> OlderSoul | None:
    """Return the soul that lies in a home's root; links are left alone."""
    if not any(_is_file(root / name) for name in SOULS):
        return None
    found = [name for name in (*SOUL_FILES, CORE_MEMORY) if _is_file(root / name)]
    for top in _FOLDERS:
        for folder, _, names in os.walk(root / top) if not (root / top).is_symlink() else ():
            paths = [Path(folder, name) for name in sorted(names)]
            found += [path.relative_to(root).as_posix() for path in paths if _is_file(path)]
    try:
        name = identity_value(decoded(files.read_bytes(root / "IDENTITY.md") or b"", "IDENTITY.md"), "name")
    except AlmarioError:  # told by whoever reads it
        name = ""
    return OlderSoul(root, name, tuple(found))


def copy(soul: OlderSoul, folder: Path) -> None:
    """Copy a soul's files, byte by byte, to the folder of a new agent."""
    for name in soul.files:
        content = files.read_bytes(soul.root / name)
        if content is not None:
            with files.writing(folder / name):
                files.make_folder((folder / name).parent)
            replacing.create(folder / name, content)


def is_copy(soul: OlderSoul, folder: Path) -> bool:
    """Return whether an agent has the soul's files: whoever copied them was killed before the end."""
    own = [name for name in soul.files if name in SOUL_FILES]
    return bool(own) and all(
        files.read_bytes(folder / name) == files.read_bytes(soul.root / name) for name in own
    )


def set_aside(soul: OlderSoul, agent: str) -> Sentence:
    """Move the originals out of the way; return what became of the soul."""
    for name in soul.files:
        place = _free(soul.root / KEPT / name)
        with files.writing(place):
            files.make_folder(place.parent)
            os.rename(soul.root / name, place)
    sentence = 'the soul in {root} ({files}) is now the agent "{agent}"; the originals are in {kept}'
    return Sentence(
        sentence, root=str(soul.root), files=soul.summary, agent=agent, kept=str(soul.root / KEPT)
    )


def adopt_memory(store: Store, memory: Memories) -> list[Sentence]:
    """Take in core memory and daily logs that stand where older layouts had them; return what was done."""
    folder = store.folder
    if folder is None:
        return []
    notices: list[Sentence] = []
    for name in CORE:
        if _is_file(folder / name) and not (folder / CORE_MEMORY).is_symlink():
            try:
                notices.append(_take_in(store, memory, name))
            except AlmarioError as exc:
                sentence = "{name} was not taken into memory: {why}"
                notices.append(Sentence(sentence, name=name, why=sentence_of(exc)))
    moved = 0
    for name in _days(folder):
        try:
            moved += _moved(store, f"{DAILY}/{name}", f"memory/{name}")
        except AlmarioError as exc:
            notices.append(sentence_of(exc))
    sentence = "daily logs moved from {old} to {new}: {count}"
    return notices + [Sentence(sentence, count=moved, old=f"{DAILY}/", new="memory/")] * bool(moved)


def _take_in(store: Store, memory: Memories, name: str) -> Sentence:
    """Remember what a file of older core memory says: nobody knows whose word it is, so it is imported."""
    document = store.read(name)
    known = {same(each.key, each.value) for each in memory.list(EVERY)}
    new = [note for note in _notes(document.text) if same(note.key, note.text) not in known]
    count = memory.import_lines(lines_of(new)).new
    archive, _, own = name.rpartition("/")
    with store.writing() as write:
        kept = _free(Path(archive, "archive", own), taken=lambda path: store.read(path).content is not None)
        write.replace(store.read(kept.as_posix()), document.content)
        write.replace(document, None)
    sentence = "{name} is in memory now (memories: {count}); the original is in {kept}"
    return Sentence(sentence, name=name, count=count, kept=kept.as_posix())


def _notes(text: str) -> Iterator[Note]:
    text, _ = as_bullets(text, lambda key, value: False)
    parsed = parse(text)
    yield from (Note(fact.value, fact.key, "profile") for fact in parsed.facts)
    facts = {line for fact in parsed.facts for line in range(fact.first, fact.last + 1)}
    ours = facts.union(parsed.markers)
    prose = "".join(line for number, line in enumerate(split_lines(text)) if number not in ours)
    for line in core_lines(prose):
        if words := line.strip().removeprefix("- ").strip():
            yield Note(words, kind="profile")


def _days(folder: Path) -> list[str]:
    place = folder / DAILY
    if place.is_symlink() or not place.is_dir():
        return []
    names = sorted(os.listdir(place))
    return [name for name in names if log_day(f"memory/{name}") and _is_file(place / name)]


def _moved(store: Store, old: str, new: str) -> bool:
    document, there = store.read(old), store.read(new)
    if there.content is not None and there.content != document.content:
        return False
    with store.writing() as write:
        if there.content is None:
            write.replace(there, document.content)
        write.replace(document, None)
    return True


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _free(path: Path, taken: Callable[[str], bool] = os.path.lexists) -> Path:
    """Return a path, or the next one that nothing has: legacy.md, legacy-2.md."""
    place, count = path, 1
    while taken(place.as_posix()):
        count += 1
        place = path.with_stem(f"{path.stem}-{count}")
    return place
