"""An agent that is written to all the time moves from a folder to PostgreSQL and back; its movers are killed.

A writer goes wherever the agent is listed, and stays there as long as it is taken in: so it often holds what
is about to be left. Each turn, line of the log and line of the costs carries a token.
"""

import os
import random
import re
import select
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path

import almario
from almario.domain.turns import Utterance
from almario.errors import AlmarioError
from almario.ports import Store
from almario.wiring import Opened, open_home
from almario_postgres import migrating
from almario_postgres.agent_store import PostgresStore
from almario_postgres.moves import FOLDER, move
from proofs.torture.clusters import Cluster
from proofs.torture.forked import Forked
from proofs.torture.pg_writing import server_at
from tests.postgres import as_in_settings

FAULTS = ("pg-no-fence",)
AGENT = "ana"
SETTINGS = {"embedder.name": "none", "llm.model": "none"}
_TOKEN = re.compile(rb"token-[a-z]+-\d+-\d+")
_COSTS = "costs/2026-11.jsonl"
WRITERS = 2


def plant(fault: str) -> None:
    """Let leases run out soon; and, as a fault, whoever has an agent open that has left write there."""
    (PostgresStore.__init__.__kwdefaults__ or {})["lease_seconds"] = 2.0
    if fault == "pg-no-fence":
        PostgresStore.leaving = PostgresStore.writing  # type: ignore[method-assign]


def homes(root: Path, address: str) -> list[Opened]:
    return [open_home(root, settings=SETTINGS, store=store) for store in ("", address)]


def places(both: list[Opened]) -> list[bool]:
    """Say where the agent is listed: in the folder, in the database."""
    return [any(agent.id == AGENT for agent in each.home.agents()) for each in both]


def write_forever(root: Path, address: str, told: int) -> None:
    """Write until killed; each token that was taken in goes to the descriptor."""
    both = homes(root, address)
    dice = random.Random(os.urandom(8))
    store: Store | None = None
    for count in range(10**9):
        kind = dice.choice(("turn", "log", "cost"))
        token = f"token-{kind}-{os.getpid()}-{count}"
        try:
            store = store or found(both)
            if store is None:
                continue
            write(store, kind, token)
        except AlmarioError:
            store = None
        else:
            os.write(told, f"{token}\n".encode())
        time.sleep(0.002)


def found(both: list[Opened]) -> Store | None:
    for each in both:
        for agent in each.home.agents():
            if agent.id == AGENT:
                return each.store(agent)
    return None


def write(store: Store, kind: str, token: str) -> None:
    if kind == "turn":
        store.append_turns("cli:main", [Utterance("user", token, "owner")])
    elif kind == "log":
        store.add_to_log(token, actor="owner")
    else:
        store.documents.add_line(_COSTS, f"{token}\n".encode())


def moved(root: Path, to: str, address: str, told: int) -> None:
    try:
        _move(root, to, address)
    except AlmarioError as exc:
        os.write(told, f"{exc}\n".encode())


def _move(root: Path, to: str, address: str) -> None:
    source = address if to == FOLDER else ""
    move(AGENT, to=to, home=root, settings=SETTINGS | {"store": source})


def run(rounds: int, fault: str = "none") -> list[str]:
    """Return what went wrong in so many moves, of which most are killed."""
    plant(fault)
    dice = random.Random()
    cluster = Cluster()
    try:
        cluster.make()
        cluster.start()
        server = server_at(cluster.url)
        with server.as_owner() as connection:
            migrating.migrate(connection)
        server.close()
        with tempfile.TemporaryDirectory() as folder:
            kills = 0.8 if fault == "none" else 0.0
            return _tortured(Path(folder) / "home", as_in_settings(cluster.url), rounds, dice, kills)
    finally:
        cluster.remove()


def _tortured(root: Path, address: str, rounds: int, dice: random.Random, kills: float) -> list[str]:
    """Move so many times, and kill such a part of the movers; return what was promised and is not so."""
    almario.create(root, AGENT, settings=SETTINGS).close()
    both = homes(root, address)
    writers = [Forked(partial(write_forever, root, address)) for _ in range(WRITERS)]
    kept: list[str] = []
    problems: list[str] = []
    killed = done = 0
    to, patience = address, 5.0
    try:
        while killed + done < rounds:
            is_here, is_there = places(both)
            if is_here and is_there:
                problems.append("listed in both places")
                break
            to = address if is_here else FOLDER if is_there else to
            mover = Forked(partial(moved, root, to, address))
            began = time.monotonic()
            limit = dice.random() * patience if dice.random() < kills else 600.0
            kept += [token for each in writers for token in each.heard()]
            if select.select([mover.pipe], [], [], limit)[0]:  # closed when it is done
                done += 1
                patience = max(0.2, 1.2 * (time.monotonic() - began))
                problems += [why for why in mover.end() if "held by another" not in why]
            else:
                mover.kill()
                killed += 1
    finally:
        for each in writers:
            kept += each.kill()
    if not any(places(both)):
        _move(root, to, address)
    print(f"{killed} moves killed, {done} done, {len(kept)} writes acknowledged")
    return problems + _missing(both, kept)


def _missing(both: list[Opened], kept: list[str]) -> list[str]:
    store = found(both)
    assert store is not None
    with store.writing():
        pass
    logs = [name for name in store.documents.names("memory") if name.endswith(".md")]
    texts = [store.read(name).content or b"" for name in (*logs, _COSTS)]
    texts += ["\n".join(turn.text for turn in store.transcripts.read("cli:main")).encode()]
    there = Counter(token.decode() for text in texts for token in _TOKEN.findall(text))
    problems = [f"{token} is lost" for token in kept if not there[token]]
    problems += [f"{token} is there {times} times" for token, times in there.items() if times > 1]
    return problems + [str(each) for each in (*store.journal.check(), *store.transcripts.check())]
