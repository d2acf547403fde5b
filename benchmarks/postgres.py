"""`python -m benchmarks.postgres`: many agents in PostgreSQL, and as many in folders, beside each other.

One agent of 300 passages is made, and its rows are copied under other numbers; its folder is copied, too.
Then one warm process asks both in turn, and what that computes is counted; and clients, each a process of
its own, take an agent by chance and open it, recall, write a prompt and remember.
A server is named by its address (its tables are made there), or is one of this machine's, and new.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import psycopg

import almario
from almario_postgres import migrating
from almario_postgres.database import Server
from benchmarks.agents import facts, talked
from benchmarks.measuring import milliseconds, percentile, size_of, timed
from benchmarks.texts import passages, questions
from tests import pg_servers

AGENTS, PASSAGES, FOLDERS = 10_000, 300, 300
CLIENTS = (1, 4, 8, 16, 32)
ROUNDS, _LEAST = 160, 5
# So many rounds are for warming up.
_WARMED = 4
# As long as what people say to each other.
WORDS = 25
_BATCH = 200
_STEPS = ("open", "recall", "prompt", "remember")
Times = dict[str, list[float]]


def template(home: Path, count: int, store: str) -> None:
    """Make the agent that all others are copies of."""
    told = count - count // 10
    soul = talked(home, passages(told, words=WORDS), {"store": store})
    for fact in facts(count - told):
        soul.remember(fact)
    soul.memory.reindex()
    soul.close()


def tables(connection: Any) -> dict[str, list[str]]:
    """Return the tables that have rows of agents, each with its other columns."""
    rows = connection.execute(
        "SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE c.relkind = 'p' AND c.relnamespace = 'almario'::regnamespace AND a.attnum > 0"
        " AND NOT a.attisdropped AND c.relname <> 'papers' ORDER BY a.attnum"
    )
    found: dict[str, list[str]] = {}
    for table, column in rows.fetchall():
        found.setdefault(table, []).append(column)
    return {table: [each for each in columns if each != "agent"] for table, columns in found.items()}


def multiplied(server: Server, count: int) -> None:
    """Copy the only agent until there are so many."""
    with server.as_owner() as connection:
        connection.execute("SET search_path = almario, public")
        connection.execute("SET synchronous_commit = off")
        [[first, made]] = connection.execute("SELECT min(number), count(*) FROM agents").fetchall()
        every = tables(connection)
        for start in range(made, count, _BATCH):
            new = min(_BATCH, count - start)
            with connection.transaction():
                numbers = connection.execute(
                    "INSERT INTO agents(id, is_made) SELECT 'a' || n, true"
                    " FROM generate_series(%s::int, %s::int) n RETURNING number",
                    (start, start + new - 1),
                ).fetchall()
                for table, columns in every.items():
                    listed = ", ".join(f'"{column}"' for column in columns)
                    connection.execute(
                        f"INSERT INTO {table}(agent, {listed}) SELECT copied, {listed} FROM {table},"
                        " unnest(%s::bigint[]) copied WHERE agent = %s",
                        ([number for (number,) in numbers], first),
                    )
            if start % 2000 < _BATCH:
                print(f"{start + new} agents", flush=True)
        if made < count:
            connection.execute("VACUUM ANALYZE")


def sizes(server: Server, count: int) -> None:
    """Print the rows and bytes of an agent, by table."""
    print("\n| table | rows | bytes | of them indexes |\n|---|--:|--:|--:|")
    sums = [0, 0, 0]
    with server.as_owner() as connection:
        for table in tables(connection):
            [[rows]] = connection.execute(
                f"SELECT count(*) FROM almario.{table} WHERE agent = (SELECT min(number) FROM almario.agents)"
            ).fetchall()
            [[whole, indexes]] = connection.execute(
                "SELECT sum(pg_total_relation_size(relid)), sum(pg_indexes_size(relid))"
                " FROM pg_partition_tree(%s)",
                (f"almario.{table}",),
            ).fetchall()
            row = [rows, int(whole) // count, int(indexes) // count]
            sums = [one + other for one, other in zip(sums, row, strict=True)]
            print(f"| {table} | {row[0]:,} | {row[1]:,} | {row[2]:,} |")
    print(f"| all | {sums[0]:,} | {sums[1]:,} | {sums[2]:,} |")


def lived(home: Path, store: str, ids: Sequence[str], rounds: int, seed: int) -> Times:
    """Be a client: use an agent by chance, and another, and return how long each step took."""
    chance = random.Random(seed)
    asked = questions(rounds, passages(PASSAGES, words=WORDS), seed=seed)
    times: Times = {step: [] for step in _STEPS}
    for question, fact in zip(asked, facts(rounds, seed=seed), strict=True):
        begun = time.perf_counter()
        soul = almario.open(home, chance.choice(ids), store=store)
        times["open"].append(time.perf_counter() - begun)
        times["recall"].append(timed(partial(soul.recall, question)))
        times["prompt"].append(timed(partial(soul.prompt, question, session="new")))
        times["remember"].append(timed(partial(soul.remember, fact)))
        soul.close()
    return times


def _client(home: Path, store: str, ids: Sequence[str], rounds: int, seed: int, told: Any) -> None:
    told.put(lived(home, store, ids, rounds, seed))


def together(given: tuple[Any, ...], clients: int, rounds: int) -> Times:
    """Let so many clients live at once; return the times of each step."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    each = max(_LEAST, rounds // clients)
    lives = [context.Process(target=_client, args=(*given, each, seed, told)) for seed in range(clients)]
    for life in lives:
        life.start()
    every = [told.get() for _ in lives]
    for life in lives:
        life.join()
    # Each process loads its modules in the first round.
    return {step: [took for times in every for took in times[step][1:]] for step in _STEPS}


def clients(
    places: Mapping[str, tuple[Path, str, Sequence[str]]], counts: Sequence[int], rounds: int
) -> None:
    """Print how long each step takes, in each place, from each number of clients."""
    print("\n| clients | place | " + " | ".join(f"{step} p50 / p95" for step in _STEPS) + " |")
    print("|--:|---|" + "--:|" * len(_STEPS))
    for count in counts:
        for name, given in places.items():
            times = together(given, count, rounds)
            shown = [
                f"{milliseconds(statistics.median(each))} / {milliseconds(percentile(each, 0.95))}"
                for each in times.values()
            ]
            print(f"| {count} | {name} | " + " | ".join(shown) + " |", flush=True)


def warm(places: Mapping[str, tuple[Path, str, Sequence[str]]], url: str, rounds: int = 24) -> None:
    """Print how long each step takes, and what it computes, client and server, with how many statements."""
    souls = {name: almario.open(home, ids[0], store=store) for name, (home, store, ids) in places.items()}
    costs: dict[tuple[str, str], list[tuple[float, float, int]]] = {}
    asked = questions(rounds, passages(PASSAGES, words=WORDS), seed=1)
    with counted_statements() as statements:
        for (question, fact), (name, soul) in product(
            zip(asked, facts(rounds, seed=5), strict=True), souls.items()
        ):
            for step, do in (
                ("remember", partial(soul.remember, fact)),
                ("recall, after a write", partial(soul.recall, f"{question} then")),
                ("recall", partial(soul.recall, question)),
                ("prompt", partial(soul.prompt, f"{question} now", session="new")),
            ):
                before, told = _computed(url), len(statements)
                took = timed(do)
                cost = took, _computed(url) - before, len(statements) - told
                costs.setdefault((step, name), []).append(cost)
    print("\n| step | place | median | of the first | computing | statements |\n|---|---|--:|--:|--:|--:|")
    first = next(iter(souls))
    for (step, name), each in costs.items():
        times, computing, sent = zip(*each[_WARMED:], strict=True)
        ratios = [one[0] / base[0] for one, base in zip(each, costs[step, first], strict=True)][_WARMED:]
        shown = milliseconds(statistics.median(times)), f"{statistics.median(ratios):.2f} ×"
        print(
            f"| {step} | {name} | {' | '.join(shown)} | {milliseconds(statistics.fmean(computing))}"
            f" | {statistics.fmean(sent):.0f} |",
            flush=True,
        )
    for soul in souls.values():
        soul.close()


def importing(folder: Path, url: str, count: int) -> None:
    """Print how long so many notes take to come in beside a writer, and how long that one waits."""
    (notes := folder / "notes").mkdir(exist_ok=True)
    for number, text in enumerate(passages(count, words=40)):
        (notes / f"{number}.md").write_text(f"# Note {number}\n\n{text}\n")
    context = multiprocessing.get_context("spawn")
    print("\n| place | import | `remember` beside it, median | slowest |\n|---|--:|--:|--:|")
    for name, store in (("folders", ""), ("PostgreSQL", url)):
        home = Path(tempfile.mkdtemp(dir=folder))
        with almario.create(home, settings={"store": store}) as soul:
            soul.remember("drink: tea")
            soul.recall("tea")
            told, done = context.Queue(), context.Event()
            beside = context.Process(target=_beside, args=(home, store, soul.id, told, done))
            beside.start()
            told.get()  # it is warm
            took = timed(partial(soul.importer.take_in, notes))
            done.set()
            waits = told.get()
            beside.join()
        slowest = f"{milliseconds(statistics.median(waits))} | {milliseconds(max(waits))}"
        print(f"| {name} | {took:.1f} s | {slowest} |", flush=True)


def _beside(home: Path, store: str, agent: str, told: Any, done: Any) -> None:
    with almario.open(home, agent, store=store) as soul:
        soul.remember("food: bread")
        own = list(facts(1000, seed=11))
        told.put(None)
        waits = []
        for fact in own:
            waits.append(timed(partial(soul.remember, fact)))
            if done.wait(0.1):
                break
        told.put(waits)


@contextmanager
def counted_statements() -> Iterator[list[str]]:
    """Collect a word for each statement that this process sends."""
    sent: list[str] = []
    execute = psycopg.Cursor.execute

    def counted(self: Any, *given: Any, **how: Any) -> Any:
        sent.append("sent")
        return execute(self, *given, **how)

    psycopg.Cursor.execute = counted  # type: ignore[method-assign]
    try:
        yield sent
    finally:
        psycopg.Cursor.execute = execute  # type: ignore[method-assign]


def _computed(url: str) -> float:
    """Return what this process has computed, and the server at that address if it was started here."""
    data = f"{url.rpartition('host=')[2]}/data"
    every = psutil.process_iter(["cwd", "cpu_times"])
    theirs = sum(sum(each.info["cpu_times"][:2]) for each in every if each.info["cwd"] == data)
    return float(theirs + sum(psutil.Process().cpu_times()[:2]))


def folders(home: Path, count: int, passage_count: int) -> list[str]:
    """Make so many agents in folders."""
    template(home, passage_count, "")
    [first] = (home / "agents").iterdir()
    names = [first.name, *(f"a{number}" for number in range(1, count))]
    for name in names[1:]:
        shutil.copytree(first, home / "agents" / name)
    print(f"a folder of {size_of(first):,} bytes", flush=True)
    return names


@contextmanager
def served(url: str) -> Iterator[str]:
    """Give the address of a server: the one that is named, or a new one, which is gone afterwards."""
    if url:
        yield url
        return
    choice = pg_servers.chosen(pg_servers.found())
    if not choice.programs:
        raise SystemExit("; ".join(choice.why) or "there is no PostgreSQL on this machine")
    with pg_servers.running(Path(choice.programs), is_safe=True) as address:
        yield address


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", default="", help="a database for agents of Almario, which has none yet")
    parser.add_argument("--folder", type=Path, help="where all is made, and kept for the next run")
    parser.add_argument("--agents", type=int, default=AGENTS)
    parser.add_argument("--passages", type=int, default=PASSAGES)
    parser.add_argument("--folders", type=int, default=FOLDERS, help="how many agents there are in folders")
    parser.add_argument("--clients", type=int, nargs="*", default=CLIENTS)
    parser.add_argument("--notes", type=int, default=1200, help="how many come in beside a writer")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of all clients together")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = chosen.folder or Path(made)
        folder.mkdir(exist_ok=True)
        with served(chosen.url) as url:
            measured(url, folder, chosen)


def measured(url: str, folder: Path, chosen: argparse.Namespace) -> None:
    """Make what is missing, and measure."""
    server = Server(url)
    with server.as_owner() as connection:
        migrating.migrate(connection)
        [[made]] = connection.execute("SELECT count(*) FROM almario.agents").fetchall()
    if not made:
        template(folder / "settings", chosen.passages, url)
    multiplied(server, chosen.agents)
    sizes(server, chosen.agents)
    home = folder / "home"
    names = (
        sorted(os.listdir(home / "agents"))
        if home.exists()
        else folders(home, chosen.folders, chosen.passages)
    )
    with server.as_owner() as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM almario.agents").fetchall()]
    places = {"folders": (home, "", names), "PostgreSQL": (folder / "settings", url, ids)}
    warm(places, url)
    clients(places, chosen.clients, chosen.rounds)
    importing(folder, url, chosen.notes)


if __name__ == "__main__":
    main()
