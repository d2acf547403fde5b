"""The server that a home is logged in to: kept in a file that only the owner can read, and told what waits.

Its token is in the system's keyring, if there is one.
"""

import json
from collections.abc import Callable, Collection, Sequence
from itertools import groupby
from pathlib import Path

from almario import config
from almario.adapters.keyring import asked_of_keyring
from almario.domain.late import Late
from almario.served import LOGIN_FILE, TOKEN, Login, login_in
from almario.store.files import locked_if_free, make_folder, overwrite, remove, writing
from almario.store.spool import spooled, written

_LOCK = ".delivering"
# So many calls are told at a time.
_BATCH = 20
# Tells a server what waits for an agent, and returns the names of what it has kept.
Send = Callable[[str, Sequence[Late]], Collection[str]]


def login_of(home: str | None = None) -> Login | None:
    """Return the server that is asked in the place of a home, with its token."""
    found = login_in(home)
    if found is None or found.token:
        return found
    token = asked_of_keyring("get_password", config.home_path(home), TOKEN)
    return found._replace(token=token or "")


def keep_login(root: Path, login: Login) -> None:
    """Let a home be logged in from now on."""
    make_folder(root)
    if asked_of_keyring("set_password", root, TOKEN, login.token) is not None:
        login = login._replace(token="")
    overwrite(root / LOGIN_FILE, json.dumps(login._asdict(), indent=1).encode())


def end_login(root: Path) -> None:
    """Let a home be its own again; its token is forgotten."""
    asked_of_keyring("delete_password", root, TOKEN)
    (root / LOGIN_FILE).unlink(missing_ok=True)


def waiting(root: Path, login: Login) -> list[Late]:
    """Return the calls of hooks that wait for the server of a login."""
    return [each.late for each in spooled(Path(login.waiting(root))) if each.late]


def deliver(root: Path, login: Login, send: Send, *, only: str = "") -> None:
    """Tell the server of a login what waits, or *only* for one agent, the oldest first, and take it out.

    ConnectionError if another process is at it: what is said after that has to wait, too.
    """
    folder = Path(login.waiting(root))
    if not spooled(folder):
        return
    with locked_if_free(folder / _LOCK) as is_ours:
        if not is_ours:
            raise ConnectionError
        every = [each for each in spooled(folder) if only in ("", each.agent)]
        found = [(each.late, each.agent, each.path) for each in every if each.late]
        found.sort(key=lambda each: (each[0].at, written(each[2])))
        for start in range(0, len(found), _BATCH):
            for agent, group in groupby(found[start : start + _BATCH], key=lambda each: each[1]):
                batch = list(group)
                kept = send(agent, [late for late, _, _ in batch])
                for late, _, path in batch:
                    if late.ref in kept:
                        with writing(path):
                            remove(path)
