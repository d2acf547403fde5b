"""Which files of a vault can be found by what they say, and whether they may have changed.

Every `.md` and the transcripts; not what is hidden (so no version and no
temporary file), not the journal, not a conflict copy.
"""

import os
import re
import stat
from collections.abc import Collection
from pathlib import Path

from almario.domain.lazy_regex import regex
from almario.domain.turns import SUFFIX, session_of
from almario.store import files
from almario.store.transcripts import ARCHIVE

_NOTE = ".md"
_NOT_NOTES = {"journal", "sessions"}
_CONFLICT = regex(r"\.(?:sync-)?conflict-|conflicted copy", re.IGNORECASE)


def scan(root: Path, known: Collection[str]) -> dict[str, str]:
    """Return the path of each such file with a mark that changes when the file does: `time:size:inode:`.

    A name that is *known* to be right is not looked at again.
    """
    found: dict[str, str] = {}
    folders = [("", _NOTE), ("sessions/", SUFFIX), (f"sessions/{ARCHIVE}/", SUFFIX)]
    for place, suffix in folders:  # which grows as we go
        for entry in _entries(root / place):
            path = place + entry.name
            if path in known or (entry.name.endswith(suffix) and _is_name(entry.name, suffix)):
                if mark := _mark(entry):
                    found[path] = mark
            elif suffix == _NOTE and path not in _NOT_NOTES and _is_folder(entry):
                folders.append((f"{path}/", suffix))
    return found


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as exc:
        raise files.unreadable(folder, exc) from exc


def _is_name(name: str, suffix: str) -> bool:
    if suffix == SUFFIX:
        return session_of(name) is not None
    is_text = name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name)
    return name[0] != "." and is_text and not _CONFLICT.search(name)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    """Say whether to look inside; links are not followed, as they may lead in circles."""
    return entry.name[0] != "." and entry.is_dir(follow_symlinks=False)


def _mark(entry: "os.DirEntry[str]") -> str:
    try:
        there = entry.stat()
    except OSError:  # gone meanwhile, or a link to nothing
        return ""
    is_file = stat.S_ISREG(there.st_mode)
    return f"{there.st_mtime_ns}:{there.st_size}:{there.st_ino}:" if is_file else ""
