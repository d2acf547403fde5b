"""A server that is mute, refuses a login or has an odd address: what is waited for, tried and told."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from almario.errors import ConfigError, StoreError, StoreUnavailable
from almario_postgres.address import read_address
from almario_postgres.database import PoolLimits, Server
from almario_postgres.silences import Silences
from tests import postgres
from tests.cut_wire import Silence, Wire, wire_to
from tests.tables import each_row

HASTE = PoolLimits(connections=2, connect_seconds=0.2, lock_seconds=0.05, statement_seconds=5)


@pytest.fixture
def server() -> Server:
    return postgres.migrated()


@pytest.fixture
def wired(server: Server) -> Iterator[tuple[Wire, Server]]:
    with TemporaryDirectory() as folder, wire_to(server.url, Path(folder)) as (wire, url):
        far = Server(url, HASTE)
        yield wire, far
        far.close()


# What is mute.


@each_row("said", [0, 1, 2, 4, 5])
@each_row("silence", ["asked", "answered"])
def test_a_server_that_falls_silent_is_given_up_in_time(
    wired: tuple[Wire, Server], server: Server, said: int, silence: Silence
) -> None:
    wire, agent = wired[0], postgres.new_agent(server)
    wire.silent_after, wire.silence = wire.spoken + said, silence
    far = Server(wired[1].url, HASTE)

    with pytest.raises(StoreUnavailable, match="cannot be reached: it does not answer"):
        far.bound(agent).reading().__enter__()
    assert wire.spoken == wire.silent_after + 1


@each_row("work", [0.05, 0.3, 1.0, 4.0, 30.0])
def test_who_asks_on_waits_in_vain_once_in_full_and_then_a_tenth_of_the_time(work: float) -> None:
    now, waited = [100.0], 0.0
    silences = Silences(lambda: now[0])
    while now[0] < 400:
        seconds = silences.left(10.5)
        now[0] += work + seconds
        waited += seconds
        if seconds:
            silences.note_silence()
        assert waited <= 10.5 + 0.2 + 0.1 * (now[0] - 100)
    assert waited > 15
    while not silences.left(10.5):
        now[0] += 0.1
    silences.note_answer()
    assert silences.left(10.5) == 10.5


def test_a_server_that_was_silent_is_not_asked_again_at_once_and_found_when_it_is_back(
    wired: tuple[Wire, Server], server: Server
) -> None:
    wire, far = wired
    now = [0.0]
    far._silences = Silences(lambda: now[0])
    bound = far.bound(postgres.new_agent(server))
    wire.silent_after = wire.spoken
    for _ in range(5):
        with pytest.raises(StoreUnavailable, match="it does not answer"):
            bound.reading().__enter__()
    assert wire.dialled == 2

    wire.silent_after = None
    now[0] += 60
    with bound.reading():
        assert wire.dialled == 3


def test_a_write_whose_end_stays_without_an_answer_is_said_not_to_be_known(
    wired: tuple[Wire, Server], server: Server
) -> None:
    wire, far = wired

    def silenced() -> None:
        with far.bound(postgres.new_agent(server)).writing():
            wire.silent_after = 0

    with pytest.raises(StoreUnavailable, match="not known whether that was kept"):
        silenced()


# What is refused.


def test_a_login_that_is_refused_is_tried_once_for_a_command(server: Server) -> None:
    from psycopg.conninfo import make_conninfo

    with TemporaryDirectory() as folder, wire_to(server.url, Path(folder)) as (wire, url):
        stranger = Server(make_conninfo(url, user="nobody", password="hush"), HASTE, key=b"key")
        for _ in range(5):
            with pytest.raises(StoreUnavailable, match="does not let us in: its pg_hba") as refused:
                stranger.bound(1).reading().__enter__()
        assert wire.dialled == 1
        assert "hush" not in str(refused.value)


def test_a_database_that_is_not_there_is_named(server: Server) -> None:
    from psycopg.conninfo import make_conninfo

    nowhere = Server(make_conninfo(server.url, dbname="nowhere"), HASTE)
    with pytest.raises(StoreUnavailable, match='it has no database "nowhere"'):
        nowhere.bound(1).reading().__enter__()


def test_a_wrong_key_is_said_to_be_wrong(server: Server) -> None:
    number, other = postgres.new_agent(server), Server(postgres.login_url(server), HASTE, key=b"another")

    for agent in (0, number):
        with pytest.raises(StoreError, match="the key in ALMARIO_STORE_KEY is not that of"):
            other.bound(agent).reading().__enter__()
        with pytest.raises(StoreError, match="the key in ALMARIO_STORE_KEY is not that of"):
            other.bound(agent).writing().__enter__()
    other.close()


# What an address is read as.

READ = [
    ("postgres://ana:s3cret@db.example/almario", "postgres://ana@db.example/almario"),
    ("postgres://ana:s3%40cret@db.example:6432/almario", "postgres://ana@db.example:6432/almario"),
    ("postgres:///almario?host=/run/pg&password=s3cret&user=ana", "postgres://ana@/almario?host=/run/pg"),
    ("postgres://one,two:6432/a?sslpassword=s3cret", "postgres://one,two:6432/a"),
    ("postgres://[fe80::1]/a?pass%77ord=s3cret", "postgres://[fe80::1]/a"),
    ("postgres://ana:s3?cret@db/a", ""),
    ("postgres://ana:s3/cr@et@db/a", ""),
    ("postgres://ana:55/s3@cret@db/a", ""),
    ("postgres://ana:s3@cret@db/a", ""),
    ("postgres://ana:s3%cret@db/a", ""),
    ("postgres://ana:s3 cret@db/a", ""),
    ("postgres://ana:s3cret", ""),
    ("postgres://db/a?password=s3@cret", ""),
    ("postgres://db/a?pasword=s3cret", ""),
]


@each_row(("url", "place"), READ)
def test_an_address_is_read_for_certain_or_refused_and_its_password_is_never_told(
    url: str, place: str
) -> None:
    if place:
        found = read_address(url)
        assert (found.place, found.has_password) == (place, True)
        return
    with pytest.raises(ConfigError, match="must be written as %25") as refused:
        read_address(url)
    assert not any(part in str(refused.value) for part in ("s3", "cret"))
    assert refused.value.__context__ is None or refused.value.__suppress_context__
