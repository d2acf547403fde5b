"""Who is the owner on Telegram: those who sent back a code that was shown in the owner's terminal.

It is kept in one file of the home that only the owner can read, for each agent; of a code only a hash.
"""

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from almario.domain.logs import Log
from almario.errors import SoulError, StoreError
from almario.named_tuples import NamedTuple
from almario.wiring.souls import Papers

log = Log(__name__)

FILE = ".telegram.json"
# No sign of it can be taken for another.
_SIGNS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_LENGTH = 8
_LASTS = timedelta(minutes=10)
# So often one person, and so often all together, may be wrong before a code is void.
_TRIES, _ALL_TRIES = 3, 20
_SHAPE = re.compile(rf"[{_SIGNS}]{{{_LENGTH}}}")
_TOO_MANY = 'too many wrong codes were sent, so the code is void; "almario telegram pair" makes a new one'

Tried = Literal["paired", "wrong", "no code"]


class Owner(NamedTuple):
    """A Telegram account that is the owner's."""

    id: int
    name: str
    since: str


class Pairing:
    """Who is paired with one agent, read anew each time: another process may change it."""

    def __init__(self, papers: Papers, agent: str, clock: Callable[[], datetime]) -> None:
        """*papers* are the home's."""
        self._papers = papers
        self._agent = agent
        self._clock = clock

    def owners(self) -> list[Owner]:
        """Return the accounts that are the owner's."""
        return [Owner(**each) for each in self._own().get("owners", [])]

    def is_owner(self, person: int) -> bool:
        """Return whether an account is the owner's."""
        return any(owner.id == person for owner in self.owners())

    def new_code(self) -> str:
        """Return a code that makes whoever sends it the owner, once and soon; an earlier one is void."""
        code = "".join(secrets.choice(_SIGNS) for _ in range(_LENGTH))
        salt, until = secrets.token_hex(8), self._clock() + _LASTS
        kept = {"salt": salt, "hash": _hash(salt, code), "until": until.isoformat(), "tries": {}}
        self._change(lambda own: own | {"code": kept})
        return f"{code[:4]}-{code[4:]}"

    def tried(self, person: int, name: str, text: str) -> Tried:
        """Pair a person who sent the code; say what came of it, or that nothing like a code was sent."""
        shown = re.sub(r"[\s-]", "", text).upper()
        if not _SHAPE.fullmatch(shown) or not self._own().get("code"):
            return "no code"
        outcome: Tried = "wrong"

        def answer(own: dict[str, Any]) -> dict[str, Any]:
            nonlocal outcome
            code = own.pop("code", None)
            if not code or datetime.fromisoformat(code["until"]) <= self._clock():
                return own
            tries = {**code["tries"], str(person): code["tries"].get(str(person), 0) + 1}
            is_right = hmac.compare_digest(_hash(code["salt"], shown), code["hash"])
            if is_right and tries[str(person)] <= _TRIES:
                outcome = "paired"
                owner = Owner(person, name, self._clock().isoformat(timespec="seconds"))
                return own | {"owners": [*own.get("owners", []), owner._asdict()]}
            if sum(tries.values()) >= _ALL_TRIES:
                log.warning(_TOO_MANY)
                return own
            return own | {"code": code | {"tries": tries}}

        self._change(answer)
        return outcome

    def unpair(self, wanted: str) -> Owner:
        """Let an account be a stranger's again, by its id or its name."""
        gone: list[Owner] = []

        def without(own: dict[str, Any]) -> dict[str, Any]:
            owners = own.get("owners", [])
            gone[:] = [Owner(**each) for each in owners if wanted in (str(each["id"]), each["name"])]
            return own | {"owners": [each for each in owners if len(gone) != 1 or each["id"] != gone[0].id]}

        self._change(without)
        if len(gone) > 1:
            raise SoulError('several accounts are called "{who}"; use the id', who=wanted)
        if not gone:
            raise SoulError('"{who}" is not paired; "almario telegram list" lists who is', who=wanted)
        return gone[0]

    @property
    def bot(self) -> str:
        """The username of the bot that spoke last for the agent."""
        return str(self._own().get("bot", ""))

    @property
    def last_morning(self) -> str:
        """The latest day whose morning note was sent."""
        return str(self._own().get("told", ""))

    def note(self, **facts: str) -> None:
        """Keep the name of the *bot*, or the day that was *told*."""
        if any(self._own().get(name) != fact for name, fact in facts.items()):
            self._change(lambda own: own | facts)

    def _own(self) -> dict[str, Any]:
        return dict(self._all().get(self._agent, {}))

    def _all(self) -> Mapping[str, dict[str, Any]]:
        content = self._papers.read(FILE)
        if content is None:
            return {}
        try:
            found: Any = json.loads(content)
            if isinstance(found, dict) and all(isinstance(each, dict) for each in found.values()):
                return found
        except ValueError:
            pass
        sentence = '{path} cannot be read; delete it and pair again with "almario telegram pair"'
        raise StoreError(sentence, path=FILE)

    def _change(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        with self._papers.changing():
            every = {**self._all(), self._agent: change(self._own())}
            self._papers.write(FILE, json.dumps(every, ensure_ascii=False, indent=2).encode())


def _hash(salt: str, code: str) -> str:
    return hashlib.sha256(f"{salt}{code}".encode()).hexdigest()
