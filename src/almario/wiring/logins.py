"""The server that a home is logged in to: kept in a file that only the owner can read, and told what waits.

Its token is in the system's keyring, if there is one.
"""

import json
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from almario import config
from almario.adapters.addresses import origin_of
from almario.adapters.keyring import ask_keyring
from almario.domain.late import Late
from almario.domain.messages import Sentence
from almario.domain.turns import KEEP
from almario.errors import AccessDenied, AlmarioError, ConfigError, SoulError
from almario.served import LOGIN_FILE, NOWHERE, TOKEN, Login, login_in
from almario.store.files import locked_if_free, make_folder, overwrite, remove, writing
from almario.store.spool import FOLDER, spooled, written

_LOCK = ".delivering"
# How a file of the spool ends that a server refused for good, and the statuses that say so of the message
# itself: another, also 400, may be a fault of the server's files or settings, and passes.
_REFUSED, _FOR_GOOD = ".refused", (413, 422)
# How it ends until the owner was told.
_UNTOLD = f".new{_REFUSED}"
# Calls sent at a time.
_BATCH = 20
# Tells a server what waits for an agent, and returns the names of what it has kept.
Send = Callable[[str, Sequence[Late]], Collection[str]]


def login_of(home: str | None = None) -> Login | None:
    """Return the server that is asked in the place of a home, with its token."""
    found = login_in(home)
    if found is None or found.token:
        return found
    return found._replace(token=_kept_token(config.home_path(home), found))


def keep_login(root: Path, login: Login) -> None:
    """Let a home be logged in from now on; what waits for a login, or was refused, waits for this server."""
    make_folder(root)
    if ask_keyring("set_password", root, _name_of(login), login.token) is not None:
        login = login._replace(token="")
    overwrite(root / LOGIN_FILE, json.dumps(login._asdict(), indent=1).encode())
    spool = Path(login.waiting(root), FOLDER)
    nowhere = Path(NOWHERE.waiting(root), FOLDER)
    for path in (*nowhere.glob("*.json"), *refused(root, login)):
        make_folder(spool)
        path.replace(spool / f"{path.name.partition('.')[0]}.json")


def _name_of(login: Login) -> str:
    """Return the name under which the keyring has the token of a server, which no other is sent."""
    return f"{TOKEN} {origin_of(login.url)}"


def _kept_token(root: Path, login: Login) -> str:
    if found := ask_keyring("get_password", root, _name_of(login)):
        return found
    # One that was kept without its server is that of the server in login.json.
    own = login_in(str(root), {})
    if own is None or origin_of(own.url) != origin_of(login.url):
        return ""
    if found := ask_keyring("get_password", root, TOKEN):
        ask_keyring("set_password", root, _name_of(login), found)
        ask_keyring("delete_password", root, TOKEN)
    return found or ""


def end_login(root: Path) -> None:
    """Let a home be its own again; its token is forgotten."""
    with suppress(SoulError):  # which server it was cannot be read
        if login := login_in(str(root), {}):
            ask_keyring("delete_password", root, _name_of(login))
    ask_keyring("delete_password", root, TOKEN)
    (root / LOGIN_FILE).unlink(missing_ok=True)


def waiting(root: Path, login: Login) -> list[Late]:
    """Return the calls of hooks that wait for the server of a login."""
    return [each.late for each in spooled(Path(login.waiting(root))) if each.late]


def refused(root: Path, login: Login) -> list[Path]:
    """Return the files of the calls that a server refused for good; the next login tries them again."""
    return sorted(Path(login.waiting(root), FOLDER).glob(f"*{_REFUSED}"))


def take_refusal(root: Path, login: Login) -> Sentence | None:
    """Return what the owner is told, once, of what a server refused."""
    count = 0
    for path in Path(login.waiting(root), FOLDER).glob(f"*{_UNTOLD}"):
        with suppress(OSError):  # another process tells of it
            path.replace(path.with_name(path.name.removesuffix(_UNTOLD) + _REFUSED))
            count += 1
    sentence = '{url} refused {count} of what waited here; "almario doctor" says where it is'
    return Sentence(sentence, url=login.url, count=count) if count else None


def end_session(root: Path, session: str) -> None:
    """Remove what waits for a server and was off the record in a session that is over, unless taken back."""
    for folder in Path(NOWHERE.waiting(root)).parent.glob("*"):
        off = list[Path]()
        found = [(each.late, each.path) for each in spooled(folder) if each.late]
        for late, path in sorted(found, key=lambda each: (each[0].at, written(each[1]))):
            if (late.session, late.event) == (session, "user-prompt"):
                off = off[:-1] if late.text.strip().lower() in KEEP else [*off, *([path] if late.off else [])]
        for path in off:
            with suppress(OSError):
                remove(path)


def deliver(root: Path, login: Login, send: Send, *, only: str = "") -> None:
    """Tell the server of a login what waits, or *only* for one agent, oldest first, and take it out.

    What it refuses for good is set aside; where it refuses an agent, the others' goes on. ConnectionError if
    another process is at it: what is said after that has to wait, too.
    """
    folder = Path(login.waiting(root))
    if not spooled(folder):
        return
    with locked_if_free(folder / _LOCK) as is_ours:
        if not is_ours:
            raise ConnectionError
        waits: dict[str, list[tuple[Late, Path]]] = {}
        for each in spooled(folder):
            if each.late and only in ("", each.agent or login.agent):
                waits.setdefault(each.agent or login.agent, []).append((each.late, each.path))
        problems: list[AlmarioError] = []
        for agent, found in waits.items():
            found.sort(key=lambda each: (each[0].at, written(each[1])))
            try:
                for at in range(0, len(found), _BATCH):
                    _tell(found[at : at + _BATCH], partial(send, agent))
            except (SoulError, ConfigError, AccessDenied) as exc:
                problems.append(exc)
        if problems:
            raise problems[0]


def _tell(calls: Sequence[tuple[Late, Path]], send: Callable[[Sequence[Late]], Collection[str]]) -> None:
    """Tell a server of calls; take out what it keeps, and set aside what it never will."""
    try:
        kept = send([late for late, _ in calls])
    except AlmarioError as exc:
        if vars(exc).get("status", exc.facts.get("status")) not in _FOR_GOOD:
            raise
        if len(calls) > 1:  # one of them is at fault, or they are too much at once
            for each in calls:
                _tell([each], send)
            return
        kept = ()
    for late, path in calls:
        with writing(path):
            # What is off the record would be erased there, too.
            remove(path) if late.ref in kept or late.off else path.replace(path.with_suffix(_UNTOLD))
