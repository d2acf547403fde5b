"""The contents that soul files have had, each in a file named by its instant: `2026-11-19T08-05-12.md`.

A content is known by its hash, which is that of the file's bytes; older versions named the file by it.
"""

import os
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

from almario.domain.documents.document import digest
from almario.domain.messages import Sentence
from almario.domain.model import SOUL_FILES, Damage, Version
from almario.domain.plain_text import regex
from almario.domain.read_models import VERSIONS, Follower, versions_of
from almario.errors import Damaged, SoulError
from almario.ports import Versions
from almario.store import files, replacing
from almario.store.files import Status

_STAMP = "%Y-%m-%dT%H-%M-%S"
# What a file was never yet, but somebody proposes.
_PROPOSED = "-proposed"
_HASH = regex(r"[0-9a-f]{64}")
# A content is written this long before the line of the journal that tells of it, at most.
_BEFORE = timedelta(seconds=2)


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
        # The hashes of files that have not changed since.
        self._known: dict[Path, tuple[Status, str]] = {}

    def put(self, file: str, content: bytes, *, is_proposed: bool = False) -> str:
        """Keep a content, if it is not kept yet, and return its hash."""
        name = digest(content)
        path = self._path(file, name, size=len(content))
        if path is None:
            path = self._free(file, f"{self._now():{_STAMP}}{_PROPOSED if is_proposed else ''}")
            replacing.create(path, content, by_way_of=self._folder.parent)
        elif path.stem.endswith(_PROPOSED) and not is_proposed:
            self._rename(path, self._free(file, f"{self._now():{_STAMP}}"))
        return name

    def has(self, file: str, name: str) -> bool:
        return self._path(file, name) is not None

    def content(self, file: str, name: str) -> bytes:
        """Return a kept content; Damaged if its file holds something else."""
        path = self._path(file, name)
        content = files.read_bytes(path) if path else None
        if content is not None and digest(content) == name:
            return content
        for version in self.history(file):
            if version.hash == name and (damaged := self._damaged(version)):
                raise Damaged("{path} is not what was stored there", path=str(damaged))
        raise SoulError("version {hash} of {file} is no longer kept", hash=name[:12], file=file)

    def heads(self) -> dict[str, str | None]:
        """Return the hash of each soul file's latest content."""
        return {version.file: version.hash for version in self._follower.rows(VERSIONS).values()}

    def history(self, file: str) -> list[Version]:
        kept = set(self._hashes(file).values())
        return versions_of(self._follower.rows(VERSIONS).values(), file, lambda _, name: name in kept)

    def check(self) -> list[Damage]:
        """Return each file that does not hold the content it was written with."""
        lost = (each for file in SOUL_FILES for each in self.history(file) if not each.kept)
        damaged = dict.fromkeys(filter(None, map(self._damaged, lost)))
        problem = Sentence("is not what was stored there")
        return [Damage(path.relative_to(self._folder.parent).as_posix(), None, problem) for path in damaged]

    def rename_hashed(self) -> None:
        """Name by their instants what older versions, and other stores, name by hashes."""
        for file in SOUL_FILES:
            hashed = [path for path in self._files(file) if _HASH.fullmatch(path.name)]
            every = self._follower.rows(VERSIONS).values() if hashed else ()
            first = {each.hash: each.at for each in reversed([*every]) if each.file == file}
            for path in hashed:
                if self._hash(path) == path.name:
                    at = first.get(path.name)
                    seen = at or datetime.fromtimestamp(path.stat().st_mtime, self._zone)
                    stamp = f"{seen.astimezone(self._zone):{_STAMP}}{'' if at else _PROPOSED}"
                    self._rename(path, self._free(file, stamp))

    def _rename(self, path: Path, free: Path) -> None:
        with files.writing(free):
            os.rename(path, free)
            files.sync_folder(free.parent)

    def _damaged(self, version: Version) -> Path | None:
        """Return the file that has the name of a version's content, and another content than any version."""
        if version.hash is None:
            return None
        every = {each.hash for each in self._follower.rows(VERSIONS).values() if each.file == version.file}
        stamps = {
            f"{at.astimezone(self._zone):{_STAMP}}"
            for at in (version.at - _BEFORE, version.at - _BEFORE / 2, version.at)
        }
        for path, name in self._hashes(version.file).items():
            is_its = path.name == version.hash or path.name[: len("2026-11-19T08-05-12")] in stamps
            if is_its and name not in every and not path.stem.endswith(_PROPOSED):
                return path
        return None

    def _path(self, file: str, name: str, *, size: int | None = None) -> Path | None:
        """Return where a content is kept, if it is; its *size* spares reading the others."""
        for path in self._files(file):
            there = files.status(path) if size is not None else None
            if (there is None or there.size == size) and self._hash(path) == name:
                return path
        return None

    def _hashes(self, file: str) -> dict[Path, str | None]:
        return {path: self._hash(path) for path in self._files(file)}

    def _files(self, file: str) -> Iterator[Path]:
        folder = self._folder / os.path.basename(file)
        names = sorted(os.listdir(folder)) if folder.is_dir() else []
        return (folder / name for name in names if not replacing.is_copy(name) and (folder / name).is_file())

    def _hash(self, path: Path) -> str | None:
        there = files.status(path)
        known = self._known.get(path)
        if known and known[0] == there:
            return known[1]
        content = files.read_bytes(path)
        if content is None:
            return None
        found = digest(content)
        if there and there.is_past:
            self._known[path] = there, found
        return found

    def _free(self, file: str, stem: str) -> Path:
        folder, n = self._folder / os.path.basename(file), 1
        while os.path.lexists(path := folder / (f"{stem}.md" if n == 1 else f"{stem}-{n}.md")):
            n += 1
        return path
