"""A writer to agents in PostgreSQL that tells what became of each write, and the check of what is left.

Five kinds of work: a journal line, a line in the daily log, a new SOUL.md, a turn, and a line in a note,
which no journal knows of. Each carries a token. It is kept when the call has returned; refused, when an error
said that nothing was kept; and open, when an error said that nobody knows.
"""

import os
import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from almario.domain.events import AgentCreated, SoulChanged
from almario.domain.turns import Utterance
from almario.errors import EditConflict, StoreError
from almario_postgres import database
from almario_postgres.agent_store import PostgresStore
from almario_postgres.database import PoolLimits, Server

FAULTS = ("pg-no-lock", "pg-hasty")
AGENTS = 2
_TOKEN = re.compile(r"token-[a-z]+-\d+-\d+")
_NOTE, _SESSION = "memory/notes.md", "cli:main"
_KINDS = ("line", "log", "soul", "turn", "note")


def plant(fault: str) -> None:
    """Take a safeguard out of this process and those it forks."""
    if fault != "pg-no-lock":
        return
    whole: Callable[..., Any] = database._last_row

    def unlocked(connection: Any, statements: str) -> Any:
        if "UPDATE standings" not in statements:
            return whole(connection, statements)
        begin, _, update = statements.partition("UPDATE standings")
        found = whole(connection, f"UPDATE standings{update}")  # whose lock ends here
        whole(connection, begin)
        return found

    database._last_row = unlocked


def server_at(url: str, fault: str = "none") -> Server:
    durable = fault != "pg-hasty"
    return Server(
        url, PoolLimits(connect_seconds=60, lock_seconds=60, statement_seconds=60, is_durable=durable)
    )


def store_of(server: Server, number: int) -> PostgresStore:
    return PostgresStore(server.bound(number), lambda: datetime.now(UTC), UTC)


def write_forever(url: str, agents: list[int], fault: str, told: int) -> None:
    """Write until killed; what becomes of each token goes to the descriptor."""
    dice = random.Random(os.urandom(8))
    server = server_at(url, fault)
    stores = [store_of(server, number) for number in agents]
    for count in range(10**9):
        kind, store = dice.choice(_KINDS), dice.choice(stores)
        token = f"token-{kind}-{os.getpid()}-{count}"
        try:
            write(store, kind, token, dice)
        except EditConflict:
            continue
        except StoreError as exc:
            became = "open" if "not known" in exc.message else "refused"
        else:
            became = "kept"
        os.write(told, f"{became} {token}\n".encode())


def write(store: PostgresStore, kind: str, token: str, dice: random.Random) -> None:
    if kind == "line":
        store.record(AgentCreated(token, "x" * dice.choice((10, 200, 5_000, 100_000))), actor="owner")
    elif kind == "log":
        store.add_to_log(f"{token}.", actor="owner")
    elif kind == "soul":
        store.write_soul(store.read("SOUL.md"), f"# Soul\n\n{token}\n", actor="owner", reason=token)
    elif kind == "turn":
        store.append_turns(_SESSION, [Utterance("user", token, "owner")])
    else:
        with store.writing() as opened:
            note = store.read(_NOTE)
            opened.replace(note, f"{note.text}{token}\n")


def problems_after(url: str, agents: list[int], became: dict[str, str]) -> list[str]:
    """Open the agents as the next process would, and say what was promised and is not so."""
    server = server_at(url)
    found: list[str] = []
    there: Counter[str] = Counter()
    for number in agents:
        store = store_of(server, number)
        store.settle()
        store.record(AgentCreated("end", ""), actor="owner")
        damages = [*store.journal.check(), *store.transcripts.check()]
        found += [f"{damage.place} {damage.problem}" for damage in damages]
        entered = tokens_entered(store)
        logs = Counter(_TOKEN.findall("".join(store.read(n).text for n in store.documents.names("memory"))))
        logged = {token for token in entered if token.startswith("token-log")}
        found += [f"{token} is in the log {logs[token]} times" for token in logged if logs[token] != 1]
        versions = store.versions.history("SOUL.md")
        if versions and store.read("SOUL.md").hash != versions[-1].hash:
            found.append("SOUL.md is not what the journal says")
        notes = Counter({token: n for token, n in logs.items() if token.startswith("token-note")})
        turns = Counter(turn.text for turn in store.transcripts.read(_SESSION))
        there += entered + notes + turns
    server.close()
    wanted = {"kept": {1}, "refused": {0}, "open": {0, 1}}
    return found + [
        f"{token} was {state}, and is there {there[token]} times"
        for token, state in became.items()
        if there[token] not in wanted[state]
    ]


def tokens_entered(store: PostgresStore) -> Counter[str]:
    """Return which tokens the journal has, and how often."""
    lines: Counter[str] = Counter()
    for event in store.journal.read():
        body = event.body
        text = body.name if isinstance(body, AgentCreated) else ""
        text = body.reason if isinstance(body, SoulChanged) else text
        lines.update(_TOKEN.findall(text + "".join(filing.text for filing in event.filings)))
    return lines
