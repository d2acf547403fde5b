"""What lies in an agent's folders: the one place that lists them, and again only those that have changed."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from almario.errors import StoreError
from almario.named_tuples import NamedTuple
from almario.store import files


class FolderEntry(NamedTuple):
    """A name in a folder; a link to a folder is no folder."""

    name: str
    is_folder: bool


class Listing:
    """Lists folders, each again only if something in it was made, renamed or removed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[files.Status, Sequence[FolderEntry]]] = {}

    def entries(self, folder: str) -> Sequence[FolderEntry]:
        """Return what lies right in a folder, in the order of the names; nothing if it is not there."""
        folder = folder.rstrip("/")
        known = self._known.get(folder)
        try:
            status = files.status_of(os.stat(folder))
            if known and known[0] == status:
                return known[1]
            with os.scandir(folder) as found:
                entries = sorted(FolderEntry(each.name, each.is_dir(follow_symlinks=False)) for each in found)
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as exc:
            raise files.unreadable(Path(folder), exc) from exc
        if status.is_past:
            self._known[folder] = status, entries
        return entries

    def names(self, folder: str) -> list[str]:
        """Return the names of the files right in a folder, in order."""
        return [name for name, is_folder in self.entries(folder) if not is_folder]

    def walk(
        self,
        root: Path,
        enters: Callable[[str], bool],
        refused: Callable[[str, StoreError], object] | None = None,
    ) -> Iterator[str]:
        """Yield the path of every file below *root*, and of every link, which is not followed.

        *enters* says of a folder's path whether to look inside; what cannot be looked into goes to *refused*.
        """
        waiting = [""]
        for place in waiting:  # which grows as we go
            try:
                entries = self.entries(f"{root}/{place}")
            except StoreError as exc:
                if refused is None:
                    raise
                refused(place, exc)
                continue
            for name, is_folder in entries:
                if not is_folder:
                    yield place + name
                elif enters(place + name):
                    waiting.append(f"{place}{name}/")
