"""Which project a folder belongs to: by a name that stays when a repository is renamed or moved."""

import contextlib
import json
import os
import threading

from almario.domain.digests import blake2b
from almario.domain.plain_text import is_unicode, regex
from almario.served import PROJECTS_FILE

# A file that git writes once, when a repository is made; it is known by its inode and its age.
_MADE = os.path.join(".git", "description")
_PLAIN = regex(r"[^a-z0-9]+")
_NAME = regex(r"[a-z0-9-]+")
_LONGEST_NAME = 40
# Threads of one process write in turn; what two processes write at once is found out again.
_WRITING = threading.Lock()

# Of the folder of each repository, its name, and the mark by which it is known elsewhere.
_Known = dict[str, list[str]]


def project_at(folder: str, home: str | os.PathLike[str] = "") -> str:
    """Return the name of the project in a folder: that of its repository, or of itself.

    All work trees of a repository are one project, and it stays the same if the *home* knows it from a folder
    that is gone. The home folder, the root, and what is nowhere, are none.
    """
    if not os.path.isabs(folder) or "\0" in folder or not is_unicode(folder):
        return ""
    root = _repository(os.path.realpath(folder))
    if root in (os.path.realpath(os.path.expanduser("~")), os.path.dirname(root)):
        return ""
    mark = _mark_of(root) if home else ""
    with _WRITING:
        return _known_name(os.path.join(home, PROJECTS_FILE), root, mark) if mark else _name_of(root)


def _name_of(root: str, mark: str = "") -> str:
    name = _PLAIN.sub("-", os.path.basename(root).lower()).strip("-")[:_LONGEST_NAME]
    digest = blake2b(os.fsencode(root + mark), size=3)
    return f"{name}-{digest}" if name else digest


def _mark_of(root: str) -> str:
    try:
        made = os.stat(os.path.join(root, _MADE))
    except OSError:
        return ""
    return f"{made.st_ino}-{made.st_mtime_ns}"


def _known_name(file: str, root: str, mark: str) -> str:
    """Return the name of a repository, and keep it; one made anew in the same folder is the same project."""
    known = _read(file)
    name, before = known.get(root, ("", ""))
    if before == mark:
        return name
    gone = [place for place, (_, each) in known.items() if each == mark and _mark_of(place) != mark]
    if gone and not name:
        name = known.pop(gone[0])[0]
    own = _name_of(root)
    taken = {each for each, _ in known.values()}
    known[root] = [name or (_name_of(root, mark) if own in taken else own), mark]
    with contextlib.suppress(OSError):  # it is found out again
        with open(f"{file}.{os.getpid()}", "w", encoding="ascii", opener=_private) as written:
            json.dump(known, written)
        os.replace(f"{file}.{os.getpid()}", file)
    return known[root][0]


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _read(file: str) -> _Known:
    try:
        with open(file, encoding="ascii") as kept:
            found = json.load(kept)
        return {place: [name, mark] for place, (name, mark) in found.items() if _NAME.fullmatch(name)}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _repository(folder: str) -> str:
    """Return the nearest folder above that is a repository, or the folder itself."""
    here = folder
    while True:
        place = os.path.join(here, ".git")
        if os.path.isdir(place):
            return here
        if os.path.isfile(place):
            main, is_worktree, _ = _pointed_at(place).partition(f"{os.sep}.git{os.sep}worktrees{os.sep}")
            return main if is_worktree else here
        here, below = os.path.dirname(here), here
        if here == below:
            return folder


def _pointed_at(place: str) -> str:
    """Return where the repository of a work tree is."""
    try:
        with open(place, encoding="utf-8") as file:
            return file.read(4096).removeprefix("gitdir:").strip()
    except (OSError, ValueError):
        return ""
