"""The contents that soul files have had, each in a file named by its instant: `2026-11-19T08-05-12.md`.

A content is known by its hash, which is that of the file's bytes; older versions named the file by it.
"""

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

from almario.domain.documents.document import digest, hash_of
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, Damage, Version
from almario.domain.plain_text import regex
from almario.domain.read_models import VERSIONS, Follower, versions_of
from almario.errors import Damaged, SoulError
from almario.ports import Versions
from almario.store import files, replacing

_STAMP = "%Y-%m-%dT%H-%M-%S"
# What a file was never yet, but somebody proposes.
_PROPOSED = "-proposed"
_HASH = regex(r"[0-9a-f]{64}")
# A content is written a moment before the line of the journal that tells of it.
_SECOND = timedelta(seconds=1)


class FolderVersions(Versions):
    """Keeps contents in `.versions/<file>/` and tells their history from the journal."""

    def __init__(
        self, folder: Path, follower: Follower, now: Callable[[], datetime], zone: tzinfo, *, enabled: bool
    ) -> None:
        self._folder = folder
        self._follower = follower
        self._now = now
        self._zone = zone
        self.enabled = enabled
        # What was found for each soul file, among which files and versions.
        self._known: dict[str, tuple[tuple[Path, ...], int, dict[str, Path]]] = {}

    def put(self, file: str, content: bytes, *, is_proposed: bool = False) -> str:
        """Keep a content, if it is not kept yet, and return its hash."""
        name = digest(content)
        path = self._kept(file, name).get(name)
        if path is None or files.read_bytes(path) != content:
            path = self._free(file, f"{self._now():{_STAMP}}{_PROPOSED if is_proposed else ''}")
            replacing.create(path, content, by_way_of=self._folder.parent)
        elif path.stem.endswith(_PROPOSED) and not is_proposed:
            self._rename(path, self._free(file, f"{self._now():{_STAMP}}"))
        return name

    def has(self, file: str, name: str) -> bool:
        return name in self._kept(file, name)

    def is_intact(self, file: str, name: str) -> bool:
        """Return whether a content is still kept as it was."""
        path = self._kept(file, name).get(name)
        return path is not None and _hash(path) == name

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; Damaged if its file holds something else."""
        path = self._kept(file, name).get(name)
        content = files.read_bytes(path) if path else None
        if content is None:
            raise SoulError("version {hash} of {file} is no longer kept", hash=name[:12], file=file)
        if digest(content) != name:
            raise Damaged("{path} is not what was stored there", path=str(path))
        return content

    def heads(self) -> dict[str, str | None]:
        """Return the hash of each soul file's latest content."""
        return {version.file: version.hash for version in self._follower.rows(VERSIONS).values()}

    def history(self, file: str) -> list[Version]:
        kept = self._kept(file)
        return versions_of(self._follower.rows(VERSIONS).values(), file, lambda _, name: name in kept)

    def check(self) -> list[Damage]:
        """Return each file that does not hold the content it was written with."""
        every = [(name, path) for file in SOUL_FILES for name, path in self._kept(file).items()]
        damaged = [path.relative_to(self._folder.parent) for name, path in every if _hash(path) != name]
        return [Damage(path.as_posix(), None, Sentence("is not what was stored there")) for path in damaged]

    def rename_hashed(self) -> None:
        """Name by their instants what older versions, and other stores, name by hashes."""
        for file in SOUL_FILES:
            hashed = [path for path in self._files(file) if _HASH.fullmatch(path.name)]
            every = self._follower.rows(VERSIONS).values() if hashed else ()
            first = {each.hash: each.at for each in reversed([*every]) if each.file == file}
            for path in hashed:
                if _hash(path) == path.name:
                    at = first.get(path.name)
                    seen = at or datetime.fromtimestamp(path.stat().st_mtime, self._zone)
                    stamp = f"{seen.astimezone(self._zone):{_STAMP}}{'' if at else _PROPOSED}"
                    self._rename(path, self._free(file, stamp))

    def _rename(self, path: Path, free: Path) -> None:
        with files.writing(free):
            os.rename(path, free)
            files.sync_folder(free.parent)

    def _kept(self, file: str, *wanted: str) -> dict[str, Path]:
        """Return where each content that a file has had is kept, and those that are *wanted*, by hash."""
        own = [each for each in self._follower.rows(VERSIONS).values() if each.file == file and each.hash]
        there = tuple(self._files(file))
        known = self._known.get(file)
        if known is None or known[:2] != (there, len(own)) or not known[2].keys() >= {*wanted}:
            self._known[file] = known = there, len(own), self._found(there, own, wanted)
        return known[2]

    def _found(self, there: Iterable[Path], own: Sequence[Version], wanted: Iterable[str]) -> dict[str, Path]:
        """Find contents by the names of their files; only those that this leaves in doubt are read."""
        left = {path.name: path for path in there}
        found = {name: left.pop(name) for name in [name for name in left if _HASH.fullmatch(name)]}
        names: dict[datetime | None, list[str]] = {}
        for name in left:
            names.setdefault(_instant(name), []).append(name)
        pairs: dict[tuple[str, str], None] = {}
        for version in own:
            at = version.at.astimezone(self._zone).replace(tzinfo=None, microsecond=0)
            for name in (*names.get(at, ()), *names.get(at - _SECOND, ())):
                pairs[version.hash or "", name] = None
        claims, homes = Counter(name for _, name in pairs), Counter(hash_ for hash_, _ in pairs)
        sure = [(hash_, name) for hash_, name in pairs if claims[name] == homes[hash_] == 1]
        found |= {hash_: left.pop(name) for hash_, name in sure if hash_ not in found}
        every = {str(each.hash) for each in own}
        if found.keys() >= {*every, *wanted}:
            return found
        read = {name: str(_hash(path)) for name, path in left.items()}
        found = {hash_: left[name] for name, hash_ in read.items()} | found
        # One that should be here, and whose file holds what none ever had, is damaged.
        strange = [pair for pair in pairs if pair[0] not in found and read.get(pair[1], "") not in every]
        return {hash_: left[name] for hash_, name in strange if name in left} | found

    def _files(self, file: str) -> Iterator[Path]:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            with os.scandir(self._folder / os.path.basename(file)) as entries:
                found = [each.path for each in entries if each.is_file() and not replacing.is_copy(each.name)]
            yield from map(Path, sorted(found))

    def _free(self, file: str, stem: str) -> Path:
        folder, n = self._folder / os.path.basename(file), 1
        while os.path.lexists(path := folder / (f"{stem}.md" if n == 1 else f"{stem}-{n}.md")):
            n += 1
        return path


def _hash(path: Path) -> str | None:
    return hash_of(files.read_bytes(path))


def _instant(name: str) -> datetime | None:
    """Return the instant, on the owner's clock, that a file is named by."""
    day, at = name[:10], name[11:19].replace("-", ":")
    try:
        return datetime.fromisoformat(f"{day}T{at}") if name[10:11] == "T" else None
    except ValueError:
        return None
