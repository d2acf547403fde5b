"""What a store in PostgreSQL does beyond what every store does: several processes, one agent."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC

import pytest

from almario.domain.documents.document import Document
from almario.domain.events import DayLogged, Filing, JobTried
from almario.domain.messages import Sentence
from almario.domain.turns import Utterance
from almario.errors import DocumentError, EditConflict, SchemaTooNew, StoreBusy
from almario.testing import FixedClock
from almario_postgres import watching
from almario_postgres.agent_store import PostgresStore
from almario_postgres.database import Bound, Server
from tests import postgres

TRIED = JobTried("flush", Sentence.own("x"))


@pytest.fixture
def server() -> Server:
    return postgres.migrated()


@pytest.fixture
def bound(server: Server) -> Bound:
    return server.bound(postgres.new_agent(server))


def opened(bound: Bound, **more: float) -> PostgresStore:
    """Open an agent as another process would."""
    return PostgresStore(bound.server.bound(bound.agent), FixedClock(), UTC, **more)  # type: ignore[arg-type]


@pytest.fixture
def store(bound: Bound) -> PostgresStore:
    return opened(bound)


def put(store: PostgresStore, name: str, text: str) -> Document:
    with store.writing() as write:
        return write.replace(store.read(name), text)


def say(store: PostgresStore, text: str, speaker: str = "") -> None:
    store.append_turns("cli:main", [Utterance("user", text, "untrusted" if speaker else "owner", speaker)])


# Two processes.


def test_what_another_process_changes_is_seen_at_once(bound: Bound) -> None:
    ours, theirs = opened(bound), opened(bound)
    for n in range(3):
        put(theirs, "SOUL.md", f"soul {n}\n")
        put(theirs, f"memory/{n}.md", "x\n")
        say(theirs, f"said {n}")
        theirs.record(TRIED, actor="agent")

        assert ours.read("SOUL.md").text == f"soul {n}\n"
        assert ours.documents.marks() == theirs.documents.marks()
        assert f"memory/{n}.md" in ours.documents.marks()
        assert ours.transcripts.last_number("cli:main") == n + 1
        assert ours.journal.tail() == theirs.journal.tail()
        put(ours, "MEMORY.md", f"memory {n}\n")
        assert theirs.read("MEMORY.md").text == f"memory {n}\n"


def test_who_writes_goes_on_from_what_another_process_left(bound: Bound) -> None:
    ours, theirs = opened(bound), opened(bound)
    put(ours, "SOUL.md", "one\n")
    say(ours, "one")
    put(theirs, "SOUL.md", "two\n")
    say(theirs, "two")

    with ours.writing() as write:
        assert ours.read("SOUL.md").text == "two\n"
        assert [turn.n for turn in write.append_turns("cli:main", [Utterance("user", "three", "owner")])] == [
            3
        ]


def test_what_is_seen_in_one_moment_fits_together(bound: Bound) -> None:
    ours, theirs = opened(bound), opened(bound)
    put(theirs, "SOUL.md", "one\n")

    with ours._bound.reading():
        assert ours.read("SOUL.md").text == "one\n"
        put(theirs, "SOUL.md", "two\n")
        put(theirs, "memory/new.md", "new\n")
        assert ours.read("SOUL.md").text == "one\n"
        assert ours.documents.marks().keys() == {"SOUL.md"}
    assert ours.read("SOUL.md").text == "two\n"


def test_what_a_write_that_failed_had_changed_is_not_remembered(bound: Bound, store: PostgresStore) -> None:
    put(store, "SOUL.md", "one\n")
    say(store, "one")

    def half_done() -> None:
        with store.writing() as write:
            write.replace(store.read("SOUL.md"), "two\n")
            write.append(TRIED, actor="agent")
            write.append_turns("cli:main", [Utterance("user", "two", "owner")])
            write.archive_turns("cli:main", 1)
            raise KeyError

    with pytest.raises(KeyError):
        half_done()
    for each in (store, opened(bound)):
        assert each.read("SOUL.md").text == "one\n"
        assert each.journal.tail() == (0, None)
        assert each.documents.marks().keys() == {"SOUL.md", "sessions/cli.main.jsonl"}
        assert (each.transcripts.last_number("cli:main"), each.transcripts.archived("cli:main")) == (1, 0)


def test_a_read_costs_no_question_whose_answer_is_known(bound: Bound, store: PostgresStore) -> None:
    for name in ("SOUL.md", "memory/a.md"):
        put(store, name, "x\n")
    store.record(TRIED, actor="agent")
    say(store, "hello")

    def look() -> None:
        for name in ("SOUL.md", "USER.md", "MEMORY.md", "memory/a.md"):
            store.read(name)
        store.documents.marks()
        store.transcripts.marks()
        store.journal.read(after=store.journal.tail().seq - 1)

    look()
    assert asked(bound, store, look) == []
    assert len(asked(bound, store, lambda: put(store, "memory/a.md", "y\n"))) == 1  # the change itself
    assert asked(bound, store, look) == []


def asked(bound: Bound, store: PostgresStore, do: object) -> list[str]:
    """Return what is asked of the server, but for where it stands."""
    said: list[str] = []
    connected = store._bound.server.connected

    @contextmanager
    def told(*given: object) -> Iterator[object]:
        with connected(*given) as connection:  # type: ignore[arg-type]
            yield _Told(connection, said)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store._bound.server, "connected", told)
        do()  # type: ignore[operator]
    return [each for each in said if each != "COMMIT"]


class _Told:
    def __init__(self, connection: object, said: list[str]) -> None:
        self._connection, self._said = connection, said

    def execute(self, query: str | bytes, *given: object, **more: object) -> object:
        self._said.append(query.decode() if isinstance(query, bytes) else query)
        return self._connection.execute(query, *given, **more)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)


def test_what_was_left_to_be_filed_is_filed_by_whoever_settles(bound: Bound, store: PostgresStore) -> None:
    owed = Filing("memory/2026-11-14.md", "- one\n", "# Log\n\n")
    with store.writing() as write:
        write.append(DayLogged("2026-11-14", "UTC"), actor="owner", filings=[owed])
    assert store.read(owed.path).content is None

    opened(bound).settle()

    assert store.read(owed.path).text == "# Log\n\n- one\n"
    with opened(bound).writing() as write:
        assert write.filed == write.seq == 1


def test_lines_that_many_add_at_once_are_all_there_and_can_be_rewritten(store: PostgresStore) -> None:
    name = "costs/2026-11.jsonl"
    adding = [threading.Thread(target=store.documents.add_line, args=(name, b"%d\n" % n)) for n in range(6)]
    for thread in adding:
        thread.start()
    for thread in adding:
        thread.join()
    assert sorted((store.read(name).content or b"").split()) == [b"0", b"1", b"2", b"3", b"4", b"5"]
    assert store.documents.names("costs") == [name]

    put(store, name, "one\n")
    store.documents.add_line(name, b"two\n")
    assert store.read(name).text == "one\ntwo\n"


@pytest.mark.parametrize("name", ["", "a//b", "x" * 1001, "\ud800.md", "memory/./x"])
def test_a_name_that_the_database_cannot_keep_is_none(store: PostgresStore, name: str) -> None:
    with pytest.raises(DocumentError, match="not a file name"):
        store.read(name)


def test_any_key_of_a_session_and_any_name_are_kept_exactly(store: PostgresStore) -> None:
    session, speaker = "a:ñ\0'\"%:\U0001f600", 'Eva\0 "x"'
    store.append_turns(session, [Utterance("user", "zero \0 byte", "untrusted", speaker)])

    assert store.transcripts.sessions() == [session]
    assert store.transcripts.speakers(session) == {speaker}
    [turn] = store.transcripts.read(session)
    assert (turn.text, turn.speaker) == ("zero \0 byte", speaker)


def test_damage_is_found_where_it_is_and_read_around(bound: Bound, store: PostgresStore) -> None:
    for text in "abcd":
        store.record(JobTried("flush", Sentence.own(text)), actor="agent")
        say(store, text)
    with bound.writing() as connection:
        connection.execute(
            "UPDATE journal SET line = 'torn' WHERE agent = %s AND seq IN (1, 4)", (bound.agent,)
        )
        connection.execute("DELETE FROM journal WHERE agent = %s AND seq = 2", (bound.agent,))
        connection.execute("UPDATE turns SET line = 'torn' WHERE agent = %s AND n = 1", (bound.agent,))
        connection.execute("DELETE FROM turns WHERE agent = %s AND n = 2", (bound.agent,))

    assert [(each.place, str(each.problem)) for each in store.journal.check()] == [
        ("journal:1", "is not a line that Almario wrote"),
        ("journal:4", "is not a line that Almario wrote"),
        ("journal:3", "comes after a gap: seq 2 to 2 are missing"),
    ]
    assert [each.place for each in store.transcripts.check()] == [
        "sessions/cli.main.jsonl:1",
        "sessions/cli.main.jsonl",
    ]
    assert [event.seq for event in store.journal.read()] == [3]
    assert (store.journal.tail().seq, getattr(store.journal.first(), "seq", 0)) == (4, 3)
    assert [turn.n for turn in store.transcripts.read("cli:main")] == [3, 4]
    assert getattr(store.transcripts.first("cli:main"), "n", 0) == 3
    assert store.record(TRIED, actor="agent").seq == 5


def test_a_journal_of_a_newer_version_is_not_written(bound: Bound, store: PostgresStore) -> None:
    from almario.domain.journal_lines import encode, seal

    event = store.record(TRIED, actor="agent")._replace(version=99)
    with bound.writing() as connection:
        line = seal(encode(event).encode())[:-1]
        connection.execute("UPDATE journal SET line = %s WHERE agent = %s", (line, bound.agent))

    assert store.journal.tail().last is not None
    with pytest.raises(SchemaTooNew):
        store.record(TRIED, actor="agent")


# Jobs.


def run_out(bound: Bound, job: str = "flush") -> None:
    """Let a lease run out, as it does when its holder is paused for too long."""
    with bound.beside() as connection:
        statement = "UPDATE leases SET until = '-infinity' WHERE agent = %s AND job = %s"
        connection.execute(statement, (bound.agent, job))


def test_a_job_is_one_processs_until_its_lease_runs_out(bound: Bound) -> None:
    ours, theirs = opened(bound), opened(bound)

    with ours.lease("flush") as mine:
        with theirs.lease("flush") as taken:
            assert (mine, taken) == (True, False)
        run_out(bound)
        with theirs.lease("flush") as taken:
            assert taken


def test_who_was_paused_cannot_write_over_who_took_the_job_on(bound: Bound) -> None:
    ours, theirs = opened(bound), opened(bound)

    with ours.lease("flush"), ours.lease("reflect"):
        put(ours, "MEMORY.md", "ours\n")
        run_out(bound)
        with theirs.lease("flush"):
            put(theirs, "MEMORY.md", "theirs\n")
        with pytest.raises(StoreBusy, match='another process has taken over "flush"'):
            put(ours, "MEMORY.md", "ours again\n")

    assert ours.read("MEMORY.md").text == "theirs\n"
    put(ours, "MEMORY.md", "the job is over\n")


def test_nobody_takes_a_job_on_in_the_middle_of_a_write(bound: Bound) -> None:
    ours, theirs = opened(bound), opened(bound)
    taken: list[bool] = []

    def take() -> None:
        with theirs.lease("flush") as is_held:
            taken.append(is_held)

    with ours.lease("flush"):
        run_out(bound)
        with ours.writing() as write:
            other = threading.Thread(target=take)
            other.start()
            other.join(0.2)
            assert taken == []
            write.append(TRIED, actor="agent")
        other.join()

    assert taken == [True]


def test_a_lease_is_renewed_while_it_is_held(bound: Bound) -> None:
    ours = opened(bound, lease_seconds=0.06)
    query = "SELECT until FROM leases WHERE agent = %s"

    def until() -> object:
        with bound.beside() as connection:
            row = connection.execute(query, (bound.agent,)).fetchone()
            return row and row[0]

    with ours.lease("flush"):
        first = until()
        while until() == first:
            pass
        put(ours, "MEMORY.md", "ours\n")


# Who watches.


def test_what_nobody_reported_is_found_by_looking(
    bound: Bound, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "POLL", 0.01)
    monkeypatch.setattr(watching.ChangeListener, "_wake", lambda self, word=None: None)
    heard = threading.Event()

    with store.watch(heard.set):
        put(opened(bound), "MEMORY.md", "x\n")
        assert heard.wait(60)


def test_what_could_not_be_taken_in_is_told_again(bound: Bound, store: PostgresStore) -> None:
    calls, heard = [], threading.Event()

    def changed() -> None:
        calls.append(1)
        if len(calls) == 1:
            put(opened(bound), "memory/b.md", "b\n")
            raise EditConflict("not now")
        heard.set()

    with store.watch(changed):
        put(opened(bound), "memory/a.md", "a\n")
        assert heard.wait(60)


@pytest.mark.skipif(postgres.Run.is_pooled, reason="through a pooler nobody listens")
def test_a_listener_that_lost_its_server_listens_again(bound: Bound, store: PostgresStore) -> None:
    heard = threading.Event()
    listening = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"

    with store.watch(heard.set), bound.server.as_owner() as owner:
        while not (found := owner.execute(listening).fetchall()):
            pass
        for (pid,) in found:
            owner.execute("SELECT pg_terminate_backend(%s)", (pid,))
        put(opened(bound), "MEMORY.md", "x\n")
        assert heard.wait(60)
