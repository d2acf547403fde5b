"""Who may come in: the tokens of a home, all of them the owner's, and what each allows.

The owner's own token is a file that only the owner can read. Of all others only a hash is kept: those made
for programs, the cookies of browsers, and the links that make such a cookie once.
"""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from almario.domain.plain_text import is_safe_id
from almario.errors import AccessDenied, SoulError
from almario.named_tuples import NamedTuple
from almario.served import OWNER_FILE, token_of
from almario.wiring.souls import Souls, make_folder, overwrite

Scope = Literal["read", "write", "admin"]
SCOPES: tuple[Scope, ...] = ("read", "write", "admin")
# What a hash is of: a token in a header, a browser's cookie, or a link that makes such a cookie once. A
# guest's is of a token that 0.2 made for somebody else: it lets nobody in, and is listed until it is revoked.
Kind = Literal["token", "cookie", "login", "guest"]

FILE = ".tokens.json"
OWNER = "owner"
_PREFIX = "alm_"
_COOKIE_LASTS = timedelta(days=30)
_LOGIN_LASTS = timedelta(minutes=10)


class Grant(NamedTuple):
    """What whoever shows a token may do: with which *agents* (None: all), and how much."""

    name: str
    agents: frozenset[str] | None = None
    scope: Scope = "read"

    def knows(self, agent: str) -> bool:
        """Return whether an agent exists for whoever holds this."""
        return self.agents is None or agent.lower() in self.agents

    def need(self, scope: Scope) -> None:
        """Refuse what is not allowed."""
        if SCOPES.index(self.scope) < SCOPES.index(scope):
            raise AccessDenied('this needs a token with the scope "{scope}"', scope=scope)


class Token(NamedTuple):
    """A token as it is kept: its hash, what it allows, when it was made and until when it holds."""

    name: str
    hash: str
    kind: Kind = "token"
    agents: tuple[str, ...] | None = None
    scope: Scope = "read"
    made: str = ""
    until: str = ""

    @property
    def told(self) -> dict[str, Any]:
        """What people and programs are told of it: all but its hash."""
        return {name: value for name, value in self._asdict().items() if name != "hash"}

    @property
    def grant(self) -> Grant:
        agents = None if self.agents is None else frozenset(agent.lower() for agent in self.agents)
        return Grant(self.name, agents, self.scope)


class Tokens:
    """The tokens of a home, read anew when another process has changed them."""

    def __init__(self, souls: Souls) -> None:
        self.root = souls.root
        self._clock = souls.clock
        self._papers = souls.home.papers
        # Whether other machines have the same ones, so that to look one up takes a while.
        self.are_shared = self._papers.is_shared
        self._read: tuple[object, dict[tuple[Kind, str], Token]] = (None, {})
        self._owner: tuple[object, str] = (None, "")
        self._thread_lock = threading.Lock()

    def owner_token(self) -> str:
        """Return the owner's token, which is made if there is none; nobody else can read its file."""
        path = self.root / OWNER_FILE
        with self._changing():
            make_folder(self.root)
            if not self._owner_token():
                self._papers.write(OWNER_FILE, f"{_new()}\n".encode())
            token = self._owner_token()
            if token_of(self.root) != token:  # where programs on this machine find it
                overwrite(path, f"{token}\n".encode())
            os.chmod(path, 0o600)
            return token

    def grant_of(self, token: str) -> Grant | None:
        """Return what a token allows, or None if it is none."""
        if hmac.compare_digest(_hash(token), self._owner_hash()):
            return Grant(OWNER, None, "admin")
        found = self._known("token", token)
        return found.grant if found else None

    def grant_of_cookie(self, value: str) -> Grant | None:
        """Return what a browser's cookie allows, or None if it is none."""
        found = self._known("cookie", value)
        return found.grant if found else None

    def create(self, name: str, *, agents: tuple[str, ...] | None = None, scope: Scope = "read") -> str:
        """Make a token and return it; only its hash is kept."""
        if not is_safe_id(name) or name == OWNER:
            sentence = '"{name}" cannot be a token\'s name; use up to 64 letters a-z, digits, "-" and "_"'
            raise SoulError(sentence, name=name)
        token = _new()
        with self._changing():
            if any(each.name == name for each in self.all()):
                raise SoulError('there is already a token "{name}"; choose another name', name=name)
            made = self._clock().isoformat(timespec="seconds")
            self._add(Token(name, _hash(token), "token", agents, scope, made))
        return token

    def all(self) -> list[Token]:
        """Return the tokens and the browsers that there are now, without the owner's own."""
        return [each for each in self._all() if each.kind != "login" and not self._is_over(each)]

    def revoke(self, name: str) -> Token:
        """Let a token hold no longer."""
        with self._changing():
            gone = next((each for each in self.all() if each.name == name), None)
            if gone is None:
                raise SoulError('there is no token "{name}"; "almario tokens" lists them', name=name)
            self._save([each for each in self._all() if each != gone])
        return gone

    def login_code(self) -> str:
        """Return a code that makes a browser the owner's, once and soon."""
        code = _new()
        until = (self._clock() + _LOGIN_LASTS).isoformat(timespec="seconds")
        with self._changing():
            self._add(Token("login", _hash(code), "login", until=until))
        return code

    def redeem(self, code: str) -> str | None:
        """Return the cookie that a login code is good for, or None; it is good for no other."""
        if self._known("login", code) is None:  # nobody else has to wait for that
            return None
        with self._changing():
            found = self._known("login", code)
            if found is None:
                return None
            self._save([each for each in self._all() if each != found])
            value, now = secrets.token_urlsafe(32), self._clock()
            made, until = (each.isoformat(timespec="seconds") for each in (now, now + _COOKIE_LASTS))
            name = f"browser-{secrets.token_hex(3)}"
            self._add(Token(name, _hash(value), "cookie", None, "admin", made, until))
        return value

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        with self._thread_lock, self._papers.changing():
            yield

    def _owner_hash(self) -> str:
        mark = self._papers.mark(OWNER_FILE)
        if mark is None or mark != self._owner[0]:
            self._owner = (mark, _hash(self._owner_token() or _new()))
        return self._owner[1]

    def _owner_token(self) -> str:
        try:
            return (self._papers.read(OWNER_FILE) or b"").decode("ascii").strip()
        except ValueError:
            return ""

    def _known(self, kind: Kind, shown: str) -> Token | None:
        self._all()
        found = self._read[1].get((kind, _hash(shown)))
        return None if found is None or self._is_over(found) else found

    def _is_over(self, token: Token) -> bool:
        return bool(token.until) and datetime.fromisoformat(token.until) <= self._clock()

    def _all(self) -> list[Token]:
        mark = self._papers.mark(FILE)
        if mark != self._read[0]:
            read = _tokens(self._papers.read(FILE), str(self.root / FILE)) if mark else []
            self._read = (mark, {(each.kind, each.hash): each for each in read})
        return list(self._read[1].values())

    def _add(self, token: Token) -> None:
        self._save([*(each for each in self._all() if not self._is_over(each)), token])

    def _save(self, tokens: list[Token]) -> None:
        content = json.dumps({"tokens": [each._asdict() for each in tokens]}, indent=1)
        self._papers.write(FILE, content.encode())


def csrf_of(cookie: str) -> str:
    """Return what a page must send along with each change: only a page of ours can know it."""
    return hmac.new(cookie.encode(), b"csrf", hashlib.sha256).hexdigest()


def _new() -> str:
    return _PREFIX + secrets.token_urlsafe(32)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _tokens(content: bytes | None, path: str) -> list[Token]:
    try:
        read = json.loads(content or b"")["tokens"]
        return [_checked(Token(**_as_now(each))) for each in read]
    except (ValueError, TypeError, KeyError, RecursionError) as exc:
        sentence = "{path} cannot be read, so no token is valid; delete it and create your tokens again"
        raise SoulError(sentence, path=path) from exc


def _as_now(row: dict[str, Any]) -> dict[str, Any]:
    """Return a token as it is kept now; what 0.2 made for somebody else never becomes the owner's."""
    kept = {name: value for name, value in row.items() if name != "is_owner"}
    is_owners = row.get("is_owner", True) is True
    return kept if is_owners or row.get("kind") != "token" else kept | {"kind": "guest"}


def _checked(token: Token) -> Token:
    """Return a token that was read; ValueError or TypeError if it is not as we keep them."""
    words = (token.name, token.hash, token.made, token.until, *(token.agents or ()))
    is_zoned = not token.until or datetime.fromisoformat(token.until).tzinfo is not None
    is_listed = token.agents is None or isinstance(token.agents, list)
    is_known = token.kind in get_args(Kind) and token.scope in SCOPES
    if not (is_zoned and is_listed and is_known and all(isinstance(word, str) for word in words)):
        raise ValueError(token.name)
    return token._replace(agents=None if token.agents is None else tuple(token.agents))
