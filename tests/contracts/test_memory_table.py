"""What every table of memories promises."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from almario.adapters.sqlite.database import Database
from almario.adapters.sqlite.memory_table import SqliteShelf
from almario.domain.events import Event, MemoriesChanged, SoulEdited
from almario.domain.memories import (
    EVERY,
    KINDS,
    ORIGINS,
    SOURCES,
    STATES,
    AsOf,
    Change,
    Lifetimes,
    Wanted,
    same_key,
    same_value,
)
from almario.errors import Damaged
from almario.ports import MemoryTable
from almario_postgres.memory_table import PostgresShelf, throw_away
from tests.postgres import migrated, new_agent

NOON = datetime(2026, 11, 14, 12, tzinfo=UTC)


def in_sqlite() -> SqliteShelf:
    database = Database(None, "index-1.db")
    table = SqliteShelf(database)
    with database.writing():
        pass
    return table


def in_postgres() -> PostgresShelf:
    server = migrated()
    return PostgresShelf(server.bound(new_agent(server)), "1")


@pytest.fixture(params=["sqlite", "postgres"])
def table(request: pytest.FixtureRequest) -> MemoryTable:
    return in_sqlite() if request.param == "sqlite" else in_postgres()


def event(seq: int, *changes: Change, verb: Any = "remember", of: int = 0, days: int = 0) -> Event:
    at = NOON + timedelta(days=days, minutes=seq)
    return Event(seq, f"e{seq}", at, "host", "owner", MemoriesChanged(verb, changes, of), 0)


def change(memory: str, *evidence: str, **fields: Any) -> Change:
    made: Change = {"id": memory, "set": fields}
    return {**made, "evidence": list(evidence)} if evidence else made


def ids(table: MemoryTable, **wanted: Any) -> list[str]:
    return [memory.id for memory in table.select(Wanted(**wanted))]


def test_a_memory_is_what_its_latest_change_left(table: MemoryTable) -> None:
    [made] = table.apply(event(1, change("m1", "s#1", key="Café", value="sin azúcar\0", kind="profile")))
    [renewed] = table.apply(event(2, change("m1", "s#2", "s#1", value="con azúcar", support=0.5)))

    assert made.value == "sin azúcar\0"
    assert table.select(Wanted()) == [renewed]
    assert (renewed.key, renewed.value, renewed.kind) == ("Café", "con azúcar", "profile")
    assert (renewed.evidence, renewed.support, renewed.seq) == (("s#1", "s#2"), 0.5, 2)
    assert table.position() == (2, "e2")
    table.apply(Event(3, "e3", NOON, "host", "owner", SoulEdited("SOUL.md", None, "x"), 0))
    assert table.position() == (3, "e3")
    assert ids(table, evidence=("s#1",)) == ["m1"]
    [rests] = table.apply(event(4, {"id": "m1", "set": {}, "without": ["s#1"]}))
    assert (rests.evidence, ids(table, evidence=("s#1",)), ids(table, evidence=("s#2",))) == (
        *(("s#2",), [], ["m1"]),
    )


def test_memories_are_found_by_every_field(table: MemoryTable) -> None:
    table.apply(event(1, change("aa1", "s#1", key="Work", value="Baker.", kind="profile", origin="owner")))
    table.apply(
        event(2, change("aa2", "s#1", "s#2", key="work", value="Pilot", state="superseded", by="aa1"))
    )
    table.apply(
        event(3, change("b3", value="went to Rome", kind="episode", path="memory/a.md", dated="2026"))
    )
    table.apply(event(4, change("c4", value="erased", renewed="2026-12-01T00:00:00Z", origin="untrusted")))
    table.note("erased:c4", "1")

    assert ids(table) == ids(table, states=STATES) == ["aa1", "aa2", "b3", "c4"]
    assert ids(table, ids=("aa",)) == ids(table, keys=(same_key("WORK"),)) == ["aa1", "aa2"]
    assert ids(table, ids=("aa1",)) == ids(table, values=(same_value("baker"),)) == ["aa1"]
    assert ids(table, ids=("c4", "aa1", "zz")) == ["aa1", "c4"]
    assert (
        ids(table, kinds=("episode",)) == ids(table, path="memory/a.md") == ids(table, dated=True) == ["b3"]
    )
    assert (
        ids(table, states=("superseded",)) == ids(table, by="aa1") == ids(table, evidence=("s#2",)) == ["aa2"]
    )
    assert ids(table, evidence=("s#1", "s#9")) == ids(table, text="work: ") == ["aa1", "aa2"]
    assert ids(table, origins=("owner", "untrusted")) == ["aa1", "c4"]
    assert ids(table, text="ROME") == ids(table, text="to  rome") == ["b3"]
    assert ids(table, kept=True) == ids(table, unused=True) == ["aa1", "aa2", "b3"]
    assert ids(table, most=2) == ["aa1", "c4"]
    assert ids(table, newest=True, offset=1, limit=2) == ["b3", "aa2"]
    assert ids(table, text="\ud800") == ids(table, ids=("\ud800", "x")) == []


def test_memories_are_found_by_their_times(table: MemoryTable) -> None:
    past, future = "2026-11-01T00:00:00Z", "2027-01-01T00:00:00Z"
    table.apply(event(1, change("over", value="a", valid_to=past)))
    table.apply(event(2, change("until", value="b", valid_from=past, valid_to=future), days=2))
    table.apply(event(3, change("always", value="c", kind="profile"), days=4))

    assert ids(table, since=NOON + timedelta(days=1)) == ["until", "always"]
    assert ids(table, until=NOON + timedelta(days=1)) == ["over"]
    assert ids(table, true_at=NOON) == ["until"]
    assert ids(table, true_at=datetime.max.replace(tzinfo=UTC)) == ["always"]
    now = AsOf(NOON + timedelta(days=400), Lifetimes())
    assert ids(table, states=("ended",), standing=now) == ["over", "until"]
    assert ids(table, states=("live",), standing=now) == ["always"]
    table.apply(event(4, change("stale", value="d", at="2026-01-01T00:00:00Z")))
    assert ids(table, states=("expired",), standing=now._replace(now=NOON + timedelta(days=30))) == []
    assert ids(table, states=("expired",), standing=now) == ["stale"]


def test_every_change_is_told(table: MemoryTable) -> None:
    table.apply(event(1, change("a", "s#1", value="1\0"), change("b", value="2")))
    table.apply(event(2, change("a", state="retired"), verb="forget", of=1))

    assert [(each.seq, each.verb, each.of) for each in table.history()] == [
        (1, "remember", 0), (1, "remember", 0), (2, "forget", 1),
    ]  # fmt: skip
    assert table.history(memory="a")[0].change == change("a", "s#1", value="1\0")
    assert [each.change["id"] for each in table.history(after=1)] == ["a"]
    assert [each.seq for each in table.history(verbs=("forget", "undo"))] == [2]


def test_notes_are_found_by_how_their_names_begin(table: MemoryTable) -> None:
    for name, text in {"m/a": "1", "m/b": "two\0", "m": "3", "n/a": ""}.items():
        table.note(name, text)
    table.note("m/a", "4")

    assert table.notes("m/") == {"a": "4", "b": "two\0"}
    assert table.noted("m/b") == "two\0"
    assert table.noted("n/a") == ""


def test_what_was_made_in_another_form_is_not_believed_and_made_anew() -> None:
    server = migrated()
    bound = server.bound(new_agent(server))
    PostgresShelf(bound, "1").apply(event(1, change("a", value="1")))

    newer = PostgresShelf(bound, "2")

    with pytest.raises(Damaged, match="form"):
        newer.position()
    throw_away(bound)
    assert newer.position() == (0, "")
    assert newer.select(EVERY) == []


# Both answer alike, whatever happened and whatever is asked.

few = st.sampled_from
names = few(["a", "ab", "b"])
texts = few(["", "Work", "work ", "Café: solo", "a\0b", "erased", "日本", "x%_\\y"])
instants = few(["2026-01-01T00:00:00Z", "2026-11-14T11:59:00Z", "2027-03-01T00:00:00Z"])
fields = st.fixed_dictionaries(
    {},
    optional={
        "key": texts, "value": texts, "kind": few(KINDS), "source": few(SOURCES), "origin": few(ORIGINS),
        "state": few(STATES), "by": names, "path": few(["", "memory/a.md"]), "dated": few(["", "2026"]),
        "valid_from": instants, "valid_to": instants | st.none(), "renewed": instants, "at": instants,
    },
)  # fmt: skip
turns = few(["s#1", "s#2"])
changes = st.builds(lambda memory, told, made: change(memory, *told, **made), names, st.lists(turns), fields)
verbs = few(["remember", "forget"])
moments = few([NOON - timedelta(days=100), NOON, NOON + timedelta(days=500)])
wanted = st.builds(
    Wanted,
    ids=st.lists(names, max_size=2, unique=True).map(tuple),
    keys=st.lists(texts.map(same_key), max_size=2).map(tuple),
    kinds=st.lists(few(KINDS), max_size=2).map(tuple),
    states=st.lists(few(STATES), max_size=3).map(tuple),
    origins=st.lists(few(ORIGINS), max_size=2).map(tuple),
    path=few(["", "", "memory/a.md"]),
    text=few(["", "", "wor", "%", "é"]),
    values=st.lists(few(["", "erased"]), max_size=2, unique=True).map(tuple),
    by=few(["", "", "a"]),
    evidence=st.lists(turns, max_size=1).map(tuple),
    dated=st.booleans(),
    most=few([0, 1, 2]),
    since=st.none() | moments,
    until=st.none() | moments,
    true_at=st.none() | moments,
    unused=st.booleans(),
    kept=st.booleans(),
    standing=st.none() | moments.map(AsOf),
    newest=st.booleans(),
    offset=few([0, 1]),
    limit=few([0, 1, 2]),
)
# Most of the fields at once would fit nothing.
some = st.tuples(wanted, st.sets(few(Wanted._fields), max_size=3)).map(
    lambda each: Wanted(**{name: getattr(each[0], name) for name in each[1]})
)


def by(table: MemoryTable, one: Wanted) -> Mapping[tuple[str, ...], int]:
    return table.tally(one, "state", "kind", "minute")


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.lists(changes, max_size=3), verbs), max_size=5), st.lists(some, max_size=12))
def test_both_tables_answer_alike(happened: list[tuple[list[Change], str]], asked: list[Wanted]) -> None:
    ours, theirs = in_sqlite(), in_postgres()
    for each in (ours, theirs):
        each.note("erased:a", "1")
        for seq, (made, verb) in enumerate(happened, 1):
            each.apply(event(seq, *made, verb=verb))

    assert theirs.position() == ours.position()
    assert theirs.history() == ours.history()
    assert list(theirs.keys().items()) == list(ours.keys().items())
    for one in asked:
        assert theirs.select(one) == ours.select(one), one
        assert theirs.extent(one) == ours.extent(one), one
        assert list(by(theirs, one).items()) == list(by(ours, one).items()), one
